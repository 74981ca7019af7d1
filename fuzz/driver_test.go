package fuzz

// Package driver against the RNICs that it runs: what both ends do over a connection is what they do without one.

import (
	"bytes"
	"context"
	"io"
	"net"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// FuzzDriver lets two ends do what a script says: over a connection of package driver, and with their Streams joined by the test. Either way
// each of them sends the same octets and the same end, completes the same Work Requests in the same way, and has the same in its memory.
func FuzzDriver(f *testing.F) {
	for _, seed := range []string{
		"\x00\x00\x05\x10\x00\x01\x20\x40\x02\x00\x10\x20\x03\x00\x10\x20\x04\x00\x10\x20\x0c\x00\x00\x00",
		"\x04\x01\x10\x20\x04\x01\x20\x20\x04\x01\x30\x20\x04\x01\x40\x20\x05\x01\x00\x00\x0c\x01\x00\x00\x04\x00\x10\x20",
		"\x00\x01\x20\x40\x08\x00\x10\x20\x07\x00\x03\x01\x02\x00\x10\x20",
		"\x0a\x00\x10\x20\x04\x01\x00\x10\x09\x00\x01\x00\x02\x00\x10\x20\x00\x00\x10\x10",
	} {
		for _, options := range []byte{0, optionMarkers, optionEnhanced | optionORD, 0x70} {
			f.Add(options, []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, options byte, script []byte) {
		if len(script) > 64*4 {
			t.Skip()
		}
		joined := joinedEnds(t, options)
		joined.play(script)
		synctest.Test(t, func(t *testing.T) {
			driven := drivenEnds(t, options)
			driven.play(script)
			for i := range driven.ends {
				driven.ends[i].check(t, joined.ends[i])
			}
		})
	})
}

// A drivenPair is two ends that do what a script says.
type drivenPair struct {
	ends   [2]*drivenEnd
	settle func() // returns when no end does anything more
}

// A drivenEnd is one end, and what has become of it.
type drivenEnd struct {
	*rnicEnd
	post, receive func(rnicsim.WorkRequest) error
	close         func() // unless there is work, whose end may or may not come before that of the connection
	poll          func() []rnicsim.Completion

	sent   []byte
	ending mpa.Ending
	taken  []bool // which Work Requests were
	done   []rnicsim.Completion
}

func (p *drivenPair) play(script []byte) {
	for ; len(script) >= 4; script = script[4:] {
		s := script[:4]
		e, peer := p.ends[s[1]&1], p.ends[1-s[1]&1]
		switch s[0] % 13 {
		case 0, 1, 11:
			sge := rnicsim.SGE{STag: e.regions[areaReceive], TO: areaBase + uint64(s[2])*8, Len: uint32(s[3]) * 4}
			e.taken = append(e.taken, e.receive(rnicsim.WorkRequest{ID: uint64(len(e.taken)), SGL: []rnicsim.SGE{sge}}) == nil)
		case 12:
			e.close()
		default:
			wr := workRequest(e.rnicEnd, peer.rnicEnd, 0, []byte{s[0] % 13, s[1], s[2], s[3]})
			wr.ID = uint64(len(e.taken))
			e.taken = append(e.taken, e.post(wr) == nil)
		}
		p.settle()
		for _, e := range p.ends {
			e.done = append(e.done, e.poll()...)
		}
	}
}

// check compares an end with another to which the same has happened.
func (e *drivenEnd) check(t *testing.T, want *drivenEnd) {
	if e.regions != want.regions || e.window != want.window {
		t.Fatalf("STags %x, %x", e.regions, want.regions)
	}
	if !bytes.Equal(e.sent, want.sent) || e.ending != want.ending {
		t.Errorf("sent over a connection, %v:\n% x\notherwise, %v:\n% x", e.ending, e.sent, want.ending, want.sent)
	}
	if !slices.Equal(e.taken, want.taken) || !slices.Equal(e.done, want.done) {
		t.Errorf("over a connection %v, %+v\notherwise %v, %+v", e.taken, e.done, want.taken, want.done)
	}
	if !bytes.Equal(e.memory, want.memory) {
		t.Error("the memory differs")
	}
}

// drivenQP configures the QPs of both ends.
func drivenQP(options byte) rnicsim.QPConfig {
	return rnicsim.QPConfig{SQ: rnicDepth, RQ: rnicDepth, RemoteRead: true, RemoteWrite: true, BindWindows: true,
		SendSGEs: 4, WriteSGEs: 4, RecvSGEs: 4, ORD: 2 + int(options&optionORD/optionORD), IRD: 3}
}

// joinedEnds are two ends whose octets the test moves.
func joinedEnds(t *testing.T, options byte) *drivenPair {
	p := new(drivenPair)
	var streams [2]*rnicsim.Stream
	var qps [2]*rnicsim.QP
	for i := range p.ends {
		r := rnicsim.New(rnicConfig(byte(i+1), options))
		e := &drivenEnd{rnicEnd: &rnicEnd{t: t, rnic: r}}
		p.ends[i], streams[i] = e, r.NewStream(streamConfig(options))
		streams[i].SetEMSS(1460) // what package driver takes if it does not know better
		e.pd, _ = r.AllocatePD()
		c := drivenQP(options)
		cq, err := r.CreateCQ(c.SQ+c.RQ, 0)
		if err != nil {
			t.Fatal(err)
		}
		c.PD, c.SendCQ, c.RecvCQ = e.pd, cq, cq
		if qps[i], err = r.CreateQP(c); err != nil {
			t.Fatal(err)
		}
		e.poll = func() (done []rnicsim.Completion) {
			done = make([]rnicsim.Completion, c.SQ+c.RQ)
			n, _ := cq.Poll(done)
			return done[:n]
		}
	}
	j := &joints{ends: p.ends, streams: streams, qps: qps}
	p.settle = j.settle
	streams[1].Listen()
	streams[0].Connect(nil)
	j.settle()
	qps[1].Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: streams[1]})
	j.settle()
	for i, e := range p.ends {
		e.post = func(wr rnicsim.WorkRequest) error { return j.post(i, wr, qps[i].PostSQ) }
		e.receive = func(wr rnicsim.WorkRequest) error { return j.post(i, wr, qps[i].PostRQ) }
		e.close = func() {
			if !qps[i].Busy() {
				qps[i].Modify(rnicsim.Modification{State: rnicsim.Closing})
			}
		}
		e.register(byte(i + 1))
	}
	return p
}

