package dissect_test

// The bundled capture of DDP over SCTP, and what tshark makes of it.

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/internal/tools"
	"github.com/iwarpkit/iwarp/pcaps"
)

// sctpCapture has on a stream what the connection of the sample sctpSource has.
const (
	sctpCapture = "testdata/sctp/rping.pcapng"
	sctpSource  = "rping"
)

// TestSCTPCapture checks that the bundled capture is the one that the sample makes, and at what is in it.
func TestSCTPCapture(t *testing.T) {
	var b bytes.Buffer
	w := pcaps.NewPcapngWriter(&b, pcaps.Section{
		Application: "iwarp",
		Comment: "Synthesised, not captured: the DDP segments of the sample " + sctpSource +
			", which went over TCP, on streams of an SCTP association as RFC 5043 has it.",
	})
	for _, r := range recorded.OverSCTP(t, sctpSource) {
		if err := w.WriteRecord(&r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	golden.File(t, sctpCapture, b.String())
	r := sumUp(t, sctpCapture, whole)
	if want := fmt.Sprint(counted[sctpSource]); fmt.Sprint(r.Segments) != want || len(r.Connections) != 1 {
		t.Errorf("%d connections, %v, want %s", len(r.Connections), r.Segments, want)
	}
	for i, c := range r.Connections {
		if c.Transport != "SCTP" || *c.Stream != uint16(i) || c.End != "fin" || c.CRCOption != "none" || c.CRC != (stats.CRC{}) {
			t.Errorf("%+v", c)
		}
	}
}

// A chunkLister writes a line for each DATA chunk of DDP.
type chunkLister struct {
	lines []string
}

func (l *chunkLister) Record(rec *record.Record) { recordtest.Pieces(rec, l) }

func (l *chunkLister) add(o *record.Origin, k *record.Chunk, ppid, octets int) {
	l.lines = append(l.lines, fmt.Sprintf("%d %d %#04x %d %d", o.Frame, k.TSN, o.Conn.Association.Stream, ppid, octets))
}

func (l *chunkLister) StartupFrame(f *record.Startup) {
	l.add(&f.Origin, &f.Chunk, sctp.PPIDControl, len(f.Octets))
}

func (l *chunkLister) Segment(s *record.Segment) {
	l.add(&s.Origin, &s.Chunk, sctp.PPIDSegment, sctp.SegmentLen+int(s.FPDU.ULPDULength))
}

// TestSCTPAgainstTshark compares the DATA chunks with those that tshark finds. It dissects SCTP, but DDP only over MPA.
func TestSCTPAgainstTshark(t *testing.T) {
	out := tools.Tshark(t, "-r", sctpCapture, "-o", "sctp.show_always_control_chunks:FALSE",
		"-Y", "sctp.data_payload_proto_id == 16 or sctp.data_payload_proto_id == 17", "-T", "fields",
		"-e", "frame.number", "-e", "sctp.data_tsn_raw", "-e", "sctp.data_sid", "-e", "sctp.data_payload_proto_id", "-e", "sctp.chunk_length")
	l := &chunkLister{}
	c, err := pcaps.Open(sctpCapture)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := dissect.NewEngine(l, dissect.Options{}).Run(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	var theirs []string
	for line := range strings.Lines(string(out)) {
		var frame, ppid, length int
		var tsn uint32
		var sid string
		if _, err := fmt.Sscan(line, &frame, &tsn, &sid, &ppid, &length); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		const header = 16 // octets of a DATA chunk before User Data
		theirs = append(theirs, fmt.Sprintf("%d %d %s %d %d", frame, tsn, sid, ppid, length-header))
	}
	if len(theirs) < 30 || strings.Join(l.lines, "\n") != strings.Join(theirs, "\n") {
		t.Errorf("%d chunks here, %d in tshark; the first:\n%.3s\n%.3s", len(l.lines), len(theirs), l.lines, theirs)
	}
}
