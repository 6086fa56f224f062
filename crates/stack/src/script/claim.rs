//! Claims on the state: `%{ assert cwnd == 2000 }%`.

use std::cmp::Ordering::{self, Equal, Greater, Less};

/// Signs of a claim and the orders for which they hold; longer ones first.
const RELATIONS: [(&str, &[Ordering]); 6] = [
    ("==", &[Equal]),
    ("!=", &[Less, Greater]),
    ("<=", &[Less, Equal]),
    (">=", &[Greater, Equal]),
    ("<", &[Less]),
    (">", &[Greater]),
];
/// Names of the kernel's for states, and whether they count segments.
const OF_KERNEL: [(&str, &str, bool); 4] = [
    ("tcpi_snd_cwnd", "cwnd", true),
    ("tcpi_snd_ssthresh", "ssthresh", true),
    ("tcpi_unacked", "in_flight", true),
    ("tcpi_rtt", "rtt_microseconds", false),
];

/// A claim on one value.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    /// Name of the state.
    pub(super) name: String,
    relation: usize,
    right: f64,
    /// True if it counts segments of full size.
    pub(super) is_in_segments: bool,
}

impl Claim {
    /// Claims of the code between `%{` and `}%`, or the reason why it is skipped.
    pub(super) fn read_all(code: &str) -> Result<Vec<Self>, String> {
        let parts = code.split(['\n', ';']).map(str::trim).filter(|part| !part.is_empty());
        let claims = parts.flat_map(|part| match part.strip_prefix("assert ") {
            Some(said) => said.split(" and ").map(Self::read).collect::<Vec<_>>(),
            None => vec![None],
        });
        claims
            .collect::<Option<Vec<Self>>>()
            .ok_or_else(|| "Python beyond `assert NAME == NUMBER` (or !=, <, <=, >, >=)".to_owned())
    }

    fn read(text: &str) -> Option<Self> {
        let text = text.split(',').next()?;
        let (relation, at) = RELATIONS
            .iter()
            .enumerate()
            .find_map(|(index, (sign, _))| Some((index, text.find(sign)?)))?;
        let name = text[..at].trim();
        let right = text[at + RELATIONS[relation].0.len()..].trim().parse().ok()?;
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        let known = OF_KERNEL.iter().find(|(known, ..)| *known == name);
        let (name, is_in_segments) =
            known.map_or((name, false), |(_, own, segments)| (*own, *segments));
        Some(Self { name: name.to_owned(), relation, right, is_in_segments })
    }

    pub(super) fn holds(&self, value: f64) -> bool {
        let order = value.partial_cmp(&self.right);
        order.is_some_and(|order| RELATIONS[self.relation].1.contains(&order))
    }
}
