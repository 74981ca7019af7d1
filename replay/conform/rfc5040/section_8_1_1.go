package rfc5040

// What an RNIC has to protect: Protection Domains, bounds, rights that were revoked, and STags that are shared.

import "github.com/iwarpkit/iwarp/replay/conform"

var section811 = about("8.1.1", "RDMAP RNIC security requirements", func() []conform.Case {
	return []conform.Case{
		{Name: "write-to-another-domain", Requirements: []string{"RDMAP-8.1.1-1", "RDMAP-5.1-3", "V-019", "V-199", "V-286"},
			Says: "A Write to a buffer of another Protection Domain is refused.",
			Ask:  write("write-association", `$foreign TO=$foreign_to "abcd"`, `$foreign TO=$foreign_to+4095 00`)},

		{Name: "write-before-the-buffer", Requirements: []string{"RDMAP-8.1.1-3", "V-199", "V-286", "V-294"},
			Says: "A Write that begins before its buffer is refused, even by one octet.",
			Ask: write("write-bounds", `$data TO=$data_to-1 00`, `$data TO=$data_to-1 00*2`, `$data TO=$data_to-64 00*64`,
				`$data TO=$data_to-64 00*1000`, `$writeonly TO=$writeonly_to-1 00`, `$writeonly TO=$writeonly_to-4096 00*1000`)},
		{Name: "write-behind-the-buffer", Requirements: []string{"RDMAP-8.1.1-3", "V-199", "V-286", "V-294"},
			Says: "A Write that ends behind its buffer is refused, even by one octet.",
			Ask: write("write-bounds", `$data TO=$data_to+65536 00`, `$data TO=$data_to+65535 00*2`,
				`$data TO=$data_to+65000 00*537`, `$writeonly TO=$writeonly_to+4096 00`, `$writeonly TO=$writeonly_to+4095 00*2`,
				`$writeonly TO=$writeonly_to+3097 00*1000`)},
		{Name: "write-far-from-the-buffer", Requirements: []string{"RDMAP-8.1.1-3", "V-163", "V-199", "V-286"},
			Says: "A Write is refused whose TO is that of the buffer in its lower bits only.",
			Ask: write("write-bounds", `$data TO=$data_to+0x10000 00`, `$data TO=$data_to+0x100000000 00`,
				`$data TO=$data_to-0x100000000 00`, `$data TO=$data_to+0x1000000000000 00`)},
		{Name: "write-wraps", Requirements: []string{"RDMAP-8.1.1-3", "V-213", "V-286"},
			Says: "A Write whose TO and length exceed 64 bits is refused.",
			Ask: write("write-wrap", `$data TO=0xffffffffffffffff 00*2`, `$data TO=0xfffffffffffffffd 00*4`,
				`$data TO=0xffffffffffffff00 00*1000`)},
		{Name: "write-to-the-last-octet-of-all", Requirements: []string{"RDMAP-8.1.1-3", "V-213"},
			Says: "A Write of the last octet that a TO can have is refused, for it is no octet of the buffer.",
			Ask: conform.Each(`
				> [bad] Write STag=$data TO=%s
				< OneOf
				or Refusal write-wrap to [bad]
				or Refusal write-bounds to [bad]
				< ends`, "0xffffffffffffffff 00", "0xfffffffffffffffc 00*4")},
		{Name: "read-of-the-last-octet-of-all", Requirements: []string{"RDMAP-8.1.1-3", "RDMAP-7.2-13", "V-213"},
			Says: "A Read of the last octet that a TO can have is refused, for it is no octet of the buffer.",
			Ask: conform.Each(`
				> [bad] ReadRequest SinkSTag=0x1000 SrcSTag=$readonly %s
				< OneOf
				or Refusal read-wrap to [bad]
				or Refusal read-bounds to [bad]
				< ends`, "SrcTO=0xffffffffffffffff RDMARDSZ=1", "SrcTO=0xfffffffffffffffc RDMARDSZ=4")},
		{Name: "every-octet-within", Requirements: []string{"RDMAP-8.1.1-3", "V-294"},
			Says: "What does not reach outside a buffer is in order, up to its first and its last octet.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a"
				> Write STag=$data TO=$data_to+65535 "z"
				> Write STag=$writeonly TO=$writeonly_to 00*4096
				> [first] ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [first] "a"
				> [last] ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$data SrcTO=$data_to+65535
				< ReadResponse to [last] "z"
				> [all] ReadRequest SinkSTag=0x1000 RDMARDSZ=4096 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [all] ` + pattern(0, 4096))},

		{Name: "rights-are-apart", Requirements: []string{"RDMAP-8.1.1-5", "RDMAP-7.2-14", "V-181", "V-188", "V-189", "V-241"},
			Says: "The right to write does not bring that to read, nor the other way round.",
			Ask: conform.Texts(`
				> Write STag=$writeonly TO=$writeonly_to "in"
				> [bad] ReadRequest SinkSTag=0x1000 RDMARDSZ=2 SrcSTag=$writeonly SrcTO=$writeonly_to`+
				refusedRead("read-access"), `
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=2 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [read] 0001
				> Write STag=$readonly TO=$readonly_to "in"
				< refuses write-access`)},
		{Name: "write-to-revoked-buffer", Requirements: []string{"RDMAP-8.1.1-4", "RDMAP-8.1.1-6", "V-169", "V-205", "V-209"},
			Says: "When the peer's ULP has ended the use of a buffer no Write reaches it any more.",
			Ask: conform.Text(`
				> Write STag=$writeonly TO=$writeonly_to "before"
				> Send {revoke! 2}
				< Send {done revoke}
				> Write STag=$writeonly TO=$writeonly_to "behind"
				< refuses write-stag`)},
		{Name: "read-from-revoked-buffer",
			Requirements: []string{"RDMAP-8.1.1-4", "RDMAP-8.1.1-6", "RDMAP-7.2-9", "V-205", "V-209"},
			Says:         "When the peer's ULP has ended the use of a buffer no Read reaches it any more.",
			Ask: conform.Text(`
				> [before] ReadRequest SinkSTag=0x1000 RDMARDSZ=2 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [before] 0001
				> Send {revoke! 1}
				< Send {done revoke}
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=2 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses read-stag`)},
		{Name: "invalidate-revoked-buffer", Requirements: []string{"RDMAP-8.1.1-6", "RDMAP-7.2-4"}, Need: conform.Volatile,
			Says: "When the peer's ULP has ended the use of a buffer no Send can invalidate its STag any more.",
			Ask: conform.Text(`
				> Send {revoke! 6}
				< Send {done revoke}
				> [bad] SendInvalidate InvalidateSTag=$volatile {echo "abcd"}` + refusedInvalidation("invalidate-stag"))},
		{Name: "revoked-before-the-response", Requirements: []string{"RDMAP-8.1.1-6", "RDMAP-5.2.2-5", "V-211"},
			Says: "A Read Response is refused if the use of the buffer that it is for has ended.",
			Ask: conform.Text(reading + `
				> Send {revoke! 0}
				< Send {done revoke}
				> ReadResponse to [request] "abcd"
				< refuses write-stag`)},
		{Name: "revoking-one-leaves-others", Requirements: []string{"RDMAP-8.1.1-4", "V-192"},
			Says: "When the use of one buffer has ended others are what they were.",
			Ask: conform.Text(`
				> Send {revoke! 2}
				< Send {done revoke}
				> Write STag=$data TO=$data_to "abcd"
				> [data] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [data] "abcd"
				> [readonly] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [readonly] 00010203`)},
		{Name: "shared-stag-cannot-be-invalidated", Requirements: []string{"RDMAP-8.1.1-7", "V-202", "V-208"},
			Says: "A peer cannot invalidate the STag of a region that is not its alone.",
			Ask:  invalidate("invalidate-shared", "$data")},
	}
})

// write has a connection for each STag, TO and payload of a Write that is refused.
func write(situation string, targets ...string) func(*conform.Setup) []string {
	return conform.Each("> Write STag=%s\n< refuses "+situation, targets...)
}
