package association_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/association"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

var octets = codectest.Octets

// The chunks of a packet, by hand: an INIT ACK with an unknown parameter and the indication of DDP, a SACK with a gap,
// and a DATA chunk of five octets with its padding.
const (
	initAck = "02 00 0020 deadbeef 0001 0000 000a 0005 00000100" + "8000 0006 0102 0000" + "c006 0008"
	sack    = "03 00 0014 000000ff 00010000 0001 0000 0002 0005"
	data    = "00 07 0015 00000100 0003 0000 00000010 68656c6c6f 000000"
)

func TestChunks(t *testing.T) {
	init := strings.Replace(initAck, "0020", "0024", 1) + "00000001"
	b := octets(t, init+sack+data)
	r := association.NewReader(b, 0)
	var c association.Chunk
	var i association.Init
	if !r.Next(&c) || !i.Decode(&c) {
		t.Fatal("no INIT ACK")
	}
	want := association.Init{Tag: 0xdeadbeef, Outbound: 10, Inbound: 5, TSN: 0x100, Indicated: true, Indication: 1}
	if d := cmp.Diff(want, i); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	var s association.SACK
	if !r.Next(&c) || !s.Decode(&c) || s != (association.SACK{Cumulative: 0xff, Highest: 0x104}) {
		t.Errorf("SACK %+v", s)
	}
	var d association.Data
	if !r.Next(&c) || !d.Decode(&c) {
		t.Fatal("no DATA")
	}
	wantData := association.Data{TSN: 0x100, Stream: 3, PPID: 16, Begin: true, End: true, UserData: []byte("hello")}
	if diff := cmp.Diff(wantData, d); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if r.Next(&c) {
		t.Errorf("a chunk behind the last: %+v", c)
	}
}

func TestCutAndHostile(t *testing.T) {
	for name, tc := range map[string]struct {
		packet  string
		missing int
		chunks  int
		cut     int // octets that the last chunk lacks
	}{
		"cut within User Data":       {"00 03 0020 00000100 0003 0000 00000010 6865", 14, 1, 14},
		"a Length beyond the packet": {"00 03 0021 00000100 0003 0000 00000010 6865", 14, 0, 0},
		"a Length of zero":           {"00 03 0000 00000100", 0, 0, 0},
		"a Length below the header":  {"00 03 0003 00000100", 0, 0, 0},
		"three octets":               {"00 03 00", 100, 0, 0},
		"empty chunks":               {"0e 00 0004 0e 00 0004", 0, 2, 0},
	} {
		r := association.NewReader(octets(t, tc.packet), tc.missing)
		var c association.Chunk
		n := 0
		for r.Next(&c) {
			n++
		}
		if n != tc.chunks || n > 0 && c.Missing != tc.cut {
			t.Errorf("%s: %d chunks, %d octets missing", name, n, c.Missing)
		}
	}
	for _, wire := range []string{
		"01 00 0018 deadbeef 00010000 000a 0005 00000100 c006 0000",      // a parameter without length
		"01 00 001a deadbeef 00010000 000a 0005 00000100 c006 0008 0000", // cut
	} {
		r := association.NewReader(octets(t, wire), 0)
		var c association.Chunk
		var i association.Init
		if !r.Next(&c) || !i.Decode(&c) || i.Indicated {
			t.Errorf("%s: %+v", wire, i)
		}
	}
}

// push takes chunks "TSN flags text", flags being of B and E, and tells what comes.
func push(h *association.Half, script string) (came []string) {
	for frame, word := range strings.Fields(script) {
		var d association.Data
		var text string
		part := strings.SplitN(word, ":", 3)
		fmt.Sscanf(part[0], "%d", &d.TSN)
		d.Begin, d.End = strings.Contains(part[1], "B"), strings.Contains(part[1], "E")
		text = part[2]
		d.UserData = []byte(text)
		at := association.Place{Frame: uint64(frame + 1)}
		var m association.Message
		if h.Push(&d, at, &m) {
			came = append(came, fmt.Sprintf("%s/%d@%d-%d", m.Data, m.Fragments, m.First.Frame, m.Last.Frame))
		}
	}
	return came
}

