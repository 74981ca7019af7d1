package mpa

import "encoding/binary"

// Options are what both ends have agreed on for one direction of a connection.
type Options struct {
	Markers bool // this direction's stream contains Markers
	CRC     bool // CRCs are generated and checked
}

// Verdict is the outcome of checking an FPDU's CRC.
type Verdict uint8

// The verdicts.
const (
	Unchecked Verdict = iota // CRCs are off, or octets of the FPDU are missing
	Good
	Bad
)

// String returns "unchecked", "good" or "bad".
func (v Verdict) String() string {
	switch v {
	case Good:
		return "good"
	case Bad:
		return "bad"
	}
	return "unchecked"
}

// Deframed is an FPDU cut out of a stream.
type Deframed struct {
	FPDU            // Markers removed; ULPDU ends early if octets of it are missing
	Verdict Verdict // about the CRC
	WantCRC uint32  // the CRC that the octets have, if Verdict is Good or Bad

	Start, End uint64 // place in the stream, from its first octet; Start is that of a leading Marker, if there is one
	Markers    int    // Markers that belong to this FPDU (RFC 5044, section 4.3)
	BadMarkers int    // Markers whose FPDUPTR does not point to the start of this FPDU (RFC 5044, section 8, error 3)
	Missing    int    // octets of this FPDU that were skipped, Markers included

	ReservedMarkers int // Markers in which RESERVED or the two lowest bits of FPDUPTR are not zero (RFC 5044, section 4.2)
}

// A Deframer cuts the stream of one direction into FPDUs. The stream begins with the octet after the Request or Reply.
// Give it octets with Push, or report missing ones with Skip, and take FPDUs with Next until there are none:
//
//	d.Push(octets)
//	for d.Next(&f) {
//		use(f.ULPDU)
//	}
//
// It reports what it finds and guesses nothing: the caller decides what to do about a bad CRC or a wrong Marker. An FPDU
// that lies whole in one push, with no Marker inside, is not copied. Only the octets of an incomplete FPDU are kept, so
// that memory is bounded by the longest FPDU, about 66 KiB.
//
// The zero value is a Deframer without Markers and CRCs.
type Deframer struct {
	opts Options
	pos  uint64 // place in the stream of the next octet to consume
	in   []byte // pushed and not consumed
	hole uint64 // skipped and not consumed; only when in is empty

	start   uint64 // place of the FPDU in progress
	partial []byte // its octets, from the first one up to those that are missing
	missing int    // its octets that were skipped
	dropped int    // its octets that were pushed after skipped ones and are not kept
	total   int    // its octets in all, including Markers; 0 until ULPDU_Length is known
	lost    bool   // a ULPDU_Length was skipped: the start of the next FPDU is unknown
	passed  uint64 // octets ignored while lost
	checked uint64 // place up to which Check found good CRCs

	scratch []byte // for a ULPDU with Markers inside, whose pieces are joined
}

// Reset makes d ready for a new stream and keeps its memory.
func (d *Deframer) Reset(opts Options) { d.ResetAt(opts, 0) }

// ResetAt is Reset for a stream whose first pos octets are not pushed: the next octet pushed is the first of an FPDU. If
// Markers are on, pos determines where they are.
func (d *Deframer) ResetAt(opts Options, pos uint64) {
	*d = Deframer{opts: opts, pos: pos, partial: d.partial[:0], scratch: d.scratch[:0]}
}

// SetCRC turns the checking of CRCs on or off, from the next FPDU on.
func (d *Deframer) SetCRC(on bool) { d.opts.CRC = on }

// Push gives the next octets of the stream. They must not change until Next has returned false.
func (d *Deframer) Push(b []byte) {
	if d.pos+uint64(len(b)) != d.checked {
		d.checked = 0 // these are not the octets that were checked
	}
	d.in = b
}

// Check reports whether b, which is to be pushed next, consists of whole FPDUs with good CRCs. If so, Next does not compute
// these CRCs again.
func (d *Deframer) Check(b []byte) bool {
	d.checked = 0
	if !d.opts.CRC || d.lost || d.begun() {
		return false
	}
	d.start = d.pos
	n := d.measure(b)
	if n == 0 || n != len(b) && !d.areWhole(b) { // lengths cost less than CRCs
		return false
	}
	for d.start = d.pos; CRC(b[:n-crcLen]) == binary.LittleEndian.Uint32(b[n-crcLen:]); n = d.measure(b) {
		d.start += uint64(n)
		if b = b[n:]; len(b) == 0 {
			d.checked = d.start
			return true
		}
	}
	return false
}

