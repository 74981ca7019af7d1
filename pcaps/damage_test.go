package pcaps_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/iwarpkit/iwarp/pcaps"
)

const gigabyte = 1 << 30

// damagedFiles each have one good packet, "good", in front of the damage.
func damagedFiles() []damagedFile {
	goodPcap := slices.Concat(pcapHeader(little, 0xa1b2c3d4, 1), pcapRecord(little, 1, 0, 4, "good"))
	goodNg := slices.Concat(sectionHeader(big), interfaceBlock(big, 1, 0), enhancedPacket(big, 0, 1, "good"))
	pcap := func(name string, tail []byte, err error, text string) damagedFile {
		return damagedFile{"pcap " + name, slices.Concat(goodPcap, tail), 44, err, text}
	}
	ng := func(name string, tail []byte, err error, text string) damagedFile {
		return damagedFile{"pcapng " + name, slices.Concat(goodNg, tail), 84, err, text}
	}
	lie := func(b []byte, at int, value uint32) []byte {
		b = bytes.Clone(b)
		big.PutUint32(b[at:], value)
		return b
	}
	packet := enhancedPacket(big, 0, 1, "lost")
	cut, damaged := io.ErrUnexpectedEOF, pcaps.ErrDamaged
	return []damagedFile{
		pcap("cut in the record header", words(little, 1, 2, 3), cut, "ends after 12 of the 16 octets of a record header"),
		pcap("cut in the packet", pcapRecord(little, 1, 0, 4, "lost")[:18], cut, "ends after 18 of the 20 octets of a record"),
		pcap("cut before the packet", pcapRecord(little, 1, 0, 4, "lost")[:16], cut, "ends after 16 of the 20 octets of a record"),
		pcap("1 GiB", words(little, 1, 0, gigabyte, gigabyte), damaged, "says 1073741824 octets, the limit is 262144"),
		pcap("just over the limit", words(little, 1, 0, 262145, 262145), damaged, "says 262145 octets"),
		pcap("zeros", make([]byte, 512), damaged, "zeros where a record begins"),
		pcap("4 GiB", words(little, 1, 0, 0xffffffff, 1), damaged, "says 4294967295 octets"),

		ng("cut in the block header", packet[:7], cut, "ends after 7 of the 8 octets of a block header"),
		ng("cut in the block", packet[:35], cut, "ends after 35 of the 36 octets of a block"),
		ng("cut in a skipped block", block(big, 5, words(big, 0))[:12], cut, "ends after 12 of the 16 octets of a block"),
		ng("cut in a huge skipped block", words(big, 5, gigabyte, 0), cut, "ends after 12 of the 1073741820 octets of a block"),
		ng("cut in a section header", sectionHeader(big)[:13], cut, "ends after 13 of the 16 octets of a Section Header Block"),

		ng("EPB of 1 GiB", lie(packet, 20, gigabyte), damaged, "says 1073741824 octets, the limit is 262144"),
		ng("EPB in a block of 1 GiB", lie(lie(packet, 4, gigabyte), 20, gigabyte), damaged, "says 1073741824 octets, the limit is 1048576"),
		ng("EPB longer than its block", lie(packet, 20, 5), damaged, "says 5 octets, its block has room for 4"),
		ng("EPB too short", block(big, 6, words(big, 0, 0, 0, 0)), damaged, "has 28 octets, it has 32 at least"),
		ng("EPB of no interface", enhancedPacket(big, 1, 1, "lost"), damaged, "interface 1, the section has 1 interfaces"),
		ng("EPB of interface 2^32-1", enhancedPacket(big, 0xffffffff, 1, "lost"), damaged, "interface 4294967295"),
		ng("PB of 1 GiB", lie(obsoletePacket(big, 0, 1, "lost"), 20, gigabyte), damaged, "says 1073741824 octets, the limit is 262144"),
		ng("PB of no interface", obsoletePacket(big, 7, 1, "lost"), damaged, "interface 7"),
		ng("SPB of 1 GiB", simplePacket(big, gigabyte, "lost"), damaged, "says 1073741824 octets, the limit is 262144"),
		ng("SPB longer than its block", simplePacket(big, 5, "lost"), damaged, "says 5 octets, its block has room for 4"),
		ng("SPB too short", block(big, 3), damaged, "has 12 octets, it has 16 at least"),

		ng("block length 0", words(big, 5, 0, 0), damaged, "says 0 octets, not a multiple of 4"),
		ng("block length 8", words(big, 5, 8, 8), damaged, "says 8 octets, not a multiple of 4"),
		ng("block length 35", lie(packet, 4, 35), damaged, "says 35 octets, not a multiple of 4"),
		ng("packet's second length", lie(packet, len(packet)-4, 40), damaged, "says 36 octets at its start and 40 at its end"),
		ng("skipped block's second length", words(big, 5, 16, 0, 20), damaged, "says 16 octets at its start and 20 at its end"),
		ng("section header too short", lie(sectionHeader(big), 4, 24), damaged, "says 24 octets, it has 28 at least"),
		ng("byte-order magic", lie(sectionHeader(big), 8, 0x12345678), damaged, "byte-order magic 12 34 56 78"),
		ng("version 2.0", lie(sectionHeader(big), 12, 2<<16), pcaps.ErrFormat, "version 2.0"),
		ng("interface too short", block(big, 1, words(big, 1)), damaged, "has 16 octets, it has 20 at least"),
		ng("interface of 1 GiB", words(big, 1, gigabyte, 1, 0), damaged, "says 1073741824 octets, the limit is 1048576"),
	}
}

