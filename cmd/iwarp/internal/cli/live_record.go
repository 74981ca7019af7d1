package cli

// The flag -w of commands that make connections: their own traffic as a capture.

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"

	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// A recorder writes the traffic of a Device as a capture. Its functions may be called at once.
type recorder struct {
	listens bool // the peers are those who connect
	finish  func() error

	mu     sync.Mutex
	stream *pcaps.StreamWriter
	conns  map[*driver.Conn]*pcaps.StreamConn
	err    error
}

// record begins to write the traffic of a Device to the file that -w names. Without -w it returns nil, of which close
// may be called.
func (l *live) record(listens bool) (*recorder, error) {
	switch l.write {
	case "":
		return nil, nil
	case "-":
		return nil, errors.New("-w needs the name of a file: standard output is for other things")
	}
	w, _, finish, err := l.create(l.write, nil)
	if err != nil {
		return nil, err
	}
	r := &recorder{listens: listens, finish: finish, conns: make(map[*driver.Conn]*pcaps.StreamConn)}
	r.stream = pcaps.NewStreamWriter(w, pcaps.StreamOptions{Section: pcaps.Section{Application: version()}})
	if err := r.stream.Flush(); err != nil {
		return nil, unreadable(err)
	}
	return r, nil
}

// tap is what the Device calls; nil without -w.
func (r *recorder) tap() func(driver.Traffic) {
	if r == nil {
		return nil
	}
	return r.take
}

// take writes octets, or the end of a direction.
func (r *recorder) take(t driver.Traffic) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c, err := r.conn(&t)
	if err == nil {
		err = put(c, t, r.side(t.Sent))
	}
	if err == nil && c.Over() {
		delete(r.conns, t.Conn)
		err = r.stream.Flush()
	}
	if r.err == nil && !errors.Is(err, pcaps.ErrStreamOver) { // that is a reset on the way of what was sent
		r.err = err
	}
}

// side is who has sent something.
func (r *recorder) side(sent bool) pcaps.Side {
	if sent != r.listens {
		return pcaps.Client
	}
	return pcaps.Server
}

// put writes one piece of traffic.
func put(c *pcaps.StreamConn, t driver.Traffic, from pcaps.Side) error {
	at := t.Time.UnixNano()
	if len(t.Octets) > 0 {
		if err := c.Send(from, t.Octets, at); err != nil {
			return err
		}
	}
	switch t.End {
	case rnicsim.EndsFIN:
		return c.Finish(from, at)
	case rnicsim.EndsReset:
		return c.Reset(from, at)
	}
	return nil
}

// conn is the connection in the capture.
func (r *recorder) conn(t *driver.Traffic) (*pcaps.StreamConn, error) {
	if c := r.conns[t.Conn]; c != nil {
		return c, nil
	}
	ends := [2]netip.AddrPort{addrPort(t.Conn.LocalAddr()), addrPort(t.Conn.RemoteAddr())}
	if r.listens {
		ends[0], ends[1] = ends[1], ends[0]
	}
	c, err := r.stream.Open(ends[0], ends[1], t.Time.UnixNano())
	if err != nil {
		return nil, err
	}
	r.conns[t.Conn] = c
	return c, nil
}

func addrPort(a net.Addr) netip.AddrPort {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.AddrPort()
	}
	return netip.AddrPort{}
}

// close completes the file, once the Device is closed.
func (r *recorder) close() error {
	if r == nil {
		return nil
	}
	if err := errors.Join(r.err, r.stream.Close(), r.finish()); err != nil {
		return unreadable(fmt.Errorf("the capture is not complete: %w", err))
	}
	return nil
}
