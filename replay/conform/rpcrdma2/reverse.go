package rpcrdma2

// Calls in the reverse direction, which the procedure CALLBACK makes the peer send. Their XIDs are variables of the
// peer.

import (
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

// The levels of Reverse-Direction Support (section 5.2.5).
const (
	simple    rpctext.Word = 1
	continued rpctext.Word = 2
	general   rpctext.Word = 3
)

// reversing returns the properties that announce which Calls of the peer we accept.
func reversing(level rpctext.Word) rpctext2.Message {
	return rpctext2.Properties(rpctext2.Number(rpctext2.BRS, level))
}

// reversed returns the exchange of these properties.
func reversed(level rpctext.Word) string {
	return script(sends(reversing(level)), gets(rpctext2.AnyConnProp()))
}

// smallReversed returns the same exchange, with small Receives of ours.
func smallReversed(level rpctext.Word) string {
	m := rpctext2.Properties(rpctext2.Number(rpctext2.RBSIZ, smallReceive), rpctext2.Number(rpctext2.BRS, level))
	return script(sends(m), gets(rpctext2.AnyConnProp()))
}

// callsBack makes the peer send Calls: of ECHO with an item of n octets, or of NULL.
func callsBack(xid, calls, octets rpctext.Word) string {
	return script(asksBack(xid, calls, octets), gets(rpctext2.Reply(xid, none, rpctext.Reply(xid, rpctext.Success, ""))))
}

// triesToCallBack returns the same for a peer that must not send them, whether it reports that or not.
func triesToCallBack(xid, calls, octets rpctext.Word) string {
	return script(asksBack(xid, calls, octets), gets(rpctext2.Reply(xid, none, rpctext.Reply(xid, rpctext.Any, ""))))
}

func asksBack(xid, calls, octets rpctext.Word) string {
	return sends(rpctext2.Msg(xid, none, rpctext.CallOf(xid, rpctext.ProcCallback,
		rpctext.Callback(calls, octets)).String()))
}

// callbackOctet is the value of each octet of the items in Calls of the peer.
const callbackOctet = 0x5a

// placeholder is the XID that named replaces by a variable.
const placeholder rpctext.Word = 0x7a7a7a7a

// named replaces the placeholder in octets by the variable of an XID.
func named(octets, variable string) string {
	return strings.ReplaceAll(octets, placeholder.String(), variable+":be32")
}

// theirNull expects a Call of NULL, which sets the XID. Its credential may have any value.
func theirNull(variable string) string {
	return gets(named(theirCall(rpctext.ProcNull, "?*"), variable))
}

func theirCall(proc rpctext.Word, arguments string) string {
	return rpctext2.Msg(placeholder, none, rpctext.Join(rpctext.Words(placeholder, 0, 2, rpctext.Program,
		rpctext.ProgramVersion, proc), arguments)).Theirs()
}

// answer returns a Reply of ours to a Call of the peer.
func answer(results string) rpctext2.Message {
	return rpctext2.Msg(placeholder, none, rpctext.Reply(placeholder, rpctext.Success, results)).With(rpctext2.Response)
}

func answersNull(variable string) string { return "> Send " + named(answer("").String(), variable) }

// notTaken answers a Call of the peer by a message that does not complete it, and then by its Reply.
func notTaken(m rpctext2.Message) string {
	return script(reversed(simple), "var $a xid", callsBack(first, 1, 0), theirNull("$a"),
		"> Send "+named(m.String(), "$a"), counted(second, 1, 1, 0, 0), answersNull("$a"), counted(third, 2, 1, 1, 0))
}

// named returns the Call of NULL with the XID of a variable, and namedReply the Reply to it.
func (n null) named(variable string) string { return named(n.message(placeholder).String(), variable) }

func (n null) namedReply(variable string) string {
	return named(rpctext2.Reply(placeholder, none, n.reply(placeholder)), variable)
}

// asksReport asks what was executed on the connection, and what became of the Calls of the peer.
func asksReport(xid rpctext.Word) string {
	return sends(rpctext2.Msg(xid, none, rpctext.CallOf(xid, rpctext.ProcReport, "").String()))
}

func counted(xid, executed, sent, answered, refused rpctext.Word) string {
	report := rpctext.Report(executed, sent, answered, refused)
	return script(asksReport(xid), gets(rpctext2.Reply(xid, none, rpctext.Reply(xid, rpctext.Success, report))))
}
