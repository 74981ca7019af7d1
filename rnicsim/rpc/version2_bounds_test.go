package rpc_test

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A hoarder is a client of version 2 that never grants a credit and never answers an RDMA Read.
type hoarder struct {
	*client
	credits  int // that it has
	messages int // that it has sent
	refused  int // RDMA2_ERR_SYSTEM that came
}

func newHoarder(t *testing.T, credits string) *hoarder {
	h := &hoarder{client: newClient(t, rpc.Options{}, ""), credits: 1}
	h.holds = true
	h.say("c0000001 00000002 0200" + credits + " 00000005 00000000 00000000")
	return h
}

// say sends a message. Sends complete, and RDMA Reads do not.
func (h *hoarder) say(message string) {
	h.t.Helper()
	h.credits--
	h.messages++
	for _, m := range h.send(octets(h.t, message)) {
		b := octets(h.t, m)
		h.credits += int(b[10])<<8 | int(b[11])
		if strings.HasSuffix(m, " 00000004 00000001 00000064") {
			h.refused++
		}
	}
	for _, a := range h.held {
		if a.Type == rpc.Send {
			h.Done(a)
		}
	}
	h.held = nil
}

// A Responder that cannot answer accepts a limited amount, however the client uses its credits.
func TestVersion2Bounds(t *testing.T) {
	const (
		most  = 4000 // messages of about 4096 octets
		begin = "00000b01 00000002 02000000 00000000 00000002 00000000 " + lists + " "
		end   = "00000b01 00000002 02000000 00000000 00000000 00000000 "
		dead  = end + "00000001 00000034 00000005 00000005 00000000 00000000 " + lists + " "
		null  = "00000b01 " + call + " 00000000 " + auth
		echo  = "00000b01 " + call + " 00000001 " + auth + " 00000001 00000001 00000005"
	)
	fill := strings.Repeat("00", 4000)
	for name, c := range map[string]struct {
		credits  string
		messages []string
	}{
		"Calls in the middle of another": {"0001", []string{begin + null, "00000c01" + end[8:] + lists + fill}},
		"versions in the middle of a Call": {"0001", []string{begin + null, "00000c01 00000003 02000000 00000000 00000000" + fill,
			begin + "00000000"}},
		"parts of Calls that wait for RDMA Reads": {"0001", []string{begin + echo[:80], dead + echo[80:] + fill}},
		"Calls that wait for RDMA Reads":          {"8000", []string{end + lists + " " + null, dead + echo + fill}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHoarder(t, c.credits)
			for h.credits > 0 && h.refused == 0 && h.messages < most {
				h.say(c.messages[h.messages%len(c.messages)])
			}
			if h.messages >= most {
				t.Errorf("%d messages were taken in, and %d refused", h.messages, h.refused)
			}
			if octets := h.messages / len(c.messages) * 4 * 4000; octets > 16<<20 && strings.Contains(name, "RDMA Reads") { // all is copied
				t.Errorf("%d octets are held", octets)
			}
		})
	}
}

// Messages that are too short are ignored and use credits, which the Responder returns.
func TestVersion2ShortMessages(t *testing.T) {
	messages := []string{"00000b01", "00000b01 00000002 02000000 00000000"}
	h := newHoarder(t, "0001")
	for h.messages < 200 {
		if h.credits <= 0 {
			t.Fatalf("no credit is left after %d messages", h.messages)
		}
		h.say(messages[h.messages%len(messages)])
	}
}
