package dissect_test

// Legal connections of all kinds. Their FPDUs are laid out here as RFC 5044 says, sections 4.2 to 4.4, by no code that is
// tested.

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/internal/conversation"
)

// A sender lays out the FPDUs of one side.
type sender struct {
	markers, crc bool
	size         func() int // of an FPDU on the wire, without a Marker that may come to lie within
	payload      func([]byte)
	tagged       bool
	stag, msn    uint32
	to           uint64
	octets       []byte
	fpdus        int
}

// fpdu appends an FPDU of a Send or an RDMA Write.
func (s *sender) fpdu() {
	header := make([]byte, 18, 1500)
	if s.tagged {
		header = header[:14]
		header[0], header[1] = 0xc1, 0x40
		binary.BigEndian.PutUint32(header[2:], s.stag)
		binary.BigEndian.PutUint64(header[6:], s.to)
	} else {
		s.msn++
		header[0], header[1] = 0x41, 0x43
		binary.BigEndian.PutUint32(header[10:], s.msn)
	}
	n := max(0, s.size()-2-len(header)-4)
	ulpdu := append(header, make([]byte, n)...)
	s.payload(ulpdu[len(header):])
	s.to += uint64(n)
	unpadded := append(binary.BigEndian.AppendUint16(nil, uint16(len(ulpdu))), ulpdu...)
	s.lay(append(unpadded, make([]byte, -len(unpadded)&3)...))
}

// lay appends an FPDU whose octets before the CRC are given, with Markers at each 512 octets of the stream. All that they
// stand between is a multiple of 4 octets.
func (s *sender) lay(fpdu []byte) {
	from, ulpduLength := len(s.octets), len(s.octets)
	mark := func() {
		if at := len(s.octets); s.markers && at%512 == 0 {
			s.octets = binary.BigEndian.AppendUint32(s.octets, uint32(at-ulpduLength))
			if at == from {
				ulpduLength += 4
			}
		}
	}
	for ; len(fpdu) > 0; fpdu = fpdu[4:] {
		mark()
		s.octets = append(s.octets, fpdu[:4]...)
	}
	mark()
	var crc uint32
	if s.crc {
		crc = crc32.Checksum(s.octets[from:], crc32.MakeTable(crc32.Castagnoli))
	}
	s.octets = binary.LittleEndian.AppendUint32(s.octets, crc)
	s.fpdus++
}

// payloads are ways to fill payload.
var payloads = []func(r *rand.Rand) func([]byte){
	func(*rand.Rand) func([]byte) { return func([]byte) {} },
	func(r *rand.Rand) func([]byte) {
		return func(b []byte) {
			for i := range b {
				b[i] = byte(r.Uint32())
			}
		}
	},
	func(r *rand.Rand) func([]byte) { // numbers that would be right in a Marker nearby
		shift := 16 + 4*r.IntN(3) // the length of a header, perhaps with a Marker
		return func(b []byte) {
			for i := 0; i+4 <= len(b); i += 4 {
				binary.BigEndian.PutUint32(b[i:], uint32(i+shift))
			}
		}
	},
	func(r *rand.Rand) func([]byte) { // what looks like FPDUs
		return func(b []byte) {
			for i := 0; i+24 <= len(b); i += 24 {
				copy(b[i:], []byte{0, 18, 0x41, 0x43})
			}
		}
	},
}

// newSender draws how one side sends.
func newSender(r *rand.Rand, crc bool, mss int) *sender {
	s := &sender{markers: r.IntN(2) == 0, crc: crc, tagged: r.IntN(3) == 0, to: uint64(r.Uint32()), stag: r.Uint32()}
	if r.IntN(4) == 0 {
		s.stag = uint32(4 * r.IntN(128))
	}
	small, exact := 24+r.IntN(60), []int{508, 512, 504, 1016, 1024, 128, 256}[r.IntN(7)]
	s.size = []func() int{
		func() int { return small },
		func() int { return 24 + r.IntN(100) },
		func() int { return exact },
		func() int { return mss - 4*r.IntN(4) },
		func() int { return 24 + r.IntN(1400) },
	}[r.IntN(5)]
	s.payload = payloads[r.IntN(len(payloads))](r)
	return s
}

// A legal is a connection on which both sides send legal FPDUs.
type legal struct {
	*talk
	name   string
	stated string     // how it is framed, as the user would say
	sides  [2]*sender // by conversation.Side
	r      *rand.Rand
}

// newLegal draws a connection of at least 70 FPDUs in either direction.
func newLegal(seed uint64) *legal {
	r := rand.New(rand.NewPCG(seed, 16))
	crc, aligned, mss := r.IntN(3) > 0, r.IntN(2) == 0, []int{536, 1448, 1460, 9000}[r.IntN(4)]
	k := &legal{talk: &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}, r: r}
	k.MSS = mss
	for i := range k.sides {
		k.sides[i] = newSender(r, crc, min(mss, 1500))
	}
	k.Connect()
	k.Send(client, encode(&mpa.Frame{Rev: 1, C: crc, M: k.sides[server].markers}))
	k.Send(server, encode(&mpa.Frame{Rev: 1, C: crc, M: k.sides[client].markers, Reply: true}))
	for range 7 + r.IntN(6) {
		for side, s := range k.sides {
			from := len(s.octets)
			for range 10 {
				if s.fpdu(); aligned {
					k.Send(conversation.Side(side), s.octets[from:])
					from = len(s.octets)
				}
			}
			k.Send(conversation.Side(side), s.octets[from:])
		}
	}
	k.Ack(client).Ack(server)
	stated := framing.MPA{CRC: framing.SettingOf(crc)}
	for i, s := range k.sides {
		stated.Markers[i] = framing.SettingOf(s.markers)
	}
	k.stated = stated.String()
	k.name = fmt.Sprintf("seed %d, %s, aligned %v, MSS %d", seed, k.stated, aligned, mss)
	return k
}
