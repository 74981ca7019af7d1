package cli

// What iwarp serve tells: lines of JSON on standard output, lines of a log on standard error, and what it was in all.

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A teller tells what happens. Its functions may be called at once.
type teller struct {
	*app
	service string
	json    bool
	log     *slog.Logger
	stop    func() // ends the command: nobody reads what is printed

	mu    sync.Mutex
	err   error // of the first line that could not be printed
	next  int   // number of the next connection
	conns map[*driver.Conn]*told
	sum   sum
}

// told is what is known of a connection that was accepted.
type told struct {
	number int
	since  time.Time
	octets uint64 // either way
}

// sum is what there was in all.
type sum struct{ connections, rejected, failed, messages, octets, received, sent uint64 }

func newTeller(s *serving, stop func()) *teller {
	t := &teller{
		app: s.app, service: s.service.value, json: s.output.value == "json", stop: stop, conns: make(map[*driver.Conn]*told),
	}
	level := slog.LevelInfo
	if s.verbose {
		level = slog.LevelDebug
	}
	t.log = slog.New(slog.DiscardHandler)
	if !s.quiet {
		t.log = slog.New(slog.NewTextHandler(s.Err, &slog.HandlerOptions{Level: level, ReplaceAttr: shortTime}))
	}
	return t
}

// shortTime leaves the date out of the time of a line.
func shortTime(groups []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey && len(groups) == 0 {
		a.Value = slog.StringValue(a.Value.Time().Format("15:04:05.000"))
	}
	return a
}

// driverLog is where the driver writes to, which repeats much of what is told here.
func (t *teller) driverLog(verbose bool) *slog.Logger {
	if verbose {
		return t.log
	}
	return nil
}

// counting is a tap that counts octets, and resets connections on which there are too many. more is called too, unless
// it is nil.
func (t *teller) counting(most uint64, more func(driver.Traffic)) func(driver.Traffic) {
	return func(p driver.Traffic) {
		n := uint64(len(p.Octets))
		t.mu.Lock()
		if p.Sent {
			t.sum.sent += n
		} else {
			t.sum.received += n
		}
		tooMany := false
		if c := t.conns[p.Conn]; c != nil {
			before := c.octets
			c.octets += n
			tooMany = most > 0 && before <= most && c.octets > most
		}
		t.mu.Unlock()
		if more != nil {
			more(p)
		}
		if tooMany {
			t.log.Warn("connection reset: too many octets", "peer", p.Conn.RemoteAddr().String())
			go p.Conn.Abort() // not in the goroutine that has taken them in
		}
	}
}

// serveLine is what all lines have.
type serveLine struct {
	Schema string `json:"schema"`
	Event  string `json:"event"`
	Time   string `json:"time"`
	Conn   *int   `json:"conn,omitempty"`
}

func newServeLine(event string, conn *told) serveLine {
	l := serveLine{Schema: "iwarp.serve/1", Event: event, Time: time.Now().UTC().Format(jsonTime)}
	if conn != nil {
		l.Conn = &conn.number
	}
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
	t.log.Info("listening", "address", at.String(), "service", t.service)
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
	}{newServeLine("listen", nil), at.String(), t.service})
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

// of is what is known of a connection.
func (t *teller) of(c *driver.Conn) *told {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.conns[c]
}

func (t *teller) opened(c *driver.Conn) {
	t.mu.Lock()
	conn := &told{number: t.next, since: time.Now()}
	t.next++
	t.sum.connections++
	t.conns[c] = conn
	t.mu.Unlock()

	a := agreed(c)
	request := c.Request()
	private := hex.EncodeToString(request.ULPPrivateData())
	attrs := []any{"conn", conn.number, "client", c.RemoteAddr().String(), "mpa", a.String()}
	t.log.Info("connection accepted", withPrivate(attrs, private)...)
	if t.json {
		t.print(struct {
			serveLine
			ends
			agreement
			PrivateData string `json:"private_data"`
		}{newServeLine("open", conn), endsOf(c.RemoteAddr(), c.LocalAddr()), a, private})
	}
}

// withPrivate adds Private Data to what a line of the log says, if there is any.
func withPrivate(attrs []any, digits string) []any {
	if digits == "" {
		return attrs
	}
	return append(attrs, "private_data", digits)
}

func (t *teller) message(e *service.Event) {
	conn := t.of(e.Conn)
	if conn == nil || !t.json {
		return
	}
	line := struct {
		serveLine
		Len       uint32  `json:"len"`
		Immediate *string `json:"immediate_data,omitempty"`
		Inval     *string `json:"inval_stag,omitempty"`
	}{serveLine: newServeLine("message", conn), Len: e.Completion.Length}
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
	conn := t.conns[e.Conn]
	delete(t.conns, e.Conn)
	t.sum.messages += e.Messages
	t.sum.octets += e.Octets
	t.mu.Unlock()
	if conn == nil {
		return
	}
	took := time.Since(conn.since)
	attrs := []any{"conn", conn.number, "seconds", took.Seconds(), "messages", e.Messages, "octets", conn.octets}
	var why *string
	if e.Err != nil {
		s := oneLine(worded(e.Err))
		why = &s
		t.log.Warn("connection ended", append(attrs, "error", s)...)
	} else {
		t.log.Info("connection ended", attrs...)
	}
	if t.json {
		t.print(struct {
			serveLine
			Seconds       float64    `json:"seconds"`
			Messages      uint64     `json:"messages"`
			MessageOctets uint64     `json:"message_octets"`
			Octets        uint64     `json:"octets"`
			Error         *string    `json:"error"`
			Terminate     *terminate `json:"terminate"`
		}{newServeLine("close", conn), took.Seconds(), e.Messages, e.Octets, conn.octets, why, terminateOf(e.Err, "server", "client")})
	}
}

// rejected tells of a Request that was rejected.
func (t *teller) rejected(r *driver.Request, err error) {
	t.turnedDown(r, "connection rejected", &t.sum.rejected, err)
}

// failed tells of a Request that could not be accepted.
func (t *teller) failed(r *driver.Request, err error) {
	t.turnedDown(r, "connection not accepted", &t.sum.failed, err)
}

func (t *teller) turnedDown(r *driver.Request, words string, count *uint64, err error) {
	t.mu.Lock()
	conn := &told{number: t.next}
	t.next++
	*count++
	t.mu.Unlock()
	frame := r.Frame()
	private := hex.EncodeToString(frame.ULPPrivateData())
	attrs := withPrivate([]any{"conn", conn.number, "client", r.RemoteAddr().String()}, private)
	var why *string
	if err != nil {
		s := oneLine(worded(err))
		why = &s
		t.log.Warn(words, append(attrs, "error", s)...)
	} else {
		t.log.Info(words, attrs...)
	}
	if t.json {
		t.print(struct {
			serveLine
			ends
			PrivateData string  `json:"private_data"`
			Error       *string `json:"error"`
		}{newServeLine("reject", conn), endsOf(r.RemoteAddr(), r.LocalAddr()), private, why})
	}
}

// summary says on standard error what there was in all.
func (t *teller) summary() {
	w := t.Err
	if t.quiet {
		w = io.Discard
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s := &t.sum
	fmt.Fprintf(w, "%s served, %s rejected, %s not accepted; %s of %s octets; %s octets received, %s sent\n",
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
