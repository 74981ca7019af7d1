package fuzz

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// FuzzRPCResponder2 sends any messages of version 2 to a Responder: what it sends must be as the rules say.
func FuzzRPCResponder2(f *testing.F) {
	const lists, call, auth, msg = rpcLists, rpcCall, rpcAuth, "00000002 02000004 00000000 "
	for _, messages := range [][]string{
		{"00000006 " + msg + "00000000 00000000 " + lists + "00000006" + call + "00000000" + auth},
		{"00000006 " + msg + "00000002 00000000 " + lists + "00000006" + call,
			"00000006 " + msg + "00000000 00000000 " + lists + "00000000" + auth,
			"00000007 " + msg + "00000002 00000000 " + lists + "00000007", "00000008 " + msg + "00000000 00000000 " + lists + "00000008"},
		{"00000006 " + msg + "00000000 00000009 00000001 00000034 00000009 00000005 00000000 00000100 00000000 " +
			"00000001 00000002 00000008 00000002 00000000 00000000 00000008 00000009 00000000 00000002 00000000 " +
			"00000001 00000001 00000007 00000100 00000000 00000000 00000006" + call + "00000001" + auth + "00000001 00000001 00000005"},
		{"00000006 00000002 02000001 00000001 00000000 00000009 00000001 00000000 00000009 00000028 00000000 00000100 " + lists,
			"00000000 00000002 02000001 00000001 00000000 00000000 " + lists, "00000007 00000002 02000001 00000005 00000000 00000000"},
		{"00000006 " + msg + "00000000 00000000 " + lists + "00000006" + call + "00000004" + auth + "00000003 00000100",
			"69776301 00000002 02000001 00000000 00000001 00000000 " + lists + "69776301 00000001 00000000 00000000 00000000 00000000",
			"69776302 00000002 02000001 00000004 00000001 00000006 00000000"},
	} {
		script := rpcScript(f, messages)
		f.Add([]byte{0, 0, 0, 0}, script)
		f.Add([]byte{0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 80, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 2}, script)
	}
	f.Fuzz(func(t *testing.T, properties, script []byte) {
		p := newRPCPeer2(t)
		open := rpcrdma.Version2{XID: 1, Vers: rpcrdma.Vers2, CreditMax: 512, CreditGrant: 8, HType: rpcrdma.HTypeConnProp}
		b, _ := open.AppendBinary(nil)
		p.send(append(b[:rpcrdma.Version2Len], properties[:min(len(properties), 1000)]...))
		p.play(script, p.send)
	})
}

// An rpcPeer2 is an rpcPeer of version 2.
type rpcPeer2 struct {
	rpcPeer
	law    rpcrules.Stream
	parts  int    // of the Reply that is being sent
	inline uint64 // octets in them
}

func newRPCPeer2(t *testing.T) *rpcPeer2 {
	p := &rpcPeer2{rpcPeer: rpcPeer{t: t}}
	p.law.Reset(rpcrules.Conditions{})
	p.Responder = rpc.NewResponder(rpc.Options{Tamper: p.judge}, nil, new(rpc.Echo))
	p.threshold = p.Options().SendSize
	p.act()
	return p
}

func (p *rpcPeer2) send(message []byte) {
	p.receives--
	p.messages++
	if len(message) >= rpcrdma.Version1Len {
		m := decoded(message)
		p.law.Message(rpcrules.Client, m, nil)
	}
	p.Received(message)
	p.act()
}

// judge has the law look at a message that is about to be sent, and at the message that it answers.
func (p *rpcPeer2) judge(o *rpc.Outgoing) {
	if o.Drop {
		return
	}
	p.offers(o)
	m := decoded(o.Message)
	_, broken := p.law.Message(rpcrules.Server, m, nil)
	p.parts++
	p.inline += uint64(len(m.Payload))
	if !m.More {
		if len(o.Request) > 0 && m.Role == rpcrdma.Responder {
			var c rpcrules.Call
			c.Keep(decoded(o.Request), 1, nil, 1<<20)
			broken = p.law.Answered(rpcrules.Server, &c, m, p.parts, p.inline, broken)
			if o.Invalidate != 0 {
				broken = p.law.Invalidated(rpcrules.Server, m, o.Invalidate, &c, broken)
			}
		}
		p.parts, p.inline = 0, 0
	}
	for _, v := range broken {
		if v.Severity == rules.Error {
			p.t.Fatalf("% x is sent: %s: %s, not %s", o.Message, v.Name, v.Seen, v.Expected)
		}
	}
}
