package service_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A tester is a client of conform.
type tester struct {
	*caller
	regions [service.ConformRegions]service.Advertisement
}

const (
	testerReceives = 128   // of 64 octets each
	testerCommands = 10000 // in the memory: what is sent
	testerMemory   = 20000 // likewise: for the service to write and read
	testerScratch  = 40000 // likewise: for RDMA of the tester
)

// dialConform connects to a service.
func dialConform(t testing.TB, r *running) *tester {
	t.Helper()
	c := dial(t, r, testerReceives)
	return newTester(t, c, c.Reply())
}

// newTester decodes the Private Data of the service.
func newTester(t testing.TB, c *caller, f mpa.Frame) *tester {
	t.Helper()
	var o service.ConformOffer
	if _, err := o.Decode(f.ULPPrivateData()); err != nil {
		t.Fatal(err)
	}
	return &tester{caller: c, regions: o.Regions}
}

// send sends a message, and waits until it was sent.
func (c *tester) send(message []byte) {
	c.t.Helper()
	c.sendAs(rnicsim.OpSend, 0, message)
}

// sendAs is send, with one of the other Sends.
func (c *tester) sendAs(op rnicsim.Op, invalidate rnicsim.STag, message []byte) {
	c.t.Helper()
	c.post(c.message(op, invalidate, message))
	c.wait(op, 1)
}

// message returns the Work Request that sends a message.
func (c *tester) message(op rnicsim.Op, invalidate rnicsim.STag, message []byte) rnicsim.WorkRequest {
	copy(c.memory[testerCommands:], message)
	return rnicsim.WorkRequest{Op: op, STag: invalidate, SGL: c.sgl(testerCommands, len(message))}
}

// last sends a message after which the connection may end at once.
func (c *tester) last(message []byte) {
	c.t.Helper()
	c.post(c.message(rnicsim.OpSend, 0, message))
}

// ask sends a command.
func (c *tester) ask(command service.ConformCommand) {
	c.t.Helper()
	b, err := command.AppendBinary(nil)
	if err != nil {
		c.t.Fatal(err)
	}
	c.send(b)
}

// receive waits for a message.
func (c *tester) receive() []byte {
	c.t.Helper()
	d := c.wait(rnicsim.OpReceive, 1)[0]
	return c.memory[64*d.WRID:][:d.Length]
}

// answered sends a command that asks for an answer, and waits for that, which must have the given status.
func (c *tester) answered(command service.ConformCommand, status service.ConformStatus) uint64 {
	c.t.Helper()
	command.Flags |= service.FlagAnswer
	c.ask(command)
	var a service.ConformAnswer
	if b := c.receive(); len(b) != service.ConformAnswerLen {
		c.t.Fatalf("%v is answered by % x", command.Code, b)
	} else if a.Decode(b); a.Code != command.Code || a.Status != status {
		c.t.Fatalf("%+v: %+v, want status %v", command, a, status)
	}
	return a.Value
}

// report asks for a report.
func (c *tester) report() (r service.ConformReport) {
	c.t.Helper()
	c.ask(service.ConformCommand{Code: service.DoReport})
	if _, err := r.Decode(c.receive()); err != nil {
		c.t.Fatal(err)
	}
	return r
}

// read reads octets of a region by RDMA.
func (c *tester) read(r service.ConformRegion, offset, n int) []byte {
	c.t.Helper()
	a := c.regions[r]
	c.post(rnicsim.WorkRequest{
		Op: rnicsim.OpRead, Local: c.sgl(testerScratch, n)[0], Remote: a.STag, RemoteTO: a.TO + uint64(offset),
	})
	c.wait(rnicsim.OpRead, 1)
	return bytes.Clone(c.memory[testerScratch:][:n])
}

// fill writes octets to a region by RDMA.
func (c *tester) fill(r service.ConformRegion, offset int, b []byte) {
	c.t.Helper()
	copy(c.memory[testerScratch:], b)
	a := c.regions[r]
	c.post(rnicsim.WorkRequest{
		Op: rnicsim.OpWrite, SGL: c.sgl(testerScratch, len(b)), Remote: a.STag, RemoteTO: a.TO + uint64(offset),
	})
	c.wait(rnicsim.OpWrite, 1)
}

// there returns a command about the tester's memory.
func (c *tester) there(code service.ConformCode, count uint16, length, offset uint32) service.ConformCommand {
	return service.ConformCommand{
		Code: code, Count: count, Length: length, Offset: offset, STag: c.sge.STag, TO: c.sge.TO + testerMemory,
	}
}

// terminated waits for the end, which must be a Terminate of the service.
func (c *tester) terminated() rdmap.Terminate {
	c.t.Helper()
	<-c.Done()
	var end *driver.Terminated
	if err := c.Err(); !errors.As(err, &end) || end.Local {
		c.t.Fatalf("ended by %v", err)
	}
	return end.Terminate
}

// rest returns the messages that come until the connection is over.
func (c *tester) rest() (messages []string) {
	done := c.done
	var some [16]rnicsim.Completion
	for {
		n, err := c.Wait(c.t.Context(), some[:])
		if err != nil {
			break
		}
		done = append(done, some[:n]...)
	}
	for _, d := range done {
		if d.Op == rnicsim.OpReceive && d.Status == rnicsim.Success {
			messages = append(messages, string(c.memory[64*d.WRID:][:d.Length]))
		}
	}
	return messages
}
