//! Differences between keys of a scenario and the kernel's TCP, which follows them only in part or
//! not at all.

use cellway_sim::scenario::{AckRule, Avoidance, CongestionLaw, Recovery, Tcp, Timers};
use cellway_sim::tcp::{
    Bbr1Form, Bbr1Plan, CubicPlan, DctcpPlan, FullAck, HyblaPlan, RackPlan, Reduction,
    RestartAfterIdle, Sampling, ShortSegments, VegasPlan, WestwoodPlan,
};
use cellway_sim::units::Span;

/// Segments that the kernel acknowledges at once.
const SEGMENTS: u32 = 16;

/// True if the law has other parameters than its usual ones, which are the kernel's.
fn has_own_parameters(law: CongestionLaw) -> bool {
    match law {
        CongestionLaw::Cubic(plan) => plan != CubicPlan::default(),
        CongestionLaw::Vegas(plan) => plan != VegasPlan::default(),
        CongestionLaw::Westwood(plan) => plan != WestwoodPlan::default(),
        CongestionLaw::Hybla(plan) => plan != HyblaPlan::default(),
        CongestionLaw::Dctcp(plan) => plan != DctcpPlan::default(),
        CongestionLaw::Bbr1(plan) => Bbr1Plan { form: None, ..plan } != Bbr1Plan::default(),
        CongestionLaw::Reno
        | CongestionLaw::Xcp
        | CongestionLaw::Rcp
        | CongestionLaw::Abc(_)
        | CongestionLaw::Copa(_)
        | CongestionLaw::Bbr3(_)
        | CongestionLaw::Prague(_) => false,
    }
}

/// True for BBR in another form than the kernel's.
fn is_draft(tcp: &Tcp) -> bool {
    let CongestionLaw::Bbr1(Bbr1Plan { form, .. }) = tcp.congestion else { return false };
    form.map_or(tcp.avoidance != Avoidance::Counted, |form| form == Bbr1Form::Draft)
}

/// True if the tail probe waits for another delay of ACKs than the kernel's.
fn probes_by_another_delay(tcp: &Tcp) -> bool {
    const DELAY: Span = Span::from_milliseconds(200);
    let own = match &tcp.timers {
        Timers::Fine(timers) => Some(timers.ack_delay),
        Timers::Bsd(_) | Timers::Fixed(_) => None,
    };
    match tcp.recovery {
        Recovery::Rack(RackPlan { tail_probe: true, max_ack_delay, .. }) => {
            max_ack_delay.or(own) != Some(DELAY)
        }
        _ => false,
    }
}

/// True if a fine clock has other constants than the kernel's.
fn has_other_timers(tcp: &Tcp) -> bool {
    let seconds = Span::from_seconds;
    let Timers::Fine(timers) = &tcp.timers else { return false };
    let delays = tcp.ack != AckRule::EverySegment;
    (timers.initial_rto, timers.max_rto) != (seconds(1), seconds(120))
        || delays && timers.ack_delay != Span::from_milliseconds(40)
}

/// Keys that the kernel follows in part or not at all.
pub(crate) fn differences(tcp: &Tcp) -> Vec<String> {
    let by_time = matches!(tcp.recovery, Recovery::Rack(_));
    let has_sack = by_time || matches!(tcp.recovery, Recovery::Sack | Recovery::Thresholds(_));
    let at_once = match tcp.recovery {
        Recovery::Rack(plan) => plan.reduction == Reduction::AtOnce,
        Recovery::Thresholds(plan) => plan.reduction == Reduction::AtOnce,
        _ => true,
    };
    let is_cubic = matches!(tcp.congestion, CongestionLaw::Cubic(_));
    let grows_by_reno = matches!(
        tcp.congestion,
        CongestionLaw::Reno
            | CongestionLaw::Cubic(_)
            | CongestionLaw::Westwood(_)
            | CongestionLaw::Dctcp(_)
    );
    let is_new_reno = matches!(tcp.recovery, Recovery::NewReno | Recovery::NewRenoSteady);
    let told = [
        (!tcp.handshake, "handshake: connections open over the path, a round trip before the data"),
        (
            matches!(tcp.timers, Timers::Bsd(_)),
            "timers: of `bsd` the shortest timeout alone; the kernel has no slow ticks",
        ),
        (
            matches!(tcp.timers, Timers::Fixed(_)),
            "timers: timeouts are estimated as in RFC 6298, with the kernel's shortest one",
        ),
        (
            tcp.ack == AckRule::Delayed,
            "ack: the kernel acknowledges every segment at the start, and adapts the delay later",
        ),
        (
            has_sack && !by_time,
            "recovery: losses may be found by send times as well, as the kernel's version has it",
        ),
        (at_once, "recovery: cwnd is reduced in proportion (PRR), never at once"),
        (
            !tcp.limited_transmit && !tcp.recovery.keeps_log(),
            "limited_transmit: the kernel always has it",
        ),
        (tcp.initial_ssthresh.is_some(), "initial_ssthresh: unlimited"),
        (
            grows_by_reno && tcp.avoidance != Avoidance::Counted,
            "avoidance: windows open by whole segments for the data acknowledged, as `counted`",
        ),
        (
            tcp.recovery == Recovery::NewReno,
            "recovery: the timer restarts at every partial ACK, as with `new_reno_steady`",
        ),
        (
            is_new_reno && tcp.readings.full_ack != Some(FullAck::Ssthresh),
            "full_ack: cwnd becomes ssthresh",
        ),
        (is_cubic && !tcp.hystart, "hystart: the kernel's CUBIC has it, in an older form"),
        (!is_cubic && tcp.hystart, "hystart: only the kernel's CUBIC has it"),
        (is_draft(tcp), "congestion: BBR in its form `linux`"),
        (has_own_parameters(tcp.congestion), "congestion: parameters of the law: the kernel's own"),
        (
            matches!(tcp.ack, AckRule::Quick(plan) if plan.segments != SEGMENTS),
            "ack: the kernel's own number of segments is acknowledged at once",
        ),
        (
            probes_by_another_delay(tcp),
            "recovery: tail probes wait for ACKs that are delayed by 200 ms",
        ),
        (
            has_other_timers(tcp),
            "timers: `initial_rto` is 1 s, `max_rto` 120 s, and `ack_delay` from 40 ms on",
        ),
        (tcp.send_buffer.is_some(), "send_buffer: the kernel counts memory rather than bytes"),
        (
            tcp.short_segments == ShortSegments::Rfc1122,
            "short_segments: `linux`, which fills the receive window",
        ),
        (
            tcp.tso_defer && !tcp.recovery.keeps_log(),
            "tso_defer: simulated for rules with a log of the flight alone, as `rack`",
        ),
        (
            tcp.restart_after_idle == RestartAfterIdle::Bsd,
            "restart_after_idle: `rfc2861` is the nearest",
        ),
        (
            tcp.restart_after_idle == RestartAfterIdle::Rfc5681,
            "restart_after_idle: cwnd is halved for each timeout of a pause, as in RFC 2861",
        ),
        (
            matches!(tcp.timers, Timers::Fine(timers) if timers.granularity < timers.min_rto),
            "timers: the kernel adds `min_rto` to the round trip, as `granularity` is added",
        ),
        (
            matches!(tcp.timers, Timers::Fine(timers) if timers.samples != Sampling::Each),
            "timers: every ACK is a sample of the round trip, as with `samples = \"each\"`",
        ),
    ];
    told.into_iter().filter(|(is_so, _)| *is_so).map(|(_, said)| said.to_owned()).collect()
}
