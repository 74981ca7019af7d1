package smbdirect_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// Packets and SMB2 commands by hand, from the layouts of [MS-SMBD] and [MS-SMB2].
var (
	negotiateRequest  = ulptest.Hex("0001 0001 0000 0a00 00040000 00040000 00000200")
	negotiateResponse = ulptest.Hex("0001 0001 0001 0000 0a00 0200 00000000 00001000 00040000 00040000 00000200")

	readBody = ulptest.Hex(`3100 50 00 00200000 0010000000000000 11111111111111112222222222222222 00000000 01000000
		00000000 7000 2000
		0050000000000000 44332211 00100000
		0090000000000000 55443322 00100000`)
	readInline = ulptest.Hex(`3100 50 00 10000000 0000000000000000 11111111111111112222222222222222 00000000 00000000
		00000000 0000 0000 00`)
	readResponse = ulptest.Hex("1100 50 00 10000000 00000000 00000000 000102030405060708090a0b0c0d0e0f")
	readByRDMA   = ulptest.Hex("1100 50 00 00000000 00200000 00000000")
	writeBody    = ulptest.Hex(`3100 0000 00000000 0300000000000000 11111111111111112222222222222222 02000000
		00100000 7000 1000 00000000
		0070000000000000 11223344 00100000`)
	writeInline = ulptest.Hex(`3100 7000 20000000 0000000000000000 11111111111111112222222222222222 00000000
		00000000 0000 0000 00000000`)
	errorResponse = ulptest.Hex("0900 00 00 00000000 00")
)

const (
	create, closeFile, readFile, writeFile, cancel, notify = 5, 6, 8, 9, 12, 15

	response, async = 1, 2
	pending         = 0x103
	noSuchFile      = 0xc000000f
)

// smb2 is an SMB2 command.
func smb2(command uint16, flags, status uint32, mid uint64, body []byte) []byte {
	b := ulptest.Hex("fe534d42 4000 0100")
	b = binary.LittleEndian.AppendUint32(b, status)
	b = binary.LittleEndian.AppendUint16(b, command)
	b = binary.LittleEndian.AppendUint16(b, 1)
	b = binary.LittleEndian.AppendUint32(b, flags)
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = binary.LittleEndian.AppendUint64(b, mid)
	return append(append(b, make([]byte, 32)...), body...)
}

// compound joins commands.
func compound(commands ...[]byte) (message []byte) {
	for i, c := range commands {
		if i < len(commands)-1 {
			c = append(c, make([]byte, -len(c)&7)...)
			binary.LittleEndian.PutUint32(c[20:], uint32(len(c)))
		}
		message = append(message, c...)
	}
	return message
}

// data is a data transfer.
func data(granted uint16, remaining int, octets []byte) []byte {
	b := binary.LittleEndian.AppendUint16([]byte{10, 0}, granted)
	b = binary.LittleEndian.AppendUint32(append(b, 0, 0, 0, 0), uint32(remaining))
	if len(octets) == 0 {
		return append(b, make([]byte, 8)...)
	}
	b = binary.LittleEndian.AppendUint32(b, 24)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(octets)))
	return append(append(b, 0, 0, 0, 0), octets...)
}

