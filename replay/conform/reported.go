package conform

// What the peer's service says of the messages that it got.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// Reported is the answer to {report} as octets of a Scenario: how many messages came before it, and of the latest of them
// its flags, see service.ConformHadSolicitedEvent and those below it, the STag that it has invalidated, as octets of a
// Scenario or empty for none, and its octets.
func Reported(messages int, flags uint8, stag string, latest []byte) string {
	if stag == "" {
		stag = "00000000"
	}
	return fmt.Sprintf("%08x %08x %02x000000 %s %08x", messages, len(latest), flags, stag, mpa.CRC(latest))
}
