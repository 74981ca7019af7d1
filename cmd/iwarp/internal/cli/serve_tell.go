package cli

// What iwarp serve tells: lines of JSON on standard output, lines of a log on standard error, and what it was in all.

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A teller tells what happens. Its functions may be called at once.
type teller struct {
	*app
	service string
	json    bool
	log     *serveLog
	stop    func() // ends the command: nobody reads what is printed

	mu       sync.Mutex
	err      error // of the first line that could not be printed
	listened bool
	since    map[*driver.Conn]time.Time // when those that are there were accepted
	sum      sum
}

// sum is what there was in all.
type sum struct{ connections, rejected, failed, messages, octets, received, sent uint64 }

func newTeller(s *serving, stop func()) *teller {
	return &teller{
		app: s.app, service: s.service.value, json: s.output.value == "json", stop: stop, since: make(map[*driver.Conn]time.Time),
		log: newServeLog(s.app),
	}
}

// driverLog is where the driver writes to, which repeats much of what is told here.
func (t *teller) driverLog(verbose bool) *slog.Logger {
	if verbose {
		return slog.New(t.log)
	}
	return nil
}

// counting is a tap that counts octets. more is called too, unless it is nil.
func (t *teller) counting(more func(driver.Traffic)) func(driver.Traffic) {
	return func(p driver.Traffic) {
		n := uint64(len(p.Octets))
		t.mu.Lock()
		if p.Sent {
			t.sum.sent += n
		} else {
			t.sum.received += n
		}
		t.mu.Unlock()
		if more != nil {
			more(p)
		}
	}
}

// serveLine is what all lines have.
type serveLine struct {
	Schema string  `json:"schema"`
	Event  string  `json:"event"`
	Time   string  `json:"time"`
	Conn   *uint64 `json:"conn,omitempty"`
}

func newServeLine(event string) serveLine {
	return serveLine{Schema: "iwarp.serve/1", Event: event, Time: time.Now().UTC().Format(jsonTime)}
}

// newConnLine is a line about a connection.
func newConnLine(event string, conn uint64) serveLine {
	l := newServeLine(event)
	l.Conn = &conn
	return l
}

// jsonTime is RFC 3339 with nanoseconds.
const jsonTime = "2006-01-02T15:04:05.000000000Z07:00"

// print prints a line of JSON.
func (t *teller) print(line any) {
	b, err := json.Marshal(line)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil {
		_, err = t.Out.Write(append(b, '\n'))
	}
	if err != nil && t.err == nil {
		t.err = err
		t.stop()
	}
}

// failure is why lines could not be printed.
func (t *teller) failure() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return unreadable(t.err)
	}
	return nil
}

// listening prints the first line.
func (t *teller) listening(at net.Addr) error {
	t.mu.Lock()
	t.listened = true
	t.mu.Unlock()
	t.log.note("listening on %v, service %s", at, t.service)
	if !t.json {
		if _, err := fmt.Fprintln(t.Out, at); err != nil {
			return unreadable(err)
		}
		return nil
	}
	t.print(struct {
		serveLine
		Address string `json:"address"`
		Service string `json:"service"`
	}{newServeLine("listen"), at.String(), t.service})
	return t.failure()
}

// observe is told of the events of a service.
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
	request := c.Request()
	private := request.ULPPrivateData()
	t.log.note("connection %d: accepted %v: %v%s", c.Serial(), c.RemoteAddr(), &a, withPrivate(private))
	if t.json {
		t.print(struct {
			serveLine
			ends
			agreement
			PrivateData string `json:"private_data"`
		}{newConnLine("open", c.Serial()), endsOf(c.RemoteAddr(), c.LocalAddr()), a, hex.EncodeToString(private)})
	}
}

// withPrivate is what a line of the log says of Private Data, if there are any.
func withPrivate(private []byte) string {
	if len(private) == 0 {
		return ""
	}
	return ", Private Data " + string(appendPrivate(nil, private))
}

