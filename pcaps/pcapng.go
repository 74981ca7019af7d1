package pcaps

import (
	"fmt"
	"io"
)

// The pcapng format, draft-ietf-opsawg-pcapng. A file is a sequence of blocks, section 3.1:
//
//	0  block type
//	4  total length, a multiple of 4
//	8  body, options included
//	…  total length again
//
// A Section Header Block begins a section and tells its byte order; interfaces are numbered within their section.
const (
	blockSectionHeader  = 0x0a0d0d0a // the same in both byte orders
	blockInterface      = 1
	blockObsoletePacket = 2
	blockSimplePacket   = 3
	blockEnhancedPacket = 6

	blockOverhead = 12 // type and both lengths
	trailerLen    = 4  // the second total length

	byteOrderMagic = 0x1a2b3c4d
)

// ngInterface is the part of an Interface Description Block that packets need.
type ngInterface struct {
	link    LinkType
	snapLen uint32 // 0: no limit
	clock   ngClock
}

// nextPcapngPacket reads blocks up to and including the next packet, into rec.
func (r *Reader) nextPcapngPacket(rec *Record) error {
	for {
		if packet, err := r.nextBlock(rec); packet || err != nil {
			return err
		}
	}
}

// packetIsNext reports whether the next block is a packet, or cannot be read.
func (r *Reader) packetIsNext() bool {
	b, err := r.peek(8, "block header")
	if err != nil {
		return true
	}
	return isPacketBlock(r.order.uint32(b))
}

func isPacketBlock(blockType uint32) bool {
	return blockType == blockEnhancedPacket || blockType == blockSimplePacket || blockType == blockObsoletePacket
}

// nextBlock reads one block, and reports whether it was a packet, stored in rec.
func (r *Reader) nextBlock(rec *Record) (packet bool, err error) {
	r.at = r.off
	b, err := r.peek(8, "block header")
	if err != nil {
		return false, err
	}
	// A Section Header Block comes in its own byte order, even its length.
	if r.order.uint32(b) == blockSectionHeader {
		if err := r.startSection(); err != nil {
			return false, err
		}
		b, _ = r.peek(8, "block header")
	}
	blockType, total := r.order.uint32(b), r.order.uint32(b[4:])
	if total < blockOverhead || total%4 != 0 {
		return false, fmt.Errorf("the block says %d octets, not a multiple of 4 from 12: %w", total, ErrDamaged)
	}
	packet = isPacketBlock(blockType)
	if !packet && blockType != blockInterface && (r.copy == nil || total > MaxBlock) {
		if r.copy != nil && blockType == blockSectionHeader {
			r.copy.startSection(r.order, nil)
		}
		return false, r.skipBlock(total)
	}
	if total > MaxBlock {
		return false, fmt.Errorf("the block says %d octets, the limit is %d: %w", total, MaxBlock, ErrDamaged)
	}
	if len(b) < int(total) {
		if b, err = r.peek(int(total), "block"); err != nil {
			return false, err
		}
	}
	b = b[:total]
	body, trailer := b[8:total-trailerLen], b[total-trailerLen:]
	if err := r.checkTrailer(total, trailer); err != nil {
		return false, err
	}
	switch {
	case packet:
		err = r.parsePacket(rec, blockType, body)
	case blockType == blockInterface:
		err = r.addInterface(body)
	}
	if err != nil {
		return false, err
	}
	if r.copy != nil {
		r.copy.take(r.order, blockType, b, rec)
	}
	r.consume(int(total))
	return packet, nil
}

// skipBlock skips a block of any size.
func (r *Reader) skipBlock(total uint32) error {
	if err := r.discard(int64(total)-trailerLen, "block"); err != nil {
		return err
	}
	b, err := r.peek(trailerLen, "block's second length")
	if err == io.EOF {
		return &cutError{int64(total) - trailerLen, int64(total), "block"}
	}
	if err != nil {
		return err
	}
	if err := r.checkTrailer(total, b); err != nil {
		return err
	}
	r.consume(trailerLen)
	return nil
}

// checkTrailer compares the total lengths at the end and at the start of a block.
func (r *Reader) checkTrailer(total uint32, trailer []byte) error {
	if again := r.order.uint32(trailer); again != total {
		return fmt.Errorf("the block says %d octets at its start and %d at its end: %w", total, again, ErrDamaged)
	}
	return nil
}

// startSection takes the byte order from the Section Header Block that comes next, and forgets the interfaces of the
// previous section. Section 4.1:
//
//	 8  byte-order magic
//	12  major version, minor version
//	16  section length, -1 if unknown
//	24  options
func (r *Reader) startSection() error {
	const minLen = 28
	b, err := r.peek(16, "Section Header Block")
	if err != nil {
		return err
	}
	switch {
	case littleEndian.uint32(b[8:]) == byteOrderMagic:
		r.order = littleEndian
	case bigEndian.uint32(b[8:]) == byteOrderMagic:
		r.order = bigEndian
	default:
		return fmt.Errorf("the Section Header Block has the byte-order magic % x, not 1a 2b 3c 4d in either order: %w", b[8:12], ErrDamaged)
	}
	if major, minor := r.order.uint16(b[12:]), r.order.uint16(b[14:]); major != 1 {
		return fmt.Errorf("pcapng version %d.%d, supported is 1.0: %w", major, minor, ErrFormat)
	}
	if total := r.order.uint32(b[4:]); total < minLen {
		return fmt.Errorf("the Section Header Block says %d octets, it has %d at least: %w", total, minLen, ErrDamaged)
	}
	r.interfaces = r.interfaces[:0]
	return nil
}

