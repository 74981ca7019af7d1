package rpc_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// echoOf returns a Call that echoes one item of n octets in a Read chunk of one segment.
func echoOf(xid, n int) string {
	return fmt.Sprintf("%08x 00000001 00000020 00000000 00000001 00000034 00000005 %08x 00000000 00000000 00000000 ", xid, n) +
		"00000001 00000001 00000005 " + fmt.Sprintf("%08x 00000000 00000000 00000000 00000000 %08x ", n, xid) +
		call + " 00000001 " + auth + fmt.Sprintf(" 00000001 00000001 %08x", n)
}

// Calls wait for memory: their Read chunks hold no more than 16 MiB until the Replies are sent.
func TestWaiting(t *testing.T) {
	const size = 4 << 20
	p := newClient(t, rpc.Options{}, "")
	p.region(5, 0, make([]byte, size))
	p.holds = true
	for xid := range 6 {
		p.send(octets(t, echoOf(xid, size)))
		if want := min(xid+1, 4); len(p.held) != want {
			t.Errorf("%d Calls, %d are read, want %d", xid+1, len(p.held), want)
		}
	}
	p.send(octets(t, echoOf(6, 4))) // it waits for its turn
	p.ask(null, nullReply)          // and this does not
	for _, want := range [][]string{
		{"Write", "Send", "Write", "Send", "Write", "Send", "Write", "Send"}, {"Read", "Read", "Read"},
		{"Write", "Send", "Write", "Send", "Write", "Send"}, nil,
	} {
		p.steps = nil
		p.complete()
		p.act()
		if !slices.Equal(p.steps, want) {
			t.Errorf("%v, want %v", p.steps, want)
		}
	}
}

// A client that takes no Reply has few Calls executed: their results hold no more than 16 MiB until the Replies are sent.
func TestDeafClient(t *testing.T) {
	const size = 4 << 20
	program := new(later)
	p := newClientOf(t, rpc.Options{}, "", program)
	p.region(5, 0, make([]byte, size))
	p.holds = true
	ask := func(xid int) {
		writes := fmt.Sprintf("00000001 00000001 00000005 %08x 00000000 00000000", size)
		p.send(octets(t, fmt.Sprintf("%08x 00000001 00000020 00000000 00000000 %s 00000000 00000000 %08x ", xid, writes, xid)+call+" 00000001 "+auth))
	}
	for xid := range 6 {
		ask(xid)
	}
	for _, want := range []int{4, 2, 0} {
		if len(program.requests) != want {
			t.Errorf("%d Calls are executed, want %d", len(program.requests), want)
		}
		for _, r := range program.requests {
			m := success(binary.BigEndian.Uint32(r.Message))
			r.Reply(append(m, make([]byte, size)...), rpc.Span{At: len(m), Length: size})
		}
		answered := len(program.requests)
		if p.act(); len(program.requests) > answered {
			t.Error("a Call is executed before a Reply is sent")
		}
		program.requests = nil
		p.complete()
		p.act()
	}
}

// A Call that is too large for the Responder is refused before anything is read.
func TestLimits(t *testing.T) {
	reads, writes := "", ""
	for n := range 3 {
		reads += fmt.Sprintf("00000001 %08x 00000005 00000004 00000000 00000000 ", 52+12*n)
		writes += "00000001 00000001 00000005 00000010 00000000 00000000 "
	}
	for name, message := range map[string]string{
		"Read chunks":  "00000a02 00000001 00000020 00000000 " + reads + lists + " 00000a02 " + call + " 00000000 " + auth,
		"Write chunks": "00000a02 00000001 00000020 00000000 00000000 " + writes + "00000000 00000000 00000a02 " + call + " 00000000 " + auth,
	} {
		p := newClient(t, rpc.Options{Chunks: 2}, "")
		p.ask(message, "00000a02 00000001 00000020 00000004 00000002")
		if steps := strings.Join(p.steps, " "); steps != "Send" {
			t.Errorf("%s: %s", name, steps)
		}
		p.alive()
	}
	p := newClient(t, rpc.Options{}, "")
	p.ask(echoOf(7, rpc.MaxOctets+1), "00000007 00000001 00000020 00000004 00000002")
	p.NoReads()
	p.ask(echoOf(7, 4), "00000007 00000001 00000020 00000004 00000002")
	p.alive()
}

