package rpc_test

// Calls of a Requester that go wrong, and Replies that are none.

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A refused Call ends, and says why.
//
// Proves RPCRDMA1-4.5-7.
func TestRequesterRefused(t *testing.T) {
	for _, test := range []struct{ message, want string }{
		{"00000001 00000001 00000001 00000004 00000002", "rpc: refused with ERR_CHUNK"},
		{"00000001 00000001 00000001 00000004 00000001 00000003 00000004",
			"rpc: refused with ERR_VERS: version 1 is none of 3 to 4"},
	} {
		l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
		l.Call(echoing(1, true, some(9000)))
		l.Received(octets(t, test.message), 0)
		all := l.Replies()
		var refused *rpc.RefusedError
		if len(all) != 1 || !errors.As(all[0].Err, &refused) || refused.Error() != test.want || len(l.regions) > 0 {
			t.Errorf("%s: %v, with %d regions", test.message, all, len(l.regions))
		}
		l.Actions()
		l.Call(echoing(2, false, some(4))) // to a server without version 1, none is sent
		sent := slices.ContainsFunc(l.Actions(), func(a rpc.Action) bool { return a.Type == rpc.Send })
		if over := len(l.Replies()) == 1; sent == over || over != (refused.Report.Err == 1) {
			t.Errorf("%s: the next Call: sent %v, over %v", test.message, sent, over)
		}
	}
}

// Whatever the Responder refuses a Call for, the Call ends with that error, and its memory is taken back.
//
// Proves RPCRDMA1-4.5-7, RPCRDMA2-7.3.1-4, RPCRDMA2-7.3.2-2, RPCRDMA2-7.3.3-2, RPCRDMA2-7.3.4-4, RPCRDMA2-7.3.5-3, RPCRDMA2-7.4.1-3.
func TestRequesterRefusedForAll(t *testing.T) {
	names := map[rpc.Fault]string{
		rpc.TooManyReads: "READ_CHUNKS", rpc.TooManyWrites: "WRITE_CHUNKS", rpc.TooManySegments: "SEGMENTS", rpc.WriteTooSmall: "WRITE_RESOURCE",
		rpc.ReplyTooSmall: "REPLY_RESOURCE", rpc.BadVersion: "SYSTEM", rpc.TooLong: "SYSTEM", rpc.BadContinuation: "INVAL_CONT",
		rpc.BadProperty: "BAD_PROPVAL", rpc.BadType: "INVAL_HTYPE", rpc.BadFlag: "INVAL_HTYPE", rpc.LateProperties: "INVAL_HTYPE",
	}
	for f := range rpc.NumFaults {
		for version, want := range map[uint32]string{1: "ERR_CHUNK", 2: "RDMA2_ERR_" + cmp.Or(names[f], "BAD_XDR")} {
			p := new(later)
			l := newLinkTo(t, rpc.Options{Versions: []uint32{version}}, rpc.Options{}, p)
			l.Call(echoing(1, true, some(9000)))
			l.act()
			p.requests[0].Refuse(f)
			l.act()
			all := l.Replies()
			var refused *rpc.RefusedError
			if len(all) != 1 || !errors.As(all[0].Err, &refused) || refused.Name != want || len(l.regions) > 0 {
				t.Errorf("%v, version %d: %v, with %d regions; want %s", f, version, all, len(l.regions), want)
			}
		}
	}
}

