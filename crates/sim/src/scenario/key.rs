//! Presence of a key in a resolved scenario, for callers that vary keys.

use toml::{Table, Value};

use super::Scenario;
use crate::language::pattern::fits;

/// True if the resolved scenario has a key at `path`, such as `flow.*.tcp.window`: `*` stands for
/// any text in a name, and the name of a family for its members. A variant that is written as its
/// name alone has its keys, too.
pub fn has_key(scenario: &Scenario, path: &str) -> bool {
    let names: Vec<&str> = path.split('.').collect();
    let resolved: Table = scenario.to_toml().parse().expect("what is written can be read");
    stands(&Value::Table(resolved), &names)
}

fn stands(value: &Value, path: &[&str]) -> bool {
    let Some((first, rest)) = path.split_first() else { return true };
    let family = |name: &str| name.split('[').next().unwrap_or(name).to_owned();
    match value {
        Value::String(variant) => variant == first,
        Value::Table(table) => {
            table.iter().any(|(name, inner)| fits(first, &family(name)) && stands(inner, rest))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::has_key;
    use crate::scenario::{Scenario, Source};

    const TEXT: &str = r#"
run = { duration = "1 s", seed = 1 }
host = { a = { count = 2 }, b = { count = 2 } }
link.wire = { count = 2, between = ["a[*]", "b[*]"], rate = "OC-3c", delay = "1 ms" }
flow.bulk = { count = 2, from = "a[*]", to = "b[*]", traffic = "greedy", tcp.timers = "fine" }
"#;

    #[test]
    fn families_and_variants_have_the_keys_of_members() {
        let scenario = Scenario::parse(Source { origin: "it", text: TEXT }, &[]).unwrap();
        for path in ["flow.bulk.tcp.window", "flow.*.tcp.window", "link.w*e.delay", "run"] {
            assert!(has_key(&scenario, path), "{path}");
        }
        assert!(has_key(&scenario, "flow.bulk.traffic.greedy.size"));
        for path in ["flow.other.tcp.window", "switch", "flow.bulk.traffic.ttcp", "run.seed.it"] {
            assert!(!has_key(&scenario, path), "{path}");
        }
    }
}
