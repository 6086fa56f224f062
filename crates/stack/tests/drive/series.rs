//! Series of the states that stacks tell.

use cellway_sim::Continue;
use cellway_sim::units::{Span, Time};
use cellway_stack::{Answer, Ends, Stack, StackError, State, Turn};

use super::{models, run, scenario};

const TEXT: &str = r#"
    run = { duration = "500 ms", phase = "none" }
    host = { a = {}, b = {} }
    link.wire = { between = ["a", "b"], rate = "OC-3c", delay = "1 ms" }
    flow.bulk = { from = "a", to = "b", traffic = "greedy", tcp = { mtu = "1500 B" } }
    observe.interval = "100 ms"
"#;

/// A stack whose state, of this name, is the number of its turns: one every 250 ms.
struct Turns(f64, &'static str);

impl Stack for Turns {
    fn turn(&mut self, turn: &Turn<'_>, answer: &mut Answer) -> Result<(), StackError> {
        self.0 += 1.0;
        answer.states.push((0, self.0));
        answer.next = Some(turn.now + Span::from_milliseconds(250));
        Ok(())
    }

    fn states(&self) -> Vec<State> {
        vec![State { name: self.1.to_owned(), unit: "1" }]
    }

    fn name(&self) -> String {
        "turns".to_owned()
    }
}

/// A point has the value that everything before it has left.
#[test]
fn a_state_has_its_value_from_the_turn_that_tells_it() {
    let scenario = scenario(TEXT);
    let Ends { flow, destination, .. } = models(&scenario, "bulk");
    let driven =
        run(&scenario, vec![Ends { flow, origin: Box::new(Turns(0.0, "turns")), destination }]);
    let outcome = driven.expect("a run").outcome;
    let series = outcome.series.iter().find(|series| series.name == "bulk.turns");
    let series = series.expect("it is recorded");
    let at = |point: i64| Time::ZERO + Span::from_milliseconds(100 * point);
    let times: Vec<Time> = (0..=5).map(at).collect();
    assert_eq!(series.times, times);
    assert!(series.values[0].is_nan());
    assert_eq!(series.values[1..], [1.0, 1.0, 2.0, 2.0, 2.0]);
}

/// Octets acknowledged are a series of every stack, as they are of a plain run.
#[test]
fn acknowledged_octets_are_a_series_of_every_stack() {
    let scenario = scenario(TEXT);
    let found = run(&scenario, vec![models(&scenario, "bulk")]).expect("a run").outcome;
    let series = found.series.iter().find(|series| series.name == "bulk.acked");
    let series = series.expect("it is recorded");
    let all = found.summary.flows["bulk"].acked_bytes as f64;
    assert_eq!((series.unit, series.values[0], series.values.len()), ("byte", 0.0, 6));
    assert!(series.values.is_sorted() && series.values[5] > 0.9 * all);
    let plain = cellway_sim::run(&scenario, &mut |_| Continue::Yes).expect("a run");
    assert!(plain.series.iter().any(|series| series.name == "bulk.acked"));
}

/// A state of that name stands for it.
#[test]
fn a_state_that_is_named_acked_is_the_only_such_series() {
    let scenario = scenario(TEXT);
    let Ends { flow, destination, .. } = models(&scenario, "bulk");
    let origin = Box::new(Turns(0.0, "acked"));
    let found = run(&scenario, vec![Ends { flow, origin, destination }]).expect("a run").outcome;
    let named: Vec<_> = found.series.iter().filter(|one| one.name == "bulk.acked").collect();
    assert_eq!(named.len(), 1);
    assert_eq!(named[0].unit, "1");
}
