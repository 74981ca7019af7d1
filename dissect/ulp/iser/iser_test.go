package iser_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// header is an iSER header without STags.
const header = "10000000 00000000 0000000000000000 00000000 0000000000000000 "

// Messages by hand, from the layouts of RFC 7145 and RFC 7143.
var (
	hello      = ulptest.Hex("20 11 0040" + " 000000000000000000000000000000000000000000000000")
	helloReply = ulptest.Hex("30 11 0020" + " 000000000000000000000000000000000000000000000000")
	refusal    = ulptest.Hex("31 11 0000 0000000000000000")

	// ID, flags and lengths, LUN, Initiator Task Tag, and what the opcode has.
	loginRequest = ulptest.Hex(header + `43870000 00000006 00023d0000010000 00000007 00010000 00000001 00000000
		00000000000000000000000000000000 413d4200 63000000`)
	loginResponse = ulptest.Hex(header + `23870000 00000000 00023d0000010001 00000007 00000000 00000001 00000002 00000003
		0201 0000 0000000000000000`)
	write = ulptest.Hex(`18000000 11223344 0000000000005000 00000000 0000000000000000
		01a10000 00000008 0002000000000000 00000008 00001000 00000002 00000002
		2a00 00000100 00 0008 00 000000000000 0102030405060708`)
	writeDone = ulptest.Hex(header + `21820000 00000000 0000000000000000 00000008 00000000 00000002 00000003 00000004
		00000000 00000000 00000010`)
	dataOut = ulptest.Hex(header + `05800000 00000010 0002000000000000 00000008 ffffffff 00000000 00000002 00000000
		00000000 00000008 00000000 000102030405060708090a0b0c0d0e0f`)
	read = ulptest.Hex(`14000000 00000000 0000000000000000 55667788 0000000000009000
		01c10000 00000000 0000000000000000 00000009 00002000 00000003 00000003
		8800 0000000100000000 00000010 0000`)
	readRefused = ulptest.Hex(header + `21800002 00000000 0000000000000000 00000009 00000000 00000003 00000004 00000005
		00000000 00000000 00000000`)
	ping = ulptest.Hex(header + `00800000 00000000 0000000000000000 0000000a ffffffff 00000004 00000004
		00000000000000000000000000000000`)
	pong = ulptest.Hex(header + `20800000 00000000 0000000000000000 0000000a ffffffff 00000004 00000005 00000006
		000000000000000000000000`)
	targetPing = ulptest.Hex(header + `20800000 00000000 0000000000000000 ffffffff 00000077 00000004 00000005 00000006
		000000000000000000000000`)
	targetPong = ulptest.Hex(header + `00800000 00000000 0000000000000000 ffffffff 00000077 00000004 00000004
		00000000000000000000000000000000`)
	abort = ulptest.Hex(header + `02810000 00000000 0002000000000000 0000000b 00000008 00000005 00000005 00000002 00000000
		0000000000000000`)
	aborted = ulptest.Hex(header + `22800100 00000000 0000000000000000 0000000b 00000000 00000005 00000006 00000007
		000000000000000000000000`)
	text = ulptest.Hex(header + `04800000 00000000 0000000000000000 0000000c ffffffff 00000006 00000006
		00000000000000000000000000000000`)
	textResponse = ulptest.Hex(header + `24800000 00000000 0000000000000000 0000000c ffffffff 00000006 00000007 00000008
		000000000000000000000000`)
	reject = ulptest.Hex(header + `3f800900 00000030 0000000000000000 ffffffff 00000000 00000007 00000008 00000009
		00000000 0000000000000000
		04800000 00000000 0000000000000000 0000000d ffffffff 00000006 00000006 00000000000000000000000000000000`)
	async = ulptest.Hex(header + `32800000 00000000 0000000000000000 ffffffff 00000000 00000008 00000009 0000000a
		02 00 0001 0002 0003 00000000`)
	logout = ulptest.Hex(header + `46810000 00000000 0000000000000000 0000000e 00010000 00000007 00000007
		00000000000000000000000000000000`)
	logoutResponse = ulptest.Hex(header + `26800000 00000000 0000000000000000 0000000e 00000000 00000008 00000009 0000000a
		00000000 0002 0014 00000000`)
	snack = ulptest.Hex(header + `10810000 00000000 0000000000000000 0000000f ffffffff 00000000 00000007 0000000000000000
		00000001 00000002`)
	r2t = ulptest.Hex(header + `31800000 00000000 0002000000000000 00000010 00000055 00000009 0000000a 0000000b
		00000001 00000200 00000400`)
	dataIn = ulptest.Hex(header + `25830000 00000000 0002000000000000 00000011 ffffffff 0000000a 0000000b 0000000c
		00000001 00000200 00000003`)

	// others are of the kinds that no capture has.
	others = [][]byte{
		dataOut, ping, pong, targetPing, abort, aborted, text, textResponse, reject, async, snack, r2t, dataIn,
	}
)

