package rfc5041

// What a sink verifies of tagged segments: STag, bounds, wrap.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

// The last TOs that there are.
const (
	lastTO   = "0xffffffffffffffff"
	secondTO = "0xfffffffffffffffe" // from the end
)

var taggedErrors = func() []conform.Case {
	return []conform.Case{
		{Name: "stag-of-another-pd",
			Requirements: []string{"DDP-7.1-7", "DDP-7.1-13", "DDP-7.2-1", "DDP-4.2-5", "V-019", "V-286"},
			Says:         "A Write to a buffer that is not associated with the stream is refused.",
			Ask: greeted(`
				> Segment Write STag=$foreign TO=$foreign_to "to another Protection Domain"
				< refuses write-association`)},
		{Name: "stag-unknown", Requirements: []string{"DDP-7.1-8", "DDP-7.1-13", "DDP-7.2-1", "DDP-4.2-5", "V-161", "V-286"},
			Says: "A Write to an STag that there is not is refused.",
			Ask: conform.Each(greeting+`
				> Segment Write STag=%s TO=$data_to "to nowhere"
				< refuses write-stag`, "0x00000001", "0xffffffff", "0x7fffff00")},
		{Name: "stag-zero", Requirements: []string{"DDP-7.1-8", "V-155"},
			Says: "A Write to STag 0 is refused.",
			Ask: greeted(`
				> Segment Write STag=0 TO=0 "to STag 0"
				< refuses write-stag`, `
				> Segment Write STag=0 TO=$data_to "to STag 0"
				< refuses write-stag`)},
		{Name: "stag-bits", Requirements: []string{"DDP-7.1-8", "DDP-4.2-5", "V-150", "V-183"},
			Says: "All 32 bits of an STag count: a Write with another key or index is refused.",
			Ask:  otherBits},
		{Name: "stag-revoked", Requirements: []string{"DDP-7.1-8", "DDP-4.2-5", "V-205", "V-209", "V-286"},
			Says: "A Write to a buffer that is not registered any more is refused.",
			Ask: greeted(`
				> Segment Write STag=$revoked TO=$revoked_to "too late"
				< refuses write-stag`)},
		{Name: "stag-without-right", Requirements: []string{"DDP-7.1-8", "V-188", "V-199"},
			Says: "A Write to a buffer that may not be written remotely is refused.",
			Ask: greeted(`
				> Segment Write STag=$readonly TO=$readonly_to "a"
				< refuses write-access`, `
				> Segment Write STag=$local TO=$local_to "a"
				< refuses write-access`)},
		{Name: "to-outside", Requirements: []string{"DDP-7.1-9", "DDP-7.1-13", "DDP-7.2-1", "V-286", "V-294"},
			Says: "A Write whose TO is not within the buffer is refused.",
			Ask: conform.Each(greeting+`
				> Segment Write STag=$data TO=%s "a"
				< refuses write-bounds`, "$data_to+65536", "$data_to+65537", "$data_to+131072", "$data_to+0x8000000000000000",
				parts.Before("data", 1), parts.Before("data", 65536))},
		{Name: "to-end-outside", Requirements: []string{"DDP-7.1-10", "DDP-7.1-13", "DDP-7.2-1", "V-286", "V-294"},
			Says: "A Write that ends beyond its buffer is refused.",
			Ask: greeted(`
				> Segment Write STag=$data TO=$data_to+65535 "ab"
				< refuses write-bounds`, `
				> Segment Write STag=$data TO=$data_to+1 00*50000
				> [bad] Segment Write STag=$data TO=$data_to+50001 00*15536
				< refuses write-bounds to [bad]`, `
				> Segment Write STag=$writeonly TO=$writeonly_to 00*4097
				< refuses write-bounds`)},
		{Name: "to-begin-outside", Requirements: []string{"DDP-7.1-9", "V-294"},
			Says: "A Write that begins before its buffer is refused, even if it ends within.",
			Ask: conform.Each(greeting+`
				> Segment Write STag=$data TO=%s "abcd"
				< refuses write-bounds`, parts.Before("data", 1), parts.Before("data", 3), parts.Before("data", 4))},
		{Name: "later-segment-outside", Requirements: []string{"DDP-7.1-10", "DDP-7.1-13"},
			Says: "Each segment of a Write is verified, not only the first one.",
			Ask: greeted(`
				> Segment Write L=0 STag=$data TO=$data_to+65532 "abcd"
				> [bad] Segment Write "e"
				< refuses write-bounds to [bad]`, `
				> Segment Write L=0 STag=$data TO=$data_to+65530 "abcd"
				> [bad] Segment Write L=0 "efg"
				< refuses write-bounds to [bad]`)},
		{Name: "to-wraps", Requirements: []string{"DDP-7.1-11", "DDP-7.1-13", "DDP-7.2-1", "V-213", "V-286"},
			Says: "A Write whose TO and length exceed 64 bits is refused.",
			Ask: conform.Each(greeting+`
				> Segment Write STag=$data %s
				< refuses write-wrap`, "TO="+lastTO+` "ab"`, "TO="+secondTO+` "abcdef"`, "TO=0xfffffffffffff000 00*4097")},
		{Name: "to-ends-at-2-64", Requirements: []string{"DDP-7.1-11"},
			Says: "A Write up to the very last TO is refused: the sum of its TO and length wraps to 0.",
			Ask: conform.Each(greeting+`
				> Segment Write STag=$data TO=%s
				< refuses write-wrap`, lastTO+` "a"`, secondTO+` "ab"`)},
		{Name: "stag-before-bounds", Requirements: []string{"DDP-7.1-7", "DDP-7.1-8"},
			Says: "A Write outside the bounds of a buffer that it may not write at all is refused for its STag.",
			Ask: greeted(`
				> Segment Write STag=$revoked TO=$revoked_to+4096 "a"
				< refuses write-stag`, `
				> [odd] Segment Write STag=$foreign TO=$foreign_to+4096 "a"`+
				either("write-association", "Refusal write-bounds to [odd]"))},
	}
}

// otherBits returns Writes to STags to which each of the 32 bits was added: those of the key, then those of the index.
func otherBits(s *conform.Setup) (scripts []string) {
	v := s.Peer.Version()
	for bit := range 32 {
		scripts = append(scripts, greeting+fmt.Sprintf(`
			> Segment %02x%02x $data+%d:be32 $data_to:be64 "a"
			< refuses write-stag`, 0xc0|v, v<<6, uint64(1)<<bit))
	}
	return scripts
}
