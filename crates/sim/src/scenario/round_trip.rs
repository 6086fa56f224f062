//! Round trip of every key and every word of the language through reader and writer.
//!
//! A run's key is made from the written scenario: a key that the writer forgets would give two runs
//! one key, and a word that the reader takes for another would run as the other.

use crate::language::keys::{Body, Key, Kind, Presence, Variant};
use crate::language::part::Part;
use crate::scenario::{Scenario, ScenarioFile, Source};
use crate::units::Span;

/// A scenario in which every key can be set.
const EVERYTHING: &str = include_str!("round_trip.toml");

/// Sections of [`EVERYTHING`] for keys of the reference; the first that matches counts. A name with
/// a dot at the end matches only the keys below it.
const SECTIONS: [(&str, &str); 48] = [
    ("host.NAME.count", "host.nobody.count"),
    ("host.NAME", "host.idle"),
    ("switch.NAME", "switch.spare"),
    ("edge.NAME", "edge.rest"),
    ("vc.NAME", "vc.trunk"),
    ("link.NAME.count", "link.leaf.count"),
    ("link.NAME.from", "link.there.from"),
    ("link.NAME.to", "link.back.to"),
    ("link.NAME.between", "link.spare.between"),
    ("link.NAME.carries", "link.wire.carries"),
    ("link.NAME.capacity", "link.spare.capacity"),
    ("link.NAME.impairments.duplicate", "link.lan.impairments.duplicate"),
    ("link.NAME.impairments.reorder", "link.lan.impairments.reorder"),
    ("link.NAME.impairments.ack_thinning", "link.lan.impairments.ack_thinning"),
    ("link.NAME.impairments.script.NAME", "link.ku.impairments.script.choice"),
    ("link.NAME", "link.ku"),
    ("flow.NAME.from", "flow.away.from"),
    ("flow.NAME.vc", "flow.routed.vc"),
    ("flow.NAME.stop", "flow.raw.stop"),
    ("flow.NAME.traffic.ttcp", "flow.bulk.traffic.ttcp"),
    ("flow.NAME.traffic.relay", "flow.onward.traffic.relay"),
    ("flow.NAME.traffic.schedule", "flow.away.traffic.schedule"),
    ("flow.NAME.traffic.request_response", "flow.away.traffic.request_response"),
    ("flow.NAME.traffic.full", "flow.away.traffic.full"),
    ("flow.NAME.traffic.burst", "flow.away.traffic.burst"),
    ("flow.NAME.traffic.burstq", "flow.away.traffic.burstq"),
    ("flow.NAME.traffic.mpeg", "flow.away.traffic.mpeg"),
    ("flow.NAME.traffic.ftp", "flow.away.traffic.ftp"),
    ("flow.NAME.traffic.www", "flow.away.traffic.www"),
    ("flow.NAME.traffic.page", "flow.away.traffic.page"),
    ("flow.NAME.traffic.adaptive_video", "flow.away.traffic.adaptive_video"),
    ("flow.NAME.deadline", "flow.raw.deadline"),
    ("flow.NAME.traffic.", "flow.raw.traffic."),
    ("flow.NAME.pacing", "flow.paced.pacing"),
    ("flow.NAME.tcp.fast_retransmit_guard", "flow.choice.tcp.fast_retransmit_guard"),
    ("flow.NAME.tcp.full_ack", "flow.partial.tcp.full_ack"),
    ("flow.NAME.tcp.reduces", "flow.partial.tcp.reduces"),
    ("flow.NAME", "flow.bulk"),
    ("proxy.NAME.enabled", "proxy.on.enabled"),
    ("proxy.NAME.link", "proxy.sided.link"),
    ("proxy.NAME.tcp.fast_retransmit_guard", "proxy.choice.tcp.fast_retransmit_guard"),
    ("proxy.NAME.tcp.full_ack", "proxy.partial.tcp.full_ack"),
    ("proxy.NAME.tcp.reduces", "proxy.partial.tcp.reduces"),
    ("proxy.NAME.link_tcp.fast_retransmit_guard", "proxy.choice.link_tcp.fast_retransmit_guard"),
    ("proxy.NAME.link_tcp.full_ack", "proxy.partial.link_tcp.full_ack"),
    ("proxy.NAME.link_tcp.reduces", "proxy.partial.link_tcp.reduces"),
    ("proxy.NAME.link_tcp", "proxy.sided.link_tcp"),
    ("proxy.NAME", "proxy.pep"),
];

