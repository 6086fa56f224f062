//! Pages of one flow in the summary of a run.

use serde::Serialize;

use super::Shaped;
use crate::traffic::PageCounters;

/// Pages of one flow that were loaded within the measurement: quantiles are those of single pages,
/// linear between two of them (Hyndman and Fan 1996, type 7). Load times run to the last byte of
/// the last object, for the first page from the first SYN, for others from the request of the HTML.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct PageSummary {
    /// Pages that were loaded.
    pub loaded: u64,
    /// Objects that were requested, apart from the HTML.
    pub objects: u64,
    /// Mean load time; this and the following are absent without a loaded page.
    pub mean_load_s: Option<f64>,
    /// Median of the load times.
    pub p50_load_s: Option<f64>,
    /// Quantile of 95 % of the load times.
    pub p95_load_s: Option<f64>,
    /// Longest load time.
    pub max_load_s: Option<f64>,
}

impl PageSummary {
    /// Summary of the pages between two readings.
    pub fn between(earlier: &PageCounters, later: &PageCounters) -> Self {
        let mut loads: Vec<f64> =
            later.loads[earlier.loads.len()..].iter().map(|load| load.seconds_f64()).collect();
        loads.sort_by(f64::total_cmp);
        let mean = loads.iter().sum::<f64>() / loads.len() as f64;
        Self {
            loaded: loads.len() as u64,
            objects: later.objects_asked - earlier.objects_asked,
            mean_load_s: (!loads.is_empty()).then_some(mean),
            p50_load_s: quantile(&loads, 0.5),
            p95_load_s: quantile(&loads, 0.95),
            max_load_s: quantile(&loads, 1.0),
        }
    }
}

/// Quantile of numbers in order; `None` without numbers.
fn quantile(sorted: &[f64], part: f64) -> Option<f64> {
    let place = part * sorted.len().checked_sub(1)? as f64;
    let [below, above] = [place.floor(), place.ceil()].map(|at| sorted[at as usize]);
    Some(below + (above - below) * place.fract())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Span;

    fn pages(milliseconds: &[i64]) -> PageCounters {
        let loads = milliseconds.iter().map(|&one| Span::from_milliseconds(one)).collect();
        PageCounters { loads, objects_asked: 7 }
    }

    /// Loads of 1, 2, 3 and 5 s after one of 9 s in the warm-up: the 95 % are 0.85 between 3 and 5.
    #[test]
    fn pages_of_the_warm_up_do_not_count() {
        let later = pages(&[9000, 5000, 1000, 3000, 2000]);
        let found = PageSummary::between(&pages(&[9000]), &later);
        assert_eq!((found.loaded, found.mean_load_s), (4, Some(2.75)));
        assert_eq!((found.p50_load_s, found.max_load_s), (Some(2.5), Some(5.0)));
        assert!((found.p95_load_s.expect("four pages") - 4.7).abs() < 1e-12);
        assert_eq!(PageSummary::between(&later, &later).p95_load_s, None);
    }
}
