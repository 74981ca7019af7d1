package rpc_test

// A Forward between a client and a server, each on its own version.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A relay is a chain of links: that of the client, and behind each Forward another one.
type relay struct {
	links    []*link
	forwards []*rpc.Forward
}

// relayed returns a chain with a Forward between each two versions.
func relayed(t *testing.T, client, server rpc.Options, p rpc.Program, versions ...uint32) *relay {
	of := func(version uint32) rpc.Options { return rpc.Options{Versions: []uint32{version}, Segments: 256} }
	r := new(relay)
	client.Versions = versions[:1]
	requester := rpc.NewRequester(client, echoBack)
	for i, version := range versions {
		l := &link{t: t, Requester: requester, options: of(version), program: p}
		if i < len(versions)-1 {
			f := rpc.NewForward(of(versions[i+1]))
			r.forwards = append(r.forwards, f)
			l.program, requester = f, f.Requester
		} else {
			server.Versions = versions[i:]
			l.options = server
		}
		r.links = append(r.links, l)
		l.connect()
	}
	r.act()
	return r
}

// echoBack executes a Call of the server.
func echoBack(call []byte, answer func([]byte)) {
	b, _ := (&oncrpc.Reply{XID: binary.BigEndian.Uint32(call)}).AppendBinary(nil)
	answer(append(b, call[40:]...))
}

// act lets all links act until none has anything to do.
func (r *relay) act() {
	for idle := 0; idle <= len(r.links); idle++ {
		for i, l := range r.links {
			sent := len(l.sent) + len(l.came)
			l.act()
			if i > 0 {
				r.forwards[i-1].Return()
			}
			l.responder.Proceed()
			if len(l.sent)+len(l.came) != sent {
				idle = 0
			}
		}
	}
}

// chains are the versions on each link.
var chains = [][]uint32{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 2, 1}, {2, 1, 2}}

// Calls with all kinds of chunks come back, many at once, whatever the sizes of messages are.
func TestForwardSizes(t *testing.T) {
	for _, versions := range chains {
		for seed := range uint64(40) {
			random := rand.New(rand.NewPCG(seed, 0))
			size := func() int { return 1024 * (1 + random.IntN(5)) }
			options := func() rpc.Options {
				return rpc.Options{Credits: 1 + random.IntN(8), SendSize: size(), ReceiveSize: size(), NoInvalidate: random.IntN(2) == 0, Segments: 256}
			}
			r := relayed(t, options(), options(), new(rpc.Echo), versions...)
			items := randomCalls(t, random, 12, r.links[0].Call)
			r.act()
			for _, reply := range r.links[0].Replies() {
				echoed(t, &reply, items[reply.Call]...)
				delete(items, reply.Call)
			}
			if len(items) > 0 {
				t.Fatalf("%v, seed %d: %d Calls are not answered", versions, seed, len(items))
			}
			for i, l := range r.links {
				if len(l.regions) > 0 {
					t.Errorf("%v, seed %d: link %d has %d regions left", versions, seed, i, len(l.regions))
				}
			}
		}
	}
}

// Each kind of chunk is there on all links.
func TestForwardForms(t *testing.T) {
	hint := echoing(1, true, some(5), some(9))
	hint.Arguments[1].Chunk, hint.Results[0].Chunk = true, true
	long := &rpc.Call{Message: callOf(1, rpc.ProcNull), Longest: replyLen, LongCall: true, LongReply: true}
	for _, test := range []struct {
		call *rpc.Call
		want string
	}{
		{&rpc.Call{Message: callOf(1, rpc.ProcNull), Longest: replyLen}, "MSG"},
		{hint, "MSG+reads+writes"},
		{echoing(1, true, some(20000)), "MSG+reads+writes"},
		{long, "NOMSG+body+reply"},
		{echoing(1, false, some(20000)), "NOMSG+body+reply"},
	} {
		r := relayed(t, rpc.Options{}, rpc.Options{}, new(rpc.Echo), 1, 2, 1)
		// In version 2 the server may need a Reply chunk for what the client expects in several messages.
		for i, l := range r.links {
			l.sent = nil
			if i == 0 {
				l.Call(test.call)
			}
		}
		r.act()
		for i, l := range r.links {
			sent := strings.TrimPrefix(strings.TrimPrefix(strings.Join(l.sent, " "), "RDMA_"), "RDMA2_")
			if want := test.want; sent != want && !(i == 2 && sent == want+"+reply") {
				t.Errorf("link %d has %s, want %s", i, sent, want)
			}
		}
	}
}

// What a server refuses a Call for, the client learns, as far as its version has a code for that.
func TestForwardRefused(t *testing.T) {
	for _, test := range []struct {
		versions []uint32
		fault    rpc.Fault
		want     string
	}{
		{[]uint32{1, 2}, rpc.WriteTooSmall, "ERR_CHUNK"},
		{[]uint32{2, 2}, rpc.WriteTooSmall, "RDMA2_ERR_WRITE_RESOURCE"},
		{[]uint32{2, 2}, rpc.ReplyTooSmall, "RDMA2_ERR_REPLY_RESOURCE"},
		{[]uint32{2, 2}, rpc.TooLong, "RDMA2_ERR_SYSTEM"},
		{[]uint32{2, 1}, rpc.ReplyTooSmall, "RDMA2_ERR_BAD_XDR"},
		{[]uint32{1, 2, 1}, rpc.ReplyTooSmall, "ERR_CHUNK"},
	} {
		p := new(later)
		r := relayed(t, rpc.Options{}, rpc.Options{}, p, test.versions...)
		r.links[0].Call(echoing(1, true, some(9000)))
		r.act()
		p.requests[0].Refuse(test.fault)
		r.act()
		var refused *rpc.RefusedError
		if all := r.links[0].Replies(); len(all) != 1 || !errors.As(all[0].Err, &refused) || refused.Name != test.want {
			t.Errorf("%v: %v", test, all)
		}
	}
}

