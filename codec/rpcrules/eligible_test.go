package rpcrules

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// xdr builds a message as it was before reduction.
type xdr []byte

func (x *xdr) words(words ...uint32) {
	for _, w := range words {
		*x = binary.BigEndian.AppendUint32(*x, w)
	}
}

// opaque adds n octets, with their length and fill, and returns where they begin.
func (x *xdr) opaque(n int) (position int) {
	x.words(uint32(n))
	position = len(*x)
	for i := range n {
		*x = append(*x, byte(i%251+1))
	}
	*x = append(*x, make([]byte, oncrpc.Fill(n))...)
	return position
}

// without returns the message without the octets of a chunk: n octets at a position.
func (x xdr) without(position, n int) []byte {
	return slices.Concat(x[:position], x[position+n:])
}

// compoundCall begins a COMPOUND with SEQUENCE, if the minor version has it, and PUTFH.
func compoundCall(minor uint32, ops int) (x xdr) {
	x.words(0x5a000001, 0, 2, 100003, 4, 1, 0, 0, 0, 0, 0, minor)
	if minor == 0 {
		x.words(uint32(ops + 1))
	} else {
		x.words(uint32(ops+2), 53, 1, 2, 3, 4, 5, 0, 0, 0)
	}
	x.words(22)
	x.opaque(20)
	return x
}

// argument adds an operation, and returns the Position of its opaque.
func (x *xdr) argument(op nfs.Op, n int) (position int) {
	x.words(uint32(op))
	switch op {
	case nfs.OpWrite:
		x.words(1, 2, 3, 4, 0, 0, 2)
		return x.opaque(n)
	case nfs.OpCreate:
		x.words(5)
		position = x.opaque(n)
		x.opaque(4)
		x.words(1, 2)
		x.opaque(4)
		return position
	case nfs.OpSetattr:
		x.words(1, 2, 3, 4, 1, 1<<12)
		return x.opaque(n)
	case nfs.OpSetXattr:
		x.words(0)
		x.opaque(9)
		return x.opaque(n)
	}
	panic(op.String())
}

// checkCall checks a Call of which nothing was decoded.
func checkCall(e *Eligibility, c *Call, message []byte, cut bool, threshold int, v []rules.Violation) []rules.Violation {
	var h oncrpc.Call
	n, err := h.Decode(message)
	if err != nil {
		return v
	}
	return e.Call(c, &h, n, message, cut, threshold, v)
}

// checkReply does the same for a Reply.
func checkReply(e *Eligibility, c *Call, m *rpcrdma.Message, x oncrpc.Exchange, message []byte) []rules.Violation {
	var h oncrpc.Reply
	n, err := h.Decode(message)
	if err != nil {
		return nil
	}
	return e.Reply(c, m, x, &h, n, message, false, nil)
}

// judgeCall returns the names of the rules broken by a Call with a Read chunk of n octets at a Position.
func judgeCall(position uint32, n int, message []byte, cut bool) string {
	c := Call{Dialect: rpcrdma.DialectVersion1}
	c.Reads = c.Reads.Append(position, rpcrdma.Segment{Handle: 1, Length: uint32(n)})
	var e Eligibility
	return violated(checkCall(&e, &c, message, cut, 0, CheckPositions(c.Dialect, c.Reads, uint64(len(message)), nil)))
}

// compounds yields a COMPOUND Call for every minor version, operation, length and kind of operations that follow.
func compounds(ops []nfs.Op, yield func(name string, x xdr, position, n int)) {
	for minor := range uint32(3) {
		for _, op := range ops {
			for _, n := range []int{4096, 4093, 4094, 61, 8, 5, 4, 3, 2, 1} {
				for after := range 3 {
					x := compoundCall(minor, 1+after)
					position := x.argument(op, n)
					if after > 0 {
						x.words(9, 1, 0x18)
					}
					if after > 1 {
						x.argument(nfs.OpWrite, 40)
					}
					yield(fmt.Sprintf("4.%d %v of %d octets, %d after", minor, op, n, after), x, position, n)
				}
			}
		}
	}
}

