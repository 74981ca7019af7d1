package cli

// What iwarp proxy records, and what it says of that: the capture, messages, verdicts and tables, from one Engine.

import (
	"cmp"
	"fmt"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/proxy"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// A proxyWatch sees all that passes. The lock of its recorder guards it.
type proxyWatch struct {
	*proxying
	*recorder // nil if nothing is watched
	counts    *proxyCounts
	chain     *chain // nil if nothing is decoded
	messages  *decodeSink
	conns     map[*flow.Conn]*ending
	mender    *judge.Mender  // of verdicts that were printed
	told      *record.Record // with the latest of them
}

// An ending is what is printed at the end of a connection.
type ending struct {
	verdict reporter
	summary collector
}

// watch returns what the flags ask for.
func (p *proxying) watch(tell *proxyTeller) (w *proxyWatch, err error) {
	w = &proxyWatch{proxying: p, counts: newProxyCounts(tell), conns: make(map[*flow.Conn]*ending)}
	if p.write == "" && !p.isDecoded() {
		return w, nil
	}
	var each func(*pcaps.Record)
	if p.isDecoded() {
		w.decode()
		each = w.packet
	}
	w.recorder, err = p.recordEach("-w", p.write, rotation{p.rotateSize.value, p.rotateTime.value}, each)
	return w, err
}

// decode makes the chain from packets to what is printed.
func (w *proxyWatch) decode() {
	w.in = &input{notes: w.newNotes(nil, nil)}
	w.mender = judge.Mend(record.SinkFunc(w.mended))
	sink := record.SinkFunc(w.record)
	if w.decodes {
		d := &decode{app: w.app, output: choice{Value: "text"}, times: choice{Value: "relative", Allowed: show.Forms}}
		if w.json() {
			d.output.Value = "jsonl"
		}
		p := w.printing()
		w.messages = &decodeSink{printer: d.chosen().printer(d, p), notes: w.in.notes}
		w.chain = w.reading.chain(sink)
		w.chain.begin = append(w.chain.begin, func(ns int64) { p.clock.Start = ns })
		return
	}
	w.chain = w.reading.chain(sink)
}

func (w *proxyWatch) json() bool { return w.output.Value == "json" }

func (w *proxyWatch) printing() *printing {
	return &printing{w: w.Out, terminal: w.OutIsTerminal, colored: w.colored(w.OutIsTerminal), clock: &show.Clock{}}
}

// tap returns the tap of the Proxy; nil if nothing is watched.
func (w *proxyWatch) tap() func(*proxy.Traffic) {
	if w.recorder == nil {
		return nil
	}
	return func(t *proxy.Traffic) {
		p := &piece{
			conn: t.Conn, client: addrPort(t.Conn.RemoteAddr(proxy.Client)), server: addrPort(t.Conn.LocalAddr(proxy.Client)),
			from: pcaps.Side(t.From), time: t.Time, octets: t.Octets, fin: t.FIN, reset: t.Reset,
			about: func() string { return aboutProxied(t.Conn.Serial, t.Conn) },
		}
		p.comment = t.Comment
		if t.Err != nil {
			p.cut = "The proxy reset both ends: " + *reason(t.Err)
		}
		w.take(p)
		w.closeOver()
	}
}

// deviceTap returns the tap of an RNIC of the proxy; nil if nothing is watched.
func (w *proxyWatch) deviceTap(listens bool) func(driver.Traffic) {
	tap := w.recorder.tap(listens)
	if tap == nil {
		return nil
	}
	return func(t driver.Traffic) {
		tap(t)
		w.closeOver()
	}
}

// aboutProxied is a comment of a connection, with the addresses on both sides.
func aboutProxied(serial uint64, c passing) string {
	front := fmt.Sprintf("Proxied connection %d: %v > %v, ", serial, c.RemoteAddr(proxy.Client), c.LocalAddr(proxy.Client))
	if c.RemoteAddr(proxy.Server) == nil {
		return front + "the server was not reached"
	}
	return front + fmt.Sprintf("on to %v > %v", c.LocalAddr(proxy.Server), c.RemoteAddr(proxy.Server))
}

// packet decodes a packet of the capture.
func (w *proxyWatch) packet(r *pcaps.Record) {
	if r.Frame == 1 {
		for _, begin := range w.chain.begin {
			begin(r.Time)
		}
	}
	w.chain.Packet(r)
}

// closeOver ends the connections that are over, and prints what is known of the others.
func (w *proxyWatch) closeOver() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.chain != nil {
		w.chain.CloseOver()
	}
	if w.messages != nil {
		_ = w.messages.Flush() // the outlet has the error
	}
}

// record takes what the filter passes.
func (w *proxyWatch) record(r *record.Record) {
	w.counts.record(r)
	if w.messages != nil {
		w.messages.Record(r)
	}
	if !w.checks && !w.stats || r.Conn == nil {
		return
	}
	e := w.conns[r.Conn]
	if e == nil {
		e = w.newEnding(false)
		w.conns[r.Conn] = e
	}
	if w.checks {
		e.verdict.Record(r)
	}
	if w.stats {
		e.summary.Record(r)
	}
	if r.Kind == record.KindEnd {
		delete(w.conns, r.Conn)
		e.print(w)
		if w.checks {
			w.told = r
			w.mender.Record(r)
		}
	}
}

// mended prints a verdict once more if a later connection has made up for the failure.
func (w *proxyWatch) mended(r *record.Record) {
	if r == w.told || r.Verdict.Cause != nil {
		return
	}
	e := w.newEnding(true)
	e.verdict.Record(&record.Record{Kind: record.KindEnd, Origin: r.Origin, Verdict: r.Verdict})
	_ = e.verdict.finish(nil, "") // the outlet has the error
}

// newEnding returns what prints the end of a connection: in text with all that is known, or only why it failed.
func (w *proxyWatch) newEnding(all bool) *ending {
	e := &ending{}
	c := &checking{app: w.app, reading: w.reading, kernel: kernelFlags{}, output: w.output, all: all}
	if w.json() {
		l := check.NewLines(w.Out, check.Head{Files: []string{}, Profile: w.profile.Value, Filter: w.filter.text})
		e.verdict = reporter{Sink: l, finish: func([]string, string) error { return l.Flush() }}
	} else {
		e.verdict = c.textReporter(w.printing())
	}
	e.summary = (&statistics{app: w.app, reading: w.reading}).collector(nil)
	return e
}

// print prints what is to be said of a connection that is over.
func (e *ending) print(w *proxyWatch) {
	if w.messages != nil {
		_ = w.messages.Flush() // the outlet has the error
	}
	if w.checks {
		_ = e.verdict.finish(nil, "") // as above
	}
	if !w.stats {
		return
	}
	s := e.summary.Report(&dissect.Totals{Connections: 1})
	s.Filter = w.filter.text
	if w.json() {
		w.Out.Write(jsonLine(s))
		return
	}
	_ = printReport(w.Out, s, w.tableWidth(w.OutIsTerminal)) // as above
}

// close ends what is watched, once all connections are over.
func (w *proxyWatch) close() error {
	if w.recorder == nil {
		return nil
	}
	err := w.recorder.close()
	if w.chain != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.chain.Close()
	}
	if w.messages != nil {
		err = cmp.Or(err, failed(w.messages.Flush()))
	}
	return err
}
