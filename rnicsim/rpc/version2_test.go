package rpc_test

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// What connections of version 2 begin with. The client can have 512 credits outstanding, and takes Receives and reverse
// Calls by default, none.
const (
	open2 = "c0000001 00000002 02000020 00000005 00000000 00000001 00000002 00000004 00001000"
	ours2 = "69776300 00000002 008f0020 00000005 00000000 00000004 00000001 00000004 00001000 " +
		"00000002 00000004 00001000 00000003 00000004 00100000 00000004 00000004 00000010"

	// After an XID: the prefixes of messages with a Call and with its Reply, the latter without chunks.
	call2  = " 00000002 02000001 00000000 00000000 00000000 "
	reply2 = " 00000002 008f0001 00000000 00000001 00000000 " + lists + "  "
	error2 = " 00000002 008f0001 00000004 00000001 "

	anyReply2 = " 00000002 " + anyCredit + " 00000000 00000001 00000000 " + lists + "  "
	anyCredit = "????????"
)

// A client2 is a client of version 2. Package rules checks what it gets.
type client2 struct {
	*client
	law rpcrules.Stream
}

func newClient2(t testing.TB, o rpc.Options) *client2 {
	c := &client2{client: newClient(t, o, "")}
	c.law.Reset(rpcrules.Conditions{})
	return c
}

// begun returns a connection on which the properties were exchanged.
func begun(t testing.TB) *client2 {
	t.Helper()
	c := newClient2(t, rpc.Options{})
	c.ask(open2, ours2)
	return c
}

// ask sends a message and compares what comes, in which the wanted credits may be any.
func (c *client2) ask(message string, want ...string) {
	c.t.Helper()
	c.judge(rpcrules.Client, octets(c.t, message))
	c.send(octets(c.t, message))
	c.got(want...)
}

// got compares what has come since the latest message.
func (c *client2) got(want ...string) {
	c.t.Helper()
	if len(c.sent) != len(want) {
		c.t.Errorf("%d messages come, not %d:\n%s", len(c.sent), len(want), strings.Join(c.sent, "\n"))
		return
	}
	for i, got := range c.sent {
		c.judge(rpcrules.Server, octets(c.t, got))
		want := join(want[i])
		if strings.Contains(want, anyCredit) && len(got) > 26 {
			got = got[:18] + anyCredit + got[26:]
		}
		if got != want {
			c.t.Errorf("there comes\n%s\nnot\n%s", got, want)
		}
	}
}

// judge has package rpcrules check a message.
func (c *client2) judge(from rpcrules.Side, message []byte) {
	c.t.Helper()
	var m rpcrdma.Message
	m.Decode(message, len(message), rpcrdma.DialectVersion2.Of(message, len(message)))
	_, broken := c.law.Message(from, &m, nil)
	for _, v := range broken {
		if from == rpcrules.Server && v.Severity == rules.Error {
			c.t.Errorf("%s: %s, not %s", v.Name, v.Seen, v.Expected)
		}
	}
}

// null returns the procedure NULL, and its Reply.
func (c *client2) null(xid string) {
	c.t.Helper()
	c.ask(xid+call2+lists+" "+xid+" "+call+" 00000000 "+auth, xid+anyReply2+xid+" "+ok)
}

// executed asks how many Calls were executed.
func (c *client2) executed(n string) {
	c.t.Helper()
	c.ask("00000a03"+call2+lists+" 00000a03 "+call+" 00000003 "+auth,
		"00000a03"+anyReply2+"00000a03 "+ok+" "+n+" 00000000 00000000 00000000")
}

