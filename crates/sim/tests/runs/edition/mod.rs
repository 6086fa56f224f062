//! The edition of the model: it names the results of a fixed set of runs.
//!
//! `editions.txt` of the crate has a line per edition, the newest first: its name, a date, a
//! reason. Below stand digests of the runs of the newest one, and behind a further empty line those
//! of runs that joined the set later. A name ends in a hash of the first list, so no digest of it
//! changes without a new name. `UPDATE_GOLDENS=1` writes the file; the reason is written by hand.

mod runs;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use cellway_sim::MODEL_VERSION;
use cellway_sim::scenario::{Scenario, Source};

use super::outcome_of;
use super::records::{Fnv, records};
use super::words::words_of;
use runs::{BASES, variants};

/// Keys of the language whose words are models: the set has a run of each.
const LISTS: [&str; 13] = [
    "switch.NAME.drop",
    "switch.NAME.drop.dfba.z",
    "switch.NAME.buffer",
    "switch.NAME.scheduler",
    "switch.NAME.rate_allocator",
    "link.NAME.impairments",
    "link.NAME.capacity",
    "flow.NAME.service",
    "flow.NAME.tcp.recovery",
    "flow.NAME.tcp.congestion",
    "flow.NAME.traffic",
    "flow.NAME.pacing.rate",
    "host.NAME.sar",
];

/// Content of `editions.txt`.
#[derive(Clone, Debug, PartialEq)]
struct Editions {
    /// Name, date and reason of each, the newest first.
    lines: Vec<String>,
    /// Name of a run and digest of its records, each one line; those in the newest edition's name.
    named: Vec<String>,
    /// Runs that joined the set since.
    joined: Vec<String>,
}

impl Editions {
    fn read(text: &str) -> Self {
        let mut parts = text.split("\n\n").map(|part| part.lines().map(str::to_owned).collect());
        let mut part = || parts.next().unwrap_or_default();
        Self { lines: part(), named: part(), joined: part() }
    }

    fn text(&self) -> String {
        let parts = [&self.lines, &self.named, &self.joined];
        let parts = parts.iter().filter(|part| !part.is_empty()).map(|part| part.join("\n"));
        parts.collect::<Vec<_>>().join("\n\n") + "\n"
    }

    fn newest(&self) -> &str {
        self.lines.first().and_then(|line| line.split(' ').next()).unwrap_or_default()
    }

    /// The editions after `digests` were found: a new one if a run of the newest has changed.
    fn after(&self, digests: &[String]) -> Self {
        let known: BTreeSet<&String> = self.named.iter().chain(&self.joined).collect();
        let found: BTreeSet<&String> = digests.iter().collect();
        if known.is_subset(&found) {
            let joined = digests.iter().filter(|digest| !self.named.contains(digest)).cloned();
            return Self { joined: joined.collect(), ..self.clone() };
        }
        let name = format!("{}-{:08x}", self.lines.len() + 1, hash(digests));
        let lines = std::iter::once(name).chain(self.lines.iter().cloned()).collect();
        Self { lines, named: digests.to_vec(), joined: Vec::new() }
    }
}

/// Hash of lines.
fn hash(lines: &[String]) -> u32 {
    let mut digest = Fnv::default();
    for line in lines {
        digest.feed(line.as_bytes());
        digest.feed(b"\n");
    }
    (digest.0 >> 32) as u32 ^ digest.0 as u32
}

/// Name and scenario of every run of the set.
fn set() -> Vec<(String, Scenario)> {
    let variants = variants();
    let mut set = Vec::new();
    for (base, text, settings) in BASES {
        let mut add = |name: String, further: &[(&str, &str)]| {
            let settings = settings.iter().chain(further);
            let settings: Vec<_> =
                settings.map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
            let source = Source { origin: &name, text };
            let scenario = Scenario::parse(source, &settings);
            set.push((name.clone(), scenario.unwrap_or_else(|error| panic!("{error}"))));
        };
        add(base.to_owned(), &[]);
        for (_, key, values) in variants.iter().filter(|(name, ..)| name == base) {
            let last = key.rsplit('.').next().unwrap_or_default();
            for (place, value) in values.iter().enumerate() {
                let mut words = value.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
                let word = words.find(|word| !word.is_empty()).unwrap_or_default();
                add(format!("{base}:{last}-{}-{word}", place + 1), &[(key, value)]);
            }
        }
    }
    set
}

