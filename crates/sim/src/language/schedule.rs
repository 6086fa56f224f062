//! Lists of times with values: each value holds from its time on, or belongs to that instant.
//!
//! `[["0 s", "20 ms"], ["15 s", "25 ms"]]`. Times are instants of the run and never go back. If
//! values hold until the next time, the first stands at `0 s`, and no two have the same time; else
//! several may have the same time.

use std::sync::Arc;

use toml::de::DeValue;

use crate::language::fault::Fault;
use crate::language::keys::Kind;
use crate::language::kinds::ANY_TIME;
use crate::language::part::{Typed, Value};
use crate::language::tree::{Node, Read, wrong_type};
use crate::units::Span;

/// Pairs of a time of the run and a value; at least one.
///
/// The key says which values are accepted, and whether they hold:
/// `as Kind::Schedule { value: &ANY_TIME, holds: true }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule<T>(Arc<[(Span, T)]>);

impl<T> Schedule<T> {
    /// Makes a schedule of pairs. The order of their times is checked with the scenario.
    pub fn new(pairs: impl IntoIterator<Item = (Span, T)>) -> Self {
        Self(pairs.into_iter().collect())
    }

    /// The pairs in the order of time.
    pub fn pairs(&self) -> &[(Span, T)] {
        &self.0
    }
}

/// Values that hold, of a type that determines what it accepts.
impl<T: Typed> Typed for Schedule<T> {
    const KIND: Kind = Kind::Schedule { value: &T::KIND, holds: true };
}

impl<T: Value> Value for Schedule<T> {
    fn write(&self) -> String {
        let pair = |(at, value): &(Span, T)| format!("[{}, {}]", at.write(), value.write());
        format!("[{}]", self.0.iter().map(pair).collect::<Vec<_>>().join(", "))
    }
}

impl<T: Read> Read for Schedule<T> {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let Kind::Schedule { value, holds } = kind else { unreachable!("`{place}` is no list") };
        let DeValue::Array(pairs) = node.get_ref() else {
            return Err(wrong_type(node, &kind.accepted(), place));
        };
        if pairs.is_empty() {
            let message = format!("`{place}` is empty; expected {}", kind.accepted());
            return Err(Fault::new(&node.span(), message));
        }
        let mut before = None;
        let read = pairs.iter().map(|pair| {
            let (instant, what) = halves(pair, kind, place)?;
            let at = Span::read(instant, ANY_TIME, place)?;
            check_order(before, at, holds)
                .map_err(|wrong| Fault::new(&instant.span(), format!("`{place}`: {wrong}")))?;
            before = Some(at);
            Ok((at, T::read(what, *value, place)?))
        });
        read.collect::<Result<_, _>>().map(Self)
    }
}

fn halves<'n, 'd>(
    pair: &'n Node<'d>,
    kind: Kind,
    place: &str,
) -> Result<(&'n Node<'d>, &'n Node<'d>), Fault> {
    let DeValue::Array(halves) = pair.get_ref() else {
        return Err(wrong_type(pair, &kind.accepted(), place));
    };
    let [at, value] = &halves[..] else {
        let message = format!(
            "`{place}` has a pair of length {}; expected {}",
            halves.len(),
            kind.accepted()
        );
        return Err(Fault::new(&pair.span(), message));
    };
    Ok((at, value))
}

