package rpc_test

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// openReverse returns a client that accepts Calls, at a level of Reverse-Direction Support.
func openReverse(t *testing.T, level string) *client2 {
	t.Helper()
	p := newClient2(t, rpc.Options{})
	p.ask(properties+"00000002 00000005 00000004 "+level+" 00000002 00000004 00000080", ours2)
	return p
}

// callback asks for Calls.
func (c *client2) callback(count, octets string, want ...string) {
	c.t.Helper()
	reply := "00000c01" + anyReply2 + "00000c01 " + ok
	c.ask("00000c01"+call2+lists+" 00000c01 "+call+" 00000004 "+auth+" "+count+" "+octets, append([]string{reply}, want...)...)
}

// counts asks how many reverse Calls were sent, answered and refused.
func (c *client2) counts(want string) {
	c.t.Helper()
	c.ask("00000c02"+call2+lists+" 00000c02 "+call+" 00000003 "+auth, "00000c02"+anyReply2+"00000c02 "+ok+" "+want)
}

const (
	reverse2  = " 00000002 ???????? 00000000 00000000 00000000 " + lists + " "
	answered2 = " 00000002 02000001 00000000 00000001 00000000 " + lists + " "
)

// Calls of this end, what answers them, and what does not (draft 01, section 4.5).
func TestVersion2Reverse(t *testing.T) {
	const first, second = "69776301", "69776302"
	called := func(xid string) string { return xid + reverse2 + xid + " " + call + " 00000000 " + auth }
	p := openReverse(t, "00000001")
	p.callback("00000002", "00000000", called(first), called(second))
	for _, m := range []string{
		"69776303" + answered2 + "69776303 " + ok, // no such Call
		second + answered2 + first + " " + ok,
		second + answered2 + second + " " + call + " 00000000 " + auth,
		second + " 00000002 02000001 00000000 00000001 00000000 00000000 00000000 00000001 00000000 " + second + " " + ok,
		second + " 00000002 02000001 00000001 00000001 00000000 00000000 00000000 00000001 00000001 00000005 00000018 00000000 00000000",
		second + " 00000002 02000001 00000004 00000001 0000000b",
		second + " 00000002 02000001 00000004 00000001 0000000c",
		second + " 00000002 02000001 00000004 00000001 00000006",
		"69776303 00000002 02000001 00000004 00000001 00000002",
	} {
		p.ask(m)
	}
	p.counts("00000001 00000002 00000000 00000000")
	p.ask(second + " 00000002 02000001 00000004 00000001 00000006 00000000")
	p.ask(first + strings.Replace(answered2, "00000001 00000000 ", "00000003 00000000 ", 1) + first + " 00000001 00000000")
	p.ask(first + answered2 + "00000000 00000000 00000000")
	p.counts("00000002 00000002 00000001 00000001")
	p.ask(first + answered2 + first + " " + ok)
	p.counts("00000003 00000002 00000001 00000001")
}

// A forward and a reverse Call may have the same XID (draft 01, section 3.1.3.4).
func TestVersion2ReverseXID(t *testing.T) {
	const xid = "69776301"
	p := openReverse(t, "00000003")
	p.callback("00000001", "00000000", xid+reverse2+xid+" "+call+" 00000000 "+auth)
	p.null(xid)
	p.ask(xid+" 00000002 02000001 00000009 00000000", xid+" 00000002 ???????? 00000004 00000001 00000004")
	p.ask(xid + answered2 + xid + " " + ok)
	p.counts("00000002 00000001 00000001 00000000")
}

// The level of support says whether there are Calls, and whether they are continued (draft 01, section 5.2.5). Of 128
// octets the header leaves 92 for payload, 40 of which an item of 28 leaves after the header of RPC.
//
// Proves RPCRDMA2-4.5.3-1.
func TestVersion2ReverseLevels(t *testing.T) {
	const xid = "69776301"
	refusal := "00000c01" + anyReply2 + "00000c01 00000001 00000000 00000000 00000000 00000005"
	ask := func(p *client2, octets string, want ...string) {
		t.Helper()
		p.ask("00000c01"+call2+lists+" 00000c01 "+call+" 00000004 "+auth+" 00000001 "+octets, want...)
	}
	ask(begun(t), "00000000", refusal)
	ask(openReverse(t, "00000000"), "00000000", refusal)
	ask(openReverse(t, "00000004"), "00000000", refusal)
	ask(openReverse(t, "00000001"), "00000029", refusal)

	echo := xid + " " + call + " 00000001 " + auth + " 00000001 00000001 "
	p := openReverse(t, "00000001")
	p.callback("00000001", "00000028", xid+reverse2+echo+"00000028"+strings.Repeat(" 5a5a5a5a", 10))
	p = openReverse(t, "00000002")
	p.callback("00000001", "00000029",
		xid+strings.Replace(reverse2, "00000000 00000000 00000000", "00000000 00000002 00000000", 1)+echo+"00000029"+strings.Repeat(" 5a5a5a5a", 10),
		xid+reverse2+"5a000000")
}

