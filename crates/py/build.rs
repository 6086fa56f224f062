//! The scenarios and studies that are shipped become part of the library, so that a user who has
//! nothing else has them.

use std::path::{Path, PathBuf};
use std::{env, fs};

const SHIPPED: &str = "../../scenarios";

fn main() {
    println!("cargo::rerun-if-changed={SHIPPED}");
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo names it")).join(SHIPPED);
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let entries = files.iter().map(|file| {
        let name = file.strip_prefix(&root).expect("it was found there").to_string_lossy();
        let place = file.display().to_string();
        format!("({:?}, include_str!({place:?})),\n", name.replace('\\', "/"))
    });
    let table = format!("&[\n{}]", entries.collect::<String>());
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo names it"));
    fs::write(out.join("shipped.rs"), table).expect("the folder can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder).expect("the scenarios are readable").flatten() {
        let path = entry.path();
        let is_ours = |ending: &std::ffi::OsStr| {
            ["toml", "trace", "nspec", "csv"].iter().any(|&one| one == ending)
        };
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(is_ours) {
            files.push(path);
        }
    }
}
