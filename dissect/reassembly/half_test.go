package reassembly

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A story is a half-connection in lines of the form
//
//	event => pieces
//
// where an event is one of
//
//	[syn] [fin] [rst] SEQ [DATA] [+MISSING]    a segment; its frame number is the number of its line
//	N * SEQ                                    N segments without data
//	ack SEQ   flush   close                    the calls of these names
//	started fin finished reset                 must be true now; with "not" in front of it, false
//	newISN SEQ                                 likewise
//	later 100 abc                              the same, long after the line before
//	sametime                                   the next line comes before anything is pulled
//
// and the pieces that can be pulled afterwards are OFFSET:DATA or OFFSET:[HOLE], with @FRAME where that matters.
type story struct {
	name   string
	limits Limits
	lines  string
	want   Counters // Segments and Holes are left out where 0
}

func TestStories(t *testing.T) {
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			budget := NewBudget(s.limits)
			h := NewHalf(budget)
			tell(t, h, s.lines)
			got := h.Counters()
			if s.want.Segments == 0 {
				got.Segments = 0
			}
			if s.want.Holes == 0 {
				got.Holes, got.HoleOctets = 0, s.want.HoleOctets
			}
			if diff := cmp.Diff(s.want, got); diff != "" {
				t.Errorf("counters (-want +got):\n%s", diff)
			}
			h.Close()
			if budget.Held() != 0 || h.Held() != 0 {
				t.Errorf("after Close the budget holds %d octets, the half %d", budget.Held(), h.Held())
			}
		})
	}
}

// tell plays the lines of a story on h.
func tell(t *testing.T, h *Half, lines string) {
	t.Helper()
	for i, line := range strings.Split(strings.Trim(lines, "\n"), "\n") {
		line = strings.TrimSpace(line)
		event, pieces, _ := strings.Cut(line, "=>")
		if event == "" {
			continue
		}
		words := strings.Fields(event)
		play(t, h, line, words, uint64(i+1))
		if err := checkQueue(h); err != nil {
			t.Fatalf("line %d, %q: %v", i+1, line, err)
		}
		if words[len(words)-1] == "sametime" {
			continue
		}
		want := strings.Fields(pieces)
		if diff := cmp.Diff(want, pull(h, want), cmp.Transformer("join", func(s []string) string { return strings.Join(s, " ") })); diff != "" {
			t.Fatalf("line %d, %q (-want +got):\n%s", i+1, line, diff)
		}
	}
}

// pull takes all pieces from h and writes them as a story does, with the frame where want has one.
func pull(h *Half, want []string) (got []string) {
	for p := (Piece{}); h.Next(&p); {
		s := fmt.Sprintf("%d:%s", p.Offset, p.Data)
		if p.Data == nil {
			s = fmt.Sprintf("%d:[%d]", p.Offset, p.Hole)
		}
		if n := len(got); n < len(want) && strings.Contains(want[n], "@") {
			s += fmt.Sprintf("@%d", p.Frame)
		}
		got = append(got, s)
	}
	return got
}

// play does what one line of a story says.
func play(t *testing.T, h *Half, line string, words []string, frame uint64) {
	t.Helper()
	number := func(s string) uint32 {
		n, err := strconv.ParseUint(s, 10, 32)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		return uint32(n)
	}
	expect := true
	if words[0] == "not" {
		expect, words = false, words[1:]
	}
	check := func(got bool) {
		t.Helper()
		if got != expect {
			t.Fatalf("line %d, %q: got %v", frame, line, got)
		}
	}
	switch words[0] {
	case "ack":
		h.Acked(number(words[1]))
		return
	case "flush":
		h.Flush()
		return
	case "close":
		h.Close()
		return
	case "started":
		check(h.Started())
		return
	case "finished":
		check(h.Finished())
		return
	case "reset":
		check(h.RST())
		return
	case "newISN":
		check(h.NewISN(number(words[1])))
		return
	case "fin":
		if len(words) == 1 {
			check(h.FIN())
			return
		}
	}
	if len(words) > 1 && words[1] == "*" {
		for range number(words[0]) {
			h.Push(&Segment{Seq: number(words[2]), Frame: frame, Time: int64(frame)})
		}
		return
	}
	s := Segment{Frame: frame, Time: int64(frame)}
	seq := false
	for _, word := range words {
		switch {
		case word == "syn":
			s.SYN = true
		case word == "fin":
			s.FIN = true
		case word == "rst":
			s.RST = true
		case word == "sametime":
		case word == "later":
			s.Time += probeAfter
		case word[0] == '+':
			s.Missing = int(number(word[1:]))
		case !seq:
			s.Seq, seq = number(word), true
		default:
			s.Data = []byte(word)
		}
	}
	h.Push(&s)
}

// The sequence numbers of a long stream wrap every 4 GB: what comes late, twice, or not at all beside such a place is still told apart.
func TestSequenceNumbersWrapAgainAndAgain(t *testing.T) {
	const size, wraps = 1 << 20, 5
	h := NewHalf(nil)
	defer h.Close()
	octets, want := make([]byte, size), uint64(0)
	take := func() {
		for p := (Piece{}); h.Next(&p); {
			if p.Offset != want {
				t.Fatalf("offset %d, not %d", p.Offset, want)
			}
			want += p.Hole + uint64(len(p.Data))
		}
	}
	isn := ^uint32(size / 2)
	h.Push(&Segment{Seq: isn, SYN: true})
	const segments = wraps << 32 / size
	for n := 0; n < segments; n++ { // now and then, one comes early, the one before it twice, and the capture has cut it
		seq := func(n int) uint32 { return isn + 1 + uint32(n*size) }
		if n%(1<<32/size/4) == 0 {
			h.Push(&Segment{Seq: seq(n + 1), Data: octets[:1000], Missing: size - 1000})
			take()
			h.Push(&Segment{Seq: seq(n), Data: octets})
			take()
		}
		h.Push(&Segment{Seq: seq(n), Data: octets})
		take()
	}
	if want != segments*size {
		t.Errorf("%d octets, not %d", want, uint64(segments*size))
	}
}
