package judge

// Where an STag that was refused had been advertised, or one that differs from it in its key alone, or one with the same TO.

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// How much is kept of what one side has advertised.
const (
	keptSTags = 16 // STags, if the upper layer is known
	keptSends = 4  // Sends, if it is not: any may advertise
	keptBegin = 48 // octets of each
)

// inSend is where an Advertisement is that is not in Private Data.
const inSend = "Send"

// advertisements are the latest ones of one side.
type advertisements struct {
	stags      []advertised // both are rings
	sends      []beginning
	told, sent int // how many there were
}

// An advertised STag.
type advertised struct {
	frame uint64
	stag  uint32
}

// A beginning of a Send.
type beginning struct {
	frame  uint64
	n      int
	octets [keptBegin]byte
}

// stag takes an STag that the upper layer advertises.
func (a *advertisements) stag(stag uint32, frame uint64) {
	if len(a.stags) < keptSTags {
		a.stags = append(a.stags, advertised{})
	}
	e := &a.stags[a.told%keptSTags]
	e.stag, e.frame, a.told = stag, frame, a.told+1
}

// send takes the beginning of a Send of an upper layer that is not known.
func (a *advertisements) send(s *record.Segment) {
	if len(a.sends) < keptSends {
		a.sends = append(a.sends, beginning{})
	}
	e := &a.sends[a.sent%keptSends]
	e.frame, e.n, a.sent = s.Frame, copy(e.octets[:], s.RDMAP.Body), a.sent+1
}

// find looks for an STag, or for one that differs from it in its key alone, or else for the TO. private is the Private Data in the
// MPA frame of the same side, name and at are that frame's.
func (a *advertisements) find(stag uint32, to uint64, private []byte, at *flow.Span, name string) *record.Advertisement {
	var near *record.Advertisement
	keep := func(found uint32, place int, octets []byte, frame uint64, in string) bool {
		ad := &record.Advertisement{STag: found, Frame: frame, In: in}
		if place >= 8 {
			ad.TO, ad.HasTO = binary.BigEndian.Uint64(octets[place-8:]), true
			if next := octets[place+4:]; len(next) >= 4 {
				ad.Length = binary.BigEndian.Uint32(next)
			}
		}
		if near == nil || found == stag {
			near = ad
		}
		return found == stag
	}
	for i := range a.stags {
		if e := &a.stags[i]; e.stag>>8 == stag>>8 && keep(e.stag, 0, nil, e.frame, "") {
			return near
		}
	}
	if found, place := stagIn(private, stag); place >= 0 && keep(found, place, private, at.Frame, name) {
		return near
	}
	for i := range a.sends {
		e := &a.sends[i]
		if found, place := stagIn(e.octets[:e.n], stag); place >= 0 && keep(found, place, e.octets[:e.n], e.frame, inSend) {
			return near
		}
	}
	if near != nil {
		return near
	}
	if place := stagBehind(private, to); place >= 0 {
		keep(binary.BigEndian.Uint32(private[place:]), place, private, at.Frame, name)
		return near
	}
	for i := range a.sends {
		e := &a.sends[i]
		if place := stagBehind(e.octets[:e.n], to); place >= 0 {
			keep(binary.BigEndian.Uint32(e.octets[place:]), place, e.octets[:e.n], e.frame, inSend)
		}
	}
	return near
}

// stagBehind is where the 4 octets after a TO stand, if it is there, and neither is a small number, such as a length; else -1.
func stagBehind(b []byte, to uint64) int {
	place := bytes.Index(b, binary.BigEndian.AppendUint64(nil, to))
	if to>>32 == 0 || place < 0 || place+12 > len(b) || b[place+8] == 0 {
		return -1
	}
	return place + 8
}

// stagIn finds an STag among octets, or else one with another key. place is -1 if there is neither, or if it cannot be told
// from a small number.
func stagIn(b []byte, stag uint32) (found uint32, place int) {
	want := binary.BigEndian.AppendUint32(nil, stag)
	if stag>>8 == 0 {
		return 0, -1
	}
	if place = bytes.Index(b, want); place >= 0 {
		return stag, place
	}
	if place = bytes.Index(b, want[:3]); place >= 0 && place+4 <= len(b) {
		return binary.BigEndian.Uint32(b[place:]), place
	}
	return 0, -1
}

// advertised finds out where the STag that a culprit names was advertised.
func (c *connection) advertised(k *culprit) *record.Advertisement {
	stag, to, ok := targetOf(k.Header)
	if !ok || k.opcode == rdmap.OpReadResponse {
		return nil
	}
	owner := 1 - k.Dir
	frame := frameOf(c.conn, owner)
	return c.adverts[owner].find(stag, to, frame.ULPPrivateData(), &c.startup.frames[owner], frameName(frame))
}

