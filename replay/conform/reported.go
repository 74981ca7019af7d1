package conform

// What the peer's service reports about the messages that it received.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// Reported returns the answer to {report} as octets of a Scenario: how many messages came before it, and of the latest one
// its flags (service.ConformHadSolicitedEvent and so on), the STag that it invalidated, which is octets of a Scenario or
// empty, and its octets.
func Reported(messages int, flags uint8, stag string, latest []byte) string {
	if stag == "" {
		stag = "00000000"
	}
	return fmt.Sprintf("%08x %08x %02x000000 %s %08x", messages, len(latest), flags, stag, mpa.CRC(latest))
}
