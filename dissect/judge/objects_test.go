package judge

import (
	"bytes"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// The objects of a connection, each alone.

func sendInvalidate(d flow.Direction, frame uint64, stag uint32) *record.Segment {
	s := recordtest.Untagged(d, frame, rdmap.OpSendInvalidate, ddp.Untagged{L: true, MSN: 1}, []byte("payload"))
	s.RDMAP.InvalidateSTag = stag
	return s
}

// An STag that was invalidated must not be used, until its owner may have advertised it again.
func TestSTagsAlone(t *testing.T) {
	write := func(frame uint64) *record.Segment {
		return recordtest.Tagged(flow.C2S, frame, rdmap.OpWrite, 7, []byte("x"))
	}
	t.Run("used", func(t *testing.T) {
		s := stags{table: new(stagTable)}
		if s.write(write(1), 1) != nil || s.send(sendInvalidate(flow.C2S, 2, 7), 7) != nil {
			t.Fatal("misuse was reported before there was any")
		}
		u := s.write(write(3), 1)
		if u == nil || u.invalidated != 2 || u.used != 1 {
			t.Fatalf("got %+v", u)
		}
		if text := u.misuse(write(3)).what; !strings.Contains(text, "uses STag 0x00000007") || !strings.Contains(text, "in frame 1") {
			t.Error(text)
		}
		if s.write(write(4), 1) != nil {
			t.Error("the same misuse was reported again")
		}
		if got := s.invalidatedBefore(flow.C2S, 7, false); got != 2 {
			t.Errorf("invalidated in frame %d, want 2", got)
		}
	})
	t.Run("invalidated again", func(t *testing.T) {
		s := stags{table: new(stagTable)}
		s.send(sendInvalidate(flow.C2S, 2, 7), 7)
		if u := s.send(sendInvalidate(flow.C2S, 3, 7), 7); u == nil || !strings.Contains(u.misuse(sendInvalidate(flow.C2S, 3, 7)).what, "already") {
			t.Errorf("got %+v", u)
		}
		if got := s.invalidatedBefore(flow.C2S, 7, true); got != 2 {
			t.Errorf("invalidated before in frame %d, want 2", got)
		}
	})
	for name, advertise := range map[string]func(*stags){
		"a Send of the owner": func(s *stags) {
			s.send(recordtest.Untagged(flow.S2C, 3, rdmap.OpSend, ddp.Untagged{L: true, MSN: 1}, []byte("x")), 1)
		},
		"a gap":           func(s *stags) { s.gap(flow.S2C) },
		"the upper layer": func(s *stags) { s.advertise(flow.C2S, 7) },
		"a Read Request":  func(s *stags) { s.table.advertise(s.conn, flow.C2S, 7) },
	} {
		t.Run("advertised by "+name, func(t *testing.T) {
			s := stags{table: new(stagTable)}
			s.send(sendInvalidate(flow.C2S, 2, 7), 7)
			advertise(&s)
			if u := s.write(write(4), 1); u != nil {
				t.Errorf("got %+v", u)
			}
		})
	}
	t.Run("only the upper layer tells", func(t *testing.T) {
		s := stags{table: new(stagTable), advertises: true}
		s.send(sendInvalidate(flow.C2S, 2, 7), 7)
		s.gap(flow.S2C)
		if s.write(write(4), 1) == nil {
			t.Error("the misuse was not reported")
		}
	})
}

// What the capture lacks follows from its packets, its holes and what the other side has acknowledged.
func TestCoverageAlone(t *testing.T) {
	c := &flow.Conn{}
	c.Traffic[flow.C2S].Packets = 3
	v := coverage{conn: c}
	if v.absent(flow.C2S) || !v.absent(flow.S2C) || !v.lossy(flow.S2C) || v.complete() || v.closer() != flow.Nobody {
		t.Errorf("got %+v", v)
	}
	c.Traffic[flow.S2C].Packets = 1
	if v.anyLossy() || v.anyHidden() {
		t.Error("nothing is missing")
	}
	c.Traffic[flow.S2C].TCP.HoleOctets = 1
	if !v.lossy(flow.S2C) || v.lossy(flow.C2S) {
		t.Error("octets of the server are missing")
	}
	c.FIN[flow.S2C] = flow.At(9, 9)
	v.closing = c.FIN[flow.S2C]
	if !v.complete() || v.closer() != flow.Server {
		t.Errorf("closed by %v", v.closer())
	}
}

// Findings of one rule are reported up to a number, and all are counted.
func TestReporterAlone(t *testing.T) {
	var verdict record.Verdict
	reported := 0
	r := reporter{
		emit: func(*record.Finding) { reported++ }, who: new([2]identity), verdict: &verdict,
		suppress: func(name string) bool { return name == ObsReset.ID }, finding: new(record.Finding), come: new([2]progress),
	}
	for range MaxReports + 5 {
		r.observe(new(record.Origin), ObsZeroWindow, statement{})
		r.observe(new(record.Origin), ObsReset, stated("suppressed by its id"))
	}
	if reported != MaxReports || verdict.Withheld != 5 || verdict.Errors+verdict.Warnings+verdict.Notes != MaxReports+5 {
		t.Errorf("%d reported, verdict %+v", reported, verdict)
	}
}

// The segment that a Terminate is about is found by the header enclosed, also where no error shows.
func TestBlameAlone(t *testing.T) {
	b := blame{history: new(history), requests: new(match.Requests), conn: new(flow.Conn), who: new([2]identity)}
	for frame := range uint64(3) {
		b.segment(recordtest.Tagged(flow.C2S, frame+1, rdmap.OpWrite, uint32(frame), []byte("x")))
	}
	culprit := recordtest.Tagged(flow.C2S, 2, rdmap.OpWrite, 1, []byte("x"))
	terminate := rdmap.Terminate{
		Code: rdmap.Code{Layer: rdmap.LayerDDP, EType: rdmap.DDPTaggedBuffer}, M: true, D: true,
		HasSegmentLength: true, SegmentLength: culprit.FPDU.ULPDULength, HasHeader: true, Header: culprit.RDMAP.Header,
	}
	body, err := terminate.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := recordtest.Untagged(flow.S2C, 5, rdmap.OpTerminate, ddp.Untagged{L: true, QN: rdmap.QNTerminate, MSN: 1}, body)
	m := &record.Message{Origin: s.Origin, Opcode: rdmap.OpTerminate, First: s.RDMAP, ULPDU: len(s.FPDU.ULPDU), Header: bytes.Clone(s.FPDU.ULPDU)}
	cause, k, v := b.terminate(m, &stags{table: new(stagTable)})
	if cause == nil || cause.Blame != record.BlameByHeader || cause.Culprit.Frame != 2 || k == nil || len(v) > 0 {
		t.Fatalf("got %+v, %+v, violations %v", cause, k, v)
	}
	if again, _, _ := b.terminate(m, nil); again != nil {
		t.Error("a second Terminate of the direction has nothing to say")
	}
}
