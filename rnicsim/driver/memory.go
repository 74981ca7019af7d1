package driver

// Registered memory.

import (
	"cmp"
	"net"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/internal/crowd"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// Regions lie at least regionGap octets apart, so that an access beyond one does not hit the next, and in places that a peer cannot guess,
// not even if it knows others (RFC 5042, section 6.1.1).
const (
	regionGap = 1 << 20
	pageLen   = 4096
	firstTO   = 1 << 36
	mostSpare = 1 << 32 // octets more between two regions
)

// place returns the TO of the next region, and the key of its STag.
func (d *Device) place(octets int) (to uint64, key uint8) {
	if d.nextTO == 0 {
		d.nextTO = firstTO + d.random.Uint64N(1<<61)/pageLen*pageLen
	}
	to = d.nextTO
	d.nextTO += (uint64(octets) + regionGap + d.random.Uint64N(mostSpare) + pageLen - 1) / pageLen * pageLen
	return to, uint8(d.random.Uint32())
}

// Register registers octets in the Protection Domain of the Device, and returns the STag and the TO of the first one.
// The rights hold until Deregister. It fails like RNIC.RegisterOctets.
func (d *Device) Register(octets []byte, rights rnicsim.Rights) (rnicsim.STag, uint64, error) {
	defer d.lock()()
	return d.register(d.pd, octets, rights)
}

// register registers octets. The lock is held.
func (d *Device) register(pd *rnicsim.PD, octets []byte, rights rnicsim.Rights) (rnicsim.STag, uint64, error) {
	if d.closed {
		return 0, 0, net.ErrClosed
	}
	to, key := d.place(len(octets))
	s, err := d.rnic.RegisterOctets(pd, octets, to, rights, key)
	return s, to, err
}

// Deregister ends the registration. It fails like RNIC.Deallocate.
func (d *Device) Deregister(s rnicsim.STag) error {
	defer d.lock()()
	return d.rnic.Deallocate(s)
}

// Register registers octets like Device.Register, in the Protection Domain of the QP. They are deregistered when the
// connection is over.
func (c *Conn) Register(octets []byte, rights rnicsim.Rights) (rnicsim.STag, uint64, error) {
	defer c.d.lock()()
	if c.over {
		return 0, 0, net.ErrClosed
	}
	s, to, err := c.d.register(c.config.QP.PD, octets, rights)
	if err == nil {
		c.regions = append(c.regions, s)
		c.registered += len(octets)
	}
	return s, to, err
}

// AllocateWindow allocates a Memory Window in the Protection Domain of the QP, which a Bind makes Valid. It is deallocated
// when the connection is over. It fails like RNIC.AllocateMW, or with net.ErrClosed.
func (c *Conn) AllocateWindow() (rnicsim.STag, error) {
	defer c.d.lock()()
	if c.over {
		return 0, net.ErrClosed
	}
	s, err := c.d.rnic.AllocateMW(c.config.QP.PD)
	if err == nil {
		c.windows = append(c.windows, s)
	}
	return s, err
}

// Relieve resets the connection whose memory is most dispensable: the inbound one that has registered most octets,
// among equals the one without progress for longest. It spares a connection that has just begun and has carried nothing yet.
// It returns false if there is none to reset.
func (d *Device) Relieve() bool {
	d.mu.Lock()
	var victim *Conn
	now := d.now()
	for c := range d.conns {
		begins := c.stream.Framed() == 0 && now-c.active < crowd.Lull
		if !c.initiator && !c.over && !begins && c.registered > 0 && (victim == nil || c.sparedBefore(victim)) {
			victim = c
		}
	}
	if victim == nil {
		d.mu.Unlock()
		return false
	}
	victim.cut(ErrHeld)
	victim.pump(false)
	return true
}

// sparedBefore reports whether the memory of c is less useful than that of another connection.
func (c *Conn) sparedBefore(other *Conn) bool {
	if c.registered != other.registered {
		return c.registered > other.registered
	}
	since := func(c *Conn) time.Duration { return sooner(c.stuck(), c.active) }
	return cmp.Or(cmp.Compare(since(c), since(other)), cmp.Compare(c.serial, other.serial)) < 0
}

// Deregister ends the registration. It fails like RNIC.Deallocate.
func (c *Conn) Deregister(s rnicsim.STag) error {
	defer c.d.lock()()
	if c.over {
		return net.ErrClosed
	}
	err := c.d.rnic.Deallocate(s)
	if err == nil {
		gone := func(r rnicsim.STag) bool { return r.Index() == s.Index() }
		c.windows, c.regions = slices.DeleteFunc(c.windows, gone), slices.DeleteFunc(c.regions, gone)
	}
	return err
}
