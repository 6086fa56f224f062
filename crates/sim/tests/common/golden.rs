//! Texts that a person reviews, under `tests/golden/`. With `UPDATE_GOLDENS=1` they are written
//! anew.

use std::path::Path;

/// Whether goldens are to be written anew.
pub(crate) fn updates_goldens() -> bool {
    std::env::var_os("UPDATE_GOLDENS").is_some_and(|value| value == "1")
}

/// `found` is the golden of this name, line by line.
#[track_caller]
pub(crate) fn assert_golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if updates_goldens() {
        std::fs::write(&path, found).expect("a golden can be written");
    }
    let golden = std::fs::read_to_string(&path).expect("a golden of this name");
    let (mut one, mut other) = (found.lines(), golden.lines());
    loop {
        let lines = (one.next(), other.next());
        assert_eq!(lines.0, lines.1, "{name}: read the difference, then UPDATE_GOLDENS=1");
        if lines == (None, None) {
            return;
        }
    }
}
