//! Groups of flows: their goodput, its fairness, and its fraction of a line.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Shaped;

/// Groups of the flows of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Shaped)]
pub struct Groups {
    /// All flows with a transport; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tcp: Option<GroupSummary>,
    /// Flows by TCP: the rule of recovery, behind the law of the window if that is not Reno's, such
    /// as `sack` or `cubic sack`; datagrams are `udp`, raw cells `cells`.
    pub protocols: BTreeMap<String, GroupSummary>,
    /// Flows by name, without the number of a member: `bulk` of `bulk[1]` and `bulk[2]`.
    pub families: BTreeMap<String, GroupSummary>,
}

/// Summary of several flows.
#[derive(Clone, Debug, PartialEq, Serialize, Shaped)]
pub struct GroupSummary {
    /// Number of flows.
    pub flows: usize,
    /// Their rates, the `measured_bits_per_second` of each.
    pub goodput: GoodputSummary,
    /// Jain's index of these rates: the square of the sum over `flows` times the sum of squares, 1
    /// for equal ones. Absent if all are zero, and where equal shares are no aim: flows with
    /// different traffic, or with slowest lines of different rates.
    #[unit("1")]
    pub fairness: Option<f64>,
    /// Efficiency of the flows on their bottleneck: each flow's goodput over the highest goodput of
    /// that line with its segments, added up. Absent for raw cells.
    #[unit("1")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub efficiency: Option<f64>,
    /// The link on which that efficiency is highest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bottleneck: Option<String>,
}

/// Rates of several flows over the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Shaped)]
pub struct GoodputSummary {
    /// Sum over all flows.
    pub sum_bits_per_second: f64,
    /// Mean of the flows.
    pub mean_bits_per_second: f64,
    /// Standard deviation between flows, with n − 1; absent for a single flow.
    pub standard_deviation_bits_per_second: Option<f64>,
    /// Lowest rate of a flow.
    pub min_bits_per_second: f64,
    /// Highest rate of a flow.
    pub max_bits_per_second: f64,
}

/// Use of one direction of a link by flows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Shaped)]
pub struct ChannelSummary {
    /// Number of flows with data on it.
    pub flows: usize,
    /// Fraction of the measurement in which it was sending anything; for packets the number of its
    /// port, absent where a host sends them.
    #[unit("1")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub utilisation: Option<f64>,
    /// Goodput of the flows with a transport or of datagrams.
    pub goodput_bits_per_second: f64,
    /// Sum of each flow's goodput over the highest that the line carries in its segments or
    /// datagrams: for equal segments, goodput over the highest payload rate of the line. Bytes that
    /// came before the measurement may be acknowledged in it; below 100 segments it is at most 1.
    #[unit("1")]
    pub efficiency: f64,
}

impl GroupSummary {
    /// Summary of at least one flow.
    pub fn of(goodputs: &[f64]) -> Self {
        let flows = goodputs.len();
        let sum: f64 = goodputs.iter().sum();
        let mean = sum / flows as f64;
        let squares: f64 = goodputs.iter().map(|goodput| goodput * goodput).sum();
        let about_mean: f64 =
            goodputs.iter().map(|goodput| (goodput - mean) * (goodput - mean)).sum();
        let deviation = (flows > 1).then(|| (about_mean / (flows - 1) as f64).sqrt());
        Self {
            flows,
            goodput: GoodputSummary {
                sum_bits_per_second: sum,
                mean_bits_per_second: mean,
                standard_deviation_bits_per_second: deviation,
                min_bits_per_second: goodputs.iter().copied().fold(f64::INFINITY, f64::min),
                max_bits_per_second: goodputs.iter().copied().fold(0.0, f64::max),
            },
            fairness: (squares > 0.0).then(|| sum * sum / (flows as f64 * squares)),
            efficiency: None,
            bottleneck: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jain, Chiu, Hawe: "A quantitative measure of fairness", DEC-TR-301, 1984, section 3: of n
    /// users k share equally and the others get nothing: the index is k/n.
    #[test]
    fn fairness_is_the_part_of_flows_that_share() {
        let index = |goodputs: &[f64]| GroupSummary::of(goodputs).fairness;
        assert_eq!(index(&[5.0, 5.0, 5.0, 5.0]), Some(1.0));
        assert_eq!(index(&[5.0, 5.0, 0.0, 0.0, 0.0]), Some(0.4));
        assert_eq!(index(&[0.0, 0.0]), None);
    }

    /// 1, 2, 3, 4 and 10 by hand: mean 4, squares about it 9 + 4 + 1 + 0 + 36 = 50, 50/4 = 12.5;
    /// 400 / (5 · 130).
    #[test]
    fn five_flows_by_hand() {
        let found = GroupSummary::of(&[1.0, 2.0, 3.0, 4.0, 10.0]);
        let GoodputSummary { sum_bits_per_second: sum, mean_bits_per_second: mean, .. } =
            found.goodput;
        assert_eq!((found.flows, sum, mean), (5, 20.0, 4.0));
        assert_eq!(found.goodput.standard_deviation_bits_per_second, Some(12.5_f64.sqrt()));
        assert_eq!(
            (found.goodput.min_bits_per_second, found.goodput.max_bits_per_second),
            (1.0, 10.0)
        );
        assert_eq!(found.fairness, Some(400.0 / 650.0));
        assert_eq!(GroupSummary::of(&[7.0]).goodput.standard_deviation_bits_per_second, None);
    }
}
