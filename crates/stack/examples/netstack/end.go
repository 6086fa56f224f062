package main

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"gvisor.dev/gvisor/pkg/buffer"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/link/channel"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
	"gvisor.dev/gvisor/pkg/waiter"
)

const nic = 1

// backlog is far from full with one connection: near to it netstack answers by SYN cookies, which
// have neither SACK nor a window scale.
const backlog = 16

// link collects what the stack sends.
type link struct {
	*channel.Endpoint
	sent [][]byte
}

// WritePackets keeps the octets of packets, from the IP header on.
func (l *link) WritePackets(packets stack.PacketBufferList) (int, tcpip.Error) {
	for _, packet := range packets.AsSlice() {
		octets := packet.ToBuffer()
		l.sent = append(l.sent, octets.Flatten())
		octets.Release()
	}
	return packets.Len(), nil
}

func (l *link) takeAll() [][]byte {
	taken := l.sent
	l.sent = nil
	return taken
}

type event struct {
	code   byte
	number uint64
}

// end is one end of a flow: the stack, its connection and its application.
type end struct {
	clock     *clock
	link      *link
	stack     *stack.Stack
	own, peer tcpip.FullAddress
	isOrigin  bool
	queue     *waiter.Queue
	listener  tcpip.Endpoint
	// connection is nil until the origin connects, or the destination accepts.
	connection tcpip.Endpoint
	isOpen     bool
	isOver     bool
	sender     sender
	delivered  uint64
	hasEnded   bool
	// keepAlive is the idle time before a probe, or zero.
	keepAlive time.Duration
	// segment is the most octets of the stream in a packet, from the first packet back on.
	segment int
	shown   []float64
	events  []event
	// fault is an octet of the stream that is not the one expected.
	fault error
}

// newEnd makes the end, with a receive window of that many octets. Netstack offers half of its
// receive buffer, so the buffer is twice the window; the send buffer never limits such a window.
func newEnd(facts map[string]string, numbers map[string]uint64, asked options) (*end, error) {
	e := &end{clock: &clock{}, isOrigin: facts["role"] == "origin", queue: &waiter.Queue{}}
	e.link = &link{Endpoint: channel.New(1, uint32(numbers["mtu"]), "")}
	e.shown = make([]float64, len(stateNames))
	e.sender.room = 4 * int(numbers["window"])
	probe := func(state *tcp.TCPEndpointState) {
		e.segment, e.sender.unacked = state.Sender.MaxPayloadSize, state.SndBufState.SndBufUsed
	}
	e.stack = stack.New(stack.Options{
		NetworkProtocols:   []stack.NetworkProtocolFactory{ipv4.NewProtocol},
		TransportProtocols: []stack.TransportProtocolFactory{tcp.NewProtocolProbe(probe)},
		Clock:              e.clock,
		RandSource:         newSource(numbers["seed"], 0),
		SecureRNG:          newSource(numbers["seed"], 1),
	})
	for key, address := range map[string]*tcpip.FullAddress{"": &e.own, "peer_": &e.peer} {
		parsed, err := netip.ParseAddr(facts[key+"address"])
		if err != nil {
			return nil, err
		}
		*address = tcpip.FullAddress{
			NIC:  nic,
			Addr: tcpip.AddrFromSlice(parsed.AsSlice()),
			Port: uint16(numbers[key+"port"]),
		}
	}
	e.keepAlive = asked.keepAlive
	if asked.closing > 0 {
		e.clock.AfterFunc(asked.closing, func() { e.sender.close(0) })
	}
	return e, e.configure(2*int(numbers["window"]), asked.congestion)
}

// configure sets the device, its route, and the options of TCP.
func (e *end) configure(receive int, congestion string) error {
	if err := e.stack.CreateNIC(nic, e.link); err != nil {
		return fmt.Errorf("device: %s", err)
	}
	address := tcpip.ProtocolAddress{
		Protocol:          ipv4.ProtocolNumber,
		AddressWithPrefix: e.own.Addr.WithPrefix(),
	}
	if err := e.stack.AddProtocolAddress(nic, address, stack.AddressProperties{}); err != nil {
		return fmt.Errorf("address: %s", err)
	}
	e.stack.SetRouteTable([]tcpip.Route{{Destination: header.IPv4EmptySubnet, NIC: nic}})
	sack, moderate := tcpip.TCPSACKEnabled(true), tcpip.TCPModerateReceiveBufferOption(false)
	control := tcpip.CongestionControlOption(congestion)
	send := e.sender.room
	for _, option := range []tcpip.SettableTransportProtocolOption{
		&sack, &moderate, &control,
		&tcpip.TCPReceiveBufferSizeRangeOption{Min: 1, Default: receive, Max: receive},
		&tcpip.TCPSendBufferSizeRangeOption{Min: 1, Default: send, Max: send},
	} {
		if err := e.stack.SetTransportProtocolOption(tcp.ProtocolNumber, option); err != nil {
			return fmt.Errorf("%T: %s", option, err)
		}
	}
	return nil
}

