//! Packet scripts of the tree against the simulator's own TCP. `SCRIPTS=sack/` plays those whose
//! path has these letters.

mod language;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use cellway_stack::script::{Report, Script, run_model};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts");

/// True for a comment that names an RFC, or what the rule is of where none has it.
fn cites(line: &str) -> bool {
    const SOURCES: [&str; 6] = ["RFC ", "4.3BSD", "4.4BSD", "Net/3", "Linux 6.12", " 1996: "];
    line.starts_with("// ") && SOURCES.iter().any(|source| line.contains(source))
}

/// Paths of all scripts, by feature.
fn paths() -> Vec<PathBuf> {
    let entries = |folder: &Path| {
        let found = fs::read_dir(folder).expect("a folder of scripts");
        let mut found: Vec<_> = found.map(|entry| entry.expect("an entry").path()).collect();
        found.sort();
        found
    };
    let all = entries(Path::new(FOLDER)).into_iter().flat_map(|feature| entries(&feature));
    let wanted = std::env::var("SCRIPTS").unwrap_or_default();
    all.filter(|path| path.to_string_lossy().contains(&wanted)).collect()
}

/// A script beside what happened, for a reader of a failure.
fn shown(report: &Report) -> String {
    let mut text = String::new();
    for row in &report.rows {
        let at = row.at.map_or_else(String::new, |at| format!("{at:.6}"));
        let _ = writeln!(text, "{:>4} {:<58} | {at:>11} {}", row.line, row.expected, row.actual);
    }
    for packet in &report.unexpected {
        let _ = writeln!(text, "     {:<58} | {:>11.6} {}", "", packet.at, packet.text);
    }
    text
}

#[test]
fn scripts_pass_and_cite_their_clause() {
    let mut wrong = String::new();
    let paths = paths();
    for path in &paths {
        let text = fs::read_to_string(path).expect("a script");
        let origin = path.strip_prefix(FOLDER).expect("it is below").display().to_string();
        if !text.lines().next().is_some_and(cites) {
            let _ = writeln!(wrong, "{origin}: its first line cites no source");
        }
        let script = match Script::parse(&origin, &text) {
            Ok(script) => script,
            Err(fault) => {
                let _ = writeln!(wrong, "{fault}");
                continue;
            }
        };
        let report = run_model(&script).expect("our own TCP starts");
        if let Some((line, why)) = &report.fault {
            let _ = writeln!(wrong, "{origin}:{line}: {why}\n{}", shown(&report));
        }
        for skipped in &report.skipped {
            let _ = writeln!(wrong, "{origin}:{}: skipped: {}", skipped.line, skipped.why);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
