// Package reassemblytest checks package reassembly against a model: the stream as a plain slice of octets. A script of
// arbitrary octets, from a fuzzer or a random number generator, decides what happens to the stream on its way.
//
//   - [Faithful]: cut anyhow, reordered, repeated, overlapping, but complete. All of it must be delivered.
//   - [Lossy]: several streams that share a small budget; segments are lost or cut by the snaplen too. What is delivered
//     must be right, and limits must hold.
//   - [Hostile]: segments that make no sense. The pieces must be contiguous, and limits must hold.
package reassemblytest

// script hands out the octets that decide what happens next, zeros when there are no more.
type script []byte

func (s *script) octet() int {
	if len(*s) == 0 {
		return 0
	}
	o := (*s)[0]
	*s = (*s)[1:]
	return int(o)
}

func (s *script) uint32() uint32 {
	return uint32(s.octet())<<24 | uint32(s.octet())<<16 | uint32(s.octet())<<8 | uint32(s.octet())
}

// below returns a number of at least 0 and less than n.
func (s *script) below(n int) int {
	if n <= 1 {
		return 0
	}
	if n <= 256 {
		return s.octet() % n
	}
	return (s.octet()<<8 | s.octet()) % n
}

// startNear returns a sequence number that is often close to where they wrap or change sign.
func (s *script) startNear() uint32 {
	seq := s.uint32()
	switch s.below(4) {
	case 0:
		return seq
	case 1:
		return seq%4096 - 2048 // about 0
	default:
		return 1<<31 + seq%4096 - 2048
	}
}
