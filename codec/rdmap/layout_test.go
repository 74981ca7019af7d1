package rdmap_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// namer names values by a field table.
type namer struct{ *field.Table }

func (n namer) name(name string, v uint64) string { return n.Lookup(name).Names(v) }

// layout writes the parts of a ULPDU as "offset table", with a * if the part is enclosed.
func layout(ulpdu []byte, length int) (lines []string) {
	for _, p := range rdmap.AppendLayout(nil, ulpdu, length) {
		mark := ""
		if p.Carried {
			mark = "*"
		}
		lines = append(lines, fmt.Sprintf("%d%s %s", p.Off, mark, p.Table.Name))
	}
	return lines
}

func TestLayout(t *testing.T) {
	const (
		tagged    = "0 DDP tagged header, 1 RDMAP control field"
		untagged  = "0 DDP untagged header, 1 RDMAP control field, 2 RDMAP reserved octets"
		terminate = untagged + ", 18 RDMAP Terminate header"
		prefix    = "4147 00000000 00000002 00000001 00000000 "
		read      = " 0000 4141 00000000 00000001 00000001 00000000 cafe0001 00000000 00002000 00001800 beef0002 00007f00 00004000"
	)
	for _, tc := range []struct{ name, wire, want string }{
		{"Send", ulpdus["Send"], untagged},
		{"SendInvalidate", ulpdus["SendInvalidate"], "0 DDP untagged header, 1 RDMAP control field, 2 RDMAP Invalidate STag"},
		{"Write", ulpdus["Write"], tagged},
		{"ReadResponse", ulpdus["ReadResponse last"], tagged},
		{"ReadRequest", ulpdus["ReadRequest"], untagged + ", 18 RDMAP Read Request header"},
		{"ReadRequest that is too long", ulpdus["ReadRequest"] + "00", untagged + ", 18 RDMAP Read Request header, 46 RDMAP trailing octets"},
		{"second segment of a ReadRequest", "4141 00000000 00000001 00000001 00000010 cafe0001", untagged},
		{"ReadRequest in a tagged segment", "c141 00000000 00000001 00000001 00000000 cafe0001", tagged},
		{"AtomicRequest", ulpdus["FetchAdd"], untagged + ", 18 RDMAP Atomic Request header"},
		{"AtomicResponse", ulpdus["AtomicResponse"], untagged + ", 18 RDMAP Atomic Response header"},
		{"Immediate", ulpdus["Immediate"], untagged + ", 18 RDMAP Immediate Data header"},
		{"unknown opcode", "414e 00000000 00000001 00000001 00000000 cafe0001", untagged},
		{"Terminate 000", ulpdus["Terminate 000"], terminate},
		{"Terminate 100", ulpdus["Terminate 100"], terminate + ", 22 RDMAP Terminate DDP Segment Length"},
		{"Terminate 110", ulpdus["Terminate 110 T"],
			terminate + ", 22 RDMAP Terminate DDP Segment Length, 24* DDP tagged header, 25* RDMAP control field"},
		{"Terminate 111", ulpdus["Terminate 111"],
			terminate + ", 22 RDMAP Terminate DDP Segment Length, 24* DDP untagged header, 25* RDMAP control field, 26* RDMAP reserved octets, 42* RDMAP Read Request header"},
		{"swapped Terminate", prefix + "10000700" + read,
			terminate + ", 18 RDMAP Terminate header as meant, 22 RDMAP Terminate DDP Segment Length, 24* DDP untagged header, 25* RDMAP control field, 26* RDMAP reserved octets, 42* RDMAP Read Request header"},
		{"ambiguous Terminate", ulpdus["Terminate 2/0/05"], terminate + ", 18 RDMAP Terminate header as meant"},
		{"Terminate with trailing octets", prefix + "02000000 aabb", terminate + ", 22 RDMAP trailing octets"},
		{"Terminate that is too short", prefix + "0200", terminate},
		{"Terminate without header", prefix, untagged},
		{"nothing", "", ""},
		{"one octet", "41", "0 DDP untagged header"},
		{"two octets", "4144", "0 DDP untagged header, 1 RDMAP control field"},
		{"three octets", "414411", "0 DDP untagged header, 1 RDMAP control field, 2 RDMAP Invalidate STag"},
	} {
		b := octets(t, tc.wire)
		got := strings.Join(layout(b, len(b)), ", ")
		if got != tc.want {
			t.Errorf("%s: (-want +got)\n%s", tc.name, cmp.Diff(strings.Split(tc.want, ", "), strings.Split(got, ", ")))
		}
		if longer := append(b[:len(b):len(b)], 1, 2, 3, 4, 5, 6); strings.Join(layout(longer, len(b)), ", ") != tc.want {
			t.Errorf("%s: octets behind the ULPDU are looked at", tc.name)
		}
		parts := make([]field.Part, 0, rdmap.MaxParts)
		if allocs := testing.AllocsPerRun(100, func() { rdmap.AppendLayout(parts, b, len(b)) }); allocs != 0 {
			t.Errorf("%s: %v allocations", tc.name, allocs)
		}
	}
	if got := layout([]byte{0x41}, -1); got != nil {
		t.Errorf("a ULPDU of negative length has parts: %v", got)
	}
}

