package framing

// How the FPDUs of a direction are to be read: what is known of it, from where, and what the user says.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
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
	From flow.Source
}

// Set sets a Term that is not known yet.
func (t *Term) Set(s Setting, from flow.Source) {
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
func (t *Terms) AddFrame(f *mpa.Frame, d flow.Direction) {
	if f.Rev == mpa.RevRDMAC {
		t.RDMAC.Set(On, flow.Negotiated)
		return
	}
	if f.C {
		t.CRC.Set(On, flow.Negotiated)
	}
	if f.Reply == (d == flow.C2S) {
		t.Markers.Set(SettingOf(f.M), flow.Negotiated)
	}
}

// AddStated adds what the user states about direction d.
func (t *Terms) AddStated(m *MPA, d flow.Direction) {
	t.CRC.Set(m.CRC, flow.Stated)
	t.Markers.Set(m.Markers[d], flow.Stated)
	t.RDMAC.Set(m.RDMAC, flow.Stated)
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
		(t.CRC.From == flow.Stated || t.Markers.From == flow.Stated)
}

// settle adds what a chain shows.
func (t *Terms) settle(c *chain, markers Setting) {
	t.Markers.Set(markers, flow.Inferred)
	t.RDMAC.Set(SettingOf(c.version == ddp.VersionRDMAC), flow.Inferred)
	switch {
	case c.good > 0:
		t.CRC.Set(On, flow.Inferred)
	case c.bad > 0:
		t.CRC.Set(Off, flow.Inferred)
	}
}

// MPA is what the user states about connections whose MPA Request, Reply or both are not in the capture. It is believed
// where no MPA frame says otherwise; what is not stated is inferred from the FPDUs. The zero value states nothing.
type MPA struct {
	CRC     Setting    // CRCs are generated and checked
	Markers [2]Setting // by Direction: Markers stand in the stream
	RDMAC   Setting    // DDP and RDMAP have version 0, and CRCs and Markers are on if not stated (RFC 5044, appendix C); Off: version 1
}

// mpaKeys are what ParseMPA knows.
var mpaKeys = [...]struct {
	name   string
	values [3]string // by Setting
	set    func(*MPA) []*Setting
}{
	{"crc", onOff, func(m *MPA) []*Setting { return []*Setting{&m.CRC} }},
	{"markers", onOff, func(m *MPA) []*Setting { return []*Setting{&m.Markers[flow.C2S], &m.Markers[flow.S2C]} }},
	{"markers-c2s", onOff, func(m *MPA) []*Setting { return []*Setting{&m.Markers[flow.C2S]} }},
	{"markers-s2c", onOff, func(m *MPA) []*Setting { return []*Setting{&m.Markers[flow.S2C]} }},
	{"version", [...]string{Off: "1", On: "0"}, func(m *MPA) []*Setting { return []*Setting{&m.RDMAC} }},
}

var onOff = [...]string{Off: "off", On: "on"}

// ParseMPA reads what [MPA.String] writes: words like "crc=on", "markers=off", "markers-c2s=on", "markers-s2c=off" and
// "version=1", the version of DDP and RDMAP, with commas between. The empty string states nothing.
func ParseMPA(s string) (MPA, error) {
	var m MPA
	if strings.TrimSpace(s) == "" {
		return m, nil
	}
	for word := range strings.SplitSeq(s, ",") {
		if err := m.parse(strings.TrimSpace(word)); err != nil {
			return MPA{}, fmt.Errorf("MPA: %w", err)
		}
	}
	return m, nil
}

// parse reads one word, "key=value".
func (m *MPA) parse(word string) error {
	name, value, _ := strings.Cut(word, "=")
	var names []string
	for _, key := range mpaKeys {
		if names = append(names, key.name); key.name != name {
			continue
		}
		for _, s := range key.set(m) {
			switch {
			case *s != Unset:
				return fmt.Errorf("%q: %s was stated before", word, name)
			case value == key.values[On]:
				*s = On
			case value == key.values[Off]:
				*s = Off
			default:
				return fmt.Errorf("%q: want %s=%s or %s=%s", word, name, key.values[On], name, key.values[Off])
			}
		}
		return nil
	}
	return fmt.Errorf("%q: want one of %s, then = and a value", word, strings.Join(names, ", "))
}

// String is what [ParseMPA] reads: "crc=on,markers=off".
func (m MPA) String() string {
	var words []string
	var written MPA
	for _, key := range mpaKeys {
		from, to := key.set(&m), key.set(&written)
		if *from[0] == *to[0] || *from[0] != *from[len(from)-1] {
			continue // not stated, written already, or to be written apart
		}
		words = append(words, key.name+"="+key.values[*from[0]])
		for i := range from {
			*to[i] = *from[i]
		}
	}
	return strings.Join(words, ",")
}
