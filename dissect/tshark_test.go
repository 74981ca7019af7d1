package dissect_test

// A second opinion: every capture of the repository is dissected by tshark too, and every field of every FPDU compared.
// Where tshark is known to be wrong the test says so and asserts what is right.

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/internal/tools"
	"github.com/iwarpkit/iwarp/pcaps"
)

// captureFiles are all captures of the repository.
func captureFiles(t testing.TB) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"../pcaps/samples/*.pcap*", "testdata/captures/*.pcap*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 60 {
		t.Fatalf("only %d captures found", len(files))
	}
	return files
}

// compared are the fields that both know. Others are known to differ:
//
//   - iwarp_mpa.res of tshark includes the S bit of RFC 6581, which it does not know.
//   - iwarp_ddp.rsvdulp of an untagged segment is shown here as what RDMAP means by it.
//   - iwarp_rdma.term_etype and term_errcode have several names in tshark, by layer; see renamed.
//   - the headers that a Terminate encloses are plain octets in tshark, and cut in the wrong place.
var compared = []string{
	"iwarp_mpa.key.req", "iwarp_mpa.key.rep", "iwarp_mpa.marker_flag", "iwarp_mpa.crc_flag", "iwarp_mpa.rej_flag",
	"iwarp_mpa.rev", "iwarp_mpa.pdlength", "iwarp_mpa.privatedata", "iwarp_mpa.ulpdulength", "iwarp_mpa.pad",
	"iwarp_ddp.tagged_flag", "iwarp_ddp.last_flag", "iwarp_ddp.rsvd", "iwarp_ddp.dv", "iwarp_ddp.stag",
	"iwarp_ddp.tagged_offset", "iwarp_ddp.qn", "iwarp_ddp.msn", "iwarp_ddp.mo",
	"iwarp_rdma.version", "iwarp_rdma.rsv", "iwarp_rdma.opcode", "iwarp_rdma.inval_stag",
	"iwarp_rdma.sinkstag", "iwarp_rdma.sinkto", "iwarp_rdma.rdmardsz", "iwarp_rdma.srcstag", "iwarp_rdma.srcto",
	"iwarp_rdma.term_layer", "iwarp_rdma.term_etype", "iwarp_rdma.term_errcode",
	"iwarp_rdma.term_hdrct_m", "iwarp_rdma.hdrct_d", "iwarp_rdma.hdrct_r",
}

// renamed are tshark's other names for a field.
var renamed = map[string][]string{
	"iwarp_rdma.term_etype": {"iwarp_rdma.term_etype_rdma", "iwarp_rdma.term_etype_ddp", "iwarp_rdma.term_etype_llp"},
	"iwarp_rdma.term_errcode": {"iwarp_rdma.term_errcode_rdma", "iwarp_rdma.term_errcode_ddp_tagged",
		"iwarp_rdma.term_errcode_ddp_untagged", "iwarp_rdma.term_errcode_llp"},
}

// A testimony is the values of fields in their order, by frame and field, and by field for the whole capture.
type testimony map[string][]string

func (t testimony) add(frame uint64, name, value string) {
	if value == "" {
		return
	}
	if n, err := strconv.ParseUint(value, 0, 64); err == nil && !strings.Contains(name, "privatedata") && !strings.Contains(name, "pad") && !strings.Contains(name, "key") {
		value = fmt.Sprint(n)
	}
	for _, key := range []string{fmt.Sprintf("%05d %s", frame, name), "all " + name} {
		t[key] = append(t[key], value)
	}
}

