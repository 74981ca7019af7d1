package pcaps

import (
	"bufio"
	"fmt"
	"io"
)

// A Copy is a [Capture] that writes what it reads to a pcapng file and can add comments to packets.
//
// A pcapng file is copied unchanged: sections with their byte order, interfaces, timestamps with their resolution,
// options, and blocks without packets. Only the length of a section becomes unknown, and blocks of more than 1 MiB
// without packets are left out. A pcap file becomes a section with one interface of the same link type and time
// resolution. If a file is damaged, the part before the damage is copied.
type Copy struct {
	*Capture
	copier *copier
}

// OpenCopy is [Open] for a Copy that writes to w. It buffers: call Close.
func OpenCopy(w io.Writer, names ...string) (*Copy, error) {
	copier := newCopier(w)
	c, err := openCapture(copier, names)
	if err != nil {
		return nil, err
	}
	return &Copy{c, copier}, nil
}

// NewCopy is [NewCapture] for a Copy that writes to w. It buffers: call Close.
func NewCopy(w io.Writer, name string, r io.Reader) (*Copy, error) {
	copier := newCopier(w)
	c, err := newCapture(copier, name, r)
	if err != nil {
		return nil, err
	}
	return &Copy{c, copier}, nil
}

// Comment appends a comment, which should be UTF-8, to those of the latest packet. It fails with [ErrTooLong] and adds
// nothing if the block of the packet would exceed 1 MiB.
func (c *Copy) Comment(comment string) error {
	if !c.copier.comment(comment) {
		return fmt.Errorf("pcaps: the comments of frame %d do not fit a block of %d octets: %w",
			c.Packets(), MaxBlock, ErrTooLong)
	}
	return nil
}

// Err returns the first error of writing; nothing is written after it.
func (c *Copy) Err() error {
	_, err := c.copier.out.Write(nil)
	return err
}

// Close writes what is buffered and closes the file being read, but not w. It returns the first error of writing.
func (c *Copy) Close() error {
	c.copier.packet()
	err := c.copier.out.Flush()
	if closing := c.Capture.Close(); err == nil {
		err = closing
	}
	return err
}

// A copier writes the blocks of pcapng files, and the records of pcap files as blocks. It holds a packet back for its
// comments until the next block is read.
type copier struct {
	out *bufio.Writer

	held     []byte // the block of the packet; nil if none waits
	order    byteOrder
	captured int    // octets of the packet
	comments []byte // to be added

	pcap    pcapSection // of the section being written; zero if it is not from a pcap file
	scratch []byte
	fresh   []byte // the block made of a record
}

func newCopier(w io.Writer) *copier { return &copier{out: bufio.NewWriterSize(w, 64<<10)} }

// A pcapSection is what the header of a pcap file says about all packets.
type pcapSection struct {
	link         LinkType
	snapLen      uint32
	nanosPerUnit int64
}

// enhancedHeaderLen is the length of an Enhanced Packet Block up to the captured octets.
const enhancedHeaderLen = 28

// startPcap begins the section of a pcap file, unless the previous file was of the same kind.
func (c *copier) startPcap(s pcapSection) {
	if c.pcap == s {
		return
	}
	c.pcap = s
	b := appendSectionHeader(c.scratch[:0], Section{})
	resolution := byte(defaultResolution)
	if s.nanosPerUnit == 1 {
		resolution = nanoResolution
	}
	c.scratch = appendInterface(b, s.link, s.snapLen, resolution)
	c.out.Write(c.scratch) // its error stays in c.out
}

// startSection writes a Section Header Block with an unknown section length. It is b, or a new one if b is nil.
func (c *copier) startSection(order byteOrder, b []byte) {
	c.pcap = pcapSection{}
	if b == nil {
		b = order.appendUint32(c.scratch[:0], blockSectionHeader)
		b = order.appendUint32(b, 28)
		b = order.appendUint32(b, byteOrderMagic)
		b = order.appendUint16(b, 1) // version 1.0
		b = order.appendUint16(b, 0)
		b = append(b, "\xff\xff\xff\xff\xff\xff\xff\xff"...)
		c.scratch = order.appendUint32(b, 28)
		c.out.Write(c.scratch)
		return
	}
	c.out.Write(b[:16])
	c.out.WriteString("\xff\xff\xff\xff\xff\xff\xff\xff")
	c.out.Write(b[24:])
}

