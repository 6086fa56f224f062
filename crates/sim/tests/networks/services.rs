//! Services of random cells.

use super::dice::Dice;

/// A service of cells whose rates are at most `peak_kbit` and which promises `mcr_kbit`;
/// `may_hold_back` where its source is a host.
pub(crate) fn service(
    dice: &mut Dice,
    peak_kbit: u64,
    mcr_kbit: u64,
    may_hold_back: bool,
) -> String {
    match dice.between(0, 8) {
        0 => "\"ubr\"".to_owned(),
        1 | 2 => {
            let pace = dice.between(peak_kbit / 10 + 1, peak_kbit);
            format!("{{ ubr = {{ pace = \"{pace} kbit/s of cell\" }} }}")
        }
        3 => "\"vbr\"".to_owned(),
        4 => "\"cbr\"".to_owned(),
        5 | 6 => gfr(dice, peak_kbit, mcr_kbit),
        _ => abr(dice, peak_kbit, mcr_kbit, may_hold_back),
    }
}

fn gfr(dice: &mut Dice, peak_kbit: u64, mcr_kbit: u64) -> String {
    let tagging =
        dice.pick(&["\"none\"", "\"f_gcra\"", "{ pme = { interval = \"5 ms\", step = 0.3 } }"]);
    let non_conforming = dice.pick(&["pass", "tag", "discard"]);
    let (mfs, cdvt) = (dice.between(1, 200), dice.between(0, 500));
    format!(
        "{{ gfr = {{ mcr = \"{mcr_kbit} kbit/s of cell\", pcr = \"{peak_kbit} kbit/s of cell\", \
         mfs = \"{mfs} cell\", \
         cdvt = \"{cdvt} us\", tagging = {tagging}, non_conforming = \"{non_conforming}\" }} }}"
    )
}

fn abr(dice: &mut Dice, peak_kbit: u64, mcr_kbit: u64, may_hold_back: bool) -> String {
    if dice.one_in(4) {
        return "\"abr\"".to_owned();
    }
    let buffer = match dice.between(0, if may_hold_back { 2 } else { 1 }) {
        0 => "\"infinite\"".to_owned(),
        1 => format!("{{ tail = \"{} cell\" }}", dice.between(1, 600)),
        _ => format!("{{ back_pressure = \"{} cell\" }}", dice.between(1, 600)),
    };
    let rates = match dice.between(0, 2) {
        0 => String::new(),
        1 => format!("icr = \"{peak_kbit} kbit/s of cell\", "),
        _ => format!(
            "pcr = \"{peak_kbit} kbit/s of cell\", mcr = \"{mcr_kbit} kbit/s of cell\", icr = \
             \"{mcr_kbit} kbit/s of cell\", "
        ),
    };
    let unused = match dice.between(0, 2) {
        0 => "\"retain\"".to_owned(),
        1 => "\"time_based\"".to_owned(),
        _ => format!("{{ count_based = {{ headroom = \"{peak_kbit} kbit/s of cell\" }} }}"),
    };
    format!(
        "{{ abr = {{ {rates}rif = {}, rdf = {}, nrm = {}, cdf = {}, tbe = \"{} cell\", trm = \"{} \
         ms\", adtf = \"{} ms\", \
         use_it_or_lose_it = {unused}, quantised = {}, buffer = {buffer} }} }}",
        dice.pick(&["\"1\"", "\"1/16\"", "\"1/4\""]),
        dice.pick(&["\"1\"", "\"1/16\"", "\"1/32768\""]),
        dice.pick(&["2", "8", "32", "256"]),
        dice.pick(&["0", "\"1/16\"", "\"1/2\""]),
        dice.pick(&["64", "1024", "16777215"]),
        dice.pick(&["1", "10", "100"]),
        dice.pick(&["10", "50", "500"]),
        dice.one_in(2),
    )
}