// A message that is not a Reply to an open Call, or a faulty one, changes nothing.
//
// Proves RPCRDMA1-3.3.1-6, RPCRDMA1-4.2.4-4, RPCRDMA1-4.5-3, RPCRDMA1-4.5-8, RPCRDMA1-4.6.1-3.
func TestRequesterDiscards(t *testing.T) {
	const good = "00000001 00000001 00000001 00000000 "
	reply := "00000001 " + ok + " 00000001 00000001 00002328"
	region := " 00000001 00002328 00000000 02000000"
	for _, message := range []string{
		"", "00000001 00000001 00000001",
		"00000002 00000001 00000001 00000000 " + lists + " 00000002 " + ok,
		"00000001 00000002 00000001 00000000 " + lists + reply,
		good + lists + "00000002 " + ok,
		good + lists,
		good + "00000000 00000001 00000002 00000002 00002328 00000000 02000000" + region + " 00000000 00000000" + reply,
		good + "00000000 00000001 00000001 00000002 00002329 00000000 02000000 00000000 00000000" + reply,
		good + "00000000 00000001 00000001 00000003 00002328 00000000 02000000 00000000 00000000" + reply,
		good + "00000000 00000001 00000001 00000002 00002328 00000000 02000001 00000000 00000000" + reply,
		good + "00000000 00000000 00000001 00000001 00000002 00002328 00000000 02000000" + reply,
		good + "00000001 00000034 00000002 00000004 00000000 02000000 00000000 00000000 00000000" + reply,
		"00000001 00000001 00000001 00000001 00000000 00000000 00000001 00000001 00000002 00002328 00000000 02000000",
		"00000002 00000001 00000001 00000001 " + lists,
		"00000002 00000001 00000001 00000005 " + lists,
		"00000001 00000001 00000001 00000002 00000000 00000000 " + lists + reply,
		"00000001 00000001 00000001 00000003 " + lists,
		"00000001 00000001 00000001 00000004 00000007",
		"00000001 00000001 00000001 00000004",
	} {
		l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
		l.Call(echoing(1, true, some(9000)))
		l.Actions()
		l.Received(octets(t, message), 0)
		if all, next := l.Replies(), l.Actions(); len(all) > 0 || len(l.regions) != 2 || len(next) != 1 || next[0].Type != rpc.Receive {
			t.Errorf("%s ends the Call: %v, %v", join(message), all, next)
		}
	}
}

// The connection is closed if memory was invalidated that is not of the Call, or cannot be taken back. In the latter case
// the Call ends with the connection.
//
// Proves RPCRDMA1-4.5.4-1, RPCRDMA2-7.4-1, RPCPD-4.1-2.
func TestRequesterCloses(t *testing.T) {
	l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
	l.Call(&rpc.Call{Message: callOf(1, rpc.ProcNull), Longest: replyLen})
	l.Actions()
	l.Received(octets(t, nullReplyTo1), 7)
	if next := l.Actions(); next[len(next)-1].Type != rpc.Close || next[len(next)-1].Err != rpc.ErrInvalidated {
		t.Errorf("an STag of no Call: %v", next)
	}
	for _, version := range []uint32{1, 2} {
		l = newLink(t, rpc.Options{Versions: []uint32{version}}, rpc.Options{}, nil)
		l.stuck = errors.New("stuck")
		l.Call(echoing(1, true, some(9000)))
		l.act()
		if all := l.Replies(); len(all) > 0 || !errors.Is(l.why, l.stuck) {
			t.Errorf("it is over while the peer has access: %v", all)
		}
		l.Disconnected()
		if all := l.Replies(); len(all) != 1 || all[0].Err != nil {
			t.Errorf("it is not over after the connection: %v", all)
		}
	}
}

const nullReplyTo1 = "00000001 00000001 00000020 00000000 " + lists + " 00000001 " + ok