// TestSession plays a session by hand.
func TestSession(t *testing.T) {
	w := ulptest.NewWire(iser.Layer, 7174)
	w.Send(flow.C2S, hello)
	w.Send(flow.S2C, helloReply)
	w.Send(flow.C2S, loginRequest)
	w.Send(flow.S2C, loginResponse)
	w.Send(flow.C2S, write)
	w.Send(flow.C2S, dataOut)
	w.Send(flow.C2S, read)
	w.Read(flow.S2C, 0x11223344, 0x5018, 4096-24)
	w.Send(flow.S2C, writeDone)
	w.Write(flow.S2C, 0x55667788, 0x9000, 1000)
	w.Send(flow.S2C, readRefused)
	for _, p := range [][]byte{ping, abort, text, logout} {
		w.Send(flow.C2S, p)
	}
	for _, p := range [][]byte{pong, aborted, textResponse, targetPing, async, logoutResponse} {
		w.Send(flow.S2C, p)
	}
	w.Send(flow.C2S, targetPong)
	w.Send(flow.C2S, append(text[:47:47], append([]byte{0x0d}, text[48:]...)...))
	w.Send(flow.S2C, reject)
	w.Send(flow.C2S, read)
	if got := w.Follower.End(); got != [2]int{1, 0} {
		t.Errorf("outstanding %v", got)
	}
	ulptest.Expect(t, "messages", w.Lines(),
		"c2s iSER Hello iSER-IRD=64 id=0x0 len=28",
		"s2c iSER HelloReply iSER-ORD=32 id=0x0 len=28",
		"c2s Login Request itt=0x00000007 LoginOperationalNegotiation id=0x7 len=84",
		"s2c Login Response itt=0x00000007 Authentication failure id=0x7 len=76",
		"c2s SCSI Command WRITE(10) itt=0x00000008 lun=2 lba=256 blocks=8 Write STag 0x11223344 id=0x8 len=84",
		"c2s SCSI Data-Out itt=0x00000008 id=0x8 len=92",
		"c2s SCSI Command READ(16) itt=0x00000009 lun=0 lba=4294967296 blocks=16 Read STag 0x55667788 id=0x9 len=76",
		"s2c SCSI Response itt=0x00000008 GOOD id=0x8 len=76",
		"s2c SCSI Response itt=0x00000009 CHECK CONDITION id=0x9 len=76",
		"c2s NOP-Out itt=0x0000000a ttt=0xffffffff id=0xa len=76",
		"c2s Task Management Function Request itt=0x0000000b ABORT TASK id=0xb len=76",
		"c2s Text Request itt=0x0000000c id=0xc len=76",
		"c2s Logout Request itt=0x0000000e close the connection id=0xe len=76",
		"s2c NOP-In itt=0x0000000a ttt=0xffffffff id=0xa len=76",
		"s2c Task Management Function Response itt=0x0000000b Task does not exist id=0xb len=76",
		"s2c Text Response itt=0x0000000c id=0xc len=76",
		"s2c NOP-In itt=0xffffffff ttt=0x00000077 id=0xffffffff len=76",
		"s2c Asynchronous Message itt=0xffffffff target will drop the connection id=0xffffffff len=76",
		"s2c Logout Response itt=0x0000000e closed successfully id=0xe len=76",
		"c2s NOP-Out itt=0xffffffff ttt=0x00000077 id=0xffffffff len=76",
		"c2s Text Request itt=0x0000000d id=0xd len=76",
		"s2c Reject itt=0xffffffff invalid PDU field id=0xffffffff len=124",
		"c2s SCSI Command READ(16) itt=0x00000009 lun=0 lba=4294967296 blocks=16 Read STag 0x55667788 id=0x9 len=76",
	)
	ulptest.Expect(t, "transactions", w.TransactionLines(),
		"c2s iSER Hello id=0x0 answered frames 1-2 octets=0",
		"c2s iSCSI Login id=0x7 refused frames 3-4 octets=0",
		"c2s SCSI WRITE(10) id=0x8 answered frames 5-11 octets=4096",
		"c2s SCSI READ(16) id=0x9 refused frames 7-13 octets=1000",
		"c2s iSCSI NOP id=0xa answered frames 14-18 octets=0",
		"c2s iSCSI Task Management Function id=0xb refused frames 15-19 octets=0",
		"c2s iSCSI Text id=0xc answered frames 16-20 octets=0",
		"c2s iSCSI Logout id=0xe answered frames 17-23 octets=0",
		"s2c iSCSI NOP id=0x77 answered frames 21-24 octets=0",
		"c2s iSCSI Text id=0xd refused frames 25-26 octets=0",
		"c2s SCSI READ(16) id=0x9 unanswered frames 27-0 octets=0",
	)
}

