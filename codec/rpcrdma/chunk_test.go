package rpcrdma_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// Segments of the lists below.
var (
	a = rpcrdma.Segment{Handle: 0x1100aa01, Length: 4096, Offset: 0x7f0010000000}
	b = rpcrdma.Segment{Handle: 0x1100aa02, Length: 2, Offset: 0x7f0010400000}
	c = rpcrdma.Segment{Handle: 0x2200bb01, Length: 0xffffffff, Offset: 1}
)

const (
	wireA = "1100aa01 00001000 00007f0010000000"
	wireB = "1100aa02 00000002 00007f0010400000"
	wireC = "2200bb01 ffffffff 0000000000000001"
)

// TestReadList walks a list in which the segments of one chunk do not stand together, and which descends.
func TestReadList(t *testing.T) {
	l := rpcrdma.ReadList(raw("00000001 00000048" + wireA + "00000001 00000010" + wireC + "00000001 00000048" + wireB + "00000001 fffffffc" + wireB))
	var built rpcrdma.ReadList
	built = built.Append(0x48, a).Append(0x10, c).Append(0x48, b).Append(0xfffffffc, b)
	if !bytes.Equal(built, l) {
		t.Errorf("built\n got % x\nwant % x", built, l)
	}
	want := []rpcrdma.ReadSegment{{Position: 72, Segment: a}, {Position: 16, Segment: c}, {Position: 72, Segment: b}, {Position: 0xfffffffc, Segment: b}}
	if d := cmp.Diff(want, slices.Collect(l.Segments())); d != "" {
		t.Errorf("segments: (-want +got)\n%s", d)
	}
	if d := cmp.Diff([]uint32{16, 72, 0xfffffffc}, slices.Collect(l.Positions())); d != "" {
		t.Errorf("Positions: (-want +got)\n%s", d)
	}
	if d := cmp.Diff([]rpcrdma.Segment{a, b}, slices.Collect(l.Chunk(72))); d != "" {
		t.Errorf("chunk: (-want +got)\n%s", d)
	}
	if l.Count() != 4 || l.Length(72) != 4098 || l.Length(16) != 0xffffffff || l.Length(20) != 0 || !l.Has(16) || l.Has(0) {
		t.Errorf("count %d, lengths %d, %d, %d", l.Count(), l.Length(72), l.Length(16), l.Length(20))
	}
	for p := range l.Positions() {
		if p != 16 {
			t.Errorf("the first Position is %d", p)
		}
		break
	}
	for s := range l.Chunk(72) {
		if s != a {
			t.Errorf("the first segment is %+v", s)
		}
		break
	}
	var none rpcrdma.ReadList
	if none.Count() != 0 || none.Has(0) || slices.Collect(none.Positions()) != nil {
		t.Error("the empty list is not empty")
	}
}

func TestWriteList(t *testing.T) {
	l := rpcrdma.WriteList(raw("00000001 00000002" + wireA + wireB + "00000001 00000000 00000001 00000001" + wireC))
	var built rpcrdma.WriteList
	built = built.Append(a, b).Append().Append(c)
	if !bytes.Equal(built, l) {
		t.Errorf("built\n got % x\nwant % x", built, l)
	}
	var chunks [][]rpcrdma.Segment
	var lengths []uint64
	for c := range l.Chunks() {
		chunks = append(chunks, slices.Collect(c.Segments()))
		lengths = append(lengths, c.Length())
		if !c.Present() || c.Count() != len(chunks[len(chunks)-1]) {
			t.Errorf("chunk % x: %d segments", c, c.Count())
		}
	}
	if d := cmp.Diff([][]rpcrdma.Segment{{a, b}, nil, {c}}, chunks); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if d := cmp.Diff([]uint64{4098, 0, 0xffffffff}, lengths); d != "" || l.Count() != 3 {
		t.Errorf("%d chunks (-want +got)\n%s", l.Count(), d)
	}
	for c := range l.Chunks() {
		for s := range c.Segments() {
			if s != a {
				t.Errorf("the first segment is %+v", s)
			}
			break
		}
		break
	}
}

