package main

import (
	"container/heap"
	"math/rand/v2"
	"sync"
	"time"

	"gvisor.dev/gvisor/pkg/tcpip"
)

// epoch is the clock's reading at instant 0 of the simulation: netstack takes a reading of zero for
// an instant that was never set.
const epoch = time.Hour

// never is the instant of a turn that is not needed, in nanoseconds.
const never = ^uint64(0)

// clock moves when it is told, and keeps timers by deadline, then by the order in which they were
// set. It implements tcpip.Clock.
//
// No two readings are equal: each is at least a nanosecond behind the one before. RACK of netstack
// takes the later of two segments that were sent at one reading for lost when the earlier one is
// acknowledged, the reverse of RFC 8985 section 6.2, which no clock of a machine lets happen.
type clock struct {
	mu sync.Mutex
	// now is the instant of the turn, and last the latest reading.
	now, last time.Duration
	set       uint64
	timers    timers
}

// Now returns a date that follows from the instant of the simulation.
func (c *clock) Now() time.Time { return time.Unix(0, 0).Add(c.reading()) }

// NowMonotonic returns the instant of the simulation behind the epoch.
func (c *clock) NowMonotonic() tcpip.MonotonicTime {
	return tcpip.MonotonicTime{}.Add(c.reading())
}

func (c *clock) reading() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last = max(c.last+1, c.now)
	return c.last + epoch
}

// AfterFunc sets a timer, whose function runs when the clock's owner asks for it.
func (c *clock) AfterFunc(wait time.Duration, run func()) tcpip.Timer {
	t := &timer{clock: c, run: run, place: -1}
	t.Reset(wait)
	return t
}

// moveTo sets the clock to an instant in nanoseconds.
func (c *clock) moveTo(now uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = time.Duration(now)
}

// next returns the earliest deadline in nanoseconds, or never.
func (c *clock) next() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.timers) == 0 {
		return never
	}
	return uint64(c.timers[0].deadline)
}

// takeDue removes and returns the function of the first timer that is due, or nil.
func (c *clock) takeDue() func() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.timers) == 0 || c.timers[0].deadline > c.now {
		return nil
	}
	return heap.Pop(&c.timers).(*timer).run
}

type timer struct {
	clock    *clock
	run      func()
	deadline time.Duration
	order    uint64
	// place is the index in the heap, or -1.
	place int
}

// Stop removes the timer; it tells if it was set.
func (t *timer) Stop() bool {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	return t.remove()
}

func (t *timer) remove() bool {
	if t.place < 0 {
		return false
	}
	heap.Remove(&t.clock.timers, t.place)
	return true
}

// Reset sets the timer anew, counted from the latest reading; one whose wait is not positive is due
// at once.
func (t *timer) Reset(wait time.Duration) {
	c := t.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	t.remove()
	c.set++
	t.deadline, t.order = c.now, c.set
	if wait > 0 {
		t.deadline = max(c.last, c.now) + wait
	}
	heap.Push(&c.timers, t)
}

// timers is a heap by deadline and order.
type timers []*timer

func (h timers) Len() int { return len(h) }

func (h timers) Less(i, j int) bool {
	if h[i].deadline != h[j].deadline {
		return h[i].deadline < h[j].deadline
	}
	return h[i].order < h[j].order
}

func (h timers) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

func (h *timers) Push(x any) {
	t := x.(*timer)
	t.place = len(*h)
	*h = append(*h, t)
}

func (h *timers) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	t.place = -1
	return t
}

// source is the only source of random numbers, for keys as for the rest: equal seeds give equal
// numbers. It implements rand.Source of math/rand and io.Reader.
type source struct {
	mu     sync.Mutex
	stream *rand.ChaCha8
}

func newSource(seed uint64, salt byte) *source {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	key[8] = salt
	return &source{stream: rand.NewChaCha8(key)}
}

func (s *source) Int63() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(s.stream.Uint64() >> 1)
}

// Seed does nothing: the seed is that of the greeting.
func (s *source) Seed(int64) {}

func (s *source) Read(into []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stream.Read(into)
}
