package rpc_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// Calls with chunks, and what is written, invalidated and sent (draft 01, sections 4.3.6, 4.4 and 6.2.4).
func TestVersion2Chunks(t *testing.T) {
	const (
		data  = " 61626364 65000000"
		args  = " 00000001 " + auth + " 00000001 00000001 00000005 "
		start = "00000b01 00000002 02000001 00000000 00000000 "
		reply = "00000b01 00000002 ???????? 00000000 00000001 00000000 00000000 "
		done  = "00000b01 " + ok + " 00000001 00000001 00000005"
	)
	for _, c := range []struct {
		name, message, want, steps string
		inv                        uint32
		written                    string // to STag 7
	}{
		{"inline", start + "00000000 " + lists + " 00000b01 " + call + args + data, reply + "00000000 00000000 " + done + data, "Send", 0, ""},
		{"a Read chunk", start + "00000005 00000001 00000034 00000005 00000005 00000000 00000000 " + lists + " 00000b01 " + call + args,
			reply + "00000000 00000000 " + done + data, "Read Send", 5, ""},
		{"a Read chunk of two segments", start + "00000000 00000001 00000034 00000005 00000002 00000000 00000000 00000001 00000034 00000005 00000003 00000000 00000002 " + lists + " 00000b01 " + call + args,
			reply + "00000000 00000000 " + done + data, "Read Read Send", 0, ""},
		{"a Write chunk", start + "00000007 00000000 00000001 00000002 00000007 00000002 00000000 00000000 00000007 00000008 00000000 00000002 00000000 00000000 00000b01 " + call + args + data,
			reply + "00000001 00000002 00000007 00000002 00000000 00000000 00000007 00000003 00000000 00000002 00000000 00000000 " + done, "Write Write Send", 7, "abcde"},
		{"an empty Write chunk", start + "00000000 00000000 00000001 00000000 00000000 00000000 00000b01 " + call + args + data,
			reply + "00000001 00000000 00000000 00000000 " + done + data, "Send", 0, ""},
		{"two Write chunks", start + "00000000 00000000 00000001 00000001 00000007 00000005 00000000 00000000 00000001 00000001 00000007 00000008 00000000 00000008 00000000 00000000 00000b01 " + call + args + data,
			reply + "00000001 00000001 00000007 00000005 00000000 00000000 00000001 00000001 00000007 00000000 00000000 00000008 00000000 00000000 " + done, "Write Send", 0, "abcde"},
		{"a Write chunk that is too small", start + "00000007 00000000 00000001 00000001 00000007 00000004 00000000 00000000 00000000 00000000 00000b01 " + call + args + data,
			"00000b01 00000002 ???????? 00000004 00000001 00000009 00000001 00000005", "Send", 0, ""},
		{"the second too small", start + "00000000 00000000 00000001 00000000 00000001 00000001 00000007 00000004 00000000 00000000 00000000 00000000 00000b01 " + call +
			" 00000001 " + auth + " 00000002 00000001 00000005 " + data + " 00000001 00000005" + data,
			"00000b01 00000002 ???????? 00000004 00000001 00000009 00000002 00000005", "Send", 0, ""},
		{"a Reply chunk that is not needed", start + "00000000 00000000 00000000 00000001 00000001 00000007 00000040 00000000 00000000 00000b01 " + call + args + data,
			reply + "00000000 00000001 00000001 00000007 00000000 00000000 00000000 " + done + data, "Send", 0, ""},
		{"a handle that is not there", start + "00000006 00000001 00000034 00000005 00000005 00000000 00000000 " + lists + " 00000b01 " + call + args,
			reply + "00000000 00000000 " + done + data, "Read Send", 0, ""},
		{"a Special Call", "00000b01 00000002 02000001 00000001 00000000 00000008 00000001 00000000 00000008 00000028 00000000 00000000 " + lists,
			reply + "00000000 00000000 00000b01 " + ok, "Read Send", 8, ""},
		{"a Special Call, with a Read chunk in front", "00000b01 00000002 02000001 00000001 00000000 00000000 " +
			"00000001 00000034 00000005 00000005 00000000 00000000 00000001 00000000 00000008 00000034 00000000 00000040 " + lists,
			reply + "00000000 00000000 " + done + data, "Read Read Send", 0, ""},
		{"a Special Call of another XID", "00000b01 00000002 02000001 00000001 00000000 00000008 00000001 00000000 00000008 00000028 00000000 00000080 " + lists,
			"00000b01 00000002 ???????? 00000004 00000001 00000002", "Read Send", 0, ""},
		{"a Special Call that is too short", "00000b01 00000002 02000001 00000001 00000000 00000008 00000001 00000000 00000008 00000004 00000000 00000000 " + lists,
			"00000b01 00000002 ???????? 00000004 00000001 00000002", "Read Send", 0, ""},
		{"a chunk that is not its item", start + "00000005 00000001 00000034 00000005 00000004 00000000 00000000 " + lists + " 00000b01 " + call + args,
			reply + "00000000 00000000 00000b01 00000001 00000000 00000000 00000000 00000004", "Read Send", 5, ""},
		{"a chunk where none may be", start + "00000005 00000001 00000034 00000005 00000005 00000000 00000000 " + lists + " 00000b01 " + call + strings.Replace(args, "1", "2", 1),
			"00000b01 00000002 ???????? 00000004 00000001 00000002", "Read Send", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := begun(t)
			p.region(5, 0, []byte("abcdefgh"))
			p.region(7, 0, make([]byte, 64))
			null := octets(t, "00000b01 "+call+" 00000000 "+auth)
			p.region(8, 0, append(append(append([]byte{}, null...), make([]byte, 24)...), append(octets(t, "00000b01 "+call+args),
				append(make([]byte, 12), octets(t, "00000b02 "+call+" 00000000 "+auth)...)...)...))
			p.ask(c.message, c.want)
			if got := strings.Join(p.steps, " "); got != c.steps {
				t.Errorf("%s, not %s", got, c.steps)
			}
			if p.inv[0] != c.inv {
				t.Errorf("STag %d is invalidated, not %d", p.inv[0], c.inv)
			}
			if got := strings.TrimRight(string(p.regions[7].octets), "\x00"); got != c.written {
				t.Errorf("%q is written, not %q", got, c.written)
			}
			p.null("00000a02")
		})
	}
}

