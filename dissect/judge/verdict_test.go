package judge_test

// How connections went, in words: for every End and every state of the start-up.

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A reporter keeps what a Judge says beside findings.
type reporter struct {
	verdicts     []record.Verdict
	transactions []record.Transaction
	findings     []record.Finding
}

func (r *reporter) Record(rec *record.Record) { recordtest.Pieces(rec, r) }

func (r *reporter) Verdict(v *record.Verdict)         { r.verdicts = append(r.verdicts, *v) }
func (r *reporter) Transaction(t *record.Transaction) { r.transactions = append(r.transactions, *t) }
func (r *reporter) Finding(f *record.Finding)         { r.findings = append(r.findings, *f) }

// report analyses packets.
func report(records []pcaps.Record, o judge.Options) *reporter {
	r := &reporter{}
	e := dissect.NewEngine(judge.New(r, o), dissect.Options{})
	for i := range records {
		records[i].Frame = uint64(i + 1)
		e.Packet(&records[i])
	}
	e.Close()
	return r
}

// transcribed is the packets of a transcript.
func transcribed(t *testing.T, lines string) []pcaps.Record {
	t.Helper()
	s, err := transcript.Parse(t.Name(), "# "+t.Name()+"\n"+lines)
	if err != nil {
		t.Fatal(err)
	}
	return s.Records
}

// captureVerdicts are what is said of captures.
var captureVerdicts = map[string]string{
	"refused": "At 1.54 ms the server refused the connection in frame 2: nobody listens on port 7999, or a firewall rejects it (the SYN " +
		"was answered with a reset).",
	"reject-pd0": "At 4.57 ms the server rejected the connection with its MPA Reply in frame 6. The server closed the connection with FIN " +
		"in frame 8.",
	"reject-pd32": "At 3.33 ms the server rejected the connection with its MPA Reply in frame 6, which has 32 octets of Private Data: \"rqponmlrqponmlrqponmlrqponmlrqpo\". The " +
		"server closed the connection with FIN in frame 8.",
	"pd-c16-s255": "The server never answered the MPA Request in frame 4, and closed the connection 85.3 ms later, in frame 6. A Responder " +
		"that does not know Rev 2 closes in this way (RFC 6581, section 10), and so does one whose program gives up. The capture does not show why.",
	"unsup-fadd": "Established, but never used. The client closed the connection with FIN in frame 8.",
	"rping":      "The client closed the connection with FIN in frame 56 after 35 messages; nothing outstanding.",
	"noport":     "The client closed the connection with FIN in frame 10 after 1 message; nothing outstanding.",
	"smbdirect":  "Still open when the capture ends, after 276 messages; nothing outstanding.",
	"iser-start": "Still open when the capture ends, after 82 messages. The client has not yet answered the RDMA Read of the server in " +
		"frame 170 (MSN 1), which waited for 8.58 ms.",
	"term-die-midstream": "At 155 ms the client closed the connection with FIN in frame 798 while only 281316 octets of its Write in frames " +
		"10-796 had come. The capture does not show why.",
	"term-qp-err": "The client closed the connection with FIN in frame 10 after 1 message; nothing outstanding.",
	"term-read-badkey": "At 89.8 ms the server refused the client's ReadRequest in frame 10 with a Terminate (0/1/00 Invalid STag) in " +
		"frame 12: the ReadRequest names STag 0x24ddb500, but the MPA Reply in frame 6 advertised 0x24dcb500 (after TO 0x7f3c065fc000 in " +
		"its Private Data).",
	"term-read-oob": "At 95.2 ms the server refused the client's ReadRequest in frame 10 (8192 octets of STag 0x3c7a5800 at TO " +
		"0x5629eba26000) with a Terminate (0/1/01 Base or bounds violation) in frame 12. A Read Request reaches outside the " +
		"bounds of its source. STag and TO are those advertised in the Private Data of the MPA Reply in frame 6; if the 4 octets after " +
		"that STag are the length, 4096, the Read goes 4096 octets beyond the end.",
	"term-write-noaccess": "At 120 ms the server refused the client's Write in frame 10 (STag 0x2c5ba200, TO 0x7fad917af000) with a Terminate " +
		"(1/1/00 Invalid STag) in frame 12. Either the STag of a Write is unknown or invalid, or the buffer of a Write does not " +
		"allow remote writes; the capture alone does not show which. STag and TO are those advertised in the Private Data of the " +
		"MPA Reply in frame 6.",
	"term-write-oob-multi": "At 80.8 ms the server refused the client's Write in frame 14 (STag 0x830bb500, TO 0x55a57a987b28) with a Terminate " +
		"(1/1/01 Base or bounds violation) in frame 16. A Write reaches outside the bounds of its buffer. The STag " +
		"is that advertised in the Private Data of the MPA Reply in frame 6, with TO 0x55a57a987000: the message begins 2856 octets " +
		"after it; if the 4 octets after that STag are the length, 4096, the Write goes 188 octets beyond the end.",
	"term-send-toolong-multi": "At 114 ms the server refused the client's Send in frame 12 (MSN 1, MO 2848) with a Terminate (1/2/02 Invalid MSN - " +
		"no buffer available) in frame 14. A Send is longer than the receive buffer, for which the " +
		"RFCs define 1/2/05 DDP Message too long for available buffer. The capture does not show the error " +
		"itself.",
	"term-send-badrecvlkey": "At 74.8 ms the server refused the client's Send in frame 8 (MSN 1) with a Terminate (1/0/00 Local Catastrophic " +
		"Error) in frame 10. The receiver's own receive buffer is invalid. The capture does not show the error itself.",
	"term-local-badlkey-send": "At 121 ms the client ended the connection with a Terminate (0/0/FF Local Catastrophic Error) in frame 10, for an error " +
		"of its own. The capture does not show why.",
	"term-local-badlkey-read": "At 89.5 ms the client refused the server's ReadResponse in frame 12 with a Terminate (1/1/00 Invalid STag) in frame " +
		"13, although it goes to the buffer that the client's own Read Request named: STag 0xdeadbe00, TO 0x7fb09ad4f000.",
}