// TestSession plays a session by hand.
func TestSession(t *testing.T) {
	w := ulptest.NewWire(smbdirect.Layer, 7174)
	w.Send(flow.C2S, negotiateRequest)
	w.Send(flow.S2C, negotiateResponse)
	w.Send(flow.C2S, data(10, 0, nil))
	w.Send(flow.C2S, data(0, 0, smb2(readFile, 0, 0, 7, readBody)))
	w.Write(flow.S2C, 0x11223344, 0x5000, 4096)
	w.Write(flow.S2C, 0x22334455, 0x9000, 4096)
	w.Send(flow.S2C, data(2, 0, smb2(readFile, response, 0, 7, readByRDMA)))
	w.Send(flow.C2S, data(0, 0, smb2(writeFile, 0, 0, 8, writeBody)))
	w.Read(flow.S2C, 0x11223344, 0x7000, 4096) // this client's Tokens are in the other order
	w.Send(flow.S2C, data(2, 0, smb2(writeFile, response, 0, 8, errorResponse)))

	whole := compound(smb2(create, 0, 0, 9, make([]byte, 57)), smb2(readFile, 0, 0, 10, readInline),
		smb2(closeFile, 0, 0, 11, make([]byte, 24)))
	w.Send(flow.C2S, data(0, len(whole)-100, whole[:100]))
	w.Send(flow.C2S, data(1, 0, nil))
	w.Send(flow.C2S, data(0, 50, whole[100:len(whole)-50]))
	w.Send(flow.C2S, data(0, 0, whole[len(whole)-50:]))
	w.Send(flow.S2C, data(9, 0, compound(smb2(create, response, 0, 9, make([]byte, 88)),
		smb2(readFile, response, 0, 10, readResponse), smb2(closeFile, response, noSuchFile, 11, errorResponse))))

	w.Send(flow.C2S, data(0, 32, smb2(writeFile, 0, 0, 12, writeInline)))
	w.Send(flow.C2S, data(0, 0, make([]byte, 32)))
	w.Send(flow.S2C, data(0, 0, smb2(writeFile, response|async, pending, 12, errorResponse)))
	w.Send(flow.S2C, data(0, 0, smb2(writeFile, response|async, 0, 12, errorResponse)))
	w.Send(flow.C2S, data(0, 0, smb2(notify, 0, 0, 13, nil)))
	w.Send(flow.C2S, data(0, 0, smb2(cancel, 0, 0, 13, nil)))
	w.Send(flow.C2S, data(0, 0, smb2(0xc1, 0, 0, 14, nil)))
	w.Send(flow.S2C, data(0, 0, append([]byte("\xfdSMB"), make([]byte, 60)...)))
	if got := w.Follower.End(); got != [2]int{1, 0} {
		t.Errorf("outstanding %v", got)
	}
	ulptest.Expect(t, "packets", w.Lines(),
		"c2s Negotiate Request requested=10 id=0x0 len=20",
		"s2c Negotiate Response credits=2 STATUS_SUCCESS id=0x0 len=32",
		"c2s Data transfer credits=10 remaining=0 id=0x0 len=20",
		"c2s Data transfer credits=0 remaining=0 SMB2 READ mid=7 offset=4096 length=8192 id=0x7 len=168",
		"s2c Data transfer credits=2 remaining=0 SMB2 READ Response mid=7 id=0x7 len=104",
		"c2s Data transfer credits=0 remaining=0 SMB2 WRITE mid=8 offset=3 length=4096 id=0x8 len=152",
		"s2c Data transfer credits=2 remaining=0 SMB2 WRITE Response mid=8 id=0x8 len=97",
		"c2s Data transfer credits=0 remaining=236 SMB2 CREATE mid=9 and more id=0x9 len=124",
		"c2s Data transfer credits=1 remaining=0 id=0x0 len=20",
		"c2s Data transfer credits=0 remaining=50 rest of SMB2 CREATE mid=9 and more id=0x9 len=210",
		"c2s Data transfer credits=0 remaining=0 rest of SMB2 CREATE mid=9 and more id=0x9 len=74",
		"s2c Data transfer credits=9 remaining=0 SMB2 CREATE Response mid=9 and more id=0x9 len=345",
		"c2s Data transfer credits=0 remaining=32 SMB2 WRITE mid=12 offset=0 length=32 id=0xc len=136",
		"c2s Data transfer credits=0 remaining=0 rest of SMB2 WRITE mid=12 offset=0 length=32 id=0xc len=56",
		"s2c Data transfer credits=0 remaining=0 SMB2 WRITE Response mid=12 STATUS_PENDING id=0xc len=97",
		"s2c Data transfer credits=0 remaining=0 SMB2 WRITE Response mid=12 id=0xc len=97",
		"c2s Data transfer credits=0 remaining=0 SMB2 CHANGE_NOTIFY mid=13 id=0xd len=88",
		"c2s Data transfer credits=0 remaining=0 SMB2 CANCEL mid=13 id=0xd len=88",
		"c2s Data transfer credits=0 remaining=0 SMB2 0x00c1 mid=14 id=0xe len=88",
		"s2c Data transfer credits=0 remaining=0 SMB2 encrypted id=0x0 len=88",
	)
	ulptest.Expect(t, "transactions", w.TransactionLines(),
		"c2s SMB Direct Negotiate id=0x0 answered frames 1-2 octets=0",
		"c2s SMB2 READ id=0x7 answered frames 4-7 octets=8192",
		"c2s SMB2 WRITE id=0x8 answered frames 8-12 octets=4096",
		"c2s SMB2 CREATE id=0x9 answered frames 13-17 octets=0",
		"c2s SMB2 READ id=0xa answered frames 13-17 octets=16",
		"c2s SMB2 CLOSE id=0xb refused frames 13-17 octets=0",
		"c2s SMB2 WRITE id=0xc answered frames 18-21 octets=32",
		"c2s SMB2 CHANGE_NOTIFY id=0xd unanswered frames 22-0 octets=0",
		"c2s SMB2 0x00c1 id=0xe unanswered frames 24-0 octets=0",
	)
}

