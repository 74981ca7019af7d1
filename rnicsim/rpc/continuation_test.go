package rpc_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

const (
	more2     = " 00000002 02000001 00000000 00000002 00000000 " + lists + " "
	last2     = call2 + lists + " "
	invalCont = " 00000002 ???????? 00000004 00000001 00000005"
	special2  = " 00000002 02000001 00000001 00000000 00000000 00000001 00000000 00000005 00000028 00000000 00000000 " + lists

	// The octets of NULL of XID 00000b01, in three parts.
	part1 = "00000b01 00000000 00000002"
	part2 = "20697763 00000001 00000000 00000000"
	part3 = "00000000 00000000 00000000"
)

// Calls in several messages, and what breaks them (draft 01, sections 6.2.2.2 and 7.1.3). Messages alternate with what
// comes back: nothing, the Reply to NULL, or an error with a code.
func TestContinuation(t *testing.T) {
	const (
		xid   = "00000b01"
		other = "00000b02"
		null2 = last2 + other + " " + call + " 00000000 " + auth
		grant = "00000000 00000002 02000001 00000001 00000000 00000000 " + lists
	)
	type step struct{ message, want string }
	reply := func(xid string) string { return xid + anyReply2 + xid + " " + ok }
	for name, steps := range map[string][]step{
		"three parts":            {{xid + more2 + part1, ""}, {xid + more2 + part2, ""}, {xid + last2 + part3, reply(xid)}},
		"parts of odd lengths":   {{xid + more2 + "00000b", ""}, {xid + more2 + "01000000", ""}, {xid + last2 + "00 00000002" + part2 + part3, reply(xid)}},
		"the last one too short": {{xid + more2 + part1, ""}, {xid + last2 + part2, "00000b01" + anyReply2 + xid + " 00000001 00000000 00000000 00000000 00000004"}},
		"a grant between":        {{xid + more2 + part1 + part2, ""}, {grant, ""}, {xid + last2 + part3, reply(xid)}},
		"an error between":       {{xid + more2 + part1 + part2, ""}, {"0000000f 00000002 02000001 00000004 00000001 00000064", ""}, {xid + last2 + part3, reply(xid)}},
		"too short between":      {{xid + more2 + part1 + part2, ""}, {"0000000f 00000002 02000001 00000000", ""}, {xid + last2 + part3, reply(xid)}},

		"another Call between": {{xid + more2 + part1 + part2, ""}, {other + null2, other + invalCont}, {xid + last2 + part3, reply(xid)}, {other + null2, reply(other)}},
		"parts of another between": {{xid + more2 + part1 + part2, ""}, {other + more2 + other + call, other + invalCont}, {other + more2 + "00000000", ""},
			{other + last2 + auth, ""}, {xid + last2 + part3, reply(xid)}, {other + null2, reply(other)}},
		"a Special Call between":           {{xid + more2 + part1 + part2, ""}, {other + special2, other + invalCont}, {xid + last2 + part3, reply(xid)}},
		"a Special Call of its XID":        {{xid + more2 + part1 + part2, ""}, {xid + special2, xid + invalCont}, {xid + more2 + part3, ""}, {xid + last2 + part3, ""}, {other + null2, reply(other)}},
		"MORE in NOMSG between":            {{xid + more2 + part1 + part2, ""}, {xid + strings.Replace(special2, "00000001 00000000 00000000 ", "00000001 00000002 00000000 ", 1), xid + invalCont}, {xid + last2 + part3, ""}, {other + null2, reply(other)}},
		"chunks before the end":            {{xid + more2 + part1, ""}, {xid + " 00000002 02000001 00000000 00000002 00000000 00000000 00000000 00000001 00000000" + part2, xid + invalCont}, {xid + last2 + part3, ""}, {xid + last2 + part1 + part2 + part3, reply(xid)}},
		"a Reply between":                  {{xid + more2 + part1 + part2, ""}, {xid + " 00000002 02000001 00000000 00000001 00000000 " + lists + xid + ok, ""}, {xid + last2 + part3, reply(xid)}},
		"an unknown type between":          {{xid + more2 + part1 + part2, ""}, {other + " 00000002 02000001 00000009 00000002", other + " 00000002 ???????? 00000004 00000001 00000004"}, {xid + last2 + part3, reply(xid)}},
		"a header that does not decode":    {{xid + more2 + part1 + part2, ""}, {xid + " 00000002 02000001 00000000 00000002 00000000 00000007", xid + " 00000002 ???????? 00000004 00000001 00000002"}, {xid + last2 + part3, ""}, {other + null2, reply(other)}},
		"a part without octets":            {{xid + more2 + part1 + part2, ""}, {xid + more2, xid + " 00000002 ???????? 00000004 00000001 00000002"}, {xid + more2 + part3, ""}, {xid + last2 + part3, ""}, {other + null2, reply(other)}},
		"the first one without octets":     {{xid + more2, xid + " 00000002 ???????? 00000004 00000001 00000002"}, {xid + last2 + part1 + part2 + part3, ""}, {other + null2, reply(other)}},
		"another XID in the RPC message":   {{xid + more2 + "00000b03 00000000", ""}, {xid + last2 + "00000002" + part2 + part3, xid + " 00000002 ???????? 00000004 00000001 00000002"}},
		"another instead of the rest":      {{xid + " 00000002 02000001 00000000 00000002 00000000 00000000 00000000 00000001 00000000" + part1, xid + invalCont}, {other + null2, reply(other)}, {xid + last2 + part1 + part2 + part3, reply(xid)}},
		"version 1 between":                {{xid + more2 + part1 + part2, ""}, {"0000000f 00000001 00000020 00000000 " + lists + " 0000000f", "0000000f 00000001 ???????? 00000004 00000001 00000002 00000002"}, {xid + last2 + part3, reply(xid)}},
		"a Reply in parts, wrong":          {{xid + strings.Replace(more2, "00000002 00000000 ", "00000003 00000000 ", 1) + xid, ""}, {other + strings.Replace(last2, "00000000 00000000 00000000 ", "00000000 00000001 00000000 ", 1) + other, ""}, {xid + " 00000002 02000001 00000000 00000001 00000000 " + lists + " " + ok, ""}, {other + null2, reply(other)}},
		"one octet for each of the header": {{xid + more2 + "00", ""}, {xid + more2 + "00", ""}, {xid + more2 + "0b", ""}, {xid + more2 + "01", ""}, {xid + last2 + "00000000 00000002" + part2 + part3, reply(xid)}},
	} {
		t.Run(name, func(t *testing.T) {
			p := begun(t)
			for _, s := range steps {
				if s.want == "" {
					p.ask(s.message)
				} else {
					p.ask(s.message, s.want)
				}
			}
		})
	}
}

