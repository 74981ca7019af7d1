package rfc8167

// Script lines that many cases share.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

// The XIDs of our own Calls count from here.
const firstXID rpctext.Word = 0x101

var about = conform.About("RFC8167", conform.RPCService)

func script(lines ...string) string { return strings.Join(lines, "\n") }

var none rpctext.Chunks

// silent expects that the peer sends nothing for as long as it would have needed.
const silent = "< Silence"

// still expects no Call of the peer: silence, then the Reply to a NULL of ours. Without the NULL a Call could match one
// that is expected later.
func still(xid rpctext.Word) string { return script(silent, null(xid)) }

func asks(xid, proc rpctext.Word, arguments, results string) string {
	return script(
		"> Send "+rpctext.Msg(xid, none, rpctext.CallOf(xid, proc, arguments).String()).String(),
		"< Send "+rpctext.Msg(xid, none, rpctext.Reply(xid, rpctext.Success, results)).Theirs())
}

func null(xid rpctext.Word) string { return asks(xid, rpctext.ProcNull, "", "") }

// callback makes the peer call back: a number of Calls of NULL, or of ECHO of an item of a length.
func callback(xid, calls, octets rpctext.Word) string {
	return asks(xid, rpctext.ProcCallback, rpctext.Callback(calls, octets), "")
}

// reports returns the peer's report of the Calls that it has sent.
func reports(xid, sent, answered, refused rpctext.Word) string {
	return asks(xid, rpctext.ProcReport, "", rpctext.Report(rpctext.Any, sent, answered, refused))
}

// theirXID is the XID of a Call of the peer until it is known.
const theirXID rpctext.Word = 0x7f1d7f1d

// of returns octets with the XID of the peer's n-th Call.
func of(n int, octets string) string {
	return strings.ReplaceAll(octets, theirXID.String(), fmt.Sprintf("$call%d:be32", n))
}

// comes expects the peer's n-th Call, of NULL or of ECHO of an item of a length: with its XID in the header and in the
// RPC message, version 1, and no chunks.
func comes(n, octets int) string {
	proc, arguments := rpctext.ProcNull, ""
	if octets > 0 {
		proc, arguments = rpctext.ProcEcho, rpctext.Items(rpctext.Filled(fill, octets))
	}
	return script(fmt.Sprintf("var $call%d xid", n),
		of(n, "< Send "+rpctext.Msg(theirXID, none, rpctext.CallOf(theirXID, proc, arguments).String()).Theirs()))
}

// fill is the value of each octet of the peer's items.
const fill = 0x5a

// some returns the peer's Calls of NULL from one number to another.
func some(from, to int) string {
	var lines []string
	for n := from; n <= to; n++ {
		lines = append(lines, comes(n, 0))
	}
	return script(lines...)
}

// reply returns our Reply to a Call of NULL, with the credits that it grants.
func reply(granted rpctext.Word) rpctext.Message1 {
	m := rpctext.Msg(theirXID, none, rpctext.Reply(theirXID, rpctext.Success, ""))
	m.Credit = granted
	return m
}

// answers returns our Reply to the peer's n-th Call of NULL, with the credits that it grants.
func answers(n int, granted rpctext.Word) string { return sends(n, reply(granted)) }

// sends returns a message of ours with the XID of the peer's n-th Call.
func sends(n int, m rpctext.Message1) string { return of(n, "> Send "+m.String()) }
