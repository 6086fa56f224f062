//! The fingerprint in the model's name: what changes it, and what does not.

#[path = "../../fingerprint.rs"]
mod of_sources;

use std::collections::BTreeMap;

use of_sources::{fingerprint, pinned};

const QUEUE: &str = r##"//! A queue.
use std::fmt;

/// Cells that fit.
pub const ROOM: u64 = 20;

fn said<'a>(of: &'a str) -> String {
    let quote = '"'; // ends no text: "
    format!("{quote} // {of} /* {} */", r#"a "raw" text"#)
}

#[cfg(test)]
mod tests {
    #[test]
    fn room() {
        assert_eq!(super::ROOM, 20);
    }
}
"##;

fn sources(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect()
}

fn of(text: &str) -> u64 {
    fingerprint(&sources(&[("queue.rs", text)]), &[])
}

#[test]
fn comments_layout_and_tests_do_not_change_the_name() {
    for (what, by) in [
        ("use std::fmt;\n", "// A comment.\n\nuse std::fmt;\r\n"),
        ("/// Cells that fit.", "/// How many cells fit, /* they say."),
        ("ROOM: u64 = 20;", "ROOM: u64 =\n    /* or /* some */ more */ 20;"),
        ("assert_eq!(super::ROOM, 20);", "assert!(super::ROOM > 7, \"}}\");"),
        ("#[cfg(test)]\n", "#[cfg(test)]\nuse std::{fs, io};\n\n#[cfg(test)]\n"),
    ] {
        let changed = QUEUE.replace(what, by);
        assert_ne!(changed, QUEUE);
        assert_eq!(of(&changed), of(QUEUE), "{by}");
    }
}

#[test]
fn code_and_texts_change_the_name() {
    for (what, by) in [
        ("20;", "21;"),
        ("// {of}", "//{of}"),
        ("/* {} */", "/* {}*/"),
        ("a \"raw\" text", "a \"raw\"  text"),
        ("let quote = '\"'", "let quote = '\\''"),
        ("'a", "'b"),
        ("use std::fmt;", "use stdfmt;"),
    ] {
        let changed = QUEUE.replace(what, by);
        assert_ne!(of(&changed), of(QUEUE), "{by}");
    }
    let code = fingerprint(&sources(&[("port.rs", QUEUE)]), &[]);
    assert_ne!(code, of(QUEUE), "the name of a file");
}

#[test]
fn files_of_tests_do_not_change_the_name() {
    let with = |tests: &str| {
        let red = "#[cfg(test)]\nmod tests;\n";
        let port = "#[cfg(test)]\n#[path = \"port_test.rs\"]\nmod tests;\npub fn port() {}\n";
        let files = [("drop/red.rs", red), ("drop/red/tests.rs", tests), ("port.rs", port)];
        let others = [("port_test.rs", tests), ("drop/red/tested.rs", "fn f() {}")];
        fingerprint(&sources(&[files.as_slice(), &others].concat()), &[])
    };
    assert_eq!(with("fn a() {}"), with("fn b() {}"));
    let code = |body| {
        fingerprint(&sources(&[("drop/mod.rs", "mod tests;"), ("drop/tests.rs", body)]), &[])
    };
    assert_ne!(code("fn a() {}"), code("fn b() {}"), "a module of that name that is built");
}

#[test]
fn pinned_packages_are_part_of_it_and_are_the_same_when_the_crate_is_built_alone() {
    let workspace = "[workspace.dependencies]\nserde = { version = \"1.0.229\" }\n\
                     libm = \"=0.2.16\"\nrsparse = \"=1.2.1\"\nrand_pcg = { \
                     version = \"=0.10.2\" }\n";
    let manifest = "[package]\nname = \"sim\"\n\n[dependencies]\nlibm.workspace = true\n\
                    rand_pcg.workspace = true\nserde.workspace = true\n\n\
                    [dev-dependencies]\nrsparse.workspace = true\n";
    let published = "[dependencies.libm]\nversion = \"=0.2.16\"\n\n[dependencies.rand_pcg]\n\
                     version = \"=0.10.2\"\n\n[dependencies.serde]\nversion = \"1.0.229\"\n";
    assert_eq!(pinned(manifest, workspace), ["libm 0.2.16", "rand_pcg 0.10.2"]);
    assert_eq!(pinned(published, ""), pinned(manifest, workspace));
    let other = pinned(manifest, &workspace.replace("0.2.16", "0.2.17"));
    let empty = BTreeMap::new();
    assert_ne!(fingerprint(&empty, &other), fingerprint(&empty, &pinned(published, "")));
}
