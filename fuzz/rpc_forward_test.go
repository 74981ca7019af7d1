package fuzz

import (
	"encoding/binary"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// FuzzRPCForward sends any messages of a client and of a server to a Forward between them, each after its length in two octets, whose highest
// bit is set if it comes from the server. What goes to the client is judged as that of a Responder, what goes to the server as that of a
// Requester, and neither side loses Receives or writes where nobody has offered memory.
func FuzzRPCForward(f *testing.F) {
	const (
		server = 0x80 // in the first octet of a length

		call   = "00000001 " + rpcOne + rpcLists + "00000001" + rpcCall + "00000000" + rpcAuth
		reply  = "00000001 " + rpcOne + rpcLists + "00000001" + rpcOK
		chunks = "00000002 " + rpcOne + "00000001 00000028 00000009 00000005 00000000 00000100 00000000 00000001 00000001 00000009 00000005 00000000 00000200 " +
			"00000000 00000000 00000002" + rpcCall + "00000001" + rpcAuth
		back  = "00000007 " + rpcOne + rpcLists + "00000007" + rpcCall + "00000000" + rpcAuth
		done  = "00000007 " + rpcOne + rpcLists + "00000007" + rpcOK
		props = "00000000 00000002 02000010 00000005 00000000 00000001 00000002 00000004 00001000"
	)
	for _, seed := range []struct {
		messages     []string
		from         []byte // server, or 0 for the client
		two, twoBack bool
	}{
		{[]string{call, reply, back, done}, []byte{0, server, server, 0}, false, false},
		{[]string{call, chunks, "00000002 00000001 00000020 00000004 00000002"}, []byte{0, 0, server}, false, false},
		{[]string{props, call, "00000001 00000002 02000010 00000000 00000001 00000000 " + rpcLists + "00000001" + rpcOK}, []byte{server, 0, server}, false, true},
		{[]string{props, "00000001 00000002 02000010 00000000 00000000 00000000 " + rpcLists + "00000001" + rpcCall + "00000000" + rpcAuth, reply},
			[]byte{0, 0, server}, true, false},
	} {
		script := rpcScript(f, seed.messages)
		at := 0
		for _, from := range seed.from {
			n := int(binary.BigEndian.Uint16(script[at:]))
			script[at] |= from
			at += 2 + n
		}
		f.Add([]byte(nil), script, seed.two, seed.twoBack)
	}
	f.Fuzz(func(t *testing.T, private, script []byte, two, twoBack bool) {
		version := func(two bool) uint32 {
			if two {
				return rpcrdma.Vers2
			}
			return rpcrdma.Vers1
		}
		forward := rpc.NewForward(rpc.Options{Versions: []uint32{version(twoBack)}})
		s := &requesterPeer{t: t, regions: make(map[uint32]int), Requester: forward.Requester}
		s.receives = s.MaxReceives()
		s.law.Reset(rpcrules.Conditions{})
		s.Connected(private, s)
		p := &rpcPeer{t: t, forwards: true}
		p.serve(private, forward, version(two))
		s.act()
		for n := 0; len(script) >= 2 && n < 64 && !p.closed && !s.closed; n++ {
			prefix := int(binary.BigEndian.Uint16(script))
			message := script[2:][:min(prefix&0x7fff, len(script)-2, rpc.DefaultSize)]
			script = script[2+len(message):]
			switch {
			case prefix&(server<<8) == 0 && p.receives > 0:
				p.receives--
				p.Received(message)
			case prefix&(server<<8) != 0 && s.receives > 0:
				s.receives--
				if m := decoded(message); m.Vers == version(twoBack) && len(message) >= rpcrdma.Version1Len {
					s.law.Message(rpcrules.Server, m, nil)
				}
				s.Received(message, 0)
			}
			forward.Return()
			p.Proceed()
			p.act()
			s.act()
		}
	})
}