// areWhole reports whether b, which is to be pushed next, consists of whole FPDUs.
func (d *Deframer) areWhole(b []byte) bool {
	for len(b) > 0 {
		n := d.measure(b)
		if n == 0 || n > len(b) {
			return false
		}
		d.start += uint64(n)
		b = b[n:]
	}
	return true
}

// Skip says that the next n octets of the stream are missing. An FPDU whose ULPDU_Length is known is skipped, its CRC
// unchecked. If a ULPDU_Length is missing, the Deframer is lost, see Lost.
func (d *Deframer) Skip(n uint64) { d.hole = n }

// Pos returns the place in the stream of the next octet to push, once Next has returned false.
func (d *Deframer) Pos() uint64 { return d.pos }

// Lost reports whether a ULPDU_Length was skipped. The Deframer then ignores everything until Resume.
func (d *Deframer) Lost() bool { return d.lost }

// Passed returns how many octets were pushed and ignored while the Deframer was lost.
func (d *Deframer) Passed() uint64 { return d.passed }

// Partial sets f to what is there of the FPDU in progress, as Next will when it is complete, except for the CRC. It
// returns false if ULPDU_Length has not been pushed.
func (d *Deframer) Partial(f *Deframed) bool {
	if d.total == 0 {
		return false
	}
	d.fill(f, d.partial)
	return true
}

// Resume says that the next octet pushed is the first of an FPDU or of its leading Marker.
func (d *Deframer) Resume() { d.lost = false }

// InProgress returns the place in the stream of the FPDU in progress, of which a part was pushed or skipped; ok is false
// if there is none.
func (d *Deframer) InProgress() (start uint64, ok bool) { return d.start, d.begun() }

// Due returns how many octets of the FPDU in progress are still to come, Markers included; 0 if its ULPDU_Length has not been
// pushed.
func (d *Deframer) Due() int { return max(d.total-d.have(), 0) }

// Held returns the octets of the FPDU in progress that were pushed and are still held, Markers included. They are valid until
// the next call.
func (d *Deframer) Held() []byte { return d.partial }

// Pending returns how many octets of the FPDU in progress were pushed.
func (d *Deframer) Pending() int { return len(d.partial) + d.dropped }

// Next takes the next FPDU. Its slices are valid until the next call of Push, Skip or Next. It returns false when
// more octets are needed.
func (d *Deframer) Next(f *Deframed) bool {
	if d.lost {
		d.pass()
		return false
	}
	if d.begun() {
		return d.proceed(f)
	}
	d.start = d.pos
	d.total = d.measure(d.in)
	if d.total == 0 || d.total > len(d.in) {
		return d.proceed(f)
	}
	fpdu := d.in[:d.total]
	d.consume(d.total)
	d.total = 0
	d.deliver(f, fpdu)
	return true
}

// begun reports whether an FPDU is in progress.
func (d *Deframer) begun() bool { return d.have() > 0 }

// have returns how many octets of the FPDU in progress were pushed or skipped.
func (d *Deframer) have() int { return len(d.partial) + d.missing + d.dropped }

// proceed collects the octets of an FPDU that does not lie whole in one push.
func (d *Deframer) proceed(f *Deframed) bool {
	for d.total == 0 && len(d.in) > 0 {
		d.keep(1) // at most 6 octets: a leading Marker and ULPDU_Length
		d.total = d.measure(d.partial)
	}
	if d.total == 0 {
		d.skipUnmeasured()
		return false
	}
	if n := min(d.total-d.have(), len(d.in)); d.missing == 0 {
		d.keep(n)
	} else {
		d.dropped += n
		d.consume(n)
	}
	if d.hole > 0 {
		skip := min(uint64(d.total-d.have()), d.hole)
		d.missing += int(skip)
		d.hole -= skip
		d.pos += skip
	}
	if d.have() < d.total {
		return false
	}
	d.deliver(f, d.partial)
	d.partial, d.missing, d.dropped, d.total = d.partial[:0], 0, 0, 0
	return true
}

// keep moves n octets of the input into the FPDU in progress.
func (d *Deframer) keep(n int) {
	if need := max(d.total, 6); cap(d.partial) < need {
		d.partial = append(make([]byte, 0, need), d.partial...)
	}
	d.partial = append(d.partial, d.in[:n]...)
	d.consume(n)
}

