//! Queues after one Δ, given the growth of the window in it.

use super::modulation::{Pair, Rate};
use super::path::{Path, Sender};

/// Packets of the window by their place at a multiple of Δ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Queues {
    /// a: in the ABR source.
    pub(super) source: u32,
    /// b: in the bottleneck buffer.
    pub(super) buffer: u32,
    /// d: in propagation, or their acknowledgements.
    pub(super) flight: u32,
}

impl Queues {
    /// The window while nothing is lost.
    pub(super) fn window(self) -> u32 {
        self.source + self.buffer + self.flight
    }
}

/// Outcome of a Δ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interval {
    /// No packet is lost; the queues at its end.
    Lossless(Queues),
    /// The buffer overflows.
    Lossy {
        /// n: packets that enter the buffer before the first that is lost.
        entered: u32,
    },
}

/// Outcome of one Δ from `queues`, in which the window grows by `growth`.
pub(super) fn interval(
    path: &Path,
    sender: Sender,
    queues: Queues,
    pair: Pair,
    growth: u32,
) -> Interval {
    let served = packets(path, pair.link);
    let (waiting, overflow) = match sender {
        Sender::TcpOverAbr => {
            let sent = packets(path, pair.source);
            paced(path, queues, growth, sent, served)
        }
        Sender::TcpOverConstantRate(sent) => paced(path, queues, growth, sent, served),
        Sender::TcpAlone => {
            let acknowledged = packets(path, pair.source);
            (0, clocked(path, queues, growth, acknowledged, served))
        }
    };
    if let Some(entered) = overflow {
        return Interval::Lossy { entered };
    }
    let enter = queues.source + queues.flight + growth - waiting;
    let flight = (queues.buffer + enter).min(served);
    Interval::Lossless(Queues { source: waiting, buffer: queues.buffer + enter - flight, flight })
}

/// Packets that a link of this rate sends in a Δ.
pub(super) fn packets(path: &Path, rate: Rate) -> u32 {
    match rate {
        Rate::High => path.high,
        Rate::Low => path.low,
    }
}

/// Outcome of a source that sends up to `sent` packets at even distances: the packets that wait in
/// it afterwards, and, if the buffer overflows, the packets that entered before.
///
/// The link serves `served` packets while `sent` are sent, so that each adds (sent - served)/sent
/// to the queue.
fn paced(path: &Path, queues: Queues, growth: u32, sent: u32, served: u32) -> (u32, Option<u32>) {
    let ready = queues.source + queues.flight + growth;
    let enter = ready.min(sent);
    let waiting = ready - enter;
    if sent <= served {
        return (waiting, None);
    }
    let room = (path.buffer - queues.buffer) * sent / (sent - served);
    (waiting, (enter > room).then_some(room))
}

/// Outcome of packets released by acknowledgements, of which `acknowledged` fill a Δ: if the buffer
/// overflows, the packets that entered before.
fn clocked(
    path: &Path,
    queues: Queues,
    growth: u32,
    acknowledged: u32,
    served: u32,
) -> Option<u32> {
    let flight = queues.flight;
    // While they arrive, the link serves flight·served/acknowledged, at most `served`.
    let surplus = (flight * acknowledged).saturating_sub(flight.min(acknowledged) * served);
    let room = path.buffer - queues.buffer;
    if growth * acknowledged + surplus <= room * acknowledged {
        return None;
    }
    let places = (room * acknowledged * flight).checked_div(surplus);
    Some(places.map_or(flight, |places| places.min(flight + growth)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::renewal::tests::PAPER;

    fn at(source: u32, buffer: u32, flight: u32) -> Queues {
        Queues { source, buffer, flight }
    }

    fn pair(link: Rate, source: Rate) -> Pair {
        Pair { link, source }
    }

    /// By hand at Δ = 40, B = 10: the source sends 20 per Δ into a link of 20; 5 wait more.
    #[test]
    fn equal_rates_leave_the_buffer_alone() {
        let next =
            interval(&PAPER, Sender::TcpOverAbr, at(4, 3, 20), pair(Rate::Low, Rate::Low), 1);
        assert_eq!(next, Interval::Lossless(at(5, 3, 20)));
    }

    /// A link of half the source's rate keeps every second packet: 10 places last for 20 packets.
    #[test]
    fn a_link_of_half_the_rate_overflows_after_twice_the_room() {
        let slower = pair(Rate::Low, Rate::High);
        let fits = interval(&PAPER, Sender::TcpOverAbr, at(0, 0, 19), slower, 1);
        assert_eq!(fits, Interval::Lossless(at(0, 0, 20)));
        let lost = interval(&PAPER, Sender::TcpOverAbr, at(0, 0, 20), slower, 1);
        assert_eq!(lost, Interval::Lossy { entered: 20 });
        let less_room = interval(&PAPER, Sender::TcpOverAbr, at(0, 4, 20), slower, 0);
        assert_eq!(less_room, Interval::Lossy { entered: 12 });
    }

    /// TCP alone at equal rates: the buffer grows as much as the window.
    #[test]
    fn alone_the_window_fills_the_buffer_at_equal_rates() {
        let even = pair(Rate::High, Rate::High);
        let fits = interval(&PAPER, Sender::TcpAlone, at(0, 8, 40), even, 2);
        assert_eq!(fits, Interval::Lossless(at(0, 10, 40)));
        let lost = interval(&PAPER, Sender::TcpAlone, at(0, 8, 40), even, 3);
        assert_eq!(lost, Interval::Lossy { entered: 40 });
    }

    /// 20 acknowledgements per Δ that release packets into a link of 10 more: at half the rate each
    /// adds half a packet.
    #[test]
    fn alone_a_slower_link_keeps_half_of_what_it_is_sent() {
        let slower = pair(Rate::Low, Rate::High);
        let fits = interval(&PAPER, Sender::TcpAlone, at(0, 0, 18), slower, 1);
        assert_eq!(fits, Interval::Lossless(at(0, 0, 19)));
        let lost = interval(&PAPER, Sender::TcpAlone, at(0, 0, 30), slower, 0);
        assert_eq!(lost, Interval::Lossy { entered: 20 });
    }

    /// After slow start 26 packets are on their way on a link of 20: the rest is queued.
    #[test]
    fn alone_more_than_a_round_trip_holds_is_queued() {
        let even = pair(Rate::Low, Rate::Low);
        let fits = interval(&PAPER, Sender::TcpAlone, at(0, 0, 26), even, 1);
        assert_eq!(fits, Interval::Lossless(at(0, 7, 20)));
        let lost = interval(&PAPER, Sender::TcpAlone, at(0, 0, 31), even, 0);
        assert_eq!(lost, Interval::Lossy { entered: 28 });
    }

    #[test]
    fn a_faster_link_empties_the_buffer() {
        let faster = pair(Rate::High, Rate::Low);
        let next = interval(&PAPER, Sender::TcpOverAbr, at(10, 10, 20), faster, 1);
        assert_eq!(next, Interval::Lossless(at(11, 0, 30)));
    }
}
