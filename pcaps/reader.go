package pcaps

// Reading one file, packet by packet.

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
)

const (
	// bufferSize is enough for the longest block.
	bufferSize = 1 << 20

	// chunkSize is how many octets are read at a time, each time to the start of the buffer: few calls of the system, and
	// packets that are still in the cache.
	chunkSize = 256 << 10

	// firstSize is enough for all of a small file.
	firstSize = 64 << 10
)

// Reader reads the packets of one capture file. The zero Reader is ready for Reset. It is not safe for concurrent use.
// It is also a PacketDataSource and a ZeroCopyPacketDataSource of github.com/google/gopacket.
type Reader struct {
	name string
	in   window        // on the uncompressed file
	raw  *bufio.Reader // what gunzip reads from; nil unless the file was gzip
	gz   *gzip.Reader

	file     source // as it was given
	unzipped source // what gunzip makes of it; empty if it is not compressed

	format format
	order  byteOrder
	off    int64  // of the first octet of in
	at     int64  // of the record or block being read
	frame  uint64 // packets read
	err    error  // ends the file: io.EOF or the *Error still to be reported

	nanosPerUnit int64         // pcap: of the fraction in a record's time
	interfaces   []ngInterface // pcapng: of the section so far
	link         LinkType      // of the last packet, or of the first interface
	hasLink      bool

	copy    *copier // writes what is read; may be nil
	scratch Record  // for the gopacket methods
}

type format uint8

const (
	formatPcap format = iota
	formatPcapng
)

// NewReader returns a Reader of the capture file r, which may be a pipe. It reads the header of the file; the first
// octets tell the format, and whether the file is compressed with gzip. Errors name r if it has a method Name, as
// [os.File] has.
//
// The error is an [*Error]. It wraps [ErrFormat] if r is empty, is not a capture or has an unknown version, and
// [io.ErrUnexpectedEOF] if r ends within its header.
func NewReader(r io.Reader) (*Reader, error) {
	reader := new(Reader)
	if err := reader.Reset(r); err != nil {
		return nil, err
	}
	return reader, nil
}

// Reset makes the Reader read another file with the same buffers. Errors are those of [NewReader].
func (r *Reader) Reset(file io.Reader) error {
	name := ""
	if named, ok := file.(interface{ Name() string }); ok {
		name = named.Name()
	}
	return r.reset(name, file)
}

func (r *Reader) reset(name string, file io.Reader) error {
	*r = Reader{name: name, in: r.in, raw: r.raw, gz: r.gz, interfaces: r.interfaces, copy: r.copy}
	if err := r.start(file); err != nil {
		r.err = io.EOF
		return &Error{File: r.name, Err: err}
	}
	return nil
}

// start reads the header of the capture, and uncompresses the file if necessary.
func (r *Reader) start(file io.Reader) error {
	r.file.Reader = file
	r.in.reset(&r.file)
	magic, err := r.in.peek(4)
	if len(magic) == 0 && err == io.EOF {
		return formatError("the file is empty: not even a header was written")
	}
	if len(magic) >= 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		if r.raw == nil {
			r.raw = bufio.NewReaderSize(nil, firstSize)
		}
		r.raw.Reset(io.MultiReader(bytes.NewReader(bytes.Clone(r.in.rest())), &r.file))
		if r.gz == nil {
			r.gz = new(gzip.Reader)
		}
		if err := r.gz.Reset(r.raw); err != nil {
			return inputError(err, 0, 0, "gzip header")
		}
		r.unzipped.Reader = r.gz
		r.in.reset(&r.unzipped)
		magic, err = r.in.peek(4)
		if len(magic) == 0 && err == io.EOF {
			return fmt.Errorf("the gzip data uncompresses to nothing: %w", ErrFormat)
		}
	}
	if len(magic) < 4 {
		return inputError(err, len(magic), 4, "file header")
	}
	if binary.BigEndian.Uint32(magic) == blockSectionHeader {
		r.format = formatPcapng
		_, err := r.nextBlock(nil)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return r.startPcap(magic)
}

// Next reads the next packet into rec. Its Data is valid until the next call.
//
// It returns [io.EOF] at the end of the file, if that is the end of a packet or block. Any other error is an [*Error] and
// is returned once: no packet can be found after the damage, so later calls return io.EOF.
func (r *Reader) Next(rec *Record) error {
	if r.copy != nil {
		r.copy.packet()
	}
	if r.err == nil {
		var err error
		if r.format == formatPcap {
			err = r.nextPcapRecord(rec)
		} else {
			err = r.nextPcapngPacket(rec)
		}
		if err == nil {
			r.frame++
			rec.Frame = r.frame
			return nil
		}
		r.fail(err)
	}
	err := r.err
	r.err = io.EOF
	return err
}

// fail stores the error that ends the file, for Next to return.
func (r *Reader) fail(err error) {
	if err != io.EOF {
		err = &Error{File: r.name, Frame: r.frame + 1, Offset: r.at, Err: err}
	}
	r.err = err
}

