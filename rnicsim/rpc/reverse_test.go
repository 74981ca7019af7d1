package rpc_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

const (
	reverseHead = "00000001 00000010 00000000 00000000 00000000 00000000 "
	reverseBody = " 00000000 00000002 20697763 00000001 "
)

// reverseNull returns the n-th Call of the Responder.
func reverseNull(n int) string {
	xid := fmt.Sprintf("%08x", 0x69776301+n)
	return xid + " " + reverseHead + xid + reverseBody + "00000000 " + auth
}

// reverseReply returns the Reply to it.
func reverseReply(n int, credit string) string {
	xid := fmt.Sprintf("%08x", 0x69776301+n)
	return xid + " 00000001 " + credit + " 00000000 " + lists + " " + xid + " " + ok
}

func callback(count, octets string) string {
	return "00000c01 00000001 00000020 00000000 " + lists + " 00000c01 " + call + " 00000004 " + auth + " " + count + " " + octets
}

const callbackReply = "00000c01 00000001 00000020 00000000 " + lists + " 00000c01 " + ok

func (c *client) report(executed, sent, answered, refused int) {
	c.t.Helper()
	c.ask("00000c02 00000001 00000020 00000000 "+lists+" 00000c02 "+call+" 00000003 "+auth,
		"00000c02 00000001 00000020 00000000 "+lists+" 00000c02 "+ok+fmt.Sprintf(" %08x %08x %08x %08x", executed, sent, answered, refused))
}

// One Call is open until the peer has granted more, and then as many as it grants (RFC 8166, section 3.3; RFC 8167,
// section 4.1).
//
// Proves RPCBIDI-6-1.
func TestReverseCredits(t *testing.T) {
	p := newClient(t, rpc.Options{}, "")
	p.ask(callback("00000040", "00000000"), callbackReply, reverseNull(0))
	p.alive()
	p.ask(reverseReply(0, "00000003"), reverseNull(1), reverseNull(2), reverseNull(3))
	p.ask(reverseReply(2, "00000002")) // 2 are open
	p.ask(reverseReply(1, "00000002"), reverseNull(4))
	p.ask("69776304 00000001 00000005 00000004 00000002", reverseNull(5), reverseNull(6), reverseNull(7), reverseNull(8))
	p.ask(reverseReply(4, "00000000"))
	for n := 5; n < 8; n++ {
		p.ask(reverseReply(n, "00000000"))
	}
	p.ask(reverseReply(8, "00000000"), reverseNull(9))
	if got := p.send(octets(t, reverseReply(9, "ffffffff"))); len(got) != 16 {
		t.Errorf("%d Calls, want those that were asked for", len(got))
	}
	p.report(2, 26, 9, 1)
}

// A Call echoes an item.
func TestReverseEcho(t *testing.T) {
	p := newClient(t, rpc.Options{}, "")
	p.ask(callback("00000001", "00000005"), callbackReply,
		"69776301 "+reverseHead+"69776301"+reverseBody+"00000001 "+auth+" 00000001 00000001 00000005 5a5a5a5a 5a000000")
	if got := p.send(octets(t, callback("00000001", "000003b0"))); len(got) != 1 {
		t.Errorf("%d messages, the first Call is still open", len(got))
	}
	got := p.send(octets(t, reverseReply(0, "00000001")))
	if len(got) != 1 || len(octets(t, got[0])) != 1024 {
		t.Errorf("the longest Call is %v", got)
	}
}