func TestWriteChunk(t *testing.T) {
	var chunk rpcrdma.WriteChunk
	if chunk.Present() || chunk.Count() != 0 || chunk.Length() != 0 {
		t.Error("no chunk is a chunk")
	}
	empty := chunk.Append()
	if !bytes.Equal(empty, raw("00000000")) || !empty.Present() || empty.Count() != 0 {
		t.Errorf("empty chunk % x", empty)
	}
	chunk = chunk.Append(a).Append(b, c)
	if want := raw("00000003" + wireA + wireB + wireC); !bytes.Equal(chunk, want) {
		t.Errorf("got % x\nwant % x", chunk, want)
	}
	if chunk.Length() != 4096+2+0xffffffff {
		t.Errorf("length %d", chunk.Length())
	}
}

// TestExamplesOfRFC8166 takes the encodings that RFC 8166, section 4.7, shows: a digit is a word of that value, and a
// letter one that stands for a part of a segment.
func TestExamplesOfRFC8166(t *testing.T) {
	const prefix = "00000000 00000001 00000001 00000000 "
	words := strings.NewReplacer(" ", "", "0", "00000000", "1", "00000001", "2", "00000002", "3", "00000003",
		"P", "000000b0", "H", "9306a106", "L", "00000f3c", "OO", "73218ef80e247000")
	s := rpcrdma.Segment{Handle: 0x9306a106, Length: 0xf3c, Offset: 0x73218ef80e247000}
	for _, tc := range []struct {
		lists string
		want  rpcrdma.Version1
	}{
		{"1 PHLOO 1 PHLOO 1 PHLOO 0  0  0", rpcrdma.Version1{Reads: rpcrdma.ReadList(nil).Append(0xb0, s).Append(0xb0, s).Append(0xb0, s)}},
		{"0  1 3 HLOO HLOO HLOO 1 2 HLOO HLOO 0  0", rpcrdma.Version1{Writes: rpcrdma.WriteList(nil).Append(s, s, s).Append(s, s)}},
		{"0  0  1 2 HLOO HLOO", rpcrdma.Version1{Reply: rpcrdma.WriteChunk(nil).Append(s, s)}},
		{"0 0 0", rpcrdma.Version1{}},
	} {
		tc.want.Vers, tc.want.Credit = 1, 1
		b := octets(t, prefix+words.Replace(tc.lists))
		var got rpcrdma.Version1
		if n, err := got.Decode(b); n != len(b) || err != nil {
			t.Errorf("%s: n = %d of %d, %v", tc.lists, n, len(b), err)
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.lists, d)
		}
	}
}

// TestBuildAgain checks that lists which are built in the memory of others allocate nothing.
func TestBuildAgain(t *testing.T) {
	var (
		h, h2 = rpcrdma.Version1{XID: 1, Vers: 1, Credit: 1}, rpcrdma.Version2{Vers: 2, CreditGrant: 1, HType: rpcrdma.HTypeConnProp}
		buf   = make([]byte, 0, 512)
	)
	build := func() {
		h.Reads = h.Reads[:0].Append(4, a).Append(4, b)
		h.Writes = h.Writes[:0].Append(a, b).Append()
		h.Reply = h.Reply[:0].Append(c).Append(a)
		h2.Props = h2.Props[:0].AppendUint32(rpcrdma.PropBRS, 1).AppendHostAuth(buf[:5]).Append(9, buf[:3])
		h.AppendBinary(buf)
		h2.AppendBinary(buf)
	}
	build()
	if allocs := testing.AllocsPerRun(100, build); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	if h.Reply.Count() != 2 || h.Writes.Count() != 2 || h.Reads.Count() != 2 {
		t.Errorf("%+v", h)
	}
}

// TestAppendToDecoded checks that building on what was decoded does not write into the message.
func TestAppendToDecoded(t *testing.T) {
	for _, name := range []string{"all lists", "CONNPROP", "2022 CALL_EXTERNAL"} {
		v := vectors[name]
		message := v.message(t)
		want := bytes.Clone(message)
		h := fresh(v.dialect)
		if _, err := h.Decode(message); err != nil {
			t.Fatal(err)
		}
		switch h := h.(type) {
		case *rpcrdma.Version1:
			h.Reads.Append(4, a)
			h.Writes.Append(a)
			h.Reply.Append(a)
		case *rpcrdma.Version2:
			h.Props.AppendUint32(9, 9)
		case *rpcrdma.Draft2022:
			h.Call.Append(0, a)
		}
		if !bytes.Equal(message, want) {
			t.Errorf("%s: the message became % x", name, message)
		}
	}
}

