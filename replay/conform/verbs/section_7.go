package verbs

// Section 7: STags and memory.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section72 = about("7.2", "STags", func() []conform.Case {
	return []conform.Case{
		{Name: "zero-written", Requirements: []string{"V-155"},
			Says: "The STag 0 is for local use: a Write with it is refused.",
			Ask:  conform.Text("> Write STag=0 TO=$data_to 00*4\n< refuses write-stag")},
		{Name: "zero-read", Requirements: []string{"V-155"},
			Says: "The STag 0 is for local use: a Read with it is refused.",
			Ask:  conform.Text("> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcTO=$data_to\n< refuses read-stag")},
		{Name: "zero-invalidated", Requirements: []string{"V-156"},
			Says: "The STag 0 cannot be invalidated.",
			Ask:  conform.Text("> SendInvalidate {quiet}\n< refuses invalidate-stag")},
		{Name: "states", Requirements: []string{"V-159", "V-203", "V-205"}, Need: conform.Volatile,
			Says: "A Write is refused after its STag became invalid.",
			Ask: conform.Text(usedVolatile + `
				> SendInvalidate InvalidateSTag=$volatile {echo}
				< Send {echo}
				> Write STag=$volatile TO=$volatile_to 00*4
				< refuses write-stag`)},
		{Name: "states-read", Requirements: []string{"V-159", "V-203", "V-205"}, Need: conform.Volatile,
			Says: "A Read is refused after its STag became invalid.",
			Ask: conform.Text(usedVolatile + `
				> SendInvalidate InvalidateSTag=$volatile {echo}
				< Send {echo}
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$volatile SrcTO=$volatile_to
				< refuses read-stag`)},
	}
})

// usedVolatile writes and reads the peer's region volatile.
const usedVolatile = `
	> Write STag=$volatile TO=$volatile_to+4092 "used"
	> reads 4 $volatile+4092 "used"
`

var section74 = about("7.4", "access rights", func() []conform.Case {
	return []conform.Case{
		{Name: "each-octet-write", Requirements: []string{"V-181", "V-188"},
			Says: "No octet of a region without remote write access can be written.",
			Ask:  each("> Write STag=$%[1]s TO=$%[1]s_to+%[2]d 00\n< refuses write-access", "readonly", "local")},
		{Name: "each-octet-read", Requirements: []string{"V-181", "V-189"},
			Says: "No octet of a region without remote read access can be read.",
			Ask: each("> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$%[1]s SrcTO=$%[1]s_to+%[2]d\n< refuses read-access",
				"writeonly", "local")},
		{Name: "what-is-allowed", Requirements: []string{"V-181", "V-241"},
			Says: "The first and the last octet of a region can be read or written if its rights allow that.",
			Ask: conform.Text(`
				> reads 1 $readonly+4095 4f
				> reads 4096 $readonly 000102 ?*4092 4f
				> Write STag=$writeonly TO=$writeonly_to ff
				> Write STag=$writeonly TO=$writeonly_to+4095 ff
				> Write STag=$writeonly TO=$writeonly_to 00*4096`)},
		{Name: "sink-gone", Requirements: []string{"V-190", "V-211"},
			Says: "The sink of a Read Response is checked when it arrives: if the memory is gone by then, it is refused.",
			Ask: conform.Text(`
				> Send {read 4 0 0x1000 0x20000}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> revokes 0
				> ReadResponse to [r] "late"
				< refuses write-stag`)},
		{Name: "invalidate-without-right", Requirements: []string{"V-191", "V-207", "V-279"},
			Says: "Memory without remote access rights cannot be invalidated by the other side.",
			Ask:  conform.Text("> SendInvalidate InvalidateSTag=$local {quiet}\n< refuses invalidate-access")},
	}
})

// each returns the Ask of a case with some octets of some regions: the script has the name of the region and the
// offset.
func each(script string, regions ...string) func(*conform.Setup) []string {
	return func(*conform.Setup) (scripts []string) {
		for _, region := range regions {
			for _, octet := range []int{0, 1, 2048, 4095} {
				scripts = append(scripts, fmt.Sprintf(script, region, octet))
			}
		}
		return scripts
	}
}

