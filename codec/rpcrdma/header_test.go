package rpcrdma_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// prefixes are the tables of the part that all headers of a dialect have.
var prefixes = map[rpcrdma.Dialect]*field.Table{
	v1: rpcrdma.Version1Fields, v2: rpcrdma.Version2Fields, dr: rpcrdma.Draft2022Fields,
}

// TestVectors decodes every vector into a header that was used before, and encodes it.
func TestVectors(t *testing.T) {
	used := map[rpcrdma.Dialect]codectest.Header{v1: new(rpcrdma.Version1), v2: new(rpcrdma.Version2), dr: new(rpcrdma.Draft2022)}
	for name, v := range vectors {
		header, message := octets(t, v.header), v.message(t)
		got := used[v.dialect]
		if n, err := got.Decode(message); n != len(header) || err != nil {
			t.Errorf("%s: n = %d of %d, %v", name, n, len(header), err)
		}
		if d := cmp.Diff(v.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", name, d)
		}
		if b, err := v.want.AppendBinary([]byte("before")); err != nil || !bytes.Equal(b[6:], header) || v.want.Len() != len(header) {
			t.Errorf("%s: AppendBinary: %v, Len %d\n got % x\nwant % x", name, err, v.want.Len(), b[6:], header)
		}
		everyCut(t, name, v.dialect, header)
		everyField(t, name, v.dialect, header)
		noAllocation(t, name, v.dialect, message)
	}
}

// everyCut decodes every beginning of a header: each ends early, and what was there is encoded as far as it goes.
func everyCut(t *testing.T, name string, d rpcrdma.Dialect, header []byte) {
	t.Helper()
	for cut := range header {
		h := fresh(d)
		n, err := h.Decode(header[:cut:cut])
		if n != cut || !errors.Is(err, field.ErrShort) {
			t.Errorf("%s: %d octets of %d: n = %d, %v", name, cut, len(header), n, err)
		}
		table := prefixes[d]
		if cut < table.Len() && err != table.Short(cut) {
			t.Errorf("%s: %d octets of %d: %v, the table says %v", name, cut, len(header), err, table.Short(cut))
		}
		b, err := h.AppendBinary(nil)
		if err != nil || len(b) != h.Len() {
			t.Errorf("%s: %d octets of %d: AppendBinary: %v, %d octets of %d", name, cut, len(header), err, len(b), h.Len())
		}
		if whole := cut &^ 3; !bytes.HasPrefix(b, header[:min(whole, table.Len())]) {
			t.Errorf("%s: %d octets of %d: fields before the cut are % x", name, cut, len(header), b)
		}
	}
}

// everyField flips every bit of every field that the layout finds. What still decodes is encoded to the same octets.
func everyField(t *testing.T, name string, d rpcrdma.Dialect, header []byte) {
	t.Helper()
	for _, p := range rpcrdma.AppendLayout(nil, header, len(header), d) {
		for i := range p.Table.Fields {
			f := &p.Table.Fields[i]
			for bit := range f.Width {
				flipped := bytes.Clone(header)
				v, ok := f.Get(flipped[p.Off:])
				if !ok || f.Set(flipped[p.Off:], v^1<<uint(bit)) != nil {
					t.Fatalf("%s: %s at %d cannot be set", name, f.Name, p.Off)
				}
				h := fresh(d)
				n, err := h.Decode(flipped)
				if err != nil {
					if short := errors.Is(err, field.ErrShort); short != (n == len(flipped)) || !short && binary.BigEndian.Uint32(flipped[n:]) <= 1 {
						t.Errorf("%s: bit %d of %s at %d: %v at %d", name, bit, f.Name, p.Off, err, n)
					}
					continue
				}
				if b, err := h.AppendBinary(nil); err != nil || !bytes.Equal(b, flipped[:n]) {
					t.Errorf("%s: bit %d of %s at %d: AppendBinary: %v\n got % x\nwant % x", name, bit, f.Name, p.Off, err, b, flipped[:n])
				}
			}
		}
	}
}

func noAllocation(t *testing.T, name string, d rpcrdma.Dialect, message []byte) {
	t.Helper()
	h, buf := fresh(d), make([]byte, 0, 512)
	parts := make([]field.Part, 0, 64)
	if allocs := testing.AllocsPerRun(100, func() {
		for _, cut := range []int{len(message), len(message) - 1, 17, 3} {
			h.Decode(message[:min(cut, len(message))])
		}
		h.Decode(message)
		h.AppendBinary(buf)
		rpcrdma.AppendLayout(parts, message, len(message), d)
		rpcrdma.DetectDialect(message, len(message))
		rpcrdma.Recognize(message, len(message))
		walk(h)
	}); allocs != 0 {
		t.Errorf("%s: %v allocations", name, allocs)
	}
}

