package rpc_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// octets decodes words in hexadecimal digits, with blanks and new lines between them.
func octets(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// words returns octets in hexadecimal digits, four by four.
func words(b []byte) string {
	var words []string
	for ; len(b) > 4; b = b[4:] {
		words = append(words, hex.EncodeToString(b[:4]))
	}
	return strings.Join(append(words, hex.EncodeToString(b)), " ")
}

// join returns words with one blank between them.
func join(text string) string { return strings.Join(strings.Fields(text), " ") }

// A client is the other end of a Responder. It performs Actions at once, on the octets of regions.
type client struct {
	*rpc.Responder
	t        testing.TB
	regions  map[uint32]*region
	held     []rpc.Action // Reads and Sends that are complete only when the test says so
	holds    bool
	receives int // that are posted
	sent     []string
	inv      []uint32 // STags that were invalidated
	steps    []string // names of the Actions, Receives left out
	closed   bool
}

// A region is memory of the client, from a TO on.
type region struct {
	to     uint64
	octets []byte
}

func newClient(t testing.TB, o rpc.Options, private string) *client {
	return newClientOf(t, o, private, new(rpc.Echo))
}

// newClientOf returns a client of a Program.
func newClientOf(t testing.TB, o rpc.Options, private string, p rpc.Program) *client {
	c := &client{t: t, Responder: rpc.NewResponder(o, octets(t, private), p), regions: make(map[uint32]*region)}
	c.act()
	return c
}

// region registers octets.
func (c *client) region(stag uint32, to uint64, octets []byte) {
	c.regions[stag] = &region{to, bytes.Clone(octets)}
}

// at returns octets of a region.
func (c *client) at(stag uint32, to uint64, n int) []byte {
	c.t.Helper()
	r := c.regions[stag]
	if r == nil || to < r.to || to-r.to+uint64(n) > uint64(len(r.octets)) {
		c.t.Fatalf("%d octets at STag %#x, TO %#x are not there", n, stag, to)
	}
	return r.octets[to-r.to:][:n]
}

// act performs the Actions.
func (c *client) act() {
	c.t.Helper()
	for {
		actions := c.Actions()
		if len(actions) == 0 {
			return
		}
		for _, a := range actions {
			c.do(a)
		}
	}
}

func (c *client) do(a rpc.Action) {
	c.t.Helper()
	if a.Type != rpc.Receive {
		c.steps = append(c.steps, a.Type.String())
	}
	switch a.Type {
	case rpc.Receive:
		if c.receives += a.Count; c.receives > c.MaxReceives() {
			c.t.Errorf("%d Receives", c.receives)
		}
	case rpc.Write:
		copy(c.at(a.STag, a.TO, len(a.Octets)), a.Octets)
	case rpc.Read, rpc.Send:
		if a.Type == rpc.Send {
			c.sent = append(c.sent, words(a.Octets))
			c.inv = append(c.inv, a.STag)
		}
		if c.held = append(c.held, a); !c.holds {
			c.complete()
		}
	case rpc.Close:
		c.closed = true
	}
}

// complete completes what was held back.
func (c *client) complete() {
	c.t.Helper()
	held := c.held
	c.held = nil
	for _, a := range held {
		if a.Type == rpc.Read {
			copy(a.Octets, c.at(a.STag, a.TO, len(a.Octets)))
		}
		c.Done(a)
	}
}

// send sends a message, and returns what was sent because of it.
func (c *client) send(message []byte) []string {
	c.t.Helper()
	if c.receives--; c.receives < 0 {
		c.t.Fatal("no Receive is posted")
	}
	c.sent, c.inv, c.steps = nil, nil, nil
	c.Received(message)
	clear(message) // it is valid only until then
	c.act()
	return c.sent
}

// ask sends a message and compares the answer.
func (c *client) ask(message string, want ...string) {
	c.t.Helper()
	got := c.send(octets(c.t, message))
	if len(got) != len(want) {
		c.t.Errorf("%s\n%d messages come, not %d:\n%s", join(message), len(got), len(want), strings.Join(got, "\n"))
		return
	}
	for i := range want {
		if got[i] != join(want[i]) {
			c.t.Errorf("%s\nis answered by\n%s\nnot\n%s", join(message), got[i], join(want[i]))
		}
	}
}

// alive asks NULL.
func (c *client) alive() {
	c.t.Helper()
	c.ask(null, nullReply)
}

const (
	// header is that of a message without chunks, call what follows the XID in a Call of the program.
	lists = "00000000 00000000 00000000"
	call  = "00000000 00000002 20697763 00000001"
	auth  = "00000000 00000000 00000000 00000000"
	ok    = "00000001 00000000 00000000 00000000 00000000" // what follows the XID in a Reply

	null      = "00000a01 00000001 00000020 00000000 " + lists + " 00000a01 " + call + " 00000000 " + auth
	nullReply = "00000a01 00000001 00000020 00000000 " + lists + " 00000a01 " + ok
)