func TestVerdictsOfCaptures(t *testing.T) {
	files := captureFiles(t)
	for name, want := range captureVerdicts {
		r := &reporter{}
		runCapture(t, dissect.NewEngine(judge.New(r, judge.Options{}), dissect.Options{}), files[name])
		if len(r.verdicts) != 1 || r.verdicts[0].Text != want {
			t.Errorf("%s:\n got %+v\nwant %q", name, r.verdicts, want)
		}
	}
}

// The MPA frames that transcripts begin with.
const started = `
	c2s hex "MPA ID Req Frame" 40 01 0000
	s2c hex "MPA ID Rep Frame" 40 01 0000
`

// Messages.
const (
	aSend     = "\n c2s 4143 00000000 00000000 00000001 00000000 61\n"
	aRead     = "\n c2s 4141 00000000 00000001 00000001 00000000 cafe0001 0000000000002000 00000004 beef0002 00007f0000004000\n"
	anAtomic  = "\n c2s 414a 00000000 00000001 00000001 00000000 00000000 00000007 beef0002 00007f0000004008 0000000000000005 0000000000000000 0000000000000000 ffffffffffffffff\n"
	aWrite    = "\n c2s c140 a1b2c301 0000000000001000 61626364\n"
	aResponse = "\n s2c c142 cafe0001 0000000000002000 61626364\n"
	closed    = "\n c2s fin\n s2c fin\n end\n"
)

