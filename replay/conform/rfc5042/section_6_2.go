package rfc5042

// Tampering: buffers and the octets beside them.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section621 = about("6.2.1", "buffer overrun by Writes and Read Responses", func() []conform.Case {
	return []conform.Case{
		{Name: "within", Requirements: []string{"SEC-6.2.1-1", "V-294"},
			Says: "The first and the last octet of a buffer can be written.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "f"
				> Write STag=$data TO=$data_to+65535 "l"
				> Write STag=$writeonly TO=$writeonly_to "f"
				> Write STag=$writeonly TO=$writeonly_to+4095 "l"
				> Send {send 0 1 1 0 0}
				< Send "f"
				> Send {send 0 1 1 65535 0}
				< Send "l"`)},
		{Name: "over", Requirements: []string{"SEC-6.2.1-1", "V-286", "V-294"},
			Says: "A Write of one octet behind a buffer is refused, and so is one that ends there.",
			Ask: conform.Texts(greeting+`
				> Write STag=$data TO=$data_to+65536 "o"
				< refuses write-bounds`, greeting+`
				> Segment Write STag=$data TO=$data_to+65535 "lo"
				< refuses write-bounds`, greeting+`
				> Write STag=$writeonly TO=$writeonly_to+4096 "o"
				< refuses write-bounds`, greeting+`
				> Segment Write STag=$writeonly TO=$writeonly_to 00*4097
				< refuses write-bounds`)},
		{Name: "under", Requirements: []string{"SEC-6.2.1-1", "V-286", "V-294"},
			Says: "A Write of one octet before a buffer is refused, and so is one that begins there.",
			Ask: conform.Texts(greeting+`
				> Write STag=$data TO=`+parts.Before("data", 1)+` "u"
				< refuses write-bounds`, greeting+`
				> Segment Write STag=$data TO=`+parts.Before("data", 1)+` "uf"
				< refuses write-bounds`, greeting+`
				> Write STag=$writeonly TO=`+parts.Before("writeonly", 1)+` "u"
				< refuses write-bounds`)},
		{Name: "later-segment", Requirements: []string{"SEC-6.2.1-1", "V-294"},
			Says: "A Write that leaves its buffer by one octet in its last segment is refused.",
			Ask: conform.Text(greeting + `
				> Segment Write L=0 STag=$writeonly TO=$writeonly_to 00*4000
				> Segment Write L=0 00*96
				> [bad] Segment Write "o"
				< refuses write-bounds to [bad]`)},
		{Name: "into-the-next", Requirements: []string{"SEC-6.2.1-1"},
			Says: "The STag of one buffer does not reach another one.",
			Ask: conform.Texts(greeting+`
				> Write STag=$writeonly TO=$data_to "a"
				< refuses write-bounds`, greeting+`
				> Write STag=$data TO=$readonly_to "a"
				< refuses write-bounds`)},
		{Name: "response-over", Requirements: []string{"SEC-6.2.1-1", "V-190"},
			Says: "A Read Response that goes one octet beyond the end of the buffer that it is for is refused.",
			Ask: conform.Text(`
				> Send {read 16 65520 0x1000 0x20000}
				< [read] ReadRequest RDMARDSZ=16 SrcSTag=0x1000 SrcTO=0x20000
				> [bad] ReadResponse to [read] 00*17` + parts.Unplaced("write-bounds"))},
		{Name: "response-elsewhere", Requirements: []string{"SEC-6.2.1-1", "V-190"},
			Says: "A Read Response cannot be placed in a buffer that the peer may not write.",
			Ask: conform.Texts(elsewhere("readonly", "write-access"), elsewhere("local", "write-access"),
				elsewhere("foreign", "write-association"), elsewhere("revoked", "write-stag"))},
	}
})

var section622 = about("6.2.2", "changes behind the revocation", func() []conform.Case {
	return []conform.Case{
		{Name: "revoked", Requirements: []string{"SEC-6.2.2-2", "V-205", "V-209"},
			Says: "A buffer cannot be written any more when the upper layer has revoked it.",
			Ask: conform.Each(`
				> Write STag=$data TO=$data_to "before"
				> Send {send 0 1 6 0 0}
				< Send "before"
				> Send {revoke! 0}
				< Send {done revoke}
				> [bad] Segment Write STag=$data TO=$data_to%s
				< refuses write-stag to [bad]`, ` "behind"`, `+65535 "b"`, `+65536 "b"`)},
		{Name: "revoked-before", Requirements: []string{"SEC-6.2.2-2", "V-205", "V-209"},
			Says: "A buffer cannot be written that was revoked before the connection began.",
			Ask: conform.Text(greeting + `
				> Write STag=$revoked TO=$revoked_to "behind"
				< refuses write-stag`)},
		{Name: "invalidated", Requirements: []string{"SEC-6.2.2-2", "V-203", "V-205", "V-256"}, Need: conform.Volatile,
			Says: "A buffer cannot be written any more when its STag was invalidated.",
			Ask: conform.Text(`
				> Write STag=$volatile TO=$volatile_to "before"
				> SendInvalidate InvalidateSTag=$volatile {echo "invalid now"}
				< Send {echo "invalid now"}
				> [bad] Segment Write STag=$volatile TO=$volatile_to "behind"
				< refuses write-stag to [bad]`)},
		{Name: "invalidated-at-once",
			Requirements: []string{"SEC-6.2.2-2", "V-203", "V-205", "V-256"}, Need: conform.Volatile,
			Says: "A Write that follows at once upon the Send that invalidates its STag comes too late.",
			Ask: conform.Text(greeting + `
				> SendInvalidate InvalidateSTag=$volatile {quiet}
				> [bad] Segment Write STag=$volatile TO=$volatile_to "behind"
				< refuses write-stag to [bad]`)},
		{Name: "read-revoked", Requirements: []string{"SEC-6.2.2-2", "V-205", "V-209"},
			Says: "A buffer that was revoked cannot be read any more either.",
			Ask: conform.Text(`
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [read] 00010203
				> Send {revoke! 1}
				< Send {done revoke}
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses read-stag`)},
		{Name: "response-revoked", Requirements: []string{"SEC-6.2.2-2", "V-211"},
			Says: "A Read Response cannot be placed any more when the buffer that it is for was revoked.",
			Ask: conform.Text(`
				> Send {read 16 0 0x1000 0x20000}
				< [read] ReadRequest RDMARDSZ=16 SrcSTag=0x1000 SrcTO=0x20000
				> Send {revoke! 0}
				< Send {done revoke}
				> [bad] ReadResponse to [read] 00*16
				< refuses write-stag to [bad]`)},
		{Name: "others-valid", Requirements: []string{"SEC-6.2.2-2", "V-192"},
			Says: "That one buffer is revoked does not concern others.",
			Ask: conform.Text(`
				> Send {revoke! 2}
				< Send {done revoke}
				> Write STag=$data TO=$data_to "still there"
				> Send {send 0 1 11 0 0}
				< Send "still there"`)},
	}
})

// elsewhere has the peer read, and answers with a Read Response for a region that it may not write because of a Situation.
func elsewhere(region, situation string) string {
	return fmt.Sprintf(`
		> Send {read 16 0 0x1000 0x20000}
		< [read] ReadRequest RDMARDSZ=16 SrcSTag=0x1000 SrcTO=0x20000
		> [bad] ReadResponse to [read] STag=$%[1]s TO=$%[1]s_to 00*16`, region) + parts.Unplaced(situation)
}
