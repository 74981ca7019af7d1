package dissect

// What is known, from whatever source, about how the FPDUs of a connection are to be read.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// terms collects what is known of direction h: what the MPA frames say that were seen, then what the user states, then
// what the FPDUs of the other direction have shown.
func (e *Engine) terms(h *half) framing.Terms {
	var t framing.Terms
	c, d := h.pair.conn, h.pair.directionOf(h)
	if c != nil && c.Requested {
		t.Hear(&c.Request, d)
	}
	if c != nil && c.Replied {
		t.Hear(&c.Reply, d)
	}
	t.State(&e.stated, d)
	if c != nil && c.Sources.CRC != record.SourceUnknown {
		t.CRC.Set(framing.SettingOf(c.Agreement.CRC), c.Sources.CRC)
	}
	if c != nil && c.Sources.Version != record.SourceUnknown {
		t.RDMAC.Set(framing.SettingOf(c.Agreement.DDPVersion == ddp.VersionRDMAC), c.Sources.Version)
	}
	return t
}

// learn fills in what is known of direction d, unless everything was negotiated before our eyes.
func learn(c *record.Conn, d record.Direction, t *framing.Terms) {
	if c.Agreed {
		return
	}
	a, s := &c.Agreement, &c.Sources
	if *s == (record.Sources{}) {
		*a = rules.Agreement{Rev: mpa.Rev1, DDPVersion: ddp.Version, InitORD: -1, RespORD: -1}
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
	if t.CRC.From != record.SourceUnknown {
		a.CRC, s.CRC = t.CRC.Setting == framing.On, t.CRC.From
	}
	if t.RDMAC.From != record.SourceUnknown {
		a.DDPVersion, s.Version = version, t.RDMAC.From
	}
	markers := &a.MarkersFromInit
	if d == record.S2C {
		markers = &a.MarkersFromResp
	}
	*markers, s.Markers[d] = t.Markers.Setting == framing.On, t.Markers.From
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
