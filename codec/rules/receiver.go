package rules

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// Conditions are what is known of a stream before its first segment.
type Conditions struct {
	Version   int      // agreed DDP and RDMAP version; -1 if unknown: the first segment shows it
	IRD       int      // Read and Atomic Requests that may be outstanding in this direction; -1 if unknown
	Profile   *Profile // nil for "rfc"
	Midstream bool     // the beginning of the stream was not seen: MSNs are learned, and requests may be outstanding
}

// A Receiver checks one direction of a stream against the demands of DDP, RDMAP and RFC 7306, with what its receiving
// end can know. It does not know memory: callers check STags and buffers.
//
// Give it every received segment, with Segment, and every segment that the same end sends, with Sent, in the order in
// which that end sees them. An observer uses two, one for each end. A segment whose header was cut off by the capture
// is a Gap.
//
// After an error the Receiver assumes what the sender may have meant, so that one mistake is one Violation.
type Receiver struct {
	profile *Profile
	matched Match
	queues  [queues]queue // untagged messages, by QN
	sends   *scattered    // of queue 0; nil until segments arrive out of order
	write   tagged
	extent  *extent // of the tagged message in progress; nil if its segments arrive in order
	answer  answer  // the Read Response being received
	ours    requests

	limit      int32 // Read and Atomic Requests that may be outstanding; negative if unknown
	pending    int32 // received and not answered
	maxPending int32
	room       uint32 // octets from the beginning of the Write in progress up to the previous one, which may be its end; 0 if it may not

	reported uint16 // reported pairs of DV and RV, other than version: bit DV<<2 | RV
	assigned uint16 // opcodes of the version, one bit each
	open     places // of the messages in progress
	cut      places // of those that another message interrupted
	missed   places // of those that may have begun before a gap, which may then hold their L: segments can come out of order
	version  uint8  // of DDP and RDMAP

	begun          bool // a segment was received
	terminated     bool // a Terminate was received
	afterTerminate bool // a segment after it was reported
	scattered      bool // the segments of the Send in progress arrive out of order
	whole          bool // the latest segment was the last of such a Send
	orderReported  bool // that the octets of the previous Write are out of order was reported
}

// unknownVersion is Receiver.version until a segment shows it.
const unknownVersion = 0xff

// places are contexts in which a message can be in progress, one bit each: the queues by their QN, and these.
type places uint8

const (
	queues = 4 // that RDMAP uses

	placeWrite    places = 1 << queues
	placeResponse places = 1 << (queues + 1)

	anyPlace places = 1<<(queues+2) - 1
)

// A Match is which request a segment answers.
type Match struct {
	Request uint64 // its index among the Read and Atomic Requests given to Sent
	Last    bool   // it is the last segment of the answer
	Known   bool   // it answers one that was given to Sent
	Doubt   Doubt  // whether it can answer no other one
}

// Reset prepares r for a new stream and keeps its memory.
func (r *Receiver) Reset(c Conditions) {
	*r = Receiver{
		profile: c.Profile, version: unknownVersion, limit: int32(c.IRD), sends: r.sends,
		ours: requests{ring: r.ours.ring, msn: 1, counted: !c.Midstream},
	}
	if r.profile == nil {
		r.profile = &RFC
	}
	r.assigned = r.profile.opcodes(rdmap.Version)
	if v, ok := r.profile.version(c.Version); ok {
		r.agree(v)
	}
	for i := range r.queues {
		r.queues[i] = queue{msn: 1, known: true}
	}
	if c.Midstream {
		r.Gap()
		r.SentGap()
	}
}

// Held returns how many octets of memory r has for requests that wait for a response.
func (r *Receiver) Held() int { return requestHeld * len(r.ours.ring) }

// SetIRD changes Conditions.IRD for later requests.
func (r *Receiver) SetIRD(n int) { r.limit = int32(n) }

