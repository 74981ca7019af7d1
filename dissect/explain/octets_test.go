package explain_test

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/explain"
	"github.com/iwarpkit/iwarp/dissect/filter"
)

const (
	request   = "4d504120494420526571204672616d6540020004 00100010"
	terminate = "1205c000 0044 4143 00000000 00000000 00000007 00000000"
	send      = "41430000000000000000000000010000000061626364" // with the payload "abcd"
	rpc       = "00000007 00000001 00000020 00000000 00000000 00000000 00000000 " +
		"00000007 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000"
)

// fpdu is the FPDU around a ULPDU, both in hexadecimal.
func fpdu(ulpdu string) string {
	b, _ := hex.DecodeString(strings.ReplaceAll(ulpdu, " ", ""))
	f := mpa.FPDU{ULPDULength: uint16(len(b)), ULPDU: b, PAD: make([]byte, mpa.Pad(len(b)))}
	wire, _ := f.AppendBinary(nil)
	f.CRC = mpa.CRC(wire[:len(wire)-4])
	wire, _ = f.AppendBinary(nil)
	return hex.EncodeToString(wire)
}

func TestOctets(t *testing.T) {
	good := fpdu(send)
	for query, want := range map[string]string{
		request:                      "MPA Request frame",
		request + good:               "MPA Request frame; FPDU, Send",
		good:                         "FPDU, Send",
		good + good:                  "FPDU, Send; FPDU, Send",
		good[:len(good)-2] + "00":    "FPDU, Send",
		good[:48]:                    "FPDU, Send",
		send:                         "ULPDU without its FPDU: Send",
		terminate:                    "Terminate header, DDP Untagged Buffer Error: DDP Message too long for available buffer",
		"11000300":                   "Terminate header, DDP Tagged Buffer Error: Invalid STag", // in the order of siw
		"28e95400":                   "",
		"12 05 00 00":                "Terminate header, DDP Untagged Buffer Error: DDP Message too long for available buffer",
		rpc:                          "payload of a Send: a message of RPC-over-RDMA",
		"deadbeef00":                 "",
		fpdu(send[:36] + plain(rpc)): "FPDU, Send; payload of a Send: a message of RPC-over-RDMA",
		fpdu("4147" + strings.Repeat("00", 3) + "00" + "00000002" + "00000001" + "00000000" + plain(terminate)): "FPDU, Terminate",
	} {
		var titles []string
		for _, e := range explain.Lookup(query) {
			if e.Kind != explain.KindOctets || len(e.Fields) == 0 {
				t.Errorf("%s is %+v", query, e)
			}
			titles = append(titles, e.Title)
		}
		if got := strings.Join(titles, "; "); got != want {
			t.Errorf("%s is %q, want %q", query, got, want)
		}
	}
}

func plain(octets string) string { return strings.ReplaceAll(octets, " ", "") }

// TestHexForms reads the same octets in each form that programs print.
func TestHexForms(t *testing.T) {
	b, _ := hex.DecodeString(plain(request))
	for name, form := range map[string]string{
		"upper case": strings.ToUpper(hex.EncodeToString(b)),
		"0x":         "0x" + hex.EncodeToString(b),
		"blanks":     fmt.Sprintf("% x", b),
		"colons":     strings.ReplaceAll(fmt.Sprintf("% x", b), " ", ":"),
		"C":          "{" + strings.ReplaceAll(strings.TrimSpace(fmt.Sprintf("%# x", b)), " ", ", ") + "};",
		"escaped":    strings.ReplaceAll(fmt.Sprintf(" % x", b), " ", `\x`),
		"hexdump -C": hex.Dump(b) + "00000018\n",
		"tcpdump": "\t0x0000:  4d50 4120 4944 2052 6571 2046 7261 6d65  MPA.ID.Req.Frame\n" +
			"\t0x0010:  4002 0004 0010 0010                      @.......\n",
		"xxd": "00000000: 4d50 4120 4944 2052 6571 2046 7261 6d65  MPA ID Req Frame\n" +
			"00000010: 4002 0004 0010 0010                      @.......\n",
		"Wireshark": "0000  4d 50 41 20 49 44 20 52  65 71 20 46 72 61 6d 65   MPA ID Req Frame\n" +
			"0010  40 02 00 04 00 10 00 10                            beefcafe\n",
		"one line": "0000   4d 50 41 20 49 44 20 52 65 71 20 46 72 61 6d 65 40 02 00 04 00 10 00 10",
	} {
		found := explain.Lookup(form)
		if len(found) != 1 || found[0].Name != "24 octets" || found[0].Title != "MPA Request frame" {
			t.Errorf("%s: %q is %+v", name, form, names(found))
		}
	}
}

func TestSections(t *testing.T) {
	for _, query := range []string{
		"RFC 5040 section 4.8", "RFC 5040, Section 4.8", "rfc5040 4.8", "RFC5040/4.8", "5040 §4.8", "RFC 5040 § 4.8", "rfc5040 sec. 4.8",
		"section 4.8 of RFC 5040", "§4.8 of rfc5040",
	} {
		found := explain.Lookup(query)
		if len(found) != 1 || found[0].Name != "RFC 5040, section 4.8" || found[0].Facts[0].Name != "RDMAP-4.8-1" {
			t.Errorf("%q is %v", query, names(found))
		}
	}
	if found := explain.Lookup("RFC 5040 section 99"); found != nil {
		t.Errorf("a section that is not there is %v", names(found))
	}
}

// TestShow compiles the filters of the commands that show something in a capture. There is none for a requirement that nothing
// checks.
func TestShow(t *testing.T) {
	for _, s := range explain.Complete(" ") {
		t.Fatalf("%q begins with a blank", s.Query)
	}
	for first := range strings.SplitSeq("abcdefghijklmnopqrstuvwxyz0123456789", "") {
		for _, s := range explain.Complete(first) {
			for _, e := range explain.Lookup(s.Query) {
				_, rest, found := strings.Cut(e.Show, "-Y '")
				expr := strings.ReplaceAll(strings.TrimSuffix(rest, "' FILE"), `'\''`, "'")
				unchecked := e.Kind == explain.KindRequirement && !slices.ContainsFunc(e.Facts, func(f explain.Fact) bool { return f.Name == "Checked by" })
				if _, err := filter.Compile(expr); found && err != nil || (e.Show == "") != unchecked {
					t.Errorf("%s %s: %s: %v", e.Kind, e.Name, e.Show, err)
				}
			}
		}
	}
}

func FuzzOctets(f *testing.F) {
	for _, seed := range []string{request, terminate, fpdu(send), rpc, "00000000: 4d50 4120  MP", "0000  4d 50\n0002  41", "0x4d, 0x50"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range explain.Lookup(text) {
			if e.Kind == explain.KindOctets && e.Body == nil {
				t.Errorf("%q has no fields", text)
			}
		}
	})
}
