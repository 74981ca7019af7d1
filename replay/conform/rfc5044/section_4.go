package rfc5044

// Section 4: FPDUs, Markers and CRCs.

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
	"slices"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

var section41 = about("4.1", "FPDU format", func() []conform.Case {
	return []conform.Case{
		{Name: "pad-not-zero", Requirements: []string{"MPA-4.1-4"},
			Says: "The octets of PAD are ignored, as long as the CRC covers them.",
			Ask: conform.Text(`
				> FPDU PAD=ffffff Send {echo 61}
				< Send {echo 61}
				> FPDU PAD=0102 Send {echo 6162}
				< Send {echo 6162}
				> FPDU PAD=80 Send {echo 616263}
				< Send {echo 616263}`)},
		{Name: "peers-layout", Requirements: []string{"MPA-4.1-1", "MPA-4.1-2", "MPA-4.1-3", "MPA-4.1-5", "MPA-4.4-9"},
			Says: "The peer's FPDUs are padded with 0 to 3 zeros to a multiple of four octets.",
			Ask:  conform.Text(echoes(0, 3, 2, 1, 4, 7, 6, 5))},
		{Name: "pad-left-out", Requirements: []string{"MPA-4.1-5", "MPA-8-2"},
			Says: "If PAD is missing, the next FPDU is misaligned, and its CRC is wrong.",
			Ask:  badlyFramed("PAD= Send {echo 61}", "PAD= Send {echo 6162}", "PAD= Send {echo 616263}")},
		{Name: "pad-too-short", Requirements: []string{"MPA-4.1-5", "MPA-8-2"},
			Says: "If PAD is an octet too short, the next FPDU is misaligned, and its CRC is wrong.",
			Ask:  badlyFramed("PAD=0000 Send {echo 61}", "PAD=00 Send {echo 6162}")},
		{Name: "pad-too-long", Requirements: []string{"MPA-4.1-5", "MPA-8-2"},
			Says: "PAD has at most three octets: with one too many, or four, the CRC is misplaced.",
			Ask: badlyFramed("PAD=00 Send {echo}", "PAD=00000000 Send {echo}", "PAD=00000000 Send {echo 61}",
				"PAD=00000000000000 Send {echo 61}")},
		{Name: "length-too-small", Requirements: []string{"MPA-4.1-1", "MPA-4.1-2", "MPA-8-2"},
			Says: "A ULPDU_Length that is too small makes the CRC wrong.",
			Ask: badlyFramed("ULPDU_Length=1 Send {echo 61*8}", "ULPDU_Length=17 Send {echo 61*8}",
				"ULPDU_Length=18 Send {echo 61*8}", "ULPDU_Length=26 Send {echo 61*8}")},
		{Name: "length-too-large", Requirements: []string{"MPA-4.1-1", "MPA-4.1-2", "MPA-8-2"},
			Says: "A ULPDU_Length that includes PAD, the CRC or itself makes the CRC wrong.",
			Ask: badlyFramed("ULPDU_Length=31 Send {echo 61*8}", "ULPDU_Length=32 Send {echo 61*8}",
				"ULPDU_Length=34 Send {echo 61*8}", "ULPDU_Length=36 Send {echo 61*8}")},
		{Name: "length-swapped", Requirements: []string{"MPA-4.1-1", "MPA-8-2"},
			Says: "ULPDU_Length has its most significant octet first: reversed, it makes the CRC wrong.",
			Ask:  badlyFramed("ULPDU_Length=0x0106 Send {echo 61*1515}")},
	}
})

// badlyFramed sends on each connection an FPDU with a wrong length, then a correct one, so that the peer does not wait
// for more. The peer must find the wrong CRC.
func badlyFramed(fpdus ...string) func(*conform.Setup) []string {
	return conform.Each(parts.Greeting+`
		> FPDU %s
		> Send {quiet 00*64}
		< refuses fpdu-crc`, fpdus...)
}

