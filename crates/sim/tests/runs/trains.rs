//! Frames that pass switches as trains: a series of changes follows single cells, so that ports
//! take trains apart, and nothing else may differ.

use super::outcome;

/// One connection over two switches, from a fast line to a slow one and back.
fn path(buffer: &str, in_service: &str, rate: &str, observed: &str) -> String {
    format!(
        r#"
        [run]
        duration = "300 ms"
        warm_up = "37 ms"
        [host.a]
        [host.b]
        [switch.near]
        {buffer}
        in_service = "{in_service}"
        [switch.far]
        {buffer}
        in_service = "{in_service}"
        [link.access]
        between = ["a", "near"]
        rate = "OC-3c"
        delay = "5 us"
        [link.trunk]
        between = ["near", "far"]
        rate = "{rate}"
        delay = "2 ms"
        [link.exit]
        between = ["far", "b"]
        rate = "100 Mbit/s of cell"
        delay = "5 us"
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
