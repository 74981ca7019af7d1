package transcript

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"github.com/iwarpkit/iwarp/internal/conversation"
)

// A Framer makes the octets of both directions of a connection. It learns from the MPA frames among them where Markers belong.
// It does not use codec/mpa, so that an error there shows. The zero value is ready for a new connection.
type Framer [2]struct {
	start   []byte // octets up to the end of the MPA frame
	begun   bool   // the MPA frame is over
	markers bool   // this side wants Markers in what it receives
	rdmac   bool   // this side is of the RDMA Consortium: Markers in either direction
	pos     int    // octets of the stream after the MPA frame
}

const (
	frameLen = 20  // of an MPA frame without Private Data
	spacing  = 512 // of Markers
)

// Raw adds octets to a stream as they are, and returns them.
func (f *Framer) Raw(from conversation.Side, octets []byte) []byte {
	h := &f[from]
	if bytes.HasPrefix(octets, []byte("MPA ID Re")) {
		h.start, h.begun = nil, false
	}
	if h.begun {
		h.pos += len(octets)
		return octets
	}
	h.start = append(h.start, octets...)
	i := bytes.Index(h.start, []byte("MPA ID Re"))
	if i < 0 || len(h.start) < i+frameLen {
		return octets
	}
	frame := h.start[i:]
	end := frameLen + int(binary.BigEndian.Uint16(frame[18:]))
	if len(frame) < end {
		return octets
	}
	h.begun, h.pos = true, len(frame)-end
	h.markers, h.rdmac = frame[16]&0x80 != 0, frame[17] == 0
	return octets
}

// Markers reports whether a side sends Markers.
func (f *Framer) Markers(from conversation.Side) bool {
	return f[1-from].markers || f[0].rdmac || f[1].rdmac
}

// Pos returns the number of octets of a stream after the MPA frame.
func (f *Framer) Pos(from conversation.Side) int { return f[from].pos }

// FPDU makes the FPDU around a ULPDU, with the right PAD.
func (f *Framer) FPDU(from conversation.Side, ulpdu []byte) []byte {
	return f.Padded(from, ulpdu, make([]byte, (4-(2+len(ulpdu))%4)%4))
}

// Padded makes the FPDU around a ULPDU, with the given octets of PAD.
func (f *Framer) Padded(from conversation.Side, ulpdu, pad []byte) []byte {
	fpdu := binary.BigEndian.AppendUint16(nil, uint16(len(ulpdu)))
	fpdu = append(append(fpdu, ulpdu...), pad...)
	if f.Markers(from) {
		fpdu = f.marked(from, fpdu)
	}
	return f.Summed(from, fpdu)
}

// Summed appends their CRC to octets of a stream.
func (f *Framer) Summed(from conversation.Side, octets []byte) []byte {
	crc := crc32.Checksum(octets, crc32.MakeTable(crc32.Castagnoli))
	return f.Raw(from, binary.LittleEndian.AppendUint32(octets, crc))
}

// marked inserts the Markers due before, between and after the octets of an FPDU without its CRC. One after the CRC belongs to
// the next FPDU.
func (f *Framer) marked(from conversation.Side, fpdu []byte) (marked []byte) {
	pos, begin := f[from].pos, f[from].pos
	for i := 0; i <= len(fpdu); i++ {
		if pos%spacing == 0 {
			pointer := uint16(pos - begin)
			if i == 0 {
				pointer, begin = 0, begin+4
			}
			marked = append(marked, 0, 0)
			marked = binary.BigEndian.AppendUint16(marked, pointer)
			pos += 4
		}
		if i < len(fpdu) {
			marked = append(marked, fpdu[i])
			pos++
		}
	}
	return marked
}
