//! One end of a TCP connection: opening and closing, and the interface that a driver feeds and
//! drains.
//!
//! The states are those of RFC 9293 §3.3.2 as far as they make a difference here: the closing
//! states differ by whether each half is finished.

mod inspect;
mod path_state;

use super::behaviour::lost_syn::LostSyn;
use super::behaviour::{Behaviour, Behaviours, Given};
use super::clocks::TickPhases;
use super::config::Config;
use super::congestion::{Congestion, Rule};
use super::receive::Receiver;
use super::receive::echo::Earlier;
use super::send::Sender;
use crate::pdu::{Flags, SackOption, Segment};
use crate::units::Time;

/// The end of a connection, by its part in the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Sends the first SYN.
    Active,
    /// Waits for the first SYN.
    Passive,
}

/// An event for the application. Each happens at most once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Data can flow.
    Connected,
    /// All that the peer will ever send has arrived.
    Finished,
    /// All data and our FIN are acknowledged.
    Closed,
    /// The timer expired after twelve timeouts in a row; nothing more will happen.
    Aborted,
}

impl Event {
    /// All events, in the order in which simultaneous ones are polled.
    const ALL: [Self; 4] = [Self::Connected, Self::Finished, Self::Closed, Self::Aborted];
}

/// Events that have happened, and those still to be polled; a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Events {
    happened: u8,
    pending: u8,
}

impl Events {
    /// Notes an event; only its first time counts.
    fn happen(&mut self, event: Event) {
        let bit = 1 << event as u8;
        self.pending |= bit & !self.happened;
        self.happened |= bit;
    }

    /// Removes and returns the first event to be polled.
    #[inline]
    fn take(&mut self) -> Option<Event> {
        if self.pending == 0 {
            return None;
        }
        let index = self.pending.trailing_zeros();
        self.pending &= self.pending - 1;
        Some(Event::ALL[index as usize])
    }
}

/// Options of a SYN that count when both carry them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Options {
    /// Windows are scaled (RFC 7323 §2.2).
    scale: bool,
    /// Selective acknowledgements are permitted (RFC 2018 §2).
    sack: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Closed,
    Listen,
    SynSent,
    SynReceived,
    Established,
    Aborted,
}

/// A sans-IO TCP endpoint under the rule of congestion control `R`, by default one of ours. See the
/// [module](super) for the contract.
#[derive(Clone, Debug)]
pub struct Connection<R = Rule> {
    state: State,
    role: Role,
    handshake: bool,
    lost_syn: LostSyn,
    /// The options that our SYN carries.
    offered: Options,
    /// Options that both SYNs carry.
    agreed: Options,
    sender: Sender<R>,
    receiver: Receiver,
    behaviours: Behaviours,
    acks_sent: u64,
    events: Events,
}

impl Connection {
    /// Makes a closed connection. `phases` are those of its host's ticks.
    pub fn new(config: &Config, role: Role, phases: TickPhases) -> Self {
        Self::with_rule(config, Rule::new(config), role, phases)
    }
}

impl<R: Congestion> Connection<R> {
    /// Makes a closed connection under the rule `control`, which need not be one of ours:
    /// `config.recovery` is not read. The two ends exchange selective acknowledgements if the rule
    /// of the other end reads them, too.
    pub fn with_rule(config: &Config, control: R, role: Role, phases: TickPhases) -> Self {
        assert!(
            config.full_segment() > 0 && config.window.0 > 0,
            "a segment and a window hold something"
        );
        let (sacks, follows_rfcs) = (control.reads_sack(), control.follows_rfcs());
        let given =
            Given { phases, mss: config.full_segment(), initial_window: config.initial().cwnd() };
        let offered = Options { scale: config.window_scaling, sack: sacks };
        Self {
            state: State::Closed,
            role,
            handshake: config.handshake,
            lost_syn: config.readings.lost_syn.unwrap_or(LostSyn::Rfc5681),
            offered,
            agreed: if config.handshake { Options::default() } else { offered },
            sender: Sender::new(config, control, phases),
            receiver: Receiver::new(config, follows_rfcs, sacks, phases),
            behaviours: Behaviours::new(config, given),
            acks_sent: 0,
            events: Events::default(),
        }
    }

    /// Opens the connection: the active end sends its SYN, the passive end waits; without a
    /// handshake both are established.
    pub fn open(&mut self) {
        assert_eq!(self.state, State::Closed, "a connection is opened once");
        if self.handshake {
            self.state = if self.role == Role::Active { State::SynSent } else { State::Listen };
        } else {
            self.receiver.on_syn();
            self.agree(None);
            let window = self.receiver.advertise(self.agreed.scale);
            self.sender.skip_handshake(window);
            self.establish();
        }
    }

