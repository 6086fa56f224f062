//! Names the model after its sources and the versions of what it is built with: results of two
//! different models must never be mixed, whatever version they claim.

use std::fs;
use std::path::{Path, PathBuf};

/// Of the workspace; not there when the crate is built alone.
const LOCK: &str = "../../Cargo.lock";

fn main() {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed={LOCK}");
    println!("cargo::rustc-env=CELLWAY_MODEL={:016x}", fingerprint(Path::new("src")));
}

/// FNV-1a, 64 bit, over the names and contents of all files in the order of their names.
fn fingerprint(root: &Path) -> u64 {
    let mut files = Vec::new();
    collect(root, &mut files);
    files.sort();
    files.extend(Some(PathBuf::from(LOCK)).filter(|lock| lock.exists()));
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        let name = file.to_string_lossy().replace('\\', "/");
        let content = fs::read(&file).expect("a source file is readable");
        for byte in name.bytes().chain([0]).chain(content.into_iter().filter(|&byte| byte != b'\r'))
        {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder of sources is readable").flatten() {
        let path = entry.path();
        if path.is_dir() { collect(&path, files) } else { files.push(path) }
    }
}