var section42 = about("4.2", "Marker format", func() []conform.Case {
	return conform.Alike(conform.Case{If: withMarkers, For: "a peer that requests Markers"}, []conform.Case{
		{Name: "reserved-set", Requirements: []string{"MPA-4.2-3"},
			Says: "RESERVED of a Marker is ignored, as long as the CRC covers it.",
			Ask:  conform.Text(marked("reserved"))},
		{Name: "low-bits-set", Requirements: []string{"MPA-4.2-5"},
			Says: "The two lowest bits of FPDUPTR are ignored, as long as the CRC covers them.",
			Ask:  conform.Text(marked("low"))},
	})
})

// marked sends FPDUs with Markers of some kind before, in and after them.
func marked(kind string) string {
	return `
		> FPDU Markers=` + kind + ` Send {echo 61*500}
		< Send {echo 61*500}
		> FPDU Markers=` + kind + ` Send {echo 62*2000}
		< Send {echo 62*2000}`
}

var section43 = about("4.3", "MPA Markers", func() []conform.Case {
	return []conform.Case{
		{Name: "taken-on", Requirements: []string{"MPA-4.3-1", "MPA-7.1.1-5"},
			Says: "A Request that asks for Markers is accepted: senders must be able to insert them.",
			Role: conform.AsInitiator, Bare: true, Begin: conform.Begin{Rev: 1, Markers: true},
			Ask: conform.Text(`
				> request
				< OneOf
				or reply
				may known otherwise fpdu-marker "has no Markers" MPAReply M=? C=? R Rev=1 ?*
				may known otherwise fpdu-marker "has no Markers" FIN
				may known otherwise fpdu-marker "has no Markers" Reset
				> FIN`)},
		{Name: "every-512-octets", Requirements: []string{"MPA-4.3-2", "MPA-4.3-3", "MPA-4.3-7", "MPA-4.3-8", "V-063"},
			Says:  "The peer's Markers are 512 octets apart, from its first FPDU on, and point to the start of their FPDU.",
			Begin: conform.Begin{Markers: true}, Need: conform.Markers,
			Ask: conform.Text(echoes(0, 2000, 1, 508, 8188, 4096, 2))},
		{Name: "at-every-place", Requirements: []string{"MPA-4.3-2", "MPA-4.3-3", "MPA-4.3-5", "MPA-4.4-11", "MPA-4.4-12"},
			Says:  "That holds wherever a Marker is due: in headers, payload, before PAD or CRC, and between two FPDUs.",
			Begin: conform.Begin{Markers: true}, Need: conform.Markers, Ask: conform.Text(echoes(everyPlace()...))},
		{Name: "many-small", Requirements: []string{"MPA-4.3-9"},
			Says:  "With many FPDUs between two Markers, a Marker points to the FPDU that it is in.",
			Begin: conform.Begin{Markers: true}, Need: conform.Markers,
			Ask: conform.Text(echoes(slices.Repeat([]int{20}, 48)...))},
		{Name: "between", Requirements: []string{"MPA-4.3-5", "MPA-4.3-6", "MPA-4.4-12"},
			Says:  "A Marker between two FPDUs has an FPDUPTR of zero, and the CRC of the second one covers it.",
			Begin: conform.Begin{Markers: true}, Need: conform.Markers, Role: conform.AsInitiator,
			Ask: conform.Text(echoes(480, 978))},
		{Name: "before-the-crc", Requirements: []string{"MPA-4.3-8", "MPA-4.4-11"},
			Says:  "A Marker between PAD and CRC is covered by that CRC.",
			Begin: conform.Begin{Markers: true}, Need: conform.Markers, Role: conform.AsInitiator,
			Ask: conform.Text(echoes(484, 8))},
		{Name: "several-in-one", Requirements: []string{"MPA-4.3-3", "MPA-4.3-8"},
			Says:  "All Markers in one FPDU point to its ULPDU_Length, whatever Markers lie between.",
			Begin: conform.Begin{Markers: true}, Need: conform.Markers,
			Ask: conform.Text(`
				> Send {write! 65536 0 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 00*65536
				< Send {done write}`)},
		{Name: "taken-out", Requirements: []string{"MPA-3-7", "MPA-4.3-11", "MPA-4.4-11", "MPA-4.4-12", "MPA-7.1.1-6"},
			Says: "A peer that requests Markers removes them wherever they are.",
			If:   withMarkers, For: "a peer that requests Markers",
			Ask: conform.Texts(
				echoes(everyPlace()...), echoes(480, 978), echoes(484, 8), echoes(476, 20), echoes(1420, 78))},
		{Name: "as-in-the-document", Requirements: []string{"MPA-4.3-6", "MPA-4.4-10", "MPA-4.4-11", "MPA-4.4-12"},
			Says: "The two example FPDUs of the document, with a Marker before and in them, are accepted.",
			Role: conform.AsInitiator,
			If:   func(s *conform.Setup) bool { return withMarkers(s) && byRFC5044(s) },
			For:  "a peer that requests Markers, by RFC 5044",
			Ask:  conform.Texts(printed5, printed6)},
	}
})