// take hands a packet to the stack, and lets the application read and write.
func (e *end) take(octets []byte) {
	payload := buffer.MakeWithData(octets)
	packet := stack.NewPacketBuffer(stack.PacketBufferOptions{Payload: payload})
	e.link.InjectInbound(ipv4.ProtocolNumber, packet)
	packet.DecRef()
	e.settle()
}

func (e *end) runTimers() {
	for run := e.clock.takeDue(); run != nil; run = e.clock.takeDue() {
		run()
		e.settle()
	}
}

func (e *end) call(code, number uint64) error {
	switch code {
	case callOpen:
		if err := e.open(); err != nil {
			return fmt.Errorf("open: %s", err)
		}
	case callWrite:
		e.sender.asked += number
	case callWriteForever:
		e.sender.asked = never
	case callClose:
		e.sender.close(number)
	}
	e.settle()
	return nil
}

func (e *end) open() tcpip.Error {
	endpoint, err := e.stack.NewEndpoint(tcp.ProtocolNumber, ipv4.ProtocolNumber, e.queue)
	if err != nil {
		return err
	}
	if err := endpoint.Bind(e.own); err != nil {
		return err
	}
	if !e.isOrigin {
		e.listener = endpoint
		return endpoint.Listen(backlog)
	}
	e.connection = endpoint
	e.fault = e.keepAlivesOf(endpoint)
	if err := endpoint.Connect(e.peer); err != nil {
		if _, isUnderWay := err.(*tcpip.ErrConnectStarted); !isUnderWay {
			return err
		}
	}
	return nil
}

// keepAlivesOf has a connection ask its idle peer, if it is to.
func (e *end) keepAlivesOf(connection tcpip.Endpoint) error {
	if e.keepAlive == 0 {
		return nil
	}
	connection.SocketOptions().SetKeepAlive(true)
	idle, interval := tcpip.KeepaliveIdleOption(e.keepAlive), tcpip.KeepaliveIntervalOption(e.keepAlive)
	for _, option := range []tcpip.SettableSocketOption{&idle, &interval} {
		if err := connection.SetSockOpt(option); err != nil {
			return fmt.Errorf("%T: %s", option, err)
		}
	}
	return nil
}

// settle waits until the stack's goroutines have nothing to do, and serves the application, until
// that gives them nothing more.
func (e *end) settle() {
	for isBusy := true; isBusy; {
		e.stack.Pause()
		e.stack.Resume()
		isBusy = e.serve()
	}
}

// serve reads, tells what has happened, and writes; it tells if the stack has got something to do.
func (e *end) serve() bool {
	if e.connection == nil && e.listener != nil {
		if accepted, _, err := e.listener.Accept(nil); err == nil {
			e.connection = accepted
			e.fault = e.keepAlivesOf(accepted)
		}
	}
	if e.connection == nil || e.isOver {
		return false
	}
	state := tcp.EndpointState(e.connection.State())
	isOver := state == tcp.StateError || state == tcp.StateClose
	switch {
	case e.isOpen || isOver:
	case isBefore(state):
		return false
	default:
		e.isOpen = true
		e.tell(eventOpened, 0)
	}
	hasRead := e.read()
	if acked, isNew := e.sender.acked(); isNew {
		e.tell(eventAcked, acked)
	}
	switch {
	case e.sender.isClosed():
		e.sender.hasTold = true
		e.tell(eventClosed, 0)
	case isOver && !e.sender.hasTold:
		e.isOver = true
		e.tell(eventFailed, 0)
	}
	return e.sender.write(e.connection, e.segment) || hasRead
}

// isBefore tells if a connection is not established yet.
func isBefore(state tcp.EndpointState) bool {
	return slices.Contains([]tcp.EndpointState{
		tcp.StateInitial, tcp.StateBound, tcp.StateConnecting, tcp.StateSynSent, tcp.StateSynRecv,
	}, state)
}

func (e *end) tell(code byte, number uint64) {
	e.events = append(e.events, event{code, number})
}