/// Further settings that a key, or a word, needs although they stand elsewhere.
const BESIDES: [(&str, &str, &str); 21] = [
    (
        "link.lan.impairments.ack_thinning.longest_gap",
        "link.lan.impairments.ack_thinning.one_in",
        "4",
    ),
    ("link.ku.impairments.ticks.offset", "link.ku.impairments.ticks.every", "10 ms"),
    ("link.spare.capacity.two_state.first_slot", "link.spare.capacity.two_state.slot", "30 ms"),
    ("flow.raw.traffic.cbr.write", "flow.raw.tcp.mss", "512 B"),
    ("flow.raw.traffic.poisson.write", "flow.raw.tcp.mss", "512 B"),
    ("flow.raw.traffic.bernoulli.write", "flow.raw.tcp.mss", "512 B"),
    ("flow.raw.traffic.on_off.write", "flow.raw.tcp.mss", "512 B"),
    ("flow.raw.traffic.exponential_on_off.write", "flow.raw.tcp.mss", "512 B"),
    ("flow.raw.deadline", "flow.raw.traffic", "call"),
    ("flow.onward.traffic.relay.over", "flow.onward.from", "there"),
    ("flow.onward.traffic.relay.over", "flow.wide.traffic", "{ relay = { of = \"near\" } }"),
    ("link.leaf.count", "host.leaf.count", "15"),
    ("link.wire.carries=cells", "link.wire.rate", "OC-3c"),
    ("switch.spare.drop.dfba.z=per_vc", "flow.bulk.service.gfr.mcr", "1 Mbit/s of cell"),
    ("edge.rest.drop.dfba.z=per_vc", "flow.bulk.service.gfr.mcr", "1 Mbit/s of cell"),
    ("switch.spare.drop.cake.overhead", "switch.spare.drop.cake.rate", "8 Mbit/s of line"),
    ("switch.spare.drop.cake.framing", "switch.spare.drop.cake.rate", "8 Mbit/s of line"),
    ("switch.spare.drop.cake.least_packet", "switch.spare.drop.cake.rate", "8 Mbit/s of line"),
    ("edge.rest.drop.cake.overhead", "edge.rest.drop.cake.rate", "8 Mbit/s of line"),
    ("edge.rest.drop.cake.framing", "edge.rest.drop.cake.rate", "8 Mbit/s of line"),
    ("edge.rest.drop.cake.least_packet", "edge.rest.drop.cake.rate", "8 Mbit/s of line"),
];

/// A word that is accepted for the service of flows and refused for that of shared circuits.
const WITHOUT_MEANING: [(&str, &str); 1] = [("vc.trunk.service.abr.buffer", "back_pressure")];

/// Dotted path and value.
type Set = (String, String);

/// One key of the language, with the settings without which it cannot be written.
struct Case {
    /// Path in [`EVERYTHING`].
    path: String,
    /// Path in the reference, with `NAME`.
    reference: String,
    key: &'static Key,
    siblings: Vec<Set>,
}

impl Case {
    fn is_required(&self) -> bool {
        matches!(self.key.presence, Presence::Required)
    }

    /// Further settings for the key if `value` is given to it.
    fn besides(&self, value: &str) -> Vec<Set> {
        [with_companions(&self.path), with_companions(&format!("{}={value}", self.path))].concat()
    }

    /// The text of the scenario with `sets`, after a check that it reads back.
    fn written(&self, sets: &[Set]) -> Result<String, String> {
        let sets = [&self.siblings[..], sets].concat();
        let source = |text| Source { origin: "everything.toml", text };
        let complaint = |error: crate::scenario::ScenarioError| format!("{}: {error}", self.path);
        let scenario = Scenario::parse(source(EVERYTHING), &sets).map_err(complaint)?;
        let text = scenario.to_toml();
        let again = Scenario::parse(source(&text), &[]).map_err(complaint)?;
        if again == scenario {
            return Ok(text);
        }
        Err(format!("{}: not what was written with {sets:?}", self.path))
    }