// Faulty headers (draft 01, section 7).
func TestVersion2Refusals(t *testing.T) {
	const (
		body  = "5a000001 " + call + " 00000000 " + auth
		start = "5a000001 00000002 02000001 "

		badXDR    = "5a000001" + error2 + "00000002"
		invalType = "5a000001" + error2 + "00000004"
		invalCont = "5a000001" + error2 + "00000005"
	)
	for _, c := range []struct{ name, message, want string }{
		{"type 2", start + "00000002 00000000 00000000 " + lists + "  " + body, invalType},
		{"type 3", start + "00000003 00000000", invalType},
		{"type 6", start + "00000006 00000000 00000000 " + lists + "  " + body, invalType},
		{"type 2^32-1", start + "ffffffff 00000000", invalType},
		{"TPMORE", start + "00000000 00000004 00000000 " + lists + "  " + body, invalType},
		{"TPMORE and reserved flags", start + "00000000 fffffffc 00000000 " + lists + "  " + body, invalType},
		{"TPMORE in NOMSG", start + "00000001 00000004 00000000 00000001 00000000 00000005 00000028 00000000 00000000 " + lists, invalType},
		{"TPMORE in a credit grant", "00000000 00000002 02000001 00000001 00000004 00000000 " + lists, "00000000" + error2 + "00000004"},
		{"nothing after the prefix", start + "00000000 00000000", badXDR},
		{"no lists", start + "00000000 00000000 00000000", badXDR},
		{"no Write list", start + "00000000 00000000 00000000 00000000", badXDR},
		{"no Reply chunk", start + "00000000 00000000 00000000 00000000 00000000 0000", badXDR},
		{"no payload", start + "00000000 00000000 00000000 " + lists, badXDR},
		{"Read list 2", start + "00000000 00000000 00000000 00000002 00000000 00000000 " + body, badXDR},
		{"Write list 2", start + "00000000 00000000 00000000 00000000 00000002 00000000 " + body, badXDR},
		{"Reply chunk 2", start + "00000000 00000000 00000000 00000000 00000000 00000002 " + body, badXDR},
		{"a Write chunk of 2^32-1 segments", start + "00000000 00000000 00000000 00000000 00000001 ffffffff " + body, badXDR},
		{"3 octets of payload", start + "00000000 00000000 00000000 " + lists + " 5a0000", badXDR},
		{"another XID", start + "00000000 00000000 00000000 " + lists + " 5a000002 " + call + " 00000000 " + auth, badXDR},
		{"a record mark", start + "00000000 00000000 00000000 " + lists + " 80000028 " + body, badXDR},
		{"an RPC Reply", start + "00000000 00000000 00000000 " + lists + " 5a000001 " + ok, badXDR},
		{"Position 42", start + "00000000 00000000 00000000 00000001 0000002a 00000005 00000010 00000000 00000000 " + lists + "  " + body, badXDR},
		{"Position Zero and payload", start + "00000000 00000000 00000000 00000001 00000000 00000005 00000028 00000000 00000000 " + lists + "  " + body, badXDR},
		{"a segment beyond 2^64", start + "00000000 00000000 00000000 00000000 00000000 00000001 00000001 00000005 00000011 ffffffff fffffff0 " + body, badXDR},
		{"NOMSG without chunks", start + "00000001 00000000 00000000 " + lists, badXDR},
		{"NOMSG without Position Zero", start + "00000001 00000000 00000000 00000000 00000000 00000001 00000001 00000005 00000010 00000000 00000000", badXDR},
		{"NOMSG with payload", start + "00000001 00000000 00000000 00000001 00000000 00000005 00000028 00000000 00000000 " + lists + " 00000000", badXDR},
		{"a Read chunk for NULL", start + "00000000 00000000 00000000 00000001 00000028 00000005 00000004 00000000 00000000 " + lists + "  " + body, badXDR},
		{"MORE in NOMSG", start + "00000001 00000002 00000000 00000001 00000000 00000005 00000028 00000000 00000000 " + lists, invalCont},
		{"MORE in a credit grant", "00000000 00000002 02000001 00000001 00000002 00000000 " + lists, "00000000" + error2 + "00000005"},
		{"MORE and a Read list", start + "00000000 00000002 00000000 00000001 00000028 00000005 00000004 00000000 00000000 " + lists + "  " + body, invalCont},
		{"MORE and a Write list", start + "00000000 00000002 00000000 00000000 00000001 00000000 00000000 00000000 " + body, invalCont},
		{"MORE and a Reply chunk", start + "00000000 00000002 00000000 00000000 00000000 00000001 00000000 " + body, invalCont},
		{"late properties", start + "00000005 00000000 00000000", invalType},
		{"late properties, bad", start + "00000005 00000000 00000001 00000002 00000001 40000000", invalType},
		{"late properties in parts", start + "00000005 00000002 00000001", invalType},
		{"more properties, late", start + "00000005 00000004 00000000", invalType},

		{"too many octets", start + "00000000 00000000 00000000 " + strings.Repeat("00000001 00000028 00000005 00100000 00000000 00000000 ", 5) + lists + "  " + body,
			"5a000001" + error2 + "00000064"},
		{"a segment that is too long", start + "00000000 00000000 00000000 00000001 00000028 00000005 00100001 00000000 00000000 " + lists + "  " + body,
			"5a000001" + error2 + "00000008 00000010"},
		{"too many segments", start + "00000000 00000000 00000000 " + strings.Repeat("00000001 00000028 00000005 00000004 00000000 00000000 ", 17) + lists + "  " + body,
			"5a000001" + error2 + "00000008 00000010"},
		{"too many Write chunks", start + "00000000 00000000 00000000 00000000 " + strings.Repeat("00000001 00000000 ", 17) + "00000000 00000000 " + body,
			"5a000001" + error2 + "00000007 00000010"},

		{"another version", "5a000001 00000001 02000001 00000000 " + lists + "  " + body, "5a000001 00000001 008f0001 00000004 00000001 00000002 00000002"},
		{"version 3", "5a000001 00000003 02000001 00000000 00000000", "5a000001 00000003 008f0001 00000004 00000001 00000002 00000002"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := begun(t)
			p.region(5, 0, make([]byte, 64))
			p.ask(c.message, c.want)
			p.null("00000a02")
			p.executed("00000001")
		})
	}
}