// Every faulty answer is ignored, and the Call stays open (RFC 8166, section 4.5).
func TestReverseSilence(t *testing.T) {
	const xid = "69776301"
	for name, message := range map[string]string{
		"another XID":          "69776302 00000001 00000010 00000000 " + lists + " 69776302 " + ok,
		"XID of the header":    "69776302 00000001 00000010 00000000 " + lists + " " + xid + " " + ok,
		"XID of the RPC":       xid + " 00000001 00000010 00000000 " + lists + " 69776302 " + ok,
		"a Read list":          xid + " 00000001 00000010 00000000 00000001 00000004 00000005 00000004 00000000 00000000 " + lists + " " + xid + " " + ok,
		"a Write list":         xid + " 00000001 00000010 00000000 00000000 00000001 00000000 00000000 00000000 " + xid + " " + ok,
		"a Reply chunk":        xid + " 00000001 00000010 00000000 00000000 00000000 00000001 00000000 " + xid + " " + ok,
		"NOMSG":                xid + " 00000001 00000010 00000001 00000000 00000000 00000001 00000001 00000005 00000018 00000000 00000000",
		"NOMSG of nothing":     xid + " 00000001 00000010 00000001 " + lists,
		"cut":                  xid + " 00000001 00000010 00000000 " + lists + " " + xid + " 00000001 00000000",
		"no payload":           xid + " 00000001 00000010 00000000 " + lists,
		"msg_type 2":           xid + " 00000001 00000010 00000000 " + lists + " " + xid + " 00000002 00000000 00000000 00000000 00000000",
		"an unknown type":      xid + " 00000001 00000010 00000005 " + lists + " " + xid + " " + ok,
		"MSGP":                 xid + " 00000001 00000010 00000002 00000000 00000000 " + lists + " " + xid + " " + ok,
		"Read list 2":          xid + " 00000001 00000010 00000000 00000002 00000000 00000000 " + xid + " " + ok,
		"DONE":                 xid + " 00000001 00000010 00000003",
		"a cut error":          xid + " 00000001 00000010 00000004",
		"a cut ERR_VERS":       xid + " 00000001 00000010 00000004 00000001 00000001",
		"an unknown error":     xid + " 00000001 00000010 00000004 00000003 00000000 00000000",
		"an error for another": "69776309 00000001 00000010 00000004 00000002",
	} {
		t.Run(name, func(t *testing.T) {
			p := newClient(t, rpc.Options{}, "")
			p.ask(callback("00000002", "00000000"), callbackReply, reverseNull(0))
			posted := p.receives
			p.ask(message)
			p.report(1, 1, 0, 0)
			p.ask(reverseReply(0, "00000001"), reverseNull(1))
			p.report(2, 2, 1, 0)
			p.ask("69776302 00000001 00000010 00000004 00000001 00000001 00000001")
			p.report(3, 2, 1, 1)
			if p.receives != posted {
				t.Errorf("%d Receives are left of %d", p.receives, posted)
			}
		})
	}
}

// Both directions may have the same XID at once (RFC 8167, section 2.4.1).
func TestSameXID(t *testing.T) {
	p := newClient(t, rpc.Options{}, "")
	p.ask(callback("00000001", "00000000"), callbackReply, reverseNull(0))
	p.ask("69776301 00000001 00000020 00000000 "+lists+" 69776301 "+call+" 00000000 "+auth,
		"69776301 00000001 00000020 00000000 "+lists+" 69776301 "+ok)
	p.ask(reverseReply(0, "00000001"))
	p.report(2, 1, 1, 0)
}

// The peer's Calls are answered, in short messages.
func TestRequesterServes(t *testing.T) {
	serve := func(call []byte) []byte {
		b, _ := (&oncrpc.Reply{XID: binary.BigEndian.Uint32(call)}).AppendBinary(nil)
		return append(b, call[40:]...)
	}
	for _, test := range []struct {
		version uint32
		serve   func([]byte) []byte
		octets  uint32
		want    [3]uint32 // Calls sent, answered, refused
	}{
		{1, serve, 0, [3]uint32{3, 3, 0}},
		{1, serve, 500, [3]uint32{3, 3, 0}},
		{1, nil, 0, [3]uint32{3, 3, 0}},
		{1, func([]byte) []byte { return make([]byte, 5000) }, 0, [3]uint32{3, 0, 3}},
		{2, serve, 0, [3]uint32{3, 3, 0}},
		{2, serve, 9000, [3]uint32{3, 3, 0}},
		{2, nil, 0, [3]uint32{3, 3, 0}},
		{2, func([]byte) []byte { return make([]byte, 500000) }, 0, [3]uint32{3, 0, 3}},
	} {
		l := newLink(t, rpc.Options{Versions: []uint32{test.version}}, rpc.Options{}, test.serve)
		c := &rpc.Call{Message: callOf(1, rpc.ProcCallback), Longest: replyLen}
		c.Message = binary.BigEndian.AppendUint32(c.Message, 3)
		c.Message = binary.BigEndian.AppendUint32(c.Message, test.octets)
		l.one(c)
		r := l.one(&rpc.Call{Message: callOf(2, rpc.ProcReport), Longest: replyLen + 16})
		var got [3]uint32
		for i := range got {
			got[i] = binary.BigEndian.Uint32(r.Message[replyLen+4+4*i:])
		}
		if got != test.want {
			t.Errorf("%d octets: %v, not %v", test.octets, got, test.want)
		}
	}
	l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, serve)
	l.Received(octets(t, "00000009 00000001 00000001 00000000 00000000 00000001 00000001 00000001 00000004 00000000 00000000 "+
		"00000000 00000000 00000009 "+call+" 00000000 "+auth), 0)
	l.Received(octets(t, "00000009 00000001 00000001 00000000 "+lists+" 00000008 "+call+" 00000000 "+auth), 0)
	refused := 0
	for _, a := range l.Actions() {
		if a.Type == rpc.Send && words(a.Octets) == "00000009 00000001 00000010 00000004 00000002" {
			refused++
		}
	}
	if refused != 2 {
		t.Errorf("%d Calls are refused", refused)
	}
}
