//! The rows of [`recovery_table`](crate::recovery_table): rules, their readings, the figures of
//! ns-2, and why they differ.

use cellway_sim::tcp::{
    FastRetransmitGuard, FullAck, RackPlan, Readings, Recovery, Reduction, ThresholdsPlan, Undo,
};

/// ns-2's segments sent again, timeouts, and round trips for all 200.
pub(crate) type Elsewhere = [(u64, u64, f64); 6];

pub(crate) struct Subject {
    pub(crate) rule: Recovery,
    pub(crate) guard: FastRetransmitGuard,
    pub(crate) readings: Readings,
    pub(crate) name: &'static str,
    /// With how many round trips ours may be apart, for the reason given.
    pub(crate) elsewhere: Option<(Elsewhere, f64)>,
    /// Why it differs from the rules before it, and where it differs from ns-2.
    pub(crate) why: &'static str,
}

const AS_THE_RULE: Readings = Readings {
    slow_start_at_ssthresh: None,
    growth_after_recovery: None,
    third_duplicate_sends: None,
    full_ack: None,
    byte_counting: None,
    reduces: None,
    lost_syn: None,
};

/// Scores of Agent/TCP/Reno.
const AS_NS2: Readings = Readings {
    slow_start_at_ssthresh: Some(false),
    third_duplicate_sends: Some(true),
    ..AS_THE_RULE
};

/// A rule as it is read by default, with the guard.
const GUARDED: Subject = Subject {
    rule: Recovery::Tahoe,
    guard: FastRetransmitGuard::Always,
    readings: AS_THE_RULE,
    name: "",
    elsewhere: None,
    why: "",
};

const UNGUARDED: Subject = Subject { guard: FastRetransmitGuard::Never, ..GUARDED };

const RENO_OF_NS2: Elsewhere =
    [(1, 0, 12.0), (2, 1, 28.0), (4, 1, 29.0), (6, 1, 28.0), (10, 1, 32.0), (19, 1, 32.0)];
const GUARDED_RENO_OF_NS2: Elsewhere =
    [(1, 0, 12.0), (2, 1, 28.0), (4, 1, 29.0), (6, 1, 28.0), (9, 1, 29.0), (18, 1, 30.0)];
const NEW_RENO_OF_NS2: Elsewhere =
    [(1, 0, 12.0), (2, 0, 13.0), (3, 0, 14.0), (4, 0, 15.0), (5, 0, 15.0), (8, 0, 18.0)];

