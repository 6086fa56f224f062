//! Departures of the allocators of ABR rates from the max-min shares: with δ above 0 rates may stay
//! away from the shares, and an interval that is too short for all VCs allocates more than the
//! link.

use super::{AbrLinkFacts, LinkFacts};

/// Maximum number of links that a warning names.
const MOST_NAMED: usize = 3;

/// A line for all links with a δ, and one for each link whose allocator cannot count all its VCs.
pub(super) fn warnings(links: &[LinkFacts]) -> Vec<String> {
    let with_abr = || links.iter().filter_map(|link| Some((link, link.abr.as_ref()?)));
    let uncounted = with_abr().filter_map(|(link, abr)| too_many_vcs(link, abr));
    above_the_target(with_abr()).into_iter().chain(uncounted).collect()
}

/// Warning about δ: several VCs may divide the δ around the target in many ways.
fn above_the_target<'a>(
    links: impl Iterator<Item = (&'a LinkFacts, &'a AbrLinkFacts)>,
) -> Option<String> {
    let mut max = 0.0_f64;
    let mut names: Vec<&str> = Vec::new();
    for (link, abr) in links {
        let Some(delta) = abr.delta.filter(|&delta| delta > 0.0 && abr.vcs > 1) else { continue };
        max = max.max(delta);
        if !names.contains(&link.name.as_str()) {
            names.push(&link.name);
        }
    }
    (!names.is_empty()).then(|| {
        format!(
            "with delta = {max} at {}, rates need not reach the max-min shares: the load \
             of a link may exceed its target by {max} of it, and some flows gain at the cost of \
             others",
            named(&names)
        )
    })
}

fn named(names: &[&str]) -> String {
    let first = names.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => first,
        1 => format!("{first} and 1 more link"),
        others => format!("{first} and {others} more links"),
    }
}

/// Warning about uncounted VCs: one without cells in an interval counts as silent, and the others
/// get its share.
fn too_many_vcs(link: &LinkFacts, abr: &AbrLinkFacts) -> Option<String> {
    let countable = abr.countable_vcs.filter(|&countable| abr.vcs as f64 > countable)?;
    Some(format!(
        "{} from {} has {} VCs, and an interval of its allocator counts {} at most: their \
         rates add up to more than the link's; longer `interval` and `interval_cells` count all",
        link.name,
        link.from,
        abr.vcs,
        countable.floor()
    ))
}
