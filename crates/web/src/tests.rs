use cellway_sim::scenario::{Scenario, Source};
use cellway_sim::{Continue, run};

use super::*;

/// Two flows over a line of 10 Mbit/s whose queue overflows.
const TEXT: &str = r#"
    run = { duration = "5 s", seed = 3 }
    host = { a = {}, b = {} }
    switch.router = { buffer = { per_port = "20 packet" } }
    observe = { interval = "50 ms" }
    [link.in]
    between = ["a", "router"]
    rate = "100 Mbit/s of line"
    carries = "packets"
    delay = "1 ms"
    [link.out]
    between = ["router", "b"]
    rate = "10 Mbit/s of line"
    carries = "packets"
    delay = "9 ms"
    [flow.bulk]
    count = 2
    from = "a"
    to = "b"
    traffic = "greedy"
    tcp = { mtu = "1500 B", recovery = "sack" }
"#;

fn job(keep: Keep) -> Job {
    Job { text: TEXT.to_owned(), keep, ..Job::default() }
}

/// The interface gives the bytes and numbers of a run by the library.
#[test]
fn an_answer_is_the_run() {
    let text =
        r#"{"keep": "series", "origin": "t.toml", "set": [["run.seed", "4"]], "text": "#.to_owned();
    let text = text + &serde_json::to_string(TEXT).expect("text") + "}";
    let place = input(text.len());
    assert!(!place.is_null());
    buffers().input.copy_from_slice(text.as_bytes());
    assert_eq!(simulate(), 0, "{}", String::from_utf8_lossy(&buffers().output));
    let sets = [("run.seed".to_owned(), "4".to_owned())];
    let scenario =
        Scenario::parse(Source { origin: "t.toml", text: TEXT }, &sets).expect("a good scenario");
    let outcome = run(&scenario, &mut |_| Continue::Yes).expect("a short run");
    let found: serde_json::Value =
        serde_json::from_slice(&buffers().output).expect("an answer in JSON");
    let summary = serde_json::to_string(&outcome.summary).expect("a summary");
    assert_eq!(found["summary"].as_str(), Some(&*summary));
    assert_eq!(found["model"].as_str(), Some(cellway_sim::MODEL_VERSION));
    let columns = found["columns"].as_array().expect("a list");
    assert_eq!(columns.len(), outcome.series.len());
    for (number, (told, series)) in columns.iter().zip(&outcome.series).enumerate() {
        assert_eq!(told["name"].as_str(), Some(&*series.name));
        assert_eq!(told["points"].as_u64(), Some(series.times.len() as u64));
        let bits = |values: &[f64]| values.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&buffers().columns[2 * number + 1]), bits(&series.values));
        assert_eq!(column_len(2 * number), series.times.len());
        assert!(!column(2 * number).is_null());
    }
    let after_last = buffers().columns.len();
    assert!(column(after_last).is_null() && column_len(after_last) == 0);
}

/// Numbers of the column of this name.
fn column_of<'a>(found: &Answer, numbers: &'a [Vec<f64>], name: &str) -> [&'a [f64]; 2] {
    let number = found.columns.iter().position(|one| one.name == name);
    let number = number.unwrap_or_else(|| panic!("{name} is none of {:?}", found.columns));
    [&numbers[2 * number], &numbers[2 * number + 1]]
}

