//! Tests of tables in files as lists: the choice of columns, and the errors of wrong choices.

use super::*;
use crate::language::fault::Place;

/// The pairs that `value` makes of `text`, as `time|value`, or an error and its column.
fn list(value: &str, text: &str) -> Result<Vec<String>, String> {
    let root = DeTable::parse(value).expect("TOML").into_inner();
    let node = root.get("v").expect("v");
    let table = node.get_ref().as_table().expect("a table");
    let said = |fault: Fault| {
        let at = match fault.place {
            Place::Bytes(at) => text.get(..at.start.min(text.len())),
            Place::Keys(_) => None,
        };
        let lines = at.unwrap_or_default();
        let column = lines.len() - lines.rfind('\n').map_or(0, |end| end + 1) + 1;
        let hint = fault.hint.map_or(String::new(), |hint| format!("; {hint}"));
        format!("{}:{column}: {}{hint}", lines.matches('\n').count() + 1, fault.message)
    };
    let columns = Columns::read(table, node, "v").map_err(|fault| fault.message)?;
    let list = columns.list(text, 0, "v", true).map_err(said)?;
    let text = |half: &Node<'_>| half.get_ref().as_str().expect("a text").to_owned();
    let pair = |pair: &Node<'_>| {
        let halves: Vec<String> =
            pair.get_ref().as_array().expect("a pair").iter().map(text).collect();
        halves.join("|")
    };
    Ok(list.get_ref().as_array().expect("a list").iter().map(pair).collect())
}

const TRACE: &str = "\u{feff}t_s;owd_ms;rate;gap\r\n\
                     1700000000.5;20;80.5;\r\n\
                     1700000001.25;;79;\r\n\
                     1700000002.5;2.5e1;79;0.05\r\n";

#[test]
fn one_file_has_several_quantities() {
    let of = |column: &str, unit: &str| {
        let columns = format!("columns = [\"t_s\", \"{column}\"], units = [\"s\", \"{unit}\"]");
        list(&format!("v = {{ file = \"\", {columns}, time_from = \"first\" }}"), TRACE)
    };
    assert_eq!(
        of("owd_ms", "ms").expect("delays"),
        ["0 ps|20000000000 ps", "2000000000000 ps|25000000000 ps"]
    );
    let rates = of("rate", "Mbit/s of line").expect("rates");
    assert_eq!(rates[1], "750000000000 ps|79000000 bit/s of line");
    // Times are counted from the first row of the file, also if that row has no value.
    assert_eq!(of("gap", "s").expect("gaps"), ["2000000000000 ps|50000000000 ps"]);
}

#[test]
fn separators_quotes_numbers_of_columns_and_units_in_the_first_line() {
    for text in [
        "n,\"time [s]\",delay [ms]\n1,0,20\n",
        "n;time [s];delay [ms]\n1;\"0\";20\n",
        "n\ttime [s]\tdelay [ms]\n1\t0\t20\n",
    ] {
        for columns in ["\"time\", \"delay\"", "\"time [s]\", \"delay [ms]\"", "2, 3"] {
            let value = format!("v = {{ file = \"\", columns = [{columns}] }}");
            assert_eq!(list(&value, text).expect(text), ["0 ps|20000000000 ps"], "{text}");
        }
    }
    let units = "v = { file = \"\", units = [\"s\", \"ms\"] }";
    assert_eq!(list(units, "0,20\n").expect("numbers"), ["0 ps|20000000000 ps"]);
    assert_eq!(list(units, "t,d\n0,20\n").expect("a header"), ["0 ps|20000000000 ps"]);
    let plain = list("v = { file = \"\" }", "t,d\n0 s,20 ms\n");
    assert_eq!(plain.expect("quantities"), ["0 s|20 ms"]);
}

#[test]
fn faults_say_what_would_be_accepted_and_show_no_line() {
    let named = "v = { file = \"\", columns = [\"t_s\", \"owd\"], units = [\"s\", \"ms\"] }";
    let secret = "root:x:0:0:secret";
    for (value, text, said) in [
        (named, TRACE, "1:4: `v`: this line names no column `owd`, and has 4 fields"),
        (named, "t_s,owd_\n", "one of them that; did you mean `owd_`?"),
        (named, secret, "1:1: `v`: this line names no column `t_s`, and has 1 field"),
        (named, "t_s,owd\n0\n", "2:1: `v`: a row of 1 field; expected at least 2"),
        (named, "t_s,owd\n7,1\n", "2:1: `v`: the first time is not the first instant"),
        (named, "t_s,owd\n1700000000,1\n", "or `time_from = \"first\"` beside `file`"),
        ("v = { file = \"\" }", "0,1,2\n", "1:1: `v`: a row of 3 fields; expected two, or the"),
        ("v = { file = \"\" }", "t,d\n0,1\n", "2:1: `v`: a number in a column without a unit"),
        (
            "v = { file = \"\", units = [\"s\", \"ms\"], time_from = \"first\" }",
            "5,1\n4,1\n",
            "2:1: `v`: a time before that of the first row",
        ),
        ("v = { file = \"\", time_from = \"first\" }", "5 s,1 ms\n", "1:1: `v`: not a number"),
    ] {
        let wrong = list(value, text).expect_err(text);
        assert!(wrong.contains(said), "{wrong}");
        assert!(!wrong.contains("secret"), "{wrong}");
    }
}

#[test]
fn keys_beside_the_file_are_checked() {
    for (value, said) in [
        ("v = { file = \"\", columns = [\"t\"] }", "`columns`: expected two columns"),
        ("v = { file = \"\", columns = [0, 1] }", "`columns`: expected two columns"),
        ("v = { file = \"\", units = \"ms\" }", "`units`: expected two units"),
        ("v = { file = \"\", time_from = \"last\" }", "`time_from` is"),
        ("v = { file = \"\", separator = \";\" }", "`v` is a table; expected `{ file ="),
    ] {
        let wrong = list(value, "").expect_err(value);
        assert!(wrong.starts_with(said), "{wrong}");
    }
}