// As many Calls are open as credits allow, at most sixteen; Replies to the client come first.
func TestVersion2ReverseCredits(t *testing.T) {
	p := newClient2(t, rpc.Options{})
	p.ask("c0000001 00000002 02000002 00000005 00000000 00000001 00000005 00000004 00000001", ours2)
	calls := func(count int) {
		t.Helper()
		for _, m := range p.sent {
			if strings.Contains(m, " "+call+" ") {
				count--
			}
		}
		if count != 0 {
			t.Errorf("%d Calls are missing", count)
		}
	}
	grant := func(credits string) {
		p.send(octets(t, "00000000 00000002 0200"+credits+" 00000001 00000000 00000000 "+lists))
	}
	p.send(octets(t, "00000c01"+call2+lists+" 00000c01 "+call+" 00000004 "+auth+" 00000020 00000000"))
	calls(1)
	grant("0003")
	calls(3)
	grant("0040")
	calls(12)
	p.send(octets(t, "69776301"+answered2+"69776301 "+ok))
	calls(1)
	p.counts("00000001 00000011 00000001 00000000")
}

// To test tests: what a careless Responder does, and what a tampering one sends.
func TestVersion2Careless(t *testing.T) {
	const (
		body  = "00000b01 " + call + " 00000000 " + auth
		start = "00000b01 00000002 02000001 "
		reply = "00000b01" + anyReply2 + "00000b01 " + ok
	)
	for _, c := range []struct {
		fault   rpc.Fault
		message string
		want    []string
	}{
		{rpc.BadFlag, start + "00000000 00000004 00000000 " + lists + " " + body, []string{reply}},
		{rpc.BadType, start + "00000007 00000000 00000000 " + lists + " " + body, []string{reply}},
		{rpc.BadXID, start + "00000000 00000000 00000000 " + lists + " " + strings.Replace(body, "00000b01", "00000b02", 1), []string{reply}},
		{rpc.BadContinuation, start + "00000000 00000002 00000000 00000000 00000000 00000001 00000000 " + body,
			[]string{"00000b01 00000002 ???????? 00000000 00000001 00000000 00000000 00000000 00000001 00000000 00000b01 " + ok}},
		{rpc.BadVersion, "00000b01 00000003 02000001 00000000 00000000 00000000 " + lists + " " + body, []string{reply}},
		{rpc.LateProperties, "c0000001 00000002 02000001 00000005 00000000 00000000", nil},
		{rpc.BadPosition, start + "00000000 00000000 00000000 00000001 0000002a 00000005 00000004 00000000 00000000 " + lists + " " + body,
			[]string{"00000b01 00000002 ???????? 00000004 00000001 00000002"}},
	} {
		p := newClient2(t, rpc.Options{Careless: []rpc.Fault{c.fault}})
		p.region(5, 0, make([]byte, 8))
		p.ask(open2, ours2)
		p.ask(c.message, c.want...)
		p.null("00000a02")
	}
	p := newClient2(t, rpc.Options{Careless: []rpc.Fault{rpc.BadProperty}})
	p.ask(properties+"00000002 00000002 00000004 00000400 00000003 00000001 00000000", ours2)
	p.long(3)
}

func TestVersion2Tamper(t *testing.T) {
	drop := true
	p := newClient2(t, rpc.Options{Credits: 4, Tamper: func(o *rpc.Outgoing) {
		o.Drop = drop && o.Message[15] == 4 // RDMA2_ERROR
		if o.Request != nil && o.Message[3] == 7 {
			o.Message[3] = 8
		}
	}})
	posted := p.receives
	p.ask(open2, strings.Replace(ours2, "008f0020", "00730004", 1))
	for range 10 {
		p.send(octets(t, "00000b02 00000002 02000001 00000009 00000000"))
	}
	drop = false
	p.ask("00000b02 00000002 02000001 00000009 00000000", "00000b02 00000002 ???????? 00000004 00000001 00000004")
	p.ask("00000007"+call2+lists+" 00000007 "+call+" 00000000 "+auth, "00000008"+anyReply2+"00000007 "+ok)
	if p.receives != posted {
		t.Errorf("%d Receives are left of %d", p.receives, posted)
	}
}
