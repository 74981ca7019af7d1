package framing

// What the user knows of connections whose MPA frames are not in the capture.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/record"
)

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
	{"markers", onOff, func(m *MPA) []*Setting { return []*Setting{&m.Markers[record.C2S], &m.Markers[record.S2C]} }},
	{"markers-c2s", onOff, func(m *MPA) []*Setting { return []*Setting{&m.Markers[record.C2S]} }},
	{"markers-s2c", onOff, func(m *MPA) []*Setting { return []*Setting{&m.Markers[record.S2C]} }},
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
