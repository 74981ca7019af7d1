package nvme

// The Keep Alive Timeout of a host: NVM Express Base Specification 2.0, sections 3.9 and 5.27.1.12.

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// featureKeepAlive is the Feature Identifier of the Keep Alive Timer.
const featureKeepAlive = 0x0f

// keepAlive notes the timeout that the command in f.capsule sets, in milliseconds.
func (f *follower) keepAlive() {
	c := &f.capsule
	if c.QueueID != 0 || len(c.Octets) < commandLen {
		return
	}
	parameters := c.Octets[parametersOff:]
	switch {
	case c.connects():
		f.timeout = time.Duration(connectKATO.Number(parameters)) * time.Millisecond
	case c.Opcode == opSetFeatures && setFID.Number(parameters) == featureKeepAlive:
		f.timeout = time.Duration(featuresCDW.Number(parameters)) * time.Millisecond
	}
}

// Silence implements ulp.Limiting.
func (f *follower) Silence() (flow.Direction, time.Duration) { return flow.C2S, f.timeout }
