//! Sender of RCP (Dukkipati, Kobayashi, Zhang-Shen, McKeown: "Processor Sharing Flows in the
//! Internet", `IWQoS` 2005; Dukkipati, thesis, Stanford 2007): it paces its data at the rate that
//! the ports on the path with [`drop.rcp`](crate::switch::RcpPlan) have granted, the least of them.
//! No parameters.
//!
//! Chosen: cwnd is twice the rate times the smoothed round trip, so that it limits nothing while
//! ACKs come; before the first ACK the initial window leaves at once. A loss changes no rate: the
//! ports have taken its queue into account. After a timeout a segment is sent, and with its ACK the
//! rate counts again. Where no port of the path has the rule, this is Reno's law, paced.

use super::additive::{Additive, Avoidance};
use super::law::{Congested, InRecovery, Law, LawNeeds, LawValue, Opening};
use super::{Ack, Window};
use crate::units::{Rate, Span};

/// cwnd over the rate times the round trip.
const ROOM: f64 = 2.0;

/// State of RCP.
#[derive(Clone, Debug)]
pub(super) struct Rcp {
    /// Latest rate, bit/s of data; infinite where no port has lowered it, zero before the first.
    rate: f32,
}

impl Rcp {
    pub(super) fn new(_avoidance: Avoidance) -> Self {
        Self { rate: 0.0 }
    }

    fn is_granted(&self) -> bool {
        self.rate > 0.0 && self.rate.is_finite()
    }
}

impl Law for Rcp {
    fn needs(&self) -> LawNeeds {
        LawNeeds { pacing: true, ..LawNeeds::default() }
    }

    fn on_ack(&mut self, ack: &mut Ack<'_>) -> Opening {
        if let Some(rate) = ack.grant.filter(|rate| *rate > 0.0) {
            self.rate = rate;
        }
        let (true, Some(srtt)) = (self.is_granted(), ack.srtt) else { return Opening::Standard };
        let bytes = ROOM * f64::from(self.rate) / 8.0 * srtt.seconds_f64();
        ack.window.set_cwnd((bytes as u64).max(2 * ack.window.mss()));
        Opening::Done
    }

    fn avoid(&mut self, ack: &mut Ack<'_>) {
        Additive::new(Avoidance::Standard).avoid(ack);
    }

    fn left_of(&self, bytes: u64) -> u64 {
        if self.is_granted() { bytes } else { bytes / 2 }
    }

    fn on_congestion(&mut self, congested: &mut Congested<'_>) -> InRecovery {
        let bytes = if self.is_granted() { congested.window.cwnd() } else { congested.bytes };
        congested.window.set_ssthresh(self.left_of(bytes));
        InRecovery::Rule
    }

    fn pace(&self, _window: &Window, _srtt: Option<Span>) -> Option<Rate> {
        self.is_granted().then(|| Rate::from_bits_per_second((self.rate as u64).max(1)))
    }

    fn values(&self) -> &'static [LawValue] {
        &[LawValue { name: "rate", unit: "bit/s" }]
    }

    fn value(&self, _index: usize) -> Option<f64> {
        self.is_granted().then_some(f64::from(self.rate))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::{Cause, Flight};
    use crate::tcp::scaling::MAX_WINDOW;
    use crate::units::Time;

    fn after(law: &mut Rcp, window: &mut Window, grant: Option<f32>) -> (Opening, u64) {
        let flight = Flight::default();
        let mut ack = Ack::of_test(Time::ZERO, 1000, &flight, window);
        ack.grant = grant;
        ack.srtt = Some(Span::from_milliseconds(100));
        let opening = law.on_ack(&mut ack);
        (opening, window.cwnd())
    }

    /// 8 Mbit/s for 0.1 s are 100 kB; an ACK without a rate leaves the latest.
    #[test]
    fn data_are_paced_at_the_granted_rate() {
        let law = &mut Rcp::new(Avoidance::Standard);
        let window = &mut Window::of(1000, 10_000, MAX_WINDOW, MAX_WINDOW);
        assert_eq!(law.pace(window, None), None);
        assert_eq!(after(law, window, Some(8e6)), (Opening::Done, 200_000));
        assert_eq!(after(law, window, Some(0.0)), (Opening::Done, 200_000));
        assert_eq!(law.pace(window, None), Some(Rate::from_bits_per_second(8_000_000)));
        let flight = &Flight { snd_max: 50_000, snd_wnd: MAX_WINDOW, ..Flight::default() };
        let (cause, bytes) = (Cause::Loss, 50_000);
        law.on_congestion(&mut Congested { cause, bytes, flight, window });
        assert_eq!(window.ssthresh(), 200_000, "a loss changes no rate");
    }

    #[test]
    fn without_a_port_that_grants_it_is_reno() {
        let law = &mut Rcp::new(Avoidance::Standard);
        let window = &mut Window::of(1000, 10_000, MAX_WINDOW, MAX_WINDOW);
        for grant in [None, Some(f32::INFINITY)] {
            assert_eq!(after(law, window, grant), (Opening::Standard, 10_000));
        }
        assert_eq!((law.pace(window, None), law.left_of(8000)), (None, 4000));
    }
}