// walk goes through the lists of a header, and returns the sum of what is in them.
func walk(h codectest.Header) (sum uint64) {
	var (
		reads  [2]rpcrdma.ReadList
		writes rpcrdma.WriteList
		reply  rpcrdma.WriteChunk
		props  rpcrdma.PropSet
	)
	switch h := h.(type) {
	case *rpcrdma.Version1:
		reads, writes, reply = [2]rpcrdma.ReadList{h.Reads}, h.Writes, h.Reply
		h.IsReply(nil)
	case *rpcrdma.Version2:
		reads, writes, reply, props = [2]rpcrdma.ReadList{h.Reads}, h.Writes, h.Reply, h.Props
	case *rpcrdma.Draft2022:
		reads, writes, reply, props = [2]rpcrdma.ReadList{h.Call, h.Reads}, h.Writes, h.Reply, h.Props
	}
	for _, l := range reads {
		for s := range l.Segments() {
			sum += uint64(s.Length)
		}
		for position := range l.Positions() {
			for s := range l.Chunk(position) {
				sum += uint64(s.Length)
			}
			sum += l.Length(position)
		}
	}
	for c := range writes.Chunks() {
		for s := range c.Segments() {
			sum += uint64(s.Length)
		}
	}
	for p := range props.Properties() {
		v, _ := p.Uint32()
		sum += uint64(v)
	}
	props.Lookup(rpcrdma.PropBRS)
	return sum + reply.Length() + uint64(writes.Count()+reply.Count())
}

// TestLaws holds the small headers, and the others without chunks, against the laws that all headers of the house obey.
func TestLaws(t *testing.T) {
	for name, tc := range map[string]struct {
		fresh func() codectest.Header
		table *field.Table
		wire  string
	}{
		"segment":          {func() codectest.Header { return new(rpcrdma.Segment) }, rpcrdma.SegmentFields, "1100aa01 00001000 00007f0010000000"},
		"read segment":     {func() codectest.Header { return new(rpcrdma.ReadSegment) }, rpcrdma.ReadSegmentFields, "00000048 1100aa01 00001000 00007f0010000000"},
		"property":         {func() codectest.Header { return new(rpcrdma.Propval) }, rpcrdma.PropvalFields, "00000001 00000004 00002000"},
		"error":            {func() codectest.Header { return new(rpcrdma.Error2) }, rpcrdma.Error2Fields, "00000002"},
		"Version1":         {func() codectest.Header { return new(rpcrdma.Version1) }, rpcrdma.Version1Fields, vectors["kernel Call"].header},
		"Version1 DONE":    {func() codectest.Header { return new(rpcrdma.Version1) }, rpcrdma.Version1Fields, vectors["DONE"].header},
		"Version2":         {func() codectest.Header { return new(rpcrdma.Version2) }, rpcrdma.Version2Fields, vectors["version 2 Call"].header},
		"Draft2022 GRANT":  {func() codectest.Header { return new(rpcrdma.Draft2022) }, rpcrdma.Draft2022Fields, vectors["2022 GRANT"].header},
		"Draft2022 INLINE": {func() codectest.Header { return new(rpcrdma.Draft2022) }, rpcrdma.Draft2022Fields, vectors["2022 CALL_INLINE"].header},
	} {
		t.Run(name, func(t *testing.T) { codectest.Laws(t, tc.fresh, tc.table, octets(t, tc.wire)) })
	}
}

