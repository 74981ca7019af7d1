package fault

// How Faults alter what is sent.

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// A Wire takes octets.
type Wire interface {
	Send(b []byte) error         // sends all
	Pause(d time.Duration) error // waits; it fails if the connection is over
	Finish()                     // sends a FIN
}

// A Parcel is a message, or an MPA frame, that is to be sent.
type Parcel struct {
	ULPDUs [][]byte // segments of one message, which Faults alter; nil for an MPA frame
	Octets []byte   // an MPA frame, or other octets outside of FPDUs

	Reset  bool // a Fault resets the connection after the octets
	FIN    bool // a Fault has sent a FIN
	Silent bool // a Fault lets nothing follow, and has not sent the Parcel

	changes []quirk.Rewrite
	blur    []Action
	wrong   []bool // by ULPDU: the CRC of its FPDU is wrong
	wait    time.Duration
	before  int // octets of garbage before it
	copies  int
	part    bool // only the first half of the first FPDU
	rate    int  // octets per second; 0 for all at once
	piece   int  // octets of a TCP segment; 0 for as many as fit
}

// Add makes a Fault part of a Parcel.
func (p *Parcel) Add(f *Fault) {
	switch f.Action {
	case Drop:
		p.copies = -1
	case WrongCRC:
		p.SpoilCRC(0)
	case FlipHeader, FlipPayload, Corrupt:
		p.blur = append(p.blur, f.Action)
	case Set:
		p.changes = append(p.changes, f.Change)
	case Shorten:
		p.shorten(f.Octets)
	case Duplicate:
		p.copies = min(p.copies*2+1, maxCopies)
	case Delay:
		p.wait += f.Time
	case Truncate:
		p.part = true
	case Reset:
		p.part, p.Reset = true, true
	case FIN:
		p.part, p.FIN = true, true
	case Garbage:
		p.before += max(0, f.Octets)
	case Silence:
		p.copies, p.Silent = -1, true
	case Slow:
		p.rate = max(0, f.Octets)
	case Split:
		p.piece = max(0, f.Octets)
	}
}

// SpoilCRC makes the CRC wrong of the FPDU of one ULPDU.
func (p *Parcel) SpoilCRC(ulpdu int) {
	p.wrong = append(p.wrong, make([]bool, max(0, ulpdu+1-len(p.wrong)))...)
	p.wrong[ulpdu] = true
}

// maxCopies limits how many times more a Parcel is sent.
const maxCopies = 1023

// shorten leaves so many octets of payload. The last segment that is left has the L bit of the message's last one.
func (p *Parcel) shorten(octets int) {
	for i, ulpdu := range p.ULPDUs {
		header := min(headersLen(ulpdu), len(ulpdu))
		if octets -= len(ulpdu) - header; octets > 0 {
			continue
		}
		last := p.ULPDUs[len(p.ULPDUs)-1]
		p.ULPDUs = p.ULPDUs[:i+1]
		p.ULPDUs[i] = ulpdu[:max(header, len(ulpdu)+octets)]
		const l = 0x40
		ulpdu[0] |= last[0] & l
		return
	}
}

// headersLen returns the length of the headers of a ULPDU, of RDMAP too.
func headersLen(ulpdu []byte) int {
	var h rdmap.Header
	n, err := h.Decode(ulpdu)
	if err != nil {
		return len(ulpdu)
	}
	return n
}

// Deliver sends a Parcel, in the stream of a Framer. Its Options are those of the stream.
func (p *Parcel) Deliver(w Wire, framer *mpa.Framer) error {
	if err := w.Pause(p.wait); err != nil {
		return err
	}
	if err := p.garbage(w); err != nil {
		return err
	}
	for range p.copies + 1 {
		if err := p.sendAll(w, framer); err != nil {
			return err
		}
	}
	if p.FIN {
		w.Finish()
	}
	return nil
}

// sendAll sends the octets of a Parcel once.
func (p *Parcel) sendAll(w Wire, framer *mpa.Framer) error {
	if p.ULPDUs == nil {
		return p.send(w, p.Frame())
	}
	for i := range p.ULPDUs {
		if err := p.send(w, p.pack(framer, i)); err != nil || p.Reset || p.FIN {
			return err
		}
	}
	return nil
}

