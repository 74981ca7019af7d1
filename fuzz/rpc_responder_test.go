package fuzz

// The end of RPC-over-RDMA that the service rpc has: package rnicsim/rpc.

import (
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// What messages consist of, in hexadecimal digits.
const (
	rpcOne   = "00000001 00000020 00000000 " // version 1, RDMA_MSG
	rpcLists = "00000000 00000000 00000000 "
	rpcCall  = " 00000000 00000002 20697763 00000001 "
	rpcAuth  = " 00000000 00000000 00000000 00000000 "
	rpcOK    = " 00000001 00000000 00000000 00000000 00000000"
)

// FuzzRPCResponder sends any messages, each after its length in two octets, to a Responder whose program answers at once or late. What comes back are messages
// that a sender may send, within the threshold; nothing is written but where the message that is answered offers it;
// and no Receive is lost.
func FuzzRPCResponder(f *testing.F) {
	const one, lists, call, auth, reply = rpcOne, rpcLists, rpcCall, rpcAuth, rpcOK
	for _, messages := range [][]string{
		{""},
		{"00000005 " + one + lists + "00000005" + call + "00000000" + auth, "00000006 00000001 00000020 00000004 00000002"},
		{"00000005 " + one + "00000001 00000034 00000009 00000005 00000000 00000100 00000000 00000001 00000001 00000009 00000005 00000000 00000200 " +
			"00000000 00000000 00000005" + call + "00000001" + auth + "00000001 00000001 00000005"},
		{"00000005 00000001 00000020 00000001 00000001 00000000 00000009 00000028 00000000 00000100 00000000 00000000 " +
			"00000001 00000001 00000009 00001000 00000000 00000200"},
		{"00000005 " + one + lists + "00000005" + call + "00000004" + auth + "00000003 00000004",
			"69776301 " + one + lists + "69776301" + reply, "69776302 00000001 00000005 00000004 00000002"},
		{"00000005 00000007 00000020 00000000 " + lists + "00000005",
			"00000005 00000001 00000020 00000002 00000000 00000000 " + lists},
		{"00000005 00000002 00200020 00000005 00000000 00000001 00000002 00000004 00001000",
			"00000006 00000002 00200001 00000000 00000000 00000000 " + lists + "00000006" + call + "00000000" + auth},
	} {
		script := rpcScript(f, messages)
		f.Add([]byte{0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3}, script, true)
		f.Add([]byte(nil), script, false)
	}
	f.Fuzz(func(t *testing.T, private, script []byte, late bool) {
		p := newRPCPeer(t, private)
		p.program.late = late
		p.play(script, p.send)
		p.answer()
	})
}

// rpcScript are messages in hexadecimal digits, each after its length.
func rpcScript(f *testing.F, messages []string) (script []byte) {
	for _, m := range messages {
		b, err := hex.DecodeString(strings.ReplaceAll(m, " ", ""))
		if err != nil {
			f.Fatal(err)
		}
		script = append(binary.BigEndian.AppendUint16(script, uint16(len(b))), b...)
	}
	return script
}

// An rpcPeer is what a Responder talks to. Its memory is zero everywhere.
type rpcPeer struct {
	*rpc.Responder
	t         *testing.T
	program   lateEcho
	threshold int
	receives  int
	messages  int
	closed    bool
	one       bool // the connection has version 1
	forwards  bool // RPC messages are those of a server, whatever they are
	offered   rpcrdma.Message
}

// A lateEcho is an Echo that answers when it is told to, the latest Call first.
type lateEcho struct {
	rpc.Echo
	late bool
	held []*rpc.Request
}

// Execute implements rpc.Program.
func (e *lateEcho) Execute(r *rpc.Request) {
	if e.held = append(e.held, r); !e.late {
		e.answer()
	}
}

func (e *lateEcho) answer() {
	held := e.held
	e.held = nil
	for _, r := range slices.Backward(held) {
		e.Echo.Execute(r)
	}
}

func newRPCPeer(t *testing.T, private []byte) *rpcPeer {
	p := &rpcPeer{t: t}
	p.serve(private, &p.program)
	return p
}

// serve begins a connection to a Responder with a program.
func (p *rpcPeer) serve(private []byte, program rpc.Program, versions ...uint32) {
	p.Responder = rpc.NewResponder(rpc.Options{Versions: versions, Tamper: p.offers}, private, program)
	var client rpcprivate.Data
	if off, ok := rpcprivate.Find(private); ok {
		client.Decode(private[off:])
	}
	var server rpcprivate.Data
	server.Decode(p.Private())
	p.threshold = rpcprivate.Agree(&client, &server).ServerToClient
	p.act()
}

// play sends the messages of a script, as long as there are Receives for them, and not too many.
func (p *rpcPeer) play(script []byte, send func([]byte)) {
	const most = 64
	for len(script) >= 2 && p.receives > 0 && p.messages < most && !p.closed {
		n := int(binary.BigEndian.Uint16(script))
		script = script[2:]
		n = min(n, len(script), p.Options().ReceiveSize)
		send(script[:n])
		script = script[n:]
	}
}

// send sends a message, and does what has to be done because of it. Late answers come after each third one.
func (p *rpcPeer) send(message []byte) {
	p.receives--
	p.messages++
	p.Received(message)
	if p.act(); p.messages%3 == 0 || !p.program.late {
		p.answer()
	}
}

// answer has the program answer what it has received.
func (p *rpcPeer) answer() {
	for more := true; more && !p.closed; more = len(p.program.held) > 0 { // Calls that waited for memory come then
		p.program.answer()
		p.act()
	}
	if p.one && !p.closed && p.receives != p.MaxReceives() {
		p.t.Fatalf("%d Receives are left of %d", p.receives, p.MaxReceives())
	}
}

// offers checks what a message that is about to be sent answers, and whether what is written goes there.
func (p *rpcPeer) offers(o *rpc.Outgoing) {
	p.offered = rpcrdma.Message{}
	if len(o.Request) > 0 {
		p.offered.Decode(o.Request, len(o.Request), rpcrdma.DialectVersion1.Of(o.Request, len(o.Request)))
	}
	for _, w := range o.Writes {
		if !offers(&p.offered, w) {
			p.t.Fatalf("%d octets are written to STag %#x, TO %#x, which nothing offers", len(w.Octets), w.STag, w.TO)
		}
	}
}

func offers(m *rpcrdma.Message, w rpc.Push) bool {
	within := func(s rpcrdma.Segment) bool {
		at, length := w.TO-s.Offset, uint64(s.Length)
		return s.Handle == w.STag && at <= length && uint64(len(w.Octets)) <= length-at
	}
	for c := range m.Writes.Chunks() {
		for s := range c.Segments() {
			if within(s) {
				return true
			}
		}
	}
	for s := range m.Reply.Segments() {
		if within(s) {
			return true
		}
	}
	return false
}

func (p *rpcPeer) act() {
	for actions := p.Actions(); len(actions) > 0; actions = p.Actions() {
		for _, a := range actions {
			switch a.Type {
			case rpc.Receive:
				if p.receives += a.Count; p.receives > p.MaxReceives() {
					p.t.Fatalf("%d Receives", p.receives)
				}
			case rpc.Read:
				clear(a.Octets)
				p.Done(a)
			case rpc.Send:
				p.take(a.Octets)
				p.Done(a)
			case rpc.Close:
				p.closed = true
				return
			}
		}
	}
}

// take judges a message of the Responder.
func (p *rpcPeer) take(message []byte) {
	if len(message) > p.Options().SendSize {
		p.t.Fatalf("%d octets are sent", len(message))
	}
	if binary.BigEndian.Uint32(message[4:]) != rpcrdma.Vers1 {
		return
	}
	var h rpcrdma.Version1
	n, err := h.Decode(message)
	p.one = p.one || h.Proc != rpcrdma.ProcError // version 2 answers version 1 by such an error
	var m rpcrdma.Message
	m.Decode(message, len(message), rpcrdma.DialectVersion1)
	var law rpcrules.Stream
	law.Missed(rpcrules.Client)
	law.Missed(rpcrules.Server)
	_, v := law.Message(rpcrules.Server, &m, nil)
	if h.Proc.HasPayload() && !p.forwards {
		_, v = rpcrules.CheckPayload(&m, m.Payload, uint64(len(m.Payload)), v)
	}
	if err != nil || len(v) > 0 || !h.Proc.HasPayload() && n < len(message) || len(message) > p.threshold {
		p.t.Fatalf("% x is sent, with a threshold of %d: %v, %v", message, p.threshold, err, v)
	}
}
