//! What a connection is that says nothing: the same for a scenario and for whoever drives one by
//! hand.

use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::tcp::Config;

#[test]
fn an_empty_section_is_the_default() {
    let text = r#"
        run.duration = "1 s"
        host = { a = {}, b = {} }
        link.line = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
        flow.x = { from = "a", to = "b", traffic = "greedy", tcp = {} }
        "#;
    let scenario = Scenario::parse(Source { origin: "test.toml", text }, &[]);
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(scenario.flows[0].tcp, Some(Config::default()));
}
