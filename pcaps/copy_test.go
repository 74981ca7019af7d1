package pcaps_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/iwarpkit/iwarp/pcaps"
)

// copied returns the copy of files whose packets get comments, by frame.
func copied(t *testing.T, comments map[uint64][]string, files ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	c, err := pcaps.OpenCopy(&b, writeFiles(t, files...)...)
	if err != nil {
		t.Fatal(err)
	}
	var rec pcaps.Record
	for c.Next(&rec) == nil {
		for _, comment := range comments[rec.Frame] {
			if err := c.Comment(comment); err != nil {
				t.Error(err)
			}
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func expectFile(t *testing.T, got []byte, want ...[]byte) {
	t.Helper()
	if diff := cmp.Diff(slices.Concat(want...), got); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

// What was pcapng is copied octet for octet, whatever blocks it has.
func TestCopyKeepsPcapng(t *testing.T) {
	for _, order := range []byteOrder{little, big} {
		file := slices.Concat(
			sectionHeader(order, option(order, 4, "dumpcap"), option(order, 0, "")),
			block(order, 0x0bad, []byte("of no known type")),
			interfaceBlock(order, 1, 6, option(order, 2, "eth0"), option(order, optTsresol, "\x8a"), option(order, 0, "")),
			interfaceBlock(order, 276, 0, option(order, optTsresol, "\x0c")),
			enhancedPacket(order, 1, 1<<60+7, "picoseconds", option(order, 2, "\x00\x00\x00\x01"), option(order, optComment, "odd"), option(order, 0, "")),
			simplePacket(order, 60, "simple"),
			obsoletePacket(order, 0, 9, "obsolete"),
			block(order, 5, words(order, 0, 1, 2)), // Interface Statistics Block
		)
		expectFile(t, copied(t, nil, file), file)
		expectFile(t, copied(t, nil, zip(t, file), file), file, file)
	}
}

func TestCopyAddsComments(t *testing.T) {
	for _, order := range []byteOrder{little, big} {
		begin := slices.Concat(sectionHeader(order), interfaceBlock(order, 1, 5), interfaceBlock(order, 276, 0))
		flags, odd, end := option(order, 2, "\x00\x00\x00\x01"), option(order, optComment, "odd"), option(order, 0, "")
		comment, second := option(order, optComment, "größer"), option(order, optComment, "")
		malformed := words(order, 0xffffffff)
		got := copied(t, map[uint64][]string{1: {"größer"}, 2: {"größer", ""}, 3: {"größer"}, 4: {"größer"}, 5: {"größer"}, 6: {"größer"}, 8: {""}}, slices.Concat(
			begin,
			enhancedPacket(order, 1, 7, "no options"),
			enhancedPacket(order, 1, 7, "options", flags, odd, end),
			enhancedPacket(order, 0, 7, "options without end", odd),
			enhancedPacket(order, 0, 7, "malformed", odd, malformed),
			obsoletePacket(order, 1, 9, "obsolete", odd, end),
			simplePacket(order, 60, "simpl"), // of which the interface captures 5 octets
			simplePacket(order, 6, "simpl"),
			simplePacket(order, 3, "SPB"),
		))
		expectFile(t, got,
			begin,
			enhancedPacket(order, 1, 7, "no options", comment, end),
			enhancedPacket(order, 1, 7, "options", flags, odd, comment, second, end),
			enhancedPacket(order, 0, 7, "options without end", odd, comment, end),
			enhancedPacket(order, 0, 7, "malformed", odd, comment, malformed),
			obsoletePacket(order, 1, 9, "obsolete", odd, comment, end),
			block(order, 6, words(order, 0, 0, 0, 5, 60), pad("simpl"), comment, end),
			simplePacket(order, 6, "simpl"),
			enhancedPacket(order, 0, 0, "SPB", second, end),
		)
	}
}

func TestCopyMakesPcapngOfPcap(t *testing.T) {
	nano := func(data string) []byte {
		return slices.Concat(pcapHeader(big, 0xa1b23c4d, 276), pcapRecord(big, 5, 999_999_999, 60, data))
	}
	micro := slices.Concat(pcapHeader(little, 0xa1b2c3d4, 1), pcapRecord(little, 1_700_000_000, 123_456, 7, "micro"))
	got := copied(t, map[uint64][]string{1: {"here"}}, micro, nano("nano"), zip(t, nano("again")), micro)
	microBegin := slices.Concat(sectionHeader(little), interfaceBlock(little, 1, 65535, option(little, optTsresol, "\x06"), option(little, 0, "")))
	const microTime = 1_700_000_000_123_456
	packet := func(units uint64, origLen uint32, data string, options ...[]byte) []byte {
		return block(little, 6, words(little, 0, uint32(units>>32), uint32(units), uint32(len(data)), origLen), pad(data), slices.Concat(options...))
	}
	expectFile(t, got,
		microBegin,
		packet(microTime, 7, "micro", option(little, optComment, "here"), option(little, 0, "")),
		sectionHeader(little), interfaceBlock(little, 276, 65535, option(little, optTsresol, "\x09"), option(little, 0, "")),
		packet(5_999_999_999, 60, "nano"),
		packet(5_999_999_999, 60, "again"), // the same section continues
		microBegin,
		packet(microTime, 7, "micro"),
	)
}

// The length that a section states is not that of its copy.
func TestCopyForgetsTheLengthOfASection(t *testing.T) {
	file := onePacketNg("x")
	stated := slices.Clone(file)
	big.PutUint64(stated[16:], uint64(len(file)-28))
	expectFile(t, copied(t, nil, stated), file)
}

func TestCopyLeavesOutHugeBlocks(t *testing.T) {
	huge := make([]byte, 1<<20)
	section := block(big, 0x0a0d0d0a, words(big, 0x1a2b3c4d, 1<<16, 0, 0), huge)
	file := onePacketNg("x")
	got := copied(t, nil, slices.Concat(section, file[28:], block(big, 0x0bad, huge), file[48:]))
	expectFile(t, got, file, file[48:])
}

// Of a damaged file there is what stands in front of the damage, and the copy is whole.
func TestCopyOfDamage(t *testing.T) {
	whole := slices.Concat(onePacketNg("one"), block(big, 5, words(big, 1)), enhancedPacket(big, 0, 1, "two"))
	for cut := range len(whole) {
		if cut < 28 {
			continue
		}
		got := copied(t, nil, whole[:cut])
		packets, err := readFile(got)
		if err != nil || !bytes.HasPrefix(whole, got) {
			t.Errorf("cut to %d octets: %d packets, error %v, copy % x", cut, len(packets), err, got)
		}
	}
}

// A copy has the packets of the original, and can be used wherever a Capture can.
func TestCopyHasThePackets(t *testing.T) {
	for format, file := range smallFiles() {
		var b bytes.Buffer
		c, err := pcaps.OpenCopy(&b, writeFiles(t, file)...)
		if err != nil {
			t.Fatal(err)
		}
		c.LinkType()
		if err := c.Comment("before any packet"); err != nil {
			t.Error(err)
		}
		for {
			if _, _, err := c.ZeroCopyReadPacketData(); err != nil {
				break
			}
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		got, want := mustRead(t, b.Bytes()), mustRead(t, file)
		for i := range got {
			got[i].Offset, want[i].Offset = 0, 0
		}
		t.Run(format, func(t *testing.T) { expect(t, got, want) })
	}
}

func TestCopyRefusesTooManyComments(t *testing.T) {
	c, err := pcaps.OpenCopy(io.Discard, writeFiles(t, onePacketNg("x"))...)
	if err != nil {
		t.Fatal(err)
	}
	var rec pcaps.Record
	if err := c.Next(&rec); err != nil {
		t.Fatal(err)
	}
	for range 15 {
		if err := c.Comment(strings.Repeat("x", 70_000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Comment(strings.Repeat("x", 70_000)); !errors.Is(err, pcaps.ErrTooLong) {
		t.Errorf("got %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

func TestCopyReportsFailure(t *testing.T) {
	full := errors.New("disk full")
	c, err := pcaps.OpenCopy(failingWriter{full}, writeFiles(t, onePacket(strings.Repeat("x", 70_000)), onePacket("y"))...)
	if err != nil {
		t.Fatal(err)
	}
	var rec pcaps.Record
	for c.Next(&rec) == nil {
	}
	if err := c.Err(); !errors.Is(err, full) {
		t.Errorf("Err: %v", err)
	}
	if err := c.Close(); !errors.Is(err, full) {
		t.Errorf("Close: %v", err)
	}
	if _, err := pcaps.OpenCopy(io.Discard, "no such file"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("OpenCopy: %v", err)
	}
}

func TestCopyDoesNotAllocate(t *testing.T) {
	for format, packet := range map[string][]byte{
		"pcap":   pcapRecord(little, 1, 2, 60, "data"),
		"pcapng": enhancedPacket(little, 0, 1, "data", option(little, 2, "flag")),
	} {
		begin := pcapHeader(little, 0xa1b2c3d4, 1)
		if format == "pcapng" {
			begin = slices.Concat(sectionHeader(little), interfaceBlock(little, 1, 0))
		}
		c, err := pcaps.OpenCopy(io.Discard, writeFiles(t, slices.Concat(begin, bytes.Repeat(packet, 2000)))...)
		if err != nil {
			t.Fatal(err)
		}
		var rec pcaps.Record
		n := testing.AllocsPerRun(1000, func() {
			if err := c.Next(&rec); err != nil {
				t.Fatal(err)
			}
			if err := c.Comment("a comment"); err != nil {
				t.Fatal(err)
			}
		})
		if n != 0 {
			t.Errorf("%s: %v allocations per packet", format, n)
		}
		c.Close()
	}
}
