package pcaps

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Stdin is the name under which [Open] reads standard input.
const Stdin = "-"

// Capture reads one or several files as one capture, such as the files of a ring buffer. It is not safe for concurrent
// use. Like a Reader, it is also a PacketDataSource and a ZeroCopyPacketDataSource of github.com/google/gopacket.
type Capture struct {
	reader *Reader
	file   io.Reader // being read; nil between files
	names  []string  // of all files, in the order in which they are read
	next   int       // the file after the one being read
	merger *merger   // nil if the files are read one after the other

	packets   uint64
	runs      []run    // where the files change
	fileBytes int64    // of the files before the one being read
	link      LinkType // of the last packet
	damage    []error

	scratch Record // for the gopacket methods
}

var errNoFile = errors.New("pcaps: no file to open")

// Open opens the named files, to be read in this order. "-" is standard input, which may occur once. A file may be a
// pipe. Only one file is kept open at a time.
//
// If a file cannot be opened or does not begin like a capture, the error names it and wraps [ErrFormat],
// [io.ErrUnexpectedEOF] or the error of the operating system. A file after the first that is empty or ends within its
// header counts as damage, and a pipe after the first is not examined in advance.
func Open(names ...string) (*Capture, error) { return openCapture(nil, names) }

// openCapture is Open for a Capture that copier, if not nil, writes.
func openCapture(copier *copier, names []string) (*Capture, error) {
	if len(names) == 0 {
		return nil, errNoFile
	}
	c := &Capture{reader: new(Reader), names: names, next: 1}
	if err := c.checkPending(names[0] == Stdin); err != nil {
		return nil, err
	}
	c.reader.copy = copier
	if err := c.open(names[0]); err != nil {
		return nil, err
	}
	return c, nil
}

// NewCapture returns a Capture of the single file r, which errors call name; r may come from [Follow]. Errors are those
// of [NewReader]. Close closes r if it is an [io.Closer].
func NewCapture(name string, r io.Reader) (*Capture, error) { return newCapture(nil, name, r) }

func newCapture(copier *copier, name string, r io.Reader) (*Capture, error) {
	c := &Capture{reader: &Reader{copy: copier}, names: []string{name}, next: 1}
	if err := c.start(name, r); err != nil {
		return nil, err
	}
	return c, nil
}

// checkPending checks that the files after the first begin like captures.
func (c *Capture) checkPending(stdinTaken bool) error {
	for _, name := range c.names[1:] {
		if name == Stdin {
			if stdinTaken {
				return errors.New("pcaps: standard input (-) is named twice, it can be read once")
			}
			stdinTaken = true
			continue
		}
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			continue
		}
		if _, err := c.reader.peekTime(name); err != nil {
			return err
		}
	}
	return nil
}

// peekTime checks that a file begins like a capture. It returns the time of its first packet; 0 if it has none.
func (r *Reader) peekTime(name string) (time int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	// Enough for the headers, even within gzip.
	const start = 64 << 10
	if err := r.reset(name, io.LimitReader(f, start)); err != nil {
		// The newest file of a ring buffer may still be empty: that is damage, reported when its turn comes.
		if info, failed := f.Stat(); failed == nil && info.Size() == 0 || errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, nil
		}
		return 0, err
	}
	var rec Record
	_ = r.Next(&rec) // where it is cut or damaged, there is no time
	return rec.Time, nil
}

// open makes the named file the one being read.
func (c *Capture) open(name string) error {
	if name == Stdin {
		return c.start("standard input", io.NopCloser(os.Stdin))
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	if err := c.start(name, f); err != nil {
		f.Close()
		return err
	}
	return nil
}

func (c *Capture) start(name string, r io.Reader) error {
	if err := c.reader.reset(name, r); err != nil {
		return err
	}
	c.file = r
	return nil
}

// Next reads the next packet into rec. Its Data is valid until the next call.
//
// At the end of a file, and where a file is damaged, it continues with the next file. The only error is [io.EOF], after
// the last file: then call Damage.
func (c *Capture) Next(rec *Record) error {
	if c.merger != nil {
		return c.nextByTime(rec)
	}
	for {
		if c.file != nil {
			err := c.reader.Next(rec)
			if err == nil {
				c.count(c.next-1, rec)
				return nil
			}
			if err != io.EOF {
				c.damage = append(c.damage, err)
			}
			c.closeFile()
		}
		if c.next == len(c.names) {
			return io.EOF
		}
		c.next++
		if err := c.open(c.names[c.next-1]); err != nil {
			c.damage = append(c.damage, fmt.Errorf("%w; it was skipped", err))
		}
	}
}

// LinkType returns the link type of the latest packet, or before the first one what [Reader.LinkType] returns for the
// first file.
func (c *Capture) LinkType() LinkType {
	if c.packets > 0 {
		return c.link
	}
	return c.reader.LinkType()
}

// Damage returns an error for each file that could be read only in part, in the order of the files: an [*Error] with the
// file, frame and offset, or another error if the file could no longer be opened when its turn came.
func (c *Capture) Damage() []error { return c.damage }

// Packets returns the number of packets read so far.
func (c *Capture) Packets() uint64 { return c.packets }

// FileBytes returns the number of octets read so far of the uncompressed files, headers included: at the end of
// undamaged files, their size.
func (c *Capture) FileBytes() int64 {
	n := c.fileBytes
	if c.file != nil {
		n += c.reader.FileBytes()
	}
	if c.merger != nil {
		for _, p := range c.merger.open {
			n += p.reader.FileBytes()
		}
	}
	return n
}

// Close closes the file being read, but not standard input. After it, Next returns io.EOF.
func (c *Capture) Close() error {
	c.next = len(c.names)
	if m := c.merger; m != nil {
		m.waiting, m.latest = nil, nil
		for len(m.open) > 0 {
			c.end(m.open[0], io.EOF)
		}
	}
	return c.closeFile()
}

func (c *Capture) closeFile() error {
	c.fileBytes = c.FileBytes()
	file := c.file
	c.file = nil
	if closer, ok := file.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}