// everyPlace returns lengths of echoes that together have a Marker at each of the 128 places in an FPDU.
func everyPlace() (lengths []int) {
	for i := range 128 {
		lengths = append(lengths, 4*i+i%4)
	}
	return lengths
}

// The FPDUs of figures 5 and 6 in section 4.4: Sends of 24 zeros. The second one begins 492 octets after the beginning
// of the stream, so that its Marker follows the DDP header.
const (
	printed5 = `
		> Octets 00000000 002a 4143 00*8 00000001 00*28 52239983
		> Segment Send MSN=2 {echo}
		< Send {echo}`
	printed6 = `
		> Send {quiet 00*458}
		> Octets 002a 4143 00*8 00000002 00000000 00000014 00*24 84925898
		> Segment Send MSN=3 {echo}
		< Send {echo}`
)

var section44 = about("4.4", "CRC calculation", func() []conform.Case {
	return []conform.Case{
		{Name: "default", Requirements: []string{"MPA-4.4-1", "MPA-4.4-2", "MPA-4.4-3"},
			Says: "By default the peer asks for CRCs, even if the other end does not.",
			Role: conform.AsInitiator, Bare: true, If: byRFC5044, For: "a peer that follows RFC 5044",
			Ask: conform.Text(`
				> MPARequest Rev=1
				< OneOf
				or MPAReply M=? C Rev=1 ?*
				may "it does without CRCs, which an administrator may have told it to" MPAReply M=? Rev=1 ?*
				> FIN`)},
		{Name: "default-of-the-request", Requirements: []string{"MPA-4.4-1", "MPA-4.4-2", "MPA-4.4-3"},
			Says: "By default an Initiator asks for CRCs.",
			Role: conform.AsResponder, Bare: true, Begin: conform.Begin{Rev: 1},
			Ask: conform.Text(`
				< OneOf
				or MPARequest M=? C S=? Rev=? ?*
				may "it does without CRCs, which an administrator may have told it to" MPARequest M=? S=? Rev=? ?*
				> FIN`)},
		{Name: "asked-for-by-one-side", Requirements: []string{"MPA-4.4-6", "MPA-7.1.1-9", "MPA-4.4-13", "MPA-8-2"},
			Says: "CRCs that we ask for are checked, whatever the peer prefers.",
			Ask:  conform.Text(parts.Refused("", "fpdu-crc", `FPDU CRC=bad Send {quiet}`))},
		{Name: "asked-for-by-the-peer", Requirements: []string{"MPA-4.4-6", "MPA-7.1.1-9", "MPA-4.4-13", "MPA-8-2"},
			Says:  "CRCs that only the peer asks for are checked, and present in its own FPDUs.",
			Begin: conform.Begin{NoCRC: true}, If: wantsCRC,
			Ask: conform.Text(`
				> echoes "with a CRC"
				> FPDU CRC=bad Send {quiet}
				< refuses fpdu-crc`)},
		{Name: "not-asked-for", Requirements: []string{"MPA-4.1-6", "MPA-4.4-7", "MPA-7.1.1-8", "MPA-7.1.1-10"},
			Says:  "If neither side asks for CRCs, they are present but not checked, from the first FPDU on.",
			Begin: conform.Begin{NoCRC: true}, If: wantsNoCRC, For: "a peer that does not ask for CRCs",
			Ask: conform.Text(`
				> FPDU CRC=0x00000000 Send {echo "zero"}
				< Send {echo "zero"}
				> FPDU CRC=0xffffffff Send {echo "all ones"}
				< Send {echo "all ones"}
				> FPDU CRC=bad Send {echo "all bits wrong"}
				< Send {echo "all bits wrong"}
				> Segment Write STag=$data TO=$data_to 61*600
				> FPDU CRC=0x12345678 Write STag=$data TO=$data_to 62*600
				> echoes "after a Write"`)},
		{Name: "to-the-end", Requirements: []string{"MPA-4.4-6"},
			Says: "CRCs are checked until the connection ends, not only in the first FPDUs.",
			Ask: conform.Text(echoes(upTo(40)...) + `
				> FPDU CRC=bad Send {quiet}
				< refuses fpdu-crc`)},
		{Name: "each-bit-of-it", Requirements: []string{"MPA-4.4-10", "MPA-4.4-13", "MPA-8-2"},
			Says: "A CRC with one wrong bit, whichever it is, is detected.",
			Role: conform.AsInitiator,
			Ask:  func(s *conform.Setup) []string { return corrupted(s, crcBits) }},
		{Name: "each-octet-before-it", Requirements: []string{"MPA-4.4-11", "MPA-4.4-12", "MPA-4.4-13", "MPA-6-1", "MPA-8-2"},
			Says: "An FPDU with one wrong bit, in whichever octet, is detected by its CRC.",
			Role: conform.AsInitiator,
			Ask:  func(s *conform.Setup) []string { return corrupted(s, eachOctet) }},
		{Name: "of-another-kind", Requirements: []string{"MPA-4.4-10", "MPA-4.4-13", "MPA-8-2"},
			Says: "The CRC is CRC32c with its least significant octet first: other checksums are refused.",
			Role: conform.AsInitiator,
			Ask:  func(s *conform.Setup) []string { return corrupted(s, otherKinds) }},
		{Name: "in-a-write", Requirements: []string{"MPA-4.4-13", "MPA-6-1", "MPA-8-2"},
			Says: "A wrong CRC is detected in an FPDU of a Write, too, and in any FPDU of a long one.",
			Ask: conform.Texts(`
				> FPDU CRC=bad Write STag=$data TO=$data_to 61*600
				< refuses fpdu-crc`, `
				> Segment Write L=0 STag=$data TO=$data_to 61*600
				> FPDU CRC=bad Write STag=$data TO=$data_to+600 61*600
				< refuses fpdu-crc`)},
		{Name: "in-a-read", Requirements: []string{"MPA-4.4-13", "MPA-6-1", "MPA-8-2"},
			Says: "A Read Request with a wrong CRC is not answered.",
			Ask: conform.Text(parts.Refused("", "fpdu-crc",
				`FPDU CRC=bad ReadRequest SinkSTag=0x1000 SinkTO=0 RDMARDSZ=8 SrcSTag=$data SrcTO=$data_to`))},
		{Name: "in-the-middle", Requirements: []string{"MPA-4.4-13", "MPA-6-1", "MPA-8-2"},
			Says: "A wrong CRC is detected in the second segment of a message, after a correct first one.",
			Ask: conform.Text(`
				> Segment Send L=0 01000000 61*100
				> FPDU CRC=bad Send 62*100
				< refuses fpdu-crc`)},
	}
})

// wantsCRC reports whether the peer asks for CRCs even if we do not; wantsNoCRC whether neither side does then.
func wantsCRC(s *conform.Setup) bool { return !wantsNoCRC(s) }

func wantsNoCRC(s *conform.Setup) bool {
	if s.Side == scenario.Server {
		return !s.Peer.Frame.C
	}
	return s.Peer.Unchecked
}

// corrupted sends on each connection an FPDU that asks for an echo and is corrupted. It is not the first one, at whose
// header some kernels crash.
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

// eachOctet returns the FPDU with one bit wrong, in each octet in turn, except for ULPDU_Length, which would change its
// length.
func eachOctet(fpdu []byte) (wrong [][]byte) {
	for i := 2; i < len(fpdu)-crcLen; i++ {
		wrong = append(wrong, flipped(fpdu, i, i%8))
	}
	return wrong
}

// otherKinds returns the FPDU with other checksums in place of the CRC32c.
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
