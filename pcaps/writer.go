package pcaps

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// Writer writes a capture file, pcap or pcapng. The output depends on the options and records only: it adds no time, host
// or program of its own. It buffers: call Close or Flush. It is not safe for concurrent use.
type Writer struct {
	out    *bufio.Writer
	format format
	header []byte // scratch

	link       LinkType            // pcap
	interfaces map[LinkType]uint32 // pcapng: index of the interface for each link type
}

// NewPcapWriter returns a Writer of a little-endian pcap file with nanoseconds. All packets have the given link type.
// Comments of records are not written: pcap has no room for them. Later calls return errors of w.
func NewPcapWriter(w io.Writer, link LinkType) *Writer {
	writer := &Writer{out: bufio.NewWriterSize(w, 64<<10), format: formatPcap, link: link}
	b := binary.LittleEndian.AppendUint32(nil, pcapMagicNano)
	b = binary.LittleEndian.AppendUint16(b, pcapVersionMajor)
	b = binary.LittleEndian.AppendUint16(b, pcapVersionMinor)
	b = append(b, make([]byte, 8)...)
	b = binary.LittleEndian.AppendUint32(b, MaxPacket)
	b = binary.LittleEndian.AppendUint32(b, uint32(link))
	writer.out.Write(b)
	return writer
}

// Section describes a section of a pcapng file. Empty fields are not written.
type Section struct {
	Application string // the program that wrote the file
	Comment     string
}

// NewPcapngWriter returns a Writer of a little-endian pcapng file of one section. The first record of a link type adds an
// interface, with nanoseconds. Later calls return errors of w.
func NewPcapngWriter(w io.Writer, section Section) *Writer {
	writer := &Writer{
		out:        bufio.NewWriterSize(w, 64<<10),
		format:     formatPcapng,
		interfaces: map[LinkType]uint32{},
	}
	writer.out.Write(appendSectionHeader(nil, section))
	return writer
}

// WriteRecord writes one packet. It ignores Frame, Interface and Offset of the record. A Time that the format cannot hold
// becomes the nearest one that it can; an OrigLen less than the length of Data becomes that length.
//
// Errors are [ErrLinkType] and [ErrTooLong], after which other records can still be written, and those of the underlying
// writer.
func (w *Writer) WriteRecord(rec *Record) error {
	if len(rec.Data) > MaxPacket {
		return fmt.Errorf("pcaps: frame %d has %d octets, the limit is %d: %w", rec.Frame, len(rec.Data), MaxPacket, ErrTooLong)
	}
	if w.format == formatPcap {
		return w.writePcapRecord(rec)
	}
	return w.writePcapngPacket(rec)
}

// Flush writes what is buffered.
func (w *Writer) Flush() error { return w.out.Flush() }

// Close writes what is buffered. It does not close the underlying writer.
func (w *Writer) Close() error { return w.out.Flush() }

func (w *Writer) writePcapRecord(rec *Record) error {
	if rec.LinkType != w.link {
		return fmt.Errorf("pcaps: frame %d has link type %v, the file has %v: %w", rec.Frame, rec.LinkType, w.link, ErrLinkType)
	}
	const lastTime = (1<<32)*1e9 - 1 // 32 bits of seconds
	time := min(max(rec.Time, 0), lastTime)
	b := binary.LittleEndian.AppendUint32(w.header[:0], uint32(time/1e9))
	b = binary.LittleEndian.AppendUint32(b, uint32(time%1e9))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(rec.Data)))
	b = binary.LittleEndian.AppendUint32(b, rec.wireLen())
	w.header = b
	w.out.Write(b)
	_, err := w.out.Write(rec.Data)
	return err
}

// wireLen returns OrigLen within the 32 bits that files have for it.
func (rec *Record) wireLen() uint32 {
	return uint32(min(int64(max(rec.OrigLen, len(rec.Data))), 1<<32-1))
}
