package ladder

// The columns of a ladder, and the rows in them.

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
)

// The widths of columns, in characters. Numbers that need more move the left upright; names of files are shortened.
const (
	timeWidth   = 10
	framesWidth = 9
	fileWidth   = 12 // more, for the names of several files, if the first is not longer
)

// A sheet draws rows. Between the uprights there is the lane.
type sheet struct {
	clock   *show.Clock
	palette *text.Palette
	glyphs  *glyphs
	frames  flow.Frames
	bare    bool   // of several files, with long names: rows of their own have these, and frames are numbers alone
	file    string // that the latest of these rows names
	width   int    // of the lane
	margin  int    // left of the left upright
	column  int    // of frames

	lines []byte // scratch of wrapped
	cells [][]byte
}

// glyphs are the characters that ladders are drawn with.
type glyphs struct{ upright, shaft, right, left string }

var (
	ascii   = glyphs{"|", "-", ">", "<"}
	unicode = glyphs{"│", "─", "▶", "◀"}
)

// The parts of an arrow: a head or nock of one character and two of the shaft, a space, the label, a space, and the
// rest of the shaft with a head.
const (
	indent    = 4 // up to the label
	leastTail = 3 // after it
)

func newSheet(o *Options, frames flow.Frames, first *flow.Span) sheet {
	s := sheet{clock: o.Clock, palette: &o.Palette, glyphs: &ascii, frames: frames, column: framesWidth}
	if file, _ := frames.Place(first.Frame); utf8.RuneCountInString(file) > fileWidth {
		s.bare = true
	} else if frames != nil {
		s.column += fileWidth
	}
	if o.Unicode {
		s.glyphs = &unicode
	}
	s.margin = len(s.appendTime(nil, first.Time)) + 1 + s.column + 1
	s.width = max(o.Width-s.margin-2, LeastWidth-timeWidth-framesWidth-4)
	return s
}

// labelWidth returns how many characters fit on an arrow.
func (s *sheet) labelWidth() int { return s.width - indent - leastTail }

// appendTime appends a time without most of the leading spaces of the clock.
func (s *sheet) appendTime(dst []byte, ns int64) []byte {
	from := len(dst)
	dst = s.clock.Append(dst, ns)
	spaces := 0
	for len(dst)-from-spaces > timeWidth && dst[from+spaces] == ' ' {
		spaces++
	}
	return append(dst[:from], dst[from+spaces:]...)
}

// appendTitle appends the number of the connection and the names of columns, the addresses of its ends above the
// uprights.
func (s *sheet) appendTitle(dst []byte, c *flow.Conn) []byte {
	client := c.Client.AppendTo([]byte("client "))
	server := c.Server.AppendTo([]byte("server "))
	dst = append(dst, "TIME"...)
	dst = appendFill(dst, " ", s.margin-s.column-1-len("TIME"))
	dst = append(dst, "FRAMES"...)
	dst = appendFill(dst, " ", s.column+1-len("FRAMES"))
	dst = append(dst, client...)
	room := s.width + 2 - len(client) - len(server)
	if room < 2 {
		dst = append(dst, '\n')
		room = s.margin + s.width + 2 - len(server)
	}
	dst = appendFill(dst, " ", room)
	return append(append(dst, server...), '\n')
}

// appendMargin appends time and frames, or as much space if there are none, and the left upright. It returns by how
// many characters that moves.
func (s *sheet) appendMargin(dst []byte, at *flow.Span) (b []byte, over int) {
	if at == nil || at.Frame == 0 && at.Time == 0 {
		return append(appendFill(dst, " ", s.margin), s.glyphs.upright...), 0
	}
	dst = append(dst, s.palette.Time.On...)
	from := len(dst)
	if at.Time != 0 {
		dst = s.appendTime(dst, at.Time)
	}
	spare := s.margin - s.column - 1 - (len(dst) - from)
	dst = appendFill(dst, " ", max(spare, 1))
	dst = append(dst, s.palette.Time.Off...)
	from = len(dst)
	if at.Frame != 0 {
		dst = s.appendFrames(dst, at)
	}
	dst = append(appendFill(dst, " ", s.column-(len(dst)-from)), ' ')
	over = max(0, len(dst)-from-s.column-1) + max(0, 1-spare)
	return append(dst, s.glyphs.upright...), over
}

// appendFile appends a row with the name of the file in which frames begin, unless it stands before each frame, or the latest such row has it.
func (s *sheet) appendFile(dst []byte, at *flow.Span) []byte {
	file := s.fileOf(at.Frame)
	if !s.bare || at.Frame == 0 || file == s.file {
		return dst
	}
	const of = "frames of "
	s.file = file
	return s.appendText(dst, nil, text.Style{}, appendTail([]byte(of), []byte(file), s.labelWidth()-len(of)))
}

