//! Results of a run as a folder: what `cellway plot`, `compare` and `Run.load` of Python read.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let text = "";
//! use cellway_folder::save;
//! use cellway_sim::scenario::{Scenario, Source};
//! use cellway_sim::{Continue, run};
//!
//! let scenario = Scenario::parse(Source { origin: "path.toml", text }, &[])?;
//! let outcome = run(&scenario, &mut |_| Continue::Yes)?;
//! save(&outcome, &scenario, "out/path")?;            // then: cellway plot out/path
//! # Ok(())
//! # }
//! ```
//!
//! | file | holds |
//! |---|---|
//! | `scenario.toml` | the scenario, with everything that was set |
//! | `summary.json` | counters and means |
//! | `series.npz` | arrays of `NumPy`: `NAME:unit`, `:time` (s), `:value`, `:mean`, `:thinned` |
//! | `cellway.json` | model, and SHA-256 of the other files |

mod npy;

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use cellway_sim::result::Series;
use cellway_sim::scenario::Scenario;
use cellway_sim::{MODEL_VERSION, Outcome};
use serde_json::json;
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

const ABOUT: &str =
    "Written by cellway, which replaces its own files in this folder and no others.";

/// Saves the results of a run of `scenario` in `folder`, which must be missing or empty.
///
/// Flows that were driven from outside are in it like all others.
///
/// # Errors
/// The folder holds something, or it cannot be written; then nothing of the run is in it, unless
/// the system refuses to remove a file, too.
pub fn save(outcome: &Outcome, scenario: &Scenario, folder: impl AsRef<Path>) -> io::Result<()> {
    let folder = folder.as_ref();
    fs::create_dir_all(folder)?;
    if fs::read_dir(folder)?.next().is_some() {
        let full = format!("{}: holds files; an empty folder is expected", folder.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, full));
    }
    let files = files(outcome, scenario)?;
    for (name, content) in &files {
        if let Err(error) = fs::write(folder.join(name), content) {
            for (name, _) in &files {
                let _ = fs::remove_file(folder.join(name));
            }
            return Err(error);
        }
    }
    Ok(())
}

/// Files by name; the marker is the last.
fn files(outcome: &Outcome, scenario: &Scenario) -> io::Result<Vec<(&'static str, Vec<u8>)>> {
    let mut summary = serde_json::to_vec(&outcome.summary)?;
    summary.push(b'\n');
    let mut files = vec![("scenario.toml", scenario.to_toml().into_bytes())];
    if !outcome.series.is_empty() {
        files.push(("series.npz", archive(&outcome.series)?));
    }
    files.push(("summary.json", summary));
    let digests: serde_json::Map<_, _> =
        files.iter().map(|(name, content)| ((*name).to_owned(), digest(content).into())).collect();
    let marker = json!({
        "about": ABOUT,
        "kind": "run",
        "name": outcome.summary.scenario,
        "version": env!("CARGO_PKG_VERSION"),
        "model": MODEL_VERSION,
        "files": digests,
    });
    files.push(("cellway.json", format!("{marker:#}\n").into_bytes()));
    Ok(files)
}

fn digest(content: &[u8]) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(content) {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Archive of arrays, as `numpy.savez` writes it, without times of files.
fn archive(series: &[Series]) -> io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default());
    let mut add = |name: String, content: Vec<u8>| {
        archive.start_file(name, options)?;
        archive.write_all(&content)
    };
    for one in series {
        let times: Vec<f64> = one.times.iter().map(|at| at.seconds_f64()).collect();
        let part = |part: &str| format!("{}:{part}.npy", one.name);
        add(part("unit"), npy::text(one.unit))?;
        add(part("time"), npy::numbers(&times))?;
        add(part("value"), npy::numbers(&one.values))?;
        add(part("thinned"), npy::whole(u64::from(one.thinned)))?;
        if let Some(means) = &one.means {
            add(part("mean"), npy::numbers(means))?;
        }
    }
    Ok(archive.finish()?.into_inner())
}
