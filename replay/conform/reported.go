package conform

// Reports of the peer's service about received messages.

import (
	"cmp"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// Reported returns the answer to {report} as octets of a Scenario: the number of messages before it, and of the latest
// one the flags (service.ConformHadSolicitedEvent and so on), the invalidated STag, which is octets of a Scenario or
// empty, and the octets.
func Reported(messages int, flags uint8, stag string, latest []byte) string {
	return fmt.Sprintf("%08x %08x %02x000000 %s %08x", messages, len(latest), flags, cmp.Or(stag, "00000000"), mpa.CRC(latest))
}