// Segment checks the next received segment and appends its violations to v. Those that a Terminate answers come first,
// in the order in which an RNIC finds them, then those that a receiver ignores. ulpduLen is ULPDU_Length in octets; the
// body of s may be shorter if the capture was cut.
func (r *Receiver) Segment(s *rdmap.Segment, ulpduLen int, v []Violation) []Violation {
	r.matched.Known, r.whole = false, false
	if r.terminated {
		return r.checkAfterTerminate(s, v)
	}
	first := len(v)
	d := &demands[s.Control.Opcode&15]
	payload := ulpduLen - s.Header.Len()
	if payload < 0 || !r.cleanHeader(s, d) {
		var ok bool
		if v, ok = r.badHeader(s, d, ulpduLen, v); !ok {
			answersFirst(v[first:])
			return v
		}
	}
	if r.version == rdmap.VersionRDMAC {
		v = r.checkRDMAC(v)
	}
	if r.room != 0 || r.extent != nil && r.extent.above != 0 {
		v = r.join(s, d, v)
	}
	if r.open&^r.cut&^d.place != 0 {
		d, v = r.interrupts(s, d, v)
	}
	if r.answer.gap && d.place != placeResponse {
		r.answer = answer{} // it has ended in the gap: messages follow each other
	}
	filled := false
	if r.extent != nil && r.extent.ended {
		if filled = r.extent.isFilledBy(s, d, payload); !filled {
			v = r.leaveHole(s, v)
		}
	}
	switch {
	case filled:
		v = r.fill(s, d, payload, v)
	case s.T && d.place == placeWrite:
		v = r.tagged(&r.write, s, d, payload, v)
	case s.T:
		v = r.response(s, d, payload, v)
	case d.header == 0:
		v = r.send(s, d, payload, v)
	case s.Control.Opcode == rdmap.OpTerminate:
		v = r.terminate(s, payload, v)
	default:
		v = r.control(s, d, payload, v)
	}
	r.begun = true
	if r.missed != 0 && s.Control.Opcode != rdmap.OpTerminate {
		r.missed &= d.place // messages follow each other: those of other places begin later
	}
	if len(v) > first+1 {
		answersFirst(v[first:])
	}
	return v
}

// Sent records the next segment that is sent: a request awaits a response, a response answers a request.
func (r *Receiver) Sent(s *rdmap.Segment, ulpduLen int) {
	op := s.Control.Opcode
	if r.version == unknownVersion {
		r.learnVersion(s.DV(), s.Control.RV)
	}
	switch d := &demands[op&15]; {
	case ulpduLen < s.Header.Len(), r.assigned>>(op&15)&1 == 0 || s.T != d.tagged:
		r.SentGap() // its kind is unknown
	case d.answers:
		if s.L() && r.pending > 0 {
			r.pending--
		}
	case d.asks && s.BeginsRequest():
		r.ours.push(s)
	}
}

// Match returns which request the latest segment given to Segment answers.
func (r *Receiver) Match() Match { return r.matched }

// Outstanding returns the number of received Read and Atomic Requests that are not answered yet, as far as known.
func (r *Receiver) Outstanding() int { return int(r.pending) }

// MaxOutstanding returns the maximum of Outstanding so far.
func (r *Receiver) MaxOutstanding() int { return int(r.maxPending) }

// Gap records that octets are missing in the received direction; the state is learned again from the next segments.
func (r *Receiver) Gap() {
	for i := range r.queues {
		r.queues[i].known = false
	}
	if r.extent != nil {
		r.answer.sized = false
	}
	r.write, r.extent, r.answer.gap = tagged{}, nil, r.answer.active
	r.open, r.cut, r.missed, r.room, r.scattered = 0, 0, anyPlace, 0, false
	r.begun = true
	r.ours.missed = true
}

// SentGap records that octets are missing in the sent direction: responses may answer unknown requests, and requests
// may have been answered.
func (r *Receiver) SentGap() {
	r.pending = 0
	r.ours.lose()
}

// agree sets the version of the stream.
func (r *Receiver) agree(version uint8) {
	r.version = version
	r.assigned = r.profile.opcodes(version)
}

// learnVersion takes the version of a stream from a segment.
func (r *Receiver) learnVersion(dv, rv uint8) {
	switch {
	case dv <= ddp.Version:
		r.agree(dv)
	case rv <= rdmap.Version:
		r.agree(rv)
	}
}
