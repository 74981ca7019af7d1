package annotate

// The second pass.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/iwarpkit/iwarp/pcaps"
)

// ErrOnce is wrapped by errors about files that cannot be read twice.
var ErrOnce = errors.New("comments take two passes, and this can be read only once: save it to a file first")

// CheckFiles returns an error that wraps ErrOnce if one of the named files is standard input, a pipe or the like, and the
// error of the operating system if there is no such file.
func CheckFiles(names ...string) error {
	for _, name := range names {
		if name == pcaps.Stdin {
			return fmt.Errorf("standard input: %w", ErrOnce)
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s: %w", name, ErrOnce)
		}
	}
	return nil
}

// ErrChanged is wrapped by the error for a file that is not the one that the first pass has read.
var ErrChanged = errors.New("it has changed while it was read, so that two passes saw different packets")

// Held files are known again, so that changes between the two passes are noticed.
type Held struct {
	names []string
	infos []os.FileInfo
	open  []*os.File // the first ones: no other file can get their identity
}

// maxOpen is how many files are kept open: there may be more files than descriptors.
const maxOpen = 8

// Hold opens the files called names. It fails as CheckFiles and os.Open do.
func Hold(names ...string) (*Held, error) {
	if err := CheckFiles(names...); err != nil {
		return nil, err
	}
	h := new(Held)
	for _, name := range names {
		file, err := os.Open(name)
		if err == nil {
			var info os.FileInfo
			info, err = file.Stat()
			h.names, h.infos = append(h.names, name), append(h.infos, info)
			if len(h.open) < maxOpen {
				h.open = append(h.open, file)
			} else {
				file.Close()
			}
		}
		if err != nil {
			h.Close()
			return nil, err
		}
	}
	return h, nil
}

// Unchanged returns an error that wraps ErrChanged if a name stands for another file now, or its size or time of change is another.
func (h *Held) Unchanged() error {
	for i, name := range h.names {
		was := h.infos[i]
		now, err := os.Stat(name)
		if err != nil || !os.SameFile(was, now) || was.Size() != now.Size() || !was.ModTime().Equal(now.ModTime()) {
			return fmt.Errorf("%s: %w", name, ErrChanged)
		}
	}
	return nil
}

// Close closes the files.
func (h *Held) Close() {
	for _, file := range h.open {
		file.Close()
	}
}

// maxPerFrame is how many comments of each kind a packet gets.
const maxPerFrame = 64

// Write copies the capture in the named files, which the comments are about, to w as pcapng until stop returns true; a nil
// stop never does. It copies damaged files up to the damage. The error is that of pcaps.OpenCopy, or the first write error.
func (c *Comments) Write(w io.Writer, stop func() bool, names ...string) error {
	if err := CheckFiles(names...); err != nil {
		return err
	}
	in, err := pcaps.OpenCopy(w, names...)
	if err != nil {
		return err
	}
	c.sort()
	all := c.all
	var rec pcaps.Record
	for (stop == nil || !stop()) && in.Err() == nil && in.Next(&rec) == nil {
		n := 0
		for n < len(all) && all[n].frame <= rec.Frame {
			n++
		}
		c.annotate(in, all[:n])
		all = all[n:]
	}
	return in.Close()
}

// annotate adds the comments of a frame to the packet that was read last.
func (c *Comments) annotate(in *pcaps.Copy, all []comment) {
	var written [kinds]int
	left := 0
	for _, one := range all {
		if written[one.kind] == maxPerFrame || in.Comment(string(c.texts[one.from:one.to])) != nil {
			left++
			continue
		}
		written[one.kind]++
	}
	if left > 0 {
		c.left += uint64(left)
		in.Comment("iwarp: " + strconv.Itoa(left) + " comments were left out") // as far as there is room
	}
}
