package check_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/kernlog"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// printed is what a Text prints of what give gives it.
func printed(t testing.TB, o check.Options, give func(*check.Text)) string {
	t.Helper()
	var b strings.Builder
	r := check.NewText(&b, o)
	give(r)
	if err := r.Finish(nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestWithheldAreOneNumber counts the findings that were withheld together with those of their rule that were not told.
func TestWithheldAreOneNumber(t *testing.T) {
	for _, test := range []struct {
		reported int
		want     []string
	}{
		{judge.MaxReports, []string{"    and 100099 more, frames 13-111 and later\n"}},
		{judge.MaxReports - 1, []string{"    and 98 more, frames 13-110\n", "  100000 more findings not shown in full.\n"}},
	} {
		got := printed(t, check.Options{All: true}, func(r *check.Text) {
			c := connection(0)
			for i := range test.reported {
				recordtest.Alone(r).Finding(wrongMSN(c, uint64(12+i)))
			}
			v := closed(c)
			v.Withheld = 100_000
			recordtest.Alone(r).Verdict(v)
		})
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%d reported: %q is not in\n%s", test.reported, want, got)
			}
		}
		if told := strings.Contains(got, "not shown in full"); told != (len(test.want) > 1) {
			t.Errorf("%d reported: not shown in full: %v, in\n%s", test.reported, told, got)
		}
	}
}

