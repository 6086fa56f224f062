//! Voice with silence suppression: talk spurts and silences of exponential length, and a packet in
//! every interval of a spurt. A preset of [bursts of exponential
//! length](super::exponential_on_off).
//!
//! The mean rate is the fraction talk/(talk + silence) of that in a spurt: 0.351 of 64 kbit/s.
//!
//! Source: Sriram, Whitt, *Characterizing Superposition Arrival Processes in Packet Multiplexers
//! for Voice and Data*, IEEE Journal on Selected Areas in Communications 4, 1986: means of 352 and
//! 650 ms, after Brady 1969. The packets are those of G.711: 160 bytes in 20 ms, 64 kbit/s.
//!
//! Departure: a spurt is not a whole number of packets, as with every such source here.

use super::exponential_on_off::{ExponentialBursts, ExponentialOnOff, check_burst};
use super::frames::rate_of_frames;
use super::sends::Sends;
use super::size::{DATAGRAM_SIZE, Size};
use super::source::{Site, Source};
use crate::language::part::prelude::*;
use crate::units::{Rate, Span};

part! {
    /// Parameters of voice.
    #[derive(Clone, Debug, PartialEq)]
    pub struct VoicePlan {
        /// Bytes of each packet: a UDP datagram, or with `tcp` a write.
        packet: Size = default("160 B", "\"20 B\"") as DATAGRAM_SIZE,
        /// Time from one packet of a talk spurt to the next.
        interval: Span = default("20 ms", "\"30 ms\"") as POSITIVE_TIME,
        /// Mean length of a talk spurt.
        talk: Span = default("352 ms", "\"1 s\"") as POSITIVE_TIME,
        /// Mean length of a silence.
        silence: Span = default("650 ms", "\"1.35 s\"") as POSITIVE_TIME,
    }
    finish VoicePlan::checked;
}

impl VoicePlan {
    /// Checks the mean talk spurt against the time of a packet.
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        check_burst(section, ("talk", self.talk), ("packet", self.interval, "interval"))?;
        Ok(self)
    }

    /// Rate in a talk spurt.
    fn rate(&self) -> Rate {
        rate_of_frames(self.packet.mean(), self.interval)
    }
}

/// Voice as a source.
#[derive(Clone, Debug, PartialEq)]
pub struct Voice {
    plan: VoicePlan,
    source: ExponentialOnOff,
}

impl Voice {
    /// Makes packets for a connection; in a flow without a transport they become datagrams.
    pub fn new(plan: VoicePlan) -> Self {
        let sends = Sends::writes(plan.rate(), plan.packet.clone());
        let source = ExponentialOnOff { sends, on: plan.talk, off: plan.silence };
        Self { plan, source }
    }
}

impl Part for Voice {
    type Value = Self;

    const KEYS: &'static [Key] = VoicePlan::KEYS;

    fn read(section: &Section<'_>) -> Result<Self, Fault> {
        VoicePlan::read(section).map(Self::new)
    }

    fn write(voice: &Self, entries: &mut Entries) {
        VoicePlan::write(&voice.plan, entries);
    }
}

impl Source for Voice {
    type Spacing = ExponentialBursts;

    fn rate_key(&self) -> &'static str {
        "interval"
    }

    fn sends(&self) -> &Sends {
        self.source.sends()
    }

    fn busy_part(&self) -> f64 {
        self.source.busy_part()
    }

    fn is_random(&self) -> bool {
        true
    }

    fn max_gap(&self, interval: u128) -> u128 {
        self.source.max_gap(interval)
    }

    fn without_transport(self) -> Self {
        let sends = Sends::datagrams(self.plan.rate(), self.plan.packet.clone());
        Self { source: ExponentialOnOff { sends, ..self.source }, ..self }
    }

    fn spacing(&self, site: &Site<'_>) -> ExponentialBursts {
        self.source.spacing(site)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Bytes;

    #[test]
    fn voice_is_64_kbits_in_a_third_of_the_time() {
        let voice = Voice::new(defaults::<VoicePlan>()).without_transport();
        let rate = Rate::from_bits_per_second(64_000);
        assert_eq!(*voice.sends(), Sends::datagrams(rate, Size::Fixed(Bytes(160))));
        assert_eq!(voice.interval(), Span::from_milliseconds(20));
        assert!((voice.busy_part() - 352.0 / 1002.0).abs() < 1e-12);
    }
}
