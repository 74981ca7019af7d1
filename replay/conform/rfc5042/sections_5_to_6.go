package rfc5042

// Sections 5 and 6: spoofing, tampering, disclosure and denial of service.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

// greeting precedes a wrong segment.
const greeting = parts.Greeting

// none are STags that are unlikely to exist.
var none = []string{"0x00000001", "0x00000100", "0x7fffffff", "0x80000000", "0xffffff00", "0xffffffff"}

var section511 = about("5.1.1", "guessed STags", func() []conform.Case {
	return []conform.Case{
		{Name: "write", Requirements: []string{"SEC-5.1.1-1", "V-161"},
			Says: "A Write to an invalid STag ends the stream with an error.",
			Ask:  conform.Each(parts.Refused(greeting, "write-stag", `Write STag=%s TO=$data_to "guessed"`), none...)},
		{Name: "read", Requirements: []string{"SEC-5.1.1-1", "V-161", "V-287"},
			Says: "A Read from an invalid STag ends the stream with an error.",
			Ask: conform.Each(parts.Refused(greeting, "read-stag",
				`ReadRequest SinkSTag=0x1000 RDMARDSZ=16 SrcSTag=%s SrcTO=$data_to`), none...)},
		{Name: "invalidate", Requirements: []string{"SEC-5.1.1-1", "V-208", "V-279"},
			Says: "An attempt to invalidate an invalid STag ends the stream with an error.",
			Ask: conform.Each(parts.Refused(greeting, "invalidate-stag", `SendInvalidate InvalidateSTag=%s {echo "guessed"}`),
				none...)},
		{Name: "atomic", Requirements: []string{"SEC-5.1.1-1"}, Need: conform.Atomics,
			Says: "An Atomic Operation on an invalid STag ends the stream with an error.",
			Ask: conform.Each(parts.Refused(greeting, "atomic-target",
				`AtomicRequest AOpCode=FetchAdd RequestIdentifier=1 RemoteSTag=%s RemoteTaggedOffset=$data_to AddData=1`),
				none...)},
		{Name: "key", Requirements: []string{"SEC-5.1.1-1", "V-150", "V-183"},
			Says: "The STag of a buffer with another key is not valid.",
			Ask: conform.Texts(greeting+`
				> Write STag=$data+1 TO=$data_to "guessed"
				< refuses write-stag`, greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=16 SrcSTag=$data+1 SrcTO=$data_to
				< refuses read-stag`)},
	}
})

var section611 = about("6.1.1", "STags of other Protection Domains", func() []conform.Case {
	return []conform.Case{
		{Name: "write", Requirements: []string{"SEC-6.1.1-2", "V-019", "V-286"},
			Says: "A buffer of another Protection Domain cannot be written.",
			Ask: conform.Each(parts.Refused(greeting, "write-association", `Write STag=$foreign TO=$foreign_to%s`),
				` "a"`, `+4095 "a"`, " 00*4096")},
		{Name: "read", Requirements: []string{"SEC-6.1.1-2", "V-019", "V-287"},
			Says: "A buffer of another Protection Domain cannot be read.",
			Ask: conform.Each(parts.Refused(greeting, "read-association", `ReadRequest SinkSTag=0x1000 RDMARDSZ=%s`),
				"1 SrcSTag=$foreign SrcTO=$foreign_to", "1 SrcSTag=$foreign SrcTO=$foreign_to+4095",
				"4096 SrcSTag=$foreign SrcTO=$foreign_to")},
		{Name: "fetchadd", Requirements: []string{"SEC-6.1.1-2"}, Need: conform.Atomics,
			Says: "A FetchAdd in a buffer of another Protection Domain is refused.",
			Ask: conform.Text(parts.Refused(greeting, "atomic-target",
				`AtomicRequest AOpCode=FetchAdd RequestIdentifier=1 RemoteSTag=$foreign RemoteTaggedOffset=$foreign_to AddData=1`))},
		{Name: "cmpswap", Requirements: []string{"SEC-6.1.1-2"}, Need: conform.Atomics,
			Says: "A CmpSwap in a buffer of another Protection Domain is refused.",
			Ask: conform.Text(parts.Refused(greeting, "atomic-target",
				`AtomicRequest AOpCode=CmpSwap RequestIdentifier=1 RemoteSTag=$foreign RemoteTaggedOffset=$foreign_to`))},
		{Name: "invalidate", Requirements: []string{"SEC-6.1.1-2", "V-206", "V-279"},
			Says: "The STag of a buffer of another Protection Domain cannot be invalidated.",
			Ask: conform.Each(parts.Refused(greeting, "invalidate-association", "%s"),
				`SendInvalidate InvalidateSTag=$foreign {echo "of others"}`,
				`SendSEInvalidate InvalidateSTag=$foreign {echo "of others"}`)},
		{Name: "nothing", Requirements: []string{"SEC-6.1.1-2", "V-200"},
			Says: "Writes and Reads of zero octets access nothing, so the Protection Domain does not matter.",
			Ask: conform.Text(`
				> Write STag=$foreign TO=$foreign_to
				> [read] ReadRequest SinkSTag=0x1000 SrcSTag=$foreign SrcTO=$foreign_to
				< ReadResponse to [read]`)},
	}
})

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
			Says: "A Write of one octet beyond a buffer is refused, and so is one that ends there.",
			Ask: conform.Each(parts.Refused(greeting, "write-bounds", "%s"),
				`Write STag=$data TO=$data_to+65536 "o"`, `Segment Write STag=$data TO=$data_to+65535 "lo"`,
				`Write STag=$writeonly TO=$writeonly_to+4096 "o"`, `Segment Write STag=$writeonly TO=$writeonly_to 00*4097`)},
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
			Says: "The STag of one buffer gives no access to another one.",
			Ask: conform.Each(parts.Refused(greeting, "write-bounds", "%s"),
				`Write STag=$writeonly TO=$data_to "a"`, `Write STag=$data TO=$readonly_to "a"`)},
		{Name: "response-over", Requirements: []string{"SEC-6.2.1-1", "V-190"},
			Says: "A Read Response that ends one octet beyond its buffer is refused.",
			Ask: conform.Text(`
				> Send {read 16 65520 0x1000 0x20000}
				< [read] ReadRequest RDMARDSZ=16 SrcSTag=0x1000 SrcTO=0x20000
				> [bad] ReadResponse to [read] 00*17` + parts.Unplaced("response-bounds", "write-bounds"))},
		{Name: "response-elsewhere", Requirements: []string{"SEC-6.2.1-1", "V-190"},
			Says: "A Read Response cannot be placed in a buffer that the peer may not write.",
			Ask: conform.Texts(elsewhere("readonly", "write-access"), elsewhere("local", "write-access"),
				elsewhere("foreign", "write-association"), elsewhere("revoked", "write-stag"))},
	}
})

var section622 = about("6.2.2", "changes after the revocation", func() []conform.Case {
	return []conform.Case{
		{Name: "revoked", Requirements: []string{"SEC-6.2.2-2", "V-205", "V-209"},
			Says: "A buffer cannot be written after the upper layer has revoked it.",
			Ask: conform.Each(`
				> Write STag=$data TO=$data_to "before"
				> Send {send 0 1 6 0 0}
				< Send "before"
				> revokes 0
				> [bad] Segment Write STag=$data TO=$data_to%s
				< refuses write-stag to [bad]`, ` "after"`, `+65535 "b"`, `+65536 "b"`)},
		{Name: "revoked-before", Requirements: []string{"SEC-6.2.2-2", "V-205", "V-209"},
			Says: "A buffer that was revoked before the connection began cannot be written.",
			Ask:  conform.Text(parts.Refused(greeting, "write-stag", `Write STag=$revoked TO=$revoked_to "behind"`))},
		{Name: "invalidated", Requirements: []string{"SEC-6.2.2-2", "V-203", "V-205", "V-256"}, Need: conform.Volatile,
			Says: "A buffer cannot be written after its STag was invalidated.",
			Ask: conform.Text(`
				> Write STag=$volatile TO=$volatile_to "before"
				> SendInvalidate InvalidateSTag=$volatile {echo "invalid now"}
				< Send {echo "invalid now"}
				> [bad] Segment Write STag=$volatile TO=$volatile_to "behind"
				< refuses write-stag to [bad]`)},
		{Name: "invalidated-at-once",
			Requirements: []string{"SEC-6.2.2-2", "V-203", "V-205", "V-256"}, Need: conform.Volatile,
			Says: "A Write right after the Send that invalidates its STag is refused.",
			Ask: conform.Text(greeting + `
				> SendInvalidate InvalidateSTag=$volatile {quiet}
				> [bad] Segment Write STag=$volatile TO=$volatile_to "behind"
				< refuses write-stag to [bad]`)},
		{Name: "read-revoked", Requirements: []string{"SEC-6.2.2-2", "V-205", "V-209"},
			Says: "A revoked buffer cannot be read.",
			Ask: conform.Text(`
				> reads 4 $readonly 00010203
				> revokes 1
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses read-stag`)},
		{Name: "response-revoked", Requirements: []string{"SEC-6.2.2-2", "V-211"},
			Says: "A Read Response cannot be placed after its buffer was revoked.",
			Ask: conform.Text(`
				> Send {read 16 0 0x1000 0x20000}
				< [read] ReadRequest RDMARDSZ=16 SrcSTag=0x1000 SrcTO=0x20000
				> revokes 0
				> [bad] ReadResponse to [read] 00*16
				< refuses write-stag to [bad]`)},
		{Name: "others-valid", Requirements: []string{"SEC-6.2.2-2", "V-192"},
			Says: "Revoking one buffer does not affect others.",
			Ask: conform.Text(`
				> revokes 2
				> Write STag=$data TO=$data_to "still there"
				> Send {send 0 1 11 0 0}
				< Send "still there"`)},
	}
})

// elsewhere answers a Read of the peer by a Read Response for a region that it must not write, because of a Situation.
func elsewhere(region, situation string) string {
	return fmt.Sprintf(`
		> Send {read 16 0 0x1000 0x20000}
		< [read] ReadRequest RDMARDSZ=16 SrcSTag=0x1000 SrcTO=0x20000
		> [bad] ReadResponse to [read] STag=$%[1]s TO=$%[1]s_to 00*16`, region) + parts.Unplaced("response-stag", situation)
}

var section631 = about("6.3.1", "over-read by Read Requests", func() []conform.Case {
	return []conform.Case{
		{Name: "within", Requirements: []string{"SEC-6.3.1-1", "V-294"},
			Says: "The first and the last octet of a buffer can be read, and the whole buffer at once.",
			Ask: conform.Text(`
				> reads 2 $readonly 0001
				> reads 2 $readonly+4094 4e4f
				> reads 65536 $data 00*65536`)},
		{Name: "over", Requirements: []string{"SEC-6.3.1-1", "V-287", "V-294"},
			Says: "A Read of one octet beyond a buffer is refused, and so is one that ends there.",
			Ask: conform.Each(parts.Refused(greeting, "read-bounds", `ReadRequest SinkSTag=0x1000 RDMARDSZ=%s`),
				"1 SrcSTag=$readonly SrcTO=$readonly_to+4096", "2 SrcSTag=$readonly SrcTO=$readonly_to+4095",
				"4097 SrcSTag=$readonly SrcTO=$readonly_to", "65537 SrcSTag=$data SrcTO=$data_to",
				"0xffffffff SrcSTag=$data SrcTO=$data_to", "0x80000000 SrcSTag=$data SrcTO=$data_to+1")},
		{Name: "under", Requirements: []string{"SEC-6.3.1-1", "V-287", "V-294"},
			Says: "A Read of one octet before a buffer is refused, and so is one that begins there.",
			Ask: conform.Each(greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=%d SrcSTag=$readonly SrcTO=`+parts.Before("readonly", 1)+`
				< refuses read-bounds`, 1, 2, 4096)},
		{Name: "wrap", Requirements: []string{"SEC-6.3.1-1", "V-213", "V-287"},
			Says: "A Read whose TO and size exceed 64 bits is refused.",
			Ask: conform.Each(parts.Refused(greeting, "read-wrap", `ReadRequest SinkSTag=0x1000 RDMARDSZ=%s`),
				"2 SrcSTag=$readonly SrcTO=0xffffffffffffffff", "0xffffffff SrcSTag=$data SrcTO=0xffffffff80000000")},
		{Name: "into-the-next", Requirements: []string{"SEC-6.3.1-1"},
			Says: "The STag of one buffer gives no access to another one.",
			Ask: conform.Each(parts.Refused(greeting, "read-bounds",
				`ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$readonly SrcTO=%s`),
				"$data_to", "$writeonly_to", "$local_to", "0")},
	}
})