    /// Adds `bytes` to the data that the application has written.
    pub fn write(&mut self, bytes: u64) {
        self.sender.write(bytes, &mut self.behaviours);
    }

    /// Adds data without end.
    pub fn write_forever(&mut self) {
        self.sender.write_forever(&mut self.behaviours);
    }

    /// Takes back written data beyond the first `bytes`, except data that have been sent.
    pub fn take_back_beyond(&mut self, bytes: u64) {
        self.sender.take_back_beyond(bytes);
    }

    /// Closes this direction: a FIN follows the data. The other direction stays open.
    pub fn close(&mut self) {
        self.sender.close();
    }

    /// Lets the application read when it wants to, by [`read`](Self::read), whatever reader the
    /// configuration has. Must be called before the connection is opened.
    pub fn read_late(&mut self) {
        self.receiver.read_late();
    }

    /// Reads `bytes` of those that wait for the application.
    pub fn read(&mut self, bytes: u64) {
        assert!(bytes <= self.unread(), "no more is read than waits");
        self.receiver.read(bytes, self.agreed.scale);
    }

    /// Takes a segment that has arrived.
    #[inline]
    pub fn on_segment(&mut self, now: Time, segment: &Segment) {
        match self.state {
            State::Established => self.on_established_segment(now, segment),
            _ => self.on_other_segment(now, segment),
        }
    }

    #[cold]
    fn on_other_segment(&mut self, now: Time, segment: &Segment) {
        match self.state {
            State::Listen | State::SynSent => self.on_first_segment(now, segment),
            State::SynReceived => self.on_segment_after_syn(now, segment),
            State::Closed | State::Aborted | State::Established => {}
        }
    }

    /// Runs the timers that expire at or before `now`.
    pub fn on_timeout(&mut self, now: Time) {
        if self.receiver.next_timeout() <= now {
            self.receiver.on_timeout();
        }
        let own = &mut self.behaviours;
        if self.sender.next_timeout() <= now && !self.sender.on_timeout(now, own) {
            self.state = State::Aborted;
            self.receiver.stop();
            self.events.happen(Event::Aborted);
        }
    }

    /// The next segment to send. Call until `None`.
    #[expect(clippy::inline_always, reason = "every segment of a host")]
    #[inline(always)]
    pub fn poll_transmit(&mut self, now: Time) -> Option<Segment> {
        match self.state {
            State::Established => self.poll_established(now),
            _ => self.poll_syn(now),
        }
    }