func (t *teller) message(e *service.Event) {
	if !t.json {
		return
	}
	line := struct {
		serveLine
		Len       uint32  `json:"len"`
		Immediate *string `json:"immediate_data,omitempty"`
		Inval     *string `json:"inval_stag,omitempty"`
	}{serveLine: newConnLine("message", e.Conn.Serial()), Len: e.Completion.Length}
	if e.Completion.Immediate {
		s := fmt.Sprintf("0x%016x", e.Completion.Data)
		line.Immediate = &s
	}
	if e.Completion.Invalidated {
		s := fmt.Sprintf("0x%08x", uint32(e.Completion.STag))
		line.Inval = &s
	}
	t.print(line)
}

func (t *teller) ended(e *service.Event) {
	t.mu.Lock()
	took := time.Since(t.since[e.Conn]).Round(time.Microsecond)
	delete(t.since, e.Conn)
	t.sum.messages += e.Messages
	t.sum.octets += e.Octets
	t.mu.Unlock()
	conn, octets, why := e.Conn.Serial(), behindRequest(e.Conn), reason(e.Err)
	words := fmt.Sprintf("connection %d: ended after %v, %s, %s", conn, rounded(took), counted(e.Messages, "message"), counted(octets, "octet"))
	if why != nil {
		words += ": " + *why
	}
	t.log.note("%s", words)
	if t.json {
		t.print(struct {
			serveLine
			Seconds       float64    `json:"seconds"`
			Messages      uint64     `json:"messages"`
			MessageOctets uint64     `json:"message_octets"`
			Octets        uint64     `json:"octets"`
			Error         *string    `json:"error"`
			Terminate     *terminate `json:"terminate"`
		}{newConnLine("close", conn), took.Seconds(), e.Messages, e.Octets, octets, why, terminateOf(e.Err, "server", "client")})
	}
}

// behindRequest is how many octets went over a connection behind the MPA Request.
func behindRequest(c *driver.Conn) uint64 {
	request := c.Request()
	return c.Octets() - mpa.FrameLen - uint64(request.PDLength)
}

// reason is an error in the words of a user; nil for none.
func reason(err error) *string {
	if err == nil {
		return nil
	}
	s := oneLine(worded(err))
	return &s
}

// rejected tells of a Request that was rejected. err is why, unless that was asked for.
func (t *teller) rejected(r *driver.Request, err error) {
	frame := r.Frame()
	t.turnedDown(&refusal{r.Serial(), r.RemoteAddr(), r.LocalAddr(), frame.ULPPrivateData(), "rejected"}, &t.sum.rejected, err)
}

// failed tells of a Request that could not be accepted.
func (t *teller) failed(r *driver.Request, err error) {
	frame := r.Frame()
	t.turnedDown(&refusal{r.Serial(), r.RemoteAddr(), r.LocalAddr(), frame.ULPPrivateData(), "did not accept"}, &t.sum.failed, err)
}

// notBegun tells of a peer that has sent no MPA Request which can be answered.
func (t *teller) notBegun(f driver.Failure) {
	t.turnedDown(&refusal{f.Serial, f.Remote, f.Local, nil, "did not accept"}, &t.sum.failed, f.Err)
}

// A refusal is a connection that was not accepted.
type refusal struct {
	conn           uint64
	client, server net.Addr
	private        []byte
	words          string // what was done
}

func (t *teller) turnedDown(r *refusal, count *uint64, err error) {
	t.mu.Lock()
	*count++
	t.mu.Unlock()
	why := reason(err)
	words := fmt.Sprintf("connection %d: %s %v%s", r.conn, r.words, r.client, withPrivate(r.private))
	if why != nil {
		words += ": " + *why
	}
	t.log.sparsely(words)
	if t.json {
		t.print(struct {
			serveLine
			ends
			PrivateData string  `json:"private_data"`
			Error       *string `json:"error"`
		}{newConnLine("reject", r.conn), endsOf(r.client, r.server), hex.EncodeToString(r.private), why})
	}
}

// summary says on standard error what there was in all, if anybody could connect.
func (t *teller) summary() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.listened {
		return
	}
	s := &t.sum
	t.log.last("%s served, %s rejected, %s not accepted; %s of %s octets; %s octets received, %s sent",
		counted(s.connections, "connection"), grouped(s.rejected), grouped(s.failed),
		counted(s.messages, "message"), grouped(s.octets), grouped(s.received), grouped(s.sent))
}

// counted is a number and what it counts: "1 message", "2,000 messages".
func counted(n uint64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return grouped(n) + " " + thing + "s"
}
