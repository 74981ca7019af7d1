package rfc5042

// Disclosure: what can be read.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section631 = about("6.3.1", "over-read by Read Requests", func() []conform.Case {
	return []conform.Case{
		{Name: "within", Requirements: []string{"SEC-6.3.1-1", "V-294"},
			Says: "The first and the last octet of a buffer can be read, and all of it at once.",
			Ask: conform.Text(`
				> [first] ReadRequest SinkSTag=0x1000 RDMARDSZ=2 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [first] 0001
				> [last] ReadRequest SinkSTag=0x1000 RDMARDSZ=2 SrcSTag=$readonly SrcTO=$readonly_to+4094
				< ReadResponse to [last] 4e4f
				> [all] ReadRequest SinkSTag=0x1000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [all] 00*65536`)},
		{Name: "over", Requirements: []string{"SEC-6.3.1-1", "V-287", "V-294"},
			Says: "A Read of one octet behind a buffer is refused, and so is one that ends there.",
			Ask: conform.Each(greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=%s
				< refuses read-bounds`, "1 SrcSTag=$readonly SrcTO=$readonly_to+4096", "2 SrcSTag=$readonly SrcTO=$readonly_to+4095",
				"4097 SrcSTag=$readonly SrcTO=$readonly_to", "65537 SrcSTag=$data SrcTO=$data_to",
				"0xffffffff SrcSTag=$data SrcTO=$data_to", "0x80000000 SrcSTag=$data SrcTO=$data_to+1")},
		{Name: "under", Requirements: []string{"SEC-6.3.1-1", "V-287", "V-294"},
			Says: "A Read of one octet before a buffer is refused, and so is one that begins there.",
			Ask: conform.Each(greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=%d SrcSTag=$readonly SrcTO=`+parts.Before("readonly", 1)+`
				< refuses read-bounds`, 1, 2, 4096)},
		{Name: "wrap", Requirements: []string{"SEC-6.3.1-1", "V-213", "V-287"},
			Says: "A Read whose TO and size exceed 64 bits is refused.",
			Ask: conform.Each(greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=%s
				< refuses read-wrap`, "2 SrcSTag=$readonly SrcTO=0xffffffffffffffff",
				"0xffffffff SrcSTag=$data SrcTO=0xffffffff80000000")},
		{Name: "into-the-next", Requirements: []string{"SEC-6.3.1-1"},
			Says: "The STag of one buffer does not reach another one.",
			Ask: conform.Each(greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$readonly SrcTO=%s
				< refuses read-bounds`, "$data_to", "$writeonly_to", "$local_to", "0")},
	}
})

var section635 = about("6.3.5", "buffers that are for writing only", func() []conform.Case {
	return []conform.Case{
		{Name: "read", Requirements: []string{"SEC-6.3.5-1", "V-189", "V-241", "V-287"},
			Says: "A buffer that is for remote writing only cannot be read.",
			Ask: conform.Each(greeting+`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=%s
				< refuses read-access`, "1 SrcSTag=$writeonly SrcTO=$writeonly_to", "4096 SrcSTag=$writeonly SrcTO=$writeonly_to",
				"1 SrcSTag=$writeonly SrcTO=$writeonly_to+4095")},
		{Name: "read-what-was-written", Requirements: []string{"SEC-6.3.5-1", "V-189"},
			Says: "Who has written a buffer cannot read it for that.",
			Ask: conform.Text(`
				> Write STag=$writeonly TO=$writeonly_to "mine"
				> Send {echo "written"}
				< Send {echo "written"}
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
			Says: "A buffer that is for remote reading only cannot be written.",
			Ask: conform.Each(greeting+`
				> Write STag=$readonly TO=$readonly_to%s "a"
				< refuses write-access`, "", "+4095")},
		{Name: "read-nothing", Requirements: []string{"SEC-6.3.5-2", "V-200", "V-261"},
			Says: "A Read of no octets is answered, whatever STag and TO it names.",
			Ask:  readNothing},
	}
})

// readNothing returns Reads of no octets from where nothing can be read.
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
