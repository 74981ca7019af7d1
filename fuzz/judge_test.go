package fuzz

// Whole connections of any octets, analysed: package dissect/judge.

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// A reviewer is a Sink and an upper layer that checks that a Judge keeps its promises.
type reviewer struct {
	t        *testing.T
	requests int                          // that came, less those that became a Transaction
	asked    map[*record.Transaction]bool // those that the upper layer was told of, and that are not done
	conns    map[*flow.Conn]*review
}

func (r *reviewer) Record(rec *record.Record) { recordtest.Pieces(rec, r) }

// A review is what is known of one connection.
type review struct {
	findings          map[string]int
	counted, verdicts int
}

func (r *reviewer) of(c *flow.Conn) *review {
	if r.conns[c] == nil {
		r.conns[c] = &review{findings: map[string]int{}}
	}
	return r.conns[c]
}

// Segment counts requests. The content of a segment with a wrong CRC does not count, nor that of one whose header was
// not captured.
func (r *reviewer) Segment(s *record.Segment) {
	headers := s.RDMAP.Header.Len()
	if s.FPDU.Verdict == mpa.Bad || len(s.FPDU.ULPDU) < headers && int(s.FPDU.ULPDULength) >= headers {
		return
	}
	if s.RDMAP.BeginsRequest() {
		r.requests++
	}
}

func (r *reviewer) Finding(f *record.Finding) {
	c := r.of(f.Conn)
	c.counted++
	if c.findings[f.Name]++; c.findings[f.Name] > 100 {
		r.t.Errorf("%d findings of %s", c.findings[f.Name], f.Name)
	}
	r.text(f.Text)
	if c.verdicts > 0 || f.ID == "" || f.Frame == 0 || f.LastFrame < f.Frame {
		r.t.Errorf("a finding behind %d verdicts: %+v", c.verdicts, f)
	}
	if f.Name == judge.ObsTerminate.Name && (f.Termination == nil || (f.Termination.Blame == record.NoBlame) != (f.Termination.Culprit.Conn == nil)) {
		r.t.Errorf("the cause of a Terminate: %+v", f.Termination)
	}
}

func (r *reviewer) text(s string) {
	if !strings.HasSuffix(s, ".") || strings.Contains(s, "%!") {
		r.t.Errorf("the text is %q", s)
	}
}

func (r *reviewer) Transaction(t *record.Transaction) {
	r.requests--
	if t.Outcome == record.Answered && t.Response.Frame == 0 || t.Latency() < 0 {
		r.t.Errorf("%+v", t)
	}
}

func (r *reviewer) Verdict(v *record.Verdict) {
	c := r.of(v.Conn)
	c.verdicts++
	r.text(v.Text)
	if v.Errors+v.Warnings+v.Notes != uint64(c.counted)+v.Withheld {
		r.t.Errorf("%d findings were reported: %+v", c.counted, v)
	}
}

func (r *reviewer) End(c *flow.Conn) {
	if n := r.of(c).verdicts; n != 1 {
		r.t.Errorf("%d verdicts", n)
	}
	delete(r.conns, c)
}

// done checks that nothing is left.
func (r *reviewer) done() {
	if r.requests != 0 || len(r.asked) != 0 || len(r.conns) != 0 {
		r.t.Errorf("%d requests without a Transaction, %d that were not done, %d connections without an end", r.requests, len(r.asked), len(r.conns))
	}
}

// recognise takes connections of which a Send says "ab".
func (r *reviewer) recognise(_ *flow.Conn, send *record.Message, payload []byte) ulp.Follower {
	if send != nil && strings.HasPrefix(string(payload), "ab") {
		return follower{reviewer: r}
	}
	return nil
}

// A follower is that of a reviewer.
type follower struct {
	ulp.Idle
	*reviewer
}

func (f follower) End() (outstanding [2]int)     { return outstanding }
func (f follower) Request(t *record.Transaction) { f.asked[t] = true }

