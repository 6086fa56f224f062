//! The note on flows of packets that omit the keys of a sender of today.

use cellway_sim::explain::explain;

use super::parse;

fn scenario(line: &str, tcp: &str) -> String {
    include_str!("old_defaults.toml")
        .replace("rate = \"10 Mbit/s of line\", carries = \"packets\"", line)
        .replace("tcp = {}", &format!("tcp = {tcp}"))
}

fn notes(tcp: &str, sets: &[(&str, &str)]) -> Vec<String> {
    explain(&parse(&scenario("rate = \"10 Mbit/s of line\", carries = \"packets\"", tcp), sets))
        .warnings
}

#[test]
fn flows_of_packets_that_say_nothing_are_told_of_the_defaults_in_one_line() {
    let found = notes("{}", &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    let defaults = "mtu 9180 B, window 64 KiB, timers with ticks of 500 ms, initial_window 1; ";
    assert!(found[0].starts_with("flows page[1..3] run over packets with defaults"), "{found:?}");
    assert!(found[0].contains(defaults), "{found:?}");
    assert!(found[0].contains("`tcp.preset = \"linux\"`"), "{found:?}");
}

#[test]
fn the_note_has_what_is_unsaid_alone() {
    let found = notes("{ mtu = \"1500 B\", window = \"64 KiB\", initial_window = 10 }", &[]);
    assert!(
        found[0].contains("of the 1990s: timers with ticks of 500 ms; `tcp.preset"),
        "{found:?}"
    );
    let of_one = notes("{ mss = \"9140 B\", window = \"64 KiB\", timers = \"bsd\" }", &[]);
    assert_eq!(of_one, Vec::<String>::new());
    let unlike = notes("{}", &[("flow.page[2].tcp.window", "1 MiB")]);
    assert_eq!(unlike.len(), 1, "{unlike:?}");
    assert!(unlike[0].contains("initial_window 1, or some of these; "), "{unlike:?}");
}

#[test]
fn over_cells_these_are_the_defaults_of_the_path() {
    assert_eq!(
        explain(&parse(&scenario("rate = \"10 Mbit/s of cell\"", "{}"), &[])).warnings,
        Vec::<String>::new()
    );
}
