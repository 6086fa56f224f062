//! Sources of raw cells: their rates, and what becomes of their cells; each once went wrong as its
//! comment says.

use super::network::Network;
use super::outcome;

const OC3C: [&str; 2] = ["OC-3c", "OC-3c"];

/// Raw cells belong to no frame: one loss once spoilt all that followed.
#[test]
fn raw_cells_survive_a_loss_behind_frame_discard() {
    for drop in ["drop = \"tail\"", "drop = \"ppd\"", "drop.epd = { threshold = \"5 cell\" }"] {
        let network = Network::line("1 s", ["OC-3c", "50 Mbit/s of cell"], "1 ms")
            .at("switch.s", &format!("buffer.per_port = \"10 cell\"\n{drop}"))
            .cbr("60 Mbit/s of cell");
        let delivered = outcome(&network).summary.vcs["cbr"].delivered;
        // 50 Mbit/s of 424-bit cells for a second, less 2 ms of propagation.
        assert!((117_600..=117_925).contains(&delivered), "{drop}: {delivered}");
    }
}

/// The first two gaps of a Poisson source once were one draw.
#[test]
fn the_gaps_of_a_poisson_source_are_drawn_afresh() {
    let network = Network::line("5 s", OC3C, "1 ms")
        .flow("p", ["a", "b"], "traffic.poisson = { rate = \"1 kbit/s of cell\" }")
        .observe("queue", "change");
    let series = outcome(&network).series;
    let queue = series.iter().find(|series| series.name == "s.out.queue").expect("it is observed");
    let arrivals: Vec<f64> = (queue.times.iter().zip(&queue.values))
        .filter(|(_, value)| **value > 0.0)
        .map(|(at, _)| at.seconds_f64())
        .collect();
    let gaps = [arrivals[0] - 0.001, arrivals[1] - arrivals[0]];
    assert!((gaps[0] / gaps[1] - 1.0).abs() > 0.01, "{gaps:?}");
}

/// The mean gap of a Poisson source once was rounded down to the picosecond.
#[test]
fn a_very_fast_poisson_source_keeps_its_rate() {
    let network = Network::line("100 us", ["8000 Gbit/s of cell"; 2], "1 ms").flow(
        "p",
        ["a", "b"],
        "traffic.poisson = { rate = \"7000 Gbit/s of cell\" }",
    );
    let sent = outcome(&network).summary.vcs["p"].sent as f64;
    // 100 us at 7 Tbit/s, a cell in 60.57 ps: 1 650 943 cells; four standard deviations are 5140.
    assert!((sent - 1_650_943.0).abs() < 5140.0, "{sent}");
}

/// Bursts once had at least a cell each, and the last one whole: 12.6 Mbit/s came of the first of
/// these, above its peak, 41.5 of the second, and the third filled the memory.
#[test]
fn bursts_of_any_length_keep_the_mean_rate() {
    for (period, duty_cycle) in [("100 us", 0.9), ("10 us", 0.5), ("1 ps", 0.5)] {
        let traffic = format!(
            "traffic.on_off = {{ rate = \"10 Mbit/s of cell\", period = \"{period}\", duty_cycle = \
             {duty_cycle} }}"
        );
        let network = Network::line("1 s", OC3C, "1 ms").flow("p", ["a", "b"], &traffic);
        let sent = outcome(&network).summary.vcs["p"].sent as f64;
        // A cell in 42.4 us.
        assert!((sent - duty_cycle / 42.4e-6).abs() <= 1.0, "{period}: {sent}");
    }
}

/// Raw cells for an ABR source were once handed over in bursts as long as a turn. They come at half
/// the rate that it may send at, every 200 us, and leave at once or, every 31st, behind an RM cell
/// of 100 us: for 1/62 of the time one waits. Ten RM cells of the other direction, which are
/// returned here, make it up to 1/1000 more, and once two wait.
#[test]
fn raw_cells_come_to_an_abr_source_one_by_one() {
    let into = |service: &str| {
        let network = Network::line("1 s", ["10 kcell/s"; 2], "1 ms");
        outcome(&network.cbr("5 kcell/s").at("flow.cbr", service)).summary.vcs["cbr"]
    };
    let abr = into("service = \"abr\"").abr.expect("it has a source");
    assert_eq!(abr.max_queue, 2);
    assert!((abr.mean_queue * 62.0 - 1.0).abs() < 0.05, "{}", abr.mean_queue);
    // And one by one into a buffer of two nothing is lost.
    assert_eq!(into("service.abr.buffer.tail = \"2 cell\"").dropped, 0);
}
