package rfc5044

// The CRC of an FPDU: when it is there and checked, and of what it is.

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

var section44 = about("4.4", "CRC calculation", func() []conform.Case {
	return []conform.Case{
		{Name: "default", Requirements: []string{"MPA-4.4-1", "MPA-4.4-2", "MPA-4.4-3"},
			Says: "Who was not told otherwise asks for CRCs, though the other end would do without.",
			Role: conform.AsInitiator, Bare: true, For: "a peer that goes by RFC 5044",
			Ask: when(byRFC5044, conform.Text(`
				> MPARequest Rev=1
				< OneOf
				or MPAReply M=? C Rev=1 ?*
				may "it does without CRCs, which an administrator may have told it to" MPAReply M=? Rev=1 ?*
				> FIN`))},
		{Name: "default-of-the-request", Requirements: []string{"MPA-4.4-1", "MPA-4.4-2", "MPA-4.4-3"},
			Says: "An Initiator that was not told otherwise asks for CRCs.",
			Role: conform.AsResponder, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: conform.Text(`
				< OneOf
				or MPARequest M=? C S=? Rev=? ?*
				may "it does without CRCs, which an administrator may have told it to" MPARequest M=? S=? Rev=? ?*
				> FIN`)},
		{Name: "asked-for-by-one-side", Requirements: []string{"MPA-4.4-6", "MPA-7.1.1-9", "MPA-4.4-13", "MPA-8-2"},
			Says: "CRCs that we ask for are checked, whatever the peer would like.",
			Ask: conform.Text(`
				> FPDU CRC=bad Send {quiet}
				< refuses fpdu-crc`)},
		{Name: "asked-for-by-the-peer", Requirements: []string{"MPA-4.4-6", "MPA-7.1.1-9", "MPA-4.4-13", "MPA-8-2"},
			Says:  "CRCs that the peer asks for are checked, and in its own FPDUs too, though we do without.",
			Begin: conform.Begin{NoCRC: true},
			Ask: when(wantsCRC, conform.Text(`
				> Send {echo "with a CRC"}
				< Send {echo "with a CRC"}
				> FPDU CRC=bad Send {quiet}
				< refuses fpdu-crc`))},
		{Name: "not-asked-for", Requirements: []string{"MPA-4.1-6", "MPA-4.4-7", "MPA-7.1.1-8", "MPA-7.1.1-10"},
			Says:  "Where neither side asks for CRCs they are there, but not looked at, from the first FPDU on.",
			Begin: conform.Begin{NoCRC: true},
			For:   "a peer that does without CRCs",
			Ask: when(wantsNoCRC, conform.Text(`
				> FPDU CRC=0x00000000 Send {echo "zero"}
				< Send {echo "zero"}
				> FPDU CRC=0xffffffff Send {echo "all ones"}
				< Send {echo "all ones"}
				> FPDU CRC=bad Send {echo "all bits wrong"}
				< Send {echo "all bits wrong"}
				> Segment Write STag=$data TO=$data_to 61*600
				> FPDU CRC=0x12345678 Write STag=$data TO=$data_to 62*600
				> Send {echo "after a Write"}
				< Send {echo "after a Write"}`))},
		{Name: "to-the-end", Requirements: []string{"MPA-4.4-6"},
			Says: "CRCs are checked until the connection ends, not only in the first FPDUs.",
			Ask: conform.Text(echoes(upTo(40)...) + `
				> FPDU CRC=bad Send {quiet}
				< refuses fpdu-crc`)},
		{Name: "each-bit-of-it", Requirements: []string{"MPA-4.4-10", "MPA-4.4-13", "MPA-8-2"},
			Says: "A CRC of which one bit is wrong is a wrong one, whichever bit that is.",
			Role: conform.AsInitiator,
			Ask:  func(s *conform.Setup) []string { return corrupted(s, crcBits) }},
		{Name: "each-octet-before-it", Requirements: []string{"MPA-4.4-11", "MPA-4.4-12", "MPA-4.4-13", "MPA-6-1", "MPA-8-2"},
			Says: "An FPDU of which one bit is wrong is found out by its CRC, whichever octet that is in.",
			Role: conform.AsInitiator,
			Ask:  func(s *conform.Setup) []string { return corrupted(s, eachOctet) }},
		{Name: "of-another-kind", Requirements: []string{"MPA-4.4-10", "MPA-4.4-13", "MPA-8-2"},
			Says: "The CRC is CRC32c with its least significant octet first: no other kind of CRC is right.",
			Role: conform.AsInitiator,
			Ask:  func(s *conform.Setup) []string { return corrupted(s, otherKinds) }},
		{Name: "in-a-write", Requirements: []string{"MPA-4.4-13", "MPA-6-1", "MPA-8-2"},
			Says: "A wrong CRC is found in an FPDU of a Write as well, and in any FPDU of a long one.",
			Ask: conform.Texts(`
				> FPDU CRC=bad Write STag=$data TO=$data_to 61*600
				< refuses fpdu-crc`, `
				> Segment Write L=0 STag=$data TO=$data_to 61*600
				> FPDU CRC=bad Write STag=$data TO=$data_to+600 61*600
				< refuses fpdu-crc`)},
		{Name: "in-a-read", Requirements: []string{"MPA-4.4-13", "MPA-6-1", "MPA-8-2"},
			Says: "A Read Request with a wrong CRC is not answered.",
			Ask: conform.Text(`
				> FPDU CRC=bad ReadRequest SinkSTag=0x1000 SinkTO=0 RDMARDSZ=8 SrcSTag=$data SrcTO=$data_to
				< refuses fpdu-crc`)},
		{Name: "in-the-middle", Requirements: []string{"MPA-4.4-13", "MPA-6-1", "MPA-8-2"},
			Says: "A wrong CRC is found in the second segment of a message, though the first one was right.",
			Ask: conform.Text(`
				> Segment Send L=0 01000000 61*100
				> FPDU CRC=bad Send 62*100
				< refuses fpdu-crc`)},
	}
})

