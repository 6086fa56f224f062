//! The shapes of the summary and of the explanation against those of scenarios.

use std::fmt::Write as _;
use std::path::Path;

use cellway_sim::explain::{Explanation, explain};
use cellway_sim::result::{Presence, Shape, Shaped, Summary, numbers};
use cellway_sim::scenario::{Scenario, Source};
use serde_json::Value;

use super::golden::assert_golden;
use super::outcome_of;

#[test]
fn the_numbers_are_those_of_the_golden() {
    assert_listed::<Summary>("numbers_of_a_summary.txt");
    assert_listed::<Explanation>("numbers_of_an_explanation.txt");
}

fn assert_listed<T: Shaped>(golden: &str) {
    let mut listed = String::new();
    for number in numbers::<T>() {
        let presence = match number.presence {
            Presence::Always => "always",
            Presence::MayBeNull => "may be null",
            Presence::MayLack => "may lack",
        };
        let unit = number.unit.unwrap_or("-");
        writeln!(listed, "{} | {unit} | {presence}", number.path).expect("a text has room");
        assert!(!number.meaning.is_empty(), "{} has a meaning", number.path);
    }
    assert_golden(golden, &listed);
}

/// The scenarios that are shipped, for 50 ms each.
#[test]
fn summaries_and_explanations_have_their_shapes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let read = |file: &Path| std::fs::read_to_string(file).expect("a shipped file");
    let sets = [("run.duration", "50 ms"), ("run.warm_up", "0 s"), ("flow.*.start", "0 s")]
        .map(|(key, value)| (key.to_owned(), value.to_owned()));
    let mut runs = 0;
    for entry in std::fs::read_dir(&folder).expect("the shipped scenarios").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let text = read(&path);
        let origin = path.display().to_string();
        let read_file = |name: &str| Ok(read(&folder.join(name)));
        let source = Source { origin: &origin, text: &text };
        let scenario = Scenario::parse_with(source, &sets, &read_file).expect("it is shipped");
        let summary = serde_json::to_value(&outcome_of(&scenario).summary).expect("numbers");
        assert_fits(&summary, Summary::SHAPE, &origin);
        let explanation = serde_json::to_value(explain(&scenario)).expect("numbers");
        assert_fits(&explanation, Explanation::SHAPE, &origin);
        runs += 1;
    }
    assert!(runs > 30, "{runs} scenarios");
}

/// `value`, found at `path`, has this shape.
fn assert_fits(value: &Value, shape: Shape, path: &str) {
    match (shape, value) {
        (Shape::Number, Value::Number(number)) if number.is_f64() => {}
        (Shape::Whole, Value::Number(number)) if !number.is_f64() => {}
        (Shape::Word, Value::String(_))
        | (Shape::Flag, Value::Bool(_))
        | (Shape::Maybe(_), Value::Null) => {}
        (Shape::Pair, Value::Array(two)) if two.len() == 2 => {}
        (Shape::List(inside), Value::Array(all)) => {
            for one in all {
                assert_fits(one, *inside, path);
            }
        }
        (Shape::Maybe(inside), value) => assert_fits(value, *inside, path),
        (Shape::Named(_, inside), Value::Object(entries)) => {
            for (name, value) in entries {
                assert_fits(value, *inside, &format!("{path} {name}"));
            }
        }
        (Shape::Table(_, fields), Value::Object(entries)) => {
            for name in entries.keys() {
                assert!(fields.iter().any(|field| field.name == name), "{path} {name}: not listed");
            }
            for field in fields {
                let path = format!("{path} {}", field.name);
                match entries.get(field.name) {
                    Some(Value::Null) if field.may_lack => panic!("{path} is null"),
                    Some(value) => assert_fits(value, field.shape, &path),
                    None => assert!(field.may_lack, "{path} is missing"),
                }
            }
        }
        (shape, value) => panic!("{path}: {value} for {shape:?}"),
    }
}
