package rpcrdma2

// Section 7: errors in general.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

// prefixLen is the length in octets of the prefix of each message.
const prefixLen = 20

var xids = []rpctext.Word{0, 1, 0x7fffffff, 0x80000000, 0xdeadbeef, 0xffffffff}

var section7 = adapted("7", "error handling", func() []conform.Case {
	return []conform.Case{
		{Name: "short-messages-discarded", Requirements: []string{"RPCRDMA2-7-1"}, Begin: begun,
			Says: "A message of fewer than 20 octets is discarded without an answer.",
			Ask: asking(func(n null) (scripts []string) {
				for octets := range prefixLen {
					scripts = append(scripts, script(short(n.message(first), octets), n.answered(second)))
				}
				return scripts
			})},
		{Name: "short-messages-of-any-kind", Requirements: []string{"RPCRDMA2-7-1"}, Begin: begun,
			Says: "So it is whatever the message would have been.",
			Ask: asking(func(n null) (scripts []string) {
				unknown, other := n.message(first), n.message(first)
				unknown.HType, other.Vers = 6, 3
				for _, m := range []rpctext2.Message{unknown, other, late(rpctext2.Properties()), rpctext2.NoMsg(0, none),
					rpctext2.Refusing(first, rpctext2.System)} {
					for _, octets := range []int{4, 12, 15, 16, 19} {
						scripts = append(scripts, script(short(m, octets), n.answered(second)))
					}
				}
				return scripts
			})},
		{Name: "short-messages-in-a-row", Requirements: []string{"RPCRDMA2-7-1"}, Begin: begun,
			Says: "Several of them leave the connection as it is.",
			Ask: asking(func(n null) []string {
				var lines []string
				for octets := range prefixLen {
					lines = append(lines, short(n.message(first), octets))
					if octets%5 == 4 {
						lines = append(lines, n.answered(second))
					}
				}
				return []string{script(lines...)}
			})},
		{Name: "xid-in-errors", Requirements: []string{"RPCRDMA2-7-2", "RPCRDMA2-7-3"}, Begin: begun,
			Says: "An RDMA2_ERROR has the XID of the message that it is about, whatever that is.",
			Ask: askingEach(func(n null, xid rpctext.Word) string {
				unknown := n.message(xid)
				unknown.HType = 6
				properties := late(rpctext2.Properties())
				properties.XID = xid
				return script(refused(unknown, rpctext2.InvalHType), refused(properties, rpctext2.InvalHType),
					refused(rpctext2.Msg(xid, none, n.call(xid^1)), rpctext2.BadXDR))
			}, xids...)},
		{Name: "errors-in-order", Requirements: []string{"RPCRDMA2-7-2"}, Begin: begun,
			Says: "Messages that come at once are each answered with their own XID.",
			Ask: asking(func(n null) []string {
				bad := n.message(second)
				bad.HType = 7
				return []string{script(n.asks(first), sends(bad), n.asks(third), n.answers(first),
					gets(rpctext2.Error(second, rpctext2.InvalHType)),
					n.answers(third))}
			})},
		{Name: "unknown-error-discarded", Requirements: []string{"RPCRDMA2-7-6"}, Begin: begun,
			Says: "Nothing is answered to an RDMA2_ERROR whose code is unknown.",
			Ask: asking(func(n null) (scripts []string) {
				for _, code := range unknownCodes {
					scripts = append(scripts,
						script(sends(rpctext2.Refusing(first, code)), n.answered(second)),
						script(sends(rpctext2.Refusing(first, code, 1, 2)), n.answered(first)))
				}
				return scripts
			})},
		{Name: "error-about-nothing", Requirements: []string{"RPCRDMA2-7-6", "RPCRDMA2-6.1-1"}, Begin: begun,
			Says: "No other RDMA2_ERROR is answered either, complete or not.",
			Ask: asking(func(n null) (scripts []string) {
				for _, m := range []rpctext2.Message{
					rpctext2.Refusing(first, rpctext.ErrVers, 1, 2), rpctext2.Refusing(first, rpctext.ErrVers, 1),
					rpctext2.Refusing(first, rpctext.ErrVers), rpctext2.Refusing(first, rpctext2.BadXDR),
					rpctext2.Refusing(first, rpctext2.BadPropval), rpctext2.Refusing(first, rpctext2.InvalHType),
					rpctext2.Refusing(first, rpctext2.InvalCont), rpctext2.Refusing(first, rpctext2.ReadChunks),
					rpctext2.Refusing(first, rpctext2.WriteChunks, 1), rpctext2.Refusing(first, rpctext2.Segments, 1),
					rpctext2.Refusing(first, rpctext2.WriteResource, 1, 4096), rpctext2.Refusing(first, rpctext2.WriteResource),
					rpctext2.Refusing(first, rpctext2.ReplyResource, 4096), rpctext2.Refusing(first, rpctext2.System),
					{XID: first, Vers: 2, Credit: rpctext2.NextGrant, HType: rpctext.RDMAError},
				} {
					scripts = append(scripts, script(sends(m), n.answered(second)))
				}
				flagged := rpctext2.Refusing(first, rpctext2.System).With(rpctext2.TPMore)
				return append(scripts, notAnswered(n, flagged, rpctext2.InvalHType))
			})},
		{Name: "unknown-error-to-a-call", Requirements: []string{"RPCRDMA2-7-6"}, Need: conform.RPCReverse, Begin: bare,
			Says: "An RDMA2_ERROR with an unknown code does not complete a Call of the peer: its Reply does.",
			Ask: conform.EachOf(func(code rpctext.Word) string {
				return notTaken(rpctext2.Refusing(placeholder, code))
			}, unknownCodes...)},
		{Name: "error-to-a-call", Requirements: []string{"RPCRDMA2-7-6", "RPCRDMA2-6.1-1"},
			Need: conform.RPCReverse, Begin: bare,
			Says: "An RDMA2_ERROR with a known code completes a Call of the peer, and a Reply after it is " +
				"discarded.",
			Ask: conform.EachOf(func(code rpctext.Word) string {
				return script(reversed(simple), "var $a xid", callsBack(first, 1, 0), theirNull("$a"),
					"> Send "+named(rpctext2.Refusing(placeholder, code).String(), "$a"), counted(second, 1, 1, 0, 1),
					answersNull("$a"), counted(third, 2, 1, 0, 1))
			}, rpctext2.BadXDR, rpctext2.InvalHType, rpctext2.InvalCont, rpctext2.System)},
		{Name: "bad-replies-discarded", Requirements: []string{"RPCRDMA2-7.2-1", "RPCRDMA2-6.2.2.2-3", "RPCRDMA2-6.2.2.2-7"},
			Need: conform.RPCReverse, Begin: bare,
			Says: "The peer does not answer a wrong Reply of ours, and waits for the right one.",
			Ask:  conform.EachOf(notTaken, badReplies()...)},
	}
})

