package pcaps_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// split writes the packets of a sample into files, each into the one that which chooses, in the folder that is returned.
func split(t *testing.T, names []string, which func(i int) int) (folder string, all []pcaps.Record) {
	t.Helper()
	in, err := samples.Open("rping")
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	files := make([]bytes.Buffer, len(names))
	writers := make([]*pcaps.Writer, len(names))
	for i := range files {
		writers[i] = pcaps.NewPcapngWriter(&files[i], pcaps.Section{})
	}
	var rec pcaps.Record
	for i := 0; in.Next(&rec) == nil; i++ {
		kept := rec
		kept.Data = bytes.Clone(rec.Data)
		all = append(all, kept)
		if err := writers[which(i)].WriteRecord(&rec); err != nil {
			t.Fatal(err)
		}
	}
	for i, name := range names {
		if err := writers[i].Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), files[i].Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder, all
}

// Whatever the order in which files are named, packets come in chronological order, and are found in their files.
func TestOpenByTime(t *testing.T) {
	names := []string{"a", "b", "c"}
	for _, test := range []struct {
		name    string
		which   func(i int) int
		overlap bool
	}{
		{"ring", func(i int) int { return i / 20 }, false},
		{"interleaved", func(i int) int { return i % 3 }, true},
		{"runs", func(i int) int { return i / 7 % 3 }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			folder, all := split(t, names, test.which)
			for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}} {
				var files []string
				for _, i := range order {
					files = append(files, filepath.Join(folder, names[i]))
				}
				c, err := pcaps.OpenByTime(files...)
				if err != nil {
					t.Fatal(err)
				}
				counts := make([]uint64, len(names))
				var rec pcaps.Record
				for i := range all {
					if err := c.Next(&rec); err != nil || !bytes.Equal(rec.Data, all[i].Data) || rec.Frame != uint64(i+1) {
						t.Fatalf("packet %d: %v, %d", i, err, rec.Frame)
					}
					which := test.which(i)
					counts[which]++
					if file, number := c.Locate(rec.Frame); filepath.Base(file) != names[which] || number != counts[which] {
						t.Fatalf("packet %d: %s:%d, want %s:%d", i, file, number, names[which], counts[which])
					}
				}
				if err := c.Next(&rec); err != io.EOF {
					t.Error(err)
				}
				if !slices.IsSorted(c.Files()) || c.Overlap() != test.overlap || len(c.Damage()) > 0 {
					t.Errorf("files %v, overlap %v, damage %v", c.Files(), c.Overlap(), c.Damage())
				}
				if file, number := c.Locate(1000); file != "" || number != 1000 {
					t.Errorf("got %s:%d", file, number)
				}
				if file, number := c.Locate(1); filepath.Base(file) != "a" || number != 1 {
					t.Errorf("got %s:%d", file, number)
				}
			}
		})
	}
}

// A damaged file ends where it is damaged, and one that is empty is skipped.
func TestOpenByTimeDamaged(t *testing.T) {
	folder, all := split(t, []string{"a", "b"}, func(i int) int { return i % 2 })
	cut, empty := filepath.Join(folder, "a"), filepath.Join(folder, "empty")
	b, err := os.ReadFile(cut)
	if err != nil {
		t.Fatal(err)
	}
	for name, octets := range map[string][]byte{cut: b[:len(b)-10], empty: nil} {
		if err := os.WriteFile(name, octets, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := pcaps.OpenByTime(empty, filepath.Join(folder, "b"), cut)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for rec := (pcaps.Record{}); c.Next(&rec) == nil; n++ {
	}
	if n != len(all)-1 || len(c.Damage()) != 2 {
		t.Errorf("%d packets of %d, damage %v", n, len(all), c.Damage())
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if _, err := pcaps.OpenByTime(cut, filepath.Join(folder, "none")); !os.IsNotExist(err) {
		t.Errorf("got %v", err)
	}
	if _, err := pcaps.OpenByTime(); err == nil {
		t.Error("no error for no file")
	}
}

// Closing a Capture early forgets nothing of what was read.
func TestOpenByTimeClose(t *testing.T) {
	folder, _ := split(t, []string{"a", "b"}, func(i int) int { return i % 2 })
	c, err := pcaps.OpenByTime(filepath.Join(folder, "a"), filepath.Join(folder, "b"))
	if err != nil {
		t.Fatal(err)
	}
	var rec pcaps.Record
	for range 5 {
		if err := c.Next(&rec); err != nil {
			t.Fatal(err)
		}
	}
	before := c.FileBytes()
	if err := c.Close(); err != nil || before == 0 || c.FileBytes() != before || c.Next(&rec) != io.EOF {
		t.Errorf("%v; %d octets were read, %d after Close", err, before, c.FileBytes())
	}
}

// More files than are merged at a time are all read.
func TestOpenByTimeMany(t *testing.T) {
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("%03d", i))
	}
	folder, all := split(t, names, func(i int) int { return i })
	var files []string
	for _, name := range names {
		files = append(files, filepath.Join(folder, name))
	}
	c, err := pcaps.OpenByTime(files...)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for rec := (pcaps.Record{}); c.Next(&rec) == nil; n++ {
	}
	if n != len(all) {
		t.Errorf("%d packets of %d", n, len(all))
	}
}