// TestLayoutCut checks that a ULPDU of which only a part was captured has the parts that begin within it.
func TestLayoutCut(t *testing.T) {
	for name, s := range ulpdus {
		wire := octets(t, s)
		whole := rdmap.AppendLayout(nil, wire, len(wire))
		for cut := range len(wire) {
			got := rdmap.AppendLayout(nil, wire[:cut:cut], len(wire))
			for i, p := range whole {
				// Which fields these are is said by octets that may be missing.
				sure := p.Table.Proto == "iwarp_ddp" || p.Table == rdmap.ControlFields || p.Table == rdmap.ReadRequestFields || p.Table == rdmap.ImmediateFields
				if p.Off < cut && sure && (i >= len(got) || got[i].Table != p.Table || got[i].Off != p.Off) {
					t.Errorf("%s cut at %d: part %d is not %s", name, cut, i, p.Table.Name)
				}
			}
			for _, p := range got {
				if p.Off >= cut {
					t.Errorf("%s cut at %d: %s begins at %d", name, cut, p.Table.Name, p.Off)
				}
			}
		}
	}
}

// TestLayoutCovers checks that the fields of the parts cover every octet of the headers once, except for the first octets
// of a Terminate with two readings.
func TestLayoutCovers(t *testing.T) {
	for name, s := range ulpdus {
		wire := octets(t, s)
		bits := make([]int, 8*len(wire))
		for _, p := range rdmap.AppendLayout(nil, wire, len(wire)) {
			if strings.HasSuffix(p.Table.Name, "as meant") {
				continue
			}
			for f := range p.Fields() {
				for bit := range f.Width {
					bits[8*p.Off+f.Off+bit]++
				}
			}
		}
		var h rdmap.Segment
		h.Decode(wire)
		for i, n := range bits[:8*(len(wire)-h.PayloadLen(len(wire)))] {
			if n != 1 {
				t.Errorf("%s: bit %d is in %d fields", name, i, n)
				break
			}
		}
	}
}

// TestTables checks that every field of this package has a name of its own, with its prefix.
func TestTables(t *testing.T) {
	seen := make(map[string]field.Field)
	for _, table := range rdmap.Tables {
		if table.Proto != "iwarp_rdma" || table.Name == "" || table.Source == "" {
			t.Errorf("table %+v", table)
		}
		for _, f := range table.Fields {
			if !strings.HasPrefix(f.Name, "iwarp_rdma.") || f.Label == "" {
				t.Errorf("%s: %+v", table.Name, f)
			}
			if old, ok := seen[f.Name]; ok && (old.Off != f.Off || old.Width != f.Width) {
				t.Errorf("%s is two fields", f.Name)
			}
			seen[f.Name] = f
		}
	}
	for _, name := range strings.Fields(`version rsv opcode inval_stag reserved sinkstag sinkto rdmardsz srcstag srcto
		atomic.reserved atomic.opcode atomic.request_identifier atomic.remote_stag atomic.remote_tagged_offset
		atomic.add_data atomic.add_mask atomic.swap_data atomic.swap_mask atomic.compare_data atomic.compare_mask
		atomic.original_request_identifier atomic.original_remote_data_value immediate_data
		term_layer term_etype term_errcode term_hdrct_m hdrct_d hdrct_r term_rsvd term_ddp_seg_len
		term_meant_layer term_meant_etype term_meant_errcode term_meant_hdrct_m term_meant_hdrct_d term_meant_hdrct_r trailing`) {
		if _, ok := seen["iwarp_rdma."+name]; !ok {
			t.Errorf("there is no field iwarp_rdma.%s", name)
		}
		delete(seen, "iwarp_rdma."+name)
	}
	for name := range seen {
		t.Errorf("the list above lacks field %s", name)
	}
}

// TestPartFields checks that a view sees no octets twice and can stop.
func TestPartFields(t *testing.T) {
	wire := octets(t, ulpdus["Send"])
	part := rdmap.AppendLayout(nil, wire, len(wire))[0]
	var shown []string
	for f := range part.Fields() {
		shown = append(shown, f.Name)
		if f.Name == "iwarp_ddp.qn" {
			break
		}
	}
	want := []string{"iwarp_ddp.tagged_flag", "iwarp_ddp.last_flag", "iwarp_ddp.rsvd", "iwarp_ddp.dv", "iwarp_ddp.qn"}
	if d := cmp.Diff(want, shown); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if part.Omit == nil || part.Omit.Name != "iwarp_ddp.rsvdulp" {
		t.Errorf("omitted: %v", part.Omit)
	}
}