pub(crate) const SUBJECTS: [Subject; 15] = [
    Subject {
        rule: Recovery::Vanilla,
        name: "vanilla",
        why: "Every loss waits for the timer; going back then repairs the others in slow start. \
              What has arrived already is sent again until an ACK jumps over it.",
        ..UNGUARDED
    },
    Subject {
        rule: Recovery::Tahoe,
        name: "tahoe",
        elsewhere: Some((
            [(1, 0, 14.0), (3, 0, 15.0), (5, 0, 14.0), (7, 0, 15.0), (10, 0, 15.0), (19, 0, 15.0)],
            0.0,
        )),
        why: "The same slow start, a timeout earlier. The guard keeps duplicates of what is sent \
              twice from another fast retransmit. As ns-2 in all columns.",
        ..GUARDED
    },
    Subject {
        rule: Recovery::Tahoe,
        name: "tahoe, no guard (4.3BSD)",
        why: "snd_nxt is restored: one loss costs one segment. With more nothing can leave after \
              the first repair, as 28 are outstanding and cwnd is 2: the next hole waits for the \
              timer. ns-2 without its guard is another thing: it goes \
              back, and repeats itself (five losses: 25 sent again).",
        ..UNGUARDED
    },
    Subject {
        rule: Recovery::Reno,
        name: "reno",
        elsewhere: Some((RENO_OF_NS2, 1.0)),
        why: "Half the window goes on while one hole is repaired. A second one needs three more \
              duplicates, and where losses stand side by side nothing new was sent that could \
              cause them: the timer. ns-2 is up to a round trip slower: from ssthresh on its \
              window opens linearly, also with the ACK that ends its recovery.",
        ..UNGUARDED
    },
    Subject {
        rule: Recovery::Reno,
        name: "reno, guard",
        elsewhere: Some((GUARDED_RENO_OF_NS2, 1.0)),
        why: "The second hole waits for the timer in any case, and ssthresh is not halved once \
              more.",
        ..GUARDED
    },
    Subject {
        rule: Recovery::Reno,
        readings: AS_NS2,
        name: "reno, slow_start_at_ssthresh = false, third_duplicate_sends = true",
        elsewhere: Some((RENO_OF_NS2, 0.0)),
        why: "The readings of ns-2.",
        ..UNGUARDED
    },
    Subject {
        rule: Recovery::Reno,
        readings: AS_NS2,
        name: "reno, guard, slow_start_at_ssthresh = false, third_duplicate_sends = true",
        elsewhere: Some((GUARDED_RENO_OF_NS2, 0.0)),
        why: "The readings of ns-2.",
        ..GUARDED
    },
    Subject {
        rule: Recovery::NewReno,
        name: "new_reno",
        elsewhere: Some((NEW_RENO_OF_NS2, 2.0)),
        why: "A partial ACK repairs the next hole: a round trip each, and no timer as long as it \
              lasts. The receiver's window is full, so nothing new is outstanding at the end, and \
              of RFC 6582's two windows ours goes on with the \
              smaller, two segments; ns-2 and hoe take ssthresh and are up to two round trips \
              faster.",
        ..GUARDED
    },
    Subject {
        rule: Recovery::NewReno,
        readings: Readings { full_ack: Some(FullAck::Ssthresh), ..AS_THE_RULE },
        name: "new_reno, full_ack = \"ssthresh\"",
        elsewhere: Some((NEW_RENO_OF_NS2, 0.0)),
        why: "RFC 6582's other window, that of ns-2.",
        ..GUARDED
    },
    Subject {
        rule: Recovery::NewRenoSteady,
        name: "new_reno_steady",
        why: "As new_reno: the holes are repaired before the timer, which the first partial ACK \
              has restarted, runs out.",
        ..GUARDED
    },
    Subject {
        rule: Recovery::Hoe,
        name: "hoe",
        why: "A hole per round trip, too; cwnd becomes ssthresh at once at the end. (Its new \
              segment for every two duplicates finds no room in the receiver's window here.)",
        ..UNGUARDED
    },
    Subject {
        rule: Recovery::SackPipe,
        name: "sack_pipe",
        elsewhere: Some((
            [(1, 0, 12.0), (2, 0, 12.0), (3, 0, 13.0), (4, 0, 13.0), (5, 0, 13.0), (8, 0, 13.0)],
            0.0,
        )),
        why: "Reports name all holes, and each leaves as soon as the pipe has room; but what is \
              lost stands in it until the end. As ns-2 in all columns, since the first repair is \
              not counted.",
        ..GUARDED
    },
    Subject {
        rule: Recovery::Sack,
        name: "sack",
        why: "What is lost leaves the pipe at once: all holes are repaired in the first round \
              trip. As the receiver's window keeps new data back, the rescue (RFC 6675, rule 4) \
              repeats the last repair after three or more.",
        ..GUARDED
    },
    Subject {
        rule: Recovery::Thresholds(ThresholdsPlan {
            reduction: Reduction::AtOnce,
            undo: Undo::Never,
        }),
        name: "thresholds",
        why: "A lost segment leaves the flight, and its repair joins it: nothing is repeated, as \
              there is no rescue.",
        ..GUARDED
    },
    Subject {
        rule: Recovery::Rack(RackPlan {
            reduction: Reduction::Prr,
            undo: Undo::Both,
            tail_probe: true,
            max_ack_delay: None,
        }),
        name: "rack",
        why: "PRR sends in proportion from the first ACK on, where `thresholds` waits until half \
              the window has left.",
        ..GUARDED
    },
];
