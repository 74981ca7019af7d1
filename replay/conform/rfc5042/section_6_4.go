package rfc5042

// Denial of service: the queue of Read Requests.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section6433 = about("6.4.3.3", "the queue of Read Requests", func() []conform.Case {
	return []conform.Case{
		{Name: "each-stream-has-its-own", Requirements: []string{"SEC-6.4.3.3-1", "V-032", "V-254"},
			Says: "Each stream can have as many Read Requests outstanding as was agreed on, whatever others have done.",
			Ask: func(s *conform.Setup) []string {
				return []string{full(s), greeting + `
					> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$revoked SrcTO=$revoked_to
					< refuses read-stag`, full(s)}
			}},
		{Name: "flood", Requirements: []string{"SEC-6.4.3.3-1", "SEC-6.4.3.3-2", "V-295"},
			Says: "More Read Requests than may be outstanding do no harm to streams but their own.",
			For:  fmt.Sprintf("a peer whose IRD is at most %d", mostFlooded),
			Ask: func(s *conform.Setup) []string {
				if s.Peer.IRD > mostFlooded {
					return nil
				}
				return []string{flood(s), full(s), flood(s), full(s)}
			}},
	}
})

// mostFlooded is the largest IRD of which the fourfold is sent.
const mostFlooded = 128

// flood returns four times as many Read Requests as may be outstanding. Whether the peer has too many at a time depends on
// how fast it answers them, so that it may do what it likes with them.
func flood(s *conform.Setup) string {
	const request = "> ReadRequest SinkSTag=0x1000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to\n"
	return strings.Repeat(request, 4*max(1, s.Peer.IRD)) + "> FIN\n< Octets ?*\n< OneOf\nor FIN\nor Reset"
}

// full returns as many Read Requests as may be outstanding, at once, and their responses.
func full(s *conform.Setup) string {
	last := max(1, min(s.Peer.IRD, 16)) - 1
	return parts.Count(0, last, "> [r%[1]d] ReadRequest SinkSTag=0x1000 SinkTO=%[1]d RDMARDSZ=1 SrcSTag=$readonly SrcTO=$readonly_to+%[1]d\n") +
		parts.Count(0, last, "< ReadResponse to [r%[1]d] %02[1]x\n")
}