// former is the PDU of a message after the header of RFC 5046, with the given STags.
func former(first byte, writeSTag, readSTag string, message []byte) []byte {
	h := append([]byte{first}, ulptest.Hex("000000"+writeSTag+readSTag)...)
	return append(h, message[28:]...)
}

// TestFormer plays a connection with the headers of RFC 5046, whose memory begins at TO 0.
func TestFormer(t *testing.T) {
	w := ulptest.NewWire(iser.Layer, 7174)
	w.Send(flow.C2S, hello[:12])
	w.Send(flow.S2C, refusal)
	w.Send(flow.C2S, former(0x18, "11223344", "00000000", write))
	w.Read(flow.S2C, 0x11223344, 8, 4096-8)
	w.Send(flow.S2C, former(0x10, "00000000", "00000000", writeDone))
	ulptest.Expect(t, "messages", w.Lines(),
		"c2s iSER Hello iSER-IRD=64 id=0x0 len=12",
		"s2c iSER HelloReply rejected iSER-ORD=0 id=0x0 len=12",
		"c2s SCSI Command WRITE(10) itt=0x00000008 lun=2 lba=256 blocks=8 Write STag 0x11223344 id=0x8 len=68",
		"s2c SCSI Response itt=0x00000008 GOOD id=0x8 len=60",
	)
	ulptest.Expect(t, "transactions", w.TransactionLines(),
		"c2s iSER Hello id=0x0 refused frames 1-2 octets=0",
		"c2s SCSI WRITE(10) id=0x8 answered frames 3-7 octets=4096",
	)
}

// TestUnframed begins with the login phase of iSCSI without iSER.
func TestUnframed(t *testing.T) {
	w := ulptest.NewWire(iser.Layer, 3260)
	w.Send(flow.C2S, loginRequest[28:])
	w.Send(flow.S2C, loginResponse[28:])
	w.Send(flow.C2S, read)
	w.SendCut(flow.C2S, read, 80-4)
	w.SendCut(flow.C2S, read, 40) // not enough to say
	ulptest.Expect(t, "messages", w.Lines(),
		"c2s Login Request itt=0x00000007 LoginOperationalNegotiation id=0x7 len=56",
		"s2c Login Response itt=0x00000007 Authentication failure id=0x7 len=48",
		"c2s SCSI Command READ(16) itt=0x00000009 lun=0 lba=4294967296 blocks=16 Read STag 0x55667788 id=0x9 len=76",
		"c2s SCSI Command READ(16) itt=0x00000009 lun=0 lba=4294967296 blocks=16 Read STag 0x55667788 id=0x9 len=76",
	)
}

// TestRecognise offers first messages that are those of iSER or not.
func TestRecognise(t *testing.T) {
	longer := append(append([]byte(nil), read...), 0, 0, 0, 0)
	reserved := append([]byte(nil), read...)
	reserved[2] = 1
	for _, c := range []struct {
		name    string
		d       flow.Direction
		message []byte
		want    bool
	}{
		{"Hello", flow.C2S, hello, true},
		{"Hello of the target", flow.S2C, hello, false},
		{"SCSI Command", flow.C2S, read, true},
		{"SCSI Response", flow.S2C, writeDone, true},
		{"SCSI Response of the initiator", flow.C2S, writeDone, false},
		{"a length that disagrees", flow.C2S, longer, false},
		{"reserved bits", flow.C2S, reserved, false},
		{"a Login Request before iSER", flow.C2S, loginRequest[28:], true},
		{"a SCSI Command before iSER", flow.C2S, read[28:], false},
		{"zeros", flow.C2S, make([]byte, 76), false},
		{"nothing", flow.C2S, nil, false},
	} {
		w := ulptest.NewWire(iser.Layer, 7174)
		if w.Send(c.d, c.message); (w.Follower != nil) != c.want {
			t.Errorf("%s: recognised %v", c.name, !c.want)
		}
	}
}

