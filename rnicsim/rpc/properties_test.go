package rpc_test

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

const (
	// properties is what a set of properties follows, in the message of a client.
	properties = "c0000001 00000002 02000020 00000005 00000000 "
	badPropval = "c0000001 00000002 ???????? 00000004 00000001 00000003"
	badProps   = "c0000001 00000002 ???????? 00000004 00000001 00000002"
)

// long is a Call with a Reply of 2036 octets: it comes in one message if the client has Receives of 4096 octets, as the
// default is, and in three if they have 1024.
func (c *client2) long(parts int) {
	c.t.Helper()
	item := strings.Repeat("61", 2000)
	args := "00000001 00000001 000007d0 " + item
	c.send(octets(c.t, "00000a04"+call2+lists+" 00000a04 "+call+" 00000002 "+auth+args))
	if len(c.sent) != parts {
		c.t.Errorf("a Reply of %d parts, not %d", len(c.sent), parts)
	}
}

// Properties that are applied, and the receive size that they set (draft 01, section 5.1).
func TestPropertiesTaken(t *testing.T) {
	for name, c := range map[string]struct {
		set   string
		parts int
	}{
		"none":                     {"00000000", 1},
		"a small Receive":          {"00000001 00000002 00000004 00000400", 3},
		"of two the last":          {"00000002 00000002 00000004 00000400 00000002 00000004 00001000", 1},
		"the default, in words":    {"00000002 00000002 00000004 00000400 00000002 00000000", 1},
		"after an unknown one":     {"00000002 00000063 00000003 01020300 00000002 00000004 00000400", 3},
		"before an unknown one":    {"00000002 00000002 00000004 00000400 ffffffff 00000000", 3},
		"with others":              {"00000004 00000005 00000004 00000001 00000004 00000004 00000001 00000002 00000004 00000400 00000001 00000004 00000064", 3},
		"authentication":           {"00000002 00000006 0000000c 00000005 a1a2a3a4 a5000000 00000002 00000004 00000400", 3},
		"a level that is unknown":  {"00000002 00000005 00000004 00000004 00000002 00000004 00000400", 3},
		"padding that is not zero": {"00000002 00000063 00000003 010203ff 00000002 00000004 00000400", 3},
		"octets after them":        {"00000001 00000002 00000004 00000400 00000002 00000004 00000800", 3},
	} {
		t.Run(name, func(t *testing.T) {
			p := newClient2(t, rpc.Options{})
			p.ask(properties+c.set, ours2)
			p.long(c.parts)
			p.ask(properties+"00000000", "c0000001"+" 00000002 ???????? 00000004 00000001 00000004")
		})
	}
}

// If one property is bad, none of the message is applied, and others may follow (draft 01, section 7.2.2).
func TestPropertiesBad(t *testing.T) {
	const small = "00000002 00000004 00000400 "
	for name, c := range map[string]struct{ set, want string }{
		"one octet":                 {"00000002 " + small + "00000003 00000001 01000000", badPropval},
		"three octets":              {"00000002 00000003 00000003 01020300 " + small, badPropval},
		"five octets":               {"00000002 " + small + "00000005 00000005 00000000 00000000", badPropval},
		"eight octets":              {"00000002 " + small + "00000004 00000008 00000000 00000000", badPropval},
		"longer than the message":   {"00000002 " + small + "00000004 00000008 00000000", badPropval},
		"an unknown one too":        {"00000002 " + small + "00000063 00000005 00000000", badPropval},
		"of 2^32-1 octets":          {"00000002 " + small + "00000004 ffffffff 00000000", badPropval},
		"authentication of 4 in 3":  {"00000002 " + small + "00000006 00000007 00000004 01020300", badPropval},
		"authentication of too few": {"00000002 " + small + "00000006 00000008 00000005 01020304", badPropval},
		"without its length":        {"00000002 " + small + "00000004", badProps},
		"fewer than the count":      {"00000002 " + small, badProps},
		"a count of 2^32-1":         {"ffffffff " + small, badProps},
		"no count":                  {"", badProps},
	} {
		t.Run(name, func(t *testing.T) {
			p := newClient2(t, rpc.Options{})
			p.ask(properties+c.set, ours2, c.want)
			p.long(1)
			p.ask(properties + "00000001 " + small)
			p.long(3)
		})
	}
}

