//! Traffic, read into its type of the resolved scenario.

use crate::language::choice::{Choice, no_parameters};
use crate::language::fault::{At, Fault};
use crate::language::keys::Kind;
use crate::language::rate_of_cells::SteadyRate;
use crate::language::tree::{Node, Read};
use crate::scenario::resolved::Traffic;
use crate::units::{Rate, Span};

impl Read for Traffic {
    fn read(node: &Node<'_>, kind: Kind, place: &str) -> Result<Self, Fault> {
        let nothing = no_parameters();
        traffic(&Choice::of(node, kind, place, &nothing)?)
    }
}

fn traffic(choice: &Choice<'_>) -> Result<Traffic, Fault> {
    let parameters = choice.section()?;
    match choice.name {
        "ttcp" => Ok(Traffic::Ttcp {
            write: parameters.value("write")?,
            total: parameters.written("total")?.map(|found| found.value),
        }),
        "cbr" => Ok(Traffic::Cbr { cell_rate: parameters.value::<SteadyRate>("rate")?.0 }),
        "poisson" => Ok(Traffic::Poisson { cell_rate: parameters.value("rate")? }),
        "on_off" => Ok(Traffic::OnOff {
            cell_rate: parameters.value::<SteadyRate>("rate")?.0,
            period: parameters.value("period")?,
            duty_cycle: parameters.value("duty_cycle")?,
        }),
        "exponential_on_off" => {
            let cell_rate = parameters.value::<SteadyRate>("rate")?.0;
            let on = check_burst(&parameters.spanned("on")?, cell_rate, parameters.place())?;
            let off = parameters.value("off")?;
            Ok(Traffic::ExponentialOnOff { cell_rate, on, off })
        }
        _ => Ok(Traffic::Greedy),
    }
}

/// A mean burst shorter than so many thousandths of a cell time has no cell worth speaking of, and
/// thousands pass for each cell.
const MIN_BURST: i64 = 1000;

/// The mean burst of an `exponential_on_off` source against its cell time.
fn check_burst(on: &At<Span>, cell_rate: Rate, place: &str) -> Result<Span, Fault> {
    let cell_time = cell_rate.cell_time();
    if on.value.picoseconds() >= cell_time.picoseconds() / MIN_BURST {
        return Ok(on.value);
    }
    let message = format!(
        "`{place}.on` of {} is less than a thousandth of the {cell_time} that a cell takes at \
         `{place}.rate`; expected bursts that cells fit in",
        on.value
    );
    Err(Fault::new(&on.at, message))
}