// joints move octets between two ends as package driver does over a connection.
type joints struct {
	ends    [2]*drivenEnd
	streams [2]*rnicsim.Stream
	qps     [2]*rnicsim.QP
	wires   [2][]byte // that the other end has to take
}

// post posts as long as the connection is not over.
func (j *joints) post(i int, wr rnicsim.WorkRequest, to func(...rnicsim.WorkRequest) (int, error)) error {
	if j.streams[i].Phase() == rnicsim.Closed {
		return net.ErrClosed
	}
	_, err := to(wr)
	return err
}

func (j *joints) settle() {
	for moved := true; moved; {
		moved = false
		for i, e := range j.ends {
			s, peer := j.streams[i], j.streams[1-i]
			if i == 0 && s.Phase() == rnicsim.Established {
				j.qps[i].Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: s}) // fails if it was
			}
			b := s.AppendTransmit(nil, 256<<10)
			e.sent, j.wires[i] = append(e.sent, b...), append(j.wires[i], b...)
			took := peer.Input(j.wires[i])
			j.wires[i] = j.wires[i][took:]
			moved = moved || len(b) > 0 || took > 0
			if how := s.Ending(); len(b) == 0 && how != e.ending {
				e.ending, moved = how, true
				if how == mpa.EndsFIN {
					peer.InputFIN()
				} else {
					peer.InputReset()
				}
			}
		}
	}
}

// drivenEnds are two ends of a connection of package driver, in a bubble of testing/synctest.
func drivenEnds(t *testing.T, options byte) *drivenPair {
	p := &drivenPair{settle: synctest.Wait}
	var devices [2]*driver.Device
	for i := range p.ends {
		e := &drivenEnd{rnicEnd: &rnicEnd{t: t}}
		p.ends[i] = e
		d, err := driver.Open(driver.Config{RNIC: rnicConfig(byte(i+1), options), Tap: func(tr driver.Traffic) {
			if tr.Sent {
				e.sent, e.ending = append(e.sent, tr.Octets...), max(e.ending, tr.End)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		devices[i], e.pd = d, d.PD()
	}
	conns := connected(t, devices, options)
	none, cancel := context.WithCancel(t.Context())
	cancel()
	for i, e := range p.ends {
		c := conns[i]
		e.post = func(wr rnicsim.WorkRequest) error { return c.Post(wr) }
		e.receive = func(wr rnicsim.WorkRequest) error { return c.PostReceive(wr) }
		e.close = func() {
			busy := false
			devices[i].Do(func(*rnicsim.RNIC) error { busy = c.QP().Busy(); return nil })
			if !busy {
				c.Close()
			}
		}
		e.poll = func() (done []rnicsim.Completion) {
			done = make([]rnicsim.Completion, 2*rnicDepth)
			n, _ := c.Wait(none, done)
			return done[:n]
		}
		devices[i].Do(func(r *rnicsim.RNIC) error {
			e.rnic = r
			e.register(byte(i + 1))
			return nil
		})
	}
	return p
}

// connected connects two Devices.
func connected(t *testing.T, devices [2]*driver.Device, options byte) (conns [2]*driver.Conn) {
	fromServer, toClient := io.Pipe()
	fromClient, toServer := io.Pipe()
	go func() {
		r, err := devices[1].Respond(t.Context(), &pipe{fromClient, toClient}, streamConfig(options))
		if err == nil {
			conns[1], err = r.Accept(t.Context(), driver.ConnConfig{QP: drivenQP(options)})
		}
		if err != nil {
			t.Error(err)
		}
	}()
	var err error
	conns[0], err = devices[0].Initiate(t.Context(), &pipe{fromServer, toServer}, driver.ConnConfig{Stream: streamConfig(options), QP: drivenQP(options)})
	if err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	return conns
}

// A pipe is one end of a connection without buffers. Unless its writing half was closed before, closing it is a reset.
type pipe struct {
	*io.PipeReader
	*io.PipeWriter
}

func (p *pipe) CloseWrite() error { return p.PipeWriter.Close() }

func (p *pipe) Close() error {
	p.PipeWriter.CloseWithError(syscall.ECONNRESET)
	return p.PipeReader.CloseWithError(syscall.ECONNRESET)
}

func (p *pipe) SetReadDeadline(at time.Time) error {
	time.AfterFunc(time.Until(at), func() { p.PipeReader.CloseWithError(syscall.ECONNRESET) })
	return nil
}

func (p *pipe) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (p *pipe) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (p *pipe) SetDeadline(time.Time) error      { return nil }
func (p *pipe) SetWriteDeadline(time.Time) error { return nil }