// TestBuild makes messages with lists, and decodes them to what they were made of.
func TestBuild(t *testing.T) {
	var reads, call rpcrdma.ReadList
	var writes rpcrdma.WriteList
	var reply rpcrdma.WriteChunk
	var props rpcrdma.PropSet
	reads = reads.Append(4, a).Append(8, b)
	call = call.Append(0, c)
	writes = writes.Append(a, b).Append()
	reply = reply.Append(c)
	props = props.AppendUint32(rpcrdma.PropRBSIZ, 8192).Append(77, []byte("abc")).AppendHostAuth([]byte("secret"))
	for _, h := range []interface {
		Decode([]byte) (int, error)
		AppendBinary([]byte) ([]byte, error)
	}{
		&rpcrdma.Version1{XID: 1, Vers: 1, Credit: 2, Reads: reads, Writes: writes, Reply: reply},
		&rpcrdma.Version1{XID: 1, Vers: 1, Credit: 2, Proc: rpcrdma.ProcMsgP, Align: 8, Thresh: 9, Reads: reads},
		&rpcrdma.Version2{XID: 1, Vers: 2, CreditMax: 2, CreditGrant: 3, Flags: 1 << 31, InvHandle: 7, Reads: reads, Writes: writes, Reply: reply},
		&rpcrdma.Version2{XID: 1, Vers: 2, CreditGrant: 3, HType: rpcrdma.HTypeConnProp, Props: props},
		&rpcrdma.Draft2022{XID: 1, Vers: 2, Credit: 3, HType: rpcrdma.HType2022CallExternal, Call: call, Reads: reads, Writes: writes, Reply: reply},
		&rpcrdma.Draft2022{XID: 1, Vers: 2, Credit: 3, HType: rpcrdma.HType2022ConnPropFinal, Props: props},
		&rpcrdma.Draft2022{XID: 1, Vers: 2, Credit: 3, HType: 99},
		&rpcrdma.Version1{XID: 1, Vers: 2, Credit: 3, Proc: 99},
		&rpcrdma.Version2{XID: 1, Vers: 2, HType: 99, Flags: rpcrdma.FlagMore},
	} {
		b, err := h.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		var d rpcrdma.Dialect
		switch h.(type) {
		case *rpcrdma.Version1:
			d = v1
		case *rpcrdma.Version2:
			d = v2
		default:
			d = dr
		}
		got := fresh(d)
		if n, err := got.Decode(b); n != len(b) || err != nil {
			t.Errorf("%+v: n = %d of %d, %v", h, n, len(b), err)
		}
		if d := cmp.Diff(any(h), any(got)); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	}
}

func TestSegmentCheck(t *testing.T) {
	complains(t, "segment to the end of memory", (&rpcrdma.Segment{Length: 16, Offset: 1<<64 - 16}).Check(), "")
	complains(t, "segment beyond it", (&rpcrdma.Segment{Length: 17, Offset: 1<<64 - 16}).Check(), "Offset")
}

// TestListCount counts in octets that no decoder has seen.
func TestListCount(t *testing.T) {
	for name, l := range map[string]rpcrdma.WriteList{
		"cut": rpcrdma.WriteList(raw("00000001 00000001" + wireA + "00000001 00000001 11")), "count": rpcrdma.WriteList(raw("00000001 00000001" + wireA + "00000001 00000009" + wireA)),
	} {
		if l.Count() != 1 {
			t.Errorf("%s: %d chunks", name, l.Count())
		}
	}
}

// complains checks that err is about the value of a field; about none if field is empty.
func complains(t *testing.T, what string, err error, name string) {
	t.Helper()
	var e *field.Error
	switch {
	case name == "" && err != nil:
		t.Errorf("%s: %v", what, err)
	case name != "" && (!errors.As(err, &e) || e.Field != name || e.Reason != field.ErrValue || e.Rule == ""):
		t.Errorf("%s: %v, want a complaint about %s", what, err, name)
	}
}
