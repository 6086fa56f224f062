package main

import (
	"bytes"
	"fmt"

	"gvisor.dev/gvisor/pkg/tcpip"
)

// period is the length of the pattern of a stream: octet i is i mod 251.
const period = 251

// pattern has any octets of a stream from any place of the period on.
var pattern = makePattern(1 << 20)

func makePattern(length int) []byte {
	made := make([]byte, length+period)
	for i := range made {
		made[i] = byte(i % period)
	}
	return made
}

// sender is the application that writes.
type sender struct {
	// asked is the number of octets of the stream as far as they are known, or never.
	asked   uint64
	isLast  bool
	written uint64
	// room is the length of the send buffer, and unacked the part of it that is taken; -1 when the
	// end of the stream has arrived too.
	room, unacked int
	told          uint64
	isShut        bool
	hasTold       bool
}

// close ends the stream behind so many octets, or behind those written if they are more.
func (s *sender) close(octets uint64) {
	s.asked, s.isLast = max(octets, s.written), true
}

// acked returns how many octets of the stream have arrived, and if that is news.
func (s *sender) acked() (uint64, bool) {
	arrived := s.written - uint64(max(s.unacked, 0))
	isNew := arrived > s.told
	s.told = max(s.told, arrived)
	return arrived, isNew
}

// isClosed tells that all octets and the end of the stream have arrived, until it is told.
func (s *sender) isClosed() bool {
	return s.isShut && s.unacked < 0 && !s.hasTold
}

// write fills the send buffer when half of it is free, as writers do that wait for room, and ends
// the stream. What goes on is written in whole segments.
func (s *sender) write(connection tcpip.Endpoint, segment int) bool {
	room := s.room - max(s.unacked, 0)
	isDone := false
	for room >= s.room/2 && s.written < s.asked {
		size := min(uint64(room), s.asked-s.written, uint64(len(pattern)-period))
		if whole := size / uint64(max(segment, 1)) * uint64(segment); whole > 0 {
			size = whole
		}
		from := s.written % period
		count, err := connection.Write(bytes.NewReader(pattern[from:from+size]), tcpip.WriteOptions{})
		if err != nil || count == 0 {
			break
		}
		s.written += uint64(count)
		s.unacked += int(count)
		room -= int(count)
		isDone = true
	}
	if s.isLast && !s.isShut && s.written == s.asked {
		s.isShut = connection.Shutdown(tcpip.ShutdownWrite) == nil
		isDone = true
	}
	return isDone
}

// read takes what has arrived in order, and checks it.
func (e *end) read() bool {
	var data bytes.Buffer
	result, err := e.connection.Read(&data, tcpip.ReadOptions{})
	if _, isAll := err.(*tcpip.ErrClosedForReceive); isAll && !e.hasEnded {
		e.hasEnded = true
		e.tell(eventEnded, 0)
	}
	if err != nil || result.Count == 0 {
		return false
	}
	e.check(data.Bytes())
	e.tell(eventDelivered, e.delivered)
	return true
}

// check counts octets that were read, and compares them with the pattern.
func (e *end) check(octets []byte) {
	for len(octets) > 0 {
		size := min(len(octets), len(pattern)-period)
		from := e.delivered % period
		if !bytes.Equal(octets[:size], pattern[from:from+uint64(size)]) && e.fault == nil {
			e.fault = fmt.Errorf("wrong octets behind octet %d", e.delivered)
		}
		e.delivered += uint64(size)
		octets = octets[size:]
	}
}

// changedStates takes the states that have changed, and returns their places.
func (e *end) changedStates() []int {
	var info tcpip.TCPInfoOption
	if !e.isOpen || e.connection.GetSockOpt(&info) != nil {
		return nil
	}
	segment := float64(e.segment)
	values := []float64{
		float64(info.SndCwnd) * segment, float64(info.SndSsthresh) * segment,
		info.RTT.Seconds(), info.RTTVar.Seconds(), info.RTO.Seconds(),
	}
	var changed []int
	for place, value := range values {
		isUnlimited := place == 1 && info.SndSsthresh >= 1<<31
		if value != e.shown[place] && !isUnlimited {
			e.shown[place] = value
			changed = append(changed, place)
		}
	}
	return changed
}

// counters has a line for each count of the stack.
func (e *end) counters() string {
	counts := e.stack.Stats().TCP
	return fmt.Sprintf(
		"segments_sent %d\nretransmits %d\ntimeouts %d\nfast_retransmits %d\nwrong_checksums %d\n",
		counts.SegmentsSent.Value(), counts.Retransmits.Value(), counts.Timeouts.Value(),
		counts.FastRetransmit.Value(), counts.ChecksumErrors.Value(),
	)
}
