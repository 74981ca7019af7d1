// Package samples holds real iWARP captures, recorded with the Linux kernel's siw
// driver, for tests, examples and a first look at the tools. README.md beside it
// says what each of them shows.
//
//	r, err := samples.Open("refused")
//	for rec := new(pcaps.Record); r.Next(rec) == nil; {
//		fmt.Println(rec.Frame, len(rec.Data))
//	}
package samples

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/iwarpkit/iwarp/pcaps"
)

// Files holds the captures as they are in the folder: NAME.pcap, or NAME.pcap.gz
// for those compressed with gzip.
//
//go:embed *.pcap *.pcap.gz
var Files embed.FS

const (
	plainSuffix = ".pcap"
	gzipSuffix  = ".pcap.gz"
)

// Names returns the names of all samples, such as "rping", in alphabetical order.
func Names() []string {
	entries, err := fs.ReadDir(Files, ".")
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = strings.TrimSuffix(strings.TrimSuffix(entry.Name(), ".gz"), plainSuffix)
	}
	return names
}

// Open returns a reader of the sample called name: one of Names, or the name of one
// of Files. The error wraps [fs.ErrNotExist] if there is none.
func Open(name string) (*pcaps.Reader, error) {
	for _, file := range []string{name, name + plainSuffix, name + gzipSuffix} {
		if b, err := Files.ReadFile(file); err == nil {
			return pcaps.NewReader(named{bytes.NewReader(b), file})
		}
	}
	return nil, fmt.Errorf("samples: no sample is called %q, there are %s: %w", name, strings.Join(Names(), ", "), fs.ErrNotExist)
}

// named gives the octets of a file the name of that file, for errors.
type named struct {
	*bytes.Reader
	name string
}

func (n named) Name() string { return n.name }