// TestAtLeast has findings that may not be all, and a capture with nothing in it.
func TestAtLeast(t *testing.T) {
	got := printed(t, check.Options{All: true}, func(r *check.Text) {
		v := closed(connection(0))
		v.Errors, v.Notes, v.AtLeast = 2, 1, true
		recordtest.Alone(r).Verdict(v)
	})
	if want := "\n1 connection, none failed. Findings: at least 2 errors, at least 1 note.\n"; !strings.HasSuffix(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
	for nothing, want := range map[string]string{"": "No iWARP connection: nothing was checked.\n", "Nothing.": "Nothing.\n"} {
		if got := printed(t, check.Options{All: true}, func(r *check.Text) { r.Nothing = nothing }); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestText(t *testing.T) {
	got := printed(t, check.Options{All: true}, func(r *check.Text) {
		c := connection(1)
		recordtest.Alone(r).Finding(observation(c, 150, ended))
		for frame := uint64(12); frame < 60; frame++ {
			recordtest.Alone(r).Finding(wrongMSN(c, frame))
		}
		recordtest.Alone(r).Verdict(terminated(c))
		c = connection(0)
		recordtest.Alone(r).Finding(wrongMSN(c, 8))
		recordtest.Alone(r).Finding(wrongMSN(c, 9))
		recordtest.Alone(r).Verdict(closed(c))
	})
	want := `The client closed it. Nothing was outstanding.
  Connection 0: 10.0.0.1:44600 > 10.0.0.2:7509, frames 1-99, 1.50 s

  error    frame 8: DDP-5.3-4, DDP-5.3-5 (send-msn)
    The Send from the client: MSN 7, expected MSN 5. The MSN of a Send is one
    more than that of the Send before it. The receiver answers with a Terminate,
    1/2/03 DDP Untagged Buffer Error: Invalid MSN - MSN range is not valid.
    RFC 5041, section 5.3
    and 1 more, frame 9

The server ended it with a Terminate in frame 51: 0/1/00 RDMAP Remote Protection
Error: Invalid STag. One Read of the client was never answered.
  Connection 1: 10.0.0.1:44600 > 10.0.0.2:7509, frames 101-199, 1.50 s,
  RPC-over-RDMA

  error    frame 12: DDP-5.3-4, DDP-5.3-5 (send-msn)
    MSN 7, expected MSN 5; explained above.
    RFC 5041, section 5.3
    and 47 more, frames 13-59

  warning  frame 150: OBS-TERMINATE (terminate)
    Somebody ended it.

  1 more finding not shown in full.

2 connections, none failed. Findings: 2 errors, 1 warning.
`
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestKernelLinesAreLimited has a log in which many lines concern each connection, and one that is searched for one connection only.
func TestKernelLinesAreLimited(t *testing.T) {
	lines := make([]kernlog.Line, kernlog.MaxShown*2/3)
	for i := range lines {
		lines[i] = kernlog.Line{Time: 1, Text: "siw: something"}
	}
	searched := 0
	got := printed(t, check.Options{All: true, Kernel: func(*flow.Conn, int64, int64) ([]kernlog.Line, bool) {
		if searched++; searched > 3 {
			return nil, false
		}
		return lines, true
	}}, func(r *check.Text) {
		for i := range 5 {
			recordtest.Alone(r).Verdict(terminated(connection(i)))
		}
	})
	if n := strings.Count(got, "siw: something"); n != kernlog.MaxShown {
		t.Errorf("%d lines of the kernel are shown", n)
	}
	for _, want := range []string{
		fmt.Sprintf("\n  %d more kernel lines.\n", 2*len(lines)-kernlog.MaxShown), fmt.Sprintf("\n  %d more kernel lines.\n", len(lines)),
		"\nThe kernel's log was not searched for 2 connections.\n",
	} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is not in\n%s", want, got[max(0, len(got)-4000):])
		}
	}
}

func TestNothingToReport(t *testing.T) {
	got := printed(t, check.Options{All: true}, func(r *check.Text) { recordtest.Alone(r).Verdict(closed(connection(0))) })
	want := `The client closed it. Nothing was outstanding.
  Connection 0: 10.0.0.1:44600 > 10.0.0.2:7509, frames 1-99, 1.50 s

1 connection, none failed. No findings.
`
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestPartial has captures that could not be read to their end.
func TestPartial(t *testing.T) {
	const partial = " Only a part of the capture could be read.\n"
	const wide = 200
	for want, give := range map[string]func(*check.Text){
		"\n1 connection, none failed. No findings." + partial: func(r *check.Text) { recordtest.Alone(r).Verdict(closed(connection(0))) },
		"Nothing." + partial: func(r *check.Text) { r.Nothing = "Nothing." },
	} {
		var b strings.Builder
		r := check.NewText(&b, check.Options{All: true, Width: wide})
		give(r)
		if err := r.Finish([]string{"cut"}); err != nil || !strings.HasSuffix(b.String(), want) {
			t.Errorf("%q is not in\n%s%v", want, b.String(), err)
		}
	}
}

// TestStoryIsToldOnce leaves out the observations that the verdict tells.
func TestStoryIsToldOnce(t *testing.T) {
	got := printed(t, check.Options{}, func(r *check.Text) {
		c := connection(0)
		v := closed(c)
		v.Cause, v.Advice, v.Explain, v.Warnings = observation(c, 50, ended), "See its log.", "1/1/00", 2
		v.Evidence = record.Evidence{Span: flow.At(49, 0), Octets: []byte{0xc1, 0x40}}
		recordtest.Alone(r).Finding(v.Cause)
		recordtest.Alone(r).Finding(observation(c, 51, quiet))
		recordtest.Alone(r).Verdict(v)
	})
	want := `The client closed it. Nothing was outstanding.
  Connection 0: 10.0.0.1:44600 > 10.0.0.2:7509, frames 1-99, 1.50 s
  Evidence: the header in frame 49 is c1 40.
  Next: See its log. See iwarp explain 1/1/00.

`
	if d := cmp.Diff(want, got[:strings.Index(got, "1 connection")]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestAgain says that the client connected again after a failure, and how that went.
func TestAgain(t *testing.T) {
	for _, tc := range []struct {
		used, failed bool
		over         int64 // when the first connection failed, in nanoseconds from the second one's beginning; 0 for early enough
		stuck        int   // octets of a packet that only the second connection never sends
		want         string
	}{
		{used: true, want: "  The client connected again as connection 1, and that went well.\n"},
		{used: true, stuck: 1400, want: "went well. There the\n  client's packets have at most 500 octets of payload; the one that was not\n  acknowledged here has 1400.\n"},
		{failed: true, want: "  The client connected again as connection 1, which failed too.\n"},
		{failed: true, over: 1},
		{failed: true, over: -60e9, want: "  The client connected again as connection 1, which failed too.\n"},
		{failed: true, over: -60e9 - 1},
		{},
	} {
		got := printed(t, check.Options{}, func(r *check.Text) {
			for id := range 2 {
				v := closed(connection(id))
				if id == 0 || tc.failed {
					v.Cause = observation(v.Conn, 50, ended)
				}
				if id == 0 && tc.over != 0 {
					v.Cause.Time = connection(1).Time + tc.over
				}
				for d := range v.Conn.Traffic {
					v.Conn.Traffic[d].FPDUs = map[bool]uint64{true: 1}[tc.used]
				}
				v.Conn.Traffic[flow.C2S].Passed = 500
				v.Conn.Traffic[flow.C2S].Pending = &flow.Pending{Len: (1 - id) * tc.stuck}
				recordtest.Alone(r).Verdict(v)
			}
		})
		if tc.want == "" && strings.Contains(got, "again") || !strings.Contains(got, tc.want) {
			t.Errorf("%q is not in\n%s", tc.want, got)
		}
	}
}

// TestNothingReachesTheTerminal prints what came from a capture.
func TestNothingReachesTheTerminal(t *testing.T) {
	got := printed(t, check.Options{All: true}, func(r *check.Text) {
		c := connection(0)
		f := observation(c, 50, quiet)
		f.Text = "a name: \x1b[31m\xff\x00é"
		recordtest.Alone(r).Finding(f)
		recordtest.Alone(r).Verdict(closed(c))
	})
	if !strings.Contains(got, "\n    a name: \\x1b[31m\\xff\\x00é\n") {
		t.Errorf("got %q", got)
	}
}

// TestLinesFit checks that no line is longer than it may be, colours aside.
func TestLinesFit(t *testing.T) {
	colour := text.Style{On: "\x1b[31m", Off: "\x1b[0m"}
	o := check.Options{All: true, Width: 60, Palette: check.Palette{Conn: colour, Good: colour, Source: colour}}
	for i := range o.Palette.Severity {
		o.Palette.Severity[i] = colour
	}
	got := printed(t, o, func(r *check.Text) {
		c := connection(123_456)
		recordtest.Alone(r).Finding(wrongMSN(c, 12_345_678))
		recordtest.Alone(r).Finding(observation(c, 150, ended))
		recordtest.Alone(r).Verdict(terminated(c))
	})
	if strings.Count(got, colour.On) != strings.Count(got, colour.Off) || strings.Count(got, colour.On) < 4 {
		t.Errorf("colours are not ended, or not there:\n%s", got)
	}
	for line := range strings.Lines(strings.NewReplacer(colour.On, "", colour.Off, "").Replace(got)) {
		line = strings.TrimSuffix(line, "\n")
		if utf8.RuneCountInString(line) > 60 || strings.TrimRight(line, " ") != line {
			t.Errorf("%q", line)
		}
	}
}

// TestFloods gives more findings and connections than anybody wants to read.
func TestFloods(t *testing.T) {
	const connections, kinds = 1200, 80
	size := len(printed(t, check.Options{All: true}, func(r *check.Text) {
		for id := range connections {
			c := connection(connections - id)
			for i := range kinds {
				f := wrongMSN(c, uint64(i))
				f.Name = fmt.Sprint("rule-", i)
				recordtest.Alone(r).Finding(f)
			}
			recordtest.Alone(r).Verdict(closed(c))
		}
	}))
	if perConnection := size / connections; perConnection > 20_000 {
		t.Errorf("%d octets for each of %d connections", perConnection, connections)
	}
}

// TestOrder ends connections in another order than that of their numbers.
func TestOrder(t *testing.T) {
	got := printed(t, check.Options{All: true}, func(r *check.Text) {
		for _, id := range []int{5, 2, 9, 0, 7, 1} {
			recordtest.Alone(r).Verdict(closed(connection(id)))
		}
	})
	var order []string
	for line := range strings.Lines(got) {
		if number, ok := strings.CutPrefix(line, "  Connection "); ok {
			order = append(order, number[:1])
		}
	}
	if d := cmp.Diff([]string{"0", "1", "2", "5", "7", "9"}, order); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// A broken writer fails.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestWriteErrorsAreKept(t *testing.T) {
	broke := errors.New("broke")
	r := check.NewText(broken{broke}, check.Options{All: true})
	d := check.NewDocument(broken{broke}, check.Head{})
	c := connection(0)
	for range 200 {
		recordtest.Alone(d).Finding(wrongMSN(c, 1))
	}
	recordtest.Alone(r).Verdict(closed(c))
	if err := d.Err(); err != broke {
		t.Errorf("Err of a Document: got %v", err)
	}
	if err := r.Finish(nil); err != broke {
		t.Errorf("Finish of a Text: got %v", err)
	}
	if err := r.Err(); err != broke {
		t.Errorf("Err of a Text: got %v", err)
	}
	if err := d.Finish(nil); err != broke {
		t.Errorf("Finish of a Document: got %v", err)
	}
}