func TestCompoundPositions(t *testing.T) {
	eligible := []nfs.Op{nfs.OpWrite, nfs.OpCreate}
	compounds(eligible, judgePositions(t))
	singles(judgePositions(t))
	compounds([]nfs.Op{nfs.OpSetattr, nfs.OpSetXattr}, func(name string, x xdr, position, n int) {
		got := judgeCall(uint32(position), n, x.without(position, n+oncrpc.Fill(n)), false)
		want := "rpc1-eligible"
		if strings.Contains(name, "SETXATTR") && !strings.HasPrefix(name, "4.2") {
			want = "" // the minor version lacks the operation: its arguments are unknown
		}
		if got != want {
			t.Errorf("%s: %q", name, got)
		}
	})
}

// TestUnlistedItem takes the octets of two items out of a COMPOUND Call, and lists only the first.
func TestUnlistedItem(t *testing.T) {
	for _, op := range []nfs.Op{nfs.OpWrite, nfs.OpCreate, nfs.OpSetattr} {
		x := compoundCall(0, 2)
		first := x.argument(nfs.OpWrite, 40)
		second := x.argument(op, 100)
		whole := judgeCall(uint32(first), 40, x.without(first, 40), false)
		short := judgeCall(uint32(first), 40, xdr(x.without(second, 100)).without(first, 40), false)
		if whole != "" || short != "rpc1-message" {
			t.Errorf("%v: %q, and %q with octets in no chunk", op, whole, short)
		}
	}
}

// judgePositions checks a Call with an item in a Read chunk at the right Position, at wrong ones, truncated, and
// wrongly reduced.
func judgePositions(t *testing.T) func(name string, x xdr, position, n int) {
	return func(name string, x xdr, position, n int) {
		inline := x.without(position, n+oncrpc.Fill(n))
		for shift := -60; shift <= 60; shift += 4 {
			want := "rpc1-position"
			switch {
			case shift == 0:
				want = ""
			case position+shift < 40:
				want = "rpc1-auth-reduced" // it is in the Call's header
			}
			if got := judgeCall(uint32(position+shift), n, inline, false); got != want {
				t.Errorf("%s, shifted by %d: %q", name, shift, got)
			}
		}
		for end := range inline {
			if got := judgeCall(uint32(position), n, inline[:end], true); got != "" && end > position {
				t.Errorf("%s, cut at %d: %q", name, end, got)
			}
		}
		if fill := oncrpc.Fill(n); fill > 0 {
			if got := judgeCall(uint32(position), n, x.without(position, n), false); got != "rpc1-roundup" {
				t.Errorf("%s with roundup octets: %q", name, got)
			}
		}
		if got := judgeCall(uint32(position), n, x, false); got != "rpc1-message" {
			t.Errorf("%s in the message and in a chunk: %q", name, got)
		}
	}
}

// singles yields WRITE and the procedure that makes a symbolic link, of NFSv2 and NFSv3, with items of many lengths.
func singles(yield func(name string, x xdr, position, n int)) {
	for _, n := range []int{4096, 4093, 4094, 61, 8, 5, 4, 3, 2, 1} {
		for _, procedure := range []oncrpc.Procedure{{Version: 2, Number: 8}, {Version: 2, Number: 13}, {Version: 3, Number: 7}, {Version: 3, Number: 10}} {
			var x xdr
			x.words(0x5a000001, 0, 2, 100003, procedure.Version, procedure.Number, 0, 0, 0, 0)
			var position int
			switch procedure {
			case oncrpc.Procedure{Version: 2, Number: 8}:
				x.words(1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0)
				position = x.opaque(n)
			case oncrpc.Procedure{Version: 2, Number: 13}:
				x.words(1, 2, 3, 4, 5, 6, 7, 8)
				x.opaque(5)
				position = x.opaque(n)
				x.words(1, 2, 3, 4, 5, 6, 7, 8)
			case oncrpc.Procedure{Version: 3, Number: 7}:
				x.opaque(20)
				x.words(0, 0, uint32(n), 2)
				position = x.opaque(n)
			default:
				x.opaque(20)
				x.opaque(5)
				x.words(0, 0, 0, 0, 0, 0)
				position = x.opaque(n)
			}
			yield(fmt.Sprintf("v%d procedure %d of %d octets", procedure.Version, procedure.Number, n), x, position, n)
		}
	}
}

