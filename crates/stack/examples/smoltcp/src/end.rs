//! One end of a flow: smoltcp's interface with one socket, and the application above it.

use cellway_sim::units::Time;
use cellway_stack::{Answer, Call, Event, Greeting, Role, Stack, StackError, State, Turn};
use smoltcp::iface::{Config, Interface, PollResult, SocketHandle, SocketSet};
use smoltcp::socket::tcp::{self, CongestionControl, Socket, SocketBuffer};
use smoltcp::time::Instant;
use smoltcp::wire::{HardwareAddress, IpCidr};

use crate::link::Link;

/// Number of octets after which a stream repeats.
const PERIOD: u64 = 251;
/// Picoseconds of smoltcp's unit of time.
const MICROSECOND: i64 = 1_000_000;

/// One end of a flow.
pub(crate) struct End {
    facts: Greeting,
    congestion: CongestionControl,
    link: Link,
    interface: Interface,
    sockets: SocketSet<'static>,
    handle: SocketHandle,
    /// State of the connection when it was last looked at.
    state: tcp::State,
    /// Length of the stream as far as it is known, and if it ends there.
    asked: u64,
    is_last: bool,
    written: u64,
    acked: u64,
    delivered: u64,
    has_ended: bool,
    is_shut: bool,
    /// Closed or failed, which is the last that is told.
    is_over: bool,
    queued: usize,
}

impl End {
    /// Makes an end with the receive buffer of the scenario, and a send buffer of twice that.
    pub(crate) fn new(facts: &Greeting, congestion: CongestionControl) -> Self {
        let mtu = facts.mtu as usize;
        let mut link = Link { mtu, arrived: [].into(), sent: Vec::new() };
        let mut config = Config::new(HardwareAddress::Ip);
        config.random_seed = facts.seed;
        let mut interface = Interface::new(config, &mut link, Instant::ZERO);
        interface.update_ip_addrs(|own| {
            own.push(IpCidr::new((*facts.own.ip()).into(), 0)).expect("room for one address");
        });
        let buffer = |octets: u64| SocketBuffer::new(vec![0; octets as usize]);
        let mut socket = Socket::new(buffer(facts.window), buffer(2 * facts.window));
        socket.set_congestion_control(congestion);
        let mut sockets = SocketSet::new(Vec::new());
        let handle = sockets.add(socket);
        let state = tcp::State::Closed;
        Self {
            facts: facts.clone(),
            congestion,
            link,
            interface,
            sockets,
            handle,
            state,
            asked: 0,
            is_last: false,
            written: 0,
            acked: 0,
            delivered: 0,
            has_ended: false,
            is_shut: false,
            is_over: false,
            queued: 0,
        }
    }

    fn call(&mut self, call: Call) -> Result<(), StackError> {
        match call {
            Call::Open => self.open()?,
            Call::Write(octets) => self.asked += octets,
            Call::WriteForever => self.asked = u64::MAX,
            Call::Close(octets) => (self.asked, self.is_last) = (octets.max(self.written), true),
        }
        Ok(())
    }

    fn open(&mut self) -> Result<(), StackError> {
        let socket = self.sockets.get_mut::<Socket>(self.handle);
        let (own, peer) = (self.facts.own, self.facts.peer);
        let opened = match self.facts.role {
            Role::Origin => socket
                .connect(self.interface.context(), peer, own.port())
                .map_err(|fault| fault.to_string()),
            Role::Destination => socket.listen(own.port()).map_err(|fault| fault.to_string()),
        };
        self.state = socket.state();
        opened.map_err(StackError::new)
    }

    /// Lets smoltcp and the application act, until neither has anything to do.
    fn settle(&mut self, now: Instant, answer: &mut Answer) -> Result<(), StackError> {
        loop {
            let polled = self.interface.poll(now, &mut self.link, &mut self.sockets);
            let has_acted = self.serve(answer)?;
            if polled == PollResult::None && !has_acted {
                return Ok(());
            }
        }
    }

