//! The library from outside: the examples, and a crate that is not of the workspace.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[path = "../../examples/driven_from_outside.rs"]
mod driven_from_outside;
#[path = "../../examples/endpoint_by_hand.rs"]
mod endpoint_by_hand;
#[path = "../../examples/own_congestion.rs"]
mod own_congestion;
#[path = "../../examples/own_law.rs"]
mod own_law;
#[path = "../../examples/own_queue.rs"]
mod own_queue;
#[path = "../../examples/run_scenario.rs"]
mod run_scenario;

/// Each asserts what it shows.
#[test]
fn every_example_runs() {
    endpoint_by_hand::main();
    run_scenario::main().expect("a run");
    own_congestion::main().expect("a run");
    own_law::main().expect("a run");
    own_queue::main().expect("a run");
    driven_from_outside::main().expect("a run");
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/own-rules")
}

fn succeeds(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("the tool is there");
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).expect("text")
}

/// The library that the tests are linked with: no other is newer.
fn library(folder: &Path) -> PathBuf {
    let entries = std::fs::read_dir(folder).expect("a readable folder").flatten();
    let libraries = entries.map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("libcellway_sim-") && path.extension().is_some_and(|end| end == "rlib")
    });
    let built = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
    libraries.max_by_key(built).expect("the library is built")
}

/// A congestion rule, an application and a source of cells. Cargo would build the library a second
/// time for another workspace, so the compiler is called as Cargo calls it.
#[test]
fn a_crate_outside_the_workspace_runs_a_scenario_with_rules_of_its_own() {
    let test = std::env::current_exe().expect("a test has a path");
    let built = test.parent().expect("a folder");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-rules");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    succeeds(
        Command::new(compiler)
            .args(["--edition", "2024", "--crate-name", "own_rules", "--extern"])
            .arg(format!("cellway_sim={}", library(built).display()))
            .arg(format!("-Ldependency={}", built.display()))
            .arg("-o")
            .arg(&program)
            .arg(folder().join("src/main.rs")),
    );
    let said = succeeds(&mut Command::new(program));
    // 50 frames of a hundred cells in two seconds; what is on its way at the end is not delivered.
    assert!(said.contains("video: 4941 cells\n"), "{said}");
    assert!(said.contains("web: ") && said.contains("bulk: "), "{said}");
}

/// Cargo resolves it from what the workspace has, and needs nothing else.
#[test]
fn the_crate_outside_is_locked_to_the_versions_of_the_workspace() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata = ["metadata", "--offline", "--locked", "--format-version", "1"];
    succeeds(Command::new(cargo).args(metadata).current_dir(folder()));
    let lock_of = |path: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        std::fs::read_to_string(path).expect("a lock file")
    };
    let workspace = lock_of("../../Cargo.lock");
    let outside = lock_of("examples/own-rules/Cargo.lock");
    for package in outside.split("\n[[package]]\n").skip(1) {
        // Of ours the workspace knows what their tests need, too.
        let ours = ["own-rules", "cellway-sim", "cellway-theory"];
        let is_own = ours.iter().any(|name| package.starts_with(&format!("name = \"{name}\"")));
        assert!(is_own || workspace.contains(package.trim_end()), "{package}");
    }
}