// FileBytes returns the number of octets read so far of the uncompressed file, which may be ahead of the packets: at the
// end of an undamaged file, its size.
func (r *Reader) FileBytes() int64 {
	if r.unzipped.Reader != nil {
		return r.unzipped.octets
	}
	return r.file.octets
}

// LinkType returns the link type of the latest packet, or before the first one that of the first interface, for which it
// reads up to the first interface or packet. It returns LinkTypeNull if there is neither. Only in pcapng files do the
// link types of packets differ.
func (r *Reader) LinkType() LinkType {
	for !r.hasLink && r.err == nil && r.format == formatPcapng && !r.packetIsNext() {
		if _, err := r.nextBlock(nil); err != nil {
			r.fail(err)
		}
	}
	return r.link
}

// peek returns the octets in memory, of the next n at least, at most bufferSize, without consuming them. The error is io.EOF
// if there are none.
func (r *Reader) peek(n int, what string) ([]byte, error) {
	if b := r.in.rest(); len(b) >= n {
		return b, nil
	}
	return r.fill(n, what)
}

func (r *Reader) fill(n int, what string) ([]byte, error) {
	b, err := r.in.fill(n)
	if err == nil {
		return b, nil
	}
	if err == io.EOF && len(b) == 0 {
		return nil, io.EOF
	}
	return b, inputError(err, len(b), n, what)
}

// consume consumes n octets that were peeked at.
func (r *Reader) consume(n int) {
	r.in.from += n
	r.off += int64(n)
}

// discard consumes n octets that were not all peeked at.
func (r *Reader) discard(n int64, what string) error {
	done, err := r.in.skip(n)
	r.off += done
	if err != nil {
		return inputError(err, done, n, what)
	}
	return nil
}

// inputError explains why only got of want octets could be read.
func inputError[N int | int64](err error, got, want N, what string) error {
	var (
		corrupt flate.CorruptInputError
		path    *fs.PathError // names the file, as Error does
	)
	switch {
	case err == io.EOF, err == io.ErrUnexpectedEOF: // the latter from gzip
		return &cutError{int64(got), int64(want), what}
	case errors.As(err, &corrupt), err == gzip.ErrChecksum, err == gzip.ErrHeader:
		return fmt.Errorf("%w: %w", errCompressed, err)
	case errors.As(err, &path):
		err = path.Err
	}
	return fmt.Errorf("cannot read: %w", err)
}

// A source reads a file, or what gunzip makes of it, in chunks and counts the octets.
type source struct {
	io.Reader
	octets int64
}

func (s *source) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b[:min(len(b), chunkSize)])
	s.octets += int64(n)
	return n, err
}

// byteOrder is that of a pcap file or of a section of a pcapng file.
type byteOrder bool

const (
	littleEndian byteOrder = false
	bigEndian    byteOrder = true
)

func (o byteOrder) uint16(b []byte) uint16 {
	if o == bigEndian {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

func (o byteOrder) uint32(b []byte) uint32 {
	if o == bigEndian {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

func (o byteOrder) uint64(b []byte) uint64 {
	if o == bigEndian {
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}

func (o byteOrder) appendUint16(b []byte, v uint16) []byte {
	if o == bigEndian {
		return binary.BigEndian.AppendUint16(b, v)
	}
	return binary.LittleEndian.AppendUint16(b, v)
}

func (o byteOrder) appendUint32(b []byte, v uint32) []byte {
	if o == bigEndian {
		return binary.BigEndian.AppendUint32(b, v)
	}
	return binary.LittleEndian.AppendUint32(b, v)
}

// The limits of a file. A file that states more is damaged there.
const (
	// MaxPacket is the greatest number of captured octets of a packet, as in Wireshark and tcpdump.
	MaxPacket = 262144

	// MaxBlock is the length of the longest packet or interface block of pcapng, in octets: MaxPacket and plenty of options. It
	// fits in the buffer. Skipped blocks have no limit.
	MaxBlock = bufferSize

	// MaxInterfaces is that of a section of pcapng; the obsolete Packet Block has 16 bits for an interface.
	MaxInterfaces = 1 << 16
)

// Record is one captured packet.
type Record struct {
	Frame     uint64   // number of the packet in the capture, from 1, across all files of a Capture
	Time      int64    // nanoseconds since 1970-01-01 UTC; 0 in a Simple Packet Block; saturates
	LinkType  LinkType // how Data begins
	Interface uint32   // pcapng: index of the interface within its section; pcap: 0
	Data      []byte   // captured octets, at most MaxPacket; valid until the next call of Next
	OrigLen   int      // octets on the wire, never less than len(Data)
	Offset    int64    // of the record or block in the uncompressed file
	Comments  []string // as stored, perhaps not UTF-8; nil without comments; may be kept
}

// originalLen returns OrigLen for the two lengths that a file states. It saturates on 32-bit machines.
func originalLen(stated, captured uint32) int {
	return int(min(uint64(max(stated, captured)), math.MaxInt))
}