func (d *Deframer) consume(n int) {
	d.pos += uint64(n)
	if n == len(d.in) {
		d.in = nil // not to keep the packet
	} else {
		d.in = d.in[n:]
	}
}

// skipUnmeasured consumes a hole that contains a ULPDU_Length.
func (d *Deframer) skipUnmeasured() {
	if d.hole == 0 {
		return
	}
	d.lost = true
	d.passed += uint64(len(d.partial))
	d.partial = d.partial[:0]
	d.pass()
}

// pass consumes everything while the Deframer is lost.
func (d *Deframer) pass() {
	d.passed += uint64(len(d.in))
	d.consume(len(d.in))
	d.pos += d.hole
	d.hole = 0
}

// leading returns the length of the Marker before the ULPDU_Length of the FPDU in progress: 4 or 0.
func (d *Deframer) leading() int {
	if d.opts.Markers && d.start%MarkerSpacing == 0 {
		return MarkerLen
	}
	return 0
}

// toMarker returns how many octets lie between the ULPDU_Length of the FPDU in progress, inclusive, and the next Marker.
func (d *Deframer) toMarker() int {
	return MarkerSpacing - int((d.start+uint64(d.leading()))%MarkerSpacing)
}

// measure returns the length of the FPDU that begins at d.start with octets b, including Markers; 0 if b does not hold
// its ULPDU_Length.
func (d *Deframer) measure(b []byte) int {
	lead := d.leading()
	if len(b) < lead+2 {
		return 0
	}
	n := FPDULen(int(order.Uint16(b[lead:])))
	if !d.opts.Markers {
		return n
	}
	return lead + n + MarkerLen*innerMarkers(n, d.toMarker())
}

// innerMarkers returns how many Markers lie inside n octets of FPDU, if the first comes after the given number of octets.
func innerMarkers(n, first int) int {
	if n <= first {
		return 0
	}
	return 1 + (n-first-1)/(MarkerSpacing-MarkerLen)
}

// deliver fills f from the octets of an FPDU: all of them, or the first ones if some are missing.
func (d *Deframer) deliver(f *Deframed, b []byte) {
	d.fill(f, b)
	if d.opts.CRC && d.missing == 0 {
		crc := len(b) - crcLen
		has := binary.LittleEndian.Uint32(b[crc:])
		f.WantCRC, f.Verdict = has, Good
		if d.pos > d.checked {
			f.WantCRC = CRC(b[:crc])
		}
		if f.WantCRC != has {
			f.Verdict = Bad
		}
	}
}

// fill fills f from octets of an FPDU, except for what concerns the CRC.
func (d *Deframer) fill(f *Deframed, b []byte) {
	f.Verdict, f.WantCRC, f.Start, f.End = Unchecked, 0, d.start, d.pos
	f.Markers, f.BadMarkers, f.ReservedMarkers, f.Missing = 0, 0, 0, d.missing
	if d.opts.Markers {
		b = d.removeMarkers(f, b)
	}
	f.Decode(b) // Missing tells what is not there
}

// removeMarkers counts and checks the Markers in b and returns the octets between them.
func (d *Deframer) removeMarkers(f *Deframed, b []byte) []byte {
	lead := d.leading()
	if lead > 0 {
		d.marker(f, b, 0)
		b = b[lead:]
	}
	next := d.toMarker()
	if len(b) <= next {
		return b
	}
	out := d.scratch[:0]
	if cap(out) < len(b) {
		out = make([]byte, 0, len(b))
	}
	from := 0
	for next < len(b) {
		out = append(out, b[from:next]...)
		d.marker(f, b[next:], next)
		from = min(next+MarkerLen, len(b))
		next += MarkerSpacing
	}
	out = append(out, b[from:]...)
	d.scratch = out
	return out
}

// marker checks the Marker that b begins with. Its FPDUPTR must be ptr; the two lowest bits count as zero (RFC 5044,
// section 4.3).
func (d *Deframer) marker(f *Deframed, b []byte, ptr int) {
	if len(b) < MarkerLen {
		return
	}
	f.Markers++
	word := order.Uint32(b)
	if int(word&0xfffc) != ptr {
		f.BadMarkers++
	}
	if word&^0xfffc != 0 {
		f.ReservedMarkers++
	}
}