func TestVerdicts(t *testing.T) {
	for _, tc := range []struct {
		name, lines string
		by          flow.Party
		at          uint64
		want        string
	}{
		{"the client gives up", "c2s hex \"MPA ID Req Frame\" 40 01 0000\n wait 2s" + closed, flow.Client, 5,
			"The server never answered the MPA Request in frame 4, and the client closed the connection 2 s later, in frame 5. " +
				"The capture does not show why the server does not answer."},
		{"the server resets", "c2s hex \"MPA ID Req Frame\" 40 01 0000\n wait 20ms\n s2c rst\n end", flow.Server, 5,
			"The server never answered the MPA Request in frame 4, and reset the connection 21 ms later, in frame 5. The capture " +
				"does not show why."},
		{"the capture ends before the Reply", "c2s hex \"MPA ID Req Frame\" 40 01 0000\n wait 1500us\n s2c ack\n end", flow.Nobody, 0,
			"The server had not answered the MPA Request in frame 4 when the capture ended 2.5 ms later."},
		{"the Request is missing", "c2s hex \"MPA ID Req Frame\" 40 01 0000\n drop\n s2c hex \"MPA ID Rep Frame\" 40 01 0000" + closed, flow.Client, 5,
			"The MPA Request is not in the capture. The client closed the connection with FIN in frame 5. The capture does not show " +
				"all of it."},
		{"rejected", "c2s hex \"MPA ID Req Frame\" 40 01 0000\n s2c hex \"MPA ID Rep Frame\" 60 01 0001 61" + closed, flow.Server, 5,
			"At 4 ms the server rejected the connection with its MPA Reply in frame 5, which has 1 octet of Private Data. The client " +
				"closed the connection with FIN in frame 6."},
		{"never used and open", started + "c2s ack\n end", flow.Nobody, 0,
			"Established, but never used. Still open when the capture ends."},
		{"revisions that do not go together", "c2s hex \"MPA ID Req Frame\" c0 00 0000\n s2c hex \"MPA ID Rep Frame\" 40 02 0000\n s2c fin\n c2s fin\n end", flow.Server, 6,
			"At 4 ms the server answered the MPA Request with Rev 0 in frame 4 by a Reply with Rev 2 in frame 5, and the server " +
				"closed the connection in frame 6. A Responder that cannot do as RNICs of the RDMA Consortium do replies with its " +
				"own revision and closes (RFC 5044, section C.2.1; MPA-C.2.1-1)."},
		{"a Reply of revision 0", "c2s hex \"MPA ID Req Frame\" 40 02 0000\n s2c hex \"MPA ID Rep Frame\" c0 00 0000\n c2s rst\n end", flow.Client, 6,
			"At 4 ms the server answered the MPA Request with Rev 2 in frame 4 by a Reply with Rev 0 in frame 5, and the client " +
				"reset the connection in frame 6. An Initiator that cannot do as RNICs of the RDMA Consortium do closes after a " +
				"Reply with Rev 0 (RFC 5044, section C.2.2; MPA-C.2.2-1)."},
		{"reset", started + aSend + "s2c rst\n end", flow.Server, 7,
			"The server reset the connection in frame 7 after 1 message; nothing outstanding."},
		{"open within a message", started + aSend + strings.Replace(aWrite, "c140", "8140", 1) + "\n end", flow.Nobody, 0,
			"Still open when the capture ends, after 1 message; the client's Write in frame 7 is not whole."},
		{"unanswered", started + aRead + closed, flow.Client, 7,
			"At 6 ms the client closed the connection with FIN in frame 7 while its RDMA Read in frame 6 (MSN 1) waited for an " +
				"answer. The capture does not show why."},
		{"two unanswered", started + strings.Replace(aRead, "00000001 00000000 cafe", "00000002 00000000 cafe", 1) + anAtomic + closed, flow.Client, 8,
			"At 5 ms the client's ReadRequest in frame 6 is wrong: MSN 2, expected MSN 1, and 1 more in frame 7. What " +
				"followed: the client closed the connection with FIN in frame 8 after 2 messages. The server never answered the RDMA " +
				"Read of the client in frame 6 (MSN 2), which waited for 2 ms. The server never answered the FetchAdd of the client " +
				"in frame 7 (Request Identifier 0x7), which waited for 1 ms."},
		{"more unanswered than are kept", started + strings.Join(reads(300), "") + closed, flow.Client, 306,
			"At 305 ms the client closed the connection with FIN in frame 306 while at least 256 RDMA Reads of the client waited " +
				"for an answer, the first of them since frame 50 (MSN 45). The capture does not show why."},
		{"answered", started + aRead + aResponse + closed, flow.Client, 8,
			"The client closed the connection with FIN in frame 8 after 2 messages; nothing outstanding."},
		{"cut within an FPDU", started + aSend + "c2s hex 0012 c140 a1b2" + closed, flow.Client, 8,
			"At 7 ms the client closed the connection with FIN in frame 8 while only 6 of 24 octets of its FPDU in frame 7 had " +
				"come. The capture does not show why."},
		{"octets missing", started + aSend + aWrite + "drop\n" + aWrite + closed, flow.Client, 8,
			"The client closed the connection with FIN in frame 8 after 1 message. The capture does not show all of it."},
		{"an error and its end", started + strings.Replace(aSend, "00000001 00000000 61", "00000005 00000000 61", 1) + "wait 2ms\n s2c fin\n c2s fin\n end", flow.Server, 7,
			"At 5 ms the client's Send in frame 6 is wrong: MSN 5, expected MSN 1. The server closed the connection with FIN in " +
				"frame 7 after 1 message."},
		{"a Terminate for an error that shows", started + strings.Replace(aSend, "00000001 00000000 61", "00000005 00000000 61", 1) +
			"s2c 4147 00000000 00000002 00000001 00000000 1203c000 0013 4143 00000000 00000000 00000005 00000000\n s2c fin\n c2s fin\n end", flow.Server, 7,
			"At 5 ms the client's Send in frame 6 is wrong: MSN 5, expected MSN 1. What followed: the server refused the " +
				"client's Send in frame 6 (MSN 5) with a Terminate (1/2/03 Invalid MSN - MSN range is not valid) in frame 7."},
		{"a wrong CRC", started + "c2s badcrc 4143 00000000 00000000 00000001 00000000 61\n" +
			"s2c 4147 00000000 00000002 00000001 00000000 20020000\n s2c fin\n c2s fin\n end", flow.Server, 7,
			"At 5 ms the client's FPDU in frame 6 is wrong: CRC 857dabb1, expected CRC 7a82544e. What followed: the server " +
				"refused what was probably the client's FPDU in frame 6 with a Terminate (2/0/02 MPA CRC Error) in frame 7."},
		{"an STag that was taken back", started + aWrite + "c2s 4144 a1b2c301 00000000 00000001 00000000 61" + aWrite +
			"s2c 4147 00000000 00000002 00000001 00000000 1100c000 0012 c140 a1b2c301 0000000000001000\n s2c fin\n c2s fin\n end", flow.Server, 9,
			"At 8 ms the server refused the client's Write in frame 8 (STag 0xa1b2c301, TO 0x1000) with a Terminate (1/1/00 " +
				"Invalid STag) in frame 9: the SendInvalidate in frame 7 had invalidated its STag."},
		{"a code that cannot be", started + aWrite +
			"s2c 4147 00000000 00000002 00000001 00000000 1205c000 0012 c140 a1b2c301 0000000000001000\n s2c fin\n c2s fin\n end", flow.Server, 7,
			"At 6 ms the server refused the client's Write in frame 6 (STag 0xa1b2c301, TO 0x1000) with a Terminate (1/2/05 DDP " +
				"Message too long for available buffer) in frame 7."},
		{"both terminate", started + "c2s 4147 00000000 00000002 00000001 00000000 00000000\n s2c 4147 00000000 00000002 00000001 00000000 02080000" + closed, flow.Client, 6,
			"At 5 ms the client ended the connection with a Terminate (0/0/00 Local Catastrophic Error) in frame 6, for an error " +
				"of its own. What followed: the server ended the connection with a Terminate (0/2/08 Catastrophic error, global) in " +
				"frame 7. The capture does not show why."},
		{"a Terminate behind a FIN", started + aSend + "c2s fin\n s2c 4147 00000000 00000002 00000001 00000000 02070000\n s2c fin\n end", flow.Server, 8,
			"At 7 ms the server ended the connection with a Terminate (0/2/07 Catastrophic error, localized to RDMAP Stream) in " +
				"frame 8. The capture does not show why."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := report(transcribed(t, tc.lines), judge.Options{})
			if len(r.verdicts) != 1 {
				t.Fatalf("%d verdicts", len(r.verdicts))
			}
			v := &r.verdicts[0]
			if v.Text != tc.want {
				t.Errorf("\n got %q\nwant %q", v.Text, tc.want)
			}
			if v.By != tc.by || v.At.Frame != tc.at {
				t.Errorf("ended by %v in frame %d, want %v in %d", v.By, v.At.Frame, tc.by, tc.at)
			}
		})
	}
}