// Chunks come with the last message; their Positions count over all (draft 01, section 4.3.5).
func TestContinuationChunks(t *testing.T) {
	p := begun(t)
	p.region(5, 0x100, []byte("abcdef"))
	p.ask("00000b01" + more2 + "00000b01 " + call + " 00000001 00000000 00000000")
	p.ask("00000b01" + more2 + "00000000 00000000 00000001 00000001")
	p.ask("00000b01 00000002 02000001 00000000 00000000 00000005 00000001 00000034 00000005 00000006 00000000 00000100 "+lists+" 00000006",
		"00000b01"+anyReply2+"00000b01 "+ok+" 00000001 00000001 00000006 61626364 65660000")
	if p.inv[0] != 5 {
		t.Errorf("STag %d is invalidated", p.inv[0])
	}
}

// A peer whose sequence is longer than its credits is granted more (draft 01, section 6.2.2.2).
func TestContinuationStarved(t *testing.T) {
	p := newClient2(t, rpc.Options{Credits: 2})
	p.ask(open2, strings.Replace(ours2, "008f0020", "00710002", 1))
	item := strings.Repeat("61626364 ", 10)
	p.ask("00000b01" + more2 + "00000b01 " + call + " 00000002 " + auth + " 00000001 00000001 00000028")
	p.ask("00000b01"+more2+item[:18], "00000000 00000002 00710002 00000001 00000000 00000000 "+lists)
	p.ask("00000b01" + more2 + item[18:36])
	p.ask("00000b01"+more2+item[36:54], "00000000 00000002 00710002 00000001 00000000 00000000 "+lists)
	p.ask("00000b01"+last2+item[54:], "00000b01 00000002 00710001 00000000 00000001 00000000 "+lists+" 00000b01 "+ok+" 00000001 00000001 00000028 "+item)
}

