//! Configuration of a TCP connection, `flow.tcp` of a scenario. Both ends of a connection share one
//! [`Config`].

use super::behaviour::restart::{IdleRestart, RestartAfterIdle};
use super::behaviour::short_segments::ShortSegments;
use super::clocks::{AckRule, BsdTimers, FineTimers, FixedTimers, Timers};
use super::congestion::keys::{
    DSack, GuardOfRule, LimitedTransmit, LossRecovery, OfReno, RuleReadings,
};
use super::congestion::{
    Avoidance, CongestionLaw, FastRetransmitGuard, Law, Plan, Recovery, Rule, Window,
};
use super::omitted::OmittedKeys;
use super::preset::Preset;
use super::reader::ReaderPlan;
use super::readings::Readings;
use super::receive::echo::EcnEcho;
use super::scaling::{MAX_UNSCALED_WINDOW, MAX_WINDOW, scaling_shift};
use crate::language::part::prelude::*;
use crate::pdu::{IpVersion, RateProtocol, TIMESTAMP_BYTES};
use crate::units::{Bytes, Span};

/// Range of buffers and thresholds.
pub(crate) const SOME_BYTES: Kind = Kind::Size { min: 1, max: MAX_WINDOW };
/// Range of windows.
const WINDOW: Kind = Kind::LimitedSize {
    min: 1,
    max: MAX_WINDOW,
    why: "a window is advertised in 16 bits, shifted by at most 14 (RFC 7323 §2.3), which is less \
          than 2^30 bytes",
};

part! {
    /// Configuration of one connection.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Config {
        /// Largest payload of a segment. Not zero.
        mss: Bytes = flat(SegmentSize),
        /// Receive buffer, hence the maximum advertised window.
        window: Bytes = default("64 KiB", "\"128 KiB\"") as WINDOW,
        /// Send buffer: bytes that are written and not yet acknowledged. A write returns when its
        /// last byte is in it.
        send_buffer: Option<Bytes> = absent("unlimited", "\"64 KiB\"") as SOME_BYTES,
        /// Growth of cwnd, and the reduction of the window at congestion.
        congestion: CongestionLaw = default("reno", "\"cubic\""),
        /// Detection and repair of losses.
        recovery: Recovery = flat(LossRecovery),
        /// Retransmission and delayed-ACK clocks.
        timers: Timers = default("bsd", "{ fine = { granularity = \"1 ms\" } }"),
        /// Rule by which the receiver acknowledges.
        ack: AckRule = default("delayed", "\"every_segment\""),
        /// True for an exchange of SYNs; otherwise both ends start established.
        handshake: bool = default("false", "true"),
        /// Congestion window at the start, in segments.
        initial_window: u32 = default("1", "2") as Kind::Integer { min: 1, max: 65_535 },
        /// Slow-start threshold at the start.
        initial_ssthresh: Option<Bytes> = absent("unlimited", "\"64 KiB\"") as SOME_BYTES,
        /// Growth in congestion avoidance.
        avoidance: Avoidance = flat(OfReno),
        /// RFC 7323 window scaling; without it a window is at most 65 535 bytes.
        window_scaling: bool = default("true", "false"),
        /// RFC 3042: one new segment for each of the first two duplicate ACKs, beyond cwnd.
        limited_transmit: bool = flat(LimitedTransmit),
        /// Guard against a fast retransmit of data that had been sent before the last one or a
        /// timeout.
        fast_retransmit_guard: FastRetransmitGuard = flat(GuardOfRule),
        /// The first slow start ends when round trips grow: `HyStart++`, RFC 9406.
        hystart: bool = default("false", "true"),
        /// Segments leave evenly over a round trip: at twice cwnd per round trip in slow start, at
        /// 1.2 times in avoidance. Some laws pace in any case.
        pacing: bool = default("false", "true"),
        /// RFC 2883: the receiver reports segments that arrive twice.
        d_sack: bool = flat(DSack),
        /// Nagle's algorithm: data that do not fill a segment wait until nothing is outstanding.
        /// True is a socket without `TCP_NODELAY`.
        nagle: bool = default("false", "true"),
        /// Segments that are not full and may leave.
        short_segments: ShortSegments = default("rfc1122", "\"linux\""),
        /// A segment that may leave waits for the next ACK if that lets a larger burst out: TSO
        /// deferral of Linux, for rules with a log of the flight. Senders that pace have none.
        tso_defer: bool = default("false", "true"),
        /// Effect on cwnd of a pause in which nothing was outstanding.
        restart_after_idle: RestartAfterIdle = flat(IdleRestart),
        /// Choices where sources differ.
        readings: Readings = flat(RuleReadings),
        /// Rule by which the receiving application reads. Unread data take space of the receive
        /// buffer and reduce the advertised window.
        reader: ReaderPlan = default(
            "at_once", "{ paced = { rate = \"8 Mbit/s of payload\" } }"
        ),
        /// RFC 7323: every segment carries timestamps, which take 12 bytes from its data. Every ACK
        /// of new data is a sample of the round trip, and old segments are discarded (PAWS).
        timestamps: bool = default("false", "true"),
        /// Tick of the timestamps' clock.
        timestamp_clock: Option<Span> = absent(
            "the slow tick of `bsd` timers, 1 ms with `fine`", "\"10 ms\""
        ) as Kind::Time { min: Span::from_milliseconds(1) },
        /// RFC 3168: both ends react to congestion marks, and queues may mark packets instead of
        /// discarding them.
        ecn: bool = default("false", "true"),
        /// Echo of congestion marks in ACKs.
        ecn_echo: Option<EcnEcho> = absent(
            "`\"dctcp\"` with `congestion = \"dctcp\"`, `\"accurate\"` with `\"prague\"`, \
             `\"abc\"` with `\"abc\"`, else `\"classic\"`", "\"accurate\""
        ),
        /// RFC 9331: data have the codepoint ECT(1), by which queues tell L4S apart; with the
        /// accurate echo all segments but SYNs.
        l4s: Option<bool> = absent(
            "true with `congestion = \"prague\"` and `\"abc\"`, else false", "true"
        ),
        /// Keys that are left to the defaults of 4.3BSD.
        omitted: OmittedKeys = flat(OmittedKeys),
        /// IP version of its flow, which a resolved scenario copies here.
        ip: IpVersion = flat(OfFlow),
    }
    preset Preset;
    finish Config::checked;
    except Config::is_implied_by_rule;
}

