//! Congestion headers of one end: grants of data that arrive are returned with the next segment,
//! and those of our own data are handed to the law with the next ACK of new data.
//!
//! A change of the window is a number of bytes per segment, so an ACK of several returns the sum
//! (Katabi, Handley, Rohrs 2002, section 3.2: each packet has its own). A rate is that of the
//! latest segment. Both ends share one configuration, so nothing is agreed on; SYNs have no header,
//! as their options are not counted. Requests are unlimited.

use super::hooks::{Arrival, Behaviour, Findings};
use crate::pdu::{RateHeader, RateProtocol, Segment};
use crate::units::Span;

/// Grants of both directions at one end.
#[derive(Clone, Debug)]
pub(super) struct Grants {
    protocol: RateProtocol,
    /// Grant of data that have arrived, to be returned.
    owed: f32,
    /// Grant that has been returned to us since the latest ACK of new data.
    returned: f32,
}

impl Grants {
    /// Makes the grants of an end that has seen no segment.
    pub(super) fn new(protocol: RateProtocol) -> Self {
        Self { protocol, owed: 0.0, returned: 0.0 }
    }

    /// The header of a segment that is sent now.
    pub(super) fn header(&mut self, has_data: bool, cwnd: u64, srtt: Option<Span>) -> RateHeader {
        let asks = if has_data { 1.0 } else { 0.0 };
        let is_xcp = self.protocol == RateProtocol::Xcp;
        RateHeader {
            protocol: self.protocol,
            rtt: asks * srtt.map_or(0.0, |srtt| srtt.seconds_f64() as f32),
            window: if is_xcp { asks * cwnd as f32 } else { 0.0 },
            grant: if has_data { f32::INFINITY } else { 0.0 },
            returned: if is_xcp { std::mem::take(&mut self.owed) } else { self.owed },
        }
    }

    fn add(protocol: RateProtocol, to: &mut f32, grant: f32) {
        match protocol {
            RateProtocol::Xcp => *to += grant,
            RateProtocol::Rcp if grant > 0.0 => *to = grant,
            RateProtocol::Rcp => {}
        }
    }
}

impl Behaviour for Grants {
    fn accepts(&mut self, segment: &Segment, _last_acked: u64) -> bool {
        if let Some(header) = segment.sack.header() {
            Self::add(self.protocol, &mut self.returned, header.returned);
            if segment.len > 0 {
                Self::add(self.protocol, &mut self.owed, header.grant);
            }
        }
        true
    }

    /// Takes what has been returned; a duplicate leaves it to the next ACK of new data.
    fn on_ack(&mut self, arrival: &Arrival<'_>, findings: &mut Findings) {
        if arrival.is_new {
            findings.grant = Some(std::mem::take(&mut self.returned));
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "values that are exact")]
mod tests {
    use super::*;
    use crate::pdu::SackOption;
    use crate::units::Time;

    fn segment(protocol: RateProtocol, len: u16, grant: f32, returned: f32) -> Segment {
        let header = RateHeader { protocol, rtt: 0.1, window: 1e4, grant, returned };
        Segment { len, sack: SackOption::of_header(header), ..Segment::default() }
    }

    /// A delayed ACK of two segments returns the sum of both changes, or the latest rate; the next
    /// returns no change, and the same rate.
    #[test]
    fn an_ack_returns_the_sum_of_changes_or_the_latest_rate() {
        for (protocol, expected) in
            [(RateProtocol::Xcp, [70.0, 0.0]), (RateProtocol::Rcp, [100.0, 100.0])]
        {
            let mut grants = Grants::new(protocol);
            for grant in [-30.0, 100.0] {
                assert!(grants.accepts(&segment(protocol, 500, grant, 0.0), 1));
            }
            // A pure ACK grants nothing.
            assert!(grants.accepts(&segment(protocol, 0, 0.0, 0.0), 1));
            let returned = [0; 2].map(|_| grants.header(false, 9, None).returned);
            assert_eq!(returned, expected);
        }
    }

    /// The grant of a duplicate is not lost: the next ACK of new data has it.
    #[test]
    fn grants_wait_for_an_ack_of_new_data() {
        let mut grants = Grants::new(RateProtocol::Xcp);
        let mut found = |returned, is_new| {
            let segment = &segment(RateProtocol::Xcp, 0, 0.0, returned);
            grants.accepts(segment, 1);
            let mut findings = Findings::default();
            grants.on_ack(&Arrival { now: Time::ZERO, segment, snd_una: 1, is_new }, &mut findings);
            findings.grant
        };
        assert_eq!(found(20.0, true), Some(20.0));
        assert_eq!((found(20.0, false), found(5.0, true)), (None, Some(25.0)));
    }

    /// cwnd and round trip of data, and no request without any.
    #[test]
    fn data_ask_without_limit() {
        let srtt = Some(Span::from_milliseconds(50));
        let data = Grants::new(RateProtocol::Xcp).header(true, 3000, srtt);
        assert_eq!((data.rtt, data.window, data.grant), (0.05, 3000.0, f32::INFINITY));
        let ack = Grants::new(RateProtocol::Rcp).header(false, 3000, srtt);
        assert_eq!((ack.rtt, ack.window, ack.grant), (0.0, 0.0, 0.0));
    }
}
