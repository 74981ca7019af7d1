package pcaps_test

// Capture files built field by field, independently of the package's Writer.

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/iwarpkit/iwarp/pcaps"
)

// byteOrder is one of the two orders of encoding/binary.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

var (
	little byteOrder = binary.LittleEndian
	big    byteOrder = binary.BigEndian
)

// words appends values of 32 bits.
func words(order byteOrder, values ...uint32) []byte {
	var b []byte
	for _, v := range values {
		b = order.AppendUint32(b, v)
	}
	return b
}

// pcapHeader returns version 2.4 with snapshot length 65535.
func pcapHeader(order byteOrder, magic, link uint32) []byte {
	b := words(order, magic)
	b = order.AppendUint16(b, 2)
	b = order.AppendUint16(b, 4)
	return append(b, words(order, 0, 0, 65535, link)...)
}

func pcapRecord(order byteOrder, seconds, fraction, origLen uint32, data string) []byte {
	return append(words(order, seconds, fraction, uint32(len(data)), origLen), data...)
}

// block puts type and lengths around body, whose length should be a multiple of 4.
func block(order byteOrder, blockType uint32, body ...[]byte) []byte {
	content := slices.Concat(body...)
	total := uint32(12 + len(content))
	return slices.Concat(words(order, blockType, total), content, words(order, total))
}

func option(order byteOrder, code uint16, value string) []byte {
	b := order.AppendUint16(nil, code)
	b = order.AppendUint16(b, uint16(len(value)))
	return append(b, pad(value)...)
}

func pad(s string) []byte {
	b := []byte(s)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// sectionHeader returns version 1.0 and of unknown length.
func sectionHeader(order byteOrder, options ...[]byte) []byte {
	body := words(order, 0x1a2b3c4d)
	body = order.AppendUint16(body, 1)
	body = order.AppendUint16(body, 0)
	body = append(body, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
	return block(order, 0x0a0d0d0a, body, slices.Concat(options...))
}

func interfaceBlock(order byteOrder, link uint16, snapLen uint32, options ...[]byte) []byte {
	body := order.AppendUint16(nil, link)
	body = order.AppendUint16(body, 0)
	return block(order, 1, body, words(order, snapLen), slices.Concat(options...))
}

func enhancedPacket(order byteOrder, index uint32, units uint64, data string, options ...[]byte) []byte {
	return block(order, 6, words(order, index, uint32(units>>32), uint32(units), uint32(len(data)), uint32(len(data))),
		pad(data), slices.Concat(options...))
}

func obsoletePacket(order byteOrder, index uint16, units uint64, data string, options ...[]byte) []byte {
	body := order.AppendUint16(nil, index)
	body = order.AppendUint16(body, 0xffff)
	return block(order, 2, body, words(order, uint32(units>>32), uint32(units), uint32(len(data)), uint32(len(data))),
		pad(data), slices.Concat(options...))
}

func simplePacket(order byteOrder, origLen uint32, data string) []byte {
	return block(order, 3, words(order, origLen), pad(data))
}

func zip(t testing.TB, parts ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, part := range parts {
		w := gzip.NewWriter(&b)
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// packet is a Record that may be kept.
type packet struct {
	Frame     uint64
	Time      int64
	LinkType  pcaps.LinkType
	Interface uint32
	Data      string
	OrigLen   int
	Offset    int64
	Comments  []string
}

func keep(rec *pcaps.Record) packet {
	return packet{rec.Frame, rec.Time, rec.LinkType, rec.Interface, string(rec.Data), rec.OrigLen, rec.Offset, rec.Comments}
}

// source is what Reader and Capture have in common.
type source interface {
	Next(rec *pcaps.Record) error
}

// readAll returns the packets of s, and the error that ended them, nil for io.EOF.
func readAll(s source) ([]packet, error) {
	var packets []packet
	var rec pcaps.Record
	for {
		switch err := s.Next(&rec); err {
		case nil:
			packets = append(packets, keep(&rec))
		case io.EOF:
			return packets, nil
		default:
			return packets, err
		}
	}
}

func readFile(file []byte) ([]packet, error) {
	r, err := pcaps.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return readAll(r)
}

// expect compares packets. A want without Frame stands for its place in the list.
func expect(t *testing.T, got, want []packet) {
	t.Helper()
	for i := range want {
		if want[i].Frame == 0 {
			want[i].Frame = uint64(i + 1)
		}
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("packets (-want +got):\n%s", diff)
	}
}

func mustRead(t *testing.T, file []byte) []packet {
	t.Helper()
	packets, err := readFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return packets
}