/// The IP version, which is a key of the flow and none of its transport.
struct OfFlow;

impl Part for OfFlow {
    type Value = IpVersion;

    const KEYS: &'static [Key] = &[];

    fn read(_: &Section<'_>) -> Result<IpVersion, Fault> {
        Ok(IpVersion::V4)
    }

    fn write(_: &IpVersion, _: &mut Entries) {}
}

/// Keys `mtu` and `mss`.
struct SegmentSize;

impl Part for SegmentSize {
    type Value = Bytes;

    const KEYS: &'static [Key] = &[
        Key::with_default(
            "mtu",
            Kind::Size { min: HEADERS + 1, max: MAX_PACKET },
            "9180 B",
            "\"1500 B\"",
            "Largest IP packet; the segment is 40 bytes smaller, 60 with IPv6.",
        )
        .instead_of("mss"),
        Key::optional(
            "mss",
            Kind::Size { min: 1, max: MAX_PACKET - HEADERS },
            "`mtu` less 40 bytes, 60 with IPv6",
            "\"512 B\"",
            "Largest TCP payload of a segment.",
        )
        .instead_of("mtu"),
    ];

    fn read(section: &Section<'_>) -> Result<Bytes, Fault> {
        if let Some(mss) = section.written("mss")? {
            return Ok(mss.value);
        }
        let Bytes(mtu) = section.value("mtu")?;
        Ok(Bytes(mtu - HEADERS))
    }

    fn write(mss: &Bytes, entries: &mut Entries) {
        entries.push(("mss", mss.write()));
    }
}

/// Bytes of an IP packet besides its segment: 20 of IP header and 20 of TCP header.
const HEADERS: u64 = 40;

