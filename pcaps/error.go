package pcaps

import (
	"cmp"
	"errors"
	"fmt"
	"io"
)

// The errors of this package. Those of reading are wrapped by an [*Error], the others by errors that say more.
var (
	// ErrDamaged means that the file contradicts itself or the format, so that reading cannot continue. The error for a
	// file that merely ends too early wraps [io.ErrUnexpectedEOF] instead.
	ErrDamaged = errors.New("the file is damaged")

	// ErrFormat means that the file is empty, is not a capture, or has a format or version that this package does not
	// read.
	ErrFormat = errors.New("not a readable capture file")

	// ErrShrunk means that a file being followed has become shorter than what was already read of it.
	ErrShrunk = errors.New("the file has shrunk while it was followed: it was begun again or rotated; open it again")

	// ErrLinkType means that the record has another link type than the pcap file being written. Write pcapng instead.
	ErrLinkType = errors.New("a pcap file has one link type for all packets")

	// ErrTooLong means that the record has more octets than [MaxPacket], or more comments than fit in a block that
	// [Reader] accepts, 1 MiB.
	ErrTooLong = errors.New("the record is too long for a capture file")

	// ErrStreamOver means that this side of a [StreamWriter]'s connection has sent its FIN, or the connection was reset.
	ErrStreamOver = errors.New("this side of the connection has ended")

	// ErrFamilies means that the ends of a [StreamWriter]'s connection are not both IPv4 or both IPv6.
	ErrFamilies = errors.New("both ends of a connection need an IPv4 address, or both an IPv6 address")
)

// errCompressed means that compressed octets have changed: where, is not known.
var errCompressed = fmt.Errorf("cannot uncompress: %w", ErrDamaged)

// A formatError is ErrFormat with a text of its own.
type formatError string

func (e formatError) Error() string { return string(e) }

func (e formatError) Unwrap() error { return ErrFormat }

// Error says where reading a capture file failed, and Err why.
type Error struct {
	File   string // name of the file, "" if unknown
	Frame  uint64 // number, within this file, of the packet that could not be read; 0 in the file's header
	Offset int64  // in the uncompressed file, of the record, block or header that could not be read
	Err    error  // wraps ErrDamaged, io.ErrUnexpectedEOF, ErrFormat or an error of the operating system
}

// Error names file, frame and offset, what was wrong, and what is still usable.
func (e *Error) Error() string {
	file := cmp.Or(e.File, "capture")
	if e.Frame == 0 {
		return fmt.Sprintf("%s: %v", file, e.Err)
	}
	fine := ""
	switch before := e.Frame - 1; {
	case before == 0:
	case errors.Is(e.Err, errCompressed):
		fine = "; frames before it may be wrong, too: copy the file again"
	case before == 1:
		fine = "; the one before it is fine"
	default:
		fine = fmt.Sprintf("; the %d before it are fine", before)
	}
	return fmt.Sprintf("%s: frame %d at offset %d: %v%s", file, e.Frame, e.Offset, e.Err, fine)
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// cutError is io.ErrUnexpectedEOF in words: the input ended after got of want octets of something; want is 0 if unknown.
type cutError struct {
	got, want int64
	what      string
}

func (e *cutError) Error() string {
	if e.want == 0 {
		return fmt.Sprintf("the file ends within a %s: it was cut, or is still being written", e.what)
	}
	return fmt.Sprintf("the file ends after %d of the %d octets of a %s: it was cut, or is still being written", e.got, e.want, e.what)
}

func (e *cutError) Is(target error) bool { return target == io.ErrUnexpectedEOF }
