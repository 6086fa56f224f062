//! Losses equally far apart.

use super::network::Network;
use super::{counted, summary};

/// Of 100 n + k units in a row, 100 or 101 are lost, whatever the draw is; of all, each n-th.
#[test]
fn each_hundredth_cell_is_lost() {
    let network = Network::line("2 s", ["OC-3c"; 2], "1 ms").cbr("30 Mbit/s of cell");
    for seed in 1..4 {
        let seeded = network.clone().at("run", &format!("seed = {seed}"));
        let summary = summary(&seeded.at("link.out", "impairments.periodic_loss = 100"));
        let found = counted(&summary, "out", "periodic_loss");
        let periods = found.units / 100;
        assert!((periods..=periods + 1).contains(&found.lost), "{found:?}");
        assert_eq!(summary.vcs["cbr"].lost_on_links, found.lost);
    }
}