// TestNegotiateLate has the SMB2 NEGOTIATE, with MessageId 0, before the Negotiate Response.
func TestNegotiateLate(t *testing.T) {
	w := ulptest.NewWire(smbdirect.Layer, 7174)
	w.Send(flow.C2S, negotiateRequest)
	w.Send(flow.C2S, data(10, 0, smb2(0, 0, 0, 0, nil)))
	w.Send(flow.S2C, negotiateResponse)
	w.Send(flow.S2C, data(2, 0, smb2(0, response, 0, 0, nil)))
	w.Follower.End()
	ulptest.Expect(t, "transactions", w.TransactionLines(),
		"c2s SMB Direct Negotiate id=0x0 answered frames 1-3 octets=0",
		"c2s SMB2 NEGOTIATE id=0x0 answered frames 2-4 octets=0",
	)
}

// TestNegotiateCut has a Negotiate Response, or what may be one, of which only a part was captured.
func TestNegotiateCut(t *testing.T) {
	w := ulptest.NewWire(smbdirect.Layer, 7174)
	w.Send(flow.C2S, negotiateRequest)
	w.SendCut(flow.S2C, negotiateResponse, 20)
	if got := w.Follower.End(); got != [2]int{} {
		t.Errorf("%v outstanding", got)
	}
}

// TestCredits spends more credits than there are.
func TestCredits(t *testing.T) {
	w := ulptest.NewWire(smbdirect.Layer, 7174)
	type left struct {
		n     int
		known bool
	}
	var got []left
	w.OnUpper = func(m *record.Upper) {
		p := m.Body.(*smbdirect.Packet)
		got = append(got, left{p.Credits, p.CreditsKnown})
	}
	w.Send(flow.C2S, negotiateRequest)
	w.Send(flow.S2C, negotiateResponse)
	for range 3 {
		w.Send(flow.C2S, data(1, 0, nil))
	}
	w.Send(flow.S2C, data(5, 0, nil))
	w.Send(flow.C2S, data(0, 0, nil))
	w.Gap(flow.S2C)
	w.Send(flow.C2S, data(0, 0, nil))
	want := []left{{0, false}, {0, true}, {1, true}, {0, true}, {-1, true}, {2, true}, {3, true}, {2, false}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(left{})); d != "" {
		t.Errorf("credits (-want +got)\n%s", d)
	}
}