func (f follower) Send(m *record.Message, payload []byte) {
	if uint64(len(payload)) > m.Len || len(payload) > 64 {
		f.t.Errorf("%d octets of payload of %d", len(payload), m.Len)
	}
}

func (f follower) Tagged(s *record.Segment, t *record.Transaction) {
	if t != nil && (s.RDMAP.Control.Opcode != rdmap.OpReadResponse || t.Kind != record.ReadTransaction) {
		f.t.Errorf("a %v for %+v", s.RDMAP.Control.Opcode, t)
	}
}

func (f follower) Done(t *record.Transaction) { delete(f.asked, t) }

// FuzzAnalysis lets two ends exchange any octets, as FuzzEngine does, and analyses it by each profile; the CRCs are made right, or not. Each request
// becomes exactly one Transaction, each connection has one Verdict, and findings are bounded.
func FuzzAnalysis(f *testing.F) {
	profiles := peers.Profiles
	frame := func(ulpdus ...string) (b []byte) {
		framer := mpa.Framer{Options: mpa.Options{CRC: true}}
		for _, u := range ulpdus {
			b, _ = framer.Append(b, []byte(u), nil)
		}
		return b
	}
	const (
		read      = "\x41\x41\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\xca\xfe\x00\x01\x00\x00\x00\x00\x00\x00\x20\x00\x00\x00\x00\x02\xbe\xef\x00\x02\x00\x00\x7f\x00\x00\x00\x40\x00"
		response  = "\xc1\x42\xca\xfe\x00\x01\x00\x00\x00\x00\x00\x00\x20\x00ab"
		send      = "\x41\x43\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00abcd"
		half      = "\x01\x43\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00abcd"
		inval     = "\x41\x44\xca\xfe\x00\x01\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00"
		write     = "\xc1\x40\xca\xfe\x00\x01\x00\x00\x00\x00\x00\x00\x10\x00ab"
		terminate = "\x41\x47\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00\x01\x00\xe0\x00\x00\x2e" + read
		siw       = "\x41\x47\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00\x11\x00\x03\x00\x00\x02" + "\xc1\x40\xca\xfe\x00\x01\x00\x00\x00\x00\x00\x00\x10\x00"
	)
	const crcOn, crcOff = 0x42, 0x02 // with revision 2
	for _, flags := range []byte{crcOn, crcOff} {
		f.Add(flags, flags, byte(0), frame(read, send), frame(response, half, half), []byte{200})
		f.Add(flags, flags, byte(1), frame(send, read, read), frame(send, terminate), []byte{200, 0, 0, 0})
		f.Add(flags, flags, byte(4), frame(write, inval, write, inval), frame(siw, send), []byte{60, 16, 0, 2})
		f.Add(flags, flags, byte(4), frame(read, read, half), frame(response, response), []byte{20, 0, 1, 4, 3, 5})
	}
	for _, u := range captured(f).ulpdus {
		f.Add(byte(crcOn), byte(crcOn), byte(0x80), frame(string(u)), frame(send, string(u)), []byte{255})
		f.Add(byte(crcOff), byte(crcOff), byte(5), frame(string(u)), frame(send, string(u)), []byte{255})
	}
	f.Fuzz(func(t *testing.T, requestFlags, replyFlags, profile byte, fromClient, fromServer, script []byte) {
		skipLong(t, requestFlags|replyFlags, fromClient, fromServer, script)
		if profile >= 0x80 {
			fromClient, fromServer = mended(fromClient), mended(fromServer)
		}
		r := &reviewer{t: t, asked: map[*record.Transaction]bool{}, conns: map[*flow.Conn]*review{}}
		o := judge.Options{Profile: profiles[int(profile)%len(profiles)], ULPs: []*ulp.Layer{{Name: "reviewer", Recognise: r.recognise}}, MaxPayload: 64}
		exchange(dissect.NewEngine(judge.New(r, o), dissect.Options{MaxConnections: 4}), requestFlags, replyFlags, fromClient, fromServer, script)
		r.done()
	})
}
