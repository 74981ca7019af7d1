package pcaps

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
)

// SynthesisedHeaders begins the comment of the section that a [StreamWriter] writes.
const SynthesisedHeaders = "The IP and TCP headers are synthesised: the octets in the TCP segments were sent and received, the packets around them never existed."

// A Side is one end of a TCP connection.
type Side uint8

// The sides.
const (
	Client Side = iota // the side that opened the connection
	Server
)

// StreamOptions say how a [StreamWriter] writes.
type StreamOptions struct {
	Section Section // its Comment follows SynthesisedHeaders
	MSS     int     // octets in a TCP segment, at most 65,475; 0 to send as many as each call writes

	Each func(*Record) // called with each packet that was written, which is valid until it returns; nil for nothing
}

// A StreamWriter writes the octets of TCP connections as a pcapng file of raw IP packets. It makes up everything around
// the octets: IPv4 or IPv6 and TCP headers with correct sequence numbers, acknowledgements and checksums, handshakes,
// FINs and resets. A segment begins where a write begins and is cut at the MSS. No packet is lost, late or sent twice,
// and a side acknowledges all that the other side has sent so far.
//
// The output depends only on the options and calls. It is buffered: call Close or Flush. A StreamWriter and its connections are
// not safe for concurrent use.
type StreamWriter struct {
	out         *Writer
	section     Section
	each        func(*Record)
	mss         int
	connections uint32
	latest      int64 // time of the previous packet
	record      Record
	err         error // of the first packet that could not be written
}

// NewStreamWriter returns a StreamWriter that writes to w. Later calls return errors of w.
func NewStreamWriter(w io.Writer, options StreamOptions) *StreamWriter {
	section := options.Section
	if section.Comment != "" {
		section.Comment = " " + section.Comment
	}
	section.Comment = SynthesisedHeaders + section.Comment
	mss := options.MSS
	if mss <= 0 || mss > maxSegment {
		mss = maxSegment
	}
	return &StreamWriter{out: NewPcapngWriter(w, section), section: section, each: options.Each, mss: mss}
}

// Continue flushes, and goes on in another file. Connections that are open there go on without a handshake. Errors are those of Flush.
func (w *StreamWriter) Continue(in io.Writer) error {
	err := w.Flush()
	w.out = NewPcapngWriter(in, w.section)
	return err
}

// Comment gives the next packet a comment.
func (w *StreamWriter) Comment(text string) { w.record.Comments = append(w.record.Comments, text) }

// Flush writes what is buffered.
func (w *StreamWriter) Flush() error { return errors.Join(w.err, w.out.Flush()) }

// Close writes what is buffered. It ends no connection, and does not close the underlying writer.
func (w *StreamWriter) Close() error { return w.Flush() }

// Open begins a connection: it writes the three packets of the handshake. Zones of IPv6 addresses are not written. Times
// are nanoseconds since 1970-01-01 UTC; a time before that of the previous packet is replaced by that. Errors are
// [ErrFamilies] and those of the underlying writer.
func (w *StreamWriter) Open(client, server netip.AddrPort, at int64) (*StreamConn, error) {
	c := &StreamConn{writer: w}
	for side, addr := range [...]netip.AddrPort{client, server} {
		ip := addr.Addr().Unmap().WithZone("")
		c.addr[side] = netip.AddrPortFrom(ip, addr.Port())
	}
	if a, b := c.addr[Client].Addr(), c.addr[Server].Addr(); !a.IsValid() || a.BitLen() != b.BitLen() {
		return nil, fmt.Errorf("pcaps: %v to %v: %w", client, server, ErrFamilies)
	}
	w.connections++
	for side := range c.next {
		c.next[side] = initialSequence(w.connections, Side(side))
	}
	c.packet(Client, flagSYN, nil, at)
	c.packet(Server, flagSYN|flagACK, nil, at)
	c.packet(Client, flagACK, nil, at)
	return c, w.err
}

// initialSequence returns the first sequence number of a side. It differs in each connection, so that readers recognise
// a new connection between the same ports.
func initialSequence(connection uint32, side Side) uint32 {
	const spread = 0x9e3779b1 // an odd number far from any that packets add
	return (2*connection + uint32(side)) * spread
}

// A StreamConn is a connection that a [StreamWriter] writes.
type StreamConn struct {
	writer *StreamWriter
	addr   [2]netip.AddrPort
	next   [2]uint32 // sequence numbers
	acked  [2]uint32 // what the other side has acknowledged
	ended  [2]bool   // the side has sent a FIN
	reset  [2]bool
}

// Send writes octets that a side has sent. Errors are [ErrStreamOver] and those of the underlying writer.
func (c *StreamConn) Send(from Side, octets []byte, at int64) error {
	if c.wasReset() || c.ended[from] {
		return fmt.Errorf("pcaps: octets of %v: %w", c.addr[from], ErrStreamOver)
	}
	for len(octets) > 0 {
		n := min(len(octets), c.writer.mss)
		flags := flagACK
		if n == len(octets) {
			flags |= flagPSH
		}
		c.packet(from, flags, octets[:n], at)
		octets = octets[n:]
		if c.next[from]-c.acked[from] >= ackEvery {
			c.packet(1-from, flagACK, nil, at)
		}
	}
	return c.writer.err
}

// Comment writes an empty packet of a side with a comment. Errors are those of Send.
func (c *StreamConn) Comment(from Side, text string, at int64) error {
	if c.wasReset() || c.ended[from] {
		return fmt.Errorf("pcaps: comment of %v: %w", c.addr[from], ErrStreamOver)
	}
	c.writer.Comment(text)
	c.packet(from, flagACK, nil, at)
	return c.writer.err
}

// Finish writes the FIN of a side, and after that of the second side the last acknowledgement. Errors are
// [ErrStreamOver] and those of the underlying writer.
func (c *StreamConn) Finish(from Side, at int64) error {
	if c.wasReset() || c.ended[from] {
		return fmt.Errorf("pcaps: FIN of %v: %w", c.addr[from], ErrStreamOver)
	}
	c.packet(from, flagFIN|flagACK, nil, at)
	c.ended[from] = true
	if c.ended[1-from] {
		c.packet(1-from, flagACK, nil, at)
	}
	return c.writer.err
}

// Reset writes a reset by a side, which may have sent a FIN before. After that of one side, the other may reset the connection too.
// Errors are [ErrStreamOver], if the side has reset it or both sides have sent a FIN, and those of the underlying writer.
func (c *StreamConn) Reset(from Side, at int64) error {
	if c.reset[from] || c.ended[Client] && c.ended[Server] {
		return fmt.Errorf("pcaps: reset by %v: %w", c.addr[from], ErrStreamOver)
	}
	c.packet(from, flagRST|flagACK, nil, at)
	c.reset[from] = true
	return c.writer.err
}

// Over reports whether the connection was reset or both sides have sent a FIN.
func (c *StreamConn) Over() bool { return c.wasReset() || c.ended[Client] && c.ended[Server] }

func (c *StreamConn) wasReset() bool { return c.reset[Client] || c.reset[Server] }