// TestFragmentsLost loses packets of messages that come in several.
func TestFragmentsLost(t *testing.T) {
	w := ulptest.NewWire(smbdirect.Layer, 7174)
	one, two := smb2(create, 0, 0, 1, make([]byte, 200)), smb2(create, 0, 0, 2, make([]byte, 200))
	w.Send(flow.C2S, data(1, 164, one[:100])) // its rest is lost
	w.Send(flow.C2S, data(1, 164, two[:100]))
	w.Send(flow.C2S, data(1, 64, two[100:200]))
	w.Send(flow.C2S, data(1, 0, two[200:]))
	w.Send(flow.C2S, data(1, 164, one[:100]))
	w.Gap(flow.C2S)
	w.Send(flow.C2S, data(1, 0, one[200:]))
	w.Send(flow.S2C, data(1, 0, smb2(create, response, 0, 2, errorResponse)))
	w.Follower.End()
	ulptest.Expect(t, "transactions", w.TransactionLines(), "c2s SMB2 CREATE id=0x2 answered frames 2-7 octets=0")

	// One that is cut, and one that is longer than what is kept: the first command of both is seen.
	w = ulptest.NewWire(smbdirect.Layer, 7174)
	w.SendCut(flow.C2S, data(1, 164, one[:100]), 24+80)
	w.Send(flow.C2S, data(1, 0, one[100:]))
	large := smb2(writeFile, 0, 0, 2, append(append([]byte(nil), writeInline...), make([]byte, 1<<20)...))
	for at := 0; at < len(large); at += 1000 {
		end := min(at+1000, len(large))
		w.Send(flow.C2S, data(1, len(large)-end, large[at:end]))
	}
	w.Follower.End()
	last := len(w.Uppers)
	if len(w.Transactions) != 2 || w.Transactions[0].ID != 1 || w.Transactions[1].ID != 2 ||
		w.Transactions[1].Request.LastFrame != uint64(last) {
		t.Errorf("%d packets, transactions %v", last, w.TransactionLines())
	}
}

// TestRecognise offers first messages that are those of SMB Direct or not.
func TestRecognise(t *testing.T) {
	little := append([]byte(nil), negotiateRequest...)
	little[18] = 1 // MaxFragmentedSize 65536
	for _, c := range []struct {
		name    string
		d       flow.Direction
		message []byte
		want    bool
	}{
		{"Negotiate Request", flow.C2S, negotiateRequest, true},
		{"Negotiate Request of the server", flow.S2C, negotiateRequest, false},
		{"too small a MaxFragmentedSize", flow.C2S, little, true},
		{"SMB2", flow.S2C, data(1, 0, smb2(create, 0, 0, 1, nil)), true},
		{"other data", flow.C2S, data(1, 0, make([]byte, 64)), false},
		{"no data", flow.C2S, data(1, 0, nil), false},
		{"zeros", flow.C2S, make([]byte, 64), false},
		{"nothing", flow.C2S, nil, false},
	} {
		w := ulptest.NewWire(smbdirect.Layer, 445)
		if w.Send(c.d, c.message); (w.Follower != nil) != c.want {
			t.Errorf("%s: recognised %v", c.name, !c.want)
		}
	}
}

