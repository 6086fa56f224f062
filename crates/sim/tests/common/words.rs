//! Words of the language, from its reference: tests compare their lists with them.

use std::collections::BTreeSet;

use cellway_sim::scenario::schema;

/// The words that may stand at a key; of a table, its keys.
pub(crate) fn words_of(key: &str) -> BTreeSet<String> {
    let reference: serde_json::Value = serde_json::from_str(&schema()).expect("JSON");
    let keys = reference["keys"].as_array().expect("a list of keys");
    let path = |entry: &serde_json::Value| entry["key"].as_str().expect("a path").to_owned();
    let entry = keys.iter().find(|entry| path(entry) == key);
    let entry = entry.unwrap_or_else(|| panic!("no key `{key}`"));
    if let Some(variants) = entry["variants"].as_array() {
        let name = |variant: &serde_json::Value| variant["name"].as_str().map(str::to_owned);
        return variants.iter().filter_map(name).collect();
    }
    let below = format!("{key}.");
    let names = keys.iter().filter_map(|entry| path(entry).strip_prefix(&below).map(str::to_owned));
    names.filter(|name| !name.contains('.')).collect()
}
