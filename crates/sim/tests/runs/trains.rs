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
    format!(
        r#"
        run = {{ duration = "300 ms", warm_up = "37 ms" }}
        host = {{ a = {{}}, b = {{}} }}
        [link]
        access = {{ between = ["a", "near"], rate = "OC-3c", delay = "5 us" }}
        trunk = {{ between = ["near", "far"], rate = "{rate}", delay = "2 ms" }}
        exit = {{ between = ["far", "b"], rate = "100 Mbit/s of cell", delay = "5 us" }}
        [switch.near]
        {buffer}
        in_service = "{in_service}"
        [switch.far]
        {buffer}
        in_service = "{in_service}"
        [flow.bulk]
        from = "a"
        to = "b"
        traffic = "greedy"
        tcp = {{ mtu = "9180 B", window = "512 KiB" }}
        [observe]
        series = ["queue"]
        {observed}
        "#
    )
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

/// An outage brings the cells that waited at one instant; where a cell of another input comes then,
/// too, they once went on in reverse order, and their frames were broken.
#[test]
fn cells_of_one_instant_go_on_as_they_came() {
    assert_exact(
        r#"
        run = { duration = "200 ms", phase = "none" }
        host = { a = {}, b = {}, c = {} }
        switch.s = {}
        [link.x]
        between = ["a", "s"]
        rate = "106 Mbit/s of cell"
        delay = "5 us"
        impairments.outages.when.periodic = { every = "10 ms", lasts = "5 ms" }
        impairments.outages.units = "wait"
        [link.z]
        between = ["c", "s"]
        rate = "106 Mbit/s of cell"
        delay = "1005 us"
        [link.y]
        between = ["s", "b"]
        rate = "106 Mbit/s of cell"
        delay = "5 us"
        [flow.f]
        from = "a"
        to = "b"
        traffic.cbr = { rate = "10 Mbit/s of payload", datagram = "1400 B" }
        [flow.g]
        from = "c"
        to = "b"
        start = "992 us"
        traffic.cbr = { rate = "7.36 Mbit/s of payload", datagram = "920 B" }
        "#,
    );
}

/// A switch loses the end of a frame in its turn before the next one, in its own, loses a cell that
/// comes earlier: the packet is lost where that cell is.
#[test]
fn packets_are_lost_where_their_first_cell_is() {
    assert_exact(
        r#"
        run = { duration = "400 ms", phase = "none" }
        observe = { series = [], segments = { flows = ["h"] } }
        host = { a = {}, b = {} }
        [switch]
        s.buffer.per_port = "60 cell"
        t.buffer.per_port = "60 cell"
        [link]
        x = { between = ["a", "s"], rate = "OC-3c", delay = "5 us" }
        m = { between = ["s", "t"], rate = "100 Mbit/s of cell", delay = "5 us" }
        y = { between = ["t", "b"], rate = "37 Mbit/s of cell", delay = "5 us" }
        [flow.h]
        from = "a"
        to = "b"
        start = "3 ms"
        traffic = "greedy"
        tcp = { mss = "9140 B", window = "256 KiB" }
        "#,
    );
}

/// A pacer that is faster than its source delays no cell: each comes out a cell time later.
#[test]
fn a_pacer_above_the_rate_of_its_source_lets_trains_pass() {
    assert_exact(
        r#"
        run.duration = "20 ms"
        host = { a = {}, b = {} }
        switch.s = {}
        link.x = { between = ["a", "s"], rate = "OC-3c", delay = "5 us" }
        link.y = { between = ["s", "b"], rate = "OC-3c", delay = "5 us" }
        [flow.f]
        from = "a"
        to = "b"
        traffic.cbr = { rate = "1000 kbit/s of cell" }
        service.ubr = { pace = "2000 kbit/s of cell" }
        "#,
    );
}

