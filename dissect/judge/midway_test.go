package judge_test

import (
	"strings"
	"testing"
)

// TestAnswerMissing lacks the one answer of a server, in captures that begin with the request or before: the end of the connection shows
// that there was one, or its acknowledgement.
func TestAnswerMissing(t *testing.T) {
	const (
		begun = "c2s hex \"MPA ID Req Frame\" 40 01 0000\ns2c hex \"MPA ID Rep Frame\" 40 01 0000\n"
		call  = "c2s 4143 00000000 00000000 00000001 00000000 5a0000010000000100000020 00*16 5a0000010000000000000002000186a300000003 00*20\n"
		reply = "s2c 4143 00000000 00000000 00000001 00000000 5a0000010000000100000020 00*16 5a00000100000001 00*16\n"
		read  = "c2s 4141 00000000 00000001 00000001 00000000 cafe0001 0000000000002000 00000040 beef0002 00007f0000004000\n"
		data  = "s2c c142 cafe0001 0000000000002000 aa*64\n"
	)
	for _, begin := range []string{"midstream\n", begun} {
		for what, asked := range map[string][2]string{"call": {call, reply}, "Read": {read, data}} {
			for _, end := range []string{"c2s fin\ns2c fin\n", "c2s ack\nwait 40s\nc2s fin\ns2c fin\n", "s2c fin\nc2s fin\n", "c2s ack\nwait 40s\nc2s ack\n", "c2s ack\ns2c rst\n"} {
				lines := func(shown string) string {
					return "port 20049\n" + begin + asked[0] + asked[1] + shown + "wait 40s\n" + end + "end\n"
				}
				if got := causes(transcribed(t, lines("drop\n"))); got != "" {
					t.Errorf("%s%s, %s: %s", begin, what, strings.ReplaceAll(end, "\n", ", "), got)
				}
				unanswered := strings.Replace(lines(""), asked[1], "s2c ack\n", 1)
				if got := causes(transcribed(t, unanswered)); !strings.Contains(got, "unanswered") && !strings.Contains(got, "closed-early") && strings.Contains(end, "fin") {
					t.Errorf("%s%s, %s, not answered: %q", begin, what, strings.ReplaceAll(end, "\n", ", "), got)
				}
			}
		}
	}
}

// TestRemains begins the capture with what the server sends again of a connection that it has ended, and of which the client knows nothing any
// more: what it waits for there was over before.
func TestRemains(t *testing.T) {
	const sentAgain = "midstream\ns2c 4141 00000000 00000001 00000001 00000000 cafe0001 0000000000002000 00000040 beef0002 00007f0000004000\ns2c fin\n"
	if got := causes(transcribed(t, "port 20049\n"+sentAgain+"c2s disown\nend\n")); got != "" {
		t.Error(got)
	}
	if got := causes(transcribed(t, "port 20049\n"+sentAgain+"c2s ack\nc2s fin\nend\n")); got == "" {
		t.Error("the client closes, too: nothing is found")
	}
}