// More Read chunks than are accepted, or any if RDMA Reads are impossible (draft 01, section 7.3.1).
func TestVersion2ReadChunks(t *testing.T) {
	const message = "00000b01 00000002 02000001 00000000 00000000 00000000 00000001 00000034 00000005 00000005 00000000 00000000 " +
		"00000001 00000038 00000005 00000005 00000000 00000000 " + lists + " 00000b01 " + call + " 00000001 " + auth
	p := newClient2(t, rpc.Options{Chunks: 1})
	p.ask(open2, ours2)
	p.ask(message, "00000b01"+error2+"00000006 00000001")
	p = begun(t)
	p.NoReads()
	p.ask(message, "00000b01"+error2+"00000006 00000000")
}

// Credits: the worked example of a client that grants little (draft 01, section 4.2.1).
func TestVersion2Credits(t *testing.T) {
	null := func(xid, credit string) string {
		return xid + " 00000002 " + credit + " 00000000 00000000 00000000 " + lists + " " + xid + " " + call + " 00000000 " + auth
	}
	reply := func(xid, credit string) string {
		return xid + " 00000002 " + credit + " 00000000 00000001 00000000 " + lists + " " + xid + " " + ok
	}
	grant := func(credit string) string {
		return "00000000 00000002 " + credit + " 00000001 00000000 00000000 " + lists
	}
	p := newClient2(t, rpc.Options{Credits: 3})
	posted := p.receives
	p.ask(strings.Replace(open2, "02000020", "00080001", 1), strings.Replace(ours2, "008f0020", "00720003", 1))
	p.ask(null("00000b01", "00080001"), reply("00000b01", "00720001")) // 3 again
	p.ask(null("00000b02", "00080000"))                                // a grant of zero adds nothing
	p.ask(null("00000b03", "00080000"))
	p.ask(null("00000b04", "00080000")) // and the client has none left; an answer waits to grant some
	p.ask(grant("00080002"), reply("00000b02", "00720003"), reply("00000b03", "00720001"))
	p.ask(grant("00080002"), reply("00000b04", "00720001"))
	p.ask(null("00000b05", "00080000"), reply("00000b05", "00720001"))
	if p.receives != posted {
		t.Errorf("%d Receives are left of %d", p.receives, posted)
	}

	// A client that can hold two credits is granted no more, except for those that each message must grant.
	p = newClient2(t, rpc.Options{Credits: 3})
	p.ask(strings.Replace(open2, "02000020", "00020008", 1), strings.Replace(ours2, "008f0020", "00720002", 1))
	p.ask(null("00000b01", "00020001"), reply("00000b01", "00720001"))
	p.ask("00000b02 00000002 00020001 00000009 00000000", "00000b02 00000002 00720001 00000004 00000001 00000004")
}