// TestCapture counts what the Linux kernel did.
func TestCapture(t *testing.T) {
	var r ulptest.Recorder
	sent, least := 0, 1<<10
	r.OnUpper = func(m *record.Upper) {
		p := m.Body.(*smbdirect.Packet)
		if p.CreditsKnown {
			least = min(least, p.Credits)
		}
		if p.Kind == smbdirect.DataTransfer {
			sent++
		}
	}
	r.Run(t, "../../../pcaps/samples/smbdirect.pcap.gz", smbdirect.Layer)
	want := map[string]int{
		"SMB Direct Negotiate answered": 1, "SMB2 NEGOTIATE answered": 1, "SMB2 SESSION_SETUP answered": 2, "SMB2 TREE_CONNECT answered": 2,
		"SMB2 CREATE answered": 34, "SMB2 CREATE refused": 2, "SMB2 CLOSE answered": 33, "SMB2 CLOSE refused": 2,
		"SMB2 FLUSH answered": 22, "SMB2 IOCTL FSCTL_QUERY_NETWORK_INTERFACE_INFO answered": 1, "SMB2 IOCTL FSCTL_DFS_GET_REFERRALS refused": 1, "SMB2 QUERY_DIRECTORY answered": 2,
		"SMB2 QUERY_INFO answered": 8, "SMB2 QUERY_INFO refused": 2, "SMB2 SET_INFO answered": 25,
		"SMB2 READ answered": 1, "SMB2 READ refused": 1, "SMB2 WRITE answered": 2,
	}
	if d := cmp.Diff(want, r.Count()); d != "" {
		t.Errorf("transactions (-want +got)\n%s", d)
	}
	if len(r.Uppers) != 275 || sent != 273 {
		t.Errorf("%d packets, %d data transfers", len(r.Uppers), sent)
	}
	if least < 0 {
		t.Errorf("a peer sent %d packets without credit", -least)
	}
	if octets := r.Octets(); octets["SMB2 READ"] != 3 || octets["SMB2 WRITE"] != 3+100 {
		t.Errorf("octets %v", octets)
	}
	if len(r.Verdicts) != 1 || r.Verdicts[0].ULP != "SMB Direct" {
		t.Errorf("verdicts %+v", r.Verdicts)
	}
	if d := cmp.Diff(map[string]int{"failed-upper": 8}, r.CountFindings()); d != "" {
		t.Errorf("findings (-want +got)\n%s", d)
	}
	for i := range r.Transactions {
		if tr := &r.Transactions[i]; (tr.Outcome == record.Refused) != strings.HasPrefix(tr.Status, "STATUS_") {
			t.Errorf("%s in frame %d: %v, status %q", tr.Name, tr.Request.Frame, tr.Outcome, tr.Status)
		}
	}
}

// TestAllocations allows for the names of the two messages, and for nothing else.
func TestAllocations(t *testing.T) {
	request := data(0, 0, smb2(readFile, 0, 0, 7, readBody))
	answer := data(2, 0, smb2(readFile, response, 0, 7, readByRDMA))
	if n := ulptest.Allocations(t, smbdirect.Layer, negotiateRequest, request, answer); n > 2 {
		t.Errorf("%v allocations for a READ and its response", n)
	}
}

// TestReassembled sends a message in several packets: its commands are laid behind the last, and those that begin in the first there too.
func TestReassembled(t *testing.T) {
	w := ulptest.NewWire(smbdirect.Layer, 7174)
	var view record.View
	var got []string
	w.OnUpper = func(m *record.Upper) {
		for _, layer := range view.Lay(m.Body) {
			for _, part := range layer.Parts {
				got = append(got, fmt.Sprintf("%d %s %s", m.Frame, layer.Name, part.Table.Name))
			}
		}
	}
	whole := compound(smb2(create, 0, 0, 9, make([]byte, 57)), smb2(closeFile, 0, 0, 10, make([]byte, 24)))
	w.Send(flow.C2S, negotiateRequest)
	w.Send(flow.C2S, data(0, len(whole)-128, whole[:128]))
	w.Send(flow.C2S, data(0, 8, whole[128:len(whole)-8]))
	w.Send(flow.C2S, data(0, 0, whole[len(whole)-8:]))
	ulptest.Expect(t, "parts", got,
		"1  SMB Direct Negotiate Request",
		"2  SMB Direct Data Transfer Message",
		"2  SMB2 header",
		"3  SMB Direct Data Transfer Message",
		"4  SMB Direct Data Transfer Message",
		"4 SMB2 message SMB2 header",
		"4 SMB2 message SMB2 header",
	)
}