type damagedFile struct {
	name   string
	file   []byte
	offset int64 // of the damage, when it is in frame 2
	err    error
	text   string
}

func TestDamage(t *testing.T) {
	for _, test := range damagedFiles() {
		t.Run(test.name, func(t *testing.T) {
			packets, err := readFile(test.file)
			if len(packets) != 1 || packets[0].Data != "good" {
				t.Errorf("packets in front of the damage: %v, want one", packets)
			}
			if !errors.Is(err, test.err) {
				t.Errorf("error %v, want it to wrap %v", err, test.err)
			}
			var e *pcaps.Error
			if !errors.As(err, &e) || e.Frame != 2 || e.Offset != test.offset {
				t.Fatalf("error %#v, want a *pcaps.Error in frame 2 at offset %d", err, test.offset)
			}
			if !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %q, want it to say %q", err, test.text)
			}
		})
	}
}

// What a file claims must not decide what is allocated.
func TestDamageCostsNoMemory(t *testing.T) {
	r := new(pcaps.Reader)
	for _, test := range damagedFiles() {
		if err := r.Reset(bytes.NewReader(test.file)); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readAll(r)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error", test.name)
		}
		const limit = 64 << 10
		if grown := after.TotalAlloc - before.TotalAlloc; grown > limit {
			t.Errorf("%s: reading allocated %d octets, the limit is %d", test.name, grown, limit)
		}
	}
}

func TestTooLongBlock(t *testing.T) {
	for length, want := range map[int]error{pcaps.MaxBlock: nil, pcaps.MaxBlock + 4: pcaps.ErrDamaged} {
		file := slices.Concat(sectionHeader(little), block(little, 1, words(little, 1, 0), make([]byte, length-20)))
		if _, err := readFile(file); !errors.Is(err, want) {
			t.Errorf("%d octets: error %v, want %v", length, err, want)
		}
	}
}

func TestTooManyInterfaces(t *testing.T) {
	file := slices.Concat(sectionHeader(little), bytes.Repeat(interfaceBlock(little, 1, 0), pcaps.MaxInterfaces))
	if _, err := readFile(file); err != nil {
		t.Errorf("65536 interfaces: %v", err)
	}
	file = append(file, interfaceBlock(little, 1, 0)...)
	if _, err := readFile(file); !errors.Is(err, pcaps.ErrDamaged) {
		t.Errorf("65537 interfaces: error %v, want ErrDamaged", err)
	}
}