// TestCapture counts what the Linux kernel did: known amounts were written and read.
func TestCapture(t *testing.T) {
	var r ulptest.Recorder
	r.Run(t, ulptest.Captures+"iser.pcap.gz", iser.Layer)
	want := map[string]int{
		"iSCSI Login answered": 1, "iSCSI Logout answered": 1, "SCSI INQUIRY answered": 7, "SCSI TEST UNIT READY answered": 2,
		"SCSI REPORT LUNS answered": 1, "SCSI READ CAPACITY(16) answered": 2, "SCSI MODE SENSE(6) answered": 6,
		"SCSI REPORT SUPPORTED OPERATION CODES refused": 1, "SCSI READ(10) answered": 14, "SCSI WRITE(10) answered": 15,
	}
	if d := cmp.Diff(want, r.Count()); d != "" {
		t.Errorf("transactions (-want +got)\n%s", d)
	}
	if len(r.Uppers) != 100 {
		t.Errorf("%d messages", len(r.Uppers))
	}
	octets := r.Octets()
	const written, read, probed = 4*512 + 8*4096 + 3*262144, 8*4096 + 3*262144, 3 * 4096
	if octets["SCSI WRITE(10)"] != written || octets["SCSI READ(10)"] != read+probed {
		t.Errorf("octets %v", octets)
	}
	for i := range r.Transactions {
		if tr := &r.Transactions[i]; tr.Outcome == record.Answered && tr.Latency() <= 0 {
			t.Errorf("%s in frame %d took %d ns", tr.Name, tr.Request.Frame, tr.Latency())
		}
	}
	if len(r.Verdicts) != 1 || r.Verdicts[0].ULP != "iSER" {
		t.Errorf("verdicts %+v", r.Verdicts)
	}
	if d := cmp.Diff(map[string]int{"failed-upper": 1}, r.CountFindings()); d != "" {
		t.Errorf("findings (-want +got)\n%s", d)
	}
	for i := range r.Transactions {
		if tr := &r.Transactions[i]; (tr.Outcome == record.Refused) != (tr.Status == "CHECK CONDITION ILLEGAL REQUEST") {
			t.Errorf("%s in frame %d: %v, status %q", tr.Name, tr.Request.Frame, tr.Outcome, tr.Status)
		}
	}
}

// TestAllocations allows for the names of the two messages, and for nothing else.
func TestAllocations(t *testing.T) {
	without := slices.Clone(writeDone)
	copy(without[28+44:28+48], []byte{0xff, 0xff, 0xff, 0xff}) // Residual Count: all of the data, which does not come
	if n := ulptest.Allocations(t, iser.Layer, hello, write, without); n > 2 {
		t.Errorf("%v allocations for a WRITE(10) and its response", n)
	}
}

// TestPorts recognises connections to the ports of iSCSI by their MPA frames alone.
func TestPorts(t *testing.T) {
	for _, c := range []struct {
		port           uint16
		request, reply string
		want           bool
	}{
		{3260, "80000000", "c0000000", true},
		{860, "80000000", "80000000", true},
		{860, "", "", false},
		{4260, "80000000", "80000000", false},
		{3260, "80000001", "80000000", false},
		{3260, "", "0000000000000000", false},
	} {
		conn := ulptest.NewWire(iser.Layer, c.port).Conn
		conn.Requested, conn.Replied = true, true
		conn.Request.PrivateData, conn.Reply.PrivateData = ulptest.Hex(c.request), ulptest.Hex(c.reply)
		if got := (iser.Layer).Recognise(conn, nil, nil) != nil; got != c.want {
			t.Errorf("port %d, Private Data %q and %q: recognised %v", c.port, c.request, c.reply, got)
		}
	}
}