// Tamper may change all that is sent.
func TestTamper(t *testing.T) {
	var seen []string
	p := newClient(t, rpc.Options{Tamper: func(o *rpc.Outgoing) {
		seen = append(seen, words(o.Request))
		switch o.Message[3] {
		case 2:
			o.Drop = true
		case 3:
			o.Message[0], o.Invalidate, o.Close = 0xff, 9, true
		case 4:
			o.Writes = append(o.Writes, rpc.Push{STag: 5, TO: 1, Octets: []byte{7}})
		}
	}}, "")
	p.region(5, 0, make([]byte, 8))
	posted := p.receives
	for n, steps := range []string{"Send", "", "Send Close", "Write Send"} {
		message := strings.ReplaceAll(null, "00000a01", fmt.Sprintf("%08x", n+1))
		p.send(octets(t, message))
		if seen[n] != join(message) {
			t.Errorf("the message that is answered is %s", seen[n])
		}
		if got := strings.Join(p.steps, " "); got != steps {
			t.Errorf("%s, want %s", got, steps)
		}
		if n == 2 && (p.inv[0] != 9 || !strings.HasPrefix(p.sent[0], "ff000003 ") || !p.closed) {
			t.Errorf("%v, %v", p.inv, p.sent)
		}
	}
	if p.regions[5].octets[1] != 7 || p.receives != posted {
		t.Errorf("% x, %d Receives", p.regions[5].octets, p.receives)
	}
}

// A message may be replaced, and an answer sent twice.
func TestTamperReceived(t *testing.T) {
	p := newClient(t, rpc.Options{
		TamperReceived: func(message []byte) []byte {
			switch message[3] {
			case 2:
				return nil
			case 3:
				message[3], message[31] = 1, 1
			}
			return message
		},
		TamperReceivedPrivate: func([]byte) []byte { return []byte{0xf6, 0xab, 0x0e, 0x18, 1, 1, 3, 3} },
		Tamper: func(o *rpc.Outgoing) {
			if o.Message[3] == 4 {
				o.Before = [][]byte{o.Message}
			}
		},
	}, "")
	for n, want := range []int{1, 0, 1, 2} {
		message := octets(t, strings.ReplaceAll(null, "00000a01", fmt.Sprintf("%08x", n+1)))
		posted := p.receives
		got := p.send(message)
		lost := posted - p.receives
		if len(got) != want || lost != 1-min(want, 1) || n == 2 && got[0][:8] != "00000001" || message[3] != 0 {
			t.Errorf("message %d: %v, %d Receives are lost", n+1, got, lost)
		}
	}
	p.ask("00000001 00000001 00000020 00000000 00000000 00000000 00000001 00000001 00000005 00000100 00000000 00000000 00000001 "+
		call+" 00000000 "+auth,
		"00000001 00000001 00000020 00000000 00000000 00000000 00000001 00000001 00000005 00000000 00000000 00000000 00000001 "+ok)
	if p.inv[0] != 5 {
		t.Errorf("STag %d is invalidated", p.inv[0])
	}
}

// What a Responder is careless of is executed.
func TestCareless(t *testing.T) {
	const body = "00000a01 " + call + " 00000000 " + auth
	for fault, message := range map[rpc.Fault]string{
		rpc.BadVersion:  strings.Replace(null, "00000001", "00000007", 1),
		rpc.BadType:     "00000a01 00000001 00000020 00000009 " + lists + body,
		rpc.BadPosition: "00000a01 00000001 00000020 00000000 00000001 00000000 00000005 00000028 00000000 00000000 " + lists + body,
		rpc.BadTrailing: "00000a01 00000001 00000020 00000001 00000001 00000000 00000005 00000028 00000000 00000000 " + lists + " 00000000",
		rpc.BadXID:      "00000a01 00000001 00000020 00000000 " + lists + " 00000a02 " + call + " 00000000 " + auth,
		rpc.BadMsgType:  "00000a01 00000001 00000020 00000000 " + lists + " 00000a01 00000002 00000002 20697763 00000001 00000000 " + auth,
		rpc.NotEligible: "00000a01 00000001 00000020 00000000 00000001 00000028 00000005 00000004 00000000 00000000 " + lists + body,
	} {
		for _, careless := range []bool{false, true} {
			var o rpc.Options
			if careless {
				o.Careless = []rpc.Fault{fault}
			}
			p := newClient(t, o, "")
			p.region(5, 0, octets(t, body))
			p.alive()
			got := p.send(octets(t, message))
			if executed := len(got) == 1 && got[0] == join(nullReply); executed != careless {
				t.Errorf("%v, careless %v: %v", fault, careless, got)
			}
		}
	}
}

// A Fault has a name.
func TestFaultNames(t *testing.T) {
	if got := fmt.Sprint(rpc.BadVersion, rpc.LateProperties, rpc.LateProperties+1); got != "BadVersion LateProperties Fault20" {
		t.Error(got)
	}
}
