package rpc_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// Read chunks: the item is put back at its Position (RFC 8166, section 3.4.5).
func TestReadChunks(t *testing.T) {
	const (
		xid     = "0000c001"
		head    = xid + " 00000001 00000020 00000000 "
		noLists = "00000000 00000000 00000000 "
		echo    = xid + " " + call + " 00000001 " + auth
		reply   = head + noLists + xid + " " + ok
		garbage = head + noLists + xid + " 00000001 00000000 00000000 00000000 00000004"
		refused = xid + " 00000001 00000020 00000004 00000002"
	)
	for _, c := range []struct{ name, message, want, steps string }{
		{"one segment", head + "00000001 00000034 00000005 00000005 00000000 00001000 " + noLists + echo + " 00000001 00000001 00000005",
			reply + " 00000001 00000001 00000005 00010203 04000000", "Read Send"},
		{"with roundup", head + "00000001 00000034 00000005 00000008 00000000 00001000 " + noLists + echo + " 00000001 00000001 00000005",
			reply + " 00000001 00000001 00000005 00010203 04000000", "Read Send"},
		{"three segments, one of them empty", head + "00000001 00000034 00000005 00000003 00000000 00001010 00000001 00000034 00000005 00000000 00000000 00000000 " +
			"00000001 00000034 00000006 00000002 00000000 00002000 " + noLists + echo + " 00000001 00000001 00000005",
			reply + " 00000001 00000001 00000005 101112ff fe000000", "Read Read Send"},
		{"the second of three items", head + "00000001 00000040 00000005 00000006 00000000 00001000 " + noLists + echo +
			" 00000003 00000001 00000001 aa000000 00000001 00000006 00000000",
			reply + " 00000003 00000001 00000001 aa000000 00000001 00000006 00010203 04050000 00000000", "Read Send"},
		{"two items, in the other order", head + "00000001 00000044 00000005 00000001 00000000 00001010 00000001 00000034 00000005 00000005 00000000 00001000 " +
			noLists + echo + " 00000002 00000001 00000005 00000001 00000001",
			reply + " 00000002 00000001 00000005 00010203 04000000 00000001 00000001 10000000", "Read Read Send"},
		{"one octet too few", head + "00000001 00000034 00000005 00000004 00000000 00001000 " + noLists + echo + " 00000001 00000001 00000005", garbage, "Read Send"},
		{"an item longer than the message", head + "00000001 00000034 00000005 00000005 00000000 00001000 " + noLists + echo + " 00000001 00000001 00001000", garbage, "Read Send"},
		{"an item longer than any message", head + "00000001 00000034 00000005 00000005 00000000 00001000 " + noLists + echo + " 00000001 00000001 00400001", garbage, "Read Send"},
		{"one octet too many", head + "00000001 00000034 00000005 00000006 00000000 00001000 " + noLists + echo + " 00000001 00000001 00000005", garbage, "Read Send"},
		{"roundup stays inline", head + "00000001 00000034 00000005 00000005 00000000 00001000 " + noLists + echo + " 00000001 00000001 00000005 00000000", garbage, "Read Send"},
		{"after the end", head + "00000001 00000038 00000005 00000005 00000000 00001000 " + noLists + echo + " 00000001 00000001 00000005", refused, "Read Send"},
		{"at the length", head + "00000001 00000030 00000005 00000005 00000000 00001000 " + noLists + echo + " 00000001 00000001 00000005", refused, "Read Send"},
		{"not eligible", head + "00000001 00000034 00000005 00000005 00000000 00001000 " + noLists + xid + " " + call + " 00000002 " + auth + " 00000001 00000001 00000005", refused, "Read Send"},
		{"Long Call", xid + " 00000001 00000020 00000001 00000001 00000000 00000006 00000028 00000000 00003000 " + noLists, reply, "Read Send"},
		{"Long Call with another XID", xid + " 00000001 00000020 00000001 00000001 00000000 00000006 00000028 00000000 00003100 " + noLists, refused, "Read Send"},
		{"Long Call of 4 octets", xid + " 00000001 00000020 00000001 00000001 00000000 00000006 00000004 00000000 00003000 " + noLists, refused, "Read Send"},
		{"Long Call of no octets", xid + " 00000001 00000020 00000001 00000001 00000000 00000006 00000000 00000000 00003000 " + noLists, refused, "Send"},
		{"Long Call with a Read chunk", xid + " 00000001 00000020 00000001 00000001 00000034 00000005 00000002 00000000 00001000 " +
			"00000001 00000000 00000006 00000020 00000000 00003200 00000001 00000000 00000006 00000014 00000000 00003220 " + noLists,
			reply + " 00000001 00000001 00000002 00010000", "Read Read Read Send"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newClient(t, rpc.Options{}, "")
			p.region(5, 0x1000, octets(t, "00010203 04050607 08090a0b 0c0d0e0f 10111213"))
			p.region(6, 0x2000, append(octets(t, "fffefdfc"), make([]byte, 0x2000)...))
			copy(p.at(6, 0x3000, 40), octets(t, xid+call+"00000000"+auth))
			copy(p.at(6, 0x3100, 40), octets(t, "0000c002"+call+"00000000"+auth))
			copy(p.at(6, 0x3200, 52), octets(t, echo+"00000001 00000001 00000002"))
			posted := p.receives
			p.ask(c.message, c.want)
			if steps := strings.Join(p.steps, " "); steps != c.steps {
				t.Errorf("%s, want %s", steps, c.steps)
			}
			p.alive()
			if p.receives != posted {
				t.Errorf("%d Receives are left of %d", p.receives, posted)
			}
		})
	}
}

