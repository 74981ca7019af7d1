package rpcrules

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// xdr is a message in the making, as it was before reduction.
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

// without is the message without what is in a chunk: n octets at a position.
func (x xdr) without(position, n int) []byte {
	return slices.Concat(x[:position], x[position+n:])
}

// compoundCall begins a COMPOUND of a minor version with SEQUENCE, if it has that, and PUTFH.
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
func (x *xdr) argument(op oncrpc.Op, n int) (position int) {
	x.words(uint32(op))
	switch op {
	case oncrpc.OpWrite:
		x.words(1, 2, 3, 4, 0, 0, 2)
		return x.opaque(n)
	case oncrpc.OpCreate:
		x.words(5)
		position = x.opaque(n)
		x.opaque(4)
		x.words(1, 2)
		x.opaque(4)
		return position
	case oncrpc.OpSetattr:
		x.words(1, 2, 3, 4, 1, 1<<12)
		return x.opaque(n)
	case oncrpc.OpSetXattr:
		x.words(0)
		x.opaque(9)
		return x.opaque(n)
	}
	panic(op.String())
}

// judgeCall is the names of the rules that a Call breaks whose Read chunk of n octets is at a Position.
func judgeCall(position uint32, n int, message []byte, cut bool) string {
	c := Call{Dialect: rpcrdma.DialectVersion1}
	c.Reads = c.Reads.Append(position, rpcrdma.Segment{Handle: 1, Length: uint32(n)})
	var e Eligibility
	return violated(e.Call(&c, message, cut, 0, CheckPositions(c.Dialect, c.Reads, uint64(len(message)), nil)))
}

// compounds yields a COMPOUND Call for every minor version, operation, length and kind of operations that follow.
func compounds(ops []oncrpc.Op, yield func(name string, x xdr, position, n int)) {
	for minor := range uint32(3) {
		for _, op := range ops {
			for _, n := range []int{4096, 4093, 4094, 61, 8} {
				for after := range 3 {
					x := compoundCall(minor, 1+after)
					position := x.argument(op, n)
					if after > 0 {
						x.words(9, 1, 0x18)
					}
					if after > 1 {
						x.argument(oncrpc.OpWrite, 40)
					}
					yield(fmt.Sprintf("4.%d %v of %d octets, %d after", minor, op, n, after), x, position, n)
				}
			}
		}
	}
}

