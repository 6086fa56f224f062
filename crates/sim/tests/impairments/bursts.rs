//! The channel of two states in whole runs, with either kind of sojourn.

use super::network::Network;
use super::{counted, summary};

/// Raw cells at a constant rate find the states at equal distances, as on the line.
#[test]
fn the_stationary_loss_is_that_of_the_two_states() {
    // 40 Mbit/s of cells: one every 10.6 us.
    let spacing = 10.6e-6;
    let memory = |good: f64, bad: f64| 1.0 - libm::exp(-spacing * (1.0 / good + 1.0 / bad));
    for (sojourn, to_bad, to_good) in [
        ("{ transitions = { to_bad = 0.002, to_good = 0.05 } }", 0.002, 0.05),
        ("{ units = { good = 400, bad = 20 } }", 1.0 / 400.0, 1.0 / 20.0),
        ("{ times = { good = \"4 ms\", bad = \"200 us\" } }", memory(4e-3, 2e-4) / 21.0, {
            memory(4e-3, 2e-4) * 20.0 / 21.0
        }),
    ] {
        let keys = format!("impairments.gilbert_elliott = {{ sojourn = {sojourn} }}");
        let network = Network::line("20 s", ["OC-3c"; 2], "1 ms").cbr("40 Mbit/s of cell");
        let found = counted(&summary(&network.at("link.out", &keys)), "out", "gilbert_elliott");
        let (cells, bad) = (found.units as f64, to_bad / (to_bad + to_good));
        let variance = bad * (1.0 - bad) * (2.0 - to_bad - to_good) / (to_bad + to_good);
        let error = (found.lost as f64 - cells * bad) / (cells * variance).sqrt();
        assert!(error.abs() < 4.0, "{sojourn}: {found:?}, {bad}: {error}");
    }
}