// The server's Calls reach the client, and its Replies the server. More than the server was granted are refused.
func TestForwardCallsBack(t *testing.T) {
	for _, versions := range chains {
		for _, octets := range []uint32{0, 500} {
			r := relayed(t, rpc.Options{}, rpc.Options{}, new(rpc.Echo), versions...)
			c := &rpc.Call{Message: callOf(1, rpc.ProcCallback), Longest: replyLen}
			c.Message = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(c.Message, 40), octets)
			report := &rpc.Call{Message: callOf(2, rpc.ProcReport), Longest: replyLen + 16}
			for _, c := range []*rpc.Call{c, report} {
				r.links[0].Call(c)
				r.act()
			}
			all := r.links[0].Replies()
			if want := fmt.Sprintf("%08x %08x 00000000", 40, 40); len(all) != 2 || !strings.HasSuffix(words(all[1].Message), want) {
				t.Errorf("%v, %d octets: %v", versions, octets, all)
			}
		}
	}
	r := relayed(t, rpc.Options{}, rpc.Options{}, new(later), 1, 1)
	for xid := range uint32(20) {
		r.links[1].Received(octets(t, fmt.Sprintf("%08x 00000001 00000001 00000000 %s %08x %s 00000000 %s", xid, lists, xid, call, auth)), 0)
	}
	refused := 0
	for _, a := range r.forwards[0].Actions() {
		if a.Type == rpc.Send && strings.HasSuffix(words(a.Octets), "00000004 00000002") {
			refused++
		}
	}
	if refused != 4 {
		t.Errorf("%d of 20 Calls are refused", refused)
	}
}

// A server without the version, and an XID that is open already, close the connection to the server.
func TestForwardCloses(t *testing.T) {
	r := relayed(t, rpc.Options{}, rpc.Options{}, new(later), 1, 1)
	r.links[1].responder = rpc.NewResponder(rpc.Options{Versions: []uint32{2}}, nil, new(later))
	null := &rpc.Call{Message: callOf(1, rpc.ProcNull), Longest: replyLen}
	r.links[0].Call(null)
	r.act()
	var refused *rpc.RefusedError
	if !errors.As(r.links[1].why, &refused) || len(r.links[0].Replies()) > 0 {
		t.Errorf("closed because of %v", r.links[1].why)
	}

	r = relayed(t, rpc.Options{}, rpc.Options{}, new(later), 1, 1)
	message := octets(t, "00000001 00000001 00000001 00000000 "+lists+" 00000001 "+call+" 00000000 "+auth)
	r.links[0].responder.Received(message)
	r.links[0].responder.Received(slices.Clone(message))
	r.act()
	if r.links[1].why != rpc.ErrXID {
		t.Errorf("closed because of %v", r.links[1].why)
	}
}

// A Forward has memory for some results, whatever the client has room for. Calls wait while others have it.
func TestForwardBounds(t *testing.T) {
	p := new(later)
	r := relayed(t, rpc.Options{}, rpc.Options{}, p, 1, 1)
	const calls = 12
	for xid := range uint32(calls) {
		r.links[0].Call(&rpc.Call{Message: callOf(xid, 0), Longest: replyLen, Results: []rpc.Result{{Longest: 5 << 20, Chunk: true}}})
	}
	for done := range calls {
		r.act()
		memory := 0
		for _, region := range r.links[1].regions {
			memory += len(region.octets)
			if len(region.octets) > rpc.MaxOctets {
				t.Fatalf("%d octets for one result", len(region.octets))
			}
		}
		if memory > rpc.MaxGathered || len(p.requests) == 0 {
			t.Fatalf("%d octets of memory, %d Calls at the server after %d", memory, len(p.requests), done)
		}
		p.requests[0].Reply(success(binary.BigEndian.Uint32(p.requests[0].Message)))
		p.requests = p.requests[1:]
	}
}

// A server that calls and grants no credits for answers can soon call no more.
func TestForwardCalledForever(t *testing.T) {
	for _, serve := range []func([]byte, func([]byte)){nil, func(_ []byte, answer func([]byte)) { answer(nil) }} {
		r := rpc.NewRequester(rpc.Options{Versions: []uint32{2}}, serve)
		r.Connected(nil, nil)
		credits, calls := 1, 0
		for ; credits > 0 && calls < 400_000; calls++ {
			r.Received(octets(t, fmt.Sprintf("%08x 00000002 02000000 00000000 00000000 00000000 %s %08x %s 00000000 %s", calls, lists, calls, call, auth)), 0)
			credits--
			for _, a := range r.Actions() {
				if a.Type == rpc.Send {
					credits += int(binary.BigEndian.Uint16(a.Octets[10:]))
				}
			}
		}
		if credits > 0 {
			t.Errorf("%d credits are left after %d Calls", credits, calls)
		}
	}
}