// notAnswered sends an RDMA2_ERROR with a flag, and expects no answer: the Reply to a NULL comes first. Taken
// literally, the draft has the flag demand an answer in any message; then the Reply comes second, or the connection
// ends before it.
func notAnswered(n null, m rpctext2.Message, code rpctext.Word) string {
	reply := rpctext2.Reply(second, none, n.reply(second))
	return script(sends(m), n.asks(second), "< OneOf", "or Send "+reply,
		`may "the draft has no exception for errors, although errors about errors would never end" Send `+
			rpctext2.Error(m.XID, code),
		"> FIN", "< OneOf", "or Send "+reply, "or FIN", "or Reset")
}

// unknownCodes are undefined values of rdma_err.
var unknownCodes = []rpctext.Word{0, 11, 12, 99, 101, 0x10000, 0x80000001, 0xffffffff}

// short sends the first octets of a message.
func short(m rpctext2.Message, octets int) string {
	if octets == 0 {
		return "> Send"
	}
	return fmt.Sprintf("> Send %s", rpctext.Cut(m.String(), octets))
}

// badReplies returns Replies of ours to a Call of NULL, each of which breaks a rule.
func badReplies() []rpctext2.Message {
	reply := func(xid rpctext.Word) string { return rpctext.Reply(xid, rpctext.Success, "") }
	good := answer("")
	otherXID, otherInside, aCall := good, good, good
	otherXID.XID = 0x01020304
	otherInside.Body = rpctext2.Msg(0, none, reply(0x01020304)).Body
	aCall.Body = rpctext2.Msg(0, none, rpctext.CallOf(placeholder, rpctext.ProcNull, "").String()).Body
	cutShort, noBody := good, rpctext2.NoMsg(placeholder, none).With(rpctext2.Response)
	cutShort.Body = rpctext.Words(0, 0)
	return []rpctext2.Message{otherXID, otherInside, aCall, cutShort, noBody, good.With(rpctext2.TPMore)}
}