// beat is the interval at which slow octets are sent.
const beat = 20 * time.Millisecond

// send sends octets in pieces, as fast as the Faults permit.
func (p *Parcel) send(w Wire, b []byte) error {
	piece := len(b)
	if p.piece > 0 {
		piece = p.piece
	}
	if p.rate > 0 {
		piece = min(piece, max(1, int(int64(p.rate)*int64(beat)/int64(time.Second))))
	}
	for len(b) > 0 {
		n := min(piece, len(b))
		if err := w.Send(b[:n]); err != nil {
			return err
		}
		b = b[n:]
		if p.rate > 0 {
			if err := w.Pause(time.Duration(n) * time.Second / time.Duration(p.rate)); err != nil {
				return err
			}
		}
	}
	return nil
}

// garbageLen is the number of random octets generated at a time.
const garbageLen = 4096

// garbage sends random octets, the same each time.
func (p *Parcel) garbage(w Wire) error {
	random := rand.NewChaCha8([32]byte{})
	for left := p.before; left > 0; left -= garbageLen {
		b := make([]byte, min(left, garbageLen))
		random.Read(b)
		if err := p.send(w, b); err != nil {
			return err
		}
	}
	return nil
}

// Frame returns the octets of an MPA frame, as Deliver sends them.
func (p *Parcel) Frame() []byte {
	b := slices.Clone(p.Octets)
	var f mpa.Frame
	if _, err := f.Decode(b); err == nil && len(p.changes) > 0 {
		set := p.set()
		set.Frame(b, &f)
	}
	return p.damage(b, lengthLen, mpa.FrameLen)
}

func (p *Parcel) set() quirk.Set { return quirk.NewSet([]quirk.Quirk{{Rewrite: p.changes}}) }

// pack returns the FPDU of a ULPDU. It places Markers correctly after Parcels that were dropped or sent twice. Faults but a wrong CRC
// damage only the first FPDU of a Parcel.
func (p *Parcel) pack(framer *mpa.Framer, i int) []byte {
	ulpdu, at := p.ULPDUs[i], framer.Pos()
	wrong := i < len(p.wrong) && p.wrong[i]
	if len(ulpdu) == 0 {
		return spoiled(framer.AppendAs(nil, 0, make([]byte, mpa.Pad(0))), wrong)
	}
	var h rdmap.Header
	h.Decode(ulpdu)
	op, set := h.Control.Opcode, p.set()
	parts := set.ULPDU(op, [][]byte{ulpdu})
	header := headerLen(ulpdu)
	if i == 0 && slices.Contains(p.blur, Corrupt) {
		parts = [][]byte{slices.Concat(parts...)}
		parts[0][min(headersLen(ulpdu), len(ulpdu)-1)] ^= 0x10
	}
	b, _ := framer.Append(nil, parts...)
	set.FPDU(op, b, framer.Options, at)
	b = spoiled(b, wrong)
	if i > 0 {
		return b
	}
	return p.damage(b, withMarkers(lengthLen, framer, at), withMarkers(lengthLen+header, framer, at))
}

// spoiled returns an FPDU, with another CRC if it is wrong.
func spoiled(fpdu []byte, wrong bool) []byte {
	if wrong {
		fpdu[len(fpdu)-1] ^= 0x55
	}
	return fpdu
}

// lengthLen is the length of the ULPDU_Length before a ULPDU.
const lengthLen = 2

// withMarkers returns where an octet of an FPDU stands that begins at a place of the stream, if i is its place without Markers.
func withMarkers(i int, framer *mpa.Framer, at uint64) int {
	if !framer.Markers {
		return i
	}
	for next := int(-at % mpa.MarkerSpacing); next <= i; next += mpa.MarkerSpacing {
		i += mpa.MarkerLen
	}
	return i
}

// damage flips bits of an FPDU or MPA frame whose headers and payload begin at two places, or leaves only its first half.
func (p *Parcel) damage(b []byte, header, payload int) []byte {
	for _, a := range p.blur {
		switch a {
		case FlipHeader:
			b[header] ^= 0x10
		case FlipPayload:
			b[min(payload, len(b)-1)] ^= 0x10
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
	if ddp.IsTagged(ulpdu) {
		n = ddp.TaggedLen
	}
	return min(n, len(ulpdu)-1)
}