// TestCallbackChunks checks that no data of a CB_COMPOUND may be in a chunk, in either direction, except as a whole
// message.
func TestCallbackChunks(t *testing.T) {
	p := oncrpc.Procedure{Program: oncrpc.ProgramNFSCB, Version: 1, Number: 1}
	var x xdr
	x.words(0x5a000001, 0, 2, 0x40000000, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, uint32(nfs.OpCBRecall), 1, 2, 3, 4, 0)
	position := x.opaque(20)
	for at := range position + 1 {
		c := Call{Dialect: rpcrdma.DialectVersion1, Procedure: p}
		c.Reads = c.Reads.Append(uint32(at), rpcrdma.Segment{Handle: 1, Length: 20})
		message, want := x, ""
		switch {
		case at == position:
			message, want = x.without(position, 20), "rpc1-eligible"
		case at > 0 && at < 40:
			want = "rpc1-auth-reduced"
		case at > 0:
			want = "rpc1-eligible"
		}
		var e Eligibility
		if got := violated(checkCall(&e, &c, message, false, 0, nil)); got != want {
			t.Errorf("Position %d: %q, want %q", at, got, want)
		}
	}
	var reply xdr
	reply.words(0x5a000001, 1, 0, 0, 0, 0, 0, 0, 1, uint32(nfs.OpCBGetattr), 0, 1, 1<<12)
	position = reply.opaque(20)
	for returned, message := range map[int][]byte{0: reply, 20: reply.without(position, 20)} {
		want := ""
		if returned > 0 {
			want = "rpc1-eligible"
		}
		if got := judgeReplyOf(p, message, returned); got != want {
			t.Errorf("%d octets in a Write chunk: %q", returned, got)
		}
	}
}

// compoundReply begins the Reply of compoundCall.
func compoundReply(minor uint32, ops int) (x xdr) {
	x.words(0x5a000001, 1, 0, 0, 0, 0, 0, 0)
	if minor == 0 {
		x.words(uint32(ops + 1))
	} else {
		x.words(uint32(ops+2), 53, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0)
	}
	x.words(22, 0)
	return x
}

// result adds the result of an operation, and returns where its opaque begins.
func (x *xdr) result(op nfs.Op, n int) int {
	x.words(uint32(op), 0)
	switch op {
	case nfs.OpRead:
		x.words(1)
	case nfs.OpGetattr:
		x.words(1, 1<<12)
	}
	return x.opaque(n)
}

// judgeReply returns the names of the rules broken by a COMPOUND Reply with octets in Write chunks.
func judgeReply(message []byte, returned ...int) string {
	return judgeReplyOf(oncrpc.Procedure{Program: oncrpc.ProgramNFS, Version: 4, Number: 1}, message, returned...)
}

func judgeReplyOf(p oncrpc.Procedure, message []byte, returned ...int) string {
	var offered, used rpcrdma.WriteList
	for i, n := range returned {
		offered = offered.Append(rpcrdma.Segment{Handle: uint32(i), Length: 8192})
		used = used.Append(rpcrdma.Segment{Handle: uint32(i), Length: uint32(n)})
	}
	c := Call{Dialect: rpcrdma.DialectVersion1, Writes: offered, Procedure: p}
	m := rpcrdma.Message{Dialect: rpcrdma.DialectVersion1, Writes: used}
	var e Eligibility
	return violated(checkReply(&e, &c, &m, oncrpc.Exchange{Procedure: p}, message))
}

func TestCompoundResults(t *testing.T) {
	for minor := range uint32(3) {
		for _, op := range []nfs.Op{nfs.OpRead, nfs.OpReadlink, nfs.OpGetattr, nfs.OpGetFH} {
			for _, n := range []int{4096, 4093, 4094, 61, 128} {
				for after := range 2 {
					x := compoundReply(minor, 1+after)
					position := x.result(op, n)
					if after > 0 {
						x.result(nfs.OpGetattr, 12)
					}
					name := fmt.Sprintf("4.%d %v of %d octets, %d after", minor, op, n, after)
					check := func(what string, message []byte, returned int, want string, more ...int) {
						t.Helper()
						if got := judgeReply(message, append([]int{returned}, more...)...); got != want {
							t.Errorf("%s, %s: %q, want %q", name, what, got, want)
						}
					}
					reduced := x.without(position, n+oncrpc.Fill(n))
					if op != nfs.OpRead && op != nfs.OpReadlink {
						check("in a chunk", reduced, n, "rpc1-eligible")
						check("a part in a chunk", x.without(position, 40), 40, "rpc1-eligible")
						check("in a chunk of another length", reduced, n+4, "rpc1-eligible")
						check("in the second chunk", reduced, 0, "rpc1-eligible", n)
						check("in no chunk", reduced, 0, "rpc1-message")
						if oncrpc.Fill(n) > 0 {
							check("with roundup octets", x.without(position, n), n, "rpc1-eligible")
						}
						check("in the message", x, 0, "")
						continue
					}
					check("in a chunk", reduced, n, "")
					check("in a chunk of another length", reduced, n+4, "rpc1-write-length")
					check("in the message", x, 0, "rpc1-unreduced")
					check("in both", x, n, "rpc1-message")
					check("in the second chunk", reduced, 0, "rpc1-unreduced", n)
					check("in the third chunk", reduced, 0, "rpc1-unreduced", 0, n)
					check("in two chunks", reduced, n, "rpc1-eligible", n)
					if oncrpc.Fill(n) > 0 {
						check("with roundup octets", x.without(position, n), n, "rpc1-roundup")
					}
				}
			}
		}
	}
}

