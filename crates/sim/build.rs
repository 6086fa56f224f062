//! Names the model after what it is made of: runs of two models never have one key, whatever
//! version the models claim.

mod fingerprint;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fingerprint::{fingerprint, pinned};

const MANIFEST: &str = "Cargo.toml";
/// Lock file of the workspace; absent, or another's, when the crate is built alone.
const WORKSPACE: &str = "../../Cargo.toml";

fn main() {
    for used in ["src", MANIFEST, WORKSPACE] {
        if Path::new(used).exists() {
            println!("cargo::rerun-if-changed={used}");
        }
    }
    let mut sources = BTreeMap::new();
    collect(Path::new("src"), "", &mut sources);
    let manifest = fs::read_to_string(MANIFEST).expect("the manifest is readable");
    let pinned = pinned(&manifest, &fs::read_to_string(WORKSPACE).unwrap_or_default());
    println!("cargo::rustc-env=CELLWAY_MODEL={:016x}", fingerprint(&sources, &pinned));
}

/// Adds the Rust files of `folder` to `sources`, whose paths begin with `path`.
fn collect(folder: &Path, path: &str, sources: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the folder of sources is readable").flatten() {
        let name = entry.file_name().into_string().expect("the name of a source is UTF-8");
        let (file, path) = (entry.path(), format!("{path}{name}"));
        if file.is_dir() {
            collect(&file, &format!("{path}/"), sources);
        } else if file.extension().is_some_and(|ending| ending == "rs") {
            sources.insert(path, fs::read_to_string(&file).expect("a source file is readable"));
        }
    }
}
