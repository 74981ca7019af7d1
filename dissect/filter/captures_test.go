package filter_test

// Filters over the bundled captures.

import (
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	upper "github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// An audience shows every event of a capture to a function, with what the event needs: the payload of Sends is joined.
type audience struct {
	event filter.Event
	show  func(*filter.Event)
	sends map[*flow.Conn]*[2][]byte // payload of Sends in progress
}

func (a *audience) Record(rec *record.Record) { recordtest.Pieces(rec, a) }

func (a *audience) StartupFrame(f *record.Startup) {
	a.event.Reset()
	for _, l := range upper.Layers() {
		if l.Private == nil {
			continue
		}
		if p, ok := l.Private(f.Conn, &f.MPA); ok {
			f.Private = &p
			break
		}
	}
	a.event.StartupFrame = f
	a.show(&a.event)
}

func (a *audience) Segment(s *record.Segment) {
	a.event.Reset()
	a.event.Segment = s
	a.show(&a.event)
	if s.RDMAP.Control.Opcode.IsSend() {
		p := a.sends[s.Conn]
		if p == nil {
			p = new([2][]byte)
			a.sends[s.Conn] = p
		}
		if s.RDMAP.Untagged.MO == 0 {
			p[s.Dir] = p[s.Dir][:0]
		}
		p[s.Dir] = append(p[s.Dir], s.RDMAP.Body...)
	}
}

func (a *audience) Message(m *record.Message) {
	a.event.Reset()
	a.event.Message = m
	if m.Opcode.IsSend() {
		a.event.Payload, a.event.PayloadLen = a.sends[m.Conn][m.Dir], m.Len
	}
	a.show(&a.event)
}

// watch shows the events of a capture.
func watch(t testing.TB, next func(*pcaps.Record) error, show func(*filter.Event)) {
	t.Helper()
	a := &audience{show: show, sends: map[*flow.Conn]*[2][]byte{}}
	e := dissect.NewEngine(a, dissect.Options{})
	var rec pcaps.Record
	for next(&rec) == nil {
		if rec.Frame == 1 {
			a.event.Start = rec.Time
		}
		e.Packet(&rec)
	}
	e.Close()
}

func watchSample(t testing.TB, name string, show func(*filter.Event)) {
	t.Helper()
	r, err := samples.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	watch(t, r.Next, show)
}

func mustCompile(t testing.TB, text string) *filter.Filter {
	t.Helper()
	f, err := filter.Compile(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestCounts counts MPA frames and messages that match, of which other programs have counted as many.
func TestCounts(t *testing.T) {
	for _, tc := range []struct {
		sample, filter string
		want           int
	}{
		{"rping", "", 37},
		{"rping", "type == Send", 20},
		{"rping", "iwarp_rdma.opcode == Send", 20},
		{"rping", "type in {Write, ReadRequest, ReadResponse} and complete", 15},
		{"rping", "iwarp_mpa.rev", 2},
		{"rping", "conn == 0 and dir == s2c and type == ReadRequest", 5},
		{"ipv6", "type == Write and len > 0 and segments > 1", 1},
		{"multi4", "conn == 3 and type == Send", 2},
		{"term-read-badkey", "iwarp_rdma.terminate", 1},
		{"term-read-badkey", "iwarp_rdma.srcstag == 0x24ddb500", 2},                                  // and in the Terminate
		{"term-read-badkey", "type == Terminate and iwarp_rdma.term_errcode == \"Invalid STag\"", 0}, // in siw's order
		{"term-read-badkey", "iwarp_rdma.term_meant_errcode == \"Invalid STag\"", 1},
		{"reject-pd32", "iwarp_mpa.rej_flag == true and type == MPAReply", 1},
		{"netem-lossy", "not complete", 0},
		{"nfs-small-v4.1-inl4096-crc1", "rpcordma.msg_type", 1110},
		{"nfs-small-v4.1-inl4096-crc1", "rpcordma.msg_type == RDMA_NOMSG", 134},
		{"nfs-small-v4.1-inl4096-crc1", "rpc.msgtyp == CALL", 555},
		{"nfs-small-v4.1-inl4096-crc1", "rpcordma.private.version", 2},
		{"iser-start", "rpcordma or rpc or nfs", 0},
		{"nvme-rdma-start", "rpcordma or rpc or nfs", 0},
		{"smbdirect", "rpcordma or rpc or nfs", 0},
	} {
		f := mustCompile(t, tc.filter)
		got := 0
		watchSample(t, tc.sample, func(e *filter.Event) {
			if e.Segment == nil && f.Match(e) {
				got++
			}
		})
		if got != tc.want {
			t.Errorf("%s: %q matches %d, want %d", tc.sample, tc.filter, got, tc.want)
		}
	}
}
