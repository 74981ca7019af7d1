package pcaps

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// The pcap format, draft-ietf-opsawg-pcap, sections 4 and 5. The magic number
// tells the byte order of both headers and the unit of the fractions.
//
//	file header                         record header
//	 0  magic number                     0  seconds since 1970-01-01 UTC
//	 4  major version, minor version     4  microseconds or nanoseconds
//	 8  reserved, was time zone          8  captured length
//	12  reserved, was accuracy          12  original length
//	16  snapshot length                 16  captured octets
//	20  FCS length, link type
const (
	pcapHeaderLen       = 24
	pcapRecordHeaderLen = 16

	pcapMagicMicro = 0xa1b2c3d4
	pcapMagicNano  = 0xa1b23c4d

	pcapVersionMajor = 2
	pcapVersionMinor = 4
)

// startPcap reads the file header. It ignores the snapshot length, which in some files is 0 or less than the length of
// packets.
func (r *Reader) startPcap(magic []byte) error {
	for _, order := range []byteOrder{littleEndian, bigEndian} {
		switch order.uint32(magic) {
		case pcapMagicMicro:
			r.order, r.nanosPerUnit = order, 1000
		case pcapMagicNano:
			r.order, r.nanosPerUnit = order, 1
		}
	}
	if r.nanosPerUnit == 0 {
		return unknownMagic(magic)
	}
	b, err := r.peek(pcapHeaderLen, "pcap file header")
	if err != nil {
		return err
	}
	if major, minor := r.order.uint16(b[4:]), r.order.uint16(b[6:]); major != pcapVersionMajor {
		return fmt.Errorf("pcap version %d.%d, supported is 2.4: %w", major, minor, ErrFormat)
	}
	// The upper half holds the length of the frame check sequence.
	r.link, r.hasLink = LinkType(r.order.uint32(b[20:])), true
	if r.copy != nil {
		r.copy.startPcap(pcapSection{r.link, r.order.uint32(b[16:]), r.nanosPerUnit})
	}
	r.consume(pcapHeaderLen)
	return nil
}

// unknownMagic says what a file that begins with magic might be.
func unknownMagic(magic []byte) error {
	advice := "supported formats: pcap and pcapng, plain or gzip; editcap -F pcapng converts other capture formats"
	for _, other := range []struct{ magic, advice string }{
		{"\x28\xb5\x2f\xfd", "it looks like zstd: uncompress it first"},
		{"\x04\x22\x4d\x18", "it looks like lz4: uncompress it first"},
		{"\xfd7zX", "it looks like xz: uncompress it first"},
		{"BZh", "it looks like bzip2: uncompress it first"},
		{"PK\x03\x04", "it looks like zip: unpack it first"},
	} {
		if string(magic[:len(other.magic)]) == other.magic {
			advice = other.advice
		}
	}
	return fmt.Errorf("the file starts with % x: %w; %s", magic, ErrFormat, advice)
}

// nextPcapRecord reads one record into rec, all fields but Frame.
func (r *Reader) nextPcapRecord(rec *Record) error {
	r.at = r.off
	b, err := r.peek(pcapRecordHeaderLen, "record header")
	if err != nil {
		return err
	}
	header := (*[pcapRecordHeaderLen]byte)(b) // which needs no checks of bounds
	seconds, fraction := binary.LittleEndian.Uint32(header[0:]), binary.LittleEndian.Uint32(header[4:])
	caplen, origLen := binary.LittleEndian.Uint32(header[8:]), binary.LittleEndian.Uint32(header[12:])
	if r.order == bigEndian {
		seconds, fraction = bits.ReverseBytes32(seconds), bits.ReverseBytes32(fraction)
		caplen, origLen = bits.ReverseBytes32(caplen), bits.ReverseBytes32(origLen)
	}
	if caplen == 0 || caplen > MaxPacket {
		if err := r.checkLength(caplen, header); err != nil {
			return err
		}
	}
	n := pcapRecordHeaderLen + int(caplen)
	if len(b) < n {
		if b, err = r.peek(n, "record"); err != nil {
			return err
		}
	}
	// Neither product can overflow: both factors have 32 bits or less.
	rec.Time = int64(seconds)*1e9 + int64(fraction)*r.nanosPerUnit
	rec.LinkType = r.link
	rec.Interface = 0
	rec.Data = b[pcapRecordHeaderLen:n:n]
	rec.OrigLen = originalLen(origLen, caplen)
	rec.Offset = r.at
	rec.Comments = nil
	if r.copy != nil {
		r.copy.record(rec)
	}
	r.consume(n)
	return nil
}

// checkLength returns an error if a record, which begins with header, cannot have caplen octets.
func (r *Reader) checkLength(caplen uint32, header *[pcapRecordHeaderLen]byte) error {
	switch {
	case caplen > MaxPacket:
		return fmt.Errorf("the record says %d octets, the limit is %d: %w", caplen, MaxPacket, ErrDamaged)
	case r.isZeros(header):
		return fmt.Errorf("there are zeros where a record begins: %w", ErrDamaged)
	}
	return nil
}

// isZeros reports whether a header of zeros, that of an empty packet, is the first of many zeros: a file system leaves them in the place of
// octets that were never written.
func (r *Reader) isZeros(header *[pcapRecordHeaderLen]byte) bool {
	const many = 8 * pcapRecordHeaderLen
	if *header != [pcapRecordHeaderLen]byte{} {
		return false
	}
	b, err := r.in.peek(many)
	return err == nil && [many]byte(b) == [many]byte{}
}
