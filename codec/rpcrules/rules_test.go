package rpcrules

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A talk is a connection whose messages are checked.
type talk struct {
	t       *testing.T
	stream  Stream
	dialect rpcrdma.Dialect
}

func newTalk(t *testing.T, c Conditions) *talk {
	k := &talk{t: t}
	k.stream.Reset(c)
	return k
}

func hexOctets(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decode reads a message as the connection does.
func (k *talk) decode(b []byte) *rpcrdma.Message {
	m := new(rpcrdma.Message)
	m.Decode(b, len(b), k.dialect.Of(b, len(b)))
	if k.dialect == rpcrdma.DialectUnknown && m.Form != rpcrdma.FormError {
		k.dialect = m.Dialect
	}
	return m
}

// send checks a message: its fate, and the names of the rules that it breaks.
func (k *talk) send(from Side, b []byte) (*rpcrdma.Message, Fate, string) {
	m := k.decode(b)
	fate, v := k.stream.Message(from, m, nil)
	return m, fate, violated(v)
}

func violated(v []rules.Violation) string {
	var names []string
	for _, one := range v {
		names = append(names, one.Name)
	}
	return strings.Join(names, " ")
}

// describe abbreviates a fate: "whole", "part first", "drop INVAL_CONT".
func (k *talk) describe(f Fate) string {
	words := []string{[...]string{"drop", "other", "part", "whole"}[f.Use]}
	if f.First && f.Use == Part {
		words = append(words, "first")
	}
	if f.Use == Whole && !f.First {
		words = append(words, "last")
	}
	if f.Ends {
		words = append(words, "ends")
	}
	if f.Cut {
		words = append(words, "cut")
	}
	if f.Fault != nil {
		if codes := f.Fault.Codes(k.dialect); len(codes) > 0 {
			m := rpcrdma.Message{Dialect: k.dialect, Error: rpcrdma.Error2{Err: codes[0]}}
			words = append(words, strings.TrimPrefix(m.ErrorName(), "RDMA2_ERR_"))
		}
	}
	return strings.Join(words, " ")
}

// message2 returns a message of version 2 without chunks that grants one credit.
func message2(xid uint32, t rpcrdma.HType, f rpcrdma.Flags, payload string) []byte {
	h := rpcrdma.Version2{XID: xid, Vers: 2, CreditMax: 64, CreditGrant: 9, HType: t, Flags: f}
	b, _ := h.AppendBinary(nil)
	return append(b, payload...)
}

func TestVectors(t *testing.T) {
	// One connection of each version, message by message: sender, fate and octets.
	for name, lines := range map[string]string{
		"version 1": `
			c whole 5a00000100000001000000200000000000000000000000000000000 05a00000100000000 00000002000186a3 00000003 00000000 00000000 00000000 00000000 00000000
			s whole 5a000001 00000001 00000010 00000000 00000000 00000000 00000000 5a000001 00000001 00000000 00000000 00000000 00000000
			c whole 5a000006 00000001 00000020 00000001 00000001 00000000 3300cc01 000007d0 00000000 30000000 00000000 00000000 00000001 00000001 3300cc02 00002000 00000000 40000000
			s whole 5a000006 00000001 00000010 00000001 00000000 00000000 00000001 00000001 3300cc02 00000bb8 00000000 40000000
			s other 5a000009 00000001 00000010 00000004 00000002
			c drop_ERR_CHUNK 5a00000a 00000001 00000020 00000002 00000004 00000400 00000000 00000000 00000000 5a00000a 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000
			c drop 5a00000b 00000001 00000020 00000003`,
		"version 2": `
			c other c0000001 00000002 00080004 00000005 00000000 00000005 00000001 00000004 00002000 00000002 00000004 00002000 00000003 00000004 00100000 00000004 00000004 00000010 00000005 00000004 00000001
			s other d0000001 00000002 00200020 00000005 00000004 00000001 00000006 0000000c 00000005 a1a2a3a4 a5000000
			s other d0000002 00000002 00200001 00000005 00000000 00000000
			c whole 6b000004 00000002 00080001 00000000 00000000 00000000 00000000 00000000 00000000 6b000004 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000
			s whole 6b000004 00000002 00200001 00000000 00000001 00000000 00000000 00000000 00000000 6b000004 00000001 00000000 00000000 00000000 00000000
			c part_first 6b000007 00000002 00080001 00000000 00000002 00000000 00000000 00000000 00000000 6b000007 00000000 00000002 000186a3
			c part 6b000007 00000002 00080001 00000000 00000002 00000000 00000000 00000000 00000000 00000003 00000000 00000000 00000000
			c whole_last 6b000007 00000002 00080001 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
			s other 00000000 00000002 00200010 00000001 00000000 00000000 00000000 00000000 00000000
			s other 6b0000ea 00000002 00200001 00000004 00000001 0000000a 00011170`,
		"the draft of 2022": `
			c other 7c000001 00000002 00000008 00000007 00000001 00000002 00000004 00002000
			s other 7c000001 00000002 00000020 00000007 00000000
			c whole 7c000002 00000002 00000009 0000000a 00000000 00000000 00000000 00000000 7c000002 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000
			s whole 7c000002 00000002 00000021 0000000d 00000000 7c000002 00000001 00000000 00000000 00000000 00000000
			s other 00000000 00000002 00000030 00000005
			s other 7c000005 00000002 00000022 00000004 00000008 00000010
			c part_first 7c000007 00000002 0000000b 00000009 00000020 7c000007 00000000
			c whole_last 7c000007 00000002 0000000b 0000000a 00000000 00000000 00000000 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000`,
	} {
		k := newTalk(t, Conditions{})
		for line := range strings.Lines(strings.TrimSpace(lines)) {
			side, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			want, octets, _ := strings.Cut(rest, " ")
			from := Side(strings.Index("cs", side))
			_, fate, broken := k.send(from, hexOctets(t, octets))
			kinds := map[bool]string{true: "", false: "rpc1-kind"}[!strings.HasPrefix(want, "drop")]
			if got := strings.ReplaceAll(k.describe(fate), " ", "_"); got != want || broken != kinds {
				t.Errorf("%s: %s: %s, violates %q, want %s", name, octets[:40], got, broken, want)
			}
		}
	}
}

// TestSequence tests the states of a receiver of continued messages.
func TestSequence(t *testing.T) {
	const msg, noMsg, more = rpcrdma.HTypeMsg, rpcrdma.HTypeNoMsg, rpcrdma.FlagMore
	chunks := func(xid uint32) []byte {
		h := rpcrdma.Version2{
			XID: xid, Vers: 2, CreditMax: 64, CreditGrant: 9, Flags: more,
			Writes: rpcrdma.WriteList(nil).Append(rpcrdma.Segment{Handle: 1, Length: 8}),
		}
		b, _ := h.AppendBinary(nil)
		return append(b, "payload!"...)
	}
	special := func(xid uint32) []byte {
		h := rpcrdma.Version2{XID: xid, Vers: 2, CreditMax: 64, CreditGrant: 9, HType: noMsg}
		h.Reads = h.Reads.Append(0, rpcrdma.Segment{Handle: 1, Length: 40})
		b, _ := h.AppendBinary(nil)
		return b
	}
	type step struct {
		octets []byte
		want   string // fate, and a rule after a colon
	}
	grant := message2(0, noMsg, 0, "")
	failure := message2(9, rpcrdma.HTypeError, rpcrdma.FlagResponse, "")
	failure[23] = 100 // RDMA2_ERR_SYSTEM
	for name, steps := range map[string][]step{
		"one message":                      {{message2(1, msg, 0, "payload!"), "whole"}},
		"three, with a grant between":      {{message2(1, msg, more, "abcd"), "part first"}, {grant, "other"}, {message2(1, msg, more, "efgh"), "part"}, {message2(1, msg, 0, "ijkl"), "whole last"}},
		"chunks before the end":            {{chunks(1), "drop INVAL_CONT:rpc2-more-chunks"}, {message2(1, msg, more, "abcd"), "drop"}, {message2(1, msg, 0, "abcd"), "drop"}, {message2(1, msg, 0, "abcd"), "whole"}},
		"chunks in the middle":             {{message2(1, msg, more, "abcd"), "part first"}, {chunks(1), "drop ends INVAL_CONT:rpc2-more-chunks"}, {message2(1, msg, 0, "abcd"), "drop"}, {message2(1, msg, 0, "abcd"), "whole"}},
		"another instead of the rest":      {{chunks(1), "drop INVAL_CONT:rpc2-more-chunks"}, {message2(2, msg, 0, "abcd"), "whole"}, {message2(1, msg, 0, "abcd"), "whole"}},
		"MORE on RDMA2_NOMSG":              {{message2(1, noMsg, more, ""), "drop INVAL_CONT:rpc2-more"}},
		"MORE on RDMA2_NOMSG, between":     {{message2(1, msg, more, "abcd"), "part first"}, {message2(2, noMsg, more, ""), "drop INVAL_CONT:rpc2-more"}, {message2(1, msg, 0, "abcd"), "whole last"}},
		"an unknown type, between":         {{message2(1, msg, more, "abcd"), "part first"}, {message2(2, 9, more, ""), "drop INVAL_HTYPE:rpc2-kind"}, {message2(1, msg, 0, "abcd"), "whole last"}},
		"another Call, between":            {{message2(1, msg, more, "abcd"), "part first"}, {message2(2, msg, 0, "abcd"), "drop INVAL_CONT:rpc2-sequence"}, {message2(1, msg, 0, "abcd"), "whole last"}},
		"RDMA2_NOMSG of the XID, between":  {{message2(1, msg, more, "abcd"), "part first"}, {special(1), "drop INVAL_CONT:rpc2-sequence"}, {message2(1, msg, more, "abcd"), "drop"}, {message2(1, msg, 0, "abcd"), "drop"}, {message2(1, msg, 0, "abcd"), "whole"}},
		"RDMA2_NOMSG of it without chunks": {{message2(1, msg, more, "abcd"), "part first"}, {message2(1, noMsg, 0, ""), "drop ends BAD_XDR:rpc2-grant-xid"}, {message2(1, msg, 0, "abcd"), "drop"}, {message2(1, msg, 0, "abcd"), "whole"}},
		"parts of another, between":        {{message2(1, msg, more, "abcd"), "part first"}, {message2(2, msg, more, "abcd"), "drop INVAL_CONT:rpc2-sequence"}, {message2(2, msg, more, "abcd"), "drop"}, {message2(2, msg, 0, "abcd"), "drop"}, {message2(2, msg, 0, "abcd"), "drop INVAL_CONT:rpc2-sequence"}, {message2(1, msg, 0, "abcd"), "whole last"}},
		"a Reply of the XID, between":      {{message2(1, msg, more, "abcd"), "part first"}, {message2(1, msg, rpcrdma.FlagResponse, "abcd"), "drop INVAL_CONT:rpc2-sequence"}, {message2(1, msg, 0, "abcd"), "whole last"}},
		"an error, between":                {{message2(1, msg, more, "abcd"), "part first"}, {failure, "other:rpc2-interrupted"}, {message2(1, msg, 0, "abcd"), "whole last"}},
		"parts without a word or octet":    {{message2(1, msg, more, "abcd"), "part first"}, {message2(1, msg, more, "e"), "part:rpc2-fragment"}, {message2(1, msg, more, ""), "part:rpc2-no-payload"}, {message2(1, msg, 0, "efgh"), "whole last"}},
	} {
		k := newTalk(t, Conditions{})
		k.send(Client, message2(0xc1, rpcrdma.HTypeConnProp, 0, ""))
		k.send(Server, message2(0xd1, rpcrdma.HTypeConnProp, 0, ""))
		for i, s := range steps {
			_, fate, broken := k.send(Client, s.octets)
			if broken != "" {
				broken = ":" + broken
			}
			if got := k.describe(fate) + broken; got != s.want {
				t.Errorf("%s, message %d: %s, want %s", name, i, got, s.want)
			}
		}
	}
}

// TestSequenceLost tests messages after a gap: a beginning shows by its XID and its type.
func TestSequenceLost(t *testing.T) {
	k := newTalk(t, Conditions{Midstream: true})
	for _, s := range []struct {
		octets []byte
		want   string
	}{
		{message2(1, rpcrdma.HTypeMsg, rpcrdma.FlagMore, "abcd"), "drop cut"},
		{message2(1, rpcrdma.HTypeMsg, 0, "abcd"), "drop cut"},
		{message2(2, rpcrdma.HTypeMsg, rpcrdma.FlagMore, "abcd"), "part first"},
	} {
		if _, fate, broken := k.send(Client, s.octets); k.describe(fate) != s.want || broken != "" {
			t.Errorf("%s %s, want %s", k.describe(fate), broken, s.want)
		}
	}
	for _, s := range []struct{ payload, want string }{
		{"\x00\x00\x00\x03more", "drop cut"}, {"\x00\x00\x00\x03\x00\x00\x00\x00", "whole"},
	} {
		k.stream.Broken(Client)
		begin := message2(3, rpcrdma.HTypeMsg, 0, s.payload)
		if _, fate, broken := k.send(Client, begin); k.describe(fate) != s.want || broken != "" {
			t.Errorf("%s %s, want %s", k.describe(fate), broken, s.want)
		}
	}
}

// TestLevels tests the credits of version 1: Calls, and Replies with their grants.
func TestLevels(t *testing.T) {
	for name, tc := range map[string]struct {
		steps string // c is a Call that asks for 32, a number is a Reply that grants it
		want  []int  // the Calls, from 1, that break a rule
		lower []int  // those that may break the weaker rule
	}{
		"one before the first Reply": {"c 16 c", nil, nil},
		"two before the first Reply": {"c c 16", []int{2}, nil},
		"up to the grant":            {"c 4 c c c c", nil, nil},
		"beyond the grant":           {"c 4 c c c c c", []int{6}, nil},
		// Sixteen are open when a Reply lowers the grant to 8; another one is then sent, knowingly or not.
		"a lower grant, used up": {"c 16 c c c c c c c c c c c c c c c c 8 c", []int{18}, nil},
		"a lower grant, unknown": {"c 16 c c c c 2 c c c", nil, []int{6, 7, 8}},
		"a lower grant, known":   {"c 8 c c c c 2 c c c c c", []int{10}, []int{6, 7, 8, 9}},
		"a higher grant":         {"c 2 c c 4 c c c", nil, nil},
		"zero is one":            {"c 0 c c", []int{3}, nil},
	} {
		var r requester
		var got, lower []int
		calls := 0
		for word := range strings.FieldsSeq(tc.steps) {
			if word != "c" {
				var grant uint32
				fmt.Sscan(word, &grant)
				r.reply(grant)
				continue
			}
			calls++
			switch broken := violated(r.called(32, nil)); broken {
			case "rpc1-credits", "rpc1-first-call":
				got = append(got, calls)
			case "rpc1-credits-lowered":
				lower = append(lower, calls)
			}
		}
		if !slices.Equal(got, tc.want) || !slices.Equal(lower, tc.lower) {
			t.Errorf("%s: %v and perhaps %v, want %v and %v", name, got, lower, tc.want, tc.lower)
		}
	}
}

// TestGrants tests the worked example of version 2: no message is sent without a credit.
func TestGrants(t *testing.T) {
	k := newTalk(t, Conditions{})
	call := func(grant uint16, flags rpcrdma.Flags, kind rpcrdma.HType) []byte {
		h := rpcrdma.Version2{XID: 1, Vers: 2, CreditMax: 8, CreditGrant: grant, HType: kind, Flags: flags}
		if kind == rpcrdma.HTypeNoMsg {
			h.XID = 0
		}
		b, _ := h.AppendBinary(nil)
		if kind == rpcrdma.HTypeMsg {
			b = append(b, "\x00\x00\x00\x01\x00\x00\x00\x00"...)
		}
		return b
	}
	const msg, noMsg, props, more = rpcrdma.HTypeMsg, rpcrdma.HTypeNoMsg, rpcrdma.HTypeConnProp, rpcrdma.FlagMore | rpcrdma.FlagResponse
	for i, s := range []struct {
		from   Side
		octets []byte
		tx     [2]int64 // credits left: of the client, of the server
	}{
		{Client, call(4, 0, props), [2]int64{0, 4}},
		{Server, call(32, 0, props), [2]int64{32, 3}},
		{Client, call(1, 0, msg), [2]int64{31, 4}},
		{Client, call(1, 0, msg), [2]int64{30, 5}},
		{Server, call(2, rpcrdma.FlagResponse, msg), [2]int64{32, 4}},
		{Server, call(1, rpcrdma.FlagResponse, msg), [2]int64{33, 3}},
		{Server, call(1, more, msg), [2]int64{34, 2}},
		{Server, call(1, more, msg), [2]int64{35, 1}},
		{Server, call(1, more, msg), [2]int64{36, 0}},
		{Client, call(5, 0, noMsg), [2]int64{36, 5}},
		{Server, call(1, rpcrdma.FlagResponse, msg), [2]int64{37, 4}},
	} {
		_, _, broken := k.send(s.from, s.octets)
		for side, want := range s.tx {
			c := k.stream.sides[side].credits
			if got := int64(c.limit) - int64(c.sent); got != want {
				t.Errorf("step %d: side %d has %d credits, want %d", i, side, got, want)
			}
		}
		if strings.Contains(broken, "credit") || strings.Contains(broken, "first-send") {
			t.Errorf("step %d: %s", i, broken)
		}
	}
}

// TestPositions tests the rule about the Positions of Read chunks.
func TestPositions(t *testing.T) {
	list := func(chunks ...[2]uint32) (l rpcrdma.ReadList) {
		for _, c := range chunks {
			l = l.Append(c[0], rpcrdma.Segment{Handle: 1, Length: c[1]})
		}
		return l
	}
	for _, tc := range []struct {
		reads  rpcrdma.ReadList
		inline uint64
		broken bool
	}{
		{list([2]uint32{100, 10}, [2]uint32{200, 8}), 200, false},
		{list([2]uint32{200, 8}, [2]uint32{100, 10}), 200, false},
		{list([2]uint32{100, 10}, [2]uint32{112, 8}), 100, false},
		{list([2]uint32{100, 10}, [2]uint32{108, 8}), 200, true},
		{list([2]uint32{100, 10}, [2]uint32{116, 8}), 100, true},
		{list([2]uint32{104, 8}), 100, true},
		{list([2]uint32{0, 100}, [2]uint32{100, 8}), 100, false},
		{list([2]uint32{100, 4}, [2]uint32{100, 6}, [2]uint32{112, 1}), 100, false},
	} {
		v := CheckPositions(rpcrdma.DialectVersion1, tc.reads, tc.inline, nil)
		if broken := len(v) > 0; broken != tc.broken {
			t.Errorf("% x with %d octets: %v", tc.reads, tc.inline, v)
		}
	}
}