// What cannot be sent is not.
//
// Proves RPCBIDI-2.4-1, RPCRDMA2-3.1.3.4-1.
func TestRequesterRejects(t *testing.T) {
	l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
	for _, test := range []struct {
		call rpc.Call
		want error
	}{
		{rpc.Call{Message: callOf(1, 0)[:7], Longest: 24}, rpc.ErrCall},
		{rpc.Call{Message: append(callOf(1, 0), 0), Longest: 24}, rpc.ErrCall},
		{rpc.Call{Message: octets(t, "00000001 "+ok), Longest: 24}, rpc.ErrCall},
		{rpc.Call{Message: callOf(1, 0)}, rpc.ErrCall},
		{rpc.Call{Message: callOf(1, 0), Longest: 24, Arguments: []rpc.Argument{{At: 6, Length: 4}}}, rpc.ErrCall},
		{rpc.Call{Message: callOf(1, 0), Longest: 24, Arguments: []rpc.Argument{{At: 36, Length: 5}}}, rpc.ErrCall},
		{rpc.Call{Message: callOf(1, 0), Longest: 24, Arguments: []rpc.Argument{{At: 36, Length: 3}, {At: 32, Length: 4}}}, rpc.ErrCall},
		{rpc.Call{Message: callOf(1, 0), Longest: 24, Results: []rpc.Result{{Longest: -1}}}, rpc.ErrCall},
	} {
		if err := l.Call(&test.call); err != test.want {
			t.Errorf("%+v: %v", test.call, err)
		}
	}
	l.Disconnected()
	open := &rpc.Call{Message: callOf(1, 0), Longest: 24}
	if err := cmpErr(l.Call(open), l.Call(open)); err != rpc.ErrXID {
		t.Errorf("the second: %v", err)
	}
	l.Cancel(1)
	l.Cancel(1)
	if err := l.Call(open); err != nil {
		t.Error(err)
	}
	l.connect()
	if all := l.Replies(); len(all) != 1 || all[0].Err != nil {
		t.Error(all)
	}
	r := l.one(echoing(1, true, slices.Repeat([][]byte{some(2000)}, 99)...))
	if r.Err != rpc.ErrChunks {
		t.Error(r.Err)
	}
	l.refuses = errors.New("no memory")
	if r := l.one(echoing(1, true, some(9000))); r.Err != l.refuses || len(l.regions) > 0 {
		t.Error(r.Err)
	}
}

// cmpErr returns the second of two errors, the first of which must be nil.
func cmpErr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// A Call that was given up has no Reply, and no memory; its XID is free when the Reply comes.
//
// Proves RPCRDMA1-4.4.1-1.
func TestRequesterCancels(t *testing.T) {
	l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
	c := &rpc.Call{Message: callOf(1, 0), Longest: 24, Results: []rpc.Result{{Longest: 100, Chunk: true}}}
	l.Call(c)
	l.Cancel(1)
	if len(l.regions) > 0 || l.Call(c) != rpc.ErrXID {
		t.Error("it is not given up")
	}
	l.Received(octets(t, nullReplyTo1), 0)
	if err := l.Call(c); err != nil || len(l.Replies()) > 0 {
		t.Errorf("again: %v", err)
	}
}

// A Call that was given up after its Reply, which waits for the end of the connection, has none then.
func TestRequesterCancelsHeld(t *testing.T) {
	l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
	l.stuck = errors.New("stuck")
	l.Call(echoing(1, true, some(9000)))
	l.act()
	l.Cancel(1)
	l.Disconnected()
	if all := l.Replies(); len(all) > 0 {
		t.Errorf("it is over: %v", all)
	}
}

// If a part of a Call that offers memory waits for credits when it is given up, the connection is closed: the rest would name STags that
// are not valid. Without memory, the rest is sent.
func TestRequesterCancelsParts(t *testing.T) {
	for _, chunk := range []bool{false, true} {
		p := new(later)
		l := newLinkTo(t, rpc.Options{Versions: []uint32{2}}, rpc.Options{Credits: 1}, p)
		c := echoing(1, false, some(7000))
		if chunk {
			c.Results = []rpc.Result{{Longest: 100, Chunk: true}}
		}
		l.Call(c)
		l.Cancel(1)
		l.act()
		if l.closed != chunk || chunk && l.why != rpc.ErrCancelled || len(l.regions) > 0 {
			t.Errorf("memory %v: closed %v, because of %v", chunk, l.closed, l.why)
		}
		if whole := len(p.requests) == 1 && bytes.Equal(p.requests[0].Message, c.Message); whole == chunk {
			t.Errorf("memory %v: %d Requests", chunk, len(p.requests))
		}
	}
}
