//! Bernoulli sources at the output of a slotted switch, against the law of its queue.

use cellway_theory::queue::slotted::Slotted;

use super::outcome;

const INPUTS: u32 = 4;
const LOAD: f64 = 0.8;

/// Inputs of a microsecond per cell that lead to one output, half a million slots. `Q` counts cells
/// that wait, so that a cell on the line does not.
fn output(buffer: &str) -> cellway_sim::Outcome {
    outcome(&include_str!("slotted.toml").replace("\"infinite\"", buffer))
}

fn law() -> Slotted {
    Slotted::new(Some(INPUTS), LOAD).expect("a load below 1")
}

/// Karol, Hluchyj and Morgan 1987: mean wait 3/4 · 0.8 / (2 · 0.2) = 1.5 slots, and the law of the
/// queue. The queue forgets in some 50 slots: 4 standard errors of 10 000 independent ones with a
/// deviation of 1.7 around 1.2.
#[test]
fn the_queue_of_a_slotted_output() {
    let port = &output("\"infinite\"").summary.ports["s.out"];
    assert!((port.utilisation - LOAD).abs() < 0.004, "{}", port.utilisation);
    let wait = port.mean_queue / LOAD;
    assert!((wait / 1.5 - 1.0).abs() < 0.06, "{wait}");
    assert!((law().mean_wait() - 1.5).abs() < 1e-12);
    let above = &port.queue_distribution.as_ref().expect("it is counted").above;
    for cells in [0_u32, 1, 3] {
        let (found, exact) = (above[&u64::from(cells)], law().queue_above(cells));
        assert!((found / exact - 1.0).abs() < 0.1, "{cells}: {found}, {exact}");
    }
}

/// Cells come at the very instants at which others have been sent, whose places they take. A place
/// less or more would change the loss by half. 4 standard errors of some 20 000 losses in pairs.
#[test]
fn the_loss_of_a_slotted_output() {
    for places in [1, 2] {
        let summary = output(&format!("{{ per_port = \"{places} cell\" }}")).summary;
        let sent: u64 = summary.vcs.values().map(|vc| vc.sent).sum();
        let lost = summary.ports["s.out"].drops.overflow as f64 / sent as f64;
        let exact = law().loss(places);
        assert!((lost / exact - 1.0).abs() < 0.05, "{places}: {lost}, {exact}");
    }
}
