//! Pages of the World Wide Web, each requested when the previous one has been read: a preset of
//! [requests and responses](super::request_response).
//!
//! Source: the traffic model of 3GPP2 C.R1002-0 (also of IEEE 802.16m-08/004): requests of 350 B,
//! pages of lognormal size with μ = 8.37 and σ = 1.37 up to 2 MB, that is 10 710 B on average, and
//! 30 s of reading, exponential. Heavier tails are `pareto` (Crovella and Bestavros 1997).
//!
//! Departures: a page is its main object; embedded objects, and the time to parse the page, are
//! absent. One connection carries all pages.

use super::AnyApplication;
use super::application::Writes;
use super::request_response::{Client, RequestResponsePlan};
use super::size::{Size, WRITE_SIZE};
use super::source::Site;
use crate::engine::RandomSpan;
use crate::language::part::prelude::*;

part! {
    /// Parameters of pages.
    #[derive(Clone, Debug, PartialEq)]
    pub struct WwwPlan {
        /// Bytes of a request.
        request: Size = default("350 B", "\"300 B\"") as WRITE_SIZE,
        /// Bytes of a page.
        page: Size = default(
            "{ lognormal = { median = \"4316 B\", sigma = 1.37, max = \"2 MB\" } }",
            "{ pareto = { min = \"1 kB\", shape = 1.2, max = \"1 MB\" } }"
        ) as WRITE_SIZE,
        /// Time from the arrival of a page to the next request.
        reading: RandomSpan = default("{ exponential = { mean = \"30 s\" } }", "\"5 s\""),
    }
}

impl WwwPlan {
    /// Default sizes of pages.
    pub fn pages() -> Size {
        defaults::<Self>().page
    }

    fn requests(&self) -> RequestResponsePlan {
        RequestResponsePlan {
            request: self.request.clone(),
            response: self.page.clone(),
            think: self.reading,
            transactions: None,
        }
    }
}

impl Writes for WwwPlan {
    type Application = Box<Client>;

    fn application(&self, site: &Site<'_>) -> Box<Client> {
        self.requests().application(site)
    }

    fn has_responses(&self) -> bool {
        true
    }

    fn responder(&self, site: &Site<'_>) -> Option<AnyApplication> {
        self.requests().responder(site)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean exp(μ + σ²/2) = 11.0 kB, and 10.7 after the maximum and rounding of μ.
    #[test]
    fn a_page_has_eleven_kilobytes_on_average() {
        let mean = defaults::<WwwPlan>().page.mean();
        assert!((mean / 10_710.0 - 1.0).abs() < 0.03, "{mean}");
    }
}
