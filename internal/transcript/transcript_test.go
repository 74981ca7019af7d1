package transcript

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
)

const handshake = `
c2s hex "MPA ID Req Frame" 4001 0000
s2c hex "MPA ID Rep Frame" 4001 0000
`

// payloads are the TCP payloads of the packets after the TCP handshake, in hexadecimal digits; packets without one are
// shown by their flags.
func payloads(t *testing.T, text string) (all []string) {
	t.Helper()
	tr, err := Parse("test", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range tr.Records {
		var s tcpip.Segment
		if err := s.Decode(rec.LinkType, rec.Data, rec.OrigLen); err != nil {
			t.Fatal(err)
		}
		from := "c2s "
		if s.Src.Port() == defaultPort {
			from = "s2c "
		}
		if len(s.Payload) == 0 {
			all = append(all, from+s.Flags.String())
		} else {
			all = append(all, from+hex.EncodeToString(s.Payload))
		}
	}
	return all
}

func TestEvents(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       string
	}{
		{"ULPDUs and their CRCs", handshake + `
			c2s 4143 00000000 00000000 00000001 00000000
			s2c 4143 00000000 00000000 00000001 00000000 61
			end`,
			// the CRCs were worked out bit by bit, apart from any code of this module
			`c2s 001241430000000000000000000000010000000` + `0587be8c4
			s2c 0013414300000000000000000000000100000000610000007a82544e`},
		{"a wrong CRC, wrong PAD, octets with a CRC", handshake + `
			c2s badcrc 4143 00000000 00000000 00000001 00000000
			c2s pad 0102 4143
			c2s crc 0000
			end`,
			`c2s 00124143000000000000000000000001000000 00a784173b
			c2s 000241430102a7fe398e
			c2s 0000d27761f1`},
		{"repetitions and texts", handshake + `
			c2s hex 0102*2 "a#"*2 03 # a comment
			end`,
			`c2s 01020102612361 2303`},
		{"packets that are split and joined", handshake + `
			split 3
			c2s hex 0102030405060708
			s2c hex 01
			join
			s2c hex 02
			join
			s2c hex 03
			end`,
			`c2s 010203
			c2s 040506
			c2s 0708
			s2c 010203`},
		{"packets that are not captured", handshake + `
			split 1
			c2s hex 010203
			drop
			c2s hex 04
			end`,
			`c2s 04`},
		{"packets that are sent again", handshake + `
			split 1
			c2s hex 0102
			again
			c2s hex 03
			again
			end`,
			`c2s 01
			c2s 02
			c2s 01
			c2s 02
			c2s 03
			c2s 03`},
		{"packets without octets", handshake + `
			c2s ack
			c2s window 0
			c2s fin
			s2c rst
			end`,
			`c2s ACK
			c2s ACK
			c2s FIN,ACK
			s2c RST,ACK`},
	} {
		got := payloads(t, tc.text)[5:]
		want := strings.Split(strings.ReplaceAll(strings.ReplaceAll(tc.want, "\t", ""), " ", ""), "\n")
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], " ", "")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", tc.name, diff)
		}
	}
}