// judgeSTag checks whether a side ended the connection, without a Terminate, as the next thing that it did after a message whose STag
// differs in its key alone from one that it had advertised.
func (c *connection) judgeSTag(e *ending) {
	if e.closer() == flow.Nobody || len(e.reporter.verdict.Terminations) > 0 {
		return
	}
	d := 1 - direction(e.closer())
	if e.lossy(1 - d) {
		return // a Terminate may have been lost
	}
	for p, number := range c.a.history.back(c.blame.latest[d]) {
		k := c.blame.past(d, p, number)
		t := record.Termination{Terminate: k.Origin, Header: k.Header, Advertised: c.advertised(k)}
		if wrongSTag(&t) && sameIndex(&t) && corroborated(&t) && k.Frame > c.waiting.progress[1-d].latest.Frame {
			e.observe(&k.Origin, ObsWrongKey, stated("The %v's %v in %s is wrong: %s", flow.Sender(d), k.opcode, frames(c.conn, k.Span),
				advertisedText(&t)))
		}
		return
	}
}

// wrongSTag reports whether the STag that was refused differs from an advertised one in its key alone, or was advertised with another
// TO.
func wrongSTag(t *record.Termination) bool {
	stag, _, ok := targetOf(t.Header)
	return ok && t.Advertised != nil && t.Advertised.STag != stag
}

// sameIndex reports whether it differs in its key at most.
func sameIndex(t *record.Termination) bool {
	stag, _, _ := targetOf(t.Header)
	return t.Advertised.STag>>8 == stag>>8
}

// corroborated reports whether an Advertisement is more than a coincidence: three octets of an STag may stand anywhere, and then a TO near that
// of the message stands beside them.
func corroborated(t *record.Termination) bool {
	_, to, _ := targetOf(t.Header)
	return t.Advertised.HasTO && to-t.Advertised.TO < 1<<32
}

// advertisedTOText says of a message with a wrong key whether its TO is the advertised one, or else what it names.
func advertisedTOText(t *record.Termination) string {
	_, to, _ := targetOf(t.Header)
	switch {
	case !sameIndex(t):
		return "" // was found by the TO
	case t.Advertised.HasTO && t.Advertised.TO == to:
		return sentence("its TO %#x is the advertised one", to)
	}
	return "it has " + t.Target
}

// lengthText compares what was refused for its bounds with a length after the advertised STag.
func lengthText(t *record.Termination) string {
	ad := t.Advertised
	_, to, _ := targetOf(t.Header)
	if ad == nil || !ad.HasTO || ad.Length == 0 || ad.Length == uint32(ad.TO>>32) || to-ad.TO >= 1<<32 || !slices.ContainsFunc(t.Situations, isBounds) {
		return ""
	}
	end, length := to-ad.TO+t.Octets, uint64(ad.Length)
	if end <= length {
		return ""
	}
	return sentence("; if the 4 octets after that STag are the length, %d, the %s goes %s beyond the end", length,
		strings.TrimSuffix(t.Opcode.String(), "Request"), quantity.Count(end-length, "octet"))
}

// isBounds reports whether a situation is that a request reaches beyond a buffer.
func isBounds(s rules.Situation) bool { return s == rules.ReadBounds || s == rules.WriteBounds }

// advertisedText compares a refused STag and its TO with what was advertised; empty if that is not known.
func advertisedText(t *record.Termination) string {
	ad := t.Advertised
	stag, to, ok := targetOf(t.Header)
	if !ok || ad == nil {
		return ""
	}
	at := frame(t.Terminate.Conn, ad.Frame)
	in, inside := "in "+at, ""
	switch ad.In {
	case "":
	case inSend:
		in = "in the Send in " + at
	default:
		in, inside = sentence("in the Private Data of the %s in %s", ad.In, at), " in its Private Data"
	}
	switch {
	case !sameIndex(t):
		return sentence("the %v names STag 0x%08x, but the %s in %s advertised 0x%08x (after TO %#x%s)", t.Opcode, stag, ad.In, at, ad.STag, to, inside)
	case ad.STag != stag:
		return sentence("its STag 0x%08x differs only in the key from 0x%08x, advertised %s", stag, ad.STag, in)
	case ad.HasTO && ad.TO == to:
		return sentence("STag and TO are those advertised %s%s", in, lengthText(t))
	case ad.HasTO && to > ad.TO && to-ad.TO < 1<<32:
		return sentence("the STag is that advertised %s, with TO %#x: the message begins %d octets after it%s", in, ad.TO, to-ad.TO, lengthText(t))
	case ad.HasTO && to < ad.TO && ad.TO-to < 1<<32:
		return sentence("the STag is that advertised %s, with TO %#x: the message begins %d octets before it", in, ad.TO, ad.TO-to)
	case ad.HasTO:
		return sentence("the STag is that advertised %s, after %#x, which looks like its TO", in, ad.TO)
	}
	return sentence("the STag is that advertised %s", in)
}