// A client that sends more than it was granted eventually finds no Receive: the number of messages that wait to be sent to it is limited.
func TestVersion2Overrun(t *testing.T) {
	p := newClient2(t, rpc.Options{})
	p.ask("c0000001 00000002 02000001 00000005 00000000 00000000", ours2)
	n := 0
	for ; p.receives > 1 && n < 1000; n++ { // the last is for a credit grant
		if got := p.send(octets(t, "00000b02 00000002 02000000 00000009 00000000")); len(got) != 0 {
			t.Fatalf("there comes %s", got)
		}
	}
	if most := p.MaxReceives() + 31; n != most {
		t.Errorf("%d messages are taken, not %d", n, most)
	}
	if got := p.send(octets(t, "00000000 00000002 02000100 00000001 00000000 00000000 "+lists)); len(got) != p.MaxReceives()-32 {
		t.Errorf("%d messages come, for which there are no Receives", len(got))
	}
	if got := p.send(octets(t, "00000b02 00000002 02000000 00000009 00000000")); len(got) != 1 {
		t.Errorf("%d messages come for the room of one", len(got))
	}
}

// A client whose Receives are too short even for an error cannot be answered (draft 01, section 7.4).
func TestVersion2NoRoom(t *testing.T) {
	for _, message := range []string{
		"00000b01 00000002 02000001 00000009 00000000",
		"00000b01" + call2 + lists + " 00000b01 " + call + " 00000000 " + auth,
		"00000b01 00000001 02000001 00000000 00000000",
	} {
		p := newClient2(t, rpc.Options{})
		p.ask(properties+"00000001 00000002 00000004 00000014", ours2)
		if p.ask(message); !p.closed {
			t.Error("the connection goes on")
		}
	}
}

// A client that takes no answers is granted more credits in the middle of an RPC message, since it may have no other
// way to continue, but not without limit: the answers are kept.
func TestVersion2PilesUp(t *testing.T) {
	const item, parts = 1 << 19, 6
	p := newClient2(t, rpc.Options{ReceiveSize: 1 << 18})
	p.send(octets(t, "c0000001 00000002 02000001 00000005 00000000 00000000"))
	p.region(7, 0, make([]byte, 1<<20))
	more := octets(t, "00000b01 00000002 02000000 00000000 00000002 00000000 "+lists)
	last := octets(t, "00000b01 00000002 02000000 00000000 00000000 00000000 00000000 00000000 00000001 00000001 00000007 00100000 00000000 00000000")
	payload := append(octets(t, "00000b01 "+call+" 00000002 "+auth+" 00000001 00000001 00080000"), make([]byte, item)...)
	messages, granted := 0, 32
	for ; messages < granted && messages < 1000; messages++ {
		i := messages % parts
		header, n := more, len(payload)/parts
		if i == parts-1 {
			header, n = last, len(payload)-i*n
		}
		for range p.send(append(bytes.Clone(header), payload[i*(len(payload)/parts):][:n]...)) {
			granted += 32
		}
	}
	// The answers to the five Calls in the first 32 messages are kept, and those to ten are too much for a third grant.
	if messages != 64 {
		t.Errorf("%d messages are taken", messages)
	}
	p.send(octets(t, "00000000 00000002 02000020 00000001 00000000 00000000 "+lists))
	if len(p.sent) != 10 {
		t.Errorf("%d answers come", len(p.sent))
	}
}
