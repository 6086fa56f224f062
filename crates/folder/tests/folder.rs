//! A saved run: its files, their digests, and folders that are refused. `NumPy` and `cellway plot`
//! read one in `python/verification/test_saved_by_rust.py`.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use cellway_folder::save;
use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Continue, Outcome, run};

const TEXT: &str = r#"
run = { duration = "50 ms", seed = 1 }
observe = { series = ["cwnd"], interval = "10 ms" }
host = { a = {}, b = {} }
link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
flow.bulk = { from = "a", to = "b", traffic = "greedy", tcp = {} }
"#;

fn finished() -> (Scenario, Outcome) {
    let scenario = Scenario::parse(Source { origin: "wire.toml", text: TEXT }, &[]).unwrap();
    let outcome = run(&scenario, &mut |_| Continue::Yes).unwrap();
    (scenario, outcome)
}

fn empty(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn the_same_run_has_the_same_files() {
    let (scenario, outcome) = finished();
    let (one, other) = (empty("one"), empty("other"));
    save(&outcome, &scenario, &one).unwrap();
    save(&outcome, &scenario, &other).unwrap();
    for name in ["cellway.json", "scenario.toml", "series.npz", "summary.json"] {
        let contents = [&one, &other].map(|folder| fs::read(folder.join(name)).unwrap());
        assert_eq!(contents[0], contents[1], "{name}");
    }
    let marker: serde_json::Value =
        serde_json::from_slice(&fs::read(one.join("cellway.json")).unwrap()).unwrap();
    assert_eq!(marker["name"], "wire");
    assert_eq!(marker["files"].as_object().unwrap().len(), 3);
}

#[test]
fn a_folder_with_files_is_refused_and_left_alone() {
    let (scenario, outcome) = finished();
    let folder = empty("full");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("thesis.txt"), "mine").unwrap();
    let error = save(&outcome, &scenario, &folder).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyExists);
    assert!(error.to_string().ends_with("holds files; an empty folder is expected"));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}
