//! INSTCAP: the average capacity of the last measuring interval (Shakkottai, Kumar, Karnik and
//! Anvekar, "TCP Performance Over End-to-End Rate Control and Stochastic Available Capacity",
//! IEEE/ACM Transactions on Networking 9(4), 2001, section III-A assumption 8 and section V).
//!
//! It has no parameters but the interval. EFFCAP of one sample and one average is equal.

use super::{Average, FeedbackLaw};

/// The last sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct InstCap {
    last: Option<Average>,
}

impl FeedbackLaw for InstCap {
    fn on_sample(&mut self, parts: u128) {
        self.last = Some(Average { parts, samples: 1 });
    }

    fn value(&self) -> Option<Average> {
        self.last
    }
}