impl Config {
    /// Checks that options leave room for data, and that the shortest timeout is not above the
    /// longest.
    fn checked(self, section: &Section<'_>) -> Result<Self, Fault> {
        self.check_room(section)?;
        self.check_marks_of_abc(section)?;
        let (min_rto, max_rto, below): (Span, Span, &'static [&'static str]) = match self.timers {
            Timers::Bsd(BsdTimers { min_rto, max_rto, .. }) => {
                (min_rto, max_rto, &["bsd", "min_rto"])
            }
            Timers::Fine(FineTimers { min_rto, max_rto, .. }) => {
                (min_rto, max_rto, &["fine", "min_rto"])
            }
            Timers::Fixed(_) => return Ok(self),
        };
        if min_rto <= max_rto {
            return Ok(self);
        }
        let message = format!(
            "`{}.timers.{}` of {min_rto} is above the `max_rto` of {max_rto}; expected at most \
             that",
            section.place(),
            below.join(".")
        );
        Err(Fault::new(&section.place_below("timers", below), message))
    }

    /// Checks that timestamps and a congestion header leave room for data.
    fn check_room(&self, section: &Section<'_>) -> Result<(), Fault> {
        if self.mss.0 > self.option_bytes() {
            return Ok(());
        }
        let place = section.place();
        let (key, bytes) = match self.rate_protocol() {
            Some(protocol) => ("congestion", protocol.header_bytes()),
            None => ("timestamps", TIMESTAMP_BYTES),
        };
        let take = if key == "timestamps" { "take" } else { "has headers that take" };
        let message = format!(
            "`{place}.{key}` {take} {bytes} B of a segment of {}; expected a longer one",
            self.mss
        );
        Err(Fault::new(&section.place_below(key, &[]), message))
    }

    /// Checks that a sender of ABC that asks for marks has those of ABC.
    fn check_marks_of_abc(&self, section: &Section<'_>) -> Result<(), Fault> {
        if !self.ecn || !matches!(self.congestion, CongestionLaw::Abc(_)) {
            return Ok(());
        }
        let (key, expected) = match (self.echo(), self.is_l4s()) {
            (EcnEcho::Abc, true) => return Ok(()),
            (EcnEcho::Abc, false) => ("l4s", "true"),
            _ => ("ecn_echo", "\"abc\""),
        };
        let place = section.place();
        let message = format!(
            "`{place}.congestion` is `abc`, which `{place}.{key}` keeps from its marks; expected \
             `{expected}`, or none of the key"
        );
        Err(Fault::new(&section.place_below(key, &[]), message))
    }

    /// The same in packets of this version of IP, which are as long; only a segment that has no
    /// room for a longer header stays as it is.
    pub(crate) fn in_packets_of(self, ip: IpVersion) -> Self {
        let more = ip.more_bytes() - self.ip.more_bytes().min(ip.more_bytes());
        let mss = if self.full_segment() > more { Bytes(self.mss.0 - more) } else { self.mss };
        Self { mss, ip, ..self }
    }

    /// True for a key that is not written because the rule leaves no choice.
    fn is_implied_by_rule(&self, key: &str) -> bool {
        key == "fast_retransmit_guard" && !self.recovery.guards_by_choice()
    }

    /// Echo of congestion marks that both ends ask for.
    pub fn echo(&self) -> EcnEcho {
        self.ecn_echo.unwrap_or(match self.congestion {
            CongestionLaw::Dctcp(_) => EcnEcho::Dctcp,
            CongestionLaw::Prague(_) => EcnEcho::Accurate,
            CongestionLaw::Abc(_) => EcnEcho::Abc,
            _ => EcnEcho::Classic,
        })
    }

    /// True if data that may be marked have ECT(1).
    pub fn is_l4s(&self) -> bool {
        let law = self.congestion;
        self.l4s.unwrap_or(matches!(law, CongestionLaw::Prague(_) | CongestionLaw::Abc(_)))
    }

    /// Protocol of the congestion headers of its segments, if they have any.
    pub fn rate_protocol(&self) -> Option<RateProtocol> {
        self.congestion.rate_protocol()
    }

    /// Bytes of data in a full segment: timestamps take 12 of them (RFC 6691 §2), a congestion
    /// header its length.
    pub fn full_segment(&self) -> u64 {
        self.mss.0 - self.option_bytes()
    }

    /// Bytes of options in every segment, without blocks of selective acknowledgements.
    pub fn option_bytes(&self) -> u64 {
        let of_timestamps = if self.timestamps { TIMESTAMP_BYTES } else { 0 };
        of_timestamps + self.rate_protocol().map_or(0, RateProtocol::header_bytes)
    }

    /// Longest delay of an ACK.
    pub(super) fn ack_delay(&self) -> Span {
        match self.timers {
            Timers::Bsd(BsdTimers { fast, .. }) => fast,
            Timers::Fine(FineTimers { ack_delay, .. })
            | Timers::Fixed(FixedTimers { ack_delay, .. }) => ack_delay,
        }
    }

    /// The window at the start.
    pub(super) fn initial(&self) -> Window {
        let shift = if self.window_scaling { scaling_shift(self.window.0) } else { 0 };
        let max = MAX_UNSCALED_WINDOW << shift;
        let mss = self.full_segment();
        Window::new(mss, self.initial_window, self.ssthresh(), max)
    }

    /// ssthresh at the start; the largest window if unlimited.
    fn ssthresh(&self) -> u64 {
        self.initial_ssthresh.map_or(MAX_WINDOW, |bytes| bytes.0)
    }

    /// True if the application may read later than data arrive.
    pub(super) fn reads_late(&self) -> bool {
        self.reader != ReaderPlan::AtOnce
    }

    /// The largest window that can be advertised: the buffer, or without scaling at most the
    /// largest value of the field.
    pub fn largest_advertised(&self) -> u64 {
        if self.window_scaling { self.window.0 } else { self.window.0.min(MAX_UNSCALED_WINDOW) }
    }
}