// tsharkSays runs tshark. An FPDU is shown by it in the frame that completes it.
func tsharkSays(t *testing.T, file string) (fields testimony, good, bad int) {
	t.Helper()
	// Without out-of-order reassembly tshark loses late FPDUs; with ports first, it takes NVMe's and SMB's for theirs.
	preferences := []string{"-r", file, "-o", "tcp.reassemble_out_of_order:TRUE", "-o", "tcp.try_heuristic_first:TRUE", "-Y", "iwarp_mpa"}
	args := append(preferences[:len(preferences):len(preferences)],
		"-T", "fields", "-E", "occurrence=a", "-E", "aggregator=;", "-e", "frame.number")
	var columns []string
	for _, name := range compared {
		columns = append(columns, name)
		columns = append(columns, renamed[name]...)
	}
	for _, c := range columns {
		args = append(args, "-e", c)
	}
	fields = testimony{}
	for line := range strings.Lines(tools.Tshark(t, args...)) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		frame, err := strconv.ParseUint(cells[0], 10, 64)
		if err != nil {
			t.Fatalf("tshark: %q", line)
		}
		for i, cell := range cells[1:] {
			name := columns[i]
			for ours, theirs := range renamed {
				if slices.Contains(theirs, name) {
					name = ours
				}
			}
			for value := range strings.SplitSeq(cell, ";") {
				fields.add(frame, name, strings.ReplaceAll(value, ":", ""))
			}
		}
	}
	tree := tools.Tshark(t, append(preferences, "-O", "iwarp_mpa")...)
	return fields, strings.Count(tree, "(Good CRC32)"), strings.Count(tree, "(Bad CRC32")
}

// A witness notes every field of every MPA frame and FPDU under the frame that completed it.
type witness struct {
	fields    testimony
	good, bad int
	parts     []field.Part
	ends      []flow.Conn
}

func (w *witness) Record(rec *record.Record) { recordtest.Pieces(rec, w) }

func (w *witness) table(frame uint64, t *field.Table, octets []byte) {
	for i := range t.Fields {
		f := &t.Fields[i]
		if slices.Contains(compared, f.Name) {
			w.fields.add(frame, f.Name, string(f.AppendValue(nil, octets)))
		}
	}
}

func (w *witness) StartupFrame(f *record.Startup) {
	w.table(f.LastFrame, f.MPA.Fields(), f.Octets)
}

func (w *witness) Segment(s *record.Segment) {
	switch s.FPDU.Verdict {
	case mpa.Good:
		w.good++
	case mpa.Bad:
		w.bad++
	}
	octets, _ := s.FPDU.AppendBinary(nil)
	w.table(s.LastFrame, mpa.FPDUFields, octets)
	w.table(s.LastFrame, mpa.TrailerFields(len(s.FPDU.ULPDU)), octets[2+len(s.FPDU.ULPDU):])
	w.parts = rdmap.AppendLayout(w.parts[:0], s.FPDU.ULPDU, int(s.FPDU.ULPDULength))
	for _, p := range w.parts {
		if !p.Carried && p.Table != rdmap.MeantFields {
			w.table(s.LastFrame, p.Table, p.Octets)
		}
	}
}

func (w *witness) End(c *flow.Conn) { w.ends = append(w.ends, *c) }

func TestTshark(t *testing.T) {
	tools.Require(t, "tshark")
	for _, file := range captureFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			want, good, bad := tsharkSays(t, file)
			c, err := pcaps.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			got := &witness{fields: testimony{}}
			if err := dissect.NewEngine(got, dissect.Options{}).Run(context.Background(), c); err != nil || c.Damage() != nil {
				t.Fatal(err, c.Damage())
			}
			if strings.HasPrefix(filepath.Base(file), "netem-lossy") {
				// Octets that waited for a retransmission are shown by tshark in its frame, here in their own.
				for _, fields := range []testimony{want, got.fields} {
					maps.DeleteFunc(fields, func(key string, _ []string) bool { return !strings.HasPrefix(key, "all ") })
				}
			}
			if d := cmp.Diff(want, got.fields); d != "" {
				t.Errorf("fields differ (-tshark +iwarp)\n%.4000s", d)
			}
			if good != got.good || bad != got.bad {
				t.Errorf("CRCs: tshark finds %d good, %d bad; iwarp %d good, %d bad", good, bad, got.good, got.bad)
			}
			for i := range got.ends {
				for d := range got.ends[i].Traffic {
					if tr := &got.ends[i].Traffic[d]; tr.Undecoded != 0 && filepath.Base(file) != "pd-c255-s16.pcap.gz" {
						t.Errorf("connection %d: %d octets undecoded", got.ends[i].ID, tr.Undecoded)
					}
				}
			}
		})
	}
}
