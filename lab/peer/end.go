package main

// Our end of a connection: an RNIC of rnicsim on TCP, with memory in siwtest's patterns.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// A role says who connects: that side is the Initiator.
type role string

// The roles.
const (
	weConnect  role = "we-connect"
	siwConnect role = "siw-connects"
)

var roles = []role{weConnect, siwConnect}

// memoryPattern is octet i of the memory that siwtest and we offer, and sendPattern that of what both send and write.
func memoryPattern(i int) byte { return byte(32 + i%91) }
func sendPattern(i int) byte   { return byte(39 + i%83) }

func filled(n int, pattern func(int) byte) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = pattern(i)
	}
	return b
}

// An endConfig configures our end. The zero value is plain.
type endConfig struct {
	Stream      rnicsim.StreamConfig // the zero value: revision 2 with CRCs
	QP          rnicsim.QPConfig
	Private     []byte // after the advertisement of our memory
	NoOffer     bool
	Profile     *rules.Profile
	Quirks      []quirk.Quirk
	Memory      int             // octets that we advertise; 0 for 1 MiB
	Rights      *rnicsim.Rights // on them; nil for both remote ones
	Receives    *int            // nil for 16
	ReceiveSize int             // octets of each; 0 for 4096
}

// An end is our end of a connection.
type end struct {
	t      *T
	config endConfig
	conn   *driver.Conn

	memory, send, receive             []byte
	memorySTag, sendSTag, receiveSTag rnicsim.STag
	memoryTO, sendTO, receiveTO       uint64
	peerTO                            uint64
	peerSTag                          rnicsim.STag
	posted                            uint64
	receives                          []rnicsim.Completion // not yet waited for
}

// sendBuffer is the octets from which we send, and into which we read.
const sendBuffer = 2 << 20

// device opens a Device. It is closed when the case ends.
func (t *T) device(c *endConfig) *driver.Device {
	d, err := driver.Open(driver.Config{RNIC: rnicsim.Config{Profile: c.Profile, Quirks: c.Quirks}})
	t.must(err, "open a device")
	t.later(func() { d.Close() })
	return d
}

// address is a host with the port of the case.
func (t *T) address(host string) string { return net.JoinHostPort(host, strconv.Itoa(t.port)) }

// connConfig returns the settings of a connection.
func (e *end) connConfig() driver.ConnConfig {
	return driver.ConnConfig{Stream: e.config.Stream, QP: e.config.QP, Private: e.config.Private, Prepare: e.prepare}
}

// prepare registers memory and posts Receives.
func (e *end) prepare(conn *driver.Conn) (err error) {
	c := &e.config
	local := rnicsim.LocalRead | rnicsim.LocalWrite
	rights := local | rnicsim.RemoteRead | rnicsim.RemoteWrite
	if c.Rights != nil {
		rights = local | *c.Rights
	}
	size, n := cmp.Or(c.Memory, 1<<20), 16
	c.ReceiveSize = cmp.Or(c.ReceiveSize, 4096)
	if c.Receives != nil {
		n = *c.Receives
	}
	e.memory, e.send, e.receive = filled(size, memoryPattern), filled(sendBuffer, sendPattern), make([]byte, (n+1)*c.ReceiveSize)
	if e.memorySTag, e.memoryTO, err = conn.Register(e.memory, rights); err != nil {
		return err
	}
	if e.sendSTag, e.sendTO, err = conn.Register(e.send, local|rnicsim.RemoteWrite); err != nil {
		return err
	}
	if e.receiveSTag, e.receiveTO, err = conn.Register(e.receive, local); err != nil {
		return err
	}
	if !c.NoOffer {
		offer := binary.BigEndian.AppendUint64(nil, e.memoryTO)
		offer = binary.BigEndian.AppendUint32(offer, uint32(e.memorySTag))
		offer = binary.BigEndian.AppendUint32(offer, uint32(size))
		conn.SetPrivate(append(offer, c.Private...))
	}
	for i := range n {
		if err := conn.PostReceive(e.receiveRequest(i)); err != nil {
			return err
		}
	}
	return nil
}