func TestHalf(t *testing.T) {
	for name, tc := range map[string]struct {
		script, want string
		lacks        bool
		duplicates   uint64
	}{
		"in order":                     {"1:BE:a 2:BE:b", "a/1@1-1 b/1@2-2", false, 0},
		"out of order":                 {"2:BE:b 1:BE:a", "b/1@1-1 a/1@2-2", false, 0},
		"one lost":                     {"1:BE:a 3:BE:c", "a/1@1-1 c/1@2-2", true, 0},
		"one sent again":               {"1:BE:a 1:BE:a 2:BE:b 1:BE:a", "a/1@1-1 b/1@3-3", false, 2},
		"fragments":                    {"1:B:a 2::b 3:E:c", "abc/3@1-3", false, 0},
		"fragments out of order":       {"3:E:c 1:B:a 2::b", "abc/3@1-3", false, 0},
		"a fragment lost":              {"1:B:a 3:E:c 4:BE:d", "d/1@3-3", true, 0},
		"a beginning within a message": {"1:B:a 2:B:b 3:E:c", "bc/2@2-3", false, 0},
		"an end without its beginning": {"1:E:a 2:B:b 3:E:c", "bc/2@2-3", false, 0},
		"TSNs wrap":                    {"4294967295:BE:a 0:BE:b 1:B:c 2:E:d 4294967295:BE:a", "a/1@1-1 b/1@2-2 cd/2@3-4", false, 1},
		"one stray":                    {"1:BE:a 900000:BE:x 2:BE:b", "a/1@1-1 b/1@3-3", false, 0},
		"the capture slept a while":    {"1:BE:a 900000:BE:x 900001:BE:x 900002:BE:x 900003:BE:x 900004:BE:x 900005:BE:x 900006:BE:x 900007:BE:z", "a/1@1-1 z/1@9-9", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var h association.Half
			if got := strings.Join(push(&h, tc.script), " "); got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
			if h.Missing() != tc.lacks || h.Duplicates != tc.duplicates {
				t.Errorf("missing %v, %d duplicates", h.Missing(), h.Duplicates)
			}
			if h.GiveUp(); h.Missing() {
				t.Error("still missing")
			}
		})
	}
}

// TestLimits sends fragments that never end.
func TestLimits(t *testing.T) {
	var h association.Half
	var m association.Message
	for tsn := range uint32(10_000) {
		d := association.Data{TSN: 2 * tsn, UserData: make([]byte, 1000)}
		if h.Push(&d, association.Place{}, &m) {
			t.Fatal("a message")
		}
	}
	if h.Dropped < 9_000_000 {
		t.Errorf("%d octets dropped", h.Dropped)
	}
	if got := testing.AllocsPerRun(100, func() {
		d := association.Data{TSN: 0x10_0000, Begin: true, End: true}
		h.Push(&d, association.Place{}, &m)
	}); got != 0 {
		t.Errorf("%v allocations for a chunk", got)
	}
}

func ExampleHalf() {
	var h association.Half
	var m association.Message
	h.Expect(7)
	for _, d := range []association.Data{
		{TSN: 7, PPID: 16, Begin: true, End: true, UserData: []byte("one")},
		{TSN: 9, PPID: 16, End: true, UserData: []byte("fragments")},
		{TSN: 8, PPID: 16, Begin: true, UserData: []byte("two ")},
		{TSN: 7, PPID: 16, Begin: true, End: true, UserData: []byte("one")},
	} {
		if h.Push(&d, association.Place{Frame: uint64(d.TSN)}, &m) {
			fmt.Printf("%s, fragments: %d\n", m.Data, m.Fragments)
		}
	}
	fmt.Println("duplicates:", h.Duplicates)
	// Output:
	// one, fragments: 1
	// two fragments, fragments: 2
	// duplicates: 1
}
