package pcaps_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/iwarpkit/iwarp/pcaps"
)

// smallFiles returns one file of each format, and the packets in them.
func smallFiles() map[string][]byte {
	return map[string][]byte{
		"pcap": slices.Concat(
			pcapHeader(little, 0xa1b2c3d4, 1),
			pcapRecord(little, 1, 0, 60, "one"),
			pcapRecord(little, 2, 0, 3, "two"),
		),
		"pcapng": slices.Concat(
			sectionHeader(big),
			interfaceBlock(big, 1, 0),
			enhancedPacket(big, 0, 1, "one", option(big, optComment, "odd")),
			sectionHeader(little),
			interfaceBlock(little, 101, 0),
			simplePacket(little, 3, "two"),
		),
	}
}

// How the octets arrive, and whether they are compressed, changes nothing.
func TestWaysOfReading(t *testing.T) {
	ways := map[string]func(io.Reader) io.Reader{
		"octet by octet":    iotest.OneByteReader,
		"by halves":         iotest.HalfReader,
		"data with the EOF": iotest.DataErrReader,
		"a pipe":            throughPipe,
	}
	for format, file := range smallFiles() {
		want := mustRead(t, file)
		if len(want) != 2 {
			t.Fatalf("%s: %d packets, want 2", format, len(want))
		}
		packed := map[string][]byte{
			"plain":                file,
			"gzip":                 zip(t, file),
			"gzip of two members":  zip(t, file[:40], file[40:]),
			"gzip of many members": zip(t, file[:1], nil, file[1:2], file[2:50], file[50:], nil),
		}
		for packing, octets := range packed {
			for way, wrap := range ways {
				t.Run(format+"/"+packing+"/"+way, func(t *testing.T) {
					r, err := pcaps.NewReader(wrap(bytes.NewReader(octets)))
					if err != nil {
						t.Fatal(err)
					}
					got, err := readAll(r)
					if err != nil {
						t.Error(err)
					}
					expect(t, got, want)
				})
			}
		}
	}
}

func throughPipe(r io.Reader) io.Reader {
	out, in := io.Pipe()
	go func() {
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	return out
}

func TestGzipDamage(t *testing.T) {
	file := slices.Concat(pcapHeader(little, 0xa1b2c3d4, 1), pcapRecord(little, 1, 0, 4, "good"))
	packed := zip(t, file)
	wrongChecksum := bytes.Clone(packed)
	wrongChecksum[len(packed)-8] ^= 1
	tests := []struct {
		name    string
		octets  []byte
		packets int
		err     error
	}{
		{"trailer cut", packed[:len(packed)-1], 1, io.ErrUnexpectedEOF},
		{"data cut", packed[:len(packed)-9], 1, io.ErrUnexpectedEOF},
		{"header cut", packed[:9], 0, io.ErrUnexpectedEOF},
		{"magic only", packed[:2], 0, io.ErrUnexpectedEOF},
		{"wrong checksum", wrongChecksum, 1, pcaps.ErrDamaged},
		{"not deflate", slices.Concat(packed[:10], []byte{0xff, 0xff}), 0, pcaps.ErrDamaged},
		{"garbage after", slices.Concat(packed, []byte("garbage after the end")), 1, pcaps.ErrDamaged},
		{"unknown method", []byte{0x1f, 0x8b, 9, 0, 0, 0, 0, 0, 0, 0}, 0, pcaps.ErrDamaged},
		{"of an empty file", zip(t, nil), 0, pcaps.ErrFormat},
		{"of 3 octets", zip(t, file[:3]), 0, io.ErrUnexpectedEOF},
		{"of gzip", zip(t, packed), 0, pcaps.ErrFormat},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			packets, err := readFile(test.octets)
			if len(packets) != test.packets || !errors.Is(err, test.err) {
				t.Errorf("%d packets, error %v; want %d and %v", len(packets), err, test.packets, test.err)
			}
			if !errors.As(err, new(*pcaps.Error)) {
				t.Errorf("error %#v, want a *pcaps.Error", err)
			}
		})
	}
}