var section635 = about("6.3.5", "write-only buffers", func() []conform.Case {
	return []conform.Case{
		{Name: "read", Requirements: []string{"SEC-6.3.5-1", "V-189", "V-241", "V-287"},
			Says: "A buffer with remote write access only cannot be read.",
			Ask: conform.Each(parts.Refused(greeting, "read-access", `ReadRequest SinkSTag=0x1000 RDMARDSZ=%s`),
				"1 SrcSTag=$writeonly SrcTO=$writeonly_to", "4096 SrcSTag=$writeonly SrcTO=$writeonly_to",
				"1 SrcSTag=$writeonly SrcTO=$writeonly_to+4095")},
		{Name: "read-what-was-written", Requirements: []string{"SEC-6.3.5-1", "V-189"},
			Says: "Having written a buffer gives no right to read it.",
			Ask: conform.Text(`
				> Write STag=$writeonly TO=$writeonly_to "mine"
				> echoes "written"
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$writeonly SrcTO=$writeonly_to
				< refuses read-access`)},
		{Name: "local", Requirements: []string{"SEC-6.3.5-1", "V-189", "V-191"},
			Says: "A buffer without remote rights can neither be read nor written.",
			Ask: conform.Texts(greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$local SrcTO=$local_to
				< refuses read-access`, greeting+`
				> Write STag=$local TO=$local_to "a"
				< refuses write-access`)},
		{Name: "write", Requirements: []string{"SEC-6.3.5-1", "V-188", "V-241"},
			Says: "A buffer with remote read access only cannot be written.",
			Ask:  conform.Each(parts.Refused(greeting, "write-access", `Write STag=$readonly TO=$readonly_to%s "a"`), "", "+4095")},
		{Name: "read-nothing", Requirements: []string{"SEC-6.3.5-2", "V-200", "V-261"},
			Says: "A Read of zero octets is answered, whatever its STag and TO.",
			Ask:  readNothing},
	}
})

// readNothing returns Reads of zero octets from where nothing can be read.
func readNothing(*conform.Setup) []string {
	script := ""
	for i, source := range []string{
		"SrcSTag=$writeonly SrcTO=$writeonly_to", "SrcSTag=$local SrcTO=$local_to", "SrcSTag=$foreign SrcTO=$foreign_to",
		"SrcSTag=$revoked SrcTO=$revoked_to", "SrcSTag=$data+1 SrcTO=$data_to", "SrcSTag=$readonly SrcTO=$readonly_to+4096",
		"SrcSTag=$readonly SrcTO=" + parts.Before("readonly", 1), "SrcSTag=0xffffffff SrcTO=0xffffffffffffffff", "",
	} {
		script += fmt.Sprintf(`
			> [r%[1]d] ReadRequest SinkSTag=0x1000 SinkTO=0x%[1]x %[2]s
			< ReadResponse to [r%[1]d]`, i+1, source)
	}
	return []string{script}
}

var section6433 = about("6.4.3.3", "the queue of Read Requests", func() []conform.Case {
	return []conform.Case{
		{Name: "each-stream-has-its-own", Requirements: []string{"SEC-6.4.3.3-1", "V-032", "V-254"},
			Says: "Each stream can have the agreed number of Read Requests outstanding, whatever other streams do.",
			Ask: func(s *conform.Setup) []string {
				return []string{full(s), greeting + `
					> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$revoked SrcTO=$revoked_to
					< refuses read-stag`, full(s)}
			}},
		{Name: "flood", Requirements: []string{"SEC-6.4.3.3-1", "SEC-6.4.3.3-2", "V-295"},
			Says: "Too many outstanding Read Requests affect no stream but their own.",
			If:   func(s *conform.Setup) bool { return s.Peer.IRD <= mostFlooded },
			For:  fmt.Sprintf("a peer whose IRD is at most %d", mostFlooded),
			Ask:  func(s *conform.Setup) []string { return []string{flood(s), full(s), flood(s), full(s)} }},
	}
})

// mostFlooded is the largest IRD that flood exceeds.
const mostFlooded = 128

// flood returns four times as many Read Requests as may be outstanding. Whether the peer ever has too many depends on how
// fast it answers, so any reaction is right.
func flood(s *conform.Setup) string {
	const request = "> ReadRequest SinkSTag=0x1000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to\n"
	return strings.Repeat(request, 4*max(1, s.Peer.IRD)) + "> FIN\n< Octets ?*\n< OneOf\nor FIN\nor Reset"
}

// full returns as many Read Requests at once as may be outstanding, and their Responses.
func full(s *conform.Setup) string {
	last := max(1, min(s.Peer.IRD, 16)) - 1
	return parts.Count(0, last, "> [r%[1]d] ReadRequest SinkSTag=0x1000 SinkTO=%[1]d RDMARDSZ=1 SrcSTag=$readonly SrcTO=$readonly_to+%[1]d\n") +
		parts.Count(0, last, "< ReadResponse to [r%[1]d] %02[1]x\n")
}
