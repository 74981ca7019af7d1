package flow

// Numbers of frames in captures of several files.

import "strconv"

// Frames returns the file of a frame, empty if it is not known, and the number of the frame there, from 1. Captures count frames over
// all files, but people look for them in one. It is nil if there is one file.
type Frames func(frame uint64) (file string, number uint64)

// Append appends frames: "12-19", or "b.pcap:12-19" if there are several files.
func (f Frames) Append(dst []byte, s *Span) []byte {
	file, number := f.Place(s.Frame)
	dst = appendFrame(dst, file, number)
	if s.LastFrame == s.Frame {
		return dst
	}
	last, number := f.Place(s.LastFrame)
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

// AppendNamed appends "frame 12" or "frames 12-19".
func (f Frames) AppendNamed(dst []byte, s *Span) []byte {
	dst = append(dst, "frame"...)
	if s.LastFrame != s.Frame {
		dst = append(dst, 's')
	}
	return f.Append(append(dst, ' '), s)
}

// Text is "frame 12", "frames 12-19" or "frame b.pcap:12".
func (f Frames) Text(s Span) string { return string(f.AppendNamed(nil, &s)) }

// In returns the numbers that the frames of s have in a file. It is not ok if one of them is in another file.
func (f Frames) In(file string, s *Span) (own Span, ok bool) {
	first, number := f.Place(s.Frame)
	last, lastNumber := f.Place(s.LastFrame)
	return Span{Frame: number, LastFrame: lastNumber, Time: s.Time, LastTime: s.LastTime}, first == file && last == file
}

// Place returns the file and the number of a frame: no file if there is one.
func (f Frames) Place(frame uint64) (file string, number uint64) {
	if f == nil {
		return "", frame
	}
	return f(frame)
}
