//! A run as text, record by record: two runs differ first in a line that can be read.

use std::fmt::Write as _;

use cellway_sim::Outcome;
use cellway_sim::result::{Series, Summary};
use serde_json::Value;

use super::golden;

/// So many points of a series share a line.
const BLOCK: usize = 100;

/// Version of the package in records. Digests and goldens began with it, and a release changes no
/// result.
const VERSION: &str = "version \"0.1.0\"";

/// One line for every number or member of the summary, and for every hundred points of a series.
pub(super) fn records(outcome: &Outcome) -> Vec<String> {
    let summary = serde_json::to_value(&outcome.summary).expect("a summary is JSON");
    let mut lines = Vec::new();
    for (section, content) in summary.as_object().expect("a summary has sections") {
        match content {
            _ if section == "version" => lines.push(VERSION.to_owned()),
            Value::Object(members) => lines
                .extend(members.iter().map(|(name, member)| format!("{section} {name} {member}"))),
            number => lines.push(format!("{section} {number}")),
        }
    }
    lines.extend(outcome.series.iter().flat_map(blocks));
    lines
}

/// The first point of each block, and a digest of all its points.
fn blocks(series: &Series) -> Vec<String> {
    let Series { name, unit, times, values, .. } = series;
    let mut lines = vec![format!("series {name}, {unit}, {} points", times.len())];
    for (times, values) in times.chunks(BLOCK).zip(values.chunks(BLOCK)) {
        let mut digest = Fnv::default();
        for (at, value) in times.iter().zip(values) {
            digest.feed(&at.picoseconds().to_le_bytes());
            digest.feed(&value.to_bits().to_le_bytes());
        }
        let (at, first) = (times[0].picoseconds(), values[0]);
        lines.push(format!("  from {at} ps, {first:?}: {:016x}", digest.0));
    }
    lines
}

/// FNV-1a.
pub(super) struct Fnv(pub(super) u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// Two runs are the same, bit for bit.
#[track_caller]
pub(super) fn assert_same(one: &Outcome, other: &Outcome) {
    if let Some(difference) = first_difference(&records(one), &records(other)) {
        panic!("{difference}");
    }
}

/// The first line in which two texts differ.
fn first_difference(one: &[String], other: &[String]) -> Option<String> {
    let line = (0..one.len().max(other.len())).find(|&line| one.get(line) != other.get(line))?;
    let [one, other] = [one, other].map(|lines| lines.get(line).map_or("nothing", String::as_str));
    Some(format!("record {} differs:\n  {one}\n  {other}", line + 1))
}

/// Sections of a summary and their members: a line names the numbers of the members below it.
fn table(summary: &Summary) -> Vec<String> {
    let summary = serde_json::to_value(summary).expect("a summary is JSON");
    let mut lines = Vec::new();
    for (section, content) in summary.as_object().expect("a summary has sections") {
        let Value::Object(members) = content else {
            let line = format!("{section} {content}");
            lines.push(if section == "version" { VERSION.to_owned() } else { line });
            continue;
        };
        let mut heading = None;
        for (name, member) in members {
            let (mut names, mut numbers) = (String::new(), String::new());
            flatten("", member, &mut names, &mut numbers);
            if heading.as_ref() != Some(&names) {
                lines.push(format!("{section}:{names}"));
                heading = Some(names);
            }
            lines.push(format!("  {name}:{numbers}"));
        }
    }
    lines
}

/// Appends the numbers of a value, and their paths in it.
fn flatten(path: &str, value: &Value, names: &mut String, numbers: &mut String) {
    if let Value::Object(parts) = value {
        for (name, part) in parts {
            let dot = if path.is_empty() { "" } else { "." };
            flatten(&format!("{path}{dot}{name}"), part, names, numbers);
        }
    } else {
        write!(names, " {path}").expect("a string takes all");
        write!(numbers, " {value}").expect("a string takes all");
    }
}

/// The run is what `golden/runs/NAME.txt` says. A difference is a change of results, on this
/// machine or another, and needs its reason written; `UPDATE_GOLDENS=1` writes the file anew.
#[track_caller]
pub(super) fn assert_golden(name: &str, outcome: &Outcome) {
    let mut lines = table(&outcome.summary);
    lines.extend(outcome.series.iter().flat_map(blocks));
    golden::assert_golden(&format!("runs/{name}.txt"), &(lines.join("\n") + "\n"));
}

#[test]
fn the_first_record_that_differs_is_shown() {
    let text = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
    let whole = text(&["sent 5", "lost 1", "series x, cell, 0 points"]);
    assert_eq!(first_difference(&whole, &whole), None);
    assert_eq!(
        first_difference(&whole, &text(&["sent 5", "lost 2"])).as_deref(),
        Some("record 2 differs:\n  lost 1\n  lost 2")
    );
    assert_eq!(
        first_difference(&whole, &whole[..2]).as_deref(),
        Some("record 3 differs:\n  series x, cell, 0 points\n  nothing")
    );
}