func TestReplyRoom(t *testing.T) {
	call := func(version, procedure uint32, arguments ...uint32) (x xdr) {
		x.words(0x5a000001, 0, 2, 100003, version, procedure, 0, 0, 0, 0)
		x.words(arguments...)
		return x
	}
	for count, want := range map[uint32]string{512: "", 4096: "rpc1-reply-room"} {
		readdir4 := compoundCall(0, 1)
		readdir4.words(26, 0, 0, 0, 0, count/4, count, 1, 0x18)
		sessions := compoundCall(1, 1)
		sessions.words(26, 0, 0, 0, 0, count/4, count, 1, 0x18)
		for name, message := range map[string]xdr{
			"v2 READDIR":     call(2, 16, 1, 2, 3, 4, 5, 6, 7, 8, 0, count),
			"v3 READDIR":     call(3, 16, 4, 1, 0, 0, 0, 0, count),
			"v3 READDIRPLUS": call(3, 17, 4, 1, 0, 0, 0, 0, count/4, count),
			"v4.0 READDIR":   readdir4,
			"v4.1 READDIR":   sessions,
		} {
			want := want
			if name == "v4.1 READDIR" {
				want = "" // the session may have a limit
			}
			var e Eligibility
			c := Call{Dialect: rpcrdma.DialectVersion1}
			if got := violated(checkCall(&e, &c, message, false, 1024, nil)); got != want {
				t.Errorf("%s of %d: %q, want %q", name, count, got, want)
			}
			c.Reply = c.Reply.Append(rpcrdma.Segment{Handle: 1, Length: 8192})
			if got := violated(checkCall(&e, &c, message, false, 1024, nil)); got != "" {
				t.Errorf("%s of %d with a Reply chunk: %q", name, count, got)
			}
		}
	}
}

// TestTwoReadChunks checks a COMPOUND with two reduced WRITEs, and one with one chunk at a wrong Position.
func TestTwoReadChunks(t *testing.T) {
	for _, first := range []int{4096, 4093, 61} {
		for _, second := range []int{512, 515, 61} {
			x := compoundCall(1, 4)
			p := x.argument(nfs.OpWrite, first)
			x.words(9, 1, 0x18)
			q := x.argument(nfs.OpWrite, second)
			x.words(9, 1, 0x18)
			message := xdr(x.without(q, second+oncrpc.Fill(second))).without(p, first+oncrpc.Fill(first))
			for shift := -16; shift <= 16; shift += 4 {
				c := Call{Dialect: rpcrdma.DialectVersion1}
				c.Reads = c.Reads.Append(uint32(p), rpcrdma.Segment{Handle: 1, Length: uint32(first)})
				c.Reads = c.Reads.Append(uint32(q+shift), rpcrdma.Segment{Handle: 1, Length: uint32(second)})
				var e Eligibility
				if got := violated(checkCall(&e, &c, message, false, 0, nil)); (got == "") != (shift == 0) {
					t.Errorf("%d and %d octets, the second shifted by %d: %q", first, second, shift, got)
				}
				c.Reads = c.Reads[:0].Append(uint32(p+shift), rpcrdma.Segment{Handle: 1, Length: uint32(first)})
				c.Reads = c.Reads.Append(uint32(q+shift), rpcrdma.Segment{Handle: 1, Length: uint32(second)})
				if got := violated(checkCall(&e, &c, message, false, 0, nil)); (got == "") != (shift == 0) {
					t.Errorf("%d and %d octets, both shifted by %d: %q", first, second, shift, got)
				}
			}
		}
	}
}