// Whatever remains of a file that was cut, the packets in it are read, and a cut
// within a packet or block is reported as such.
func TestEveryCut(t *testing.T) {
	pcapEnds := []int{24, 44, 69}
	pcap := slices.Concat(pcapHeader(big, 0xa1b2c3d4, 1), pcapRecord(big, 1, 0, 4, "good"), pcapRecord(big, 1, 0, 9, "also good"))
	ngEnds := []int{28, 48, 84, 100, 124, 152}
	ng := slices.Concat(sectionHeader(big), interfaceBlock(big, 1, 0), enhancedPacket(big, 0, 1, "good"),
		block(big, 5, words(big, 0)), simplePacket(big, 8, "lastbutt"), sectionHeader(big))
	for _, whole := range []struct {
		file []byte
		ends []int // of header, records, blocks
	}{{pcap, pcapEnds}, {ng, ngEnds}} {
		all := mustRead(t, whole.file)
		if got := whole.ends[len(whole.ends)-1]; got != len(whole.file) {
			t.Fatalf("the file has %d octets, not %d", len(whole.file), got)
		}
		for n := 1; n < len(whole.file); n++ {
			packets, err := readFile(whole.file[:n])
			if n >= 4 && slices.Contains(whole.ends, n) {
				if err != nil {
					t.Errorf("%d octets: %v", n, err)
				}
			} else if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%d octets: error %v, want io.ErrUnexpectedEOF", n, err)
			}
			for i := range packets {
				if packets[i].Data != all[i].Data || int(packets[i].Offset) > n {
					t.Errorf("%d octets: packet %d is %q", n, i+1, packets[i].Data)
				}
			}
		}
	}
}

// The error comes once, then the end, so that loops that continue after errors end.
func TestErrorIsReportedOnce(t *testing.T) {
	for _, test := range damagedFiles()[:3] {
		r, err := pcaps.NewReader(bytes.NewReader(test.file))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := readAll(r); err == nil {
			t.Errorf("%s: no error", test.name)
		}
		for range 3 {
			if err := r.Next(new(pcaps.Record)); err != io.EOF {
				t.Errorf("%s: then %v, want io.EOF", test.name, err)
			}
		}
	}
}

func TestReadErrorIsKept(t *testing.T) {
	failure := errors.New("cable unplugged")
	file := slices.Concat(pcapHeader(little, 0xa1b2c3d4, 1), pcapRecord(little, 1, 0, 4, "good"), []byte("par"))
	r, err := pcaps.NewReader(io.MultiReader(bytes.NewReader(file), iotest.ErrReader(failure)))
	if err != nil {
		t.Fatal(err)
	}
	packets, err := readAll(r)
	if len(packets) != 1 || !errors.Is(err, failure) || errors.Is(err, pcaps.ErrDamaged) || errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d packets, error %v; want 1 and the reader's own error", len(packets), err)
	}
}

func TestErrorText(t *testing.T) {
	damage := errors.New("the record is odd")
	tests := []struct {
		err  pcaps.Error
		want string
	}{
		{pcaps.Error{File: "a.pcap", Frame: 12, Offset: 4711, Err: damage}, "a.pcap: frame 12 at offset 4711: the record is odd; the 11 before it are fine"},
		{pcaps.Error{File: "a.pcap", Frame: 2, Offset: 4711, Err: damage}, "a.pcap: frame 2 at offset 4711: the record is odd; the one before it is fine"},
		{pcaps.Error{File: "a.pcap", Frame: 1, Offset: 24, Err: damage}, "a.pcap: frame 1 at offset 24: the record is odd"},
		{pcaps.Error{File: "a.pcap", Err: damage}, "a.pcap: the record is odd"},
		{pcaps.Error{Err: damage}, "capture: the record is odd"},
	}
	for _, test := range tests {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got  %q\nwant %q", got, test.want)
		}
	}
}
