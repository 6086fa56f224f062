//! Ports whose policy shapes the line, which ceilings, shares and predictions do not count.

use crate::assemble::QueueRules;
use crate::language::part::Value;
use crate::scenario::resolved::Scenario;
use crate::switch::PolicyPlan;

/// A line for each port with a shaper.
pub(super) fn warnings(scenario: &Scenario) -> Vec<String> {
    let ports = scenario.links.iter().enumerate().filter_map(|(index, link)| {
        let PolicyPlan::Cake(cake) = QueueRules::of_output(scenario, index)?.drop else {
            return None;
        };
        let rate = cake.rate?;
        let name = format!("{}.{}", scenario.name_of(link.from), link.name);
        let shaped = format!("port {name} is shaped to {}", rate.write().trim_matches('"'));
        let is_slower = rate.rate.bits_per_second() < link.carries.line_rate().bits_per_second();
        Some(if is_slower || cake.lengthened_by().is_some() {
            format!("{shaped}; ceilings, shares and expected rates are of the line without it")
        } else {
            format!(
                "{shaped}, not below its line, which sends no faster: the shaper holds back \
                 nothing"
            )
        })
    });
    ports.collect()
}

#[cfg(test)]
mod tests {
    use crate::explain::explain;
    use crate::scenario::{Scenario, Source};

    const TEXT: &str = r#"
run = { duration = "1 s" }
host = { a = {}, b = {} }
switch.s = { buffer.per_port = "100 packet", drop.cake = { rate = "2 Mbit/s of line" } }
[link]
in = { between = ["a", "s"], rate = "1 Gbit/s of line", carries = "packets", delay = "1 ms" }
out = { between = ["s", "b"], rate = "9 Mbit/s of line", carries = "packets", delay = "1 ms" }
[flow.bulk]
from = "a"
to = "b"
traffic = "greedy"
tcp = {}
"#;

    #[test]
    fn a_shaper_is_told_and_a_line_without_one_is_not() {
        let warnings = |text: &str| {
            let scenario = Scenario::parse(Source { origin: "it", text }, &[]).expect("good");
            let found = explain(&scenario).warnings;
            found.into_iter().filter(|line| line.contains("shaped")).collect::<Vec<_>>()
        };
        let found = warnings(TEXT);
        assert_eq!(found.len(), 2, "both outputs of the switch: {found:?}");
        assert!(
            found.iter().any(|line| line.starts_with("port s.out is shaped to 2 Mbit/s of line"))
        );
        assert_eq!(warnings(&TEXT.replace("rate = \"2 Mbit/s of line\"", "")), [""; 0]);
        let vain = |line: &&String| line.contains("holds back nothing");
        assert_eq!(found.iter().filter(vain).count(), 0);
        let fast = TEXT.replace("\"2 Mbit/s", "\"9 Mbit/s");
        assert!(warnings(&fast).iter().find(vain).is_some_and(|line| line.contains("port s.out")));
        let framed = fast.replace("of line\" }", "of line\", framing = \"atm\" }");
        assert_eq!(warnings(&framed).iter().filter(vain).count(), 0);
    }
}
