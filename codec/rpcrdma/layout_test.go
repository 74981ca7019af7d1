package rpcrdma_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// layout writes the parts of a message, one a line: offset and length, indented by level, the table's name without the
// protocol, the index, and the count if there is one.
func layout(message []byte, length int, d rpcrdma.Dialect) (lines []string) {
	for _, p := range rpcrdma.AppendLayout(nil, message, length, d) {
		line := fmt.Sprintf("%d+%d %s%s", p.Off, max(len(p.Octets), p.Table.Len()), strings.Repeat(".", int(p.Depth)), strings.TrimPrefix(p.Table.Name, "RPC-over-RDMA "))
		if p.Index != 0 {
			line += fmt.Sprintf(" #%d", p.Index)
		}
		if p.Count != 0 {
			line += fmt.Sprintf(" (%d)", p.Count)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestLayout(t *testing.T) {
	for name, want := range map[string]string{
		"kernel Call": "0+16 version 1 header, 16+4 Read list, 20+4 Write list, 24+4 Reply chunk",
		"Read chunk of two segments": "0+16 version 1 header, 16+4 Read list (2), 20+20 .read segment, 40+4 .Read list, next," +
			" 44+20 .read segment #1, 64+4 .Read list, next #1, 68+4 Write list, 72+4 Reply chunk",
		"all lists": "0+16 version 1 header, 16+4 Read list (1), 20+20 .read segment, 40+4 .Read list, next," +
			" 44+4 Write list (3), 48+4 .Write chunk, 52+16 ..segment, 68+16 ..segment #1, 84+4 .Write list, next," +
			" 88+4 .Write chunk #1, 92+4 .Write list, next #1, 96+4 .Write chunk #2, 100+16 ..segment, 116+4 .Write list, next #2," +
			" 120+4 Reply chunk, 124+4 .Write chunk, 128+16 ..segment",
		"MSGP":           "0+16 version 1 header, 16+8 padding, 24+4 Read list, 28+4 Write list, 32+4 Reply chunk",
		"DONE":           "0+16 version 1 header",
		"ERR_VERS":       "0+16 version 1 header, 16+4 version 1 error, 20+8 error, version range",
		"ERR_CHUNK":      "0+16 version 1 header, 16+4 version 1 error",
		"version 2 Call": "0+20 version 2 header, 20+4 remote invalidation, 24+4 Read list, 28+4 Write list, 32+4 Reply chunk",
		"CONNPROP with TPMORE": "0+20 version 2 header, 20+4 properties, 24+8 .property, 32+4 ..property HOSTAUTH, 36+5 ..property data, 41+3 ..padding octets," +
			" 44+8 .property #1, 52+3 ..property data #1, 55+1 ..padding octets #1, 56+8 .property #2",
		"CONNPROP": "0+20 version 2 header, 20+4 properties, 24+8 .property, 32+4 ..property SBSIZ, 36+8 .property #1, 44+4 ..property RBSIZ #1," +
			" 48+8 .property #2, 56+4 ..property RSSIZ #2, 60+8 .property #3, 68+4 ..property RCSIZ #3, 72+8 .property #4, 80+4 ..property BRS #4",
		"WRITE_RESOURCE":      "0+20 version 2 header, 20+4 version 2 error, 24+8 error, Write chunk",
		"BAD_XDR":             "0+20 version 2 header, 20+4 version 2 error",
		"2022 ERROR":          "0+16 version 2 header (2022), 16+4 version 2 error, 20+4 error, segments",
		"2022 GRANT":          "0+16 version 2 header (2022)",
		"2022 CONNPROP_FINAL": "0+16 version 2 header (2022), 16+4 properties, 20+8 .property, 28+4 ..property RBSIZ",
		"2022 CALL_EXTERNAL": "0+16 version 2 header (2022), 16+4 remote invalidation, 20+4 Call chunk (1), 24+20 .read segment, 44+4 .Read list, next," +
			" 48+4 Read list (1), 52+20 .read segment, 72+4 .Read list, next, 76+4 Write list (1), 80+4 .Write chunk, 84+16 ..segment," +
			" 100+4 .Write list, next, 104+4 Reply chunk, 108+4 .Write chunk, 112+16 ..segment",
		"2022 CALL_MIDDLE":  "0+16 version 2 header (2022), 16+4 continuation",
		"2022 REPLY_INLINE": "0+16 version 2 header (2022), 16+4 Write list",
	} {
		v := vectors[name]
		message := v.message(t)
		got := layout(message, len(message), v.dialect)
		if d := cmp.Diff(strings.ReplaceAll(want, ", ", "\n"), strings.ReplaceAll(strings.Join(got, ", "), ", ", "\n")); d != "" {
			t.Errorf("%s: (-want +got)\n%s", name, d)
		}
	}
	if got := layout(make([]byte, 40), 40, rpcrdma.DialectUnknown); got != nil {
		t.Errorf("a message of no dialect has parts: %v", got)
	}
	if got := layout(make([]byte, 40), -1, v1); got != nil {
		t.Errorf("a message of negative length has parts: %v", got)
	}
}

// TestLayoutOdd takes messages that are broken or cut.
func TestLayoutOdd(t *testing.T) {
	const prefix1 = "5a000001 00000001 00000020 "
	const prefix2 = "5a000001 00000002 00080001 "
	for name, tc := range map[string]struct {
		dialect rpcrdma.Dialect
		wire    string
		length  int // of the message, if there is more of it
		want    string
	}{
		"trailing octets": {v1, prefix1 + "00000003 aabbcc", 0, "0+16 version 1 header, 16+3 trailing octets"},
		"trailing, cut":   {v1, prefix1 + "00000003 aabbcc", 50, "0+16 version 1 header, 16+3 trailing octets"},
		"unknown Proc":    {v1, prefix1 + "00000009 aabbccdd", 0, "0+16 version 1 header, 16+4 trailing octets"},
		"prefix cut":      {v1, prefix1, 0, "0+16 version 1 header"},
		"prefix 2 cut":    {v2, prefix2 + "00000000 0000", 0, "0+20 version 2 header"},
		"prefix 2022 cut": {dr, prefix2, 0, "0+16 version 2 header (2022)"},
		"bad word":        {v1, prefix1 + "00000000 00000002 00000000 00000000", 0, "0+16 version 1 header, 16+4 Read list, 20+8 trailing octets"},
		"bad word in MSGP": {v1, prefix1 + "00000002 00000000 00000000 00000000 ffffffff 00000000 00", 0,
			"0+16 version 1 header, 16+8 padding, 24+4 Read list, 28+4 Write list, 32+5 trailing octets"},
		"segment cut": {v1, prefix1 + "00000000 00000001 00000048 1100", 0, "0+16 version 1 header, 16+4 Read list (1), 20+20 .read segment"},
		"many segments": {v1, prefix1 + "00000000 00000000 00000001 ffffffff" + wireA + wireB, 0,
			"0+16 version 1 header, 16+4 Read list, 20+4 Write list (1), 24+4 .Write chunk, 28+16 ..segment, 44+16 ..segment #1"},
		"many properties": {v2, prefix2 + "00000005 00000000 ffffffff 00000001 00000004 00002000", 0,
			"0+20 version 2 header, 20+4 properties, 24+8 .property, 32+4 ..property SBSIZ"},
		"property too long": {v2, prefix2 + "00000005 00000000 00000001 00000001 00000009 0000200000", 0,
			"0+20 version 2 header, 20+4 properties, 24+8 .property, 32+5 ..property data"},
		"property of another length": {v2, prefix2 + "00000005 00000000 00000001 00000001 00000003 00002000", 0,
			"0+20 version 2 header, 20+4 properties, 24+8 .property, 32+3 ..property data, 35+1 ..padding octets"},
		"bad HOSTAUTH": {v2, prefix2 + "00000005 00000000 00000001 00000006 00000004 00000001", 0,
			"0+20 version 2 header, 20+4 properties, 24+8 .property, 32+4 ..property data"},
		"property cut":   {v2, prefix2 + "00000005 00000000 00000001 00000006 0000", 0, "0+20 version 2 header, 20+4 properties, 24+8 .property"},
		"no properties":  {v2, prefix2 + "00000005 00000000 00", 0, "0+20 version 2 header, 20+4 properties"},
		"error cut":      {v2, prefix2 + "00000004 00000001 00", 0, "0+20 version 2 header, 20+4 version 2 error"},
		"error arm cut":  {v1, prefix1 + "00000004 00000001 00", 0, "0+16 version 1 header, 16+4 version 1 error, 20+8 error, version range"},
		"empty list cut": {v2, prefix2 + "00000000 00000000", 0, "0+20 version 2 header"},
	} {
		message := octets(t, tc.wire)
		got := layout(message, max(tc.length, len(message)), tc.dialect)
		if d := cmp.Diff(strings.ReplaceAll(tc.want, ", ", "\n"), strings.ReplaceAll(strings.Join(got, ", "), ", ", "\n")); d != "" {
			t.Errorf("%s: (-want +got)\n%s", name, d)
		}
	}
}

// TestLayoutCovers checks that the parts cover every octet of a header once, whether it is cut or not.
func TestLayoutCovers(t *testing.T) {
	for name, v := range vectors {
		header, message := octets(t, v.header), v.message(t)
		for cut := range len(header) + 1 {
			at := 0
			for _, p := range rpcrdma.AppendLayout(nil, message[:cut:cut], len(message), v.dialect) {
				if p.Off != at || len(p.Octets) == 0 || p.Off >= cut {
					t.Fatalf("%s cut at %d: %s at %d, the one before ends at %d", name, cut, p.Table.Name, p.Off, at)
				}
				at += len(p.Octets)
				n := max(p.Table.Len(), len(p.Octets))
				bits := make([]int, 8*n)
				for _, f := range p.Table.Fields {
					width := f.Width
					if width == 0 {
						width = 8*n - f.Off
					}
					for bit := range width {
						bits[f.Off+bit]++
					}
				}
				for i, n := range bits {
					if n != 1 {
						t.Fatalf("%s: bit %d of %s is in %d fields", name, i, p.Table.Name, n)
					}
				}
			}
			if at < cut || at > len(header) {
				t.Errorf("%s cut at %d: the parts end at %d", name, cut, at)
			}
		}
	}
}

// TestPartValue looks at the values that a view shows, and at those that the wire has.
func TestPartValue(t *testing.T) {
	v := vectors["2022 CALL_EXTERNAL"]
	all := vectors["all lists"]
	props := vectors["CONNPROP with TPMORE"]
	for _, tc := range []struct {
		vector *vector
		field  string
		want   string // of every part that has the field
	}{
		{&all, "rpcordma.reads_count", "1"},
		{&all, "rpcordma.writes_count", "3"},
		{&all, "rpcordma.writes_next", "1 1 0"},
		{&all, "rpcordma.reply_count", "1"},
		{&all, "rpcordma.segment_count", "2 0 1 1"},
		{&all, "rpcordma.rdma_handle", "0x1100aa01 0x2200bb01 0x2200bb02 0x2200bb03 0x3300cc02"},
		{&all, "rpcordma.rdma_length", "7 4096 4096 16 8192"},
		{&all, "rpcordma.xid", "0x5a000004"},
		{&v, "rpcordma.calls_count", "1"},
		{&v, "rpcordma.position", "0 72"},
		{&props, "rpcordma.prop.data", "a1a2a3a4a5 aabbcc"},
		{&props, "rpcordma.pad", "000000 00"},
		{&props, "rpcordma.prop.which", "6 195939070 2"},
		{&props, "rpcordma.credit_grant", "32"},
		{&props, "rpcordma.flags.tpmore", "1"},
	} {
		message := tc.vector.message(t)
		var got []string
		for _, p := range rpcrdma.AppendLayout(nil, message, len(message), tc.vector.dialect) {
			if f := p.Table.Lookup(tc.field); f != nil {
				got = append(got, string(p.AppendValue(nil, f)))
			}
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %s, want %s", tc.field, strings.Join(got, " "), tc.want)
		}
	}
	message := all.message(t)
	p := field.Part{Table: rpcrdma.WriteListFields, Octets: message[44:48], List: true, Count: 3}
	if v, ok := p.Table.Fields[0].Get(p.Octets); v != 1 || !ok {
		t.Errorf("the wire has %d, %v", v, ok)
	}
	p.Octets = p.Octets[:3]
	if _, ok := p.Value(&p.Table.Fields[0]); ok {
		t.Error("a field that is cut has a value")
	}
}

// TestTables checks that every field of this package has a name of its own, with its prefix.
func TestTables(t *testing.T) {
	seen := make(map[string]field.Field)
	for _, table := range rpcrdma.Tables {
		if table.Proto != "rpcordma" || table.Name == "" || table.Source == "" {
			t.Errorf("table %+v", table)
		}
		for _, f := range table.Fields {
			if !strings.HasPrefix(f.Name, "rpcordma.") || f.Label == "" {
				t.Errorf("%s: %+v", table.Name, f)
			}
			if old, ok := seen[f.Name]; ok && (old.Width != f.Width || old.Base != f.Base) {
				t.Errorf("%s is two fields", f.Name)
			}
			seen[f.Name] = f
		}
	}
	wireshark := strings.Fields(`xid version flow_control msg_type reads_count writes_count reply_count rdma_handle rdma_length rdma_offset
		position segment_count rdma_align rdma_thresh errcode vers_low vers_high`)
	ours := strings.Fields(`credit_max credit_grant flags.reserved flags.tpmore flags.more flags.response inv_handle remaining
		calls_count reads_next writes_next max_chunks max_segments chunk_index length_needed
		prop_count prop.which prop.length prop.sbsiz prop.rbsiz prop.rssiz prop.rcsiz prop.brs prop.hostauth_length prop.data
		trailing pad`)
	for _, name := range append(wireshark, ours...) {
		if _, ok := seen["rpcordma."+name]; !ok {
			t.Errorf("there is no field rpcordma.%s", name)
		}
		delete(seen, "rpcordma."+name)
	}
	for name := range seen {
		t.Errorf("unexpected field %s", name)
	}
	for _, tc := range []struct {
		table *field.Table
		name  string
		value uint64
		want  string
	}{
		{rpcrdma.Version1Fields, "rpcordma.msg_type", 1, "RDMA_NOMSG"},
		{rpcrdma.Version2Fields, "rpcordma.msg_type", 5, "RDMA2_CONNPROP"},
		{rpcrdma.Draft2022Fields, "rpcordma.msg_type", 5, "RDMA2_GRANT"},
		{rpcrdma.Error1Fields, "rpcordma.errcode", 2, "ERR_CHUNK"},
		{rpcrdma.Error2Fields, "rpcordma.errcode", 2, "RDMA2_ERR_BAD_XDR"},
		{rpcrdma.PropvalFields, "rpcordma.prop.which", 7, "PropID7"},
		{rpcrdma.BRSFields, "rpcordma.prop.brs", 1, "SIMPLE"},
	} {
		if got := tc.table.Lookup(tc.name).Names(tc.value); got != tc.want {
			t.Errorf("%s: %s %d is %s, want %s", tc.table.Name, tc.name, tc.value, got, tc.want)
		}
	}
}
