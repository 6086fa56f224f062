//! What `explain` says of a scenario that is accepted and does what nobody means.

use super::parse;
use cellway_sim::explain::explain;

const PATH: &str = include_str!("oversights.toml");

fn warnings(more: &str, sets: &[(&str, &str)]) -> Vec<String> {
    explain(&parse(&format!("{PATH}{more}"), sets)).warnings
}

#[test]
fn a_plain_path_says_nothing() {
    assert_eq!(warnings("", &[]), Vec::<String>::new());
}

#[test]
fn hosts_that_no_link_reaches_are_named_in_one_line() {
    let one = warnings("[host.c]\n", &[]);
    assert_eq!(one.len(), 1, "{one:?}");
    assert!(one[0].starts_with("host c has no link: nothing reaches it"), "{one:?}");
    let five = warnings("[host.c]\ncount = 5\n", &[]);
    assert_eq!(five.len(), 1, "{five:?}");
    assert!(five[0].starts_with("hosts c[1..5] have no link"), "{five:?}");
}

#[test]
fn a_second_link_between_two_nodes_is_named_with_the_first() {
    let second = "[link.spare]\nbetween = [\"b\", \"s\"]\nrate = \"OC-3c\"\ndelay = \"1 ms\"\n";
    let found = warnings(second, &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("no flow takes link spare: `down` joins the same"), "{found:?}");
    // One that serves another host is taken, or is not beside any other.
    let leaf =
        "[host.c]\n[link.leaf]\nbetween = [\"c\", \"s\"]\nrate = \"OC-3c\"\ndelay = \"1 s\"\n";
    assert_eq!(warnings(leaf, &[]), Vec::<String>::new());
}

#[test]
fn a_link_for_one_direction_may_stand_beside_a_duplex_one() {
    let back = "[link.back]\nfrom = \"b\"\nto = \"s\"\nrate = \"DS-3\"\ndelay = \"1 ms\"\n";
    let found = warnings(back, &[]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("no flow takes link back"), "{found:?}");
    // The other way round it is in use, and so is the duplex link for the other direction.
    let one_way = PATH.replace("[link.down]", &format!("{back}[link.down]"));
    assert_eq!(explain(&parse(&one_way, &[])).warnings, Vec::<String>::new());
}

#[test]
fn a_window_below_one_segment_is_named_once_for_all_that_have_it() {
    let found = warnings("", &[("flow.bulk.tcp.window", "1459 B")]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with(
            "flows bulk[1..5]: the window of 1459 B is less than a \
             segment of 1460 B"
        ),
        "{found:?}"
    );
    assert_eq!(warnings("", &[("flow.bulk.tcp.window", "1460 B")]), Vec::<String>::new());
    let sender = warnings("", &[("flow.bulk[2].tcp.send_buffer", "512 B")]);
    assert!(sender[0].starts_with("flow bulk[2]: the window of 512 B"), "{sender:?}");
}