// receiveRequest is the Receive into buffer i.
func (e *end) receiveRequest(i int) rnicsim.WorkRequest {
	size := e.config.ReceiveSize
	return rnicsim.WorkRequest{ID: uint64(i), SGL: []rnicsim.SGE{
		{STag: e.receiveSTag, TO: e.receiveTO + uint64(i*size), Len: uint32(size)}}}
}

// begun reads the advertisement of the peer. It closes the connection when the case ends.
func (e *end) begun(conn *driver.Conn, private []byte) *end {
	e.conn = conn
	if len(private) >= 16 {
		e.peerTO = binary.BigEndian.Uint64(private)
		e.peerSTag = rnicsim.STag(binary.BigEndian.Uint32(private[8:]))
	}
	return e
}

// tryDial connects to the kernel, and may fail.
func (t *T) tryDial(c endConfig) (*end, error) {
	e := &end{t: t, config: c}
	conn, err := t.device(&c).Dial(t.ctx, "tcp", t.toKernel(), e.connConfig())
	if err != nil {
		return nil, err
	}
	reply := conn.Reply()
	return e.begun(conn, reply.ULPPrivateData()), nil
}

// listen listens for the kernel, and returns what accepts the next connection, and what awaits its Request.
func (t *T) listen(c endConfig) (accept func() *end, next func() *driver.Request) {
	l, err := t.device(&c).Listen(t.ctx, "tcp", t.forKernel(), driver.ListenConfig{Stream: c.Stream})
	t.must(err, "listen")
	next = func() *driver.Request {
		r, err := l.Accept(t.ctx)
		t.must(err, "await the kernel's Request")
		return r
	}
	return func() *end {
		r := next()
		e := &end{t: t, config: c}
		conn, err := r.Accept(t.ctx, e.connConfig())
		t.must(err, "accept the kernel's Request")
		f := r.Frame()
		return e.begun(conn, f.ULPPrivateData())
	}, next
}

func (t *T) connect(who role, c endConfig, siwtest ...string) (*end, *process) {
	if who == weConnect {
		p := t.siwServer(siwtest...)
		e, err := t.tryDial(c)
		t.must(err, "connect to the kernel")
		return e, p
	}
	accept, _ := t.listen(c)
	p := t.siwClient(siwtest...)
	return accept(), p
}

// --- Work Requests -----------------------------------------------------------------------------------------------------

// sends is the ID of our first Work Request in the Send Queue.
const sends = 1 << 32

// from is the SGL of n octets of the send buffer.
func (e *end) from(n int) []rnicsim.SGE {
	if n == 0 {
		return nil
	}
	return []rnicsim.SGE{{STag: e.sendSTag, TO: e.sendTO, Len: uint32(n)}}
}

func (e *end) sendWR(n int) rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: e.from(n)}
}

func (e *end) writeWR(n int, offset uint64) rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: e.from(n), Remote: e.peerSTag, RemoteTO: e.peerTO + offset}
}

func (e *end) readWR(n int, offset uint64) rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: rnicsim.SGE{STag: e.sendSTag, TO: e.sendTO, Len: uint32(n)},
		Remote: e.peerSTag, RemoteTO: e.peerTO + offset}
}

// do posts a Work Request, which must succeed.
func (e *end) do(wr rnicsim.WorkRequest) {
	s := e.try(wr)
	e.t.check(s == rnicsim.Success, "our %v: %v; %v", wr.Op, s, e.conn.Err())
}

// try posts a Work Request and returns its completion.
func (e *end) try(wr rnicsim.WorkRequest) rnicsim.Status {
	e.posted++
	wr.ID = sends + e.posted
	e.t.must(e.conn.Post(wr), fmt.Sprintf("post a %v", wr.Op))
	for {
		c, err := e.next()
		e.t.check(err == nil, "our %v has not completed: %v", wr.Op, err)
		if c.WRID == wr.ID {
			return c.Status
		}
		if c.WRID < sends {
			e.receives = append(e.receives, c)
		}
	}
}

