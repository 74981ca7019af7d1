package driver

// The Tap: what was really sent and received.

import (
	"errors"
	"io"
	"time"

	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// Traffic is octets that were sent or received at one time, or the end of a direction. The Tap is called in order for
// each direction of a connection, with what is sent before what that causes. Several goroutines may call it at once.
// It must not use the Device, and of the Conn only Serial, LocalAddr and RemoteAddr. Octets that TCP was given may be
// lost when the connection is reset.
type Traffic struct {
	Conn   *Conn
	Time   time.Time
	Sent   bool           // or received
	Octets []byte         // valid until the call returns; after faults
	End    rnicsim.Ending // how the direction ends; GoesOn if it does not
}

// tap counts octets and calls the Tap.
func (c *Conn) tap(sent bool, octets []byte) {
	c.octets.Add(uint64(len(octets)))
	if tap := c.d.config.Tap; tap != nil && len(octets) > 0 {
		tap(Traffic{Conn: c, Time: time.Now(), Sent: sent, Octets: octets})
	}
}

// tapEnd calls the Tap with the end of a direction.
func (c *Conn) tapEnd(sent bool, e rnicsim.Ending) {
	if tap := c.d.config.Tap; tap != nil {
		tap(Traffic{Conn: c, Time: time.Now(), Sent: sent, End: e})
	}
}

// tapDeparture calls the Tap if the peer has sent a FIN or a reset.
func (c *Conn) tapDeparture(err error) {
	switch {
	case errors.Is(err, io.EOF):
		c.tapEnd(false, rnicsim.EndsFIN)
	case link.DepartureBy(err) == link.ByReset:
		c.tapEnd(false, rnicsim.EndsReset)
	}
}