func TestNotACapture(t *testing.T) {
	tests := []struct {
		name, file string
		err        error
		text       string
	}{
		{"empty", "", pcaps.ErrFormat, "empty"},
		{"one octet", "\xd4", io.ErrUnexpectedEOF, "ends after 1 of the 4 octets"},
		{"program", "\x7fELF\x02\x01\x01", pcaps.ErrFormat, "starts with 7f 45 4c 46: not a readable capture file; supported formats: pcap and pcapng, plain or gzip"},
		{"zstd", "\x28\xb5\x2f\xfd\x00", pcaps.ErrFormat, "zstd: uncompress it first"},
		{"bzip2", "BZh91AY", pcaps.ErrFormat, "bzip2: uncompress it first"},
		{"pcap of Kuznetzov", "\x34\xcd\xb2\xa1\x02\x00\x04\x00", pcaps.ErrFormat, "editcap -F pcapng"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := readFile([]byte(test.file))
			if !errors.Is(err, test.err) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("error %v, want %v that says %q", err, test.err, test.text)
			}
			var e *pcaps.Error
			if !errors.As(err, &e) || e.Frame != 0 {
				t.Errorf("error %#v, want a *pcaps.Error of frame 0", err)
			}
		})
	}
}

// Nothing of a file is left when its Reader continues to another.
func TestReset(t *testing.T) {
	files := smallFiles()
	damaged := damagedFiles()
	r := new(pcaps.Reader)
	for range 2 {
		for _, name := range []string{"pcapng", "pcap"} {
			for _, octets := range [][]byte{files[name], zip(t, files[name])} {
				if err := r.Reset(bytes.NewReader(octets)); err != nil {
					t.Fatal(err)
				}
				got, err := readAll(r)
				if err != nil {
					t.Error(err)
				}
				expect(t, got, mustRead(t, files[name]))
				if err := r.Reset(strings.NewReader("no capture")); err == nil {
					t.Error("no error for a file that is none")
				}
				if err := r.Next(new(pcaps.Record)); err != io.EOF {
					t.Errorf("after a failed Reset: %v, want io.EOF", err)
				}
				if err := r.Reset(bytes.NewReader(damaged[0].file)); err != nil {
					t.Fatal(err)
				}
				if _, err := readAll(r); err == nil {
					t.Error("no error for a damaged file")
				}
			}
		}
	}
}

// Every allocation counts, once per packet.
func TestNextDoesNotAllocate(t *testing.T) {
	const packets = 1000
	pcap := pcapHeader(little, 0xa1b2c3d4, 1)
	ng := slices.Concat(sectionHeader(little), interfaceBlock(little, 1, 0))
	for range 2 * packets {
		pcap = append(pcap, pcapRecord(little, 1, 2, 1500, strings.Repeat("x", 1500))...)
		ng = append(ng, enhancedPacket(little, 0, 3, strings.Repeat("x", 1500), option(little, 2, "flag"))...)
		ng = append(ng, block(little, 5, words(little, 0))...)
	}
	files := map[string][]byte{"pcap": pcap, "pcapng": ng, "pcap.gz": zip(t, pcap)}
	for name, file := range files {
		r, err := pcaps.NewReader(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		var rec pcaps.Record
		allocs := testing.AllocsPerRun(packets, func() {
			if err := r.Next(&rec); err != nil || len(rec.Data) != 1500 {
				t.Fatal(len(rec.Data), err)
			}
		})
		if allocs != 0 {
			t.Errorf("%s: %v allocations per packet, want none", name, allocs)
		}
	}
}

func TestLinkTypeNames(t *testing.T) {
	tests := map[pcaps.LinkType]string{
		0: "Null", 1: "Ethernet", 12: "RawBSD", 14: "RawOpenBSD", 101: "Raw", 108: "Loop", 113: "LinuxSLL",
		228: "IPv4", 229: "IPv6", 276: "LinuxSLL2", 147: "LinkType147", 65535: "LinkType65535",
	}
	for number, name := range tests {
		if got := number.String(); got != name {
			t.Errorf("%d is called %q, want %q", uint16(number), got, name)
		}
	}
}
