package rpc_test

// Calls of a Requester that are answered.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A Call and its Reply take the shortest form that fits.
//
// Proves RPCRDMA1-3.4.6-1, RPCRDMA1-4.3.2.2-2, RPCRDMA1-4.3.3-1, RPCRDMA1-4.4.1-1, RPCRDMA1-8.1.3-1, RPCRDMA2-4.3.6-1,
// RPCRDMA2-11.1.3-1.
func TestRequesterForms(t *testing.T) {
	hint := func(c *rpc.Call) *rpc.Call {
		c.Arguments[1].Chunk, c.Results[1].Chunk = true, true
		return c
	}
	null := &rpc.Call{Message: callOf(1, rpc.ProcNull), Longest: replyLen}
	for _, test := range []struct {
		name       string
		version    uint32
		call       *rpc.Call
		items      [][]byte
		sent, came string
	}{
		{"nothing", 1, null, nil, "RDMA_MSG", "RDMA_MSG"},
		{"short", 1, echoing(1, true, some(5)), [][]byte{some(5)}, "RDMA_MSG", "RDMA_MSG"},
		{"eligible", 1, echoing(1, true, some(5), some(70000)), [][]byte{some(5), some(70000)},
			"RDMA_MSG+reads+writes", "RDMA_MSG+writes"},
		{"a hint", 1, hint(echoing(1, true, some(5), some(9))), [][]byte{some(5), some(9)},
			"RDMA_MSG+reads+writes", "RDMA_MSG+writes"},
		{"long", 1, echoing(1, false, some(5), some(7001)), [][]byte{some(5), some(7001)},
			"RDMA_NOMSG+body+reply", "RDMA_NOMSG+reply"},
		{"many", 1, echoing(1, true, slices.Repeat([][]byte{some(2000)}, 9)...), slices.Repeat([][]byte{some(2000)}, 9),
			"RDMA_MSG+reads+writes", "RDMA_MSG+writes"},
		{"nothing", 2, null, nil, "RDMA2_MSG", "RDMA2_MSG"},
		{"eligible", 2, echoing(1, true, some(5), some(70000)), [][]byte{some(5), some(70000)},
			"RDMA2_MSG+reads+writes", "RDMA2_MSG+writes"},
		{"parts", 2, echoing(1, false, some(7001)), [][]byte{some(7001)},
			"RDMA2_MSG+more RDMA2_MSG", "RDMA2_MSG+more RDMA2_MSG"},
		{"long", 2, echoing(1, false, some(20000)), [][]byte{some(20000)}, "RDMA2_NOMSG+body+reply", "RDMA2_NOMSG+reply"},
	} {
		for _, keep := range []bool{false, true} {
			l := newLink(t, rpc.Options{NoInvalidate: keep, Versions: []uint32{test.version}}, rpc.Options{}, nil)
			r := l.one(test.call)
			if sent, came := strings.Join(l.sent, " "), strings.Join(l.came, " "); sent != test.sent || came != test.came {
				t.Errorf("%s: %s is answered by %s", test.name, sent, came)
			}
			if test.items != nil {
				echoed(t, &r, test.items...)
			}
			if chunks := strings.Contains(test.came, "+writes") || strings.Contains(test.came, "+reply"); (l.remote > 0) != (chunks && !keep) || len(l.regions) > 0 {
				t.Errorf("%s: %d STags are invalidated, %d left", test.name, l.remote, len(l.regions))
			}
		}
	}
}

// Items of any size come back, with any thresholds, one Call after the other or many at once, while connections are lost.
func TestRequesterSizes(t *testing.T) {
	for _, versions := range [][]uint32{{1}, {2}, {1, 2}} {
		for seed := range uint64(150) {
			r := rand.New(rand.NewPCG(seed, uint64(versions[len(versions)-1])))
			size := func() int { return 1024 * (1 + r.IntN(5)) }
			options := func() rpc.Options {
				return rpc.Options{Credits: 1 + r.IntN(8), SendSize: size(), ReceiveSize: size(), NoInvalidate: r.IntN(2) == 0, Chunks: 64}
			}
			mine := options()
			mine.Versions = versions
			l := newLink(t, mine, options(), nil)
			items := randomCalls(t, r, 20, l.Call)
			for tries := 0; len(items) > 0; tries++ {
				if l.lost = 1 + r.IntN(20); tries > 100 {
					t.Fatalf("seed %d: %d Calls are not answered", seed, len(items))
				}
				l.act()
				for _, reply := range l.Replies() {
					echoed(t, &reply, items[reply.Call]...)
					delete(items, reply.Call)
				}
				if l.closed {
					l.Disconnected()
					l.connect()
				}
			}
			if len(l.regions) > 0 {
				t.Errorf("seed %d: %d regions are left", seed, len(l.regions))
			}
		}
	}
}

// Until the first Reply there is one Call, then as many as the Responder grants and this end asks for.
//
// Proves RPCRDMA1-3.3.1-1, RPCRDMA1-3.3.1-3, RPCRDMA1-3.3.3-1.
func TestRequesterCredits(t *testing.T) {
	for _, test := range []struct{ asked, granted, want int }{{8, 3, 3}, {2, 9, 2}} {
		l := newLink(t, rpc.Options{Credits: test.asked, Versions: []uint32{1}}, rpc.Options{Credits: test.granted}, nil)
		sends := func() (n int) {
			for _, a := range l.Actions() {
				if a.Type == rpc.Send {
					n++
				}
			}
			return n
		}
		for xid := range uint32(20) {
			l.Call(echoing(xid+1, true))
		}
		if n := sends(); n != 1 {
			t.Errorf("%d Calls are sent at first", n)
		}
		l.Received(octets(t, fmt.Sprintf("00000001 00000001 %08x 00000000 %s 00000001 %s 00000000", test.granted, lists, ok)), 0)
		if n := sends(); n != test.want {
			t.Errorf("%d Calls are sent, not %d", n, test.want)
		}
	}
}