// Write chunks and the Reply chunk: what is in them, and how they come back (RFC 8166, sections 3.4.6, 3.5.3 and 4.3).
func TestWriteChunks(t *testing.T) {
	const (
		xid     = "0000d001"
		vers    = xid + " 00000001 00000020 "
		echo    = xid + " " + call + " 00000001 " + auth
		plain   = xid + " " + call + " 00000002 " + auth
		refused = vers + "00000004 00000002"
		five    = " 00000001 00000001 00000005 01020304 05000000"
		chunk8  = "00000001 00000001 00000005 00000008 00000000 00001000 "
		chunk   = "00000001 00000001 00000005 "
	)
	thousand := strings.Repeat(" a1a2a3a4", 250)
	for _, c := range []struct{ name, message, want, steps, written string }{
		{"larger than the item", vers + "00000000 00000000 " + chunk8 + "00000000 00000000 " + echo + five,
			vers + "00000000 00000000 " + chunk + "00000005 00000000 00001000 00000000 00000000 " + xid + " " + ok + " 00000001 00000001 00000005",
			"Write Send", "01020304 05ffffff"},
		{"two segments", vers + "00000000 00000000 00000001 00000003 00000005 00000002 00000000 00001000 00000005 00000008 00000000 00001008 00000005 00000008 00000000 00001010 00000000 00000000 " + echo + five,
			vers + "00000000 00000000 00000001 00000003 00000005 00000002 00000000 00001000 00000005 00000003 00000000 00001008 00000005 00000000 00000000 00001010 00000000 00000000 " + xid + " " + ok + " 00000001 00000001 00000005",
			"Write Write Send", "0102ffff ffffffff 030405ff"},
		{"too small", vers + "00000000 00000000 " + chunk + "00000004 00000000 00001000 00000000 00000000 " + echo + five, refused, "Send", ""},
		{"of no octets", vers + "00000000 00000000 " + chunk + "00000000 00000000 00001000 00000000 00000000 " + echo + " 00000001 00000001 00000000",
			vers + "00000000 00000000 " + chunk + "00000000 00000000 00001000 00000000 00000000 " + xid + " " + ok + " 00000001 00000001 00000000", "Send", ""},
		{"unused by NULL", vers + "00000000 00000000 " + chunk8 + "00000000 00000000 " + xid + " " + call + " 00000000 " + auth,
			vers + "00000000 00000000 " + chunk + "00000000 00000000 00001000 00000000 00000000 " + xid + " " + ok, "Send", "ffffffff"},
		{"unused by an error", vers + "00000000 00000000 " + chunk8 + "00000000 00000000 " + xid + " " + call + " 00000009 " + auth,
			vers + "00000000 00000000 " + chunk + "00000000 00000000 00001000 00000000 00000000 " + xid + " 00000001 00000000 00000000 00000000 00000003", "Send", "ffffffff"},
		{"not for what is not eligible", vers + "00000000 00000000 " + chunk8 + "00000000 00000000 " + plain + five,
			vers + "00000000 00000000 " + chunk + "00000000 00000000 00001000 00000000 00000000 " + xid + " " + ok + five, "Send", "ffffffff"},
		{"empty, then one", vers + "00000000 00000000 00000001 00000000 " + chunk8 + "00000000 00000000 " + echo + " 00000002 00000001 00000005 01020304 05000000 00000001 00000002 aabb0000",
			vers + "00000000 00000000 00000001 00000000 " + chunk + "00000002 00000000 00001000 00000000 00000000 " + xid + " " + ok + " 00000002 00000001 00000005 01020304 05000000 00000001 00000002",
			"Write Send", "aabbffff"},
		{"taken by the next item that is there", vers + "00000000 00000000 " + chunk8 + "00000001 00000001 00000005 00000004 00000000 00001010 00000000 00000000 " + echo + " 00000002 00000000 00000001 00000002 aabb0000",
			vers + "00000000 00000000 " + chunk + "00000002 00000000 00001000 00000001 00000001 00000005 00000000 00000000 00001010 00000000 00000000 " + xid + " " + ok + " 00000002 00000000 00000001 00000002",
			"Write Send", "aabbffff"},
		{"fewer than items", vers + "00000000 00000000 " + chunk8 + "00000000 00000000 " + echo + " 00000002 00000001 00000001 11000000 00000001 00000002 aabb0000",
			vers + "00000000 00000000 " + chunk + "00000001 00000000 00001000 00000000 00000000 " + xid + " " + ok + " 00000002 00000001 00000001 00000001 00000002 aabb0000",
			"Write Send", "11ffffff"},
		{"a Reply chunk that is not needed", vers + "00000000 00000000 00000000 " + chunk + "00000100 00000000 00001000 " + plain + five,
			vers + "00000000 00000000 00000000 " + chunk + "00000000 00000000 00001000 " + xid + " " + ok + five, "Send", "ffffffff"},
		{"an empty Reply chunk", vers + "00000000 00000000 00000000 00000001 00000000 " + plain + five,
			vers + "00000000 00000000 00000000 00000001 00000000 " + xid + " " + ok + five, "Send", ""},
		{"a Reply chunk", vers + "00000000 00000000 00000000 " + chunk + "00000500 00000000 00001000 " + plain + " 00000001 00000001 000003e8" + thousand,
			vers + "00000001 00000000 00000000 " + chunk + "0000040c 00000000 00001000", "Write Send", xid + " " + ok + " 00000001 00000001 000003e8" + thousand + " ffffffff"},
		{"a Reply chunk that is just enough", vers + "00000000 00000000 00000000 00000001 00000002 00000005 00000002 00000000 00001000 00000005 0000040a 00000000 00001002 " + plain + " 00000001 00000001 000003e8" + thousand,
			vers + "00000001 00000000 00000000 00000001 00000002 00000005 00000002 00000000 00001000 00000005 0000040a 00000000 00001002", "Write Write Send", xid + " " + ok + " 00000001 00000001 000003e8" + thousand + " ffffffff"},
		{"a Reply chunk that is too small", vers + "00000000 00000000 00000000 " + chunk + "0000040b 00000000 00001000 " + plain + " 00000001 00000001 000003e8" + thousand,
			refused, "Send", "ffffffff"},
		{"no Reply chunk", vers + "00000000 00000000 00000000 00000000 " + plain + " 00000001 00000001 000003e8" + thousand, refused, "Send", ""},
		{"reduced first", vers + "00000000 00000000 " + chunk + "000003e8 00000000 00001000 00000000 " + chunk + "00000500 00000000 00001400 " + echo + " 00000001 00000001 000003e8" + thousand,
			vers + "00000000 00000000 " + chunk + "000003e8 00000000 00001000 00000000 " + chunk + "00000000 00000000 00001400 " + xid + " " + ok + " 00000001 00000001 000003e8",
			"Write Send", thousand + " ffffffff"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newClient(t, rpc.Options{}, "")
			p.region(5, 0x1000, bytes.Repeat([]byte{0xff}, 0x1000))
			p.ask(c.message, c.want)
			if steps := strings.Join(p.steps, " "); steps != c.steps {
				t.Errorf("%s, want %s", steps, c.steps)
			}
			want := octets(t, c.written)
			if got := p.at(5, 0x1000, len(want)); !bytes.Equal(got, want) {
				t.Errorf("written\n%s, want\n%s", words(got), words(want))
			}
			p.alive()
		})
	}
}

