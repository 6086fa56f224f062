//! Laws that follow what ports tell, on paths where no port has the rule for it.

use super::oversights::named;
use crate::assemble::QueueRules;
use crate::scenario::resolved::{Flow, Scenario};
use crate::tcp::CongestionLaw;

/// Laws, the word of their policy, and what the window is without it.
const LAWS: [(&str, &str); 3] = [
    ("abc", "the window is that of `cubic`"),
    ("xcp", "the window is that of `reno`"),
    ("rcp", "the window is that of `reno`, paced"),
];

/// A line for all flows of each such law that pass no port with its policy.
pub(super) fn warnings(scenario: &Scenario) -> Vec<String> {
    let line = |(word, without): (&str, &str)| {
        let flows = scenario.flows.iter().filter(|flow| follows(flow, word));
        let untold = flows.filter(|flow| !passes(scenario, flow, word));
        let names: Vec<&str> = untold.map(|flow| flow.name.as_str()).collect();
        let (has, passes) = if names.len() == 1 { ("has", "passes") } else { ("have", "pass") };
        (!names.is_empty()).then(|| {
            format!(
                "{} {has} `congestion = \"{word}\"` and {passes} no port with `drop.{word}`: \
                 {without}",
                named("flow", &names)
            )
        })
    };
    LAWS.into_iter().filter_map(line).collect()
}

/// True if the flow has the law with this word.
pub(super) fn follows(flow: &Flow, word: &str) -> bool {
    let law = flow.tcp.as_ref().map(|tcp| tcp.congestion);
    law.as_ref().map(CongestionLaw::word) == Some(word)
}

fn passes(scenario: &Scenario, flow: &Flow, word: &str) -> bool {
    flow.path.iter().any(|&link| is_of(scenario, link, word))
}

/// True if the policy of the output to `link` has this word.
pub(super) fn is_of(scenario: &Scenario, link: usize, word: &str) -> bool {
    QueueRules::drop_at(scenario, link).is_some_and(|drop| drop.word() == word)
}

#[cfg(test)]
mod tests {
    use crate::explain::explain;
    use crate::scenario::{Scenario, Source};

    const TEXT: &str = r#"
run = { duration = "1 s" }
host = { a = {}, b = {} }
switch.s = { buffer.per_port = "100 packet", drop = "DROP" }
[link]
in = { between = ["a", "s"], rate = "1 Gbit/s of line", carries = "packets", delay = "1 ms" }
out = { between = ["s", "b"], rate = "9 Mbit/s of line", carries = "packets", delay = "1 ms" }
[flow.bulk]
from = "a"
to = "b"
traffic = "greedy"
tcp = { congestion = "LAW", ecn = ECN }
"#;

    #[test]
    fn a_law_without_its_port_is_told() {
        for law in ["abc", "xcp", "rcp"] {
            let warnings = |drop: &str| {
                // Marks are another matter.
                let ecn = if law == "abc" { "true" } else { "false" };
                let text = &TEXT.replace("LAW", law).replace("DROP", drop).replace("ECN", ecn);
                let scenario = Scenario::parse(Source { origin: "it", text }, &[]).expect("good");
                let found = explain(&scenario).warnings;
                found.into_iter().filter(|line| line.contains("passes no port")).count()
            };
            let others = if law == "abc" { "xcp" } else { "abc" };
            assert_eq!([law, "tail", others].map(warnings), [0, 1, 1], "{law}");
        }
    }
}
