package rpc_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A later is a Program that answers only when the test says so.
type later struct {
	requests []*rpc.Request
	calls    [][]byte          // in the reverse direction, that are due
	replied  map[uint32]string // by XID
}

func (p *later) Execute(r *rpc.Request) { p.requests = append(p.requests, r) }

func (p *later) Next() (call []byte) {
	if len(p.calls) > 0 {
		call, p.calls = p.calls[0], p.calls[1:]
	}
	return call
}

func (p *later) Replied(xid uint32, reply []byte) {
	if p.replied == nil {
		p.replied = make(map[uint32]string)
	}
	p.replied[xid] = words(reply)
}

// success is an RPC Reply without results.
func success(xid uint32) []byte {
	b, _ := (&oncrpc.Reply{XID: xid}).AppendBinary(nil)
	return b
}

// Replies may come in any order, long after the Calls; a second answer is ignored, and so is a refusal after an answer.
func TestLateReplies(t *testing.T) {
	for _, versions := range [][]uint32{{1}, {2}} {
		p := new(later)
		l := newLinkTo(t, rpc.Options{Versions: versions}, rpc.Options{}, p)
		var calls []*rpc.Call
		l.Call(&rpc.Call{Message: callOf(100, 0), Longest: replyLen})
		l.act()
		p.requests[0].Reply(success(100)) // the first Reply grants more
		l.act()
		l.Replies()
		for xid := range uint32(5) {
			calls = append(calls, &rpc.Call{Message: callOf(xid, 0), Longest: replyLen})
			l.Call(calls[xid])
		}
		l.act()
		if got := l.Replies(); len(p.requests) != 6 || len(got) > 0 {
			t.Fatalf("version %d: %d Requests, %d Replies", versions[0], len(p.requests), len(got))
		}
		for _, n := range []int{5, 2, 4, 1, 3} {
			r := p.requests[n]
			r.Reply(success(binary.BigEndian.Uint32(r.Message)))
			r.Reply(nil)
			if r.Refuse(rpc.TooLong) {
				t.Error("it refuses after an answer")
			}
			l.act()
			if got := l.Replies(); len(got) != 1 || got[0].Err != nil || got[0].Call != calls[n-1] {
				t.Errorf("version %d: Call %d is answered by %v", versions[0], n-1, got)
			}
		}
	}
}

// Data items of Read chunks stand in the message where they belong, with their roundup: those of inline and of Position Zero payload, one
// at the end, and one whose chunk has the roundup.
func TestRequestMessage(t *testing.T) {
	const payload = "0000c001 " + call + " 00000001 " + auth + " 00000005 00000006 00000007" // 52 octets
	for name, at := range map[string][2]string{
		"inline":        {"00000000 ", "00000000 00000000 00000000 " + payload},
		"Position Zero": {"00000001 00000001 00000000 00000006 00000034 00000000 00002000 ", "00000000 00000000 00000000"},
	} {
		p := new(later)
		c := newClientOf(t, rpc.Options{}, "", p)
		c.region(5, 0x1000, octets(t, "00010203 04050607 08090a0b 0c0d0e0f"))
		c.region(6, 0x2000, octets(t, payload))
		c.send(octets(t, "0000c001 00000001 00000020 "+at[0]+
			"00000001 0000002c 00000005 00000005 00000000 00001000 "+ // after the word 5
			"00000001 00000038 00000005 00000008 00000000 00001008 "+ // after the word 6
			"00000001 00000044 00000005 00000001 00000000 00001003 "+ // after the word 7
			at[1]))
		if len(p.requests) != 1 {
			t.Fatalf("%s: %d Requests, %v", name, len(p.requests), c.sent)
		}
		want := strings.TrimSuffix(payload, "00000006 00000007") + "00010203 04000000 00000006 08090a0b 0c0d0e0f 00000007 03000000"
		r := p.requests[0]
		if got := words(r.Message); got != join(want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, join(want))
		}
		if want := []rpc.Span{{At: 44, Length: 5}, {At: 56, Length: 8}, {At: 68, Length: 1}}; !slices.Equal(r.Reduced, want) {
			t.Errorf("%s: %v", name, r.Reduced)
		}
	}
}

// The roundup of an item is zero, whatever an earlier Call had in its place.
func TestRoundupIsZero(t *testing.T) {
	for range 20 { // its memory may be that of an earlier Call
		p := new(later)
		c := newClientOf(t, rpc.Options{}, "", p)
		c.region(5, 0x1000, bytes.Repeat([]byte{0xff}, 8))
		for _, chunk := range []string{"00000008", "00000005"} {
			c.send(octets(t, "0000c001 00000001 00000020 00000000 00000001 0000002c 00000005 "+chunk+" 00000000 00001000 "+lists+
				" 0000c001 "+call+" 00000001 "+auth+" 00000005"))
			p.requests[0].Reply(success(0xc001))
			want := "ffffffff ff" + strings.Repeat("ff", 3)
			if chunk == "00000005" {
				want = "ffffffff ff000000"
			}
			if got := words(p.requests[0].Message[44:]); got != join(want) {
				t.Fatalf("a chunk of %s octets: %s, want %s", chunk, got, want)
			}
			p.requests = nil
			c.act()
		}
	}
}