    fn written_as(&self, value: &str) -> Result<String, String> {
        let value = suited(&self.path, value);
        self.written(&[self.besides(&value), vec![(self.path.clone(), value)]].concat())
    }
}

fn with_companions(name: &str) -> Vec<Set> {
    let wanted = BESIDES.iter().filter(|(path, ..)| *path == name);
    wanted.map(|(_, path, value)| ((*path).to_owned(), (*value).to_owned())).collect()
}

fn in_everything(path: &str) -> String {
    let is_below = |name: &str| {
        let is_whole = |rest: &str| rest.is_empty() || rest.starts_with('.');
        path.strip_prefix(name).is_some_and(|rest| name.ends_with('.') || is_whole(rest))
    };
    let found = SECTIONS.iter().find(|(name, _)| is_below(name));
    found.map_or_else(
        || path.to_owned(),
        |(name, section)| format!("{section}{}", &path[name.len()..]),
    )
}

/// Every key that is no section, depth first.
fn cases(keys: &'static [Key], place: &str, siblings: &[Set], found: &mut Vec<Case>) {
    for key in keys {
        let path =
            if place.is_empty() { key.name.to_owned() } else { format!("{place}.{}", key.name) };
        match key.kind {
            Kind::Section(keys) => cases(keys, &path, siblings, found),
            Kind::Named(keys) => cases(keys, &format!("{path}.NAME"), siblings, found),
            // No scenario keeps it.
            Kind::Laboratory => {}
            kind => {
                let (reference, siblings) = (path.clone(), siblings.to_vec());
                found.push(Case {
                    path: in_everything(&path),
                    reference,
                    key,
                    siblings: siblings.clone(),
                });
                for variant in kind.choices().unwrap_or_default() {
                    let Body::Keys(keys) = variant.body else { continue };
                    let inner = format!("{path}.{}", variant.name);
                    let below = with_companions(&in_everything(&path));
                    let together = [siblings.clone(), below, chosen(&path, variant)].concat();
                    cases(keys, &inner, &together, found);
                }
            }
        }
    }
}

/// Settings that choose a variant with keys: its required keys, or its name.
fn chosen(path: &str, variant: &Variant) -> Vec<Set> {
    let Body::Keys(keys) = variant.body else { unreachable!("`{}` has a value", variant.name) };
    let required: Vec<Set> = keys
        .iter()
        .filter(|key| matches!(key.presence, Presence::Required))
        .map(|key| (format!("{path}.{}.{}", variant.name, key.name), key.example))
        .map(|(path, example)| (in_everything(&path), suited(&path, example)))
        .collect();
    if required.is_empty() {
        return vec![(in_everything(path), format!("{{ {} = {{}} }}", variant.name))];
    }
    required
}

/// An example of a key; where packets wait, cells in it become packets.
fn suited(path: &str, example: &str) -> String {
    if path.starts_with("edge.") { example.replace(" cell", " packet") } else { example.to_owned() }
}

fn all_cases() -> Vec<Case> {
    let mut found = Vec::new();
    cases(ScenarioFile::KEYS, "", &[], &mut found);
    found
}

