package cli

// Captures of the traffic of commands that make connections.

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// A recorder writes the traffic of connections as a capture. Its methods may be called concurrently.
type recorder struct {
	file   *growing // nil for none
	out    io.Writer
	atOnce bool // write each piece at once, for the next one may crash this host
	rotation

	mu     sync.Mutex
	begun  bool      // something was written
	over   bool      // nothing more is
	since  time.Time // that of the first piece in the file; zero before it
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
	comment        string        // of an empty packet
	cut            string        // the comment of a reset that neither side sent: the capture shows one from each
	about          func() string // makes the comment of the connection's first packet; nil for none
}

// A rotation says when a capture goes on in another file. The zero value is never.
type rotation struct {
	size  uint64        // octets of a file
	every time.Duration // since its first packet
}

// record starts a capture in the file of a flag. Without a file it returns nil, whose close does nothing.
func (a *app) record(flag, name string) (*recorder, error) {
	if name == "" {
		return nil, nil
	}
	return a.recordEach(flag, name, rotation{}, nil)
}

// recordEach starts a capture that may go on in further files. each is called with every packet; nil for nothing. Without the name of a
// file, there is only each.
func (a *app) recordEach(flag, name string, rotates rotation, each func(*pcaps.Record)) (*recorder, error) {
	r := &recorder{rotation: rotates, conns: make(map[any]*pcaps.StreamConn), out: io.Discard}
	switch info, err := os.Stat(filepath.Dir(name)); {
	case name == "":
	case name == "-":
		return nil, fmt.Errorf("%s needs the name of a file: standard output is for other things", flag)
	case err != nil || !info.IsDir():
		return nil, unreadable(usage.Unwritten(name, cmp.Or(err, fs.ErrNotExist)))
	default:
		if _, err := a.replaced(name, nil); err != nil {
			return nil, err
		}
		r.file = &growing{app: a, name: name, several: rotates != rotation{}}
		r.out = a.outlet(r.file)
	}
	r.stream = pcaps.NewStreamWriter(r.out, pcaps.StreamOptions{Section: pcaps.Section{Application: version()}, Each: each})
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
	if r.over {
		return
	}
	r.begun = true
	err := r.rotate(p.time)
	c, opening := r.conn(p)
	err = cmp.Or(err, opening)
	if err == nil {
		if p.cut != "" {
			r.stream.Comment(p.cut)
		}
		err = p.put(c)
	}
	ended := err == nil && c.Over()
	if ended {
		delete(r.conns, p.conn)
	}
	if err == nil && (ended || r.atOnce) {
		err = r.stream.Flush()
	}
	if r.err == nil && !errors.Is(err, pcaps.ErrStreamOver) { // octets were sent after a reset
		r.err = err
	}
}

// comment adds an empty packet with a comment to a connection, unless that is over.
func (r *recorder) comment(conn any, text string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.conns[conn]
	if c == nil {
		return
	}
	if err := c.Comment(pcaps.Server, text, time.Now().UnixNano()); !errors.Is(err, pcaps.ErrStreamOver) {
		r.err = cmp.Or(r.err, err)
	}
}

// rotate goes on in another file if the one that is written is full or old enough.
func (r *recorder) rotate(now time.Time) error {
	if r.since.IsZero() {
		r.since = now
	}
	full := r.file != nil && (r.size > 0 && r.file.octets >= r.size || r.every > 0 && now.Sub(r.since) >= r.every)
	if !full {
		return nil
	}
	r.since = now
	return cmp.Or(r.stream.Flush(), r.file.next(), r.stream.Continue(r.out))
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
	case p.comment != "":
		return c.Comment(p.from, p.comment, at)
	case p.fin:
		return c.Finish(p.from, at)
	case p.reset && p.cut != "":
		return cmp.Or(c.Reset(pcaps.Client, at), c.Reset(pcaps.Server, at))
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
	if p.about != nil {
		r.stream.Comment(p.about())
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

// close completes the file. Traffic that comes later is left out. Without any before it, there is no file.
func (r *recorder) close() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	if !r.begun || r.file == nil {
		return nil
	}
	if err := cmp.Or(r.err, r.stream.Close(), r.file.Close()); err != nil {
		return r.file.lose(fmt.Errorf("the capture is not complete: %w", err))
	}
	return nil
}
