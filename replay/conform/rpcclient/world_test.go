package rpcclient

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A client is a Requester that a caseRun asks, with memory but without a network or a clock. It makes Calls one after the other, two at a
// time, and sends them again after the end of a connection. Each of its deviations is one of some clients.
type client struct {
	deviation
	*rpc.Requester
	t         testing.TB
	caseRun   *caseRun
	line      *line
	responder *rpc.Responder // nil without a connection
	regions   map[uint32][]byte
	stag, xid uint32
	open      []*rpc.Call
	stopped   bool   // it makes no Calls any more
	posted    int    // Receives
	first     []byte // the Private Data of the first connection
	misread   byte   // credits in the last message of no direction
	wire      *wire  // what both ends do; nil for nothing
}

// A deviation is what a client does wrong.
type deviation struct {
	options   rpc.Options // of the Requester
	gullible  bool        // it takes each message for the end of a Call
	stubborn  bool        // it makes a Call that was refused again
	touchy    bool        // it closes the connection if a message says nothing to it
	wedges    bool        // it hangs then
	lax       bool        // it lets the server write and invalidate everywhere
	keeps     bool        // it does not take its memory back
	picky     bool        // it refuses a server with reserved bits in its Private Data
	repeats   bool        // it makes a Call again whose result is not in its Write chunk
	credulous bool        // it takes the credits of each message for a grant
	receives  int         // that it posts at first; 0 for as many as a Requester needs
	atOnce    int         // Calls that it makes at a time; 0 for 2
	room      int         // octets of its Receives; 0 for enough
	objects   bool        // it refuses a message that says nothing to it
	remembers bool        // it goes by the Private Data of the first connection
}

func newClient(t testing.TB, r *caseRun, d deviation) *client {
	d.options.Versions = []uint32{cmp.Or(r.Vers, 1)}
	return &client{deviation: d, t: t, caseRun: r, regions: make(map[uint32][]byte), Requester: rpc.NewRequester(d.options, nil)}
}

// patience is after how many exchanges a client is given up.
const patience = 300

// run uses the client until there is a verdict.
func (c *client) run() {
	for round := 0; ; round++ {
		select {
		case <-c.caseRun.over:
			return
		default:
		}
		if c.responder == nil && !c.stopped {
			c.connect()
		}
		for len(c.open) < cmp.Or(c.atOnce, 2) && !c.stopped {
			c.call()
		}
		if refused := c.Replies(); len(refused) > 0 && c.responder != nil {
			c.reconnect(refused)
			continue
		}
		switch goes := c.responder != nil && c.exchange(); {
		case goes && round < patience:
		case c.responder != nil && c.caseRun.closing():
			c.end(nil)
			round = 0
		default:
			c.caseRun.late()
		}
	}
}

// reconnect ends a connection whose server has refused the version: no Call is made on it any more.
func (c *client) reconnect(refused []rpc.Reply) {
	c.end(nil)
	for _, r := range refused {
		if c.forget(r.Call); c.stubborn {
			c.open = append(c.open, r.Call)
			c.Call(r.Call)
		}
	}
}

// connect begins a connection.
func (c *client) connect() {
	c.line = c.caseRun.line()
	c.responder = rpc.NewResponder(c.line.options(), c.Private(), new(rpc.Echo))
	private := c.responder.Private()
	c.wire.connect(c.Private(), private)
	if c.first == nil {
		c.first = private
	}
	if c.remembers {
		private = c.first
	}
	c.posted = cmp.Or(c.receives, c.MaxReceives())
	c.Connected(private, c)
	if c.picky && len(private) > 5 && private[5] > 1 {
		c.stopped = true
	}
}

// end ends the connection. why is the client's reason; nil if the server has closed it.
func (c *client) end(why error) {
	clear(c.regions)
	c.wire.close()
	c.line.ended(why)
	c.responder = nil
	c.Disconnected()
}

// call makes a Call: of NULL, of an echo inline, or of one with chunks, in turn.
func (c *client) call() {
	c.xid++
	h := oncrpc.Call{XID: c.xid, RPCVers: oncrpc.Version, Prog: rpc.EchoProgram, Vers: rpc.EchoVersion, Proc: c.xid % 3}
	message, _ := h.AppendBinary(nil)
	call := &rpc.Call{Longest: 36}
	if h.Proc != rpc.ProcNull {
		size := uint32(1200) // more than the shortest message has room for
		if h.Proc == rpc.ProcEcho {
			size = 600
		}
		for _, w := range []uint32{1, 1, size} {
			message = binary.BigEndian.AppendUint32(message, w)
		}
		if h.Proc == rpc.ProcEcho {
			call.Arguments = []rpc.Argument{{At: len(message), Length: int(size), Chunk: true}}
			call.Results = []rpc.Result{{Longest: int(size), Chunk: true}}
		} else {
			call.Longest += int(size)
		}
		message = append(message, make([]byte, size)...)
	}
	call.Message = message
	c.open = append(c.open, call)
	if err := c.Call(call); err != nil {
		c.t.Fatal(err)
	}
}