#[test]
fn every_key_is_written_and_reads_back() {
    let mut faults = Vec::new();
    for case in all_cases() {
        let (path, example) = (case.path.clone(), case.key.example);
        match (case.written(&[]), case.written_as(example)) {
            (Ok(without), Ok(with)) => {
                let is_beside = case.siblings.iter().any(|(sibling, _)| *sibling == path);
                if without == with && !(case.is_required() && is_beside) {
                    faults.push(format!("{path} = {example} is written as if it were not there"));
                }
            }
            (without, with) => faults.extend([without, with].into_iter().filter_map(Result::err)),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_key_is_read_where_it_stands() {
    for case in all_cases() {
        let wrong = (case.path.clone(), "[[1]]".to_owned());
        let sets = [&case.siblings[..], &with_companions(&case.path), &[wrong]].concat();
        let source = Source { origin: "everything.toml", text: EVERYTHING };
        let error = Scenario::parse(source, &sets).expect_err(&case.path);
        assert!(error.message.contains(&format!(".{}", case.key.name)), "{}: {error}", case.path);
    }
}

#[test]
fn every_default_is_what_its_key_takes() {
    for case in all_cases() {
        let Presence::Default(default) = case.key.presence else { continue };
        let outcome = case.written_as(default);
        assert!(outcome.is_ok(), "{outcome:?}");
    }
}

#[test]
fn every_word_has_a_meaning_of_its_own() {
    let mut faults = Vec::new();
    for case in all_cases() {
        let mut texts: Vec<(&str, String)> = Vec::new();
        for variant in case.key.kind.choices().unwrap_or_default() {
            let outcome = match variant.body {
                Body::Value(_, example) => {
                    case.written_as(&format!("{{ {} = {example} }}", variant.name))
                }
                Body::Keys(_) if !variant.is_bare_word() => {
                    let below = with_companions(&case.path);
                    case.written(&[below, chosen(&case.reference, variant)].concat())
                }
                Body::Keys(_) => case.written_as(variant.name),
            };
            match outcome {
                Ok(text) => match texts.iter().find(|(_, other)| *other == text) {
                    Some((other, _)) => {
                        faults.push(format!(
                            "{}: `{}` means what `{other}` does",
                            case.path, variant.name
                        ));
                    }
                    None => texts.push((variant.name, text)),
                },
                Err(_) if WITHOUT_MEANING.contains(&(&case.path, variant.name)) => {}
                Err(fault) => faults.push(format!("`{}`: {fault}", variant.name)),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_word_of_a_list_has_a_meaning_of_its_own() {
    for case in all_cases() {
        let Kind::Words(words) = case.key.kind else { continue };
        let text = |word: &Variant| case.written_as(&format!("[\"{}\"]", word.name));
        let mut texts: Vec<String> =
            words.iter().map(|word| text(word).expect(word.name)).collect();
        texts.sort();
        assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "{}", case.path);
    }
}

#[test]
fn a_file_with_families_reads_back() {
    let member = "\n[host.\"leaf[1]\"]\nack_cost = \"included\"\n";
    for text in [EVERYTHING, &format!("{EVERYTHING}{member}")] {
        let file = ScenarioFile::parse(Source { origin: "everything.toml", text }).expect("valid");
        let written = file.to_toml();
        let again = ScenarioFile::parse(Source { origin: "written.toml", text: &written });
        assert_eq!(again.expect(&written), file);
    }
}

#[test]
fn a_file_made_without_text_is_checked_as_one_that_was_read() {
    let source = Source { origin: "everything.toml", text: EVERYTHING };
    let mut file = ScenarioFile::parse(source).expect("valid");
    let read = Scenario::parse(source, &[]).expect("valid");
    assert_eq!(file.resolve("everything").expect("valid"), read);
    file.run.warm_up = file.run.duration;
    let error = file.resolve("everything").expect_err("nothing is left");
    assert!(error.message.contains("`run.warm_up`"), "{error}");
}

#[test]
fn what_has_defaults_alone_is_as_if_nothing_were_said() {
    assert_eq!(crate::scenario::Host::default().sar, crate::scenario::Sar::PerCell(Span::ZERO));
    assert_eq!(crate::scenario::Observe::default().limit, 10_000);
    let run = crate::scenario::RunControl::lasting(Span::from_seconds(20));
    let file = ScenarioFile::new(run.clone());
    let text = "[run]\nduration = \"20 s\"\n";
    let read = ScenarioFile::parse(Source { origin: "x.toml", text }).expect("valid");
    assert_eq!(file, read);
}

#[test]
fn the_reference_is_json() {
    let reference: serde_json::Value =
        serde_json::from_str(&crate::scenario::schema()).expect("JSON");
    let keys = reference["keys"].as_array().expect("a list");
    assert!(keys.iter().any(|key| key["key"] == "flow.NAME.tcp.timers.fine.ack_delay"));
    assert_eq!(reference["lines"][3]["cell_bits_per_second"], 98_148_148);
}
