//! Every drop policy with parameters, for a buffer of [`ROOM`].

use cellway_sim::engine::Stream;
use cellway_sim::switch::{
    Abc, AbcPlan, Average, Cake, Cobalt, CobaltPlan, Codel, Dfba, DfbaVc, DualPi2, DualPi2Plan,
    Epd, Ered, Fba, FqCodel, FqPie, FqStep, Framewise, Fred, Pie, PiePlan, Policy, Ppd,
    PriorityDrop, RandomDrop, Rcp, RcpPlan, Red, Rule, SelectiveDrop, Step, Tail, TwoQueuesPlan,
    VirtualQueuing, VqDynamicEpd, VqMcr, Xcp, XcpPlan,
};
use cellway_sim::units::{Bytes, Span};

/// K of most tests.
pub(crate) const ROOM: u64 = 120;
/// How many VCs pass.
pub(crate) const VCS: usize = 4;

/// An average that follows the queue at once; it takes a second to send a frame.
pub(crate) fn instant() -> Average {
    Average::new(1.0, Span::from_seconds(1))
}

pub(crate) fn stream(seed: u64) -> Stream {
    Stream::new(seed, "port.drop")
}

/// The defaults of RFC 8033.
pub(crate) fn pie_plan() -> PiePlan {
    PiePlan {
        target: Span::from_milliseconds(15),
        update: Span::from_milliseconds(15),
        alpha: 0.125,
        beta: 1.25,
        max_burst: Span::from_milliseconds(150),
        mean_frame: Bytes(1500),
        ecn: false,
        mark_threshold: 0.1,
        derandomise: false,
    }
}

/// The defaults of COBALT.
pub(crate) fn cobalt_plan() -> CobaltPlan {
    CobaltPlan {
        target: Span::from_milliseconds(5),
        interval: Span::from_milliseconds(100),
        mtu: Bytes(1500),
        ecn: false,
    }
}

/// COBALT on a line whose mtu takes 1.2 ms.
pub(crate) fn cobalt(seed: u64) -> Cobalt {
    Cobalt::new(&cobalt_plan(), Span::from_microseconds(1200), stream(seed))
}

/// The defaults of RFC 9332.
pub(crate) fn dual_pi2_plan() -> DualPi2Plan {
    DualPi2Plan {
        target: Span::from_milliseconds(15),
        update: Span::from_milliseconds(16),
        alpha: 0.16,
        beta: 3.2,
        coupling: 2.0,
        min_threshold: Span::from_microseconds(800),
        range: Span::from_microseconds(400),
        scheduler: TwoQueuesPlan::Weighted(16),
    }
}

/// The defaults of ABC.
pub(crate) fn abc_plan() -> AbcPlan {
    AbcPlan {
        eta: 0.98,
        delta: Span::from_milliseconds(133),
        delay_threshold: Span::from_milliseconds(50),
        window: Span::from_milliseconds(20),
        tokens: 5.0,
    }
}

/// The defaults of XCP.
pub(crate) fn xcp_plan() -> XcpPlan {
    let (interval, window) = (Span::from_milliseconds(50), Span::from_milliseconds(20));
    XcpPlan { alpha: 0.4, beta: 0.226, gamma: 0.1, interval, window }
}

/// The defaults of RCP.
pub(crate) fn rcp_plan() -> RcpPlan {
    let (update, window) = (Span::from_milliseconds(10), Span::from_milliseconds(20));
    RcpPlan { alpha: 0.4, beta: 1.0, eta: 1.0, initial: 0.05, least: 1.0, update, window }
}

/// For [`VCS`] VCs.
pub(crate) fn framewise(rule: impl Into<Rule>) -> Policy {
    Policy::Framewise(Framewise::new(rule, VCS))
}

/// Where VC 0 has two fifths of all minimum cell rates, and the others a fifth each.
pub(crate) fn dfba(low: u64, high: u64, seed: u64) -> Policy {
    let vcs = [2.0, 1.0, 1.0, 1.0].map(|weight| DfbaVc { weight, z: 1.0 }).to_vec();
    framewise(Dfba::new(low, high, 0.5, vcs, 5.0, stream(seed)))
}

/// Every policy, for a buffer of [`ROOM`], under its name in the scenario language.
pub(crate) fn all(seed: u64) -> Vec<(&'static str, Policy)> {
    let random_drop = |max_probability| RandomDrop::new(20, 100, max_probability);
    let mcrs = [100.0; VCS];
    vec![
        ("tail", Policy::Tail(Tail)),
        ("ppd", framewise(Rule::Ppd(Ppd))),
        ("epd", framewise(Epd::new(60))),
        ("step", framewise(Step::new(60))),
        ("selective_drop", framewise(SelectiveDrop::new(60, 0.8))),
        ("fba", framewise(Fba::new(60, 0.3))),
        ("red", framewise(Red::new(instant(), random_drop(0.3), stream(seed)))),
        (
            "fred",
            framewise(Fred::new(instant(), RandomDrop::new(40, 100, 0.3), 2, VCS, stream(seed))),
        ),
        (
            "codel",
            framewise(Codel::new(Span::from_milliseconds(5), Span::from_seconds(1), 48, false)),
        ),
        (
            "fq_codel",
            framewise(FqCodel::new(Codel::new(
                Span::from_milliseconds(5),
                Span::from_seconds(1),
                48,
                false,
            ))),
        ),
        ("cobalt", framewise(cobalt(1))),
        ("cake", framewise(Cake::new([cobalt(1), cobalt(2)]))),
        ("fq_pie", framewise(FqPie::new(Pie::new(pie_plan(), 0, stream(seed))))),
        ("fq_step", framewise(FqStep::new(Step::new(60)))),
        ("pie", framewise(Pie::new(pie_plan(), 0, stream(seed)))),
        ("dual_pi2", framewise(DualPi2::new(dual_pi2_plan()))),
        ("abc", framewise(Abc::new(abc_plan()))),
        ("xcp", framewise(Xcp::new(xcp_plan()))),
        ("rcp", framewise(Rcp::new(rcp_plan()))),
        ("virtual_queuing", framewise(VirtualQueuing::new(20, VCS))),
        ("vq_dynamic_epd", framewise(VqDynamicEpd::new(60, VCS))),
        ("vq_mcr", framewise(VqMcr::new(20, Span::from_milliseconds(100), &mcrs))),
        (
            "ered",
            framewise(Ered::new(instant(), random_drop(0.5), random_drop(0.02), stream(seed))),
        ),
        ("priority", framewise(PriorityDrop::new(40, 80))),
        ("dfba", dfba(40, 100, seed)),
    ]
}
