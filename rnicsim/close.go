package rnicsim

import (
	"maps"
	"slices"
)

// Close gives back all that belongs to the RNIC, and resets the streams of its QPs; it can then be opened again (Verbs,
// section 9.2.1.3). It fails with ErrInvalidRNIC.
func (r *RNIC) Close() error {
	if !r.exists() {
		return ErrInvalidRNIC
	}
	for _, id := range slices.Sorted(maps.Keys(r.qps.all)) {
		r.qps.all[id].destroy()
	}
	r.closed = true
	r.pds, r.cqs, r.srqs, r.stags = objects[PD]{}, objects[CQ]{}, objects[SRQ]{}, stagTable{}
	clear(r.handlers)
	r.async = nil
	if r.host != nil {
		delete(r.host.open, r.config.Name)
	}
	return nil
}
