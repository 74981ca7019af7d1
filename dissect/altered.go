package dissect

// Octets that come twice and differ. TCP sends again what it has sent: whatever differs was altered in between, or by its sender. Both
// packets have right TCP checksums, which tell the sum of their payloads; those do not have to be kept.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// maxFirsts is how many packets of a direction are remembered.
const maxFirsts = 32

// firsts are the latest packets with payload of a direction.
type firsts struct {
	seqs   [maxFirsts]uint32 // their sequence numbers
	latest [maxFirsts]first
	next   uint // of both, which are rings
}

// A first is what is remembered of a packet.
type first struct {
	frame uint64
	len   int32
	sum   uint16
	whole bool // it consists of whole FPDUs with good CRCs, and nobody has looked at its checksum
}

// compare remembers a packet, or finds out whether it has other octets than one before. whole is as in a first.
func (h *half) compare(s *tcpip.Segment, rec *pcaps.Record, whole bool) {
	if l := &h.firsts; !h.tracking.sends || int32(s.Seq-h.tracking.next) >= 0 {
		i := l.next % maxFirsts
		l.seqs[i], l.latest[i] = s.Seq, first{rec.Frame, int32(s.Len()), s.PayloadSum(), whole}
		l.next++
	} else if at := l.differs(h, s); at > 0 && h.Wire.Altered == (flow.Altered{}) {
		h.Wire.Altered = flow.Altered{First: at, Again: flow.At(rec.Frame, rec.Time)}
	}
}

// differs returns the frame of a packet with the same octets of the stream as s, if it has others; 0 if there is none.
func (l *firsts) differs(h *half, s *tcpip.Segment) (frame uint64) {
	for i, seq := range &l.seqs {
		p := &l.latest[i]
		if seq != s.Seq || int(p.len) != s.Len() || p.frame == 0 || p.sum == s.PayloadSum() || !s.IsRight() {
			continue
		}
		if p.whole && (h.ReadTerms().Markers.Setting == framing.On || areFPDUs(s.Payload)) {
			return 0 // its header was damaged
		}
		return p.frame
	}
	return 0
}

// areFPDUs reports whether octets are whole FPDUs without Markers, with good CRCs.
func areFPDUs(b []byte) bool {
	for len(b) > 0 {
		n := len(b)
		if n >= 2 {
			n = mpa.FPDULen(int(binary.BigEndian.Uint16(b)))
		}
		if n < mpa.FPDULen(0) || n > len(b) || mpa.CRC(b[:n-4]) != binary.LittleEndian.Uint32(b[n-4:]) {
			return false
		}
		b = b[n:]
	}
	return true
}
