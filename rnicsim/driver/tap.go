package driver

// The Tap: what was really sent and received.

import (
	"errors"
	"io"
	"time"

	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// Traffic is what went over a connection at one time. A Tap is called with it by the goroutine that sends or has received:
// in order for each direction of a connection, and with what is sent before what it leads to. Calls may come at once, and
// must not use the Device: of the Conn only Serial, LocalAddr and RemoteAddr. What is sent is what TCP is given; when a
// connection is reset the end of it may be lost.
type Traffic struct {
	Conn   *Conn
	Time   time.Time
	Sent   bool           // else received
	Octets []byte         // valid until the call returns; after faults
	End    rnicsim.Ending // how the direction ends with it; GoesOn if it does not
}

// tap counts octets, and tells of them.
func (c *Conn) tap(sent bool, octets []byte) {
	c.octets.Add(uint64(len(octets)))
	if tap := c.d.config.Tap; tap != nil && len(octets) > 0 {
		tap(Traffic{Conn: c, Time: time.Now(), Sent: sent, Octets: octets})
	}
}

// tapEnd tells of the end of a direction.
func (c *Conn) tapEnd(sent bool, e rnicsim.Ending) {
	if tap := c.d.config.Tap; tap != nil {
		tap(Traffic{Conn: c, Time: time.Now(), Sent: sent, End: e})
	}
}

// tapDeparture tells how the peer has gone, if it has.
func (c *Conn) tapDeparture(err error) {
	switch {
	case errors.Is(err, io.EOF):
		c.tapEnd(false, rnicsim.EndsFIN)
	case link.DepartureBy(err) == link.ByReset:
		c.tapEnd(false, rnicsim.EndsReset)
	}
}
