package service_test

import (
	"errors"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// bind is the command that binds the window of c to part of a region.
func (c *tester) bind(r service.ConformRegion, offset, length uint32) service.ConformCommand {
	return service.ConformCommand{
		Code: service.DoBind, Flags: service.FlagRead | service.FlagWrite, Count: uint16(r), Offset: offset, Length: length,
		STag: c.regions[service.ConformWindow].STag,
	}
}

// Binds and invalidations that are possible, and those that are not tried.
func TestConformBinds(t *testing.T) {
	r := run(t, "conform", service.Options{})
	c := dialConform(t, r)
	window := c.regions[service.ConformWindow].STag
	c.answered(c.bind(service.ConformLocal, 4000, 97), service.ConformCannot)
	c.answered(c.bind(service.ConformRevoked, 0, 1), service.ConformCannot)
	c.answered(c.bind(service.ConformWindow, 0, 1), service.ConformCannot)
	c.answered(c.bind(service.ConformElsewhere+1, 0, 1), service.ConformCannot)
	none := c.bind(service.ConformLocal, 0, 1)
	none.STag = 0xff
	c.answered(none, service.ConformCannot)
	c.answered(c.bind(service.ConformReadonly, 16, 8), service.ConformDone)
	at := c.regions[service.ConformReadonly].TO + 16
	c.post(rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: c.sgl(testerScratch, 8)[0], Remote: window, RemoteTO: at})
	c.wait(rnicsim.OpRead, 1)
	if got := c.memory[testerScratch:][:8]; string(got) != string(pattern(24)[16:]) {
		t.Errorf("the window shows % x", got)
	}
	c.answered(service.ConformCommand{Code: service.DoInvalidate, STag: window}, service.ConformDone)
	c.answered(service.ConformCommand{Code: service.DoRevoke, Count: uint16(service.ConformWindow)}, service.ConformDone)
	c.answered(c.bind(service.ConformReadonly, 16, 8), service.ConformCannot)
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

// With a Shared Receive Queue nothing differs but what the service says of itself.
func TestConformShares(t *testing.T) {
	r := run(t, "conform", service.Options{SRQ: true})
	for range 3 {
		c := dialConform(t, r)
		for range 100 {
			c.send([]byte("\x01\x00\x00\x00 and back"))
			if got := string(c.receive()); got != "\x01\x00\x00\x00 and back" {
				t.Errorf("%q came back", got)
			}
		}
		if left := c.answered(service.ConformCommand{Code: service.DoHold}, service.ConformDone); left != 32 {
			t.Errorf("%d Receives are left", left)
		}
		if err := c.finish(r); err != nil {
			t.Error(err)
		}
	}
	if _, err := service.New(open(t), "echo", service.Options{SRQ: true}); !errors.Is(err, service.ErrNoSRQ) {
		t.Errorf("echo: %v", err)
	}
}

// The key of a Window is even: its STag plus one is the same Window with another key.
func TestConformWindowKeys(t *testing.T) {
	r := run(t, "conform", service.Options{})
	for range 16 {
		c := dialConform(t, r)
		for _, w := range []service.ConformRegion{service.ConformWindow, service.ConformElsewhere} {
			if s := c.regions[w].STag; s.Key()%2 != 0 {
				t.Errorf("%v is 0x%08x", w, uint32(s))
			}
		}
		if err := c.finish(r); err != nil {
			t.Fatal(err)
		}
	}
}
