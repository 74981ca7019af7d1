package driver

// Injecting Faults. That is slow: a goroutine that may wait parses and rebuilds FPDUs, one at a time.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
)

// An injector applies Faults to the output of one connection.
type injector struct {
	faults    []fault.Hazard
	initiator bool
	framing   mpa.Options // of this side
	begun     bool        // the MPA frame was sent
	framer    mpa.Framer
	in        mpa.Deframer
	silent    bool // nothing more is sent
	fin       bool // because a Fault sent a FIN
}

func newInjector(faults []fault.Fault) *injector {
	i := &injector{}
	for _, f := range faults {
		i.faults = append(i.faults, fault.NewHazard(f))
	}
	return i
}

// write sends the output of the Stream: an MPA frame, an FPDU, or nothing before a FIN. It fails with ErrInjected if a Fault resets the
// connection.
func (i *injector) write(w *wire, b []byte) (int, error) {
	if i.silent || len(b) == 0 {
		return len(b), nil
	}
	p, message := i.unpack(b)
	for k := range i.faults {
		if h := &i.faults[k]; h.Strikes(message) {
			p.Add(&h.Fault)
		}
	}
	if err := p.Deliver(w, &i.framer); err != nil {
		return 0, err
	}
	i.silent, i.fin = i.silent || p.Silent || p.FIN, p.FIN
	if p.Reset {
		return 0, ErrInjected
	}
	return len(b), nil
}

// unpack returns the parcel of octets to be sent, and which message it is.
func (i *injector) unpack(b []byte) (p fault.Parcel, m fault.Message) {
	if !i.begun { // an MPA frame is pulled as a whole, and first
		i.begun = true
		p.Octets = b
		if i.initiator {
			return p, fault.MPARequest
		}
		return p, fault.MPAReply
	}
	if i.framer.Pos() == 0 {
		i.framer.Reset(i.framing)
		i.in.Reset(mpa.Options{Markers: i.framer.Markers})
	}
	var f mpa.Deframed
	i.in.Push(b)
	i.in.Next(&f)
	p.ULPDUs = [][]byte{slices.Clone(f.ULPDU)}
	var h rdmap.Header
	h.Decode(f.ULPDU)
	return p, fault.OfOpcode(h.Control.Opcode)
}
