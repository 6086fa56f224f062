//! The guaranteed frame rate service and the scheduler, each read into its type of the resolved scenario.

use crate::language::choice::Choice;
use crate::language::fault::{At, Fault};
use crate::language::tree::Section;
use crate::scenario::read::rate_control::{rate, written_rate};
use crate::scenario::resolved::{Gfr, Scheduler, Tagging};
use crate::units::{Cells, LayeredRate};

pub(in crate::scenario) fn gfr(section: &Section<'_>) -> Result<Gfr, Fault> {
    let mfs: Cells = section.value("mfs")?;
    let mbs: Option<At<Cells>> = section.written("mbs")?;
    let gfr = Gfr {
        mcr: rate(section, "mcr", &section.spanned("mcr")?)?,
        pcr: written_rate(section, "pcr")?,
        mbs: mbs.as_ref().map_or(Cells(2 * mfs.0), |mbs| mbs.value),
        mfs,
        cdvt: section.value("cdvt")?,
        tagging: section.value("tagging")?,
        non_conforming: section.value("non_conforming")?,
        z: section.value("z")?,
    };
    check_peak(section, &gfr)?;
    check_burst(section, mbs.as_ref(), mfs)?;
    Ok(gfr)
}

fn check_peak(section: &Section<'_>, gfr: &Gfr) -> Result<(), Fault> {
    let Some(pcr) = gfr.pcr.filter(|&pcr| gfr.mcr > pcr) else { return Ok(()) };
    let message = format!(
        "`{}.mcr` of {} bit/s of cell is above the pcr of {}; expected at most that",
        section.place(),
        gfr.mcr.bits_per_second(),
        pcr.bits_per_second()
    );
    Err(Fault::new(&section.spanned::<LayeredRate>("mcr")?.at, message))
}

/// A burst that does not hold a frame guarantees none.
fn check_burst(section: &Section<'_>, mbs: Option<&At<Cells>>, mfs: Cells) -> Result<(), Fault> {
    let Some(mbs) = mbs.filter(|mbs| mbs.value < mfs) else { return Ok(()) };
    let message = format!(
        "`{}.mbs` of {} is below the mfs of {mfs}; expected at least that",
        section.place(),
        mbs.value
    );
    Err(Fault::new(&mbs.at, message))
}

pub(in crate::scenario) fn tagging(choice: &Choice<'_>) -> Result<Tagging, Fault> {
    let parameters = choice.section()?;
    match choice.name {
        "f_gcra" => Ok(Tagging::FGcra),
        "pme" => {
            Ok(Tagging::Pme { interval: parameters.value("interval")?, step: parameters.value("step")? })
        }
        _ => Ok(Tagging::None),
    }
}

pub(in crate::scenario) fn scheduler(choice: &Choice<'_>) -> Result<Scheduler, Fault> {
    let parameters = choice.section()?;
    match choice.name {
        "wfq" => Ok(Scheduler::Wfq { excess: parameters.value("excess")? }),
        _ => Ok(Scheduler::Fifo),
    }
}
