package driver

// The wire: a link whose octets are counted and shown to the Tap.

import (
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/link"
)

// Traffic is octets sent or received at one time, or the end of a direction. The Tap is called in order for each
// direction of a connection, with sent octets before those that they cause. Several goroutines may call it at once. It
// must not use the Device, and of the Conn only Serial, LocalAddr and RemoteAddr. Octets given to TCP may be lost when
// the connection is reset.
type Traffic struct {
	Conn   *Conn
	Time   time.Time
	Sent   bool       // or received
	Octets []byte     // valid until the call returns; after faults
	End    mpa.Ending // how the direction ends; GoesOn if it does not
}

// A wire is the link to the peer. It needs no lock.
type wire struct {
	link   link.Link
	octets atomic.Uint64 // sent and received
	show   func(Traffic) // calls the Tap with the Conn; nil for none
	gone   chan struct{} // closed when the connection is over
}

// tap counts octets and calls the Tap.
func (w *wire) tap(sent bool, octets []byte) {
	w.octets.Add(uint64(len(octets)))
	if w.show != nil && len(octets) > 0 {
		w.show(Traffic{Time: time.Now(), Sent: sent, Octets: octets})
	}
}

// tapEnd calls the Tap with the end of a direction.
func (w *wire) tapEnd(sent bool, e mpa.Ending) {
	if w.show != nil {
		w.show(Traffic{Time: time.Now(), Sent: sent, End: e})
	}
}

// departed calls the Tap if the peer has sent a FIN or a reset.
func (w *wire) departed(err error) {
	switch {
	case errors.Is(err, io.EOF):
		w.tapEnd(false, mpa.EndsFIN)
	case link.DepartureBy(err) == link.ByReset:
		w.tapEnd(false, mpa.EndsReset)
	}
}

// Finish sends a FIN.
func (w *wire) Finish() {
	w.link.Finish()
	w.tapEnd(true, mpa.EndsFIN)
}

func (w *wire) reset() {
	w.tapEnd(true, mpa.EndsReset)
	w.link.Reset()
}

// Send implements fault.Wire.
func (w *wire) Send(b []byte) error {
	w.tap(true, b)
	for len(b) > 0 {
		n, err := w.link.SendSome(b)
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// Pause implements fault.Wire.
func (w *wire) Pause(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-w.gone:
		return ErrInjected
	}
}
