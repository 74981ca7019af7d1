package show

// Numbers of frames in captures of several files.

import (
	"regexp"
	"strconv"
	"sync"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// Frames tells in which file a frame is, and its number there, from 1; without a name if that is not known. Captures count
// frames over all files, and people look for them in one. It is nil if there is one file.
type Frames func(frame uint64) (file string, number uint64)

// Append appends frames: "12-19", or "b.pcap:12-19" if there are several files.
func (f Frames) Append(dst []byte, s *record.Span) []byte {
	if f == nil {
		return s.AppendFrames(dst)
	}
	file, number := f(s.Frame)
	dst = appendFrame(dst, file, number)
	if s.LastFrame == s.Frame {
		return dst
	}
	last, number := f(s.LastFrame)
	if last == file {
		last = ""
	}
	return appendFrame(append(dst, '-'), last, number)
}

func appendFrame(dst []byte, file string, number uint64) []byte {
	if file != "" {
		dst = append(append(dst, file...), ':')
	}
	return strconv.AppendUint(dst, number, 10)
}

// named are frames in sentences.
var named = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b([Ff]rames? )([0-9]{1,19})(-([0-9]{1,19}))?\b`) })

// Words returns a sentence with the places of its frames: "in frame b.pcap:12" for "in frame 1012". All texts of Records name
// frames so.
func (f Frames) Words(s string) string {
	if f == nil {
		return s
	}
	return named().ReplaceAllStringFunc(s, func(match string) string {
		m := named().FindStringSubmatch(match)
		first, _ := strconv.ParseUint(m[2], 10, 64)
		last := first
		if m[4] != "" {
			last, _ = strconv.ParseUint(m[4], 10, 64)
		}
		return string(f.Append([]byte(m[1]), &record.Span{Frame: first, LastFrame: last}))
	})
}

// Place returns the file and the number of a frame for programs: no file if there is one.
func (f Frames) Place(frame uint64) (file string, number uint64) {
	if f == nil {
		return "", frame
	}
	return f(frame)
}
