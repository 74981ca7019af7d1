package nvme

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// TestAuthentication goes through authentications that come to an end, and such that do not.
func TestAuthentication(t *testing.T) {
	connect, get := Command{Opcode: opFabrics, FabricsType: fcConnect}, Command{Opcode: opFabrics, FabricsType: fcPropertyGet}
	send, receive := Command{Opcode: opFabrics, FabricsType: fcAuthSend}, Command{Opcode: opFabrics, FabricsType: fcAuthReceive}
	type step struct {
		Command
		message string // what it carries
	}
	const challenge, success, failure1, failure2, cut = "\x01\x01\x00\x00\x01\x00\x00\x00", "\x01\x03\x00\x00\x01\x00\x00\x00",
		"\x00\xf1\x00\x00\x01\x00\x01\x01", "\x00\xf0\x00\x00\x01\x00\x01\x63", "\x00\xf0"
	for _, test := range []struct {
		name  string
		steps []step
		says  string // part of it; empty if nothing is wrong
	}{
		{"none", []step{{connect, ""}}, "ended the connection without it"},
		{"given up", []step{{connect, ""}, {receive, challenge}}, "the server gave up"},
		{"complete", []step{{connect, ""}, {receive, challenge}, {receive, success}}, ""},
		{"complete as the host goes on", []step{{connect, ""}, {receive, ""}, {get, success}}, ""},
		{"refused by the host", []step{{connect, ""}, {receive, success}, {send, failure2}}, "AUTH_Failure2"},
		{"refused by the controller", []step{{connect, ""}, {receive, failure1}}, ""}, // the answer says so
		{"the controller says what the host has to say", []step{{connect, ""}, {receive, challenge}, {receive, failure2}, {get, ""}}, ""},
		{"cut", []step{{connect, ""}, {receive, success}, {send, cut}}, ""},
	} {
		var a authentication
		for _, s := range test.steps {
			x := Exchange{Command: s.Command}
			a.message(&x, []byte(s.message))
			if refused := s.message == failure1; (x.refusal != "") != refused {
				t.Errorf("%s: %q", test.name, x.refusal)
			}
			a.completed(&record.Origin{Conn: new(flow.Conn)}, &s.Command, []byte{0, 0, 2, 0})
		}
		c, ok := a.abandoned(&ulp.Ending{By: flow.Server})
		if ok != (test.says != "") || !strings.Contains(strings.ToLower(c.Says), strings.ToLower(test.says)) {
			t.Errorf("%s: %v, %s", test.name, ok, c.Says)
		}
	}
}
