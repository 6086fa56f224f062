//! Two TCP endpoints driven by hand, without a network: the caller owns the clock and the pipe
//! between them, which takes 10 ms and loses every hundredth segment of data.
//!
//! An endpoint does no input or output. Segments that arrive go into `on_segment`, expired timers
//! into `on_timeout`. After either, `poll_transmit` gives the segments to send until it gives none,
//! and `next_timeout` says when the endpoint has to be called again.
//!
//! `cargo run --example endpoint_by_hand`

use std::collections::VecDeque;

use cellway_sim::tcp::{Config, Connection, Event, Recovery, Role, Segment, TickPhases, Timers};
use cellway_sim::units::{Bytes, Span, Time};

/// Segments on their way: instant of arrival, receiving end, and segment.
#[derive(Default)]
struct Pipe {
    under_way: VecDeque<(Time, usize, Segment)>,
    data_segments: u32,
}

impl Pipe {
    const DELAY: Span = Span::from_milliseconds(10);

    fn send(&mut self, now: Time, from: usize, segment: Segment) {
        self.data_segments += u32::from(segment.len > 0);
        let is_lost = segment.len > 0 && self.data_segments.is_multiple_of(100);
        if !is_lost {
            self.under_way.push_back((now + Self::DELAY, 1 - from, segment));
        }
    }

    fn next_arrival(&self) -> Time {
        self.under_way.front().map_or(Time::MAX, |(at, ..)| *at)
    }
}

pub(crate) fn main() {
    let config = Config {
        mss: Bytes(1460),
        recovery: Recovery::NewReno,
        timers: Timers::default(),
        handshake: true,
        ..Config::default()
    };
    let end = |role| Connection::new(&config, role, TickPhases::default());
    let mut ends = [end(Role::Active), end(Role::Passive)];
    let mut pipe = Pipe::default();
    let mut now = Time::ZERO;

    ends.iter_mut().for_each(Connection::open);
    ends[0].write(1_000_000);
    ends[0].close();
    loop {
        for (index, end) in ends.iter_mut().enumerate() {
            while let Some(segment) = end.poll_transmit(now) {
                pipe.send(now, index, segment);
            }
            while let Some(event) = end.poll_event() {
                report(now, index, end, event);
            }
        }
        let timeouts = ends.each_ref().map(Connection::next_timeout);
        now = pipe.next_arrival().min(timeouts[0]).min(timeouts[1]);
        if now == Time::MAX {
            break;
        }
        if pipe.next_arrival() > now {
            for end in &mut ends {
                end.on_timeout(now);
            }
        } else if let Some((_, to, segment)) = pipe.under_way.pop_front() {
            ends[to].on_segment(now, &segment);
        }
    }
    let counters = ends[0].counters();
    println!(
        "{} segments sent, {} of them again; {} fast retransmits, {} timeouts",
        counters.segments_sent,
        counters.retransmitted_segments,
        counters.fast_retransmits,
        counters.timeouts
    );
    assert_eq!(ends[1].delivered(), 1_000_000);
}

fn report(now: Time, index: usize, end: &Connection, event: Event) {
    let name = ["sender", "receiver"][index];
    println!(
        "{:7.3} s  {name:8}  {event:?}: {} bytes acknowledged, {} delivered, cwnd {} bytes",
        now.seconds_f64(),
        end.acked(),
        end.delivered(),
        end.cwnd()
    );
}
