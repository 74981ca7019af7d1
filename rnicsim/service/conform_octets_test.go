package service_test

import (
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// octets decodes hexadecimal digits with spaces between them.
func octets(t *testing.T, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestConformOffer(t *testing.T) {
	b := octets(t, "69776366 01 1f 0009 00000020 00002000"+
		"0000001000000000 11223300 00010000"+"0000001000112000 00aabb01 00001000"+strings.Repeat("00", 7*16))
	want := service.ConformOffer{
		Features: service.ConformAtomics | service.ConformImmediate | service.ConformInvalidates | service.ConformSolicited |
			service.ConformTerminates,
		Receives: 32, ReceiveSize: 8192,
	}
	want.Regions[service.ConformData] = service.Advertisement{TO: 0x1000000000, STag: 0x11223300, Length: 65536}
	want.Regions[service.ConformReadonly] = service.Advertisement{TO: 0x1000112000, STag: 0xaabb01, Length: 4096}
	var got service.ConformOffer
	if n, err := got.Decode(append(b, 1, 2, 3)); n != 160 || err != nil {
		t.Fatalf("Decode: %d, %v", n, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if again, _ := got.AppendBinary(nil); hex.EncodeToString(again) != hex.EncodeToString(b) {
		t.Errorf("encoded % x", again)
	}
	if words := (service.ConformAtomics | service.ConformTerminates).String(); words != "Atomics, terminate" {
		t.Error(words)
	}
	if words := service.ConformVolatile.String() + " " + service.ConformRegion(10).String(); words != "volatile Region10" {
		t.Error(words)
	}
}

func TestConformOfferErrors(t *testing.T) {
	for name, digits := range map[string]string{
		"too short":        "69776366 01 1f 0000 00000020 000020",
		"other letters":    "69777376 01 1f 0000 00000020 00002000",
		"other version":    "69776366 02 1f 0000 00000020 00002000",
		"not all is there": "69776366 01 1f 0001 00000020 00002000 0000001000000000 11223300 000100",
	} {
		var o service.ConformOffer
		n, err := o.Decode(octets(t, digits))
		if n != 0 || !errors.Is(err, service.ErrNoConformOffer) || o != (service.ConformOffer{}) {
			t.Errorf("%s: %d, %v, %+v", name, n, err, o)
		}
	}
	// Fewer and more regions than there are today.
	const head, region = "69776366 01 01", "0000001000000000 11223300 00010000"
	var o service.ConformOffer
	if n, err := o.Decode(octets(t, head+"0000 00000001 00000002")); n != 16 || err != nil || o.Regions[0].Length != 0 {
		t.Errorf("no regions: %d, %v, %+v", n, err, o)
	}
	ten := octets(t, head+"000a 00000001 00000002"+strings.Repeat(region, 10))
	if n, err := o.Decode(ten); n != 176 || err != nil || o.Regions[8].Length != 65536 {
		t.Errorf("ten regions: %d, %v, %+v", n, err, o)
	}
}

// conformCommands are commands as in docs/conform-service.md.
var conformCommands = []struct {
	digits string
	want   service.ConformCommand
}{
	{"00000000", service.ConformCommand{}},
	{"01000000", service.ConformCommand{Code: service.DoEcho}},
	{"02000000", service.ConformCommand{Code: service.DoReport}},
	{"10010002 00000010 00000100 99887766 0000000012345678",
		service.ConformCommand{
			Code: service.DoWrite, Flags: 1, Count: 2, Length: 16, Offset: 256, STag: 0x99887766, TO: 0x12345678,
		}},
	{"11000000 0000ffff 00000001 99887766 ffffffff12345678",
		service.ConformCommand{Code: service.DoRead, Length: 65535, Offset: 1, STag: 0x99887766, TO: 0xffffffff12345678}},
	{"12010000 00000000 00000008 99887766 0000000000001000 0000000000000005 8000000000000000",
		service.ConformCommand{
			Code: service.DoFetchAdd, Flags: 1, Offset: 8, STag: 0x99887766, TO: 0x1000, Operands: [4]uint64{5, 1 << 63},
		}},
	{"13010000 00000000 00000008 99887766 0000000000001000" +
		"0000000000000001 0000000000000002 0000000000000003 0000000000000004",
		service.ConformCommand{
			Code: service.DoCmpSwap, Flags: 1, Offset: 8, STag: 0x99887766, TO: 0x1000, Operands: [4]uint64{1, 2, 3, 4},
		}},
	{"14070003 00000040 00000100 99887766",
		service.ConformCommand{Code: service.DoSend, Flags: 7, Count: 3, Length: 64, Offset: 256, STag: 0x99887766}},
	{"15020000 0102030405060708",
		service.ConformCommand{Code: service.DoImmediate, Flags: 2, Operands: [4]uint64{0x0102030405060708}}},
	{"16070003 00000040 00000100 99887766",
		service.ConformCommand{Code: service.DoBind, Flags: 7, Count: 3, Length: 64, Offset: 256, STag: 0x99887766}},
	{"17090000 00000000 00000000 99887766", service.ConformCommand{Code: service.DoInvalidate, Flags: 9, STag: 0x99887766}},
	{"20000000", service.ConformCommand{Code: service.DoClose}},
	{"21000000", service.ConformCommand{Code: service.DoAbort}},
	{"22000000", service.ConformCommand{Code: service.DoTerminate}},
	{"23010006", service.ConformCommand{Code: service.DoRevoke, Flags: 1, Count: 6}},
	{"24010000", service.ConformCommand{Code: service.DoHold, Flags: 1}},
}

func TestConformCommands(t *testing.T) {
	for _, test := range conformCommands {
		b := octets(t, test.digits)
		var got service.ConformCommand
		n, err := got.Decode(append(b, 0xee, 0xee)) // more octets do no harm
		if n != len(b) || n != got.Len() || err != nil {
			t.Errorf("%s: Decode: %d of %d, %v", test.want.Code, n, len(b), err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.want.Code, diff)
		}
		if again, err := got.AppendBinary(nil); hex.EncodeToString(again) != hex.EncodeToString(b) || err != nil {
			t.Errorf("%s: encoded % x, %v", test.want.Code, again, err)
		}
		if len(b) == 4 {
			continue
		}
		if n, err := got.Decode(b[:len(b)-1]); n != 4 || err != service.ErrConformShort || got.Code != test.want.Code {
			t.Errorf("%s without its last octet: %d, %v", test.want.Code, n, err)
		}
	}
}

func TestConformCommandsThatAreNone(t *testing.T) {
	var c service.ConformCommand
	if n, err := c.Decode([]byte{0x21, 1, 2}); n != 3 || err != nil || c != (service.ConformCommand{}) {
		t.Errorf("three octets are quiet: %d, %v, %+v", n, err, c)
	}
	if n, err := c.Decode(octets(t, "ff010000")); n != 0 || err != service.ErrConformCommand || c.Code != 0xff || c.Flags != 1 {
		t.Errorf("command ff: %d, %v, %+v", n, err, c)
	}
	if b, err := c.AppendBinary(nil); b != nil || err != service.ErrConformCommand {
		t.Errorf("command ff: % x, %v", b, err)
	}
	if words := service.DoFetchAdd.String() + " " + service.ConformCode(3).String(); words != "fetchadd Command3" {
		t.Error(words)
	}
}

func TestConformAnswer(t *testing.T) {
	b := octets(t, "12000000 00000002 0102030405060708")
	want := service.ConformAnswer{Code: service.DoFetchAdd, Status: service.ConformFailed, Value: 0x0102030405060708}
	var got service.ConformAnswer
	if n, err := got.Decode(b); n != service.ConformAnswerLen || err != nil || got != want {
		t.Errorf("Decode: %d, %v, %+v", n, err, got)
	}
	if again, _ := want.AppendBinary(nil); hex.EncodeToString(again) != hex.EncodeToString(b) {
		t.Errorf("encoded % x", again)
	}
	if _, err := got.Decode(b[:15]); err != service.ErrConformShort {
		t.Error(err)
	}
	if words := want.Status.String() + " " + service.ConformStatus(1<<31).String(); words != "failed Status2147483648" {
		t.Error(words)
	}
}

func TestConformReport(t *testing.T) {
	b := octets(t, "00000102 00000009 03000000 99887766 e3069283")
	want := service.ConformReport{
		Messages: 258, Length: 9, Flags: service.ConformHadSolicited | service.ConformHadInvalidated,
		STag: rnicsim.STag(0x99887766), CRC: 0xe3069283,
	}
	var got service.ConformReport
	if n, err := got.Decode(b); n != service.ConformReportLen || err != nil || got != want {
		t.Errorf("Decode: %d, %v, %+v", n, err, got)
	}
	if again, _ := want.AppendBinary(nil); hex.EncodeToString(again) != hex.EncodeToString(b) {
		t.Errorf("encoded % x", again)
	}
	if _, err := got.Decode(b[:19]); err != service.ErrConformShort {
		t.Error(err)
	}
}