var section763 = about("7.6.3", "access to a region", func() []conform.Case {
	return []conform.Case{
		{Name: "whole-region", Requirements: []string{"V-199", "V-294"},
			Says: "A region is as long as its owner says: all of it can be written and read at once.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 5a*65536
				> reads 65536 $data 5a*65536`)},
		{Name: "one-octet-beyond-write", Requirements: []string{"V-199", "V-294", "V-286"},
			Says: "A Write may not touch one octet before or beyond a region.",
			Ask: conform.Texts(
				"> Write STag=$data TO=$data_to+65536 00\n< refuses write-bounds",
				"> Write STag=$data TO=$data_to+65535 0000\n< refuses write-bounds",
				"> Write STag=$data TO=$data_to+0xffffffffffffffff 00\n< refuses write-bounds",
				"> Write STag=$data TO=$data_to+0xffffffffffffffff 0000\n< refuses write-bounds")},
		{Name: "one-octet-beyond-read", Requirements: []string{"V-199", "V-294", "V-287"},
			Says: "A Read may not touch one octet before or beyond a region.",
			Ask: conform.Texts(
				readsOf("1", "$data_to+65536", "read-bounds"), readsOf("2", "$data_to+65535", "read-bounds"),
				readsOf("1", "$data_to+0xffffffffffffffff", "read-bounds"), readsOf("65537", "$data_to", "read-bounds"),
				readsOf("0xffffffff", "$data_to", "read-bounds"))},
		{Name: "domain-write", Requirements: []string{"V-019", "V-199"},
			Says: "Memory of another Protection Domain cannot be written.",
			Ask:  conform.Text("> Write STag=$foreign TO=$foreign_to 00*4\n< refuses write-association")},
		{Name: "domain-read", Requirements: []string{"V-019", "V-199"},
			Says: "Memory of another Protection Domain cannot be read.",
			Ask:  conform.Text("> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$foreign SrcTO=$foreign_to\n< refuses read-association")},
		{Name: "nothing-anywhere", Requirements: []string{"V-200"},
			Says: "For zero octets nothing is checked: neither STag, nor rights, nor bounds.",
			Ask: conform.Text(`
				> Write STag=$revoked TO=0xffffffffffffffff
				> Write STag=$readonly TO=$readonly_to
				> Write STag=$foreign TO=$foreign_to
				> Write
				> [a] ReadRequest RDMARDSZ=0 SrcSTag=$local SrcTO=0xffffffffffffffff
				< ReadResponse to [a]
				> [b] ReadRequest RDMARDSZ=0 SrcSTag=$foreign SrcTO=$foreign_to
				< ReadResponse to [b]
				> [c] ReadRequest
				< ReadResponse to [c]`)},
	}
})

// readsOf returns a script with a Read of octets from a TO of the peer's data, which is refused.
func readsOf(octets, to, situation string) string {
	return "> ReadRequest SinkSTag=0x1000 RDMARDSZ=" + octets + " SrcSTag=$data SrcTO=" + to + "\n< refuses " + situation
}

var section78 = about("7.8", "invalidation", func() []conform.Case {
	return []conform.Case{
		{Name: "other-domain", Requirements: []string{"V-206", "V-208", "V-279"},
			Says: "Memory of another Protection Domain cannot be invalidated.",
			Ask:  conform.Text("> SendInvalidate InvalidateSTag=$foreign {quiet}\n< refuses invalidate-association")},
		{Name: "wrong-key", Requirements: []string{"V-206", "V-208", "V-279"}, Need: conform.Volatile,
			Says: "An STag with a wrong key cannot be invalidated.",
			Ask:  conform.Text("> SendInvalidate InvalidateSTag=$volatile+1 {quiet}\n< refuses invalidate-stag")},
		{Name: "deallocated", Requirements: []string{"V-208", "V-279"},
			Says: "A deregistered STag cannot be invalidated.",
			Ask:  conform.Text("> SendSEInvalidate InvalidateSTag=$revoked {quiet}\n< refuses invalidate-stag")},
		{Name: "shared", Requirements: []string{"V-202", "V-206"},
			Says: "Memory not registered for invalidation cannot be invalidated: a Shared Memory Region, or a plain one.",
			Ask:  conform.Text("> SendInvalidate InvalidateSTag=$data {quiet}\n< refuses invalidate-shared")},
		{Name: "only-the-one", Requirements: []string{"V-203", "V-205", "V-192"}, Need: conform.Volatile,
			Says: "An invalidation affects one STag only.",
			Ask: conform.Text(`
				> SendInvalidate InvalidateSTag=$volatile {echo}
				< Send {echo}
				> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [r] 00010203
				> Write STag=$data TO=$data_to "data"
				> Write STag=$writeonly TO=$writeonly_to "data"
				> reads 4 $data "data"`)},
	}
})

var section79 = about("7.9", "deallocation", func() []conform.Case {
	return []conform.Case{
		{Name: "revoked-read", Requirements: []string{"V-209", "V-161"},
			Says: "A deregistered region cannot be read.",
			Ask: conform.Text(`
				> reads 4 $readonly 00010203
				> revokes 1
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses read-stag`)},
		{Name: "revoked-write", Requirements: []string{"V-209", "V-161"},
			Says: "A deregistered region cannot be written.",
			Ask: conform.Text(`
				> Write STag=$writeonly TO=$writeonly_to "data"
				> revokes 2
				> Write STag=$writeonly TO=$writeonly_to "data"
				< refuses write-stag`)},
		{Name: "revoked-once", Requirements: []string{"V-209"},
			Says: "A deregistered region cannot be deregistered again.",
			Ask:  conform.Text("> Send {revoke! 1}\n< Send {done revoke}\n> Send {revoke! 1}\n< Send {answer revoke 1 0}")},
		{Name: "others-stay", Requirements: []string{"V-209", "V-192"},
			Says: "Deregistering a region does not affect others.",
			Ask: conform.Text(`
				> revokes 1
				> revokes 2
				> Write STag=$data TO=$data_to "data"
				> reads 4 $data "data"`)},
	}
})