// take handles a block that was read. The block of a packet, rec, is held back until the next one is read.
func (c *copier) take(order byteOrder, blockType uint32, b []byte, rec *Record) {
	switch {
	case blockType == blockSectionHeader:
		c.startSection(order, b)
	case isPacketBlock(blockType):
		c.hold(order, b, len(rec.Data))
	default:
		c.out.Write(b)
	}
}

// hold holds back the block of a packet until its comments are known.
func (c *copier) hold(order byteOrder, b []byte, captured int) {
	c.held, c.order, c.captured, c.comments = b, order, captured, c.comments[:0]
}

// record makes a block from a record of a pcap file.
func (c *copier) record(rec *Record) {
	units := uint64(rec.Time / c.pcap.nanosPerUnit)
	c.fresh = littleEndian.appendEnhanced(c.fresh[:0], units, rec.wireLen(), rec.Data)
	c.hold(littleEndian, c.fresh, len(rec.Data))
}

// comment keeps a comment for the packet, if it fits.
func (c *copier) comment(comment string) bool {
	if c.held == nil {
		return true
	}
	const end = optionHeaderLen
	const enhanced = enhancedHeaderLen + trailerLen // of a Simple Packet Block that becomes an Enhanced one
	n := optionLen(comment)
	if len(c.held)+enhanced+len(c.comments)+optionHeaderLen+padded(n)+end > MaxBlock {
		return false
	}
	c.comments = c.order.appendUint16(c.comments, optComment)
	c.comments = c.order.appendUint16(c.comments, uint16(n))
	c.comments = append(c.comments, comment[:n]...)
	c.comments = appendPadding(c.comments, n)
	return true
}

// packet writes the packet that was held back.
func (c *copier) packet() {
	b := c.held
	if c.held = nil; b == nil || len(c.comments) == 0 {
		c.out.Write(b)
		return
	}
	if c.order.uint32(b) == blockSimplePacket {
		b = c.enhance(b)
	}
	body := b[:len(b)-trailerLen]
	at := len(body) - len(c.order.afterOptions(body[enhancedHeaderLen+padded(c.captured):]))
	if at == len(body) {
		c.comments = append(c.comments, 0, 0, 0, 0) // optEnd and its length
	}
	c.scratch = c.order.appendUint32(c.scratch[:0], uint32(len(b)+len(c.comments)))
	c.out.Write(b[:4])
	c.out.Write(c.scratch)
	c.out.Write(b[8:at])
	c.out.Write(c.comments)
	c.out.Write(body[at:])
	c.out.Write(c.scratch)
}

// enhance turns a Simple Packet Block, which has no room for options, into an Enhanced one with time 0.
func (c *copier) enhance(simple []byte) []byte {
	const header = 12
	c.fresh = c.order.appendEnhanced(c.fresh[:0], 0, c.order.uint32(simple[8:]), simple[header:header+c.captured])
	return c.fresh
}

// afterOptions returns what follows the well-formed options at the start of b: the end of options, malformed octets, or
// nothing.
func (o byteOrder) afterOptions(b []byte) []byte {
	for {
		code, _, rest := o.nextOption(b)
		if code == optEnd {
			return b
		}
		b = rest
	}
}

// appendEnhanced appends an Enhanced Packet Block of interface 0, without options.
func (o byteOrder) appendEnhanced(b []byte, units uint64, origLen uint32, data []byte) []byte {
	total := uint32(enhancedHeaderLen + padded(len(data)) + trailerLen)
	header := [...]uint32{blockEnhancedPacket, total, 0, uint32(units >> 32), uint32(units), uint32(len(data)), origLen}
	for _, v := range header {
		b = o.appendUint32(b, v)
	}
	b = append(b, data...)
	b = appendPadding(b, len(data))
	return o.appendUint32(b, total)
}