// RDMA2_F_TPMORE: properties in several messages, each of which has effect (draft 01, section 6.2.2.3).
func TestPropertiesMore(t *testing.T) {
	const more = "c0000001 00000002 02000020 00000005 00000004 "
	p := newClient2(t, rpc.Options{})
	p.ask(more+"00000001 00000002 00000004 00000400", ours2)
	p.long(3)
	p.ask(more + "00000000")
	p.ask(more+"00000001 00000004 00000001 00000000", badPropval)
	p.ask(properties + "00000001 00000002 00000004 00001000")
	p.long(1)
	p.ask(more+"00000000", "c0000001 00000002 ???????? 00000004 00000001 00000004")
}

// RDMA2_F_MORE on properties: one set in several messages.
func TestPropertiesContinued(t *testing.T) {
	const more = "c0000001 00000002 02000020 00000005 00000002 "
	p := newClient2(t, rpc.Options{})
	p.ask(more+"00000001 00000002", ours2)
	p.ask(more + "0000")
	p.ask("00000a02"+call2+lists+" 00000a02 "+call+" 00000000 "+auth, "00000a02 00000002 ???????? 00000004 00000001 00000005")
	p.ask("00000000 00000002 02000010 00000001 00000000 00000000 " + lists)
	p.ask("c0000002 00000002 02000020 00000005 00000000 00000000", "c0000002 00000002 ???????? 00000004 00000001 00000005")
	p.ask(properties + "0004 00000400")
	p.long(3)
	p.ask(properties+"00000000", "c0000001 00000002 ???????? 00000004 00000001 00000004")

	p = newClient2(t, rpc.Options{ReceiveSize: 1 << 16})
	part := more + strings.Repeat("00", 60000)
	p.send(octets(t, part))
	p.ask(part, "c0000001 00000002 ???????? 00000004 00000001 00000064")
	p.ask(properties + "00000001 00000002 00000004 00000400")
	p.long(3)
}

// A client that sends no properties has the defaults (draft 01, section 4.2.2), and gets ours first, whatever it
// begins with.
func TestPropertiesNone(t *testing.T) {
	p := newClient2(t, rpc.Options{})
	p.ask("00000a02 00000002 02000020 00000000 00000000 00000000 "+lists+" 00000a02 "+call+" 00000000 "+auth,
		ours2, "00000a02"+anyReply2+"00000a02 "+ok)
	p.long(1)
	p.ask(properties + "00000001 00000002 00000004 00000400")
	p.long(3)

	p = newClient2(t, rpc.Options{})
	p.ask("00000a02 00000002 02000020 00000009 00000000", ours2, "00000a02 00000002 ???????? 00000004 00000001 00000004")
	p.ask(open2)
	p.null("00000a03")

	p = newClient2(t, rpc.Options{})
	p.ask("00000000 00000002 02000020 00000001 00000000 00000000 "+lists, strings.Replace(ours2, "0020", "001f", 1))
	p.null("00000a03")
}

// The properties follow the Options.
func TestPropertiesOfOptions(t *testing.T) {
	p := newClient2(t, rpc.Options{Credits: 4, SendSize: 8192, ReceiveSize: 16384, SegmentSize: 65536, Segments: 3})
	p.ask(open2, "69776300 00000002 00730004 00000005 00000000 00000004 00000001 00000004 00002000 "+
		"00000002 00000004 00004000 00000003 00000004 00010000 00000004 00000004 00000003")
}
