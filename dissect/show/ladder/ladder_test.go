package ladder_test

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/ladder"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// start is the time of the first frame.
const start = 1_700_000_000e9

// A script gives events of one connection to a Ladder, each in the next frame and a millisecond later.
type script struct {
	*ladder.Ladder
	*recordtest.Giver
	conn  *flow.Conn
	frame uint64
	time  int64
}

func newScript(l *ladder.Ladder) *script {
	return &script{Ladder: l, Giver: recordtest.To(l), frame: 10, time: start, conn: &flow.Conn{
		Client: netip.MustParseAddrPort("10.0.0.1:43140"), Server: netip.MustParseAddrPort("10.0.0.2:7174"),
	}}
}

func (s *script) origin(d flow.Direction) record.Origin {
	s.frame++
	s.time += 1e6
	return record.Origin{Conn: s.conn, Dir: d, Span: flow.Span{Frame: s.frame, LastFrame: s.frame, Time: s.time, LastTime: s.time}}
}

// message is a message of the next frame.
func (s *script) message(d flow.Direction, o rdmap.Opcode, body ...byte) *record.Message {
	h := rdmap.Segment{Header: rdmap.Header{Control: rdmap.Control{RV: 1, Opcode: o}}, Body: body}
	if h.T = o.Tagged(); h.T {
		h.Tagged = ddp.Tagged{L: true, DV: 1, STag: 0xa, TO: 0xb}
	} else {
		qn, _ := o.QN()
		h.Untagged = ddp.Untagged{L: true, DV: 1, QN: qn, MSN: 1}
	}
	b, err := h.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	m := &record.Message{Origin: s.origin(d), Opcode: o, Header: b, ULPDU: len(b), Segments: 1, Complete: true}
	if o.HasPayload() {
		m.Len = 100
	}
	m.First.Decode(b)
	return m
}

// give gives messages to the Ladder.
func (s *script) give(d flow.Direction, opcodes ...rdmap.Opcode) {
	for _, o := range opcodes {
		s.Message(s.message(d, o))
	}
}

// drawn is the ladder of a script, without its title.
func drawn(t *testing.T, o ladder.Options, play func(*script)) string {
	t.Helper()
	var b strings.Builder
	s := newScript(ladder.New(&b, o))
	play(s)
	s.End(s.conn)
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	fits(t, b.String(), max(80, o.Width))
	_, rows, _ := strings.Cut(b.String(), "\n")
	return rows
}

