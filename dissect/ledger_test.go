package dissect_test

// What is expected of a damaged capture: messages that the undamaged one has too, and no octet that is not accounted for.

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A deed is what is known of a message wherever it is decoded.
type deed struct {
	from   netip.AddrPort
	opcode string
	header string
	octets uint64
}

func (d deed) String() string {
	return fmt.Sprintf("%v %s %x %d", d.from, d.opcode, d.header, d.octets)
}

// A ledger keeps what was decoded: messages by what they are, with their frames, and octets by their direction.
type ledger struct {
	whole    map[deed][]flow.Span // all segments were seen
	partly   map[deed][]flow.Span
	spoilt   map[deed]int                // of whole, those with bad CRCs
	octets   map[conversation.Way]uint64 // that were captured
	segments uint64
	notes    [16]int
	conns    []flow.Conn
}

func (l *ledger) Record(rec *record.Record) { recordtest.Pieces(rec, l) }

func newLedger() *ledger {
	return &ledger{
		whole: map[deed][]flow.Span{}, partly: map[deed][]flow.Span{}, spoilt: map[deed]int{},
		octets: map[conversation.Way]uint64{},
	}
}

func wayOf(c *flow.Conn, d flow.Direction) conversation.Way {
	return conversation.Way{c.Peer(d), c.Peer(1 - d)}
}

func (l *ledger) count(o *record.Origin, n uint64) {
	l.octets[wayOf(o.Conn, o.Dir)] += n
}

func (l *ledger) StartupFrame(f *record.Startup) { l.count(&f.Origin, uint64(len(f.Octets))) }

func (l *ledger) Segment(s *record.Segment) {
	l.segments++
	l.count(&s.Origin, s.FPDU.End-s.FPDU.Start-uint64(s.FPDU.Missing))
}

func (l *ledger) Message(m *record.Message) {
	d := deed{m.Conn.Peer(m.Dir), m.Opcode.String(), string(m.Header), m.Len}
	to := l.partly
	if m.Complete {
		to = l.whole
	}
	to[d] = append(to[d], m.Span)
	if m.BadCRCs > 0 {
		l.spoilt[d]++
	}
}

func (l *ledger) Note(n *record.Note) { l.notes[n.Kind]++ }
func (l *ledger) End(c *flow.Conn) {
	l.conns = append(l.conns, *c)
	for d := range c.Traffic {
		t := &c.Traffic[d]
		l.count(&record.Origin{Conn: c, Dir: flow.Direction(d)}, t.Undecoded+t.Streaming)
	}
}

// dissectInto runs records through an Engine. As with a reader, the octets of a packet do not stay.
func dissectInto(sink record.Sink, records []pcaps.Record, o dissect.Options) *dissect.Totals {
	e := dissect.NewEngine(sink, o)
	var buffer []byte
	for i := range records {
		r := records[i]
		buffer = append(buffer[:0], r.Data...)
		r.Data = buffer
		e.Packet(&r)
		clear(buffer)
	}
	e.Close()
	return e.Totals()
}

// keep is the ledger of records.
func keep(records []pcaps.Record) *ledger {
	l := newLedger()
	dissectInto(l, records, dissect.Options{})
	return l
}

// audit checks that each octet of an iWARP connection is decoded, undecoded, missing or before MPA, and none is twice.
func (l *ledger) audit(t *testing.T, records []pcaps.Record) {
	t.Helper()
	length := conversation.Lengths(records)
	for i := range l.conns {
		c := &l.conns[i]
		for d := range c.Traffic {
			tr := &c.Traffic[d]
			if tr.TCP.OutOfWindow > 0 || tr.TCP.Dropped > 0 {
				continue
			}
			way := wayOf(c, flow.Direction(d))
			if got, want := l.octets[way]+tr.TCP.HoleOctets, length[way]; got != want {
				t.Errorf("connection %d %v: %d octets are accounted for, of %d; %d undecoded, %d streaming, %d in holes",
					c.ID, flow.Direction(d), got, want, tr.Undecoded, tr.Streaming, tr.TCP.HoleOctets)
			}
			if tr.MissingOctets > tr.TCP.HoleOctets {
				t.Errorf("connection %d %v: %d octets missing, %d in holes", c.ID, flow.Direction(d), tr.MissingOctets, tr.TCP.HoleOctets)
			}
		}
	}
}

// rightly checks that all whole messages without a bad CRC are among those of the undamaged capture.
func (l *ledger) rightly(t *testing.T, undamaged *ledger) {
	t.Helper()
	for d, spans := range l.whole {
		if n := len(undamaged.whole[d]) + len(undamaged.partly[d]); len(spans)-l.spoilt[d] > n && !undamaged.hasCut(d) {
			t.Errorf("%d times in frames %v, %d times in the undamaged capture: %v", len(spans), spans, n, d)
		}
	}
}

// hasCut reports whether there is a message that d is, except for octets of its header that were cut.
func (l *ledger) hasCut(d deed) bool {
	for other := range l.whole {
		if other.from == d.from && other.opcode == d.opcode && other.octets == d.octets &&
			len(other.header) > len(d.header) && other.header[:len(d.header)] == d.header {
			return true
		}
	}
	return false
}