/// Checks the order of a time that stands after `before`.
fn check_order(before: Option<Span>, at: Span, holds: bool) -> Result<(), String> {
    match before {
        None if holds && at > Span::ZERO => Err(format!(
            "the first time is {at}; expected `0 s`, as something must hold until then"
        )),
        Some(before) if at < before => {
            Err(format!("{at} stands after {before}; expected times that do not go back"))
        }
        Some(before) if holds && at == before => {
            Err(format!("{at} stands twice; expected one value at a time"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use toml::de::DeTable;

    use super::*;
    use crate::language::fault::ScenarioError;
    use crate::language::part::prelude::*;
    use crate::language::set;
    use crate::units::Bytes;

    part! {
        /// A link whose delay varies and a flow whose writes are listed.
        #[derive(Clone, Debug, PartialEq)]
        struct Path {
            /// Delay from each time on.
            delay: Schedule<Span> = required("[[\"0 s\", \"20 ms\"]]")
                as Kind::Schedule { value: &ANY_TIME, holds: true },
            /// Writes with their times.
            writes: Option<Schedule<Bytes>> = absent("nothing", "[[\"1 s\", \"2 KiB\"]]")
                as Kind::Schedule { value: &Kind::Size { min: 1, max: 1 << 40 }, holds: false },
            /// State of the link: up or down.
            up: Schedule<bool> = default("[[\"0 s\", true]]", "[[\"0 s\", false]]"),
        }
    }

    fn read(text: &str) -> Result<Path, ScenarioError> {
        let root = DeTable::parse(text).expect("TOML");
        let read = Path::read_whole(&Section::of_table(root.get_ref(), Path::KEYS, "", &(0..0)));
        read.map_err(|fault| fault.in_keys("path.toml", text, Path::KEYS))
    }

    fn written(path: &Path) -> String {
        let mut entries = Entries::new();
        Path::write(path, &mut entries);
        let lines = entries.iter().map(|(key, value)| format!("{key} = {value}"));
        lines.collect::<Vec<_>>().join("\n")
    }

    fn complaint(text: &str) -> String {
        read(text).expect_err(text).to_string()
    }

    #[test]
    fn pairs_are_read_and_written_back() {
        let text = "delay = [[\"0 s\", \"20 ms\"], [\"15 s\", \"25 ms\"]]\n\
                    writes = [[\"1 s\", \"2 KiB\"], [\"1 s\", \"10 B\"]]\n";
        let path = read(text).expect("valid");
        let milliseconds = Span::from_milliseconds;
        let delays = [(Span::ZERO, milliseconds(20)), (milliseconds(15_000), milliseconds(25))];
        assert_eq!(path.delay.pairs(), delays);
        assert_eq!(path.delay, Schedule::new(delays));
        assert_eq!(path.up.pairs(), [(Span::ZERO, true)]);
        assert_eq!(path.writes.as_ref().map(|writes| writes.pairs()[1].1), Some(Bytes(10)));
        assert_eq!(read(&written(&path)), Ok(path));
    }

    #[test]
    fn faults_stand_at_their_element() {
        let delay =
            |pairs: &str| complaint(&format!("delay = [[\"0 s\", \"20 ms\"],\n {pairs}]\n"));
        for (pairs, place, said) in [
            ("[\"2 s\", \"1 ms\"], [\"1.5 s\", \"1 ms\"]", "2:20", "1500 ms stands after 2 s"),
            ("[\"0 s\", \"1 ms\"]", "2:3", "stands twice; expected one value at a time"),
            ("[\"-1 s\", \"1 ms\"]", "2:3", "-1 s"),
            ("[\"1 s\"]", "2:2", "a pair of length 1; expected a list of pairs"),
            ("[\"1 s\", \"1 ms\", \"2 ms\"]", "2:2", "a pair of length 3"),
            ("\"1 s\"", "2:2", "is the string `1 s`; expected a list of pairs"),
            ("[\"1 s\", 20]", "2:10", "a bare number has no unit"),
            ("[\"1 s\", \"1 KiB\"]", "2:10", "1 KiB"),
        ] {
            let complaint = delay(pairs);
            assert!(complaint.starts_with(&format!("path.toml:{place}: `delay`")), "{complaint}");
            assert!(complaint.contains(said), "{complaint}");
        }
    }

    #[test]
    fn what_holds_holds_from_the_start() {
        let late = complaint("delay = [[\"1 s\", \"20 ms\"]]");
        assert!(late.contains(":1:11: `delay`: the first time is 1 s; expected `0 s`"), "{late}");
        let empty = complaint("delay = []");
        assert!(empty.contains(":1:9: `delay` is empty; expected a list of pairs"), "{empty}");
        let bare = complaint("delay = \"20 ms\"");
        assert!(bare.contains("the first at `\"0 s\"`"), "{bare}");
    }

    #[test]
    fn values_are_in_the_range_of_their_key() {
        let none = complaint("delay = [[\"0 s\", \"1 ms\"]]\nwrites = [[\"0 s\", \"0 B\"]]");
        assert!(none.contains(":2:19: `writes`: `0 B` is out of range"), "{none}");
    }

    #[test]
    fn a_list_is_set_as_a_whole() {
        let text = "delay = [[\"0 s\", \"20 ms\"]]\n";
        let sets = [("writes".to_owned(), "[[\"3 s\", \"1 B\"]]".to_owned())];
        let changed = set::apply(text, Path::KEYS, &sets).expect("a key");
        let writes = read(&changed).expect("valid").writes.expect("set");
        assert_eq!(writes.pairs(), [(Span::from_seconds(3), Bytes(1))]);
    }

    #[test]
    fn the_reference_says_what_the_values_are() {
        let reference = crate::language::schema::reference(Path::KEYS);
        let reference: serde_json::Value = serde_json::from_str(&reference).expect("JSON");
        let writes = &reference["keys"][1];
        assert_eq!(writes["type"], "list of times and values");
        let accepts = writes["accepts"].as_str().expect("text");
        assert!(accepts.contains("and a value, a size such as `\"64 KiB\"`; or"), "{accepts}");
        assert_eq!(writes["max"], "1099511627776 B");
    }
}
