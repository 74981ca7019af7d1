package session

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/association"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// A lister lists the MSNs of segments, and notes.
type lister struct{ seen []string }

func (l *lister) StartupFrame(f *record.Startup) { l.seen = append(l.seen, f.Name()) }
func (l *lister) Segment(s *record.Segment) {
	l.seen = append(l.seen, fmt.Sprint(s.RDMAP.Header.Untagged.MSN))
}

func (l *lister) Record(r *record.Record) { recordtest.Pieces(r, l) }
func (l *lister) Message(*record.Message) {}
func (l *lister) Note(n *record.Note) {
	l.seen = append(l.seen, fmt.Sprintf("(%v %d)", n.Kind, n.Octets))
}
func (l *lister) End(*flow.Conn) { l.seen = append(l.seen, "end") }

// TestOrder delivers DDP Segment Chunks of one side as they come; their DDP-SSNs, which are their MSNs less 1, bring them
// into order.
func TestOrder(t *testing.T) {
	many := func(from, to int) (ssns []int) {
		for ; from <= to; from++ {
			ssns = append(ssns, from)
		}
		return ssns
	}
	for _, tc := range []struct {
		name  string
		begun bool // the INIT is in the capture
		ssns  []int
		acked int // TSN
		want  string
	}{
		{"in order", true, many(0, 3), 0, "1 2 3 4 end"},
		{"out of order", true, []int{0, 2, 3, 1}, 0, "1 2 3 4 end"},
		{"one never comes", true, []int{0, 2, 3}, 0, "1 (chunks missing 1) 3 4 end"},
		{"lost by the capture", true, append([]int{0}, many(2, 10)...), 10, "1 (chunks missing 1) 3 4 5 6 7 8 9 10 11 end"},
		{"begin not captured", false, []int{5, 6}, 0, "6 7 end"},
		{"too late", false, []int{5, 4, 6}, 0, "6 7 end"},
		{"twice the same", true, []int{0, 1, 1, 2}, 0, "1 2 2 3 end"},
	} {
		shared, sink := new(Shared), new(lister)
		shared.Sink = sink
		ends := [2]*association.End{{Chunks: new(association.Half)}, {}}
		if tc.begun {
			ends[0].At = association.Place{Frame: 1}
			ends[0].Chunks.Expect(0)
		}
		if tc.acked > 0 {
			ends[1].Acknowledge(association.SACK{Cumulative: uint32(tc.acked), Highest: uint32(tc.acked)})
		}
		var s SCTP
		s.Init(shared, netip.MustParseAddrPort("10.0.0.1:1"), netip.MustParseAddrPort("10.0.0.2:2"), 0, ends)
		for i, ssn := range tc.ssns {
			data := binary.BigEndian.AppendUint16(nil, uint16(ssn))
			data = append(data, 0, 0)[:sctp.SegmentLen]
			data = append(data, send(uint32(ssn+1), 0, true)...)
			var m association.Message
			at := association.Place{Frame: uint64(i + 2)}
			d := association.Data{TSN: uint32(ssn), PPID: sctp.PPIDSegment, Begin: true, End: true, UserData: data}
			ends[0].Chunks.Push(&d, at, &m)
			a, ok := NewArrival(&association.Message{PPID: sctp.PPIDSegment, TSN: uint32(ssn), Fragments: 1, Data: data, First: at, Last: at}, ends[0])
			if !ok {
				t.Fatalf("%s: a chunk is too short", tc.name)
			}
			s.Receive(0, &a)
		}
		s.Settle()
		s.End()
		if got := strings.Join(sink.seen, " "); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
		if s.orders[0].octets != 0 {
			t.Errorf("%s: %d octets still wait", tc.name, s.orders[0].octets)
		}
	}
}