#[test]
fn results_are_those_of_the_newest_edition() {
    let mut digests = Vec::new();
    for (name, scenario) in set() {
        let mut digest = Fnv::default();
        for record in records(&outcome_of(&scenario)) {
            digest.feed(record.as_bytes());
            digest.feed(b"\n");
        }
        digests.push(format!("{name} {:016x}", digest.0));
    }
    let unlike: BTreeSet<&str> = digests.iter().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(unlike.len(), digests.len(), "a run with the results of another tells nothing");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("editions.txt");
    let text = std::fs::read_to_string(&file).expect("the list of editions is readable");
    let kept = Editions::read(&text);
    let found = kept.after(&digests);
    if std::env::var_os("UPDATE_GOLDENS").is_some() {
        std::fs::write(&file, found.text()).expect("the list of editions can be written");
        return;
    }
    let mut changed = String::new();
    for digest in digests.iter().filter(|digest| !text.contains(digest.as_str())) {
        writeln!(changed, "  {digest}").expect("a text grows");
    }
    assert!(
        kept == found,
        "runs of the fixed set give other results, or have joined it:\n{changed}If that is meant, \
         UPDATE_GOLDENS=1 writes editions.txt; give a new edition its date and its reason"
    );
    assert_eq!(kept.text(), text, "editions.txt has lines in another order or form");
}

#[test]
fn the_newest_edition_is_named_after_its_digests_and_has_a_reason() {
    let editions = Editions::read(include_str!("../../../editions.txt"));
    assert_eq!(editions.newest(), MODEL_VERSION);
    let number = editions.lines.len();
    assert_eq!(MODEL_VERSION, format!("{number}-{:08x}", hash(&editions.named)));
    for line in &editions.lines {
        let [_, date, reason] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
            panic!("`{line}`: expected NAME YYYY-MM-DD REASON");
        };
        assert!(date.len() == 10 && reason.len() > 10, "{line}");
    }
}

#[test]
fn a_changed_digest_is_a_new_edition_and_a_further_run_is_none() {
    let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
    let kept = Editions {
        lines: lines(&["1-00000000 2026-01-01 First edition."]),
        named: lines(&["wan 1", "lan 2"]),
        joined: lines(&[]),
    };
    let more = kept.after(&lines(&["wan 1", "lan 2", "abr 3"]));
    assert_eq!((more.newest(), more.joined.as_slice()), ("1-00000000", &lines(&["abr 3"])[..]));
    assert_eq!(Editions::read(&more.text()), more);
    for digests in [["wan 1", "lan 9", "abr 3"].as_slice(), &["wan 1", "lan 2", "abr 9"]] {
        let changed = more.after(&lines(digests));
        assert!(changed.newest().starts_with("2-") && changed.joined.is_empty(), "{changed:?}");
        assert_eq!(changed.named, lines(digests));
    }
}

#[test]
fn the_set_has_a_run_of_every_model() {
    // A resolved text leaves out what is a default.
    let texts = set().into_iter().map(|(_, scenario)| scenario.to_toml());
    let values = variants().into_iter().flat_map(|(.., values)| values);
    let mut used: BTreeSet<String> = BTreeSet::new();
    for text in texts.chain(values) {
        let words = text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_');
        used.extend(words.map(str::to_owned));
    }
    for key in LISTS {
        let missing: Vec<String> = words_of(key).difference(&used).cloned().collect();
        assert!(missing.is_empty(), "`{key}`: no run of the fixed set has {missing:?}");
    }
}