// TestVerdictOfNoAgreement looks at MPA frames that nobody can have accepted.
func TestVerdictOfNoAgreement(t *testing.T) {
	r := report(transcribed(t, "c2s hex \"MPA ID Req Frame\" 40 01 0300\n s2c hex \"MPA ID Rep Frame\" 40 01 0000"+closed), judge.Options{})
	want := "At 3 ms the client's MPA Request in frame 4 is wrong: 768 octets, expected at most 512 octets. The MPA Request and " +
		"Reply led to no agreement. The client closed the connection with FIN in frame 6."
	if got := r.verdicts[0].Text; !strings.HasPrefix(got, want) {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// TestVerdictOfGivenUp looks at a connection that the Engine gave up for another.
func TestVerdictOfGivenUp(t *testing.T) {
	r := &reporter{}
	e := dissect.NewEngine(judge.New(r, judge.Options{}), dissect.Options{MaxConnections: 1})
	first := startTalk("10.0.0.1:40000", "10.0.0.2:7174")
	read := rdmap.ReadRequest{SinkSTag: 1, RDMARDSZ: 1}
	b, _ := read.AppendBinary(nil)
	first.untagged(conversation.Client, rdmap.OpReadRequest, 0, b, 100)
	records := append(first.Records, startTalk("10.0.0.3:40000", "10.0.0.2:7174").Records...)
	for i := range records {
		records[i].Frame = uint64(i + 1)
		e.Packet(&records[i])
	}
	e.Close()
	want := "Still open when the capture ends, after 1 message. It was not followed to its end: there were too many connections at a time."
	if len(r.verdicts) != 2 || r.verdicts[0].Text != want || r.transactions[0].Outcome != record.OutcomeUnknown {
		t.Errorf("%+v, %+v", r.verdicts, r.transactions)
	}
}

// TestCounts looks at the figures of a Verdict.
func TestCounts(t *testing.T) {
	lines := started
	for range 150 {
		lines += "c2s 7143 00000000 00000000 00000001 00000000 61\n" // Rsvd, and an MSN again and again
	}
	r := report(transcribed(t, lines+aRead+aRead+closed), judge.Options{})
	v := &r.verdicts[0]
	if v.Errors+v.Warnings+v.Notes != uint64(len(r.findings))+v.Withheld || v.Withheld < 99 {
		t.Errorf("%d errors, %d warnings, %d notes, %d of them withheld; %d reported", v.Errors, v.Warnings, v.Notes, v.Withheld, len(r.findings))
	}
	if v.Cause == nil || v.Confidence != record.Likely || v.MaxOutstanding != [2]int{2, 0} || v.Limit != [2]int{-1, -1} {
		t.Errorf("%+v", v)
	}
	if o := v.Outstanding[flow.C2S]; o.Reads != 2 || v.Outstanding[flow.S2C] != (record.Outstanding{}) {
		t.Errorf("outstanding %+v", v.Outstanding)
	}
}

// TestSuppress checks that a suppressed rule and a suppressed observation are neither reported nor counted.
func TestSuppress(t *testing.T) {
	lines := started + "c2s 7143 00000000 00000000 00000001 00000000 61\n" + aRead + closed
	all := report(transcribed(t, lines), judge.Options{})
	unwanted := []string{"ddp-reserved", "OBS-UNANSWERED-READ", "OBS-CLOSED-EARLY"}
	some := report(transcribed(t, lines), judge.Options{Suppress: func(name string) bool { return slices.Contains(unwanted, name) }})
	if len(all.findings) != 3 || len(some.findings) != 0 {
		t.Errorf("%d findings, suppressed %d", len(all.findings), len(some.findings))
	}
	if v := some.verdicts[0]; v.Errors+v.Warnings+v.Notes != 0 {
		t.Errorf("%+v", v)
	}
}

// TestCauses looks at what is told of Terminates that captures of siw hold, and of some others.
func TestCauses(t *testing.T) {
	for _, tc := range []struct {
		capture string
		blame   record.Blame
		culprit uint64
		opcode  rdmap.Opcode
		code    string
		swapped bool
		grade   rules.Grade
	}{
		{"term-read-badkey", record.BlameByRequest, 10, rdmap.OpReadRequest, "0/1/00", true, rules.Exact},
		{"term-srv-read-badkey", record.BlameByRequest, 8, rdmap.OpReadRequest, "0/1/00", true, rules.Exact},
		{"term-write-badkey", record.BlameByHeader, 10, rdmap.OpWrite, "1/1/00", true, rules.Exact},
		{"term-write-wrap", record.BlameByHeader, 10, rdmap.OpWrite, "1/1/01", true, rules.Exact},
		{"term-send-nobuf", record.BlameByHeader, 8, rdmap.OpSend, "1/2/02", true, rules.Exact},
		{"term-send-badrecvlkey", record.BlameByHeader, 8, rdmap.OpSend, "1/0/00", true, rules.Accepted},
		{"term-local-badlkey-send", record.NoBlame, 0, 0, "0/0/FF", false, rules.Unjudged},
	} {
		r := &reporter{}
		runCapture(t, dissect.NewEngine(judge.New(r, judge.Options{}), dissect.Options{}), captureFiles(t)[tc.capture])
		c := r.verdicts[0].Terminations[0]
		if c.Blame != tc.blame || c.Culprit.Frame != tc.culprit || c.Opcode != tc.opcode || c.Code.String() != tc.code ||
			c.Swapped != tc.swapped || c.Grade != tc.grade || c.Rule != nil {
			t.Errorf("%s: %+v", tc.capture, c)
		}
	}
}

// TestAmbiguousTerminates looks at first octets that read well in both orders: the place decides.
func TestAmbiguousTerminates(t *testing.T) {
	const (
		enhanced = "c2s hex \"MPA ID Req Frame\" 50 02 0004 00010001\n s2c hex \"MPA ID Rep Frame\" 50 02 0004 00010001\n"
		badIRD   = "4147 00000000 00000002 00000001 00000000 20060000\n"
	)
	for _, tc := range []struct{ name, lines, want string }{
		{"the first FPDU of the Initiator", enhanced + "c2s " + badIRD + closed, "2/0/06"},
		{"an answer to an unknown opcode", enhanced + "c2s 414e 00000000 00000000 00000001 00000000 61\n s2c " + badIRD + closed, "0/2/06"},
		{"later, without an error", enhanced + aSend + "s2c " + badIRD + closed, "0/2/06"},
		{"a CRC error of siw", enhanced + aSend + "s2c 4147 00000000 00000002 00000001 00000000 02020000" + closed, "2/0/02"},
	} {
		r := report(transcribed(t, tc.lines), judge.Options{})
		if causes := r.verdicts[0].Terminations; len(causes) != 1 || causes[0].Code.String() != tc.want {
			t.Errorf("%s: %+v", tc.name, causes)
		}
	}
}

// TestSnaplen cuts the packets of captures to their headers. What cannot be seen is not an error.
func TestSnaplen(t *testing.T) {
	for name, file := range captureFiles(t) {
		if name == "ipv6" {
			continue // 96 octets do not hold its headers
		}
		whole := &reporter{}
		runCapture(t, dissect.NewEngine(judge.New(whole, judge.Options{}), dissect.Options{}), file)
		cut := &reporter{}
		e := dissect.NewEngine(judge.New(cut, judge.Options{}), dissect.Options{})
		c, err := pcaps.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		var rec pcaps.Record
		for c.Next(&rec) == nil {
			rec.Data = rec.Data[:min(96, len(rec.Data))]
			e.Packet(&rec)
		}
		e.Close()
		c.Close()
		for i := range cut.findings {
			f := &cut.findings[i]
			known := slices.ContainsFunc(whole.findings, func(o record.Finding) bool { return o.Name == f.Name })
			if !known && f.Severity != rules.Note {
				t.Errorf("%s: %s", name, f.Text)
			}
		}
		if len(cut.transactions) != len(whole.transactions) {
			t.Errorf("%s: %d transactions of %d", name, len(cut.transactions), len(whole.transactions))
		}
	}
}

// TestSnaplenSayings checks what is said of failures of which the headers were captured in part: nothing of what was not captured.
func TestSnaplenSayings(t *testing.T) {
	files := captureFiles(t)
	for _, tc := range []struct {
		name    string
		snaplen int
		says    string
	}{
		{"term-srv-read-badkey", 86, "the client ended the connection with a Terminate in frame 10; its code was not captured."},
		{"term-srv-read-badkey", 90, "the server's ReadRequest in frame 8 (MSN 1) with a Terminate (0/1/00 Invalid STag) in frame 10."},
		{"term-srv-read-badkey", 96, "the server's ReadRequest in frame 8 (MSN 1) with a Terminate (0/1/00 Invalid STag) in frame 10."},
		{"term-send-toolong-multi", 90, "with a Terminate (1/2/02 Invalid MSN - no buffer available) in frame 14."},
		{"term-die-midstream", 96, "the client closed the connection with FIN in frame 798 while only 281316 octets of its Write in frames 10-796 had come."},
	} {
		r := &reporter{}
		e := dissect.NewEngine(judge.New(r, judge.Options{}), dissect.Options{})
		runSome(t, e, files[tc.name], func(rec *pcaps.Record) bool {
			rec.Data = rec.Data[:min(tc.snaplen, len(rec.Data))]
			return true
		})
		if got := r.verdicts[0].Text; !strings.Contains(got, tc.says) || r.verdicts[0].Cause == nil {
			t.Errorf("%s, %d octets: got %q, want %q", tc.name, tc.snaplen, got, tc.says)
		}
	}
}

// TestMarkersJudged checks that each direction is judged by its own framing.
func TestMarkersJudged(t *testing.T) {
	k := startTalk("10.0.0.1:40000", "10.0.0.2:7174")
	k.Records = nil
	k = &talker{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174"), msn: [2]map[uint32]uint32{{}, {}}}
	k.MSS = 65000
	k.Connect()
	for side, f := range []mpa.Frame{{Rev: 1, C: true}, {Rev: 1, C: true, M: true, Reply: true}} {
		b, _ := f.AppendBinary(nil)
		k.Send(conversation.Side(side), b)
	}
	k.framers[conversation.Client].Options = mpa.Options{Markers: true, CRC: true}
	k.framers[conversation.Server].Options = mpa.Options{CRC: true}
	k.round(0).round(1).Close(conversation.Client)
	if r := report(k.Records, judge.Options{}); len(r.findings) != 0 || r.verdicts[0].Errors != 0 {
		t.Errorf("%+v", r.findings)
	}
}

// reads are lines of RDMA Read Requests.
func reads(n int) (lines []string) {
	for msn := 1; msn <= n; msn++ {
		lines = append(lines, strings.Replace(aRead, "00000001 00000000 cafe", fmt.Sprintf("%08x 00000000 cafe", msn), 1))
	}
	return lines
}

// TestDeviationAsCause checks that a deviation which alone explains a failure is its cause, with an advice about it, and does not count as
// excused; and that it does where the connection goes well.
func TestDeviationAsCause(t *testing.T) {
	const request = "c2s hex \"MPA ID Req Frame\" 50 02 0003 000000\n"
	o := judge.Options{}
	v := report(transcribed(t, request+"s2c rst\nend"), o).verdicts[0]
	if v.Cause == nil || v.Cause.Deviation == nil || v.Culprit != flow.Client || len(v.Excused) > 0 || !strings.Contains(v.Advice, v.Cause.Deviation.Why) {
		t.Errorf("the server resets: cause %+v of the %v, excused %+v, advice %q", v.Cause, v.Culprit, v.Excused, v.Advice)
	}
	v = report(transcribed(t, request+"s2c hex \"MPA ID Rep Frame\" 50 02 0004 00000000\nc2s fin\ns2c fin\nend"), o).verdicts[0]
	if v.Cause != nil || len(v.Excused) != 1 {
		t.Errorf("the server accepts: cause %+v, excused %+v", v.Cause, v.Excused)
	}
}