// wantsCRC reports whether the peer asks for CRCs even if we do not; wantsNoCRC that neither side does then.
func wantsCRC(s *conform.Setup) bool { return !wantsNoCRC(s) }

func wantsNoCRC(s *conform.Setup) bool {
	if s.Side == scenario.Server {
		return !s.Peer.Frame.C
	}
	return s.Peer.Unchecked
}

// corrupted sends, on each connection, an FPDU that asks for an echo with something wrong in it. It is not the first one,
// over whose header some kernels have crashed.
func corrupted(s *conform.Setup, how func(fpdu []byte) (wrong [][]byte)) (scripts []string) {
	t := newStream(s)
	message := echo("well met")
	greeting := step(t.send(message)) + answered(message)
	for _, wrong := range how(t.send(echo("?"))) {
		scripts = append(scripts, greeting+step(wrong)+"< refuses fpdu-crc")
	}
	return scripts
}

const crcLen = 4

func flipped(fpdu []byte, octet, bit int) []byte {
	b := append([]byte{}, fpdu...)
	b[octet] ^= 1 << bit
	return b
}

func crcBits(fpdu []byte) (wrong [][]byte) {
	for i := range 8 * crcLen {
		wrong = append(wrong, flipped(fpdu, len(fpdu)-crcLen+i/8, i%8))
	}
	return wrong
}

// eachOctet returns the FPDU with one bit of each octet wrong, but for ULPDU_Length, which would make it another length.
func eachOctet(fpdu []byte) (wrong [][]byte) {
	for i := 2; i < len(fpdu)-crcLen; i++ {
		wrong = append(wrong, flipped(fpdu, i, i%8))
	}
	return wrong
}

// otherKinds returns the FPDU with what else is taken for a CRC32c.
func otherKinds(fpdu []byte) (wrong [][]byte) {
	covered := fpdu[:len(fpdu)-crcLen]
	crc := mpa.CRC(covered)
	for _, other := range []uint32{
		0, ^uint32(0), ^crc, bits.ReverseBytes32(crc), bits.Reverse32(crc), crc32.ChecksumIEEE(covered),
		mpa.CRC(covered[2:]), mpa.CRC(fpdu),
	} {
		wrong = append(wrong, binary.LittleEndian.AppendUint32(append([]byte{}, covered...), other))
	}
	return wrong
}
