package cli

// Captures of the traffic of commands that make connections.

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// A recorder writes the traffic of connections as a capture. Its methods may be called concurrently.
type recorder struct {
	file *growing

	mu     sync.Mutex
	begun  bool // something was written
	stream *pcaps.StreamWriter
	conns  map[any]*pcaps.StreamConn
	err    error
}

// A piece is some octets of a connection, or the end of a direction.
type piece struct {
	conn           any // which connection
	client, server netip.AddrPort
	from           pcaps.Side
	time           time.Time
	octets         []byte
	fin, reset     bool
}

// record starts a capture in the file of a flag. Without a file it returns nil, whose close does nothing.
func (a *app) record(flag, name string) (*recorder, error) {
	switch name {
	case "":
		return nil, nil
	case "-":
		return nil, fmt.Errorf("%s needs the name of a file: standard output is for other things", flag)
	}
	if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
		return nil, unreadable(fmt.Errorf("%s: there is no such folder", filepath.Dir(name)))
	}
	r := &recorder{file: &growing{app: a, name: name}, conns: make(map[any]*pcaps.StreamConn)}
	r.stream = pcaps.NewStreamWriter(a.outlet(r.file), pcaps.StreamOptions{Section: pcaps.Section{Application: version()}})
	return r, nil
}

// tap returns the tap of a Device; nil without a file. listens reports whether the peers connect.
func (r *recorder) tap(listens bool) func(driver.Traffic) {
	if r == nil {
		return nil
	}
	return func(t driver.Traffic) {
		p := piece{
			conn: t.Conn, client: addrPort(t.Conn.LocalAddr()), server: addrPort(t.Conn.RemoteAddr()), from: pcaps.Server,
			time: t.Time, octets: t.Octets, fin: t.End == mpa.EndsFIN, reset: t.End == mpa.EndsReset,
		}
		if listens {
			p.client, p.server = p.server, p.client
		}
		if t.Sent != listens {
			p.from = pcaps.Client
		}
		r.take(&p)
	}
}

// take writes a piece of traffic.
func (r *recorder) take(p *piece) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun = true
	c, err := r.conn(p)
	if err == nil {
		err = p.put(c)
	}
	if err == nil && c.Over() {
		delete(r.conns, p.conn)
		err = r.stream.Flush()
	}
	if r.err == nil && !errors.Is(err, pcaps.ErrStreamOver) { // octets were sent after a reset
		r.err = err
	}
}

// put writes the piece to its connection.
func (p *piece) put(c *pcaps.StreamConn) error {
	at := p.time.UnixNano()
	if len(p.octets) > 0 {
		if err := c.Send(p.from, p.octets, at); err != nil {
			return err
		}
	}
	switch {
	case p.fin:
		return c.Finish(p.from, at)
	case p.reset:
		return c.Reset(p.from, at)
	}
	return nil
}

// conn returns the connection in the capture.
func (r *recorder) conn(p *piece) (*pcaps.StreamConn, error) {
	if c := r.conns[p.conn]; c != nil {
		return c, nil
	}
	c, err := r.stream.Open(p.client, p.server, p.time.UnixNano())
	if err != nil {
		return nil, err
	}
	r.conns[p.conn] = c
	return c, nil
}

func addrPort(a net.Addr) netip.AddrPort {
	if tcp, ok := a.(*net.TCPAddr); ok {
		return tcp.AddrPort()
	}
	return netip.AddrPort{}
}

// close completes the file, once all connections are over. Without any, there is none.
func (r *recorder) close() error {
	if r == nil || !r.begun {
		return nil
	}
	if err := cmp.Or(r.err, r.stream.Close(), r.file.Close()); err != nil {
		return r.file.lose(fmt.Errorf("the capture is not complete: %w", err))
	}
	return nil
}
