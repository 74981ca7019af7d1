package verbs

// Section 7.2: STags.

import "github.com/iwarpkit/iwarp/replay/conform"

var section72 = about("7.2", "STags", func() []conform.Case {
	return []conform.Case{
		{Name: "zero-written", Requirements: []string{"V-155"},
			Says: "The STag 0 is nobody else's: a Write with it is refused.",
			Ask:  conform.Text("> Write STag=0 TO=$data_to 00*4\n< refuses write-stag")},
		{Name: "zero-read", Requirements: []string{"V-155"},
			Says: "The STag 0 is nobody else's: a Read with it is refused.",
			Ask:  conform.Text("> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcTO=$data_to\n< refuses read-stag")},
		{Name: "zero-invalidated", Requirements: []string{"V-156"},
			Says: "The STag 0 cannot be invalidated.",
			Ask:  conform.Text("> SendInvalidate {quiet}\n< refuses invalidate-stag")},
		{Name: "states", Requirements: []string{"V-159", "V-203", "V-205"}, Need: conform.Volatile,
			Says: "An STag can be used as long as it is valid, and not for a Write once it is not.",
			Ask: conform.Text(usedVolatile + `
				> SendInvalidate InvalidateSTag=$volatile {echo}
				< Send {echo}
				> Write STag=$volatile TO=$volatile_to 00*4
				< refuses write-stag`)},
		{Name: "states-read", Requirements: []string{"V-159", "V-203", "V-205"}, Need: conform.Volatile,
			Says: "An STag can be used as long as it is valid, and not for a Read once it is not.",
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
	> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$volatile SrcTO=$volatile_to+4092
	< ReadResponse to [r] "used"
`
