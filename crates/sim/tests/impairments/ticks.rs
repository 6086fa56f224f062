//! Units that leave at ticks.

use super::network::Network;
use super::{counted, summary};

/// A cell every 100 us over two links of 1 ms, the second with ticks of 10 ms. At 210.5 ms those
/// that have left at 200 ms have arrived, which were sent by 199 ms; at 211.5 ms those of 210 ms.
#[test]
fn what_is_sent_in_a_tick_arrives_together() {
    let text = Network::line("400 ms", ["OC-3c"; 2], "1 ms").cbr("4.24 Mbit/s of cell");
    let text = text.at("link.out", "impairments = { ticks = { every = \"10 ms\" } }");
    for (at, expected) in [("210500 us", 115), ("211500 us", 25), ("219500 us", 105)] {
        let found = summary(&text.replace("400 ms", at)).vcs["cbr"].inside as i64;
        assert!((found - expected).abs() <= 1, "{at}: {found}, not {expected}");
    }
    let ticks = counted(&summary(&text), "out", "ticks");
    assert_eq!([ticks.lost, ticks.corrupted, ticks.duplicated], [0; 3]);
    assert!(ticks.delayed + ticks.units / 50 > ticks.units, "{ticks:?}");
}
