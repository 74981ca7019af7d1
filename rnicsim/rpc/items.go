package rpc

// The arguments of a Call, parts of which may be in Read chunks, and its results.

import "encoding/binary"

// An arguments reads the arguments of a Call. After an error it reads zeros.
type arguments struct {
	octets   []byte
	at       int
	removed  int     // octets before at that are in Read chunks, with roundup
	chunks   []chunk // not reached yet
	anywhere bool    // Read chunks may hold octets that are not eligible
	bad      bool    // the arguments cannot be decoded
	mismatch bool    // because the length of a Read chunk is not that of its item
}

// word reads a word.
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

// position returns where the next octets are in the unreduced message.
func (a *arguments) position() uint64 { return uint64(a.at) + uint64(a.removed) }

// reduced reports whether Read chunks are left.
func (a *arguments) reduced() bool { return len(a.chunks) > 0 }

// passed reports whether a Read chunk is left before the next octets.
func (a *arguments) passed() bool { return a.chunks[0].at() < a.position() }

// whole reports whether everything was read without an error.
func (a *arguments) whole() bool { return !a.bad && a.at == len(a.octets) }

// data reads opaque data. They are in a Read chunk if they are eligible and one has their Position (RFC 8166, sections
// 3.4.4 and 3.4.5).
func (a *arguments) data(eligible bool) []byte {
	n := uint64(a.word())
	if a.bad {
		return nil
	}
	if a.reduced() && a.chunks[0].at() == a.position() && (eligible || a.anywhere) {
		return a.chunk(n)
	}
	if n > uint64(len(a.octets)) {
		a.bad = true
		return nil
	}
	b := a.take(int(n) + roundup(int(n)))
	if b == nil {
		return nil
	}
	return b[:n:n]
}

// chunk takes n octets from the next Read chunk, which may have their roundup (RFC 8166, section 3.4.5.2).
func (a *arguments) chunk(n uint64) []byte {
	octets := a.chunks[0].octets
	a.chunks = a.chunks[1:]
	if n > maxOctets || len(octets) != int(n) && len(octets) != int(n)+roundup(int(n)) {
		a.bad, a.mismatch = true, true
		return nil
	}
	a.removed += int(n) + roundup(int(n))
	return octets[:n:n]
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

// word appends a word.
func (s *results) word(v uint32) { s.message = binary.BigEndian.AppendUint32(s.message, v) }

// item appends an item that is present.
func (s *results) item(data []byte, eligible bool) {
	s.word(1)
	s.word(uint32(len(data)))
	if eligible {
		s.eligible = append(s.eligible, span{len(s.message), len(data)})
	}
	s.message = append(s.message, data...)
	s.message = append(s.message, make([]byte, roundup(len(data)))...)
}
