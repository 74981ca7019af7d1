package fuzz

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// FuzzRPCRequester sends any messages to a Requester with open Calls, each after its length in two octets, whose highest
// bit is set if the message invalidates the STag that was registered first. Each Call ends once at most, with no more
// than it has room for, and without registered memory; what is sent may be sent; and no Receive is lost.
func FuzzRPCRequester(f *testing.F) {
	const (
		one, lists, ok = rpcOne, rpcLists, rpcOK

		two   = "00000002 02000010 00000000 00000001 00000000 "
		chunk = "00000000 00000001 00000001 00000002 00001000 00000000 00002000 00000000 00000000 "
	)
	for _, messages := range [][]string{
		{"00000001 " + one + lists + "00000001" + ok, "00000002 " + one + chunk + "00000002" + ok + " 00000000"},
		{"00000001 00000001 00000020 00000004 00000002", "00000003 00000001 00000020 00000004 00000001 00000002 00000002"},
		{"00000001 " + one + lists + "00000001" + ok,
			"00000003 00000001 00000020 00000001 00000000 00000000 00000001 00000001 00000004 00000100 00000000 00004000"},
		{"00000007 " + one + lists + "00000007 00000000 00000002 20697763 00000001 00000000 00000000 00000000 00000000 00000000"},
		{"00000000 00000002 02000010 00000005 00000000 00000001 00000002 00000004 00001000",
			"00000001 00000002 02000010 00000000 00000003 00000000 " + lists + "00000001 00000001",
			"00000001 " + two + lists + "00000000 00000000 00000000 00000000", "00000002 " + two + chunk + "00000002" + ok},
		{"69776300 00000002 00000020 00000004 00000001 00000001 00000001", "00000001 " + one + lists + "00000001" + ok},
		{"00000000 00000002 02000010 00000005 00000000 00000000", "00000001 00000002 02000001 00000004 00000001 0000000a 00002000",
			"00000009 00000002 02000001 00000000 00000000 00000000 " + lists + "00000009 00000000 00000002"},
	} {
		script := rpcScript(f, messages)
		f.Add([]byte{0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3}, script, false)
		f.Add([]byte(nil), script, true)
	}
	f.Fuzz(func(t *testing.T, private, script []byte, both bool) {
		versions := []uint32{rpcrdma.Vers1}
		if both {
			versions = append(versions, rpcrdma.Vers2)
		}
		s := &requesterPeer{t: t, regions: make(map[uint32]int), Requester: rpc.NewRequester(rpc.Options{Versions: versions}, nil)}
		s.receives = s.MaxReceives()
		s.call(private)
		for n := 0; len(script) >= 2 && s.receives > 0 && !s.closed && n < 64; n++ {
			prefix := int(binary.BigEndian.Uint16(script))
			length := min(prefix&0x7fff, len(script)-2, s.Options().ReceiveSize)
			message := script[2 : 2+length]
			script = script[2+length:]
			invalidated := uint32(0)
			if prefix&0x8000 != 0 && s.regions[1] > 0 {
				invalidated = 1
			}
			s.receives--
			if m := decoded(message); len(message) >= rpcrdma.Version1Len && (both || m.Vers == rpcrdma.Vers1) { // what it does not speak settles nothing
				s.law.Message(rpcrules.Server, m, nil)
			}
			s.Received(message, invalidated)
			s.act()
		}
		s.end()
	})
}

// A requesterPeer is what a Requester talks to.
type requesterPeer struct {
	*rpc.Requester
	t        *testing.T
	regions  map[uint32]int // octets of what is registered
	stags    uint32
	calls    map[*rpc.Call]bool
	receives int
	closed   bool
	law      rpcrules.Stream
}

// decoded decodes a message.
func decoded(message []byte) *rpcrdma.Message {
	m := new(rpcrdma.Message)
	m.Decode(message, len(message), rpcrdma.DialectVersion2.Of(message, len(message)))
	return m
}

// call makes three Calls: a short one, one with chunks for data items, and a long one.
func (s *requesterPeer) call(private []byte) {
	s.law.Reset(rpcrules.Conditions{})
	s.Connected(private, s)
	s.calls = make(map[*rpc.Call]bool)
	for xid, c := range []rpc.Call{
		{Longest: 100},
		{Longest: 100, Arguments: []rpc.Argument{{At: 40, Length: 6000}}, Results: []rpc.Result{{Longest: 4096, Chunk: true}}},
		{Longest: 70000},
	} {
		h := oncrpc.Call{XID: uint32(xid) + 1, RPCVers: oncrpc.Version, Prog: rpc.EchoProgram, Vers: rpc.EchoVersion}
		c.Message, _ = h.AppendBinary(nil)
		if len(c.Arguments) > 0 {
			c.Message = append(c.Message, make([]byte, 6000)...)
		}
		if err := s.Call(&c); err != nil {
			s.t.Fatal(err)
		}
		s.calls[&c] = true
	}
	s.act()
}

func (s *requesterPeer) Register(octets []byte, _ bool) (stag uint32, to uint64, err error) {
	s.stags++
	s.regions[s.stags] = len(octets)
	return s.stags, uint64(s.stags) << 12, nil
}

func (s *requesterPeer) Deregister(stag uint32, _ bool) error {
	if _, there := s.regions[stag]; !there {
		s.t.Fatalf("STag %d is deregistered twice", stag)
	}
	delete(s.regions, stag)
	return nil
}

func (s *requesterPeer) act() {
	for _, a := range s.Actions() {
		switch a.Type {
		case rpc.Receive:
			if s.receives += a.Count; s.receives > s.MaxReceives() {
				s.t.Fatalf("%d Receives", s.receives)
			}
		case rpc.Send:
			s.judge(a.Octets)
		case rpc.Close:
			s.closed = true
		}
	}
	for _, r := range s.Replies() {
		if !s.calls[r.Call] || (r.Err == nil) == (r.Message == nil) {
			s.t.Fatalf("a Call ends with %v", r)
		}
		delete(s.calls, r.Call)
		for i, octets := range r.Results {
			if len(octets) > r.Call.Results[i].Longest {
				s.t.Fatalf("a result of %d octets", len(octets))
			}
		}
	}
}

// judge judges a message of the Requester by all that was said before.
func (s *requesterPeer) judge(message []byte) {
	m := decoded(message)
	_, broken := s.law.Message(rpcrules.Client, m, nil)
	broken = slices.DeleteFunc(broken, func(v rules.Violation) bool { return v.Severity != rules.Error })
	if m.Err != nil || len(broken) > 0 || len(message) > s.Options().SendSize {
		s.t.Fatalf("% x is sent: %v, %v", message, m.Err, broken)
	}
}

// end ends the connection: what is open stays open, and the rest has no memory.
func (s *requesterPeer) end() {
	if len(s.calls) == 0 && len(s.regions) > 0 {
		s.t.Fatalf("%d regions are left", len(s.regions))
	}
	s.Disconnected()
	s.regions = make(map[uint32]int)
	s.law.Reset(rpcrules.Conditions{})
	s.Connected(nil, s)
	s.closed = false
	s.receives = 0
	s.act()
}