    /// The next event. Call until `None`.
    #[inline]
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.take()
    }

    /// The instant at which `on_timeout` is due; [`Time::MAX`] if no timer runs.
    pub fn next_timeout(&self) -> Time {
        self.sender.next_timeout().min(self.receiver.next_timeout())
    }

    /// Agrees on the options of behaviours, and on the echo of marks.
    fn agree(&mut self, syn: Option<&Segment>) {
        self.behaviours.agree(syn);
        self.receiver.use_echo(self.behaviours.echo_mode());
    }

    fn establish(&mut self) {
        self.state = State::Established;
        self.events.happen(Event::Connected);
    }

    fn on_first_segment(&mut self, now: Time, segment: &Segment) {
        let is_answer = segment.flags.contains(Flags::ACK) && segment.ack == 1;
        if !segment.flags.contains(Flags::SYN) || is_answer && self.role == Role::Passive {
            return;
        }
        // RFC 7323 §2.2 and RFC 2018 §2: an option counts when both SYNs carry it.
        self.agreed = Options {
            scale: self.offered.scale && segment.flags.contains(Flags::SCALE),
            sack: self.offered.sack && segment.sack == SackOption::PERMITTED,
        };
        self.agree(Some(segment));
        self.receiver.on_syn();
        self.sender.on_window(segment.window, 0);
        if !is_answer {
            // RFC 9293 §3.5: an end that has sent a SYN of its own sends it again as an answer.
            self.sender.repeat_syn();
            self.state = State::SynReceived;
            return;
        }
        self.on_syn_acked(now, segment);
        if self.sender.written_bytes() > 0 {
            self.receiver.ask_for_ack();
        } else {
            self.receiver.acknowledge_syn(segment.ecn);
        }
        self.establish();
    }

    fn on_syn_acked(&mut self, now: Time, segment: &Segment) {
        let echo = self.behaviours.echo_of_syn(now, segment);
        self.sender.on_syn_acked(now, self.lost_syn, echo);
    }

    fn on_segment_after_syn(&mut self, now: Time, segment: &Segment) {
        // A repeated SYN is not answered: our timer started no later than one delay after the
        // peer's (Net/3). The answer to ours is, where both ends have sent a SYN.
        let may_answer = self.role == Role::Active || !segment.flags.contains(Flags::SYN);
        if may_answer && segment.ack == 1 {
            self.on_syn_acked(now, segment);
            self.establish();
            let segment = self.behaviours.count_from_ack_of_syn(segment);
            self.on_established_segment(now, &segment);
        }
    }

    #[expect(clippy::inline_always, reason = "every segment of a host")]
    #[inline(always)]
    fn on_established_segment(&mut self, now: Time, segment: &Segment) {
        if segment.flags.contains(Flags::SYN) {
            // RFC 9293 §3.10.7.4: our ACK of the SYN+ACK was lost.
            self.receiver.ask_for_ack();
            return;
        }
        if !self.behaviours.accepts(segment, self.receiver.last_acked()) {
            // RFC 7323 §5.3 R1.
            self.receiver.ask_for_ack();
            return;
        }
        self.sender.on_ack(now, segment, &mut self.behaviours);
        if self.receiver.is_quick() {
            self.receiver.on_quick_segment(now, segment, self.sender.round_trip());
        } else {
            self.receiver.on_segment(now, segment);
        }
        if self.sender.is_finished() {
            self.events.happen(Event::Closed);
        }
        if self.receiver.is_finished() {
            self.events.happen(Event::Finished);
        }
    }

    /// The SYN, if it is due.
    #[cold]
    fn poll_syn(&mut self, now: Time) -> Option<Segment> {
        let may_send = matches!(self.state, State::SynSent | State::SynReceived);
        if !may_send || !self.sender.poll_syn(now) {
            return None;
        }
        let is_answer = self.state == State::SynReceived;
        let options = if is_answer { self.agreed } else { self.offered };
        // RFC 7323 §2.2: the window of a SYN is never scaled.
        let window = self.receiver.advertise(false);
        let ack = self.receiver.rcv_nxt();
        let flags = Flags::SYN | Flags::ACK.when(is_answer) | Flags::SCALE.when(options.scale);
        let sack = if options.sack { SackOption::PERMITTED } else { SackOption::ABSENT };
        let mut syn = Segment { seq: 0, ack, window, flags, sack, ..Segment::default() };
        self.behaviours.offer(&mut syn);
        self.behaviours.stamp(now, None, &mut syn);
        Some(syn)
    }

    #[expect(clippy::inline_always, reason = "every segment of a host")]
    #[inline(always)]
    fn poll_established(&mut self, now: Time) -> Option<Segment> {
        if self.receiver.has_earlier()
            && let Some(earlier) = self.receiver.take_earlier()
        {
            return Some(self.acknowledge_earlier(now, &earlier));
        }
        let piece = self.sender.poll(now, &mut self.behaviours);
        let (seq, len, fin) = if let Some(piece) = piece {
            (piece.seq, piece.len as u16, Flags::FIN.when(piece.fin))
        } else if self.receiver.is_ack_due() {
            self.acks_sent += 1;
            (self.sender.snd_max(), 0, Flags::default())
        } else {
            return None;
        };
        let window = self.receiver.on_ack_sent(self.agreed.scale);
        let flags = fin | Flags::ACK | self.receiver.echo();
        let ack = self.receiver.rcv_nxt();
        let mut segment = Segment { seq, ack, window, len, flags, ..Segment::default() };
        self.behaviours.stamp(now, piece, &mut segment);
        // Beside data, blocks would take space from them and move every later boundary.
        if len == 0 && self.agreed.sack {
            segment.sack = self.receiver.sack();
        } else if self.behaviours.have_rate_header() {
            self.add_rate_header(&mut segment);
        }
        Some(segment)
    }

    #[cold]
    fn add_rate_header(&mut self, segment: &mut Segment) {
        let (cwnd, srtt) = (self.sender.cwnd(), self.sender.round_trip().smoothed);
        let header = self.behaviours.rate_header(segment.len > 0, cwnd, srtt);
        segment.sack = header.map_or(SackOption::ABSENT, SackOption::of_header);
    }

    /// The ACK of data before a change of marks, which those behind it do not share.
    #[cold]
    fn acknowledge_earlier(&mut self, now: Time, earlier: &Earlier) -> Segment {
        self.acks_sent += 1;
        let seq = self.sender.snd_max();
        let window = self.receiver.advertise(self.agreed.scale);
        let Earlier { ack, echo } = *earlier;
        let flags = Flags::ACK | echo;
        let mut segment = Segment { seq, ack, window, flags, ..Segment::default() };
        self.behaviours.stamp(now, None, &mut segment);
        segment
    }
}