// fits checks whether lines keep to the width, and rows have both uprights.
func fits(t *testing.T, s string, width int) {
	t.Helper()
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		n := utf8.RuneCountInString(line)
		if n > width || n < width && (strings.HasSuffix(line, "|") || strings.HasSuffix(line, "│")) {
			t.Errorf("a line has %d characters, not %d: %s", n, width, line)
		}
	}
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if d := cmp.Diff(strings.TrimPrefix(want, "\n"), got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

const (
	c2s, s2c = flow.C2S, flow.S2C
	send     = rdmap.OpSend
	write    = rdmap.OpWrite
)

func TestFolding(t *testing.T) {
	same(t, drawn(t, ladder.Options{}, func(s *script) {
		s.give(c2s, send, send) // too few
		s.give(s2c, write, write, write, write)
		s.give(c2s, send)
		for range 3 { // the first round is longer
			s.give(c2s, send)
			s.give(s2c, write, send)
		}
		s.give(c2s, send)
		s.give(s2c, write, write) // a round that is not whole, and one too many
	}), `
  0.000000 11        |--- Send 100 octets MSN=1 ------------------------------>|
  0.001000 12        |--- Send 100 octets MSN=1 ------------------------------>|
  0.002000 13-16     |<-- Write x 4, 400 octets -------------------------------|
  0.006000 17        |--- Send 100 octets MSN=1 ------------------------------>|
                     |    3 times in turn:                                     |
  0.007000 18-24     |--- Send x 3, 300 octets ------------------------------->|
  0.008000 19-25     |<-- Write x 3, 300 octets -------------------------------|
  0.009000 20-26     |<-- Send x 3, 300 octets --------------------------------|
  0.016000 27        |--- Send 100 octets MSN=1 ------------------------------>|
  0.017000 28        |<-- Write 100 STag=0x0000000a TO=0x000000000000000b -----|
  0.018000 29        |<-- Write 100 STag=0x0000000a TO=0x000000000000000b -----|
`)
}

func TestAllAreDrawn(t *testing.T) {
	rows := drawn(t, ladder.Options{All: true}, func(s *script) { s.give(c2s, send, send, send, send, send) })
	if n := strings.Count(rows, "--- Send 100 octets MSN=1 -"); n != 5 {
		t.Errorf("%d arrows, want 5:\n%s", n, rows)
	}
}

// What is special is not folded, and comes behind what was before it.
func TestSpecialMessages(t *testing.T) {
	same(t, drawn(t, ladder.Options{}, func(s *script) {
		s.give(c2s, send, send, send)
		m := s.message(c2s, send)
		m.Complete, m.BadCRCs, m.Missing = false, 2, 17
		s.Message(m)
		m = s.message(c2s, send)
		for range 3 {
			s.Finding(&record.Finding{Origin: m.Origin, Severity: rules.Error, ID: "DDP-5.3-4", Seen: "MSN 7", Expected: "MSN 5"})
		}
		for i := range 8 {
			s.Finding(&record.Finding{Origin: m.Origin, ID: fmt.Sprint("OBS-", i), Text: "All of it in a sentence."})
		}
		s.Message(m)
		s.give(c2s, 14)
		s.give(c2s, send)
	}), `
  0.000000 11-13     |--- Send x 3, 300 octets ------------------------------->|
  0.003000 14        |--- Send 100 octets MSN=1 ------------------------------>|
                     |    incomplete, bad CRC, 17 octets not captured          |
  0.004000 15        |--- Send 100 octets MSN=1 ------------------------------>|
                     |    error DDP-5.3-4: MSN 7, expected MSN 5; 3 times      |
                     |    note OBS-0: All of it in a sentence.                 |
                     |    note OBS-1: All of it in a sentence.                 |
                     |    note OBS-2: All of it in a sentence.                 |
                     |    note OBS-3: All of it in a sentence.                 |
                     |    note OBS-4: All of it in a sentence.                 |
                     |    note OBS-5: All of it in a sentence.                 |
                     |    note OBS-6: All of it in a sentence.                 |
                     |    1 more                                               |
  0.005000 16        |--- Opcode14 0 T=0 L=1 Rsvd=0x0 DV=1 QN=0 MSN=1 MO=0 --->|
                     |    RV=1 Rsv=0x0 Opcode=0xe Reserved=0x00000000          |
  0.006000 17        |--- Send 100 octets MSN=1 ------------------------------>|
`)
}

func TestGaps(t *testing.T) {
	play := func(s *script) {
		s.give(c2s, send, send)
		s.time += 2.5e9
		s.give(c2s, send)
		s.time += 4e8
		s.give(s2c, send)
		s.time -= 5e9 // times may go back
		s.give(s2c, send)
		s.time = 0 // there may be none
		m := s.message(s2c, send)
		m.Time, m.LastTime = 0, 0
		s.Message(m)
	}
	same(t, drawn(t, ladder.Options{All: true}, play), `
  0.000000 11        |--- Send 100 octets MSN=1 ------------------------------>|
  0.001000 12        |--- Send 100 octets MSN=1 ------------------------------>|
                     |                     ... 2.50 s ...                      |
  2.502000 13        |--- Send 100 octets MSN=1 ------------------------------>|
  2.903000 14        |<-- Send 100 octets MSN=1 -------------------------------|
 -2.096000 15        |<-- Send 100 octets MSN=1 -------------------------------|
           16        |<-- Send 100 octets MSN=1 -------------------------------|
`)
}

// transaction is one that m answers, a frame behind its request.
func transaction(kind record.TransactionKind, m *record.Message) *record.Transaction {
	request := m.Span
	request.Frame--
	request.LastFrame--
	request.LastTime -= 123_456
	return &record.Transaction{Conn: m.Conn, Dir: 1 - m.Dir, Kind: kind, ID: 7, Request: request, Response: m.Span, Name: "RDMA Read"}
}

func TestTransactions(t *testing.T) {
	same(t, drawn(t, ladder.Options{}, func(s *script) {
		answer := func(kind record.TransactionKind, m *record.Message, change func(*record.Transaction)) {
			x := transaction(kind, m)
			if change != nil {
				change(x)
			}
			s.Transaction(x)
			if kind == record.UpperTransaction {
				s.Upper(&record.Upper{Origin: m.Origin, ULP: "X", Name: "Reply \x1b[31m"})
			}
			s.Message(m)
		}
		s.give(c2s, rdmap.OpReadRequest)
		answer(record.ReadTransaction, s.message(s2c, rdmap.OpReadResponse), nil)
		answer(record.ReadTransaction, s.message(s2c, rdmap.OpReadResponse), func(x *record.Transaction) { x.Request.LastTime = 0 })
		s.give(s2c, rdmap.OpReadResponse) // to what, nobody knows
		answer(record.AtomicTransaction, s.message(s2c, rdmap.OpAtomicResponse, make([]byte, rdmap.AtomicResponseLen)...), nil)
		answer(record.UpperTransaction, s.message(s2c, send), nil)
		answer(record.UpperTransaction, s.message(s2c, send), func(x *record.Transaction) { x.Outcome = record.Refused })
		answer(record.ReadTransaction, s.message(s2c, rdmap.OpTerminate, 1, 2, 0, 0), func(x *record.Transaction) { x.Outcome = record.Refused })
		for i := range 10 {
			s.Transaction(&record.Transaction{
				Conn: s.conn, Name: "RDMA Read", ID: uint64(i), Outcome: record.Unanswered, Request: s.origin(c2s).Span,
			})
		}
		s.Transaction(&record.Transaction{Conn: s.conn, Outcome: record.OutcomeUnknown, Request: s.origin(c2s).Span})
		for range 3 {
			answer(record.UpperTransaction, s.message(s2c, send), nil)
		}
	}), `
  0.000000 11        |--- ReadRequest #1 MSN=1 ------------------------------->|
  0.001000 12        |<-- ReadResponse #7 100 octets, 123 us after frame 11 ---|
  0.002000 13        |<-- ReadResponse #7 100 octets, answers frame 12 --------|
  0.003000 14        |<-- ReadResponse 100 STag=0x0000000a --------------------|
                     |    TO=0x000000000000000b                                |
  0.004000 15        |<-- AtomicResponse #7 MSN=1 -----------------------------|
                     |    OriginalRequestIdentifier=0                          |
                     |    OriginalRemoteDataValue=0x0000000000000000, 123 us   |
                     |    after frame 14                                       |
  0.005000 16        |<-- Send 100 octets MSN=1 -------------------------------|
                     |    Reply \x1b[31m, 123 us after frame 15                |
  0.006000 17        |<-- Send 100 octets MSN=1 -------------------------------|
                     |    Reply \x1b[31m, refuses frame 16                     |
  0.007000 18        |<-- Terminate #7 MSN=1 0/1/02 RDMAP Remote Protection ---|
                     |    Error: Access rights violation, refuses frame 17     |
  0.019000 30-32     |<-- Send x 3, 300 octets, 123 us to 123 us after their --|
                     |    requests                                             |
                     |    Reply \x1b[31m                                       |
                     |    not answered: RDMA Read #0 of frame 19, RDMA Read    |
                     |    #1 of frame 20, RDMA Read #2 of frame 21, RDMA       |
                     |    Read #3 of frame 22, RDMA Read #4 of frame 23,       |
                     |    RDMA Read #5 of frame 24, RDMA Read #6 of frame      |
                     |    25, RDMA Read #7 of frame 26 and at least 2 more     |
`)
}

func TestTitle(t *testing.T) {
	for _, test := range []struct {
		width          int
		client, server string
		want           string
	}{
		{80, "10.0.0.1:1", "10.0.0.2:7174", "TIME       FRAMES    client 10.0.0.1:1                      server 10.0.0.2:7174\n"},
		{0, "[fd00:1111:2222:3333:4444:5555:6666:7777]:65535", "[fd00:1111:2222:3333:4444:5555:6666:8888]:65535",
			"TIME       FRAMES    client [fd00:1111:2222:3333:4444:5555:6666:7777]:65535\n" +
				"                          server [fd00:1111:2222:3333:4444:5555:6666:8888]:65535\n"},
		{60, "10.0.0.1:1", "10.0.0.2:7174", "TIME       FRAMES    client 10.0.0.1:1  server 10.0.0.2:7174\n"},
		{1, "10.0.0.1:1", "10.0.0.2:7174", "TIME       FRAMES    client 10.0.0.1:1  server 10.0.0.2:7174\n"},
	} {
		var b strings.Builder
		l := ladder.New(&b, ladder.Options{Width: test.width})
		c := &flow.Conn{Client: netip.MustParseAddrPort(test.client), Server: netip.MustParseAddrPort(test.server)}
		recordtest.To(l).End(c)
		l.Flush()
		if got := b.String(); got != test.want {
			t.Errorf("got\n%swant\n%s", got, test.want)
		}
	}
}

func TestOtherConnectionsAreListed(t *testing.T) {
	var b strings.Builder
	l := ladder.New(&b, ladder.Options{Conn: 1})
	for _, id := range []int{2, 0, 1} {
		s := newScript(l)
		s.conn.ID = id
		s.conn.Traffic[s2c].Messages[send] = uint64(id)
		s.conn.Traffic[c2s].Incomplete[write] = 1
		for range id {
			s.give(c2s, send)
		}
		s.Finding(&record.Finding{Origin: s.origin(c2s)})
		s.Upper(&record.Upper{Origin: s.origin(c2s)})
		s.Note(&record.Note{Origin: s.origin(c2s)})
		if found := l.Found(); found != (id == 1) {
			t.Errorf("connection %d: found %v", id, found)
		}
		s.End(s.conn)
	}
	if n := strings.Count(b.String(), "Send"); n > 1 {
		t.Errorf("%d messages drawn, want 1:\n%s", n, &b)
	}
	all, more := l.Connections()
	if len(all) != 3 || more != 0 {
		t.Fatalf("%d connections and %d more", len(all), more)
	}
	for i, c := range all {
		if c.Conn != i || c.Messages != uint64(i+1) || c.Server.Port() != 7174 {
			t.Errorf("%d: %+v", i, c)
		}
	}
	for i := 3; i < 20_000; i++ {
		recordtest.To(l).End(&flow.Conn{ID: i})
	}
	if all, more := l.Connections(); len(all) != 10_000 || more != 10_000 {
		t.Errorf("%d connections and %d more", len(all), more)
	}
}

func TestNotes(t *testing.T) {
	same(t, drawn(t, ladder.Options{}, func(s *script) {
		s.Note(&record.Note{Origin: s.origin(c2s), Kind: record.FramingFound, Octets: 300})
		s.Segment(&record.Segment{Origin: s.origin(s2c), Err: ddp.TaggedFields.Short(3)})
		s.Segment(&record.Segment{Origin: s.origin(s2c)})
	}), `
  0.000000 11        |    FPDU boundary found again; 300 octets were skipped   |
  0.001000 12        |    An FPDU ends within its headers: DDP tagged          |
                     |    header: STag: header ends early                      |
`)
}

func TestAgreements(t *testing.T) {
	for _, test := range []struct {
		agreement rules.Agreement
		want      string
	}{
		{rules.Agreement{DDPVersion: 1, CRC: true, InitORD: -1, RespORD: -1}, "agreed: CRC on, Markers off"},
		{rules.Agreement{MarkersFromInit: true, MarkersFromResp: true, CRC: true, InitORD: -1}, "agreed: CRC on, Markers on, DDP version 0"},
		{rules.Agreement{DDPVersion: 1, MarkersFromInit: true, InitORD: 4, RespORD: 1},
			"agreed: CRC off, Markers from the client only, Reads outstanding: client 4, server 1"},
		{rules.Agreement{DDPVersion: 1, MarkersFromResp: true, RespORD: -1}, "agreed: CRC off, Markers from the server only"},
	} {
		rows := drawn(t, ladder.Options{Width: 140}, func(s *script) {
			s.conn.Agreed, s.conn.Agreement = true, test.agreement
			s.give(c2s, 14)
		})
		row, _, _ := strings.Cut(rows, "\n")
		if got := strings.Trim(row, " |"); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// Nothing is said to be agreed where the revisions do not go together.
func TestRevisionsThatDoNotAgree(t *testing.T) {
	rows := drawn(t, ladder.Options{Width: 140}, func(s *script) {
		s.conn.Request.Rev, s.conn.Reply.Rev = 1, 2
		s.conn.Agreed, s.conn.Agreement = true, rules.Agreement{Rev: 2, DDPVersion: 1, CRC: true, InitORD: -1, RespORD: -1}
		s.give(c2s, 14)
	})
	row, _, _ := strings.Cut(rows, "\n")
	const want = "revisions 1 and 2 do not agree; whoever goes on has CRC on, Markers off"
	if got := strings.Trim(row, " |"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEnd(t *testing.T) {
	same(t, drawn(t, ladder.Options{}, func(s *script) {
		s.give(c2s, send)
		s.conn.FIN[s2c], s.conn.FIN[c2s], s.conn.RST[s2c] = s.origin(s2c).Span, s.origin(c2s).Span, s.origin(s2c).Span
		for _, f := range []struct{ id, text string }{{"OBS-A", "The server reset it in frame 14."}, {"OBS-B", "Something else."}} {
			recordtest.Alone(s.Ladder).Finding(&record.Finding{Origin: s.origin(c2s), Severity: rules.Warning, ID: f.id, Text: f.text})
		}
		s.Verdict(&record.Verdict{Conn: s.conn, ULP: "NVMe over RDMA", Errors: 1, Warnings: 2, Withheld: 3,
			Text: "Much happened. The server reset it in frame 14. Nobody knows why that was so."})
	}), `
  0.000000 11        |--- Send 100 octets MSN=1 ------------------------------>|
  0.001000 12        |<-- FIN -------------------------------------------------|
  0.002000 13        |--- FIN ------------------------------------------------>|
  0.003000 14        |<-- RST -------------------------------------------------|
  0.005000 16        |    warning OBS-B: Something else.                       |

NVMe over RDMA. Much happened. The server reset it in frame 14. Nobody knows why
that was so.
1 error, 2 warnings, of which not shown: 3
`)
}

// Colours do not change where things stand.
func TestColors(t *testing.T) {
	paint := func(s string) text.Style { return text.Style{On: "<" + s + ">", Off: "</>"} }
	rows := drawn(t, ladder.Options{}, func(s *script) { playAll(s) })
	var b strings.Builder
	palette := text.Palette{Time: paint("time"), Send: paint("send"), Tagged: paint("tagged"), Mark: paint("mark"), Upper: paint("upper")}
	palette.Findings[rules.Error] = paint("error")
	s := newScript(ladder.New(&b, ladder.Options{Palette: palette}))
	playAll(s)
	s.End(s.conn)
	s.Flush()
	_, colored, _ := strings.Cut(b.String(), "\n")
	for _, want := range []string{"<time>  0.000000 </>11", "|--- <send>Send</> 100", "    <mark>incomplete</> ", "    <upper>Call with a name for which an arrow has no place</> ", "<error>error X: y</> "} {
		if !strings.Contains(colored, want) {
			t.Errorf("%q is missing in\n%s", want, colored)
		}
	}
	for _, style := range []string{"time", "send", "tagged", "mark", "upper", "error", "/"} {
		colored = strings.ReplaceAll(colored, "<"+style+">", "")
	}
	same(t, colored, rows)
}

// playAll has a bit of everything.
func playAll(s *script) {
	m := s.message(c2s, send)
	s.Upper(&record.Upper{Origin: m.Origin, ULP: "X", Name: "Call with a name for which an arrow has no place"})
	s.Finding(&record.Finding{Origin: m.Origin, Severity: rules.Error, ID: "X", Seen: "y"})
	m.Complete = false
	s.Message(m)
	s.give(s2c, write, write, write)
}

// Frames of many digits move the left upright only.
func TestManyFrames(t *testing.T) {
	same(t, drawn(t, ladder.Options{}, func(s *script) {
		s.frame = 123_455
		s.give(c2s, send, send, send)
	}), `
  0.000000 123456-123458 |--- Send x 3, 300 octets --------------------------->|
`)
}

// A broken writer fails.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestWriteErrorsAreKept(t *testing.T) {
	broke := errors.New("broke")
	s := newScript(ladder.New(broken{broke}, ladder.Options{All: true}))
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	for range 1000 { // more than the buffer holds
		s.give(c2s, send)
	}
	if err := s.Err(); err != broke {
		t.Errorf("Err: got %v", err)
	}
	if err := s.Flush(); err != broke {
		t.Errorf("Flush: got %v", err)
	}
}
