//! Every policy with parameters that are not the defaults, there and back through the resolved
//! text.

use cellway_sim::scenario::{Drop, Scenario, Source};
use proptest::prelude::*;

use super::scenario;

fn parse(drop: &str) -> Scenario {
    scenario(&include_str!("language.toml").replace("\"tail\"", drop))
}

/// A threshold, as a part of the buffer or in cells; the second is not below the first.
fn thresholds() -> impl Strategy<Value = (String, String)> {
    prop_oneof![
        [0.0..=1.0_f64, 0.0..=1.0]
            .prop_map(|[a, b]| (format!("{:?}", a.min(b)), format!("{:?}", a.max(b)))),
        [1..=1000_u32, 1..=1000].prop_map(|[a, b]| {
            (format!("\"{} cell\"", a.min(b)), format!("\"{} cell\"", a.max(b)))
        }),
    ]
}

/// All that have parameters, with any.
fn drops() -> impl Strategy<Value = String> {
    let part = || 1e-9..=1.0_f64;
    let parts = [part(), part(), part()];
    let scale = prop_oneof![
        Just("\"one\"".to_owned()),
        Just("\"one_minus_share\"".to_owned()),
        Just("\"one_minus_share_squared\"".to_owned()),
        Just("\"per_vc\"".to_owned()),
        (0.0..=1.0_f64).prop_map(|z| format!("{{ constant = {z:?} }}")),
    ];
    let sizes = (1..=65_535_u32, 1..=1_000_000_000_u32);
    (0..14_usize, thresholds(), thresholds(), parts, sizes, scale).prop_map(
        |(which, (low, high), (marked_low, marked_high), [a, b, c], (bytes, ns), scale)| {
            let red = format!(
                "min_threshold = {low}, max_threshold = {high}, max_probability = {a:?}, weight = \
                 {b:?}, \
                 mean_frame = \"{bytes} B\""
            );
            match which {
                0 => format!("{{ epd = {{ threshold = {low} }} }}"),
                1 => format!("{{ selective_drop = {{ threshold = {low}, z = {a:?} }} }}"),
                2 => format!("{{ fba = {{ threshold = {low}, z = {a:?} }} }}"),
                3 => format!("{{ red = {{ {red} }} }}"),
                4 => format!("{{ fred = {{ {red}, min_per_vc = {marked_low} }} }}"),
                5 => format!("{{ virtual_queuing = {{ threshold = {low} }} }}"),
                6 => format!("{{ vq_dynamic_epd = {{ threshold = {low} }} }}"),
                7 => format!("{{ vq_mcr = {{ threshold = {low}, interval = \"{ns} ns\" }} }}"),
                8 => format!(
                    "{{ ered = {{ {red}, marked_min_threshold = {marked_low}, marked_max_threshold \
                     = {marked_high}, \
                     marked_max_probability = {c:?} }} }}"
                ),
                9 => format!(
                    "{{ codel = {{ target = \"{ns} ns\", mtu = \"{bytes} B\", ecn = {} }} }}",
                    bytes % 2 == 0
                ),
                10 => format!(
                    "{{ pie = {{ target = \"{ns} ns\", alpha = {a:?}, mark_threshold = {b:?}, \
                     derandomise = {} }} }}",
                    bytes % 2 == 0
                ),
                11 => format!("{{ step = {{ threshold = {low} }} }}"),
                12 => format!("{{ priority = {{ low = {low}, high = {high} }} }}"),
                _ => format!(
                    "{{ dfba = {{ low = {low}, high = {high}, alpha = {a:?}, z = {scale} }} }}"
                ),
            }
        },
    )
}

proptest! {
    #[test]
    fn any_policy_reads_back_as_it_was_written(drop in drops()) {
        let scenario = parse(&drop);
        let written = scenario.to_toml();
        let again = Scenario::parse(Source { origin: "test.toml", text: &written }, &[]);
        let again = again.unwrap_or_else(|error| panic!("{error}\n{written}"));
        prop_assert_eq!(&again.switches[0].drop, &scenario.switches[0].drop);
        prop_assert_eq!(again.to_toml(), written);
    }
}

/// What is not written is what the reference says.
#[test]
fn defaults_are_those_of_the_sources() {
    let Drop::Dfba(dfba) = parse("{ dfba = { low = 0.5, high = 0.8 } }").switches[0].drop else {
        panic!("dfba")
    };
    let one = cellway_sim::scenario::DropScale::Constant(1.0);
    assert_eq!((dfba.alpha.to_bits(), dfba.z), (0.5_f64.to_bits(), one));
    let Drop::Pie(pie) = parse("{ pie = {} }").switches[0].drop else { panic!("pie") };
    assert_eq!(pie, super::pie_plan());
    let red = "min_threshold = 0.2, max_threshold = 0.6";
    let Drop::Red(plain) = parse(&format!("{{ red = {{ {red} }} }}")).switches[0].drop else {
        panic!("red")
    };
    assert_eq!(
        (plain.random_drop.max_probability.to_bits(), plain.weight.to_bits(), plain.mean_frame.0),
        (0.1_f64.to_bits(), 0.002_f64.to_bits(), 1500)
    );
    let Drop::Ered(ered) = parse(&format!("{{ ered = {{ {red} }} }}")).switches[0].drop else {
        panic!("ered")
    };
    let thresholds = |of: cellway_sim::switch::RandomDropPlan| (of.min_threshold, of.max_threshold);
    assert_eq!(
        thresholds(ered.marked()),
        thresholds(ered.unmarked.random_drop),
        "unless said otherwise"
    );
    assert_eq!(ered.marked_max_probability.to_bits(), 0.02_f64.to_bits());
}
