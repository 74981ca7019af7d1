package judge_test

import (
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
)

// together are the causes of two connections, the second of which begins so long after the end of the first; empty for those that went well.
func together(first, next []pcaps.Record, later time.Duration) (causes [2]string) {
	r := &reporter{}
	e := known(r)
	packets := transcript.Then(first, next, later)
	for i := range packets {
		e.Packet(&packets[i])
	}
	e.Close()
	for _, v := range r.verdicts {
		if v.Cause != nil {
			causes[v.Conn.ID] = v.Cause.Name
		}
	}
	return causes
}

// TestControlConnection ends a connection within a Write: after both sides have exchanged Sends on another one, without that, or while one of them waits.
func TestControlConnection(t *testing.T) {
	const (
		begin  = "# parley\nclient %CLIENT%\nport 18515\nc2s hex \"MPA ID Req Frame\" 40 01 0000\ns2c hex \"MPA ID Rep Frame\" 40 01 0000\n"
		turn   = "c2s 4143 00000000 00000000 0000000%N% 00000000 \"0000:0000\"\n"
		answer = "s2c 4143 00000000 00000000 0000000%N% 00000000 \"0000:0000\"\n"
		over   = "c2s fin\ns2c fin\nend\n"
	)
	exchange := func(n string) string { return strings.ReplaceAll(turn+answer, "%N%", n) }
	records := func(client, text string) []pcaps.Record {
		s, err := transcript.Parse("parley", strings.ReplaceAll(text, "%CLIENT%", client))
		if err != nil {
			t.Fatal(err)
		}
		return s.Records
	}
	data := records("40001", begin+"c2s 8140 00000001 0000000000000000 \"abcd\"\nwait 2500ms\n"+over)
	start := begin + exchange("1") + exchange("2") + exchange("3") + "wait 4s\n"
	for what, test := range map[string]struct{ control, want string }{
		"agreed":        {exchange("4"), ""},
		"not agreed":    {"", "closed-early"},
		"half agreed":   {strings.ReplaceAll(turn, "%N%", "4"), "closed-early"},
		"agreed before": {exchange("4") + "wait 3s\n", "closed-early"},
	} {
		if got := together(records("40000", start+test.control+"wait 1s\n"+over), data, -3*time.Second); got[1] != test.want {
			t.Errorf("%s: got %q, want %q", what, got[1], test.want)
		}
	}
}

// TestSpoken lets a controller end a connection of a host that is silent there: silent at all, or not on another connection.
func TestSpoken(t *testing.T) {
	all, err := transcript.Troubles("testdata/troubles.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if all[i].Name != "keep-alive-expired" {
			continue
		}
		silent, err := all[i].Records(false, "port 4420", "client 40000\nport 4420")
		if err != nil {
			t.Fatal(err)
		}
		other, err := all[i].Records(true, "port 4420", "client 40001\nport 4420")
		if err != nil {
			t.Fatal(err)
		}
		for later, want := range map[time.Duration]string{time.Second: "keep-alive", -8 * time.Second: "", -20 * time.Second: "keep-alive"} {
			id := 0
			if later < -10*time.Second { // the other one comes first
				id = 1
			}
			if got := together(silent, other, later); got[id] != want {
				t.Errorf("%v: got %q, want %q", later, got[id], want)
			}
		}
		return
	}
	t.Fatal("there is no such trouble")
}