// Messages without an answer.
func TestVersion2Silence(t *testing.T) {
	const body = "5a000001 " + call + " 00000000 " + auth
	for name, message := range map[string]string{
		"nothing":                           "",
		"19 octets":                         "5a000001 00000002 02000001 00000000 000000",
		"19 octets of version 3":            "5a000001 00000003 02000001 00000000 000000",
		"a credit grant":                    "00000000 00000002 02000010 00000001 00000000 00000000 " + lists,
		"a credit grant with RESPONSE":      "00000000 00000002 02000010 00000001 00000001 00000000 " + lists,
		"ERR_SYSTEM":                        "5a000001 00000002 02000001 00000004 00000001 00000064",
		"ERR_BAD_XDR without RESPONSE":      "5a000001 00000002 02000001 00000004 00000000 00000002",
		"an error that is unknown":          "5a000001 00000002 02000001 00000004 00000001 0000000b",
		"an error that is not whole":        "5a000001 00000002 02000001 00000004 00000001 00000009 00000001",
		"an error without a code":           "5a000001 00000002 02000001 00000004 00000001",
		"an error with MORE and TPMORE":     "5a000001 00000002 02000001 00000004 00000007 00000064",
		"ERR_VERS of a version 1 server":    "5a000001 00000002 00000020 00000004 00000001 00000001 00000001",
		"an error about version 1":          "5a000001 00000001 02000001 00000004 00000002",
		"a Reply":                           "5a000001 00000002 02000001 00000000 00000001 00000000 " + lists + "  5a000001 " + ok,
		"a Reply without payload":           "5a000001 00000002 02000001 00000000 00000001 00000000 " + lists,
		"a Reply with a Read list":          "5a000001 00000002 02000001 00000000 00000001 00000000 00000001 00000028 00000005 00000010 00000000 00000000 " + lists + "  " + body,
		"a Reply that is a Call":            "5a000001 00000002 02000001 00000000 00000001 00000000 " + lists + "  " + body,
		"a Special Reply":                   "5a000001 00000002 02000001 00000001 00000001 00000000 00000000 00000000 00000001 00000001 00000005 00000010 00000000 00000000",
		"a Reply with MORE and chunks":      "5a000001 00000002 02000001 00000000 00000003 00000000 00000000 00000000 00000001 00000000 " + body,
		"an unknown type with RESPONSE":     "5a000001 00000002 02000001 00000007 00000001",
		"a Reply whose header is not whole": "5a000001 00000002 02000001 00000000 00000001 00000000 00000007",
	} {
		t.Run(name, func(t *testing.T) {
			p := begun(t)
			p.ask(message)
			p.null("00000a02")
			p.executed("00000001")
		})
	}
}