func (e *end) next() (rnicsim.Completion, error) {
	var one [1]rnicsim.Completion
	_, err := e.conn.Wait(e.t.ctx, one[:])
	return one[0], err
}

// received waits for a message, which must have n octets of the pattern, and posts its Receive again.
func (e *end) received(n int) {
	var c rnicsim.Completion
	if len(e.receives) > 0 {
		c, e.receives = e.receives[0], e.receives[1:]
	} else {
		var err error
		c, err = e.next()
		e.t.must(err, fmt.Sprintf("await a message of %d octets", n))
	}
	e.t.check(c.WRID < sends && c.Status == rnicsim.Success && int(c.Length) == n,
		"instead of a message of %d octets: %+v; %v", n, c, e.conn.Err())
	e.verify("the message", e.receive[int(c.WRID)*e.config.ReceiveSize:][:n], 0, sendPattern)
	if err := e.conn.PostReceive(e.receiveRequest(int(c.WRID))); !errors.Is(err, net.ErrClosed) { // the kernel may have closed
		e.t.must(err, "post a Receive")
	}
}

// verify compares octets with a pattern from an offset on.
func (e *end) verify(what string, b []byte, from int, pattern func(int) byte) {
	for i := range b {
		if b[i] != pattern(from+i) {
			e.t.failf("%s of %d octets is wrong at %d", what, len(b), i)
		}
	}
}

// verifyRead compares what was read from an offset of the peer's memory, and puts the send pattern back.
func (e *end) verifyRead(n, offset int) {
	e.verify("what we have read", e.send[:n], offset, memoryPattern)
	copy(e.send, filled(n, sendPattern))
}

// verifyWritten checks that n octets of our memory were written, and none after them.
func (e *end) verifyWritten(n int) {
	e.verify("what the kernel has written", e.memory[:n], 0, sendPattern)
	e.verify("what is behind it", e.memory[n:min(len(e.memory), n+4096)], n, memoryPattern)
}

// --- the end -----------------------------------------------------------------------------------------------------------

// over waits for the end of the connection and returns why it has ended.
func (e *end) over() error {
	for {
		if _, err := e.next(); err != nil {
			if e.t.ctx.Err() != nil && errors.Is(err, e.t.ctx.Err()) {
				e.t.failf("the connection has not ended in time")
			}
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}

// finish ends a connection without errors: the Initiator closes it. siwtest must be idle then: siw completes a Send with an
// error if our FIN arrives before it has seen that TCP has the Send.
func (e *end) finish(who role, siwtest *process) {
	if who == weConnect {
		siwtest.prints("idle")
		e.t.must(e.conn.Close(), "close")
	}
	e.t.must(e.over(), "end gracefully")
}

// terminated waits for the end of the connection by a Terminate of ours, or of the kernel, which is read as siw means it.
func (e *end) terminated(ours bool, code string) { e.terminatedBy(e.over(), ours, code) }

// terminatedBy checks that the Terminate ended the connection.
func (e *end) terminatedBy(err error, ours bool, code string) {
	var got *driver.Terminated
	e.t.check(errors.As(err, &got), "instead of the Terminate %s: %v", code, err)
	want, err := rdmap.ParseCode(code)
	e.t.must(err, "parse "+code)
	t := got.Terminate
	if !ours {
		peers.LookupProfile("siw").DecodeTerminate(&t, got.Header)
	}
	e.t.check(got.Local == ours && t.Code == want, "instead of the Terminate %s: %v", code, got)
}

// private checks the Private Data of the kernel: n octets of siwtest's.
func (e *end) private(got []byte, n int) {
	want := filled(n, sendPattern)
	if n >= 16 && len(got) == n {
		copy(want[:16], got) // the advertisement
	}
	e.t.check(bytes.Equal(got, want), "Private Data of the kernel: %d octets % x, expected %d", len(got), got, n)
}
