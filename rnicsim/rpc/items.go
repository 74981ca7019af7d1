package rpc

// The arguments of a Call of Echo, and its results.

import "encoding/binary"

// An arguments reads the arguments of a Call. After an error it reads zeros.
type arguments struct {
	octets   []byte
	at       int
	left     []Span // of those in Read chunks, not reached yet
	bad      bool   // the arguments cannot be decoded
	mismatch bool   // because the length of a Read chunk is not that of its item
}

func (a *arguments) word() uint32 {
	b := a.take(4)
	if b == nil {
		return 0
	}
	return binary.BigEndian.Uint32(b)
}

// take reads n octets; nil if there are fewer.
func (a *arguments) take(n int) []byte {
	if a.bad || n > len(a.octets)-a.at {
		a.bad = true
		return nil
	}
	b := a.octets[a.at : a.at+n]
	a.at += n
	return b
}

// passed reports whether an item in a Read chunk is left before the next octets.
func (a *arguments) passed() bool { return a.left[0].At < a.at }

// skip passes over items in Read chunks that come next.
func (a *arguments) skip() {
	for len(a.left) > 0 && a.left[0].At == a.at {
		a.at, a.left = a.left[0].end(), a.left[1:]
	}
}

// whole reports whether everything was read without an error.
func (a *arguments) whole() bool { return !a.bad && a.at == len(a.octets) }

// data reads opaque data. What comes in a Read chunk is eligible, and as long as the chunk, which may have the roundup (RFC 8166, section
// 3.4.5.2).
func (a *arguments) data(eligible bool) []byte {
	n := uint64(a.word())
	if a.bad {
		return nil
	}
	if eligible && len(a.left) > 0 && a.left[0].At == a.at {
		in := uint64(a.left[0].Length)
		if a.left = a.left[1:]; in != n && in != (n+3)&^3 {
			a.bad, a.mismatch = true, true
			return nil
		}
	}
	if n > uint64(len(a.octets)) {
		a.bad = true
		return nil
	}
	length := int(n)
	b := a.take(length + roundup(length))
	if b == nil {
		return nil
	}
	return b[:length:length]
}

// echo reads items, and appends them to results.
func (a *arguments) echo(s *results, eligible bool) {
	n := a.word()
	s.word(n)
	for ; n > 0 && !a.bad; n-- {
		switch present := a.word(); present {
		case 0:
			s.word(present)
		case 1:
			s.item(a.data(eligible), eligible)
		default:
			a.bad = true
		}
	}
}

func (s *results) word(v uint32) { s.message = binary.BigEndian.AppendUint32(s.message, v) }

// item appends an item that is present.
func (s *results) item(data []byte, eligible bool) {
	s.word(1)
	s.word(uint32(len(data)))
	if eligible {
		s.eligible = append(s.eligible, Span{len(s.message), len(data)})
	}
	s.message = append(s.message, data...)
	s.message = append(s.message, make([]byte, roundup(len(data)))...)
}

// A results is an RPC Reply.
type results struct {
	message  []byte
	eligible []Span // in ascending order
}