/// Hundreds of slow lines meet at a fast one: more trains have begun than are kept in order.
#[test]
fn many_trains_that_have_begun_keep_their_order() {
    assert_exact(
        r#"
        run.duration = "300 ms"
        host = { a.count = 100, b.count = 100 }
        switch = { s = {}, t = {} }
        link.m = { between = ["s", "t"], rate = "OC-3c", delay = "1 ms" }
        [link.x]
        count = 100
        between = ["a[*]", "s"]
        rate = "1.5 Mbit/s of cell"
        delay = "1 ms"
        [link.y]
        count = 100
        between = ["t", "b[*]"]
        rate = "1.5 Mbit/s of cell"
        delay = "1 ms"
        [flow.f]
        count = 100
        from = "a[*]"
        to = "b[*]"
        traffic = "greedy"
        tcp = { mss = "9140 B", window = "128 KiB" }
        "#,
    );
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
            assert_exact(&format!(
                r#"
                run = {{ duration = "150 ms", warm_up = "41 ms" }}
                observe = {{ series = ["queue", "cwnd"], interval = "170 us" }}
                host = {{ a = {{}}, b = {{}} }}
                switch = {{ s = {{}}, t.buffer.per_port = "300 cell", u = {{}} }}
                [link.x]
                between = ["a", "s"]
                rate = "100 Mbit/s of cell"
                {first}
                [link.m]
                between = ["s", "t"]
                rate = "OC-12c"
                delay = "200 us"
                [link.n]
                between = ["t", "u"]
                rate = "50 Mbit/s of cell"
                delay = "1 ms"
                [link.y]
                between = ["u", "b"]
                rate = "OC-3c"
                delay = "5 us"
                [flow.f]
                from = "a"
                to = "b"
                {flow}
                "#
            ));
        }
    }
}

/// Two hosts alike make rounds at an output that is idle most of the time. What shared memory then
/// holds is little, whatever has passed it since it was last counted: cells to another output,
/// which EPD judges one by one, find room.
#[test]
fn rounds_leave_shared_memory_as_they_pass() {
    assert_exact(
        r#"
        run = { duration = "60 ms", phase = "none" }
        host = { a = {}, b = {}, c = {}, d = {}, e = {} }
        switch.s = { buffer.shared = "200 cell", drop.epd.threshold = 0.8 }
        [link]
        a = { between = ["a", "s"], rate = "10 Mbit/s of cell", delay = "1 ms" }
        b = { between = ["b", "s"], rate = "10 Mbit/s of cell", delay = "1 ms" }
        c = { between = ["c", "s"], rate = "10 Mbit/s of cell", delay = "1 ms" }
        d = { between = ["s", "d"], rate = "100 Mbit/s of cell", delay = "1 ms" }
        e = { between = ["s", "e"], rate = "10 Mbit/s of cell", delay = "1 ms" }
        [flow]
        f.from = "a"
        f.to = "d"
        f.traffic.cbr = { rate = "7 Mbit/s of payload", datagram = "1400 B" }
        g.from = "b"
        g.to = "d"
        g.traffic.cbr = { rate = "7 Mbit/s of payload", datagram = "1400 B" }
        h = { from = "c", to = "e", start = "1 ms", traffic.cbr.rate = "5 Mbit/s of cell" }
        "#,
    );
}

/// Two hosts send frames of 30 cells at the same instants, each to one of two others, over a memory
/// of so many cells.
fn two_alike(memory: u32, [first, second]: [&str; 2]) -> String {
    format!(
        r#"
        run = {{ duration = "30 ms", phase = "none" }}
        host = {{ a = {{}}, b = {{}}, c = {{}}, d = {{}} }}
        switch.s = {{ buffer.shared = "{memory} cell" }}
        [link]
        a = {{ between = ["a", "s"], rate = "OC-3c", delay = "1 ms" }}
        b = {{ between = ["b", "s"], rate = "OC-3c", delay = "1 ms" }}
        c = {{ between = ["s", "c"], rate = "100 Mbit/s of cell", delay = "1 ms" }}
        d = {{ between = ["s", "d"], rate = "100 Mbit/s of cell", delay = "1 ms" }}
        [flow.f]
        from = "a"
        to = "{first}"
        traffic.cbr = {{ rate = "40 Mbit/s of payload", datagram = "1400 B" }}
        [flow.g]
        from = "b"
        to = "{second}"
        traffic.cbr = {{ rate = "40 Mbit/s of payload", datagram = "1400 B" }}
        "#
    )
}

/// Of cells that come to two outputs at one instant, that of the first input gets the last place of
/// the memory, whichever output it goes to.
#[test]
fn cells_of_one_instant_find_shared_memory_by_their_inputs() {
    assert_exact(&two_alike(9, ["c", "d"]));
    assert_exact(&two_alike(9, ["d", "c"]));
}

/// One of the two frames finds room in the memory, both do not.
#[test]
fn what_is_on_its_way_to_shared_memory_is_counted_whole() {
    assert_exact(&two_alike(36, ["c", "c"]));
}
