package service

// The regions of the service conform. Each connection registers its own.

import "github.com/iwarpkit/iwarp/rnicsim"

// The sizes of the regions in octets.
const (
	conformData  = 64 << 10
	conformOther = 4096
)

// conformPattern is the period of the pattern: octet i is i mod 251.
const conformPattern = 251

// A conformRegion is one of the regions.
type conformRegion struct {
	Advertisement
	octets     []byte
	deregister func(rnicsim.STag) error // nil if it is not registered
}

func (f *conform) register(c *session) error {
	const both = remoteRights | rnicsim.BindWindows
	for _, r := range []struct {
		region   ConformRegion
		size     int
		pattern  bool
		register func(c *session, octets []byte) (conformRegion, error)
	}{
		{ConformData, conformData, false, registerShared},
		{ConformReadonly, conformOther, true, registered(localRights | rnicsim.RemoteRead | rnicsim.BindWindows)},
		{ConformWriteonly, conformOther, false, registered(localRights | rnicsim.RemoteWrite | rnicsim.BindWindows)},
		{ConformLocal, conformOther, false, registered(localRights | rnicsim.BindWindows)},
		{ConformForeign, conformOther, false, registerForeign},
		{ConformRevoked, conformOther, false, registered(both)},
		{ConformVolatile, conformOther, true, registered(both)},
	} {
		octets := make([]byte, r.size)
		for i := range octets {
			if r.pattern {
				octets[i] = byte(i % conformPattern)
			}
		}
		region, err := r.register(c, octets)
		if err != nil {
			return err
		}
		f.regions[r.region] = region
	}
	if err := f.openWindows(c); err != nil {
		return err
	}
	return f.revoke(ConformRevoked)
}

// registered returns a function that registers octets for the connection, with rights.
func registered(rights rnicsim.Rights) func(*session, []byte) (conformRegion, error) {
	return func(c *session, octets []byte) (conformRegion, error) {
		stag, to, err := c.conn.Register(octets, rights)
		return newConformRegion(stag, to, octets, c.conn.Deregister), err
	}
}

// registerForeign registers octets in the Protection Domain of the Device, which is not that of the connection.
func registerForeign(c *session, octets []byte) (conformRegion, error) {
	d := c.server.device
	stag, to, err := d.Register(octets, remoteRights|rnicsim.BindWindows)
	if err == nil {
		c.atEnd(func() { d.Deregister(stag) })
	}
	return newConformRegion(stag, to, octets, d.Deregister), err
}

// registerShared registers octets as a Shared Memory Region, since that cannot be invalidated (Verbs, section 7.8). It
// shares them with a region that is not advertised.
func registerShared(c *session, octets []byte) (conformRegion, error) {
	d := c.server.device
	of, to, err := c.conn.Register(octets, localRights)
	if err != nil {
		return conformRegion{}, err
	}
	var stag rnicsim.STag
	g := rnicsim.Registration{VA: to, Key: of.Key(), RemoteAccess: true, Rights: remoteRights | rnicsim.BindWindows}
	err = d.Do(func(r *rnicsim.RNIC) (err error) {
		stag, err = r.RegisterSharedMR(of, c.pd, g)
		return err
	})
	if err == nil {
		c.atEnd(func() { d.Deregister(stag) })
	}
	return newConformRegion(stag, to, octets, d.Deregister), err
}

func newConformRegion(stag rnicsim.STag, to uint64, octets []byte, deregister func(rnicsim.STag) error) conformRegion {
	return conformRegion{
		Advertisement: Advertisement{TO: to, STag: stag, Length: uint32(len(octets))}, octets: octets, deregister: deregister,
	}
}

// revoke deregisters a region. It fails with rnicsim.ErrInvalidSTag if the region is not registered.
func (f *conform) revoke(i ConformRegion) error {
	if i >= ConformRegions || f.regions[i].deregister == nil {
		return rnicsim.ErrInvalidSTag
	}
	r := &f.regions[i]
	deregister := r.deregister
	r.deregister = nil
	return deregister(r.STag)
}

// offer returns the contents of the Private Data.
func (f *conform) offer(o *Options, extended bool) ConformOffer {
	features := ConformInvalidates | ConformSolicited | ConformTerminates | ConformLocals | ConformFences
	if o.SRQ {
		features |= ConformShares
	}
	if extended {
		features |= ConformAtomics | ConformImmediate
	}
	offer := ConformOffer{
		Features: features,
		Receives: uint32(o.Receives), ReceiveSize: uint32(o.ReceiveSize),
	}
	for i := range f.regions {
		offer.Regions[i] = f.regions[i].Advertisement
	}
	return offer
}