/// Packets that a host has sent and that did not arrive were lost, or are on their way at the end.
#[test]
fn packets_that_do_not_arrive_are_lost_or_on_their_way() {
    let (found, numbers) = answer(&job(Keep::Packets));
    let observed = vec![("observe.distributions.flows".to_owned(), "[\"*\"]".to_owned())];
    let (run, _) = answer(&Job { set: observed, ..job(Keep::Series) });
    let counts: serde_json::Value =
        serde_json::from_str(run.summary.as_deref().expect("a summary")).expect("JSON");
    for flow in ["bulk[1]", "bulk[2]"] {
        let [sent, arrived] = column_of(&found, &numbers, &format!("{flow}.packets"));
        let [_, size] = column_of(&found, &numbers, &format!("{flow}.packets.size"));
        let data = || size.iter().zip(arrived).filter(|(size, _)| **size > 60.0);
        let losses = &counts["flows"][flow]["loss"];
        let count = |key: &str| losses[key].as_u64().expect("a count") as usize;
        assert!(count("lost") > 0);
        assert_eq!(data().count(), count("sent"), "{losses}");
        assert_eq!(data().filter(|(_, at)| !at.is_nan()).count(), count("delivered"), "{losses}");
        // 100 Mbit/s, 1 ms, 10 Mbit/s, 9 ms and at most 20 packets before it.
        let delays = sent.iter().zip(arrived).map(|(from, to)| to - from).filter(|it| !it.is_nan());
        let bounds = delays.fold((f64::MAX, 0f64), |(low, high), it| (low.min(it), high.max(it)));
        assert!(bounds.0 > 0.010 && bounds.1 < 0.2, "{bounds:?}");
    }
}

/// The same run until 2 s, of which the packets of half a second are kept.
#[test]
fn a_window_keeps_the_packets_that_are_sent_in_it() {
    let (all, numbers) = answer(&job(Keep::Packets));
    let (part, kept) = answer(&Job { window: Some((1.0, 1.5)), ..job(Keep::Packets) });
    assert_eq!(part.columns.len(), all.columns.len());
    for name in all.columns.iter().map(|column| &*column.name) {
        let [sent, values] = column_of(&all, &numbers, name);
        let of_window = sent.iter().zip(values).filter(|(at, _)| (1.0..=1.5).contains(*at));
        // What arrives later than half a second behind the window is on its way.
        let is_instant = name.ends_with("packets") || name.ends_with("answers");
        let seen = of_window.map(|(at, value)| {
            (at.to_bits(), if is_instant && *value > 2.0 { f64::NAN } else { *value }.to_bits())
        });
        let [instants, found] = column_of(&part, &kept, name);
        let found = instants.iter().zip(found).map(|(at, value)| (at.to_bits(), value.to_bits()));
        assert!(seen.eq(found), "{name}");
    }
}

/// Derived numbers need no run.
#[test]
fn facts_need_no_run() {
    let (found, numbers) = answer(&job(Keep::Facts));
    assert!(found.summary.is_none() && found.columns.is_empty() && numbers.is_empty());
    assert!(found.explained.expect("facts").contains("\"ports\""));
}

/// Faults have their line and column, or the key of the setting that brought them in.
#[test]
fn faults_have_a_place_or_a_key() {
    let text = TEXT.replace("\"greedy\"", "\"greddy\"");
    let (found, _) = answer(&Job { text, ..Job::default() });
    let fault = &found.faults[0];
    assert_eq!((fault.line, fault.column, fault.key.as_deref()), (20, 15, None));
    assert!(fault.message.ends_with("; did you mean `greedy`?"), "{fault:?}");
    let set = vec![("link.out.rate".to_owned(), "10 Mbit".to_owned())];
    let (found, _) = answer(&Job { set, ..job(Keep::Series) });
    let fault = &found.faults[0];
    assert_eq!((fault.line, fault.key.as_deref()), (0, Some("link.out.rate")), "{fault:?}");
    assert!(found.summary.is_none() && found.columns.is_empty());
}

/// A file that the scenario names comes with the job.
#[test]
fn files_come_with_the_job() {
    let text = TEXT.replace("delay = \"9 ms\"", "delay.steps.file = \"sky.csv\"");
    let (found, _) = answer(&Job { text: text.clone(), ..Job::default() });
    let says = |fault: &Failure| fault.message.contains("no file sky.csv came");
    assert!(found.faults.iter().any(says), "{:?}", found.faults);
    let list = "time [s], delay [ms]\n0, 9\n2, 12\n".to_owned();
    let files = [("sky.csv".to_owned(), list)].into();
    let (found, _) = answer(&Job { text, files, ..Job::default() });
    assert!(found.summary.is_some(), "{:?}", found.faults);
}
