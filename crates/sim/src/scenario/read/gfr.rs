//! The guaranteed frame rate service, read into its type of the resolved scenario.

use crate::scenario::fault::Fault;
use crate::scenario::read::rate_control::rate;
use crate::scenario::read::tree::Section;
use crate::scenario::resolved::Gfr;

pub(in crate::scenario) fn gfr(section: &Section<'_>) -> Result<Gfr, Fault> {
    Ok(Gfr { mcr: rate(section, "mcr", &section.spanned("mcr")?)?, z: section.value("z")? })
}