// A Reply is inline as long as it fits the threshold, which Private Data tell (RFC 8797, section 4.2).
func TestThreshold(t *testing.T) {
	const (
		vers  = "0000e001 00000001 00000020 "
		plain = "0000e001 " + call + " 00000002 " + auth
	)
	for _, c := range []struct {
		private   string
		threshold int
	}{
		{"", 1024},
		{"f6ab0e18 01000303", 4096},
		{"00400040 00f6ab0e 18010000 01", 2048},
		{"f6ab0e18 0101ffff", 4096},
		{"f6ab0e18 02010303", 1024},
		{"f6ab0e18 010103", 1024},
	} {
		for _, more := range []int{0, 1} {
			n := c.threshold - 28 - 24 - 12 + 4*more
			item := " 00000001 00000001 " + words([]byte{0, 0, byte(n >> 8), byte(n)}) + strings.Repeat(" 01020304", n/4)
			p := newClient(t, rpc.Options{}, c.private)
			want := vers + "00000000 " + lists + " 0000e001 " + ok + item
			if more > 0 {
				want = vers + "00000004 00000002"
			}
			p.ask(vers+"00000000 "+lists+" "+plain+item, want)
		}
	}
}

// Remote invalidation needs R of both ends, and is of an STag of the Call (RFC 8797, section 4.1).
func TestInvalidation(t *testing.T) {
	const call5 = "00000a01 00000001 00000020 00000000 00000000 00000000 00000001 00000001 00000005 00000100 00000000 00000000 00000a01 " +
		call + " 00000000 " + auth
	for _, c := range []struct {
		private, message string
		options          rpc.Options
		want             uint32
	}{
		{"f6ab0e18 01010303", call5, rpc.Options{}, 5},
		{"f6ab0e18 01ff0303", call5, rpc.Options{}, 5},
		{"f6ab0e18 01000303", call5, rpc.Options{}, 0},
		{"f6ab0e18 01fe0303", call5, rpc.Options{}, 0},
		{"", call5, rpc.Options{}, 0},
		{"f6ab0e18 01010303", call5, rpc.Options{NoInvalidate: true}, 0},
		{"f6ab0e18 01010303", null, rpc.Options{}, 0},
		{"f6ab0e18 01010303", strings.Replace(call5, "00000020 00000000", "00000020 00000009", 1), rpc.Options{}, 0},
	} {
		p := newClient(t, c.options, c.private)
		p.send(octets(t, c.message))
		if len(p.inv) != 1 || p.inv[0] != c.want {
			t.Errorf("%s, %+v: %v was invalidated, want %d", c.private, c.options, p.inv, c.want)
		}
	}
	for o, want := range map[bool]string{false: "f6ab0e18 01010303", true: "f6ab0e18 01000303"} {
		if got := words(rpc.NewResponder(rpc.Options{NoInvalidate: o}, nil, new(rpc.Echo)).Private()); got != want {
			t.Errorf("Private Data %s, want %s", got, want)
		}
	}
}