// TestShort looks which field is named, for the places where a header may end.
func TestShort(t *testing.T) {
	for _, tc := range []struct {
		vector string
		octets int
		want   string
	}{
		{"kernel Call", 0, "RPC-over-RDMA version 1 header: rdma_xid: header ends early"},
		{"kernel Call", 15, "RPC-over-RDMA version 1 header: rdma_proc: header ends early"},
		{"kernel Call", 16, "RPC-over-RDMA Read list: rdma_reads: header ends early"},
		{"kernel Call", 23, "RPC-over-RDMA Write list: rdma_writes: header ends early"},
		{"kernel Call", 24, "RPC-over-RDMA Reply chunk: rdma_reply: header ends early"},
		{"Read chunk of two segments", 20, "RPC-over-RDMA read segment: Position: header ends early"},
		{"Read chunk of two segments", 31, "RPC-over-RDMA read segment: Length: header ends early"},
		{"Read chunk of two segments", 39, "RPC-over-RDMA read segment: Offset: header ends early"},
		{"Read chunk of two segments", 40, "RPC-over-RDMA Read list, next: next: header ends early"},
		{"kernel Call with Write chunk", 24, "RPC-over-RDMA Write chunk: target: header ends early"},
		{"kernel Call with Write chunk", 28, "RPC-over-RDMA segment: Handle: header ends early"},
		{"kernel Call with Write chunk", 43, "RPC-over-RDMA segment: Offset: header ends early"},
		{"kernel Call with Write chunk", 44, "RPC-over-RDMA Write list, next: next: header ends early"},
		{"ERR_VERS", 16, "RPC-over-RDMA version 1 error: rdma_err: header ends early"},
		{"ERR_VERS", 20, "RPC-over-RDMA error, version range: rdma_vers_low: header ends early"},
		{"ERR_VERS", 27, "RPC-over-RDMA error, version range: rdma_vers_high: header ends early"},
		{"MSGP", 16, "RPC-over-RDMA padding: rdma_align: header ends early"},
		{"MSGP", 20, "RPC-over-RDMA padding: rdma_thresh: header ends early"},
		{"version 2 Call", 16, "RPC-over-RDMA version 2 header: rdma_flags, reserved: header ends early"},
		{"version 2 Call", 20, "RPC-over-RDMA remote invalidation: rdma_inv_handle: header ends early"},
		{"WRITE_RESOURCE", 28, "RPC-over-RDMA error, Write chunk: rdma_length_needed: header ends early"},
		{"CONNPROP", 20, "RPC-over-RDMA properties: rdma_props: header ends early"},
		{"CONNPROP", 24, "RPC-over-RDMA property: rdma_which: header ends early"},
		{"CONNPROP", 28, "RPC-over-RDMA property: rdma_data, length: header ends early"},
		{"CONNPROP", 32, "RPC-over-RDMA property data: rdma_data: header ends early"},
		{"2022 CALL_EXTERNAL", 20, "RPC-over-RDMA Call chunk: rdma_call: header ends early"},
		{"2022 CALL_MIDDLE", 19, "RPC-over-RDMA continuation: rdma_remaining: header ends early"},
	} {
		v := vectors[tc.vector]
		b := octets(t, v.header)[:tc.octets]
		if n, err := fresh(v.dialect).Decode(b); n != tc.octets || err == nil || err.Error() != tc.want {
			t.Errorf("%s, %d octets: n = %d, %v, want %s", tc.vector, tc.octets, n, err, tc.want)
		}
	}
}

// TestBeforeTheError checks that what was whole before an error is there.
func TestBeforeTheError(t *testing.T) {
	whole := octets(t, vectors["all lists"].header)
	var h rpcrdma.Version1
	if n, err := h.Decode(whole[:len(whole)-17]); n != len(whole)-17 || !errors.Is(err, field.ErrShort) {
		t.Fatalf("n = %d, %v", n, err)
	}
	if h.Reads.Count() != 1 || h.Writes.Count() != 3 || h.Reply.Present() {
		t.Errorf("%d reads, %d writes, reply %v", h.Reads.Count(), h.Writes.Count(), h.Reply.Present())
	}
	two := octets(t, vectors["Read chunk of two segments"].header)
	two[16+24] = 0x80 // the word behind the first segment
	if n, err := h.Decode(two); n != 40 || !errors.Is(err, field.ErrValue) || err.Error() !=
		"RPC-over-RDMA Read list, next: next: value is not allowed: must be 0 or 1 (RFC 4506, section 4.19)" {
		t.Errorf("n = %d, %v", n, err)
	}
	if h.Reads.Count() != 1 || h.XID != 0x5a000003 {
		t.Errorf("%+v", h)
	}
	props := octets(t, vectors["CONNPROP"].header)
	var h2 rpcrdma.Version2
	if n, err := h2.Decode(props[:40]); n != 40 || !errors.Is(err, field.ErrShort) {
		t.Errorf("n = %d, %v", n, err)
	}
	if p, ok := h2.Props.Lookup(rpcrdma.PropSBSIZ); !ok || len(p.Data) != 4 {
		t.Errorf("%+v", h2)
	}
}

// TestHostileCounts decodes headers that say they hold far more than there is.
func TestHostileCounts(t *testing.T) {
	const prefix1 = "5a000003 00000001 00000020 00000000"
	for name, tc := range map[string]struct {
		dialect rpcrdma.Dialect
		wire    string
	}{
		"Write chunk":       {v1, prefix1 + "00000000 00000001 ffffffff 2200bb01 00001000 00007f0020000000"},
		"16 more than 2^32": {v1, prefix1 + "00000000 00000001 10000001 2200bb01 00001000 00007f0020000000"},
		"Reply chunk":       {v1, prefix1 + "00000000 00000000 00000001 80000000"},
		"property count":    {v2, "c0000001 00000002 00080004 00000005 00000000 ffffffff 00000001 00000000"},
		"property length":   {v2, "c0000001 00000002 00080004 00000005 00000000 00000001 00000001 ffffffff 00000000"},
		"padded length":     {v2, "c0000001 00000002 00080004 00000005 00000000 00000001 00000001 00000005 aabbccdd eeff"},
	} {
		b := octets(t, tc.wire)
		h := fresh(tc.dialect)
		if n, err := h.Decode(b); n != len(b) || !errors.Is(err, field.ErrShort) {
			t.Errorf("%s: n = %d of %d, %v", name, n, len(b), err)
		}
		if allocs := testing.AllocsPerRun(100, func() { h.Decode(b) }); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
