package fuzz

// Hostile capture files: package pcaps.

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// maxUncompressed bounds the time spent on gzip that expands a thousandfold.
const maxUncompressed = 1 << 22

// FuzzCaptureReader reads any octets as a capture file. Packets stay within the
// limits, come in the order of the file, and are the same however the octets arrive. What was
// read can be written, and reads back the same.
func FuzzCaptureReader(f *testing.F) {
	for _, seed := range captureSeeds(f) {
		f.Add(seed)
	}
	whole, octets, again := new(pcaps.Reader), new(pcaps.Reader), new(pcaps.Reader)
	f.Fuzz(func(t *testing.T, file []byte) {
		if uncompressesTo(file) > maxUncompressed {
			t.Skip("it is a gzip bomb")
		}
		records, err := readCapture(t, whole, bytes.NewReader(file))
		for i, rec := range records {
			if i > 0 && rec.Offset <= records[i-1].Offset {
				t.Errorf("frame %d is at offset %d, the one before it at %d", rec.Frame, rec.Offset, records[i-1].Offset)
			}
		}

		slowly, slowErr := readCapture(t, octets, iotest.OneByteReader(bytes.NewReader(file)))
		if !reflect.DeepEqual(records, slowly) {
			t.Errorf("read whole, and octet by octet:\n%s", cmp.Diff(records, slowly))
		}
		if !sameError(err, slowErr) {
			t.Errorf("error %v, and octet by octet %v", err, slowErr)
		}

		copied, kept := rewritten(t, records)
		back, err := readCapture(t, again, copied)
		if err != nil {
			t.Errorf("what was written cannot be read: %v", err)
		}
		if want, got := asWritten(kept), asWritten(back); !reflect.DeepEqual(want, got) {
			t.Errorf("written and read back:\n%s", cmp.Diff(want, got))
		}
	})
}

// readCapture returns copies of the records of file and the error that ended them.
func readCapture(t *testing.T, r *pcaps.Reader, file io.Reader) ([]pcaps.Record, error) {
	err := r.Reset(file)
	var records []pcaps.Record
	for err == nil {
		var rec pcaps.Record
		if err = r.Next(&rec); err != nil {
			break
		}
		if rec.Frame != uint64(len(records)+1) {
			t.Fatalf("frame %d after %d", rec.Frame, len(records))
		}
		if len(rec.Data) > pcaps.MaxPacket || rec.OrigLen < len(rec.Data) {
			t.Fatalf("frame %d has %d octets of %d, the limit is %d", rec.Frame, len(rec.Data), rec.OrigLen, pcaps.MaxPacket)
		}
		rec.Data = append([]byte{}, rec.Data...)
		records = append(records, rec)
	}
	if next := r.Next(new(pcaps.Record)); next != io.EOF {
		t.Fatalf("after the error %v comes %v, want io.EOF", err, next)
	}
	if err == io.EOF {
		return records, nil
	}
	if !errors.As(err, new(*pcaps.Error)) || err.Error() == "" {
		t.Fatalf("error %#v, want a *pcaps.Error", err)
	}
	return records, err
}

func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Error() == b.Error()
}

// rewritten writes the records as pcapng, and returns those that were written: the
// writer ends the list of comments, for which a block may lack the room.
func rewritten(t *testing.T, records []pcaps.Record) (file io.Reader, kept []pcaps.Record) {
	var b bytes.Buffer
	w := pcaps.NewPcapngWriter(&b, pcaps.Section{})
	for i := range records {
		err := w.WriteRecord(&records[i])
		if err == nil {
			kept = append(kept, records[i])
		} else if !errors.Is(err, pcaps.ErrTooLong) {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return &b, kept
}

// asWritten is what writing keeps of the records.
func asWritten(records []pcaps.Record) []pcaps.Record {
	var kept []pcaps.Record
	for _, rec := range records {
		rec.Time = max(rec.Time, 0)
		rec.Interface, rec.Offset = 0, 0
		kept = append(kept, rec)
	}
	return kept
}

// uncompressesTo is the length of file uncompressed, counted up to the limit.
func uncompressesTo(file []byte) int64 {
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return 0
	}
	n, _ := io.CopyN(io.Discard, z, maxUncompressed+1)
	return n
}

// captureSeeds are small samples and hand-made files, plain and compressed.
func captureSeeds(f *testing.F) [][]byte {
	var seeds [][]byte
	names, err := fs.Glob(samples.Files, "*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		file, err := samples.Files.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		const small = 2 << 10
		if len(file) <= small {
			seeds = append(seeds, file)
		}
	}
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, magic := range []uint32{0xa1b2c3d4, 0xa1b23c4d} {
			seeds = append(seeds, words(order, magic, 0x00020004, 0, 0, 0, 0x24000001, 1, 2, 4, 60, 0x61626364))
			seeds = append(seeds, words(order, magic, 0x00040002, 0, 0, 0, 276, 1, 2, 4, 60, 0x61626364, 3, 4, 1<<30, 60))
		}
		section := words(order, 0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 0xffffffff, 0xffffffff, 28)
		if order == binary.AppendByteOrder(binary.BigEndian) {
			section = words(order, 0x0a0d0d0a, 28, 0x1a2b3c4d, 1<<16, 0xffffffff, 0xffffffff, 28)
		}
		seeds = append(seeds, bytes.Join([][]byte{
			section,
			words(order, 1, 20, 1, 3, 20),
			words(order, 6, 36, 0, 1, 2, 4, 60, 0x61626364, 36),
			words(order, 3, 20, 60, 0x61626300, 20),
			words(order, 2, 36, 0, 1, 2, 4, 60, 0x61626364, 36),
			words(order, 5, 16, 0, 16),
			section,
			words(order, 3, 20, 1<<30, 0, 20),
		}, nil))
	}
	for _, seed := range seeds[len(seeds)-2:] {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(seed[:50])
		z.Close()
		z.Reset(&b)
		z.Write(seed[50:])
		z.Close()
		seeds = append(seeds, b.Bytes())
	}
	// A packet with comments, times in 2^-64 seconds.
	var file bytes.Buffer
	w := pcaps.NewPcapngWriter(&file, pcaps.Section{Comment: "seed"})
	w.WriteRecord(&pcaps.Record{LinkType: 276, Data: []byte("commented"), Comments: []string{"one", ""}})
	w.Close()
	seeds = append(seeds, file.Bytes(), bytes.Replace(file.Bytes(), []byte{9, 0, 1, 0, 9}, []byte{9, 0, 1, 0, 0x80 | 64}, 1))
	return seeds
}

// words puts values of 32 bits in a row.
func words(order binary.AppendByteOrder, values ...uint32) []byte {
	var b []byte
	for _, v := range values {
		b = order.AppendUint32(b, v)
	}
	return b
}
