package verbs

// Section 7.6.3: what is looked at when memory is used.

import "github.com/iwarpkit/iwarp/replay/conform"

var section763 = about("7.6.3", "access to a region", func() []conform.Case {
	return []conform.Case{
		{Name: "whole-region", Requirements: []string{"V-199", "V-294"},
			Says: "A region is as long as its owner says: all of it can be written and read at once.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 5a*65536
				> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r] 5a*65536`)},
		{Name: "one-octet-beyond-write", Requirements: []string{"V-199", "V-294", "V-286"},
			Says: "A Write may not touch one octet before or behind a region.",
			Ask: conform.Texts(
				"> Write STag=$data TO=$data_to+65536 00\n< refuses write-bounds",
				"> Write STag=$data TO=$data_to+65535 0000\n< refuses write-bounds",
				"> Write STag=$data TO=$data_to+0xffffffffffffffff 00\n< refuses write-bounds",
				"> Write STag=$data TO=$data_to+0xffffffffffffffff 0000\n< refuses write-bounds")},
		{Name: "one-octet-beyond-read", Requirements: []string{"V-199", "V-294", "V-287"},
			Says: "A Read may not touch one octet before or behind a region.",
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
			Says: "Of no octets nothing is checked: neither STag, nor rights, nor bounds.",
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
