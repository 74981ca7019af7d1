package rfc5041

// Security: what a peer can reach, and for how long.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section81 = about("8.1", "validation before placement", func() []conform.Case {
	return []conform.Case{
		{Name: "octet-exact", Requirements: []string{"DDP-8.1-1", "DDP-8.3.1-4", "V-294"},
			Says: "Bounds are exact to the octet: the outermost octets can be written, their neighbours outside cannot.",
			Ask: conform.Texts(`
				> Write STag=$writeonly TO=$writeonly_to "f"
				> Write STag=$writeonly TO=$writeonly_to+4095 "l"
				> echoes "within"
				> [bad] Segment Write STag=$writeonly TO=$writeonly_to+4096 "o"
				< refuses write-bounds to [bad]`, `
				> Write STag=$writeonly TO=$writeonly_to "f"
				> echoes "within"
				> [bad] Segment Write STag=$writeonly TO=`+parts.Before("writeonly", 1)+` "o"
				< refuses write-bounds to [bad]`)},
		{Name: "stag-before-placement", Requirements: []string{"DDP-8.1-1", "DDP-8.3-2"},
			Says: "An invalid STag is not written to, whatever the TO.",
			Ask: conform.Each(parts.Refused(greeting, "write-stag", "%s"),
				`Segment Write STag=$revoked TO=$data_to "a"`, `Segment Write STag=$data+255 TO=0 "a"`)},
	}
})

var section82 = about("8.2", "association of STag and stream", func() []conform.Case {
	return []conform.Case{
		{Name: "another-pd", Requirements: []string{"DDP-8.2-1", "DDP-8.3.1-2", "DDP-8.3-2", "V-019"},
			Says: "No octet of a segment is placed in a buffer of another Protection Domain, wherever in the buffer.",
			Ask: conform.Each(parts.Refused(greeting, "write-association",
				`Segment Write STag=$foreign TO=$foreign_to+%d "a"`), 0, 1, 2048, 4095)},
		{Name: "another-pd-later", Requirements: []string{"DDP-8.2-1", "DDP-8.3.1-2"},
			Says: "A stream that has written its own buffer may still not write one of another Protection Domain.",
			Ask: greeted(`
				> Write STag=$data TO=$data_to "a"
				> [bad] Segment Write STag=$foreign TO=$foreign_to "a"
				< refuses write-association to [bad]`)},
	}
})

var section83 = about("8.3", "validity of STags", func() []conform.Case {
	return []conform.Case{
		{Name: "duration", Requirements: []string{"DDP-8.3-2", "DDP-8.3.1-6", "V-205", "V-209"},
			Says: "An STag is valid until the upper layer revokes it.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "while it is valid"
				> Send {send 0 1 17 0 0}
				< Send "while it is valid"
				> revokes 0
				> [bad] Segment Write STag=$data TO=$data_to "behind that"
				< refuses write-stag to [bad]`)},
		{Name: "others-stay-valid", Requirements: []string{"DDP-8.3-2"},
			Says: "Revoking one STag does not affect others.",
			Ask: conform.Text(`
				> revokes 2
				> Write STag=$data TO=$data_to "still there"
				> Send {send 0 1 11 0 0}
				< Send "still there"
				> [bad] Segment Write STag=$writeonly TO=$writeonly_to "not any more"
				< refuses write-stag to [bad]`)},
	}
})

var section831 = about("8.3.1", "guarantees of an RNIC", func() []conform.Case {
	return []conform.Case{
		{Name: "whole-protocol", Requirements: []string{"DDP-8.3.1-1", "V-068"},
			Says: "Tagged and untagged messages are received and sent on one stream, in any mixture.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "0123456789"
				> Send {write 5 0 0x1000 0x20000}
				> Send {send 0 1 5 5 0}
				< Write STag=0x1000 TO=0x20000 "01234"
				< Send "56789"
				> [read] ReadRequest SinkSTag=0x3000 SinkTO=0x1 RDMARDSZ=3 SrcSTag=$data SrcTO=$data_to+4
				< ReadResponse to [read] "456"
				> Send {read! 4 2 0x4000 0x7}
				< [asked] ReadRequest RDMARDSZ=4 SrcSTag=0x4000 SrcTO=0x7
				> ReadResponse to [asked] "read"
				< Send {done read}
				> Send {send 0 1 10 0 0}
				< Send "01read6789"`)},
		{Name: "outside-range", Requirements: []string{"DDP-8.3.1-4", "V-294"},
			Says: "A peer cannot write outside a buffer, nor have its own answers written there.",
			Ask: conform.Each(parts.Refused(greeting, "write-bounds", "%s"),
				`Segment Write STag=$volatile TO=$volatile_to+4096 "a"`, `Segment Write STag=$data TO=$volatile_to "a"`)},
		{Name: "revoked-within-message", Requirements: []string{"DDP-8.3.1-6", "V-211"},
			Says: "A revoked buffer cannot be changed by the rest of a message that began in another one.",
			Ask: conform.Text(`
				> revokes 0
				> Segment Write L=0 STag=$writeonly TO=$writeonly_to "here"
				> [bad] Segment Write STag=$data TO=$data_to "there"
				< OneOf
				or Refusal write-stag to [bad]
				or Refusal write-continuation to [bad]
				> FIN
				< OneOf
				or FIN
				or Reset`)},
	}
})
