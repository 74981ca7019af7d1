package player

// Each object of a Player alone: built from a script of a few steps, and driven directly.

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// newTest returns the script and the known values of the client of a connection.
func newTest(t *testing.T, steps string) (*script, *known) {
	t.Helper()
	s, err := scenario.Parse("test", "scenario \"test\"\nconnection c0\n"+steps)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Profile: &rules.RFC, StepTimeout: time.Second}
	c := s.Conns[0]
	return newScript(c, scenario.Client, &o, newClock(&o)), newKnown(c, scenario.Client, nil)
}

func newTestLanes(s *script, k *known) *lanes {
	return &lanes{script: s, known: k, verdicts: &verdicts{&rules.RFC, k, newBlame(s)}}
}

// check compares the outcomes of the other side's steps, and what no step expects, with verdicts and reasons.
func check(t *testing.T, s *script, want ...string) {
	t.Helper()
	var got []string
	for _, r := range s.outcome().Steps {
		if r.Side(scenario.Client) == scenario.Server {
			got = append(got, strings.TrimSuffix(r.Verdict.String()+": "+r.Reason, ": "))
		}
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
}

// segment returns the ULPDU of a Segment at its place in a stream.
func segment(t *testing.T, numbers *scenario.Sender, text string) []byte {
	t.Helper()
	s, err := scenario.Parse("test", "scenario \"test\"\nconnection c0\n  1 server Segment "+text)
	if err != nil {
		t.Fatal(err)
	}
	b, err := numbers.Segment(nil, s.Conns[0].Steps[0].Do.(*scenario.Segment), nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestClock(t *testing.T) {
	c := newClock(&Options{Begin: 100, Speed: 2, StepTimeout: 10})
	c.advance(120)
	c.advance(110)
	if c.elapsed() != 20 || c.due(50) != 125 {
		t.Errorf("elapsed %d, due %d", c.elapsed(), c.due(50))
	}
	c.complete(40)
	if got := c.patience(70); got != 40 {
		t.Errorf("patience %d: the step took 30 in the Scenario, and the timeout is 10", got)
	}
	if got := c.deadline(125, 40); got != 125 {
		t.Errorf("deadline %d: a step is due before patience ends", got)
	}
	c.expectSilence(5)
	if c.advance(124); c.peerSilenceOver() {
		t.Error("the Silence ends too early")
	}
	if c.advance(125); !c.peerSilenceOver() || c.ownSilenceOver(7) || c.deadline(0, 0) != 125 {
		t.Error("the Silence does not end")
	}
	if c.advance(132); !c.ownSilenceOver(7) {
		t.Error("the own Silence does not end")
	}
}

func TestScriptOrder(t *testing.T) {
	s, _ := newTest(t, `  1 client Send "a"
  2 server after 1 Write STag=1 TO=0 "b"
  3 server Send "c"
  4 server ReadRequest SrcSTag=1
`)
	if done, never := s.settled(1); done || never {
		t.Error("step 1 is settled")
	}
	s.completeOwn()
	if done, _ := s.settled(1); !done {
		t.Error("step 1 is not settled")
	}
	s.conclude(s.theirs[2], tolerated(""))
	s.conclude(s.theirs[1], tolerated(""))
	s.lose("it is over")
	check(t, s, "not_reached: it is missing, but step 3 did", "exact",
		"accepted: it arrived before step 2, in an order that RDMAP leaves open")
	if !s.done() {
		t.Error("it is not done")
	}
}

// TestScriptSilenceLost gives up a Silence that has begun. Its end is not waited for.
func TestScriptSilenceLost(t *testing.T) {
	s, _ := newTest(t, "  1 server Silence 1s\n  2 server FIN\n  3 client after 2 FIN\n")
	s.proceed()
	s.conclude(s.theirs[1], tolerated(""))
	s.lose("it is over")
	s.clock.advance(2 * time.Second)
	s.endSilence()
	check(t, s, "not_reached: it is over", "mismatched: it arrived before step 1, which is a Silence")
}

func TestStartup(t *testing.T) {
	s, k := newTest(t, "  1 client MPARequest M C Rev=1\n  2 server after 1 MPAReply C Rev=1 \"pd\"\n")
	u := newStartup(s, k, &MPA{CRC: new(false)}, scenario.Client)
	request, octets, err := u.frame(s.mine[0].Do.(*scenario.Frame))
	if err != nil || request.C || len(octets) != mpa.FrameLen {
		t.Fatalf("%+v, %d octets, %v", request, len(octets), err)
	}
	if _, begins := u.observe(request); begins || u.rejected() {
		t.Error("FPDUs begin with the Request")
	}
	b, _ := (&mpa.Frame{Reply: true, Rev: 1, PDLength: 2, PrivateData: []byte("pd")}).AppendBinary(nil)
	s.completeOwn()
	n, f := u.receive(s.front(), b[:5])
	if n != 5 || f != nil {
		t.Fatalf("%d octets, %v", n, f)
	}
	if n, f = u.receive(s.front(), append(b[5:], "more"...)); n != len(b)-5 || f == nil {
		t.Fatalf("%d octets, %v", n, f)
	}
	a, begins := u.observe(f)
	if !begins || !k.established || a.in.Markers != true || a.out.Markers || a.in.CRC {
		t.Errorf("%t, %+v", begins, a)
	}
	check(t, s, "accepted: the MPA Request was not the recorded one: C is 0, expected 1")
}

func TestSender(t *testing.T) {
	s, k := newTest(t, "  1 client Octets \"hello\"\n  2 client Send \"ping\"\n  var $v number server 1\n  3 server Send $v:be32\n  4 client Send $v:be32\n  5 client FIN\n")
	blame := newBlame(s)
	d := newSender(s, k, newStartup(s, k, new(MPA), scenario.Client), blame, 1460)
	if b, _ := d.appendTransmit(nil, 3); string(b) != "hel" {
		t.Errorf("%q is sent", b)
	}
	if b, _ := d.appendTransmit(nil, 1000); string(b) != "lo" {
		t.Errorf("%q is sent", b)
	}
	b, _ := d.appendTransmit(nil, 1000)
	if len(b) != mpa.FPDULen(18+4) || !k.established || s.sent != 2 {
		t.Errorf("%d octets of an FPDU, %d steps", len(b), s.sent)
	}
	if b, _ = d.appendTransmit(nil, 1000); len(b) > 0 || d.paced() != 0 {
		t.Error("a variable is sent that is not known")
	}
	k.values["v"] = 7
	if b, _ = d.appendTransmit(nil, 1000); len(b) == 0 || s.ending != mpa.GoesOn {
		t.Error("the variable is not sent")
	}
	if b, _ = d.appendTransmit(nil, 1000); len(b) > 0 || s.ending != mpa.EndsFIN {
		t.Errorf("the direction does not end: %v", s.ending)
	}
}

func TestBlame(t *testing.T) {
	s, _ := newTest(t, "  1 client Send \"a\"\n  2 server after 1 Refusal send-msn to 1\n")
	b := newBlame(s)
	numbers := scenario.NewSender(1)
	var all [][]byte
	for i := range maxCulprits + 2 {
		u := segment(t, numbers, "Send \"text\"")
		all = append(all, u)
		b.sent(min(i+1, 2), u[:18], u[18:])
	}
	blames := func(i int) *rdmap.Terminate {
		t := &rdmap.Terminate{HasHeader: true}
		t.Header.Decode(all[i])
		return t
	}
	if c := b.find(blames(70 - 30)); c == nil || !bytes.Equal(c.Header, all[40]) || c.ULPDU != 22 {
		t.Errorf("%+v", c)
	}
	if b.find(blames(0)) != nil {
		t.Error("too many segments are remembered")
	}
	r := refusals(s.front().Do)[0]
	if c := b.refused(r, blames(0)); c == nil || !bytes.Equal(c.Header, all[0]) {
		t.Error("the refused segment is not remembered")
	}
	if b.elsewhere(r, blames(0)) || !b.elsewhere(r, blames(50)) {
		t.Error("a segment of another step is not told from the refused one")
	}
}

func TestLanes(t *testing.T) {
	s, k := newTest(t, `  1 server Send "0123456789"
  2 server Write STag=1 TO=100 "abcd"
  3 server Write STag=1 TO=104 "efgh"
  4 server Send "right"
  5 server Send "last"
`)
	l := newTestLanes(s, k)
	numbers := scenario.NewSender(1)
	for _, text := range []string{
		`Send L=0 "01234"`, `Write STag=1 TO=100 "abcdefgh"`, `Send "56789"`, `Send "wrong"`, `Send L=0 "la"`,
	} {
		l.receive(segment(t, numbers, text), new(mpa.Deframed))
	}
	s.end("")
	check(t, s, "exact", "mismatched: it arrived before step 1", "accepted: it was joined with the previous Write",
		"mismatched: the payload differs at octet 0", "mismatched: only 2 of 4 octets arrived")
}

func TestReceiver(t *testing.T) {
	s, k := newTest(t, "  1 server Octets \"hello\"\n  2 server Send \"a\"\n  3 server FPDU ULPDU_Length=3 Send \"b\"\n  4 server Octets \"x\" ?*\n")
	r := newReceiver(s, k, newTestLanes(s, k), &rules.RFC)
	if n := r.receiveOctets(s.front(), s.front().Do.(*scenario.Octets).Payload, []byte("hellofpdu")); n != 5 {
		t.Errorf("%d octets are taken", n)
	}
	k.established = true
	var framer mpa.Framer
	fpdu, _ := framer.Append(nil, segment(t, scenario.NewSender(1), `Send "a"`))
	for len(fpdu) > 1 {
		fpdu = fpdu[r.receiveFPDUs(fpdu):]
	}
	if octets, ok := r.partial(); !ok || octets == 0 {
		t.Error("no FPDU is partial")
	}
	r.cutShort()
	s.end("")
	check(t, s, "exact", "mismatched: 27 octets of an incomplete FPDU", "not_reached", "not_reached")
}

func TestClosing(t *testing.T) {
	s, k := newTest(t, "  1 server Octets \"x\" ?*\n  2 server FIN\n  3 server Reset\n  4 client FIN\n")
	l := newTestLanes(s, k)
	r := newReceiver(s, k, l, l.verdicts.profile)
	c := &closing{s, l.verdicts, r}
	r.octets = []byte("x")
	if c.judge(endFIN) {
		t.Error("another end is taken for possible")
	}
	check(t, s, "exact", "exact", "not_reached")
	if c.judge(endReset); !c.forgoEnds() {
		t.Error("the own FIN is not needless")
	}
	check(t, s, "exact", "exact", "exact")
}

func TestVerdicts(t *testing.T) {
	s, k := newTest(t, "  var $v number server 1\n  1 server Segment Send $v:be32\n  2 server FPDU CRC=bad Send \"b\"\n")
	j := &verdicts{&rules.RFC, k, newBlame(s)}
	u := segment(t, scenario.NewSender(1), `Send 00000009`)
	if v, ok := j.single(s.theirs[0], u, nil); !ok || v.Verdict != outcome.Exact || k.values["v"] != 9 {
		t.Errorf("%v, %t, $v is %d", v, ok, k.values["v"])
	}
	if v := j.segment(s.theirs[0].Step, u[:20], nil); v.reason != "the payload has 2 octets, expected 4" || v.diff == nil {
		t.Errorf("%+v", v)
	}
	f := new(mpa.Deframed)
	f.CRC, f.WantCRC = 1, 1
	if v := j.framing(s.theirs[1].Do.(*scenario.FPDU), f); v.Verdict != outcome.NotApplicable {
		t.Errorf("%+v", v)
	}
	k.framing.CRC = true
	if v := j.framing(s.theirs[1].Do.(*scenario.FPDU), f); v.reason != "the CRC is 0x00000001, expected 0xfffffffe" {
		t.Errorf("%+v", v)
	}
}

func TestKnown(t *testing.T) {
	given := []Mapping{{Kind: scenario.TO, Recorded: 0x1000, Live: 0x5000, Length: 16}}
	if live, ok := mapped(given, scenario.TO, 0x100f); !ok || live != 0x500f {
		t.Errorf("0x%x, %t", live, ok)
	}
	if _, ok := mapped(given, scenario.TO, 0x1010); ok {
		t.Error("a place beyond the buffer is mapped")
	}
	s, k := newTest(t, "  1 client ReadRequest SinkSTag=1\n  2 server after 1 ReadResponse to 1 \"a\"\n  3 server Probe\n")
	u := segment(t, scenario.NewSender(1), "ReadRequest SinkSTag=7 SinkTO=8")
	k.received(s.theirs[1].Step, u[:18], u[18:])
	if len(k.probes) != 1 || k.probes[0].SinkSTag != 7 {
		t.Errorf("%+v", k.probes)
	}
	k.request(1, u[:18], u[18:])
	if stag, to, ok := k.start(s.theirs[0].Do.(*scenario.Message)); !ok || stag != 7 || to != 8 {
		t.Errorf("%d, %d, %t", stag, to, ok)
	}
	k.received(s.theirs[0].Step, nil, nil)
	if len(k.requests) != 0 {
		t.Error("the request is not forgotten")
	}
}
