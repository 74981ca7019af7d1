package rpcrules

// What the Write chunks of a Reply hold: DDP-eligible data, each item in the chunk that is offered for it (RFC 8166,
// section 4.3.2; RFC 8267, section 6.4.1).

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// Reply checks the chunks of a Reply and appends their violations to v. m is the header of its last part; message is
// the RPC message without what is in Write chunks, of which the first n octets are the header h; cut says that it is
// incomplete. x belongs to the Call.
func (e *Eligibility) Reply(
	c *Call, m *rpcrdma.Message, x oncrpc.Exchange, h *oncrpc.Reply, n int, message []byte, cut bool, v []rules.Violation,
) []rules.Violation {
	e.reply, e.len = *h, n
	if x.Procedure.Program != oncrpc.ProgramNFS && !hasNoItems(x.Procedure) || x.Protection != oncrpc.Plain {
		return v
	}
	e.offer(c)
	e.items.Mistake = nfs.NoMistake
	e.items.Returned = e.items.Returned[:0]
	reduced := false
	for chunk := range m.Writes.Chunks() {
		if len(e.items.Returned) == MaxChunks {
			break
		}
		e.items.Returned = append(e.items.Returned, chunk.Length())
		reduced = reduced || chunk.Length() > 0
	}
	before := len(v)
	v, taken := e.walkReply(c, x, message, v)
	end, whole := e.items.End()
	if !whole && !cut && reduced {
		mistakes := [...]nfs.Mistake{nfs.Unrounded, nfs.Doubled, nfs.Displaced}
		for i := range len(mistakes) + maxSuspects {
			e.items.Mistake, e.items.Suspect = nfs.Misplaced, i-len(mistakes)
			if i < len(mistakes) {
				e.items.Mistake = mistakes[i]
			}
			again, _ := e.walkReply(c, x, message, v[:before:before])
			if end, ok := e.items.End(); ok && end == len(message) {
				return e.mistaken(c, e.items.Mistake, again)
			}
		}
	}
	broken := e.items.Broken()
	if cut || !whole && !broken && (x.Procedure.IsCompound() || !reduced) {
		return v
	}
	for i := taken; i < len(e.items.Returned); i++ {
		if n := e.items.Returned[i]; n > 0 {
			return append(v, ruleEligible.Breach(c.Dialect,
				fmt.Sprintf("%d octets in Write chunk %d of %v", n, i+1, x.Procedure),
				"none: no result belongs there"))
		}
	}
	switch {
	case whole:
		v = checkRest(c.Dialect, message[end:], reduced, v)
	case broken && len(e.offers) > 0 && len(v) == before:
		v = append(v, ruleMessage.Breach(c.Dialect, "an end within the results", "what is in no chunk"))
	}
	return v
}

// maxSuspects limits how many opaques of a Reply are tried as the one that a Write chunk wrongly holds.
const maxSuspects = 16

// walkReply checks the Write chunks of the results of a Reply, and returns how many results have one.
func (e *Eligibility) walkReply(
	c *Call, x oncrpc.Exchange, message []byte, v []rules.Violation,
) (_ []rules.Violation, taken int) {
	for e.items.BeginReply(&e.reply, e.len, message, x); e.items.Next(); {
		v = e.result(c, &e.items.Item, v)
		taken = e.items.Index + 1
	}
	return v, taken
}

// result checks the Write chunk of a result, if it was offered one.
func (e *Eligibility) result(c *Call, item *nfs.Item, v []rules.Violation) []rules.Violation {
	if before := item.Index - 1; e.items.Mistake == nfs.Displaced && before >= 0 && e.items.Returned[before] == 0 {
		v = append(v, ruleUnreduced.Breach(c.Dialect,
			fmt.Sprintf("%d octets in Write chunk %d", item.Length, item.Index+1), "in the first unused one"))
	}
	switch {
	case item.Index >= len(e.offers) || item.Length == 0 && !item.Reduced || e.items.Mistake == nfs.Doubled:
	case !item.Reduced && e.offers[item.Index].Length() > 0:
		v = append(v, ruleUnreduced.Breach(c.Dialect,
			fmt.Sprintf("%d octets in the message", item.Length), fmt.Sprintf("in Write chunk %d", item.Index+1)))
	case item.Reduced && e.items.Returned[item.Index] != item.Length:
		v = append(v, ruleWriteLength.Breach(c.Dialect,
			fmt.Sprintf("%d octets in Write chunk %d", e.items.Returned[item.Index], item.Index+1),
			fmt.Sprint(item.Length)))
	}
	return v
}
