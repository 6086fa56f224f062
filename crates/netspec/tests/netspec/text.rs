//! Random scripts are read and written again, and no text breaks the reader.

use cellway_netspec::{Script, Workload};
use cellway_sim::scenario::Source;
use proptest::prelude::*;

use super::{connection, scenario};

fn word() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9_.:\\[\\]-]{1,8}".prop_filter("words of the grammar", |word| {
        !["test", "cluster", "serial", "parallel"].contains(&word.as_str())
    })
}

/// A value with arguments that may have arguments.
fn value() -> impl Strategy<Value = String> {
    word().prop_recursive(3, 12, 3, |inner| {
        let arguments = prop::collection::btree_map("[a-z]{1,6}", inner, 1..4);
        (word(), arguments).prop_map(|(word, arguments)| {
            let all: Vec<String> =
                arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            format!("{word} ({})", all.join(", "))
        })
    })
}

fn test() -> impl Strategy<Value = String> {
    let names = prop::sample::subsequence(vec!["type", "protocol", "own", "peer"], 0..=4);
    let statements = (names.prop_shuffle(), prop::collection::vec(value(), 4));
    (prop::option::of(word()), statements).prop_map(|(host, (names, values))| {
        let host = host.map_or_else(String::new, |host| format!(" {host}"));
        let lines =
            names.iter().zip(values).map(|(name, value)| format!("    {name} = {value};\n"));
        format!("test{host} {{\n{}}}\n", lines.collect::<String>())
    })
}

fn block() -> impl Strategy<Value = String> {
    let mode = || prop::sample::select(vec!["cluster", "serial", "parallel"]);
    let flat = (mode(), prop::collection::vec(test(), 0..3)).prop_map(written);
    flat.prop_recursive(4, 20, 3, move |inner| {
        (mode(), prop::collection::vec(prop_oneof![inner, test()], 1..4)).prop_map(written)
    })
}

/// As it is printed: four blanks further in.
fn written((mode, parts): (&str, Vec<String>)) -> String {
    let lines = parts.iter().flat_map(|part| part.lines());
    let inner: String = lines.flat_map(|line| ["    ", line, "\n"]).collect();
    format!("{mode} {{\n{inner}}}\n")
}

fn parsed(text: &str) -> String {
    let script = Script::parse(Source { origin: "random.nspec", text });
    script.map_or_else(|error| panic!("{error}\n{text}"), |script| script.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_script_is_written_as_it_was_read(text in block()) {
        prop_assert_eq!(parsed(&text), text.clone());
        // Blanks and comments mean nothing.
        let spread = text.replace([';', ','], " #of the line\n$0").replace("$0", "");
        let _ = Script::parse(Source { origin: "spread.nspec", text: &spread });
        let commented = text.replace('\n', " # here { } ;\n  ");
        prop_assert_eq!(parsed(&commented), text);
    }

    /// Parts cut out, doubled, or replaced by signs: a script, or one line about its fault.
    #[test]
    fn no_text_breaks_the_reader(
        cuts in prop::collection::vec((0_usize..700, 0_usize..30, "[{}()=,;# a-z0-9.]{0,6}"), 1..6)
    ) {
        let kind = "burst (blocksize = uniform (min = 100, max = 2000), period = 10000, \
                    repeats = 9)";
        let inner = connection(kind, "tcp (window = 65536, flow = sack)", 7);
        let mut text = format!("serial {{ cluster {{ {inner} }} cluster {{ {inner} }} }}");
        for (at, length, new) in cuts {
            let (start, end) = (at.min(text.len()), (at + length).min(text.len()));
            text.replace_range(start..end, &new);
        }
        let source = Source { origin: "mutated.nspec", text: &text };
        if let Err(error) = Workload::of(&scenario("1 s"), source) {
            prop_assert_eq!(error.to_string().lines().count(), 1);
            prop_assert!(error.to_string().starts_with("mutated.nspec"));
        }
    }
}

#[test]
fn a_script_may_not_be_endlessly_deep() {
    let deep = "cluster { ".repeat(100_000);
    assert!(Script::parse(Source { origin: "deep.nspec", text: &deep }).is_err());
    let deep = format!("cluster {{ test {{ type = {}", "a (a = ".repeat(100_000));
    assert!(Script::parse(Source { origin: "deep.nspec", text: &deep }).is_err());
}
