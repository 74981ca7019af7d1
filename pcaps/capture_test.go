package pcaps_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/pcaps"
)

// writeFiles writes files into a folder of the test and returns their paths.
func writeFiles(t *testing.T, files ...[]byte) []string {
	t.Helper()
	folder := t.TempDir()
	var names []string
	for i, file := range files {
		name := filepath.Join(folder, string(rune('a'+i))+".cap")
		if err := os.WriteFile(name, file, 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

func onePacket(data string) []byte {
	return append(pcapHeader(little, 0xa1b2c3d4, 1), pcapRecord(little, 1, 0, uint32(len(data)), data)...)
}

func onePacketNg(data string) []byte {
	return slices.Concat(sectionHeader(big), interfaceBlock(big, 101, 0), enhancedPacket(big, 0, 2, data))
}

func mustOpen(t *testing.T, names ...string) *pcaps.Capture {
	t.Helper()
	c, err := pcaps.Open(names...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestCaptureOfSeveralFiles(t *testing.T) {
	c := mustOpen(t, writeFiles(t, onePacket("first"), zip(t, onePacketNg("second")), pcapHeader(big, 0xa1b2c3d4, 1), onePacket("third"), pcapHeader(big, 0xa1b2c3d4, 276))...)
	packets, err := readAll(c)
	if c.LinkType() != pcaps.LinkTypeEthernet {
		t.Errorf("link type %v, want that of the last packet, Ethernet", c.LinkType())
	}
	if err != nil {
		t.Error(err)
	}
	expect(t, packets, []packet{
		{Frame: 1, Time: 1 * second, LinkType: 1, Data: "first", OrigLen: 5, Offset: 24},
		{Frame: 2, Time: 2000, LinkType: 101, Data: "second", OrigLen: 6, Offset: 48},
		{Frame: 3, Time: 1 * second, LinkType: 1, Data: "third", OrigLen: 5, Offset: 24},
	})
	if c.Packets() != 3 || len(c.Damage()) != 0 {
		t.Errorf("%d packets, damage %v; want 3, none", c.Packets(), c.Damage())
	}
}

func TestCaptureGoesOnAfterDamage(t *testing.T) {
	names := writeFiles(t,
		append(onePacket("good"), "tail"...),
		onePacket("fine"),
		append(onePacketNg("good"), block(big, 6)...),
	)
	c := mustOpen(t, names...)
	packets, err := readAll(c)
	if err != nil || len(packets) != 3 {
		t.Errorf("%d packets, error %v; want 3 and none", len(packets), err)
	}
	want := []struct {
		file   string
		offset int64
		err    error
	}{{names[0], 44, io.ErrUnexpectedEOF}, {names[2], 84, pcaps.ErrDamaged}}
	if len(c.Damage()) != len(want) {
		t.Fatalf("damage %v, want that of two files", c.Damage())
	}
	for i, err := range c.Damage() {
		var e *pcaps.Error
		if !errors.As(err, &e) || e.File != want[i].file || e.Frame != 2 || e.Offset != want[i].offset || !errors.Is(err, want[i].err) {
			t.Errorf("damage %v, want %v in frame 2 at %d of %s", err, want[i].err, want[i].offset, want[i].file)
		}
	}
}

func TestOpenFails(t *testing.T) {
	names := writeFiles(t, onePacket("x"), []byte("no capture at all"), nil, onePacket("cut")[:20], zip(t, []byte("no capture either")))
	good, noCapture, empty, cut, noCaptureInGzip := names[0], names[1], names[2], names[3], names[4]
	missing := filepath.Join(t.TempDir(), "missing.pcap")
	tests := []struct {
		name  string
		wrong string
		err   error
	}{
		{"no capture", noCapture, pcaps.ErrFormat},
		{"empty", empty, pcaps.ErrFormat},
		{"cut in the header", cut, io.ErrUnexpectedEOF},
		{"no capture in gzip", noCaptureInGzip, pcaps.ErrFormat},
		{"missing", missing, fs.ErrNotExist},
		{"folder", t.TempDir(), nil},
	}
	for _, test := range tests {
		for place, files := range map[string][]string{"alone": {test.wrong}, "first": {test.wrong, good}, "last": {good, good, test.wrong}} {
			if place == "last" && (test.wrong == empty || test.wrong == cut) {
				continue // see TestUnwrittenFile
			}
			t.Run(test.name+"/"+place, func(t *testing.T) {
				c, err := pcaps.Open(files...)
				if err == nil {
					c.Close()
					t.Fatal("no error")
				}
				if test.err != nil && !errors.Is(err, test.err) || !strings.Contains(err.Error(), test.wrong) {
					t.Errorf("error %v, want %v that names %s", err, test.err, test.wrong)
				}
			})
		}
	}
	if _, err := pcaps.Open(); err == nil {
		t.Error("no error without a file")
	}
	if _, err := pcaps.Open(pcaps.Stdin, good, pcaps.Stdin); err == nil {
		t.Error("no error for standard input twice")
	}
}

// The newest file of a ring buffer may be empty, or hold half a header.
func TestUnwrittenFile(t *testing.T) {
	for _, unwritten := range [][]byte{nil, onePacket("cut")[:20]} {
		names := writeFiles(t, onePacket("first"), unwritten, onePacket("third"))
		c := mustOpen(t, names...)
		var rec pcaps.Record
		var got []string
		for c.Next(&rec) == nil {
			got = append(got, string(rec.Data))
		}
		if !slices.Equal(got, []string{"first", "third"}) {
			t.Errorf("read %q", got)
		}
		if damage := c.Damage(); len(damage) != 1 || !strings.Contains(damage[0].Error(), names[1]) {
			t.Errorf("damage: %v", damage)
		}
	}
}

// A file may vanish between Open and its turn.
func TestCaptureFileVanishes(t *testing.T) {
	names := writeFiles(t, onePacket("first"), onePacket("second"), onePacket("third"))
	c := mustOpen(t, names...)
	if err := os.Remove(names[1]); err != nil {
		t.Fatal(err)
	}
	packets, err := readAll(c)
	if err != nil || len(packets) != 2 || packets[1].Data != "third" || packets[1].Frame != 2 {
		t.Errorf("packets %v, error %v; want first and third", packets, err)
	}
	if len(c.Damage()) != 1 || !errors.Is(c.Damage()[0], fs.ErrNotExist) {
		t.Errorf("damage %v, want fs.ErrNotExist", c.Damage())
	}
}

func TestStandardInput(t *testing.T) {
	defer func(stdin *os.File) { os.Stdin = stdin }(os.Stdin)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	os.Stdin = out
	go func() {
		in.Write(zip(t, onePacket("piped")))
		in.Close()
	}()
	names := writeFiles(t, onePacket("first"))
	c := mustOpen(t, names[0], pcaps.Stdin)
	packets, err := readAll(c)
	if err != nil || len(packets) != 2 || packets[1].Data != "piped" || len(c.Damage()) != 0 {
		t.Errorf("packets %v, error %v, damage %v; want first and piped", packets, err, c.Damage())
	}
	if _, err := out.Stat(); err != nil {
		t.Errorf("standard input was closed: %v", err)
	}
}

type closeRecorder struct {
	io.Reader
	closed int
}

func (c *closeRecorder) Close() error {
	c.closed++
	return nil
}

func TestNewCapture(t *testing.T) {
	file := &closeRecorder{Reader: bytes.NewReader(onePacket("cut")[:42])}
	c, err := pcaps.NewCapture("growing.pcap", file)
	if err != nil {
		t.Fatal(err)
	}
	if c.LinkType() != pcaps.LinkTypeEthernet {
		t.Errorf("link type %v, want Ethernet", c.LinkType())
	}
	if packets, err := readAll(c); len(packets) != 0 || err != nil {
		t.Errorf("packets %v, error %v; want none", packets, err)
	}
	if len(c.Damage()) != 1 || !strings.HasPrefix(c.Damage()[0].Error(), "growing.pcap: frame 1 at offset 24: ") {
		t.Errorf("damage %v, want that of growing.pcap", c.Damage())
	}
	c.Close()
	if file.closed != 1 {
		t.Errorf("the file was closed %d times, want once", file.closed)
	}
	if _, err := pcaps.NewCapture("none", strings.NewReader("no capture")); !errors.Is(err, pcaps.ErrFormat) {
		t.Errorf("error %v, want ErrFormat", err)
	}
}

func TestCaptureAfterClose(t *testing.T) {
	c := mustOpen(t, writeFiles(t, onePacket("first"), onePacket("second"))...)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Next(new(pcaps.Record)); err != io.EOF {
		t.Errorf("error %v, want io.EOF", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// TestFileBytes checks that at the end of files, compressed or not, their uncompressed octets were counted.
func TestFileBytes(t *testing.T) {
	var files []string
	var want int64
	for _, name := range []string{"rping.pcap", "mss200.pcap.gz", "refused.pcap"} {
		file := filepath.Join("samples", name)
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".gz") {
			z, err := gzip.NewReader(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			if b, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		files = append(files, file)
		want += int64(len(b))
	}
	c, err := pcaps.Open(files...)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var rec pcaps.Record
	for c.Next(&rec) == nil {
	}
	if got := c.FileBytes(); got != want {
		t.Errorf("%d octets read, the files have %d", got, want)
	}
}
