// Netstack is gVisor's TCP as a stack of cellway: one end of a flow in simulated time.
//
//	go build -o netstack .
//	cellway run SCENARIO --stack "FLOW=./netstack --congestion cubic"
//
// With --keep-alive it asks an idle peer for a sign of life, and with --close it ends its stream at
// an instant, even while the peer ends its own.
//
// main.go has the protocol over the standard input and output, end.go the stack and its
// application, clock.go simulated time and random numbers. An equal question gives an equal answer:
// the stack has no clock and no source of numbers but those of clock.go, and after each packet,
// timer and call it is waited for until its goroutines are quiet.
package main

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Calls of the protocol.
const (
	callOpen         = 1
	callWrite        = 2
	callWriteForever = 3
	callClose        = 4
)

// Events of the protocol.
const (
	eventOpened    = 1
	eventAcked     = 2
	eventDelivered = 3
	eventEnded     = 4
	eventClosed    = 5
	eventFailed    = 6
)

// stateNames are the series, in the order of `(*end).states`.
var stateNames = []string{
	"cwnd byte", "ssthresh byte", "srtt second", "rttvar second", "rto second",
}

func main() {
	var asked options
	flag.StringVar(&asked.congestion, "congestion", "reno", "congestion control, reno or cubic")
	flag.DurationVar(&asked.keepAlive, "keep-alive", 0, "idle time before a probe, and between two")
	flag.DurationVar(&asked.closing, "close", 0, "instant of the end of what it has written by then")
	flag.Parse()
	if os.Getenv("GOMAXPROCS") == "" {
		// There is never more than one thing to do, and a change of thread costs more.
		runtime.GOMAXPROCS(1)
	}
	if err := serve(asked); err != nil {
		fmt.Fprintln(os.Stderr, "netstack:", err)
		os.Exit(1)
	}
}

// options are the arguments of the program; a duration of zero is none.
type options struct {
	congestion         string
	keepAlive, closing time.Duration
}

// serve answers questions until its input ends.
func serve(asked options) error {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<16), bufio.NewWriterSize(os.Stdout, 1<<16)
	var e *end
	for {
		body, err := question(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var answer []byte
		switch {
		case body[0] == 'H' && e == nil:
			if e, err = greet(string(body[1:]), asked); err != nil {
				return err
			}
			answer = []byte("hversion 1\nname netstack " + asked.congestion + "\n")
			for _, name := range stateNames {
				answer = append(answer, "state "+name+"\n"...)
			}
		case body[0] == 'T' && e != nil:
			if answer, err = e.answer(body[1:]); err != nil {
				return err
			}
		case body[0] == 'E' && e != nil:
			answer = append([]byte("e"), e.counters()...)
		default:
			return fmt.Errorf("question of kind %q", body[0])
		}
		length := binary.LittleEndian.AppendUint32(nil, uint32(len(answer)))
		if _, err := out.Write(append(length, answer...)); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
}

// question reads a message, without its length.
func question(in io.Reader) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(in, length[:]); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint32(length[:])
	if size == 0 {
		return nil, fmt.Errorf("message without a kind")
	}
	body := make([]byte, size)
	_, err := io.ReadFull(in, body)
	return body, err
}

// greet makes the end that a greeting tells of.
func greet(text string, asked options) (*end, error) {
	facts := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		facts[key] = value
	}
	if facts["version"] != "1" {
		return nil, fmt.Errorf("version %q of the protocol", facts["version"])
	}
	numbers := map[string]uint64{}
	for _, key := range []string{"seed", "port", "peer_port", "mtu", "window"} {
		number, err := strconv.ParseUint(facts[key], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s of the greeting: %w", key, err)
		}
		numbers[key] = number
	}
	return newEnd(facts, numbers, asked)
}

// answer reads a turn, takes it, and returns the message.
func (e *end) answer(turn []byte) ([]byte, error) {
	r := reader{turn}
	e.clock.moveTo(r.number(8))
	for range r.number(2) {
		e.take(r.octets(int(r.number(2))))
	}
	e.runTimers()
	for range r.number(2) {
		code := r.number(1)
		if err := e.call(code, r.number(8)); err != nil {
			return nil, err
		}
	}
	e.runTimers()
	body := binary.LittleEndian.AppendUint64([]byte("t"), e.clock.next())
	packets := e.link.takeAll()
	body = binary.LittleEndian.AppendUint16(body, uint16(len(packets)))
	for _, packet := range packets {
		body = binary.LittleEndian.AppendUint16(body, uint16(len(packet)))
		body = append(body, packet...)
	}
	body = binary.LittleEndian.AppendUint16(body, uint16(len(e.events)))
	for _, event := range e.events {
		body = binary.LittleEndian.AppendUint64(append(body, event.code), event.number)
	}
	e.events = e.events[:0]
	changed := e.changedStates()
	body = binary.LittleEndian.AppendUint16(body, uint16(len(changed)))
	for _, place := range changed {
		bits := math.Float64bits(e.shown[place])
		body = binary.LittleEndian.AppendUint64(append(body, byte(place)), bits)
	}
	return body, e.fault
}

// reader takes numbers and octets from the front of a message; a short one is a fault of the other
// side, and ends the program.
type reader struct{ rest []byte }

func (r *reader) octets(count int) []byte {
	taken := r.rest[:count:count]
	r.rest = r.rest[count:]
	return taken
}

func (r *reader) number(size int) uint64 {
	var wide [8]byte
	copy(wide[:], r.octets(size))
	return binary.LittleEndian.Uint64(wide[:])
}