// appendFrames appends the numbers of frames. If the name of a file before them does not fit, only its end is shown.
func (s *sheet) appendFrames(dst []byte, at *flow.Span) []byte {
	if s.frames != nil && !s.bare {
		return appendTail(dst, s.frames.Append(nil, at), s.column)
	}
	file, number := s.frames.Place(at.Frame)
	if own, ok := s.frames.In(file, at); ok {
		return flow.Frames(nil).Append(dst, &own)
	}
	return append(strconv.AppendUint(dst, number, 10), "-..."...) // they end in another file
}

// beside names a frame in the row of another one: by its number alone if rows name files, and both are in the same.
func (s *sheet) beside(row, frame uint64) flow.Frames {
	if _, same := s.frames.In(s.fileOf(row), &flow.Span{Frame: frame, LastFrame: frame}); !s.bare || !same {
		return s.frames
	}
	return func(frame uint64) (string, uint64) {
		_, number := s.frames.Place(frame)
		return "", number
	}
}

// fileOf is the file of a frame.
func (s *sheet) fileOf(frame uint64) string {
	file, _ := s.frames.Place(frame)
	return file
}

// appendTail appends words, or the end of them that fits in a width.
func appendTail(dst, words []byte, width int) []byte {
	const cut = "..."
	excess := utf8.RuneCount(words) - width
	if excess <= 0 {
		return append(dst, words...)
	}
	for range excess + len(cut) {
		_, size := utf8.DecodeRune(words)
		words = words[size:]
	}
	return append(append(dst, cut...), words...)
}

// appendArrow appends an arrow with a label, whose first octets are its name. What does not fit goes on the next rows.
func (s *sheet) appendArrow(dst []byte, o *record.Origin, style text.Style, name int, label []byte) []byte {
	var over int
	for i, line := range s.wrapped(s.labelWidth(), label) {
		if i > 0 {
			dst = s.appendText(dst, nil, text.Style{}, line)
			continue
		}
		dst, over = s.appendMargin(dst, &o.Span)
		if o.Dir == flow.S2C {
			dst = append(dst, s.glyphs.left...)
		} else {
			dst = append(dst, s.glyphs.shaft...)
		}
		dst = append(append(append(dst, s.glyphs.shaft...), s.glyphs.shaft...), ' ')
		name := min(name, len(line))
		dst = append(append(append(dst, style.On...), line[:name]...), style.Off...)
		dst = append(append(dst, line[name:]...), ' ')
		tail := s.width - over - indent - utf8.RuneCount(line) - 1
		if o.Dir == flow.S2C {
			dst = appendFill(dst, s.glyphs.shaft, tail)
		} else {
			dst = append(appendFill(dst, s.glyphs.shaft, tail-1), s.glyphs.right...)
		}
		dst = append(append(dst, s.glyphs.upright...), '\n')
	}
	return dst
}

// appendRemark appends words, if there are any, between the uprights, beside the frames that they are about; nil for
// what stands there already. Frames of the file that the latest row with a name has are numbers alone.
func (s *sheet) appendRemark(dst []byte, at *flow.Span, style text.Style, words []byte) []byte {
	if len(words) == 0 {
		return dst
	}
	if s.file != "" {
		words = []byte(show.Within(s.file, true, string(words)))
	}
	for i, line := range s.wrapped(s.labelWidth(), words) {
		if i > 0 {
			at = nil
		}
		dst = s.appendText(dst, at, style, line)
	}
	return dst
}

// appendText appends a row with words, as far from the left upright as the label of an arrow.
func (s *sheet) appendText(dst []byte, at *flow.Span, style text.Style, line []byte) []byte {
	dst, over := s.appendMargin(dst, at)
	dst = appendFill(dst, " ", indent)
	dst = append(append(append(dst, style.On...), line...), style.Off...)
	dst = appendFill(dst, " ", s.width-over-indent-utf8.RuneCount(line))
	return append(append(dst, s.glyphs.upright...), '\n')
}

// appendGap appends a row with the length of a silence.
func (s *sheet) appendGap(dst []byte, ns int64) []byte {
	words := append(text.AppendDuration([]byte("... "), ns), " ..."...)
	dst, _ = s.appendMargin(dst, nil)
	before := (s.width - len(words)) / 2
	dst = append(appendFill(dst, " ", before), words...)
	dst = appendFill(dst, " ", s.width-before-len(words))
	return append(append(dst, s.glyphs.upright...), '\n')
}

// wrapped splits words into lines of at most width characters, which are valid until the next call.
func (s *sheet) wrapped(width int, words []byte) [][]byte {
	s.lines = text.AppendWrapped(s.lines[:0], width, "", 0, "", string(words))
	s.cells = s.cells[:0]
	for line := range bytes.Lines(s.lines) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		for utf8.RuneCount(line) > width { // a single word
			n := 0
			for range width {
				_, size := utf8.DecodeRune(line[n:])
				n += size
			}
			s.cells = append(s.cells, line[:n])
			line = line[n:]
		}
		s.cells = append(s.cells, line)
	}
	return s.cells
}

// appendFill appends s n times.
func appendFill(dst []byte, s string, n int) []byte {
	dst = slices.Grow(dst, max(n, 0)*len(s))
	for ; n > 0; n-- {
		dst = append(dst, s...)
	}
	return dst
}
