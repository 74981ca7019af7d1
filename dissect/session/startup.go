package session

// MPA start-up (RFC 5044, section 7.1): what the frames of both sides fix.

import (
	"bytes"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
)

// A phase is what the next octets of a direction are.
type phase uint8

const (
	streaming phase = iota // MPA has not begun, or was left after a rejection
	waiting                // this side's MPA frame was seen, the other's was not: FPDUs have to wait
	full                   // FPDUs
	opaque                 // what cannot be decoded: the octets after a frame that the peer cannot have accepted
)

// A startup is the phases of both sides, and how they change with MPA frames.
type startup struct {
	phases  [2]phase
	isReply [2]bool // the latest frame of this side is a Reply
}

// A step is what an MPA frame comes to.
type step uint8

const (
	stepWait   step = iota // for the other side's frame
	stepRefuse             // the peer cannot have accepted the frame
	stepAgree              // both sides begin full operation
	stepReject             // both sides go back to streaming
	stepLate               // this side begins full operation; the other one's FPDUs were read without the frame
)

// frame takes a frame that side i has sent. c has the frames of both sides, including this one.
func (s *startup) frame(i int, f *mpa.Frame, c *flow.Conn) step {
	other, paired := 1-i, s.isPaired(i, f)
	s.isReply[i] = f.Reply
	switch {
	case f.PDLength > mpa.MaxPrivateData:
		s.phases[i] = opaque
		return stepRefuse
	case s.phases[other] == full && c.Requested && c.Replied && !c.Reply.R:
		s.phases[i] = full
		return stepLate
	case !paired:
		s.phases[i] = waiting
		return stepWait
	case c.Reply.R:
		s.phases = [2]phase{streaming, streaming}
		return stepReject
	}
	s.phases = [2]phase{full, full}
	return stepAgree
}

// isPaired reports whether a frame of side i is what the other side waits for.
func (s *startup) isPaired(i int, f *mpa.Frame) bool {
	return s.phases[1-i] == waiting && s.isReply[1-i] != f.Reply
}

// keepFrame keeps an MPA frame, or the one to which a session control message is equivalent.
func keepFrame(c *flow.Conn, f *mpa.Frame) {
	kept := *f
	kept.PrivateData = bytes.Clone(f.PrivateData)
	if f.Reply {
		c.Reply, c.Replied = kept, true
	} else {
		c.Request, c.Requested = kept, true
	}
}

// termsOf collects what is known of direction d of a connection, which may be nil: what the MPA frames say that were seen,
// then what the user states, then what the FPDUs of the other direction have shown.
func termsOf(c *flow.Conn, d flow.Direction, stated *framing.MPA) (t framing.Terms) {
	if c != nil && c.Requested {
		t.AddFrame(&c.Request, d)
	}
	if c != nil && c.Replied {
		t.AddFrame(&c.Reply, d)
	}
	t.AddStated(stated, d)
	if c != nil && c.Sources.CRC != flow.SourceUnknown {
		t.CRC.Set(framing.SettingOf(c.Agreement.CRC), c.Sources.CRC)
	}
	if c != nil && c.Sources.Version != flow.SourceUnknown {
		t.RDMAC.Set(framing.SettingOf(c.Agreement.RDMAC()), c.Sources.Version)
	}
	return t
}

// agreedTerms is what both MPA frames fix of direction d.
func agreedTerms(c *flow.Conn, d flow.Direction) (t framing.Terms) {
	t.CRC.Set(framing.SettingOf(c.Agreement.CRC), flow.Negotiated)
	t.Markers.Set(framing.SettingOf(*markersOf(c, d)), flow.Negotiated)
	t.RDMAC.Set(framing.SettingOf(c.Agreement.RDMAC()), flow.Negotiated)
	return t
}

// negotiate fills in the Agreement from both MPA frames.
func negotiate(c *flow.Conn) {
	c.Agreement = rules.Negotiate(&c.Request, &c.Reply)
	c.Sources = flow.Sources{CRC: flow.Negotiated, Markers: [2]flow.Source{flow.Negotiated, flow.Negotiated}, Version: flow.Negotiated}
	c.Agreed = true
}

// learn fills in what is known of direction d, unless both MPA frames were seen.
func learn(c *flow.Conn, d flow.Direction, t *framing.Terms) {
	if c.Agreed {
		return
	}
	a, s := &c.Agreement, &c.Sources
	if *s == (flow.Sources{}) {
		*a = unnegotiated
	}
	version, _ := t.Version()
	switch {
	case c.Replied:
		a.Rev = c.Reply.Rev
	case c.Requested:
		a.Rev = c.Request.Rev
	case version == ddp.VersionRDMAC:
		a.Rev = mpa.RevRDMAC
	}
	if t.CRC.From != flow.SourceUnknown {
		a.CRC, s.CRC = t.CRC.Setting == framing.On, t.CRC.From
	}
	if t.RDMAC.From != flow.SourceUnknown {
		a.DDPVersion, s.Version = version, t.RDMAC.From
	}
	*markersOf(c, d), s.Markers[d] = t.Markers.Setting == framing.On, t.Markers.From
}

// unnegotiated is an Agreement about which nothing is known.
var unnegotiated = rules.Agreement{Rev: mpa.Rev1, DDPVersion: ddp.Version, InitORD: -1, RespORD: -1}

// markersOf is whether Markers stand in the stream of direction d.
func markersOf(c *flow.Conn, d flow.Direction) *bool {
	if d == flow.S2C {
		return &c.Agreement.MarkersFromResp
	}
	return &c.Agreement.MarkersFromInit
}