// exchange performs the Actions of both ends, and reports whether there were any.
func (c *client) exchange() (acted bool) {
	for _, a := range c.Actions() {
		switch a.Type {
		case rpc.Receive:
			c.posted += a.Count
		case rpc.Send:
			acted = true
			c.wire.send(conversation.Client, a.Octets, a.STag)
			c.responder.Received(a.Octets)
		case rpc.Close:
			acted = true
			c.end(a.Err)
			return acted
		}
	}
	if c.responder == nil {
		return true
	}
	for _, a := range c.responder.Actions() {
		acted = acted || a.Type != rpc.Receive
		if c.perform(a); c.responder == nil {
			break
		}
	}
	return acted
}

var errNoReceive = errors.New("no Receive is posted")

var errTooLong = errors.New("a message is longer than its Receive")

var errProtection = errors.New("remote protection error")

// perform performs an Action of the server.
func (c *client) perform(a rpc.Action) {
	region := c.regions[a.STag]
	switch a.Type {
	case rpc.Write:
		c.wire.write(a.STag, a.TO, a.Octets)
	case rpc.Send:
		c.wire.send(conversation.Server, a.Octets, a.STag)
	}
	switch {
	case a.Type == rpc.Close:
		c.end(nil)
	case a.Type == rpc.Write && uint64(len(region)) >= a.TO+uint64(len(a.Octets)):
		copy(region[a.TO:], a.Octets)
	case a.Type == rpc.Read && uint64(len(region)) >= a.TO+uint64(len(a.Octets)):
		copy(a.Octets, region[a.TO:])
		c.wire.read(a.STag, a.TO, a.Octets)
		c.responder.Done(a)
	case a.Type == rpc.Send && (a.STag == 0 || region != nil):
		c.received(a)
	case a.Type == rpc.Receive:
	case !c.lax:
		c.end(errProtection)
	case a.Type == rpc.Send:
		a.STag = 0
		c.received(a)
	}
}

// received handles a message of the server.
func (c *client) received(a rpc.Action) {
	if c.posted--; c.posted < 0 {
		c.end(errNoReceive)
		return
	}
	if c.room > 0 && len(a.Octets) > c.room {
		c.end(errTooLong)
		return
	}
	if c.credulous {
		a.Octets = c.believe(a.Octets)
	}
	if a.STag != 0 {
		delete(c.regions, a.STag)
	}
	responder := c.responder
	c.Received(a.Octets, a.STag)
	responder.Done(a)
	replies := c.Replies()
	for _, r := range replies {
		refused := new(rpc.RefusedError)
		c.forget(r.Call)
		wrong := len(r.Call.Results) > 0 && (r.Results == nil || len(r.Results[0]) != r.Call.Results[0].Longest)
		if c.stubborn && errors.As(r.Err, &refused) || c.repeats && r.Err == nil && wrong {
			c.open = append(c.open, r.Call)
			c.Call(r.Call)
		}
	}
	says := len(replies) > 0 && a.Octets[11] != 0 // with a grant
	switch {
	case says:
	case c.gullible && len(c.open) > 0:
		c.Cancel(binary.BigEndian.Uint32(c.open[0].Message))
		c.forget(c.open[0])
	case c.objects && len(a.Octets) >= rpcrdma.Version1Len:
		h := rpcrdma.Version1{XID: binary.BigEndian.Uint32(a.Octets), Vers: rpcrdma.Vers1, Credit: 1, Proc: rpcrdma.ProcError, Err: rpcrdma.ErrCodeChunk}
		b, _ := h.AppendBinary(nil)
		responder.Received(b)
	case c.touchy:
		c.end(errors.New("touchy"))
	case c.wedges:
		c.stopped = true
	}
}

// believe returns a message with the credits of the one before it, if that had no direction.
func (c *client) believe(message []byte) []byte {
	switch {
	case len(message) < 16:
	case message[15] == byte(rpcrdma.ProcNoMsg):
		c.misread = message[11]
	case c.misread > 0:
		return set(bytes.Clone(message), 2, uint32(c.misread))
	}
	return message
}

// forget removes a Call that is over.
func (c *client) forget(call *rpc.Call) {
	for i := range c.open {
		if c.open[i] == call {
			c.open = append(c.open[:i:i], c.open[i+1:]...)
			return
		}
	}
}

// Register implements rpc.Memory.
func (c *client) Register(octets []byte, _ bool) (stag uint32, to uint64, err error) {
	c.stag++
	c.regions[c.stag] = octets
	return c.stag, 0, nil
}

// Deregister implements rpc.Memory.
func (c *client) Deregister(stag uint32, _ bool) error {
	if !c.keeps {
		delete(c.regions, stag)
	}
	return nil
}
