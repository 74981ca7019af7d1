package rpctext

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
)

// octets returns those of a text; where anything may stand there are zeros.
func octets(t *testing.T, text string) []byte {
	t.Helper()
	text = strings.ReplaceAll(Plain(text), "?*4", "00000000")
	text = strings.ReplaceAll(text, Plain("?*4"), "00000000")
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return b
}

// What is right by its names is so for the codec.
func TestMessagesAgainstCodec(t *testing.T) {
	a, b := Segment{Handle: 0x11, Length: 8, Offset: 1 << 40}, Segment{Handle: 0x12, Length: 16}
	chunks := Chunks{
		Reads: []ReadSegment{{52, a}, {52, b}}, Writes: [][]Segment{{a, b}, {}, {b}}, Reply: []Segment{b},
	}
	message := octets(t, Msg(0x101, chunks, CallOf(0x101, ProcEcho, Items(Numbered(1, 24).InChunk())).String()).String())
	var h rpcrdma.Version1
	n, err := h.Decode(message)
	if err != nil {
		t.Fatal(err)
	}
	var m rpcrdma.Message
	m.Decode(message, len(message), rpcrdma.DialectVersion1)
	if _, v := new(rpcrules.Stream).Message(rpcrules.Client, &m, nil); len(v) > 0 {
		t.Error(v)
	}
	if h.XID != 0x101 || h.Credit != uint32(Credits) || h.Proc != rpcrdma.ProcMsg {
		t.Errorf("the header is %+v", h)
	}
	if h.Reads.Length(52) != 24 || h.Writes.Count() != 3 || h.Reply.Length() != 16 {
		t.Errorf("the lists are %v, %v and %v", h.Reads, h.Writes, h.Reply)
	}
	var c oncrpc.Call
	if _, err := c.Decode(message[n:]); err != nil || c.Check() != nil || c.XID != h.XID || c.Prog != oncrpc.Program(Program) || c.Proc != uint32(ProcEcho) {
		t.Errorf("the Call is %+v, %v", c, err)
	}
}

func TestRepliesAgainstCodec(t *testing.T) {
	for _, status := range []Word{Success, ProgUnavail, ProgMismatch, ProcUnavail, GarbageArgs, SystemErr} {
		message := octets(t, NullReply(7, status))
		var h rpcrdma.Version1
		n, err := h.Decode(message)
		var r oncrpc.Reply
		if err == nil {
			_, err = r.Decode(message[n:])
		}
		if err != nil || r.XID != 7 || r.AcceptStat != oncrpc.AcceptStat(status) {
			t.Errorf("NullReply of %d is %+v, %v", status, r, err)
		}
	}
	var r oncrpc.Reply
	if _, err := r.Decode(octets(t, Mismatch(7))); err != nil || r.RejectStat != oncrpc.RPCMismatch {
		t.Errorf("Mismatch is %+v, %v", r, err)
	}
	var h rpcrdma.Version1
	if _, err := h.Decode(octets(t, Error1(7, 9, ErrVers, 1, 2))); err != nil || h.Vers != 9 || h.VersLow != 1 || h.VersHigh != 2 {
		t.Errorf("Error1 is %+v, %v", h, err)
	}
	if _, err := h.Decode(octets(t, RefusedChunk(7))); err != nil || h.Err != rpcrdma.ErrCodeChunk {
		t.Errorf("RefusedChunk is %+v, %v", h, err)
	}
}

func TestWithAuthSys(t *testing.T) {
	call := CallOf(7, ProcNull, "")
	b := octets(t, WithAuthSys(call.String(), 148))
	var c oncrpc.Call
	n, err := c.Decode(b)
	if err != nil || n != CallLen+148 || c.Cred.Flavor != oncrpc.AuthSys || c.XID != 7 || c.Prog != oncrpc.Program(Program) {
		t.Errorf("it is %+v of %d octets, %v", c, n, err)
	}
}

func TestPart(t *testing.T) {
	const text = "00010203 04050607 0809"
	for _, tt := range []struct {
		before, n int
		want      string
	}{
		{0, 10, text}, {0, 0, ""}, {0, 3, "000102"}, {2, 5, "02030405 06"}, {9, 1, "09"},
	} {
		if got := Part(text, tt.before, tt.n); got != tt.want {
			t.Errorf("Part(%d, %d) is %q, not %q", tt.before, tt.n, got, tt.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("what may be anything was cut")
		}
	}()
	Part("00 ?*4", 0, 2)
}

func TestUsed(t *testing.T) {
	chunk := []Segment{{Length: 4}, {Length: 4}, {Length: 4}}
	for n, want := range map[int][3]uint32{0: {}, 3: {3}, 4: {4}, 6: {4, 2}, 12: {4, 4, 4}} {
		for i, s := range Used(n, chunk...) {
			if s.Length != want[i] {
				t.Errorf("with %d octets segment %d has %d, not %d", n, i, s.Length, want[i])
			}
		}
	}
}

func TestItemsLen(t *testing.T) {
	items := []Item{Numbered(1, 5), {Absent: true}, Filled('a', 40), {Data: []byte{}}}
	if got, want := ItemsLen(items...), len(octets(t, Items(items...))); got != want {
		t.Errorf("they have %d octets, not %d", want, got)
	}
	if got, want := int(Position(2, items...)), CallLen+len(octets(t, Items(items[:2]...)))+8; got != want {
		t.Errorf("the Position is %d, not %d", got, want)
	}
}
