package framing

// How the FPDUs of a direction are to be read, and where that is known from.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Setting is on, off, or neither if it is not known.
type Setting uint8

// The settings.
const (
	Unset Setting = iota
	Off
	On
)

var settingNames = [...]string{"unset", "off", "on"}

// String is "on", "off" or "unset".
func (s Setting) String() string { return settingNames[s] }

// SettingOf is On or Off.
func SettingOf(on bool) Setting {
	if on {
		return On
	}
	return Off
}

// A Term is a Setting and where it is known from.
type Term struct {
	Setting
	From record.Source
}

// Set sets a Term that is not known yet.
func (t *Term) Set(s Setting, from record.Source) {
	if t.Setting == Unset && s != Unset {
		*t = Term{s, from}
	}
}

// Terms are what is known about how the FPDUs of one direction are to be read.
type Terms struct {
	CRC     Term // CRCs are generated and checked
	Markers Term // Markers stand in the stream
	RDMAC   Term // DDP and RDMAP have version 0, not 1
}

// AddFrame adds what one MPA frame alone says about direction d: M is about what its sender receives, and C turns CRCs on
// whatever the other side says (RFC 5044, section 7.1.1).
func (t *Terms) AddFrame(f *mpa.Frame, d record.Direction) {
	if f.Rev == mpa.RevRDMAC {
		t.RDMAC.Set(On, record.Negotiated)
		return
	}
	if f.C {
		t.CRC.Set(On, record.Negotiated)
	}
	if f.Reply == (d == record.C2S) {
		t.Markers.Set(SettingOf(f.M), record.Negotiated)
	}
}

// AddStated adds what the user states about direction d.
func (t *Terms) AddStated(m *MPA, d record.Direction) {
	t.CRC.Set(m.CRC, record.Stated)
	t.Markers.Set(m.Markers[d], record.Stated)
	t.RDMAC.Set(m.RDMAC, record.Stated)
	if t.RDMAC.Setting == On {
		t.CRC.Set(On, t.RDMAC.From)
		t.Markers.Set(On, t.RDMAC.From)
	}
}

// Version returns that of DDP and RDMAP; known reports whether it is more than a guess.
func (t *Terms) Version() (version uint8, known bool) {
	if t.RDMAC.Setting == On {
		return ddp.VersionRDMAC, true
	}
	return ddp.Version, t.RDMAC.Setting == Off
}

// stated reports whether the user has stated all that matters.
func (t *Terms) stated() bool {
	return t.CRC.Setting != Unset && t.Markers.Setting != Unset &&
		(t.CRC.From == record.Stated || t.Markers.From == record.Stated)
}

// settle adds what a chain shows.
func (t *Terms) settle(c *chain, markers Setting) {
	t.Markers.Set(markers, record.Inferred)
	t.RDMAC.Set(SettingOf(c.version == ddp.VersionRDMAC), record.Inferred)
	switch {
	case c.good > 0:
		t.CRC.Set(On, record.Inferred)
	case c.bad > 0:
		t.CRC.Set(Off, record.Inferred)
	}
}
