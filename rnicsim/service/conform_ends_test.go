package service_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

func TestConformEnds(t *testing.T) {
	r := run(t, "conform", service.Options{})
	c := dialConform(t, r)
	c.ask(c.there(service.DoWrite, 100, 64, 0))
	c.send([]byte("\x01\x00\x00\x00last"))
	c.last([]byte{0x20, 0, 0, 0})
	if got := c.rest(); !slices.Equal(got, []string{"\x01\x00\x00\x00last"}) {
		t.Errorf("%q came", got)
	}
	if err := errors.Join(c.Err(), <-r.ended); err != nil {
		t.Error("close:", err)
	}

	c = dialConform(t, r)
	c.last([]byte{0x21, 0, 0, 0})
	if <-c.Done(); !errors.Is(c.Err(), rnicsim.ErrReset) {
		t.Error("abort:", c.Err())
	}
	<-r.ended

	c = dialConform(t, r)
	c.last([]byte{0x22, 0, 0, 0})
	if got := c.terminated(); got.Code.String() != "0/0/00" {
		t.Error("terminate:", got.Code)
	}
	var end *driver.Terminated
	if err := <-r.ended; !errors.As(err, &end) || !end.Local {
		t.Error("terminate, at the service:", err)
	}
}

func TestConformRevokes(t *testing.T) {
	r := run(t, "conform", service.Options{})
	for i, want := range []service.ConformStatus{0, 0, 0, 0, 0, service.ConformCannot, 0, 0, 0, service.ConformCannot} {
		c := dialConform(t, r)
		revoke := service.ConformCommand{Code: service.DoRevoke, Count: uint16(i)}
		c.answered(revoke, want)
		c.answered(revoke, service.ConformCannot) // it is gone
		if want != service.ConformDone {
			continue
		}
		a := c.regions[i]
		c.post(rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: c.sgl(0, 1), Remote: a.STag, RemoteTO: a.TO})
		if got := c.terminated(); got.Code.String() != "1/1/00" {
			t.Errorf("a Write to %v: %v", service.ConformRegion(i), got.Code)
		}
	}
	c := dialConform(t, r)
	c.answered(service.ConformCommand{Code: service.DoRevoke, Count: 0}, service.ConformDone)
	c.answered(c.there(service.DoWrite, 1, 1, 0), service.ConformCannot) // from data, which is not registered
}

func TestConformHolds(t *testing.T) {
	r := run(t, "conform", service.Options{})
	c := dialConform(t, r)
	left := c.answered(service.ConformCommand{Code: service.DoHold}, service.ConformDone)
	if left != 32 {
		t.Errorf("%d Receives are left", left)
	}
	if left = c.answered(service.ConformCommand{Code: service.DoHold}, service.ConformDone); left != 31 {
		t.Errorf("%d Receives are left then", left)
	}
	for range left {
		c.send(nil)
	}
	c.last(nil)
	if got := c.terminated(); got.Code.String() != "1/2/02" {
		t.Errorf("one too many: %v", got.Code)
	}
}

