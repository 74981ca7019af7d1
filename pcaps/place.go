package pcaps

// Which file a packet of several files is from.

import "sort"

// A run is consecutive packets that are from one file.
type run struct {
	first  uint64 // number of the first among all packets
	number uint64 // its number in the file
	file   int
}

// maxRuns limits what is kept of files that are merged. Where they change more often, later packets have no file.
const maxRuns = 1 << 20

// count numbers a packet among those of all files.
func (c *Capture) count(file int, rec *Record) {
	c.packets++
	c.link = rec.LinkType
	if n := len(c.runs); n == 0 || c.runs[n-1].file != file {
		switch {
		case n < maxRuns:
			c.runs = append(c.runs, run{c.packets, rec.Frame, file})
		case n == maxRuns:
			c.runs = append(c.runs, run{c.packets, c.packets, -1})
		}
	}
	rec.Frame = c.packets
}

// Locate returns the name of the file that holds a packet with the given [Record.Frame], and its number there, from 1. Of a
// packet that was not read yet, or after files that are merged have changed a million times, it returns no name, and frame.
func (c *Capture) Locate(frame uint64) (file string, number uint64) {
	i := len(c.runs) - 1
	if i >= 0 && frame < c.runs[i].first { // most are of the latest run
		i = sort.Search(i, func(i int) bool { return c.runs[i].first > frame }) - 1
	}
	if i < 0 || c.runs[i].file < 0 || frame > c.packets {
		return "", frame
	}
	r := &c.runs[i]
	return c.names[r.file], r.number + frame - r.first
}

// Files returns the names of the files in the order in which they are read.
func (c *Capture) Files() []string { return c.names }

// Overlap reports whether packets of files whose times overlap were merged so far.
func (c *Capture) Overlap() bool { return c.merger != nil && c.merger.overlap }