// A server without version 2 is asked in version 1, unless that is not wanted.
//
// Proves RPCRDMA2-4.2.3.2-2, RPCRDMA2-7.1.1-3, RPCRDMA2-7.1.1-4.
func TestRequesterVersions(t *testing.T) {
	l := newLink(t, rpc.Options{}, rpc.Options{Versions: []uint32{1}}, nil)
	if r := l.one(echoing(1, true, some(5))); r.Err != nil || strings.Join(l.sent, " ") != "RDMA_MSG" {
		t.Errorf("%v after %v", r.Err, l.sent)
	}
	l.Disconnected()
	l.sent = nil
	if l.connect(); len(l.sent) > 0 {
		t.Errorf("version 2 is tried again: %v", l.sent)
	}
	l = newLink(t, rpc.Options{Versions: []uint32{2}}, rpc.Options{Versions: []uint32{1}}, nil)
	for range 2 {
		var refused *rpc.RefusedError
		if r := l.one(echoing(1, true, some(5))); !errors.As(r.Err, &refused) || refused.Report.VersHigh != 1 || len(l.sent) > 0 {
			t.Errorf("%v after %v", r.Err, l.sent)
		}
	}
}

// A server that refuses version 2 although it supports it says nothing about later connections; one with version 1 alone changes no Options.
func TestRequesterVersionStays(t *testing.T) {
	for high, want := range map[string]uint32{"00000001": 1, "00000002": 2} {
		r := rpc.NewRequester(rpc.Options{}, nil)
		r.Connected(nil, nil)
		r.Received(octets(t, "69776300 00000002 00000020 00000004 00000001 00000001 "+high), 0)
		r.Call(&rpc.Call{Message: callOf(1, 0), Longest: replyLen})
		if refused := r.Replies(); len(refused) != int(want)-1 {
			t.Errorf("versions 1 to %s: %v", high, refused)
		}
		if got := r.Options().Versions; len(got) != 2 {
			t.Errorf("the Options have versions %d", got)
		}
		r.Disconnected()
		r.Connected(nil, nil)
		r.Call(&rpc.Call{Message: callOf(2, 0), Longest: replyLen})
		if first := r.Actions()[0]; binary.BigEndian.Uint32(first.Octets[4:]) != want {
			t.Errorf("versions 1 to %s: the next connection begins with % x", high, first.Octets)
		}
	}
}

// The first message of version 2 are the properties, no longer than a Receive of version 1; a Call waits for the server's first.
//
// Proves RPCRDMA2-4.2.3-1, RPCRDMA2-4.2.3-2, RPCRDMA2-4.2.3-3, RPCRDMA2-6.3.4-1.
func TestRequesterBegins(t *testing.T) {
	r := rpc.NewRequester(rpc.Options{}, nil)
	r.Connected(nil, shelf{})
	r.Call(&rpc.Call{Message: callOf(1, rpc.ProcNull), Longest: replyLen})
	first := r.Actions()
	if len(first) != 1 || len(first[0].Octets) > 1024 || words(first[0].Octets[4:8]) != "00000002" || words(first[0].Octets[12:16]) != "00000005" {
		t.Errorf("%v", first)
	}
	r.Received(octets(t, "00000000 00000002 02000010 00000005 00000000 00000000"), 0)
	if next := r.Actions(); len(next) != 2 || words(next[1].Octets[:4]) != "00000001" {
		t.Errorf("%v", next)
	}
}

// A Write chunk that comes back unused, or in part, gives no more octets than were written.
//
// Proves RPCRDMA1-4.3.2.2-4.
func TestRequesterUnusedChunk(t *testing.T) {
	for length, want := range map[string]int{"00000000": 0, "00000005": 5} {
		l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
		l.Call(&rpc.Call{Message: callOf(1, 0), Longest: replyLen, Results: []rpc.Result{{Longest: 8, Chunk: true}}})
		l.Received(octets(t, "00000001 00000001 00000020 00000000 00000000 00000001 00000001 00000001 "+length+
			" 00000000 01000000 00000000 00000000 00000001 "+ok), 0)
		if all := l.Replies(); len(all) != 1 || len(all[0].Results[0]) != want || want == 0 && all[0].Results[0] != nil {
			t.Errorf("%s: %v", length, all)
		}
	}
}

// randomCalls makes Calls with random data items, some of them in chunks, and returns the items of each.
func randomCalls(t *testing.T, r *rand.Rand, most int, call func(*rpc.Call) error) map[*rpc.Call][][]byte {
	t.Helper()
	items := make(map[*rpc.Call][][]byte)
	for xid := range uint32(1 + r.IntN(most)) {
		var all [][]byte
		for range r.IntN(4) {
			all = append(all, some(r.IntN(1<<r.IntN(15))))
		}
		c := echoing(xid, r.IntN(3) > 0, all...)
		for i := range c.Arguments {
			c.Arguments[i].Chunk, c.Results[i].Chunk = r.IntN(4) == 0, r.IntN(4) == 0
		}
		items[c] = all
		if err := call(c); err != nil {
			t.Fatal(err)
		}
	}
	return items
}