func TestCompoundPositions(t *testing.T) {
	eligible := []oncrpc.Op{oncrpc.OpWrite, oncrpc.OpCreate}
	compounds(eligible, func(name string, x xdr, position, n int) {
		inline := x.without(position, n+oncrpc.Fill(n))
		for shift := -60; shift <= 60; shift += 4 {
			if got := judgeCall(uint32(position+shift), n, inline, false); (got == "") != (shift == 0) {
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
		if got := judgeCall(uint32(position), n, x, false); got != "rpc1-message" && n > 3 {
			t.Errorf("%s in the message and in a chunk: %q", name, got)
		}
	})
	compounds([]oncrpc.Op{oncrpc.OpSetattr, oncrpc.OpSetXattr}, func(name string, x xdr, position, n int) {
		got := judgeCall(uint32(position), n, x.without(position, n+oncrpc.Fill(n)), false)
		want := "rpc1-eligible"
		if strings.Contains(name, "SETXATTR") && !strings.HasPrefix(name, "4.2") {
			want = "" // the minor version lacks the operation: what its arguments are is not known
		}
		if got != want {
			t.Errorf("%s: %q", name, got)
		}
	})
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
func (x *xdr) result(op oncrpc.Op, n int) int {
	x.words(uint32(op), 0)
	switch op {
	case oncrpc.OpRead:
		x.words(1)
	case oncrpc.OpGetattr:
		x.words(1, 1<<12)
	}
	return x.opaque(n)
}

// judgeReply is the names of the rules that a Reply breaks that returns octets in a Write chunk.
func judgeReply(returned int, message []byte) string {
	var offered, used rpcrdma.WriteList
	offered = offered.Append(rpcrdma.Segment{Handle: 1, Length: 8192})
	used = used.Append(rpcrdma.Segment{Handle: 1, Length: uint32(returned)})
	c := Call{Dialect: rpcrdma.DialectVersion1, Writes: offered, Compound: true}
	m := rpcrdma.Message{Dialect: rpcrdma.DialectVersion1, Writes: used}
	x := oncrpc.Exchange{Procedure: oncrpc.Procedure{Program: oncrpc.ProgramNFS, Version: 4, Number: 1}}
	var e Eligibility
	return violated(e.Reply(&c, &m, x, message, false, nil))
}

func TestCompoundResults(t *testing.T) {
	for minor := range uint32(3) {
		for _, op := range []oncrpc.Op{oncrpc.OpRead, oncrpc.OpReadlink, oncrpc.OpGetattr, oncrpc.OpGetFH} {
			for _, n := range []int{4096, 4093, 4094, 61, 128} {
				for after := range 2 {
					x := compoundReply(minor, 1+after)
					position := x.result(op, n)
					if after > 0 {
						x.result(oncrpc.OpGetattr, 12)
					}
					name := fmt.Sprintf("4.%d %v of %d octets, %d after", minor, op, n, after)
					check := func(what string, message []byte, returned int, want string) {
						t.Helper()
						if got := judgeReply(returned, message); got != want {
							t.Errorf("%s, %s: %q, want %q", name, what, got, want)
						}
					}
					reduced := x.without(position, n+oncrpc.Fill(n))
					if op != oncrpc.OpRead && op != oncrpc.OpReadlink {
						check("in a chunk", reduced, n, "rpc1-eligible")
						check("a part in a chunk", x.without(position, 40), 40, "rpc1-eligible")
						check("in the message", x, 0, "")
						continue
					}
					check("in a chunk", reduced, n, "")
					check("in a chunk of another length", reduced, n+4, "rpc1-write-length")
					check("in the message", x, 0, "rpc1-unreduced")
					check("in both", x, n, "rpc1-message")
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
			if got := violated(e.Call(&c, message, false, 1024, nil)); got != want {
				t.Errorf("%s of %d: %q, want %q", name, count, got, want)
			}
			c.Reply = c.Reply.Append(rpcrdma.Segment{Handle: 1, Length: 8192})
			if got := violated(e.Call(&c, message, false, 1024, nil)); got != "" {
				t.Errorf("%s of %d with a Reply chunk: %q", name, count, got)
			}
		}
	}
}

// TestTwoReadChunks looks at a COMPOUND both of whose WRITEs are reduced, and at one chunk of which the Position is wrong.
func TestTwoReadChunks(t *testing.T) {
	for _, first := range []int{4096, 4093, 61} {
		for _, second := range []int{512, 515, 61} {
			x := compoundCall(1, 4)
			p := x.argument(oncrpc.OpWrite, first)
			x.words(9, 1, 0x18)
			q := x.argument(oncrpc.OpWrite, second)
			x.words(9, 1, 0x18)
			message := xdr(x.without(q, second+oncrpc.Fill(second))).without(p, first+oncrpc.Fill(first))
			for shift := -16; shift <= 16; shift += 4 {
				c := Call{Dialect: rpcrdma.DialectVersion1}
				c.Reads = c.Reads.Append(uint32(p), rpcrdma.Segment{Handle: 1, Length: uint32(first)})
				c.Reads = c.Reads.Append(uint32(q+shift), rpcrdma.Segment{Handle: 1, Length: uint32(second)})
				var e Eligibility
				if got := violated(e.Call(&c, message, false, 0, nil)); (got == "") != (shift == 0) {
					t.Errorf("%d and %d octets, the second shifted by %d: %q", first, second, shift, got)
				}
			}
		}
	}
}