// A Result has the memory that the caller wants, or none that does not fit.
func TestInto(t *testing.T) {
	p := new(later)
	l := newLinkTo(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, p)
	into := make([]byte, 5000)
	l.Call(&rpc.Call{Message: callOf(1, 0), Longest: replyLen, Results: []rpc.Result{{Longest: len(into), Into: into}}})
	l.act()
	reply := binary.BigEndian.AppendUint32(success(1), uint32(len(into)))
	p.requests[0].Reply(append(reply, bytes.Repeat([]byte{7}, len(into))...), rpc.Span{At: len(reply), Length: len(into)})
	l.act()
	got := l.Replies()
	if len(got) != 1 || got[0].Err != nil || len(got[0].Results[0]) != len(into) || &got[0].Results[0][0] != &into[0] || into[4999] != 7 {
		t.Errorf("%v", got)
	}
	if err := l.Call(&rpc.Call{Message: callOf(2, 0), Longest: replyLen, Results: []rpc.Result{{Longest: 6000, Into: into}}}); err != rpc.ErrCall {
		t.Error(err)
	}
}

// A Position within the header or an item, or beyond the end, is refused.
func TestNoPlace(t *testing.T) {
	for _, position := range []string{"00000008", "00000024", "0000002c", "0000003c", "fffffffc"} { // after one of 5 octets at 0x28 in a Call of 40
		p := new(later)
		c := newClientOf(t, rpc.Options{}, "", p)
		c.region(5, 0x1000, make([]byte, 5))
		c.send(octets(t, "0000c001 00000001 00000020 00000000 00000001 00000028 00000005 00000005 00000000 00001000 00000001 "+position+
			" 00000005 00000001 00000000 00001000 00000000 00000000 00000000 0000c001 "+call+" 00000000 "+auth))
		if got := strings.Join(c.steps, " "); len(p.requests) > 0 || got != "Read Read Send" || !strings.HasSuffix(c.sent[0], "00000004 00000002") {
			t.Errorf("%s: %s, %v", position, got, c.sent)
		}
	}
}