// A Reply that does not fit goes into the Reply chunk, or is continued if that is too small (draft 01, section 6.4).
func TestContinuedReply(t *testing.T) {
	item := strings.Repeat("61", 4200)
	args := " 00000002 " + auth + " 00000001 00000001 00001068 "
	whole := "00000b01 " + ok + " 00000001 00000001 00001068 " + item
	p := newClient2(t, rpc.Options{})
	p.ask(properties+"00000002 00000002 00000004 00000404 00000001 00000004 00001000", ours2)
	p.region(7, 0, make([]byte, 8192))
	split := func(xid string) { // 36 octets of header leave 992 for payload
		t.Helper()
		p.ask(xid + more2 + xid + " " + call + args + item[:4000])
	}
	b := join(words(octets(t, whole)))
	var parts []string
	for i := range 5 {
		flags := map[bool]string{true: "00000001", false: "00000003"}[i == 4]
		from, to := i*248*9, min((i+1)*248*9, len(b))
		parts = append(parts, "00000b01 00000002 ???????? 00000000 "+flags+" 00000000 "+lists+" "+b[from:to])
	}
	split("00000b01")
	p.ask("00000b01"+last2+item[4000:], parts...)

	split("00000b02")
	offered := func(length string) string { return "00000001 00000001 00000007 " + length + " 00000000 00000000 " }
	chunk := func(xid, length string) string {
		return xid + call2 + "00000000 00000000 " + offered(length)
	}
	p.ask(chunk("00000b02", "00002000")+item[4000:],
		"00000b02 00000002 ???????? 00000001 00000001 00000000 00000000 00000000 "+offered("0000108c"))
	if got, want := words(p.regions[7].octets[:4236]), strings.Replace(b, "00000b01", "00000b02", 1); got != want {
		t.Errorf("the Reply chunk has\n%s\nnot\n%s", got, want)
	}

	split("00000b01")
	last := len(parts) - 1
	parts[last] = "00000b01 00000002 ???????? 00000000 00000001 00000000 00000000 00000000 " + offered("00000000") + b[last*248*9:]
	p.ask(chunk("00000b01", "0000108b")+item[4000:], parts...)
}

// A Reply of too many messages is refused, with the length that a Reply chunk would need (draft 01, section 7.3.5); so
// is one for which the client has no room.
func TestContinuedReplyTooLong(t *testing.T) {
	p := newClient2(t, rpc.Options{})
	p.ask(properties+"00000001 00000002 00000004 00000030", ours2) // of 48 octets the header leaves 12
	call := func(n int) string {
		return "00000b01" + last2 + "00000b01 " + call + " 00000002 " + auth + fmt.Sprintf(" 00000001 00000001 %08x ", n) + strings.Repeat("61", n)
	}
	p.send(octets(t, call(732))) // and 36
	if len(p.sent) != 32 {
		t.Fatalf("%d messages come", len(p.sent))
	}
	p.send(octets(t, "00000000 00000002 02000040 00000001 00000000 00000000 "+lists))
	if len(p.sent) != 32 {
		t.Fatalf("%d messages come after them", len(p.sent))
	}
	p.client.ask(call(736), "00000b01 00000002 008f0001 00000004 00000001 0000000a 00000304")

	p = newClient2(t, rpc.Options{})
	p.ask(properties+"00000001 00000002 00000004 00000024", ours2)
	p.client.ask(call(4), "00000b01 00000002 008f0001 00000004 00000001 0000000a 00000028")

	// Where not even the header fits, a Reply chunk does not help.
	p = newClient2(t, rpc.Options{})
	p.ask(properties+"00000001 00000002 00000004 00000023", ours2)
	p.client.ask(call(4), "00000b01 00000002 008f0001 00000004 00000001 0000000a 00000000")
}

// A Reply waits for credits, and everything after it waits after it.
func TestContinuedReplyWaits(t *testing.T) {
	p := newClient2(t, rpc.Options{})
	p.ask("c0000001 00000002 02000002 00000005 00000000 00000001 00000002 00000004 00000044", ours2) // of 68 octets the header leaves 32
	data := strings.Repeat("61", 60)
	echo := " 00000002 " + auth + " 00000001 00000001 0000003c " + data
	part := func(flags, payload string) string {
		return "00000b01 00000002 ???????? 00000000 " + flags + " 00000000 " + lists + " " + payload
	}
	p.ask("00000b01"+last2+"00000b01 "+call+echo, part("00000003", "00000b01 "+ok+" 00000001 00000001"), part("00000003", words(octets(t, "0000003c"+data[:56]))))
	p.ask("00000b02 00000002 02000001 00000007 00000000", part("00000001", words(octets(t, data[56:]))))
	p.ask("00000000 00000002 02000001 00000001 00000000 00000000 "+lists, "00000b02 00000002 ???????? 00000004 00000001 00000004")
}

// A sequence of too many octets is refused, and the rest of it ignored.
func TestContinuationTooLong(t *testing.T) {
	p := begun(t)
	part := append(octets(t, "00000b01"+more2+"00000b01 "+call), make([]byte, 1<<18)...)
	for i := range 17 {
		got := p.send(bytes.Clone(part))
		if i < 15 && len(got) != 0 || i == 15 && len(got) != 1 || i == 16 && len(got) != 0 {
			t.Fatalf("part %d: %d messages come", i, len(got))
		}
		if i == 15 {
			p.got("00000b01 00000002 ???????? 00000004 00000001 00000064")
		}
	}
	p.ask("00000b01" + last2 + part3)
	p.null("00000a02")
	p.executed("00000001")
}
