package driver

// Injecting Faults. That is slow: a goroutine that may wait parses and rebuilds FPDUs, one at a time.

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// An injector applies Faults to the output of one connection.
type injector struct {
	faults    []hazard
	initiator bool
	framing   mpa.Options // of this side
	begun     bool        // the MPA frame was sent
	framer    mpa.Framer
	in        mpa.Deframer
	silent    bool // nothing more is sent
	fin       bool // because a Fault sent a FIN
	layout    []field.Part
}

// A hazard is the state of a Fault on one connection.
type hazard struct {
	Fault
	seen   int // FPDUs seen that it may apply to
	random *rand.Rand
}

func newInjector(faults []Fault) *injector {
	i := &injector{}
	for _, f := range faults {
		f.Octets = max(0, f.Octets)
		i.faults = append(i.faults, hazard{Fault: f, random: rand.New(rand.NewPCG(f.Seed, 0))})
	}
	return i
}

// strikes reports whether the Fault applies to the next message, and counts it.
func (h *hazard) strikes(m Message) bool {
	if !h.Message.includes(m) {
		return false
	}
	h.seen++
	switch {
	case h.Share > 0:
		return h.random.Float64() < h.Share
	case h.N == 0:
		return true
	}
	return h.seen == h.N || h.Later && h.seen > h.N
}

// A parcel is an FPDU or MPA frame to be sent.
type parcel struct {
	ulpdu  []byte // nil for an MPA frame
	octets []byte // of an MPA frame
	blur   []Action
	wait   time.Duration
	before int // octets of garbage before it
	copies int
	part   bool // only the first half
	reset  bool
	fin    bool
	mute   bool
	rate   int // octets per second; 0 for all at once
	piece  int // octets of a TCP segment; 0 for as many as fit
}

// write sends the output of the Stream: an MPA frame, an FPDU, or nothing before a FIN.
func (i *injector) write(w *wire, b []byte) (int, error) {
	if i.silent || len(b) == 0 {
		return len(b), nil
	}
	p, message := i.unpack(b)
	for k := range i.faults {
		if h := &i.faults[k]; h.strikes(message) {
			i.prepare(&p, h)
		}
	}
	err := i.deliver(w, &p)
	if err != nil {
		return 0, err
	}
	return len(b), nil
}

// unpack returns the parcel of octets to be sent, and which message it is.
func (i *injector) unpack(b []byte) (p parcel, m Message) {
	p = parcel{copies: 1}
	if !i.begun { // an MPA frame is pulled as a whole, and first
		i.begun = true
		p.octets = b
		if i.initiator {
			return p, MPARequest
		}
		return p, MPAReply
	}
	if i.framer.Pos() == 0 {
		i.framer.Reset(i.framing)
		i.in.Reset(mpa.Options{Markers: i.framer.Markers})
	}
	var f mpa.Deframed
	i.in.Push(b)
	i.in.Next(&f)
	p.ulpdu = slices.Clone(f.ULPDU)
	var h rdmap.Header
	h.Decode(p.ulpdu)
	return p, OfOpcode(h.Control.Opcode)
}

// prepare makes a Fault part of a parcel.
func (i *injector) prepare(p *parcel, h *hazard) {
	switch h.Action {
	case Drop:
		p.copies = 0
	case WrongCRC, FlipHeader, FlipPayload:
		p.blur = append(p.blur, h.Action)
	case Set:
		i.set(p.ulpdu, h.Field, h.Value)
	case Duplicate:
		p.copies *= 2
	case Delay:
		p.wait += h.Time
	case Truncate:
		p.part = true
	case Reset:
		p.part, p.reset = true, true
	case FIN:
		p.part, p.fin = true, true
	case Garbage:
		p.before += h.Octets
	case Silence:
		p.copies, p.mute = 0, true
	case Slow:
		p.rate = h.Octets
	case Split:
		p.piece = h.Octets
	}
}

// set sets a field in the headers of a ULPDU.
func (i *injector) set(ulpdu []byte, name string, value uint64) {
	i.layout = rdmap.AppendLayout(i.layout[:0], ulpdu, len(ulpdu))
	for k := range i.layout {
		part := &i.layout[k]
		if f := part.Table.Lookup(name); f != nil && !part.Carried {
			f.Set(part.Octets, value)
		}
	}
}

// knownField reports whether Set can set a field.
func knownField(name string) bool {
	for _, tables := range [][]*field.Table{ddp.Tables, rdmap.Tables} {
		for _, t := range tables {
			if t.Lookup(name) != nil {
				return true
			}
		}
	}
	return false
}

// deliver sends a parcel. It fails with ErrInjected if a Fault resets the connection.
func (i *injector) deliver(w *wire, p *parcel) error {
	if err := w.pause(p.wait); err != nil {
		return err
	}
	if p.before > 0 {
		if err := garbage(w, p); err != nil {
			return err
		}
	}
	for range p.copies {
		if err := w.sendSlowly(i.pack(p), p.rate, p.piece); err != nil {
			return err
		}
	}
	i.silent, i.fin = i.silent || p.mute || p.fin, p.fin
	switch {
	case p.reset:
		return ErrInjected
	case p.fin:
		w.finish()
	}
	return nil
}

// garbageLen is the number of random octets generated at a time.
const garbageLen = 4096

// garbage sends random octets, the same each time.
func garbage(w *wire, p *parcel) error {
	random := rand.NewChaCha8([32]byte{})
	for left := p.before; left > 0; left -= garbageLen {
		b := make([]byte, min(left, garbageLen))
		random.Read(b)
		if err := w.sendSlowly(b, p.rate, p.piece); err != nil {
			return err
		}
	}
	return nil
}

// pack returns the octets of a parcel. It places Markers correctly after parcels that were dropped or sent twice.
func (i *injector) pack(p *parcel) []byte {
	b, header := p.octets, mpa.FrameLen
	if p.ulpdu != nil {
		b, _ = i.framer.Append(nil, p.ulpdu)
		header = 2 + headerLen(p.ulpdu)
	} else {
		b = slices.Clone(b)
	}
	for _, a := range p.blur {
		switch a {
		case WrongCRC:
			b[len(b)-1] ^= 0x55
		case FlipHeader:
			b[2] ^= 0x10
		case FlipPayload:
			b[min(header, len(b)-1)] ^= 0x10
		}
	}
	if p.part {
		b = b[:len(b)/2]
	}
	return b
}

// headerLen returns the length of the DDP header of a ULPDU, or less if there is no payload.
func headerLen(ulpdu []byte) int {
	n := ddp.UntaggedLen
	if ulpdu[0]&0x80 != 0 {
		n = ddp.TaggedLen
	}
	return min(n, len(ulpdu)-1)
}
