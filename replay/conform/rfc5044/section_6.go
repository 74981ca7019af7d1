package rfc5044

// What has to be there before an FPDU is acted on.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section6 = about("6", "The MPA receiver", func() []conform.Case {
	return []conform.Case{
		{Name: "not-whole", Requirements: []string{"MPA-6-3"},
			Says: "Nothing is done of what an FPDU says as long as octets of it are missing, be it one.",
			Role: conform.AsInitiator,
			Ask: func(s *conform.Setup) (scripts []string) {
				message := echo("it is whole")
				whole := newStream(s).send(message)
				for _, n := range []int{1, 2, 3, 4, 16, 20, 24, len(whole) - 4, len(whole) - 1} {
					t := newStream(s)
					fpdu := t.send(message)
					scripts = append(scripts, step(fpdu[:n])+silent(s)+step(fpdu[n:])+answered(message)+t.goOn())
				}
				return scripts
			}},
		{Name: "never-whole", Requirements: []string{"MPA-6-3"},
			Says: "Nothing is done of what an FPDU says whose last octets never come: the connection ends.",
			Role: conform.AsInitiator,
			Ask: func(s *conform.Setup) (scripts []string) {
				fpdu := newStream(s).send(echo("?"))
				for _, n := range []int{1, 2, 10, 20, len(fpdu) - 4, len(fpdu) - 1} {
					scripts = append(scripts, step(fpdu[:n])+`
						> FIN
						< OneOf
						or FIN
						or Reset
						or Terminate`)
				}
				return scripts
			}},
		{Name: "crc-first", Requirements: []string{"MPA-6-1", "MPA-4.4-13"},
			Says: "The CRC is checked before anything else of an FPDU: with other errors in it, that is the one which is told.",
			Ask: conform.Each(parts.Greeting+`
				> FPDU CRC=bad %s
				< refuses fpdu-crc`,
				"Send MSN=7 {echo}", "Send DV=0 {echo}", "Opcode12 QN=9 {echo}", "Write STag=$revoked TO=$revoked_to 00*8", "41")},
	}
})