// A command that is impossible does not end the connection.
func TestConformCannot(t *testing.T) {
	r := run(t, "conform", service.Options{})
	c := dialConform(t, r)
	for _, change := range []func(*service.ConformCommand){
		func(w *service.ConformCommand) { w.Offset = 65536 - 9 },
		func(w *service.ConformCommand) { w.Offset = 1<<32 - 1 },
		func(w *service.ConformCommand) { w.Offset, w.Length = 0, 65537 },
		func(w *service.ConformCommand) { w.Length = 1<<32 - 1 },
		func(w *service.ConformCommand) { w.Count = 6554 },
		func(w *service.ConformCommand) { w.STag = 0 },
		func(w *service.ConformCommand) { w.TO = 1<<64 - 9 },
	} {
		for _, code := range []service.ConformCode{service.DoWrite, service.DoRead} {
			w := c.there(code, 1, 10, 0)
			change(&w)
			c.answered(w, service.ConformCannot)
		}
	}
	c.answered(c.there(service.DoRead, 2, 10, 65536-19), service.ConformCannot)
	c.answered(c.there(service.DoFetchAdd, 0, 0, 65536-7), service.ConformCannot)
	atomic := c.there(service.DoCmpSwap, 0, 0, 0)
	atomic.STag = 0
	c.answered(atomic, service.ConformCannot)
	c.answered(service.ConformCommand{Code: service.DoSend, Count: 3, Length: 30000}, service.ConformCannot)
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

// A peer without IRD is sent no Reads.
func TestConformWithoutReads(t *testing.T) {
	for _, o := range []service.Options{{}, {ORD: -1}} {
		r := run(t, "conform", o)
		ird := 0 // the default
		if o.ORD == 0 {
			ird = -1
		}
		qp := rnicsim.QPConfig{IRD: ird, RemoteRead: true, RemoteWrite: true}
		c := dialFrom(t, open(t), r, testerReceives, qp)
		e := newTester(t, c, c.Reply())
		e.answered(e.there(service.DoRead, 1, 1, 0), service.ConformCannot)
		e.answered(e.there(service.DoFetchAdd, 1, 0, 0), service.ConformCannot)
		e.answered(e.there(service.DoWrite, 1, 1, 0), service.ConformDone)
		if err := e.finish(r); err != nil {
			t.Error(err)
		}
	}
}

// A command that exceeds the SQ is executed in parts, and answered in order.
func TestConformOrder(t *testing.T) {
	r := run(t, "conform", service.Options{})
	c := dialConform(t, r)
	many := c.there(service.DoWrite, 1000, 8, 0)
	many.Flags = service.FlagAnswer
	for i := range 24 {
		if i%2 == 0 {
			c.ask(many)
		} else {
			c.send([]byte{1, 0, 0, byte(i)})
		}
	}
	// The answer to Writes follows the echo that was requested before they were complete.
	echoes, answers := 0, 0
	for range 24 {
		switch b := c.receive(); b[0] {
		case 1:
			if echoes++; int(b[3]) != 2*echoes-1 {
				t.Errorf("echo %d is % x", echoes, b)
			}
		case 0x10:
			answers++
		}
	}
	if echoes != 12 || answers != 12 {
		t.Errorf("%d echoes, %d answers", echoes, answers)
	}
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

// A peer that never answers RDMA Reads, and asks for more and more of them, is reset.
func TestConformBacklog(t *testing.T) {
	r := run(t, "conform", service.Options{})
	lost, err := fault.Parse("drop:ReadResponse")
	if err != nil {
		t.Fatal(err)
	}
	d, err := driver.Open(driver.Config{Faults: []fault.Fault{lost}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c := dialFrom(t, d, r, testerReceives, rnicsim.QPConfig{RemoteRead: true, RemoteWrite: true})
	e := newTester(t, c, c.Reply())
	read := e.there(service.DoRead, 128, 1, 0)
	for i := range 256 {
		// Of the 32 Receives of the service, at most 16 hold messages that it was not given, and 16 those that it handles.
		r.await(i - 15)
		e.ask(read)
		e.read(service.ConformData, 0, 1) // it is answered once the RNIC has received the message
	}
	b, _ := read.AppendBinary(nil)
	r.await(256)
	one := e.message(rnicsim.OpSend, 0, b)
	e.post(one, one) // whether the first command still waits, or is being executed, decides which of the two is too many
	if err := <-r.ended; !errors.Is(err, service.ErrConformBacklog) {
		t.Errorf("ended by %v", err)
	}
}

// Whatever a peer requests, the service continues to serve others, and keeps nothing of connections that are over.
func TestConformWithstands(t *testing.T) {
	r := run(t, "conform", service.Options{})
	random := rand.New(rand.NewPCG(1, 2))
	codes := []service.ConformCode{
		service.DoEcho, service.DoReport, service.DoWrite, service.DoRead, service.DoFetchAdd, service.DoCmpSwap, service.DoSend,
		service.DoImmediate, service.DoRevoke, service.DoHold, service.DoTerminate, service.DoAbort, service.DoClose,
	}
	for range 60 {
		c := dialConform(t, r)
		for range 12 {
			code, count := codes[random.IntN(len(codes))], uint16(random.IntN(5))
			command := c.there(code, count, uint32(random.IntN(600)), uint32(random.IntN(1<<16)))
			command.Flags = uint8(random.IntN(8))
			if random.IntN(8) == 0 {
				command.STag ^= 1 << random.IntN(32)
			}
			if random.IntN(8) == 0 {
				command.TO ^= 1 << random.IntN(64)
			}
			if random.IntN(8) == 0 {
				command.Count, command.Length = uint16(random.Uint32()), uint32(random.IntN(1<<16))
			}
			b, _ := command.AppendBinary(nil)
			if c.Post(c.message(rnicsim.OpSend, 0, b)) != nil {
				break
			}
		}
		c.Abort()
		<-c.Done()
		<-r.ended
	}
	c := dialConform(t, r)
	c.report()
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}
