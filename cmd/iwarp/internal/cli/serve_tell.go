package cli

// The output of iwarp serve: JSON on standard output, a log and a summary on standard error.

import (
	"encoding/hex"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/internal/quantity"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A teller reports what happens. Its methods may be called concurrently.
type teller struct {
	service   string
	initiates bool // this side is the client
	log       *liveLog
	begun     bool // the first line was printed, or there is none

	mu    sync.Mutex
	since map[*driver.Conn]time.Time // when open connections were accepted
	sum   sum
}

// sum has the totals.
type sum struct{ connections, rejected, failed, messages, octets, received, sent uint64 }

func newTeller(s *serving) *teller {
	return &teller{
		service: s.service.Value, initiates: s.connect != "", since: make(map[*driver.Conn]time.Time),
		log: newLiveLog(s.app, "iwarp.serve/1", s.output.Value),
	}
}

// count is a tap that counts octets.
func (t *teller) count(p driver.Traffic) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := uint64(len(p.Octets)); p.Sent {
		t.sum.sent += n
	} else {
		t.sum.received += n
	}
}

// traffic returns how many octets have come and gone.
func (t *teller) traffic() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sum.received + t.sum.sent
}

// listening prints the first line.
func (t *teller) listening(at net.Addr, s *service.Service) {
	t.log.note("first", "listening on %v, service %s", at, s.Name)
	t.log.warn(at, fmt.Sprintf("service %s, which %s", s.Name, s.Text))
	t.begins("listen", at.String())
	t.log.address(at)
}

// connecting prints the first line if this side connects, but not as text: its reader knows the address.
func (t *teller) connecting(to string) {
	t.log.note("first", "connecting to %s, service %s", to, t.service)
	t.begins("connect", to)
}

// begins prints the first line of JSON.
func (t *teller) begins(event, address string) {
	t.begun = true
	t.log.event(event, struct {
		liveLine
		Address string `json:"address"`
		Service string `json:"service"`
	}{t.log.newLine(event), address, t.service})
}

func (t *teller) observe(e service.Event) {
	switch e.Type {
	case service.Opened:
		t.opened(e.Conn)
	case service.Message:
		t.message(&e)
	case service.Ended:
		t.ended(&e)
	}
}

func (t *teller) opened(c *driver.Conn) {
	t.mu.Lock()
	t.since[c] = time.Now()
	t.sum.connections++
	t.mu.Unlock()

	a := agreed(c)
	frame, client, server, words := c.Request(), c.RemoteAddr(), c.LocalAddr(), "accepted"
	if t.initiates {
		frame, client, server, words = c.Reply(), server, client, "connected to"
	}
	private := frame.ULPPrivateData()
	t.log.note("connections that begin", "connection %d: %s %v: %v%s", c.Serial(), words, c.RemoteAddr(), &a, withPrivate(private))
	t.log.event("open", struct {
		liveLine
		addresses
		agreement
		PrivateData string `json:"private_data"`
	}{t.log.newConnLine("open", c.Serial()), endsOf(client, server), a, hex.EncodeToString(private)})
}

// loggedPrivate is the most octets of Private Data in a line of the log.
const loggedPrivate = 32

// withPrivate formats Private Data for the log; empty without any.
func withPrivate(private []byte) string {
	switch n := len(private); {
	case n == 0:
		return ""
	case n > loggedPrivate:
		return fmt.Sprintf(", %d octets of Private Data %x...", n, private[:loggedPrivate])
	}
	return ", Private Data " + string(appendPrivate(nil, private))
}

func (t *teller) message(e *service.Event) {
	if !t.log.json {
		return
	}
	line := struct {
		liveLine
		Len       uint32  `json:"len"`
		Immediate *string `json:"immediate_data,omitempty"`
		Inval     *string `json:"inval_stag,omitempty"`
	}{liveLine: t.log.newConnLine("message", e.Conn.Serial()), Len: e.Completion.Length}
	if e.Completion.Immediate {
		line.Immediate = new(fmt.Sprintf("0x%016x", e.Completion.Data))
	}
	if e.Completion.Invalidated {
		line.Inval = new(fmt.Sprintf("0x%08x", uint32(e.Completion.STag)))
	}
	t.log.event("message", line)
}

func (t *teller) ended(e *service.Event) {
	t.mu.Lock()
	took := time.Since(t.since[e.Conn]).Round(time.Microsecond)
	delete(t.since, e.Conn)
	t.sum.messages += e.Messages
	t.sum.octets += e.Octets
	t.mu.Unlock()
	conn, octets, why := e.Conn.Serial(), e.Conn.Octets(), reason(e.Err)
	local, remote := "server", "client"
	if t.initiates {
		local, remote = remote, local
	}
	words := fmt.Sprintf("connection %d: ended after %s, %s, %s", conn, quantity.Duration(int64(took)), counted(e.Messages, "message"), counted(octets, "octet"))
	if why != nil {
		words += ": " + *why
	}
	t.log.note("connections that end", "%s", words)
	t.log.event("close", struct {
		liveLine
		Seconds       float64    `json:"seconds"`
		Messages      uint64     `json:"messages"`
		MessageOctets uint64     `json:"message_octets"`
		Octets        uint64     `json:"octets"`
		Error         *string    `json:"error"`
		Terminate     *terminate `json:"terminate"`
	}{t.log.newConnLine("close", conn), took.Seconds(), e.Messages, e.Octets, octets, why, terminateOf(e.Err, local, remote)})
}

// reason words an error for users; nil for none.
func reason(err error) *string {
	if err == nil {
		return nil
	}
	return new(oneLine(worded(err)))
}

// summary prints the totals on standard error, if anybody could connect.
func (t *teller) summary() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.begun {
		t.log.close()
		return
	}
	s := &t.sum
	missed := "not accepted"
	if t.initiates {
		missed = "failed"
	}
	words := counted(s.connections, "connection") + " served"
	if s.rejected > 0 {
		words += fmt.Sprintf(", %s rejected", grouped(s.rejected))
	}
	if s.failed > 0 {
		words += fmt.Sprintf(", %s %s", grouped(s.failed), missed)
	}
	if s.received+s.sent > 0 {
		words += "; " + counted(s.received, "octet") + " received"
		if s.messages > 0 {
			words += fmt.Sprintf(" (%s with %s of payload)", counted(s.messages, "message"), counted(s.octets, "octet"))
		}
		words += ", " + grouped(s.sent) + " sent"
	}
	t.log.last("%s", words)
}