// Eligible results go into Write chunks and leave the message with their roundup, the rest goes into the Reply chunk if it is too long,
// and the Send invalidates the first STag.
func TestReplyPlaces(t *testing.T) {
	p := new(later)
	c := newClientOf(t, rpc.Options{SendSize: 1024}, "f6ab0e18 01010303", p)
	c.region(5, 0x1000, make([]byte, 16))
	c.region(6, 0x2000, make([]byte, 4096))
	c.send(octets(t, "0000c001 00000001 00000020 00000000 00000000 00000001 00000001 00000005 00000010 00000000 00001000 00000000 "+
		"00000001 00000001 00000006 00001000 00000000 00002000 0000c001 "+call+" 00000000 "+auth))
	message := append(success(0xc001), 0, 0, 0, 5, 'f', 'i', 'v', 'e', '!', 0, 0, 0)
	tail := bytes.Repeat([]byte{0xa5}, 2000)
	p.requests[0].Reply(append(message, tail...), rpc.Span{At: len(message) - 8, Length: 5})
	c.act()
	if got, want := strings.Join(c.sent, ""), join("0000c001 00000001 00000020 00000001 00000000 00000001 00000001 00000005 00000005 00000000 00001000 "+
		"00000000 00000001 00000001 00000006 000007ec 00000000 00002000"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := c.at(5, 0x1000, 6); string(got) != "five!\x00" {
		t.Errorf("%q is written", got)
	}
	if got := c.at(6, 0x2000, 2028); !bytes.Equal(got, append(message[:len(message)-8:len(message)-8], tail...)) {
		t.Errorf("% x", got[:64])
	}
	if len(c.inv) != 1 || c.inv[0] != 5 {
		t.Errorf("%v are invalidated", c.inv)
	}
}

// Calls of a Program go out as credits allow. One that does not fit, or has the XID of an open one, is refused at once.
func TestProgramCalls(t *testing.T) {
	p := &later{calls: [][]byte{callOf(1, 0), append(callOf(2, 0), make([]byte, 8000)...), callOf(3, 0), callOf(1, 0)}}
	serve := func(call []byte, answer func([]byte)) { answer(success(binary.BigEndian.Uint32(call))) }
	l := newLinkTo(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, p)
	l.Requester = rpc.NewRequester(rpc.Options{Versions: []uint32{1}}, serve)
	l.connect()
	l.Call(&rpc.Call{Message: callOf(9, 0), Longest: replyLen})
	l.act()
	p.requests[0].Reply(success(9))
	l.act()
	if p.replied[1] != words(success(1)) || p.replied[2] != "" || p.replied[3] != words(success(3)) || len(p.replied) != 3 {
		t.Errorf("%v", p.replied)
	}
	if room := p.requests[0].Room(); room != 4096-28 {
		t.Errorf("room for %d octets", room)
	}
}

// Eligible data items that are not in the Reply, or not in order, are an error; the Request can still be answered.
func TestReplySpans(t *testing.T) {
	p := new(later)
	c := newClientOf(t, rpc.Options{}, "", p)
	c.region(5, 0, make([]byte, 64))
	chunk := "00000001 00000001 00000005 00000020 00000000 00000000 "
	c.send(octets(t, "0000c001 00000001 00000020 00000000 00000000 "+chunk+chunk+"00000000 00000000 0000c001 "+call+" 00000000 "+auth))
	message := append(success(0xc001), make([]byte, 16)...)
	for _, wrong := range [][]rpc.Span{
		{{At: -4, Length: 4}}, {{At: 24, Length: -1}}, {{At: 26, Length: 4}}, {{At: 24, Length: 17}}, {{At: 44, Length: 0}},
		{{At: 32, Length: 4}, {At: 24, Length: 4}}, {{At: 24, Length: 5}, {At: 28, Length: 4}},
	} {
		if err := p.requests[0].Reply(message, wrong...); err != rpc.ErrEligible {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	if err := p.requests[0].Reply(message, rpc.Span{At: 24, Length: 5}, rpc.Span{At: 32, Length: 8}); err != nil {
		t.Error(err)
	}
	if c.act(); len(c.sent) != 1 {
		t.Errorf("%v", c.sent)
	}
}

// A caller is a Program that does in each of its methods what the test says.
type caller struct {
	later
	execute, next, refused func()
}

func (p *caller) Execute(r *rpc.Request) {
	p.later.Execute(r)
	p.execute()
}

func (p *caller) Next() []byte {
	p.next()
	return p.later.Next()
}

func (p *caller) Replied(xid uint32, reply []byte) {
	p.later.Replied(xid, reply)
	if reply == nil {
		p.refused()
	}
}

// newCaller returns a Program that calls, and its client.
func newCaller(t *testing.T) (*caller, *client) {
	nothing := func() {}
	p := &caller{execute: nothing, next: nothing, refused: nothing}
	return p, newClientOf(t, rpc.Options{}, "", p)
}

// A Program may make a Call before it answers the one that it executes: one that came with its message, or with an RDMA Read.
func TestCallBeforeReply(t *testing.T) {
	for _, message := range []string{null, echoOf(7, 4)} {
		p, c := newCaller(t)
		c.region(5, 0, make([]byte, 4))
		p.execute = func() { p.calls = append(p.calls, callOf(1, 0)) }
		c.send(octets(t, message))
		if len(c.sent) != 1 || !strings.HasPrefix(c.sent[0], "00000001 ") {
			t.Errorf("%s: %v", message, c.sent)
		}
	}
}

// A Program that answers while it is asked for Calls makes no more than credits allow.
func TestCallCreditsHold(t *testing.T) {
	p, c := newCaller(t)
	c.send(octets(t, null))
	p.next = func() {
		if len(p.calls) > 0 {
			p.next = func() {}
			p.requests[0].Reply(success(0xa01))
		}
	}
	p.calls = [][]byte{callOf(1, 0), callOf(2, 0), callOf(3, 0)}
	c.send(octets(t, strings.ReplaceAll(null, "00000a01", "00000a02")))
	calls := 0
	for _, m := range c.sent {
		if strings.Contains(m, call) {
			calls++
		}
	}
	if calls != 1 {
		t.Errorf("%d Calls, the peer has granted 1", calls)
	}
}

// Each Call that cannot be sent comes back, and a Program that makes it again is asked only later.
func TestCallsFail(t *testing.T) {
	for _, message := range [][]byte{make([]byte, 3), callOf(1, 0)[:36], append(callOf(1, 0), make([]byte, 8000)...)} {
		p, c := newCaller(t)
		p.calls = [][]byte{message}
		failed := 0
		p.refused = func() {
			failed++
			p.calls = append(p.calls, message)
		}
		c.send(octets(t, null))
		if len(c.sent) > 0 || failed == 0 || failed > 100 {
			t.Errorf("%d octets: %d failures, %v", len(message), failed, c.sent)
		}
	}
}
