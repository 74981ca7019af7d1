package verbs

// Section 7.4: the rights of a region.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section74 = about("7.4", "access rights", func() []conform.Case {
	return []conform.Case{
		{Name: "each-octet-write", Requirements: []string{"V-181", "V-188"},
			Says: "The rights of a region are those of each octet: none of one without remote write can be written.",
			Ask:  each("> Write STag=$%[1]s TO=$%[1]s_to+%[2]d 00\n< refuses write-access", "readonly", "local")},
		{Name: "each-octet-read", Requirements: []string{"V-181", "V-189"},
			Says: "The rights of a region are those of each octet: none of one without remote read can be read.",
			Ask: each("> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$%[1]s SrcTO=$%[1]s_to+%[2]d\n< refuses read-access",
				"writeonly", "local")},
		{Name: "what-is-allowed", Requirements: []string{"V-181", "V-241"},
			Says: "The first and the last octet of a region can be read or written where its rights allow that.",
			Ask: conform.Text(`
				> [a] ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$readonly SrcTO=$readonly_to+4095
				< ReadResponse to [a] 4f
				> [b] ReadRequest SinkSTag=0x1000 RDMARDSZ=4096 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [b] 000102 ?*4092 4f
				> Write STag=$writeonly TO=$writeonly_to ff
				> Write STag=$writeonly TO=$writeonly_to+4095 ff
				> Write STag=$writeonly TO=$writeonly_to 00*4096`)},
		{Name: "sink-gone", Requirements: []string{"V-190", "V-211"},
			Says: "The memory for a Read Response is looked at when it comes: one that is gone by then refuses it.",
			Ask: conform.Text(`
				> Send {read 4 0 0x1000 0x20000}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> Send {revoke! 0}
				< Send {done revoke}
				> ReadResponse to [r] "late"
				< refuses write-stag`)},
		{Name: "invalidate-without-right", Requirements: []string{"V-191", "V-207", "V-279"},
			Says: "Memory without a remote right cannot be invalidated by the other side.",
			Ask:  conform.Text("> SendInvalidate InvalidateSTag=$local {quiet}\n< refuses invalidate-access")},
	}
})

// each returns the Ask of a case with some octets of some regions: the script has the name of the region and the octet.
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