func TestBegins(t *testing.T) {
	for text, want := range map[string][]string{
		"c2s ack\nend":               {"c2s SYN", "s2c SYN,ACK", "c2s ACK", "c2s ACK"},
		"midstream\nc2s hex 01\nend": {"c2s 01"},
		"refused\nend":               {"c2s SYN", "s2c RST,ACK"},
	} {
		if diff := cmp.Diff(want, payloads(t, text)); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
}

func TestExpectations(t *testing.T) {
	tr, err := Parse("test", `# What it is about.
		# More of it.
		profile siw
		c2s hex 01
		  ! one two
		split 1
		c2s hex 0203
		join
		c2s hex 04
		! three
		wait 10s
		s2c fin
		! four four
		end
		! five`)
	if err != nil {
		t.Fatal(err)
	}
	if tr.Title != "What it is about." || tr.Profile != "siw" || tr.EndLine != 14 {
		t.Errorf("%q, %q, end %d", tr.Title, tr.Profile, tr.EndLine)
	}
	want := []Expectation{{4, "one"}, {4, "two"}, {9, "three"}, {12, "four"}, {12, "four"}, {14, "five"}}
	if diff := cmp.Diff(want, tr.Expected); diff != "" {
		t.Error(diff)
	}
	var lines []int
	for i := range tr.Records {
		if rec := &tr.Records[i]; rec.Frame != uint64(i+1) {
			t.Errorf("packet %d has frame number %d", i+1, rec.Frame)
		}
		lines = append(lines, tr.Line(uint64(i+1)))
	}
	if diff := cmp.Diff([]int{0, 0, 0, 4, 9, 9, 9, 12}, lines); diff != "" {
		t.Error(diff)
	}
	if n := len(tr.Records); tr.Line(uint64(n+1)) != 0 {
		t.Error("a frame that is not there has a line")
	} else if d := time.Duration(tr.Records[n-1].Time - tr.Records[n-2].Time); d < 10*time.Second {
		t.Errorf("the time between the last packets is %v", d)
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                              `test:0: there is no "end"`,
		"c2s 4143":                      `test:1: there is no "end"`,
		"end\nc2s 4143":                 `test:2: an event behind the "end"`,
		"c2s":                           `test:1: octets are missing`,
		"c2s hex 123":                   `test:1: "123" is not hexadecimal octets: encoding/hex: odd length hex string`,
		"c2s bad 4143":                  `test:1: "bad" is not hexadecimal octets: encoding/hex: odd length hex string`,
		"c2s pad 00":                    `test:1: octets are missing`,
		"c2s fin 00":                    `test:1: "00" behind "fin"`,
		`c2s "abc`:                      `test:1: a quotation mark is missing`,
		"c2s 00*x":                      `test:1: "x" is not a number of times`,
		"c2s 00*65536":                  `test:1: a ULPDU of 65536 octets`,
		"c2s hex 00*16777216 00":        `test:1: more than 16777216 octets`,
		"\nfoo":                         `test:2: "foo" is not an event`,
		"! a":                           `test:1: "!" wants an event before it`,
		"c2s 4143\n!":                   `test:2: "!" wants names`,
		"c2s 4143\nprofile rfc":         `test:2: "profile" stands before the first event`,
		"port 65536":                    `test:1: strconv.ParseUint: parsing "65536": value out of range`,
		"client 65536":                  `test:1: strconv.ParseUint: parsing "65536": value out of range`,
		"join":                          `test:1: "join" wants a line with octets before it`,
		"c2s 4143\njoin\ns2c 4143":      `test:3: "join" wants both lines from one side`,
		"c2s 4143\njoin\nend":           `test:3: "join" wants octets in the next line`,
		"c2s 4143\n! a\njoin\nc2s 4143": `test:3: "!" stands behind the last of lines that are joined`,
		"split 0":                       `test:1: "split" wants a number of octets up to 65000, not "0"`,
		"again":                         `test:1: "again" wants an event before it`,
		"c2s window many":               `test:1: strconv.ParseUint: parsing "many": invalid syntax`,
		"drop":                          `test:1: "drop" wants an event before it`,
		"wait long":                     `test:1: "wait" wants a time: time: invalid duration "long"`,
	} {
		if _, err := Parse("test", text); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestReadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "some.txt")
	if err := os.WriteFile(name, []byte("foo"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(name); err == nil || err.Error() != `some.txt:1: "foo" is not an event` {
		t.Error(err)
	}
	if _, err := ReadFile(name + "x"); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// TestMarkers looks at Markers where RFC 5044, section 4.3, and its figure 6 have them.
func TestMarkers(t *testing.T) {
	var f Framer
	f.Raw(0, []byte("MPA ID Req Frame\x00\x01\x00\x00"))
	f.Raw(1, []byte("before MPA ID Rep F"))
	if f.Markers(0) {
		t.Error("Markers before the MPA frame is there")
	}
	f.Raw(1, []byte("rame\x80\x01\x00\x01"))
	f.Raw(1, []byte("."))
	if !f.Markers(0) || f.Markers(1) {
		t.Errorf("Markers from the client %v, from the server %v", f.Markers(0), f.Markers(1))
	}
	// a leading Marker, and one before the CRC of this FPDU: 4 + 2 + 506 octets fill the spacing
	fpdu := f.FPDU(0, make([]byte, 506))
	leading, inner := fpdu[:6], fpdu[512:516]
	if len(fpdu) != 4+2+506+4+4 || !bytes.Equal(leading, []byte{0, 0, 0, 0, 1, 250}) || !bytes.Equal(inner, []byte{0, 0, 1, 252}) {
		t.Errorf("%d octets: % x ... % x", len(fpdu), fpdu[:6], fpdu[508:])
	}
	// the next Marker comes 1024 octets after the first
	fpdu = f.FPDU(0, make([]byte, 1000))
	if at := 1024 - 520; !bytes.Equal(fpdu[at:at+4], []byte{0, 0, 1, 248}) || len(fpdu) != 2+1000+2+4+4 {
		t.Errorf("%d octets: % x", len(fpdu), fpdu[at-4:at+8])
	}
	if got := f.FPDU(1, make([]byte, 600)); len(got) != 2+600+2+4 {
		t.Errorf("%d octets without Markers", len(got))
	}
}