impl Rule {
    /// Makes the rule of `config`.
    pub fn new(config: &Config) -> Self {
        Self::of(config.recovery, &Self::plan(config))
    }

    fn plan(config: &Config) -> Plan<'static> {
        Plan {
            congestion: config.congestion,
            avoidance: config.avoidance,
            fast_retransmit_guard: config.fast_retransmit_guard,
            hystart_below: config.hystart.then(|| config.ssthresh()),
            pacing: config.pacing,
            readings: config.readings,
            own_law: None,
        }
    }

    /// Makes the rule of `config` under a law that is not of the list.
    pub fn with_law(config: &Config, make: &dyn Fn() -> Box<dyn Law>) -> Self {
        Self::of(config.recovery, &Plan { own_law: Some(make), ..Self::plan(config) })
    }
}

/// Defaults of a flow without TCP keys: 4.3BSD Reno, segments that fill the MTU of classical IP
/// over ATM (RFC 2225), 64 KiB of buffer.
impl Default for Config {
    fn default() -> Self {
        Self {
            mss: Bytes(9140),
            window: Bytes(64 << 10),
            send_buffer: None,
            congestion: CongestionLaw::Reno,
            recovery: Recovery::Reno,
            timers: Timers::default(),
            ack: AckRule::Delayed,
            handshake: false,
            initial_window: 1,
            initial_ssthresh: None,
            avoidance: Avoidance::Standard,
            window_scaling: true,
            limited_transmit: false,
            fast_retransmit_guard: FastRetransmitGuard::Never,
            hystart: false,
            pacing: false,
            d_sack: false,
            nagle: false,
            short_segments: ShortSegments::Rfc1122,
            tso_defer: false,
            restart_after_idle: RestartAfterIdle::Never,
            readings: Readings::default(),
            reader: ReaderPlan::AtOnce,
            timestamps: false,
            timestamp_clock: None,
            ecn: false,
            ecn_echo: None,
            l4s: None,
            omitted: OmittedKeys::default(),
            ip: IpVersion::default(),
        }
    }
}
