//! Frames that pass switches as trains: a series of changes follows single cells, so that ports
//! take trains apart, and nothing else may differ.

use super::{outcome, scenario};
use cellway_sim::Simulation;

/// In trains and cell by cell every number is the same.
#[track_caller]
fn assert_exact(text: &str) {
    let scenario = scenario(text);
    let cells = Simulation::builder(&scenario).cell_by_cell().run().expect("cells are few");
    let trains = outcome(text);
    assert_eq!(trains.summary, cells.summary);
    assert_eq!(format!("{:?}", trains.series), format!("{:?}", cells.series));
}

/// One connection over two switches, from a fast line to a slow one and back.
fn path(buffer: &str, in_service: &str, rate: &str, observed: &str) -> String {
    include_str!("trains/judged.toml")
        .replace("buffer = \"infinite\"", buffer)
        .replace("counted", in_service)
        .replace("OC-12c", rate)
        .replace("interval = \"7 ms\"", observed)
}

#[test]
fn ports_that_judge_frames_pass_them_as_cells_would() {
    let buffers = [
        "",
        "buffer.per_port = \"1 cell\"\ndrop = \"ppd\"",
        "buffer.per_port = \"300 cell\"\ndrop = \"ppd\"",
        "buffer.per_port = \"300 cell\"\ndrop.epd = { threshold = 0.3 }",
        "buffer.per_port = \"1 kcell\"\ndrop.epd = { threshold = 0.8 }",
        "buffer.per_port = \"1 kcell\"\n\
         drop.red = { min_threshold = \"5 cell\", max_threshold = \"300 cell\" }",
    ];
    for buffer in buffers {
        for in_service in ["counted", "not_counted"] {
            for rate in ["OC-12c", "OC-3c", "120 Mbit/s of cell"] {
                let run = |observed: &str| outcome(&path(buffer, in_service, rate, observed));
                let (trains, cells) = (run("interval = \"7 ms\""), run("interval = \"change\""));
                assert_eq!(trains.summary, cells.summary, "{buffer}, {in_service}, {rate}");
            }
        }
    }
}

#[test]
fn trains_are_as_their_cells() {
    // An outage brings the cells that waited at one instant; where a cell of another input comes
    // then, too, they once went on in reverse order, and their frames were broken.
    assert_exact(include_str!("trains/outage.toml"));
    // A switch loses the end of a frame in its turn before the next one, in its own, loses a cell
    // that comes earlier: the packet is lost where that cell is.
    assert_exact(include_str!("trains/two_losses.toml"));
    // A pacer that is faster than its source delays no cell: each comes out a cell time later.
    assert_exact(include_str!("trains/paced.toml"));
    // Hundreds of slow lines meet at a fast one: more trains have begun than are kept in order.
    assert_exact(include_str!("trains/hundred.toml"));
    // Two hosts alike make rounds at an output that is idle most of the time. What shared memory
    // then holds is little, whatever has passed it since it was last counted: cells to another
    // output, which EPD judges one by one, find room.
    assert_exact(include_str!("trains/rounds.toml"));
}

/// Outputs of one VC wait for no other cells. Those that an outage holds back come to the first of
/// them together, one by one; from there on they are trains again, and none overtakes another.
#[test]
fn behind_a_line_that_holds_cells_back_outputs_of_one_vc_keep_their_order() {
    let held = "impairments.outages = { when.periodic = { every = \"3 ms\", lasts = \"1 ms\" }, \
                units = \"wait\" }";
    let nearer = "delay.linear = [[\"0 s\", \"1 ms\"], [\"40 ms\", \"5 us\"], [\"80 ms\", \
                  \"1 ms\"], [\"80001 us\", \"5 us\"]]";
    for first in [format!("delay = \"5 us\"\n{held}"), nearer.to_owned()] {
        for flow in [
            "traffic = \"greedy\"\ntcp.window = \"128 KiB\"",
            "traffic.cbr.rate = \"20 Mbit/s of cell\"",
        ] {
            assert_exact(
                &include_str!("trains/held_back.toml")
                    .replace("delay = \"7 us\"", &first)
                    .replace("traffic = \"greedy\"", flow),
            );
        }
    }
}

/// Two hosts send frames of 30 cells at the same instants, each to one of two others, over a memory
/// of so many cells.
fn two_alike(memory: u32, [first, second]: [&str; 2]) -> String {
    include_str!("trains/two_alike.toml")
        .replace("9 cell", &format!("{memory} cell"))
        .replace("FIRST", first)
        .replace("SECOND", second)
}

#[test]
fn shared_memory_is_taken_in_order_and_counted_whole() {
    // Of cells that come to two outputs at one instant, that of the first input gets the last place
    // of the memory, whichever output it goes to.
    assert_exact(&two_alike(9, ["c", "d"]));
    assert_exact(&two_alike(9, ["d", "c"]));
    // One of the two frames finds room in the memory, both do not.
    assert_exact(&two_alike(36, ["c", "c"]));
}
