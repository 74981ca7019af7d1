package dissect

// How the FPDUs of a direction are to be read, and where that is known from.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A term is a Setting and where it is known from.
type term struct {
	Setting
	from record.Source
}

// set sets a term that is not known yet.
func (t *term) set(s Setting, from record.Source) {
	if t.Setting == Unset && s != Unset {
		*t = term{s, from}
	}
}

// terms are what is known of one direction.
type terms struct {
	crc, markers term
	rdmac        term // version 0 of DDP and RDMAP
}

// terms collects what is known of direction h: what the MPA frames say that were seen, then what the user states, then
// what the FPDUs of the other direction have shown.
func (e *Engine) terms(h *half) terms {
	var t terms
	c, d := h.pair.conn, h.pair.directionOf(h)
	if c != nil && c.Requested {
		t.hear(&c.Request, d)
	}
	if c != nil && c.Replied {
		t.hear(&c.Reply, d)
	}
	m := &e.stated
	t.crc.set(m.CRC, record.Stated)
	t.markers.set(m.Markers[d], record.Stated)
	t.rdmac.set(m.RDMAC, record.Stated)
	if t.rdmac.Setting == On {
		t.crc.set(On, t.rdmac.from)
		t.markers.set(On, t.rdmac.from)
	}
	if c != nil && c.Sources.CRC != record.SourceUnknown {
		t.crc.set(setting(c.Agreement.CRC), c.Sources.CRC)
	}
	if c != nil && c.Sources.Version != record.SourceUnknown {
		t.rdmac.set(setting(c.Agreement.DDPVersion == ddp.VersionRDMAC), c.Sources.Version)
	}
	return t
}

// hear takes in what one MPA frame alone says of direction d: M is about what its sender receives, and C turns CRCs on
// whatever the other side says (RFC 5044, section 7.1.1).
func (t *terms) hear(f *mpa.Frame, d record.Direction) {
	if f.Rev == mpa.RevRDMAC {
		t.rdmac.set(On, record.Negotiated)
		return
	}
	if f.C {
		t.crc.set(On, record.Negotiated)
	}
	if f.Reply == (d == record.C2S) {
		t.markers.set(setting(f.M), record.Negotiated)
	}
}

// version is that of DDP and RDMAP; known tells whether it is more than a guess.
func (t *terms) version() (version uint8, known bool) {
	if t.rdmac.Setting == On {
		return ddp.VersionRDMAC, true
	}
	return ddp.Version, t.rdmac.Setting == Off
}

// settled tells whether CRCs and Markers are known to be on or off.
func (t *terms) settled() bool { return t.crc.Setting != Unset && t.markers.Setting != Unset }

// stated tells whether the user has said all that matters.
func (t *terms) stated() bool {
	return t.settled() && (t.crc.from == record.Stated || t.markers.from == record.Stated)
}

// settle adds what a chain shows.
func (t *terms) settle(c *chain, markers Setting) {
	t.markers.set(markers, record.Inferred)
	t.rdmac.set(setting(c.version == ddp.VersionRDMAC), record.Inferred)
	switch {
	case c.good > 0:
		t.crc.set(On, record.Inferred)
	case c.bad > 0:
		t.crc.set(Off, record.Inferred)
	}
}

// learn fills in what is known of direction d, unless everything was negotiated before our eyes.
func learn(c *record.Conn, d record.Direction, t *terms) {
	if c.Agreed {
		return
	}
	a, s := &c.Agreement, &c.Sources
	if *s == (record.Sources{}) {
		*a = rules.Agreement{Rev: mpa.Rev1, DDPVersion: ddp.Version, InitORD: -1, RespORD: -1}
	}
	version, _ := t.version()
	switch {
	case c.Replied:
		a.Rev = c.Reply.Rev
	case c.Requested:
		a.Rev = c.Request.Rev
	case version == ddp.VersionRDMAC:
		a.Rev = mpa.RevRDMAC
	}
	if t.crc.from != record.SourceUnknown {
		a.CRC, s.CRC = t.crc.Setting == On, t.crc.from
	}
	if t.rdmac.from != record.SourceUnknown {
		a.DDPVersion, s.Version = version, t.rdmac.from
	}
	markers := &a.MarkersFromInit
	if d == record.S2C {
		markers = &a.MarkersFromResp
	}
	*markers, s.Markers[d] = t.markers.Setting == On, t.markers.from
}

// negotiate fills in the Agreement from both MPA frames.
func negotiate(c *record.Conn) {
	c.Agreement = rules.Negotiate(&c.Request, &c.Reply)
	c.Sources = record.Sources{CRC: record.Negotiated, Markers: [2]record.Source{record.Negotiated, record.Negotiated}, Version: record.Negotiated}
	c.Agreed = true
}

// markersOf tells whether Markers stand in the stream of direction d.
func markersOf(c *record.Conn, d record.Direction) bool {
	if d == record.S2C {
		return c.Agreement.MarkersFromResp
	}
	return c.Agreement.MarkersFromInit
}
