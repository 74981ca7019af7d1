package rpcrdma2

// Script lines that many cases share.

import (
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

var about = conform.About("RPCRDMA-V2-01", conform.RPCService)

// How connections begin: with the properties of both ends, or as the script says.
var (
	begun = conform.Begin{RPC: 2}
	bare  = conform.Begin{RPC: 2, NoProperties: true}
)

// singly limits the peer to one outstanding RDMA Read, so that Reads have only one order.
var singly = conform.Begin{RPC: 2, IRD: 1}

// The XIDs of our Calls.
const (
	first  rpctext.Word = 0x0101
	second rpctext.Word = 0x0102
	third  rpctext.Word = 0x0103
	fourth rpctext.Word = 0x0104
)

var none = rpctext.Chunks{}

func script(lines ...string) string { return strings.Join(lines, "\n") }

func sends(m rpctext2.Message) string { return "> Send " + m.String() }

func gets(octets string) string { return "< Send " + octets }

func getsOneOf(octets ...string) string {
	return "< OneOf\nor Send " + strings.Join(octets, "\nor Send ")
}

// refused sends a message, and expects an RDMA2_ERROR with its XID, a code, and what follows the code.
func refused(m rpctext2.Message, code rpctext.Word, more ...rpctext.Word) string {
	return script(sends(m), gets(rpctext2.Error(m.XID, code, more...)))
}

func eachRefused(code rpctext.Word, messages ...rpctext2.Message) (scripts []string) {
	for _, m := range messages {
		scripts = append(scripts, refused(m, code))
	}
	return scripts
}

// over ends the connection from both sides while something is outstanding.
const over = "> FIN\n< OneOf\nor FIN\nor Reset"

// A null is the procedure NULL of a program, and the status with which the peer answers it.
type null struct{ program, version, stat rpctext.Word }

// nullOf returns the NULL that the survey found.
func nullOf(s *conform.Setup) null {
	p := s.Peer.RPC
	return null{rpctext.Word(p.Program), rpctext.Word(p.ProgramVersion), rpctext.Word(p.Stat)}
}

// asking returns the Ask of a case that needs only NULL.
func asking(scripts func(n null) []string) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string { return scripts(nullOf(s)) }
}

// askingEach returns asking with a connection for each of some values.
func askingEach[T any](script func(n null, v T) string, values ...T) func(*conform.Setup) []string {
	return conform.EachWith(func(s *conform.Setup, v T) string { return script(nullOf(s), v) }, values...)
}

func (n null) call(xid rpctext.Word) string { return rpctext.NullCall(xid, n.program, n.version) }

func (n null) reply(xid rpctext.Word) string { return rpctext.Reply(xid, n.stat, "") }

func (n null) message(xid rpctext.Word) rpctext2.Message { return rpctext2.Msg(xid, none, n.call(xid)) }

func (n null) asks(xid rpctext.Word) string { return sends(n.message(xid)) }

func (n null) answers(xid rpctext.Word) string { return gets(rpctext2.Reply(xid, none, n.reply(xid))) }

func (n null) answered(xid rpctext.Word) string { return script(n.asks(xid), n.answers(xid)) }

// echo and plain are RPC Calls of the program, with items.
func echo(xid rpctext.Word, items ...rpctext.Item) string {
	return rpctext.CallOf(xid, rpctext.ProcEcho, rpctext.Items(items...)).String()
}

func plain(xid rpctext.Word, items ...rpctext.Item) string {
	return rpctext.CallOf(xid, rpctext.ProcPlain, rpctext.Items(items...)).String()
}

// echoed returns the RPC Reply to either.
func echoed(xid rpctext.Word, items ...rpctext.Item) string {
	return rpctext.Reply(xid, rpctext.Success, rpctext.Items(items...))
}

// reports asks how many Calls were executed on the connection, and checks the answer.
func reports(xid, calls rpctext.Word) string { return counted(xid, calls, 0, 0, 0) }

// withLine returns the scripts with a line appended to each.
func withLine(scripts []string, line string) (all []string) {
	for _, s := range scripts {
		all = append(all, script(s, line))
	}
	return all
}

// notExecuted returns the scripts with the question how many Calls were executed, and the answer: none.
func notExecuted(ask func(*conform.Setup) []string) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string { return withLine(ask(s), reports(second, 0)) }
}

// segment returns the n-th piece of our memory in a Call.
func segment(n, length int) rpctext.Segment {
	return rpctext.Segment{Handle: 0x5000 + uint32(n), Length: uint32(length), Offset: 0x10000 * uint64(n)}
}

// segments returns several, the first of which is the n-th, of some lengths.
func segments(n int, lengths ...int) []rpctext.Segment {
	all := []rpctext.Segment{}
	for i, length := range lengths {
		all = append(all, segment(n+i, length))
	}
	return all
}

var absent = rpctext.Item{Absent: true}

// echoes returns an ECHO, the transfers of its chunks, and its Reply.
func echoes(e rpctext.Echo) string {
	x := e.Exchange()
	return script(sends(rpctext2.Msg(first, x.Sent, echo(first, x.Arguments...))), x.Moves,
		gets(rpctext2.Reply(first, x.Returned, echoed(first, x.Results...))))
}

// special returns the chunks of a Call that is in one segment.
func special(s rpctext.Segment) rpctext.Chunks {
	return rpctext.Chunks{Reads: []rpctext.ReadSegment{{Segment: s}}}
}

// part returns a message with some octets of a Call of NULL, whose XID is first. It has RDMA2_F_MORE unless these are the
// last ones.
func part(n null, from, to int) rpctext2.Message {
	m := rpctext2.Msg(first, none, cut(n.call(first), from, to))
	if to < rpctext.CallLen {
		m = m.With(rpctext2.More)
	}
	return m
}

// cut returns a piece of octets that are written in hexadecimal digits.
func cut(octets string, from, to int) string {
	digits := strings.ReplaceAll(octets, " ", "")
	return digits[2*from : 2*to]
}

// divide returns an RPC Call in messages with a number of its octets each. The last one has the chunks.
func divide(xid rpctext.Word, c rpctext.Chunks, call string, octets int) (parts []rpctext2.Message) {
	total := rpctext.Len(call)
	at := 0
	for ; at+octets < total; at += octets {
		parts = append(parts, rpctext2.Msg(xid, none, cut(call, at, at+octets)).With(rpctext2.More))
	}
	return append(parts, rpctext2.Msg(xid, c, cut(call, at, total)))
}

// sendsAll sends messages one after the other.
func sendsAll(messages ...rpctext2.Message) string {
	var lines []string
	for _, m := range messages {
		lines = append(lines, sends(m))
	}
	return script(lines...)
}