    /// Reads, tells what has happened, and writes; true if smoltcp has got something to do.
    fn serve(&mut self, answer: &mut Answer) -> Result<bool, StackError> {
        if self.is_over {
            return Ok(false);
        }
        let socket = self.sockets.get_mut::<Socket>(self.handle);
        let before = std::mem::replace(&mut self.state, socket.state());
        if is_open(self.state) && !is_open(before) {
            answer.events.push(Event::Opened);
        }
        let has_read = read(socket, &mut self.delivered, answer)?;
        if has_peer_ended(self.state) && socket.recv_queue() == 0 && !self.has_ended {
            self.has_ended = true;
            answer.events.push(Event::Ended);
        }
        let acked = self.written - socket.send_queue() as u64;
        if acked > self.acked {
            self.acked = acked;
            answer.events.push(Event::Acked(acked));
        }
        if self.state == tcp::State::Closed && before != self.state {
            self.is_over = true;
            let is_closed = before == tcp::State::LastAck;
            answer.events.push(if is_closed { Event::Closed } else { Event::Failed });
        } else if matches!(self.state, tcp::State::FinWait2 | tcp::State::TimeWait) {
            if !matches!(before, tcp::State::FinWait2 | tcp::State::TimeWait) {
                answer.events.push(Event::Closed);
            }
        }
        Ok(self.write() || has_read)
    }

    /// Fills the send buffer, and ends the stream; true if it did.
    fn write(&mut self) -> bool {
        let socket = self.sockets.get_mut::<Socket>(self.handle);
        let before = self.written;
        while socket.can_send() && self.written < self.asked {
            let (from, most) = (self.written, self.asked - self.written);
            let fill = |room: &mut [u8]| {
                let count = most.min(room.len() as u64) as usize;
                for (octet, place) in room[..count].iter_mut().zip(from..) {
                    *octet = (place % PERIOD) as u8;
                }
                (count, count)
            };
            self.written += socket.send(fill).expect("it can send") as u64;
        }
        if self.is_last && !self.is_shut && self.written == self.asked && is_open(self.state) {
            socket.close();
            self.is_shut = true;
            return true;
        }
        self.written > before
    }
}

impl Stack for End {
    fn turn(&mut self, turn: &Turn<'_>, answer: &mut Answer) -> Result<(), StackError> {
        let now = Instant::from_micros(turn.now.picoseconds() / MICROSECOND);
        for packet in turn.arrived {
            self.link.arrived.push_back(packet.to_vec());
            self.settle(now, answer)?;
        }
        self.settle(now, answer)?;
        for call in turn.calls {
            self.call(*call)?;
            self.settle(now, answer)?;
        }
        answer.packets.append(&mut self.link.sent);
        let next = self.interface.poll_at(now, &self.sockets);
        answer.next = next.map(|at| Time::from_picoseconds(at.total_micros() * MICROSECOND));
        let queued = self.sockets.get::<Socket>(self.handle).send_queue();
        if std::mem::replace(&mut self.queued, queued) != queued {
            answer.states.push((0, queued as f64));
        }
        Ok(())
    }

    fn states(&self) -> Vec<State> {
        vec![State { name: "send_queue".to_owned(), unit: "byte" }]
    }

    fn name(&self) -> String {
        format!("smoltcp {:?}", self.congestion).to_lowercase()
    }
}

/// Reads what has arrived in order, and checks it; true if there was any.
fn read(
    socket: &mut Socket<'_>,
    delivered: &mut u64,
    answer: &mut Answer,
) -> Result<bool, StackError> {
    let before = *delivered;
    while socket.can_recv() {
        let check = |octets: &mut [u8]| {
            let mut pairs = octets.iter().zip(*delivered..);
            let is_right = pairs.all(|(octet, place)| u64::from(*octet) == place % PERIOD);
            (octets.len(), is_right.then_some(octets.len() as u64))
        };
        let Some(octets) = socket.recv(check).expect("it can receive") else {
            return Err(StackError::new(format!("wrong octets behind octet {delivered}")));
        };
        *delivered += octets;
    }
    if *delivered > before {
        answer.events.push(Event::Delivered(*delivered));
    }
    Ok(*delivered > before)
}

/// True in all states from the established one on.
fn is_open(state: tcp::State) -> bool {
    use tcp::State::{Closed, Listen, SynReceived, SynSent};
    !matches!(state, Closed | Listen | SynSent | SynReceived)
}

/// True once the end of the other end's stream has arrived.
fn has_peer_ended(state: tcp::State) -> bool {
    use tcp::State::{CloseWait, Closing, LastAck, TimeWait};
    matches!(state, CloseWait | Closing | LastAck | TimeWait)
}
