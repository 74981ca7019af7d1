package samples_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

func ExampleOpen() {
	r, err := samples.Open("refused")
	if err != nil {
		fmt.Println(err)
		return
	}
	var rec pcaps.Record
	for r.Next(&rec) == nil {
		fmt.Println(rec.Frame, rec.LinkType, len(rec.Data), "octets")
	}
	// Output:
	// 1 Ethernet 74 octets
	// 2 Ethernet 54 octets
}

// The README lists exactly the samples there are, with their numbers of frames.
func TestReadmeMatchesFiles(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for line := range strings.Lines(string(readme)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		file := strings.Trim(cells[1], " `")
		listed = append(listed, file)
		want, err := strconv.Atoi(strings.TrimSpace(cells[2]))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if got := countFrames(t, file); got != want {
			t.Errorf("%s has %d frames, README.md says %d", file, got, want)
		}
	}
	var embedded []string
	entries, err := fs.ReadDir(samples.Files, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		embedded = append(embedded, entry.Name())
	}
	slices.Sort(listed)
	if !slices.Equal(listed, embedded) {
		t.Errorf("README.md lists %q, embedded are %q", listed, embedded)
	}
}

func TestEveryNameOpens(t *testing.T) {
	names := samples.Names()
	if len(names) < 20 || !slices.IsSorted(names) || !slices.Contains(names, "rping") {
		t.Errorf("Names() = %q", names)
	}
	for _, name := range names {
		if countFrames(t, name) == 0 {
			t.Errorf("%s: no frames", name)
		}
	}
}

func TestSizeStaysSmall(t *testing.T) {
	const limit = 2 << 20
	var total int64
	err := fs.WalkDir(samples.Files, ".", func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if total > limit {
		t.Errorf("the samples have %d octets, the limit is %d", total, limit)
	}
}

func TestOpenUnknown(t *testing.T) {
	_, err := samples.Open("nothing")
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "rping") {
		t.Errorf("error %v, want fs.ErrNotExist and the names there are", err)
	}
}

func countFrames(t *testing.T, name string) int {
	t.Helper()
	r, err := samples.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	var rec pcaps.Record
	n := 0
	for {
		err := r.Next(&rec)
		if err == io.EOF {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
}
