package verbs

// Section 10: a stream that misbehaves harms no other.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section10 = about("10.3", "isolation", func() []conform.Case {
	return []conform.Case{
		{Name: "others-unharmed", Requirements: []string{"V-295"},
			Says: "A connection is as ever, whatever the ones before it have ended with.",
			Ask: conform.Texts(
				"> Write STag=$revoked TO=$revoked_to 00*4\n< refuses write-stag", everyQueue,
				"> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$local SrcTO=$local_to\n< refuses read-access", everyQueue,
				parts.Greeting+"> Segment Opcode12\n< refuses opcode", everyQueue,
				"> FPDU CRC=bad Send {quiet}\n< refuses fpdu-crc", everyQueue,
				"> Segment Send MSN=7 {quiet}\n< refuses send-msn", everyQueue,
				"> Reset", everyQueue)},
		{Name: "misplaced-one", Requirements: []string{"V-294", "V-295"},
			Says: "A Write that begins within a region and ends behind it is refused to the octet, and other connections go on.",
			Ask:  conform.Texts("> Write STag=$writeonly TO=$writeonly_to+4090 ff*7\n< refuses write-bounds", everyQueue)},
	}
})
