package judge_test

// DDP over SCTP: what real connections have carried over TCP leads to the same over SCTP.

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// A ledger writes what happens on connections, except for what depends on the transport and on time.
type ledger struct {
	finder
	lines []string
	ulps  []string
}

func (l *ledger) Record(rec *record.Record) { recordtest.Pieces(rec, l) }

func (l *ledger) add(conn *flow.Conn, dir flow.Direction, format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf("%d %v %s", conn.ID, dir, fmt.Sprintf(format, args...)))
}

func (l *ledger) StartupFrame(f *record.Startup) {
	if f.MPA.Rev == 0 { // a session Terminate, to which no MPA frame is equivalent
		return
	}
	var e mpa.Enhanced
	enhanced := f.MPA.Enhanced(&e)
	l.add(f.Conn, f.Dir, "reply %v rejects %v enhanced %v %+v %x", f.MPA.Reply, f.MPA.R, enhanced, e, f.MPA.ULPPrivateData())
}

func (l *ledger) Message(m *record.Message) {
	l.add(m.Conn, m.Dir, "%v %d octets in %d, complete %v: %x", m.Opcode, m.Len, m.Segments, m.Complete, m.Header)
}

func (l *ledger) Transaction(t *record.Transaction) {
	l.add(t.Conn, t.Dir, "%v %s %#x %v %d octets %s", t.Kind, t.Name, t.ID, t.Outcome, t.Octets, t.Status)
}

func (l *ledger) Upper(u *record.Upper) {
	l.add(u.Conn, u.Dir, "%s %s %#x %d octets", u.ULP, u.Name, u.ID, u.Len)
}

func (l *ledger) Verdict(v *record.Verdict) { l.ulps = append(l.ulps, v.ULP) }

// keepLedger is a ledger of packets.
func keepLedger(records []pcaps.Record) *ledger {
	l := &ledger{}
	e := dissect.NewEngine(judge.New(l, judge.Options{ULPs: ulps()}), dissect.Options{})
	for i := range records {
		e.Packet(&records[i])
	}
	e.Close()
	slices.SortStableFunc(l.lines, func(a, b string) int { // connections need not end in the same order
		return strings.Compare(a[:strings.Index(a, " ")], b[:strings.Index(b, " ")])
	})
	return l
}

// found is what the ledger's findings are called, except for those that tell of MPA, of TCP and of time.
func (l *ledger) found() (names []string) {
	for i := range l.findings {
		switch name := l.findings[i].Name; name {
		case "crc-off", "reset", "linger", "reset-after-terminate", "stall", "retransmissions", "zero-window", "no-fpdu",
			"message-cut", "capture-loss", "responder-first", "session-end",
			"fpdu-pad", "mpa-reserved":
		default:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ofTCP are the samples with something that there is over TCP only.
var ofTCP = map[string]string{
	"refused":     "no packet but a SYN and its reset",
	"pd-c16-s255": "a server that sends more Private Data than it says",
	"perf-nocm":   "no connection",
	"netem-lossy": "packets that come twice and out of order",
	"iser-start":  "more than 2 MB",
}

func TestOverSCTP(t *testing.T) {
	for _, name := range samples.Names() {
		if ofTCP[name] != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			tcp, sctp := keepLedger(recorded.Packets(samples.Open(name))), keepLedger(recorded.OverSCTP(t, name))
			if d := diff.Diff(tcp.lines, sctp.lines); d != "" {
				t.Errorf("(-TCP +SCTP)\n%.4000s", d)
			}
			if d := diff.Diff(tcp.found(), sctp.found()); d != "" {
				t.Errorf("findings (-TCP +SCTP)\n%s", d)
			}
			if got, want := strings.Join(sctp.ulps, ","), strings.Join(tcp.ulps, ","); got != want {
				t.Errorf("upper layers: %s, want %s", got, want)
			}
			if len(tcp.lines) < 2 {
				t.Errorf("%d lines", len(tcp.lines))
			}
		})
	}
}