// addInterface reads the body of an Interface Description Block. Section 4.2:
//
//	0  link type, reserved (16 bits each)
//	4  snapshot length
//	8  options
func (r *Reader) addInterface(body []byte) error {
	if len(body) < 8 {
		return fmt.Errorf("the Interface Description Block has %d octets, it has 20 at least: %w", len(body)+blockOverhead, ErrDamaged)
	}
	if len(r.interfaces) == MaxInterfaces {
		return fmt.Errorf("the section has more than %d interfaces: %w", MaxInterfaces, ErrDamaged)
	}
	added := ngInterface{
		link:    LinkType(r.order.uint16(body)),
		snapLen: r.order.uint32(body[4:]),
		clock:   r.order.clockOf(body[8:]),
	}
	r.interfaces = append(r.interfaces, added)
	if !r.hasLink {
		r.link, r.hasLink = added.link, true
	}
	return nil
}

// parsePacket reads the body of an Enhanced, Simple or obsolete Packet Block.
// Sections 4.3, 4.4 and appendix A:
//
//	   Enhanced                  obsolete                       Simple
//	 0  interface (32 bits)      interface, drops (16 bits)     original length
//	 4  time, upper half         time, upper half               captured octets
//	 8  time, lower half         time, lower half
//	12  captured length          captured length
//	16  original length          original length
//	20  captured octets          captured octets
//	 …  options                  options
func (r *Reader) parsePacket(rec *Record, blockType uint32, body []byte) error {
	header := 20
	if blockType == blockSimplePacket {
		header = 4
	}
	if len(body) < header {
		return fmt.Errorf("the packet's block has %d octets, it has %d at least: %w", len(body)+blockOverhead, header+blockOverhead, ErrDamaged)
	}
	var index, caplen, origLen uint32
	switch blockType {
	case blockEnhancedPacket:
		index, caplen, origLen = r.order.uint32(body), r.order.uint32(body[12:]), r.order.uint32(body[16:])
	case blockObsoletePacket:
		index, caplen, origLen = uint32(r.order.uint16(body)), r.order.uint32(body[12:]), r.order.uint32(body[16:])
	case blockSimplePacket:
		origLen = r.order.uint32(body)
		caplen = origLen
	}
	if int64(index) >= int64(len(r.interfaces)) {
		return fmt.Errorf("the packet is of interface %d, the section has %d interfaces so far: %w", index, len(r.interfaces), ErrDamaged)
	}
	from := &r.interfaces[index]
	rec.Time = 0
	if blockType == blockSimplePacket {
		if from.snapLen != 0 {
			caplen = min(caplen, from.snapLen)
		}
	} else {
		rec.Time = from.clock.nanoseconds(uint64(r.order.uint32(body[4:]))<<32 | uint64(r.order.uint32(body[8:])))
	}
	if caplen > MaxPacket {
		return fmt.Errorf("the packet says %d octets, the limit is %d: %w", caplen, MaxPacket, ErrDamaged)
	}
	end := header + int(caplen)
	if end > len(body) {
		return fmt.Errorf("the packet says %d octets, its block has room for %d: %w", caplen, len(body)-header, ErrDamaged)
	}
	rec.LinkType = from.link
	rec.Interface = index
	rec.Data = body[header:end:end]
	rec.OrigLen = originalLen(origLen, caplen)
	rec.Offset = r.at
	rec.Comments = nil
	if options := padded(end); blockType != blockSimplePacket && options < len(body) {
		rec.Comments = r.order.comments(body[options:])
	}
	r.link, r.hasLink = from.link, true
	return nil
}

// Options of pcapng blocks, draft-ietf-opsawg-pcapng section 3.5: a code and a length of 16 bits each, then the value,
// padded to a multiple of 4. If an option is malformed, those before it still count.
const (
	optEnd     = 0
	optComment = 1

	optSectionApplication = 4

	optInterfaceTimeResolution = 9
	optInterfaceTimeOffset     = 14

	optionHeaderLen = 4
	maxOptionLen    = 65535
)

// nextOption cuts the first option off b. It returns optEnd after the last one.
func (o byteOrder) nextOption(b []byte) (code uint16, value, rest []byte) {
	if len(b) < optionHeaderLen {
		return optEnd, nil, nil
	}
	code, n := o.uint16(b), int(o.uint16(b[2:]))
	b = b[optionHeaderLen:]
	if n > len(b) {
		return optEnd, nil, nil
	}
	return code, b[:n], b[min(padded(n), len(b)):]
}

// comments returns copies of the comments among the options b.
func (o byteOrder) comments(b []byte) []string {
	var comments []string
	for {
		code, value, rest := o.nextOption(b)
		switch code {
		case optEnd:
			return comments
		case optComment:
			comments = append(comments, string(value))
		}
		b = rest
	}
}

// clockOf returns the clock that the options b of an interface describe.
func (o byteOrder) clockOf(b []byte) ngClock {
	clock := ngClock{resolution: defaultResolution}
	for {
		code, value, rest := o.nextOption(b)
		switch {
		case code == optEnd:
			return clock
		case code == optInterfaceTimeResolution && len(value) == 1:
			clock.resolution = value[0]
		case code == optInterfaceTimeOffset && len(value) == 8:
			clock.offset = int64(o.uint64(value))
		}
		b = rest
	}
}
