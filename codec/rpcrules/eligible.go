package rpcrules

// What RPC-over-RDMA may move in chunks: the DDP-eligible items of NFS (RFC 8267), and nothing that SEC_GSS protects
// (RFC 8166, section 8.2.2; draft 01, section 11.2.2).

import (
	"fmt"
	"math"
	"slices"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var (
	ruleEligible = newPair("eligible", rules.Error,
		"A chunk other than one for a whole RPC message must hold the octets of one item that is "+
			"DDP-eligible, whose length must stay in the message.",
		"RPCRDMA1-3.4.2-2 RPCRDMA1-6.1-1 RPCRDMA1-3.4.4.1-1 RPCRDMA1-3.4.4.2-1 RPCRDMA1-3.4.4.4-1",
		"RPCRDMA2-4.3.2-2 RPCRDMA2-4.3.4.1-1 RPCRDMA2-4.3.4.1-2 RPCRDMA2-4.3.4.2-1 RPCRDMA2-4.3.4.2-2 "+
			"RPCRDMA2-4.3.4.4-1")
	ruleReadLength = newPair("read-length", rules.Error,
		"A Read chunk must be as long as its item.",
		"RPCRDMA1-3.4.5.2-3 RPCRDMA1-3.4.5.2-2 RPCRDMA1-3.4.4-2", "RPCRDMA2-4.3.5.2-2 RPCRDMA2-4.3.4-2", grave, in("rpcordma.rdma_length"))
	ruleV1ReadPad = newRule("rpc1-read-pad", rules.Warning,
		"A Read chunk should not include roundup octets.", "RPCRDMA1-3.4.5.2-1", in("rpcordma.rdma_length"))
	ruleV2ReadPad = newRule("rpc2-read-pad", rules.Error,
		"A Read chunk must not include roundup octets.", "RPCRDMA2-4.3.5.2-1", in("rpcordma.rdma_length"))
	ruleRoundup = newPair("roundup", rules.Error,
		"The roundup octets of an item that is in a chunk must not be in the message.",
		"RPCRDMA1-3.4.4.4-2", "RPCRDMA2-4.3.4.4-2", grave)
	ruleRoom = newPair("write-room", rules.Error,
		"A Write chunk must have room for the longest item that the Call asks for.",
		"RPCRDMA1-3.4.6-1 RPCRDMA1-4.3.2.2-2", "RPCRDMA2-4.3.6-1", in("rpcordma.rdma_length"))
	ruleV1RoomPad = newRule("rpc1-write-room-pad", rules.Warning,
		"A Write chunk should have no room for roundup octets.", "RPCRDMA1-3.4.6.2-1", in("rpcordma.rdma_length"))
	ruleV2RoomPad = newRule("rpc2-write-room-pad", rules.Error,
		"A Write chunk must have no room for roundup octets.", "RPCRDMA2-4.3.6.2-1", in("rpcordma.rdma_length"))
	ruleWriteLength = newPair("write-length", rules.Error,
		"The data in a Write chunk of a Reply must be as long as its item.", "RPCRDMA1-3.4.6.2-3", "RPCRDMA2-4.3.6.2-3", grave,
		in("rpcordma.rdma_length"))
	ruleUnreduced = newPair("unreduced", rules.Error,
		"A result that is DDP-eligible must be put into the Write chunk that the Call offers for it.",
		"RPCRDMA1-4.3.2-1 RPCRDMA1-4.3.2.1-1 RPCRDMA1-3.5.3-5 RPCRDMA1-6.1-5", "RPCRDMA2-A.1-2")
	ruleReplyRoom = newRule("rpc1-reply-room", rules.Error,
		"A Call must offer a Reply chunk, or Write chunks, if its longest Reply would exceed the threshold without them.",
		"RPCRDMA1-4.3.3-1")
	ruleGSS = newPair("gss-reduced", rules.Error,
		"No item may be reduced where RPCSEC_GSS provides integrity or privacy.",
		"RPCRDMA1-8.2.2.3-2", "RPCRDMA2-11.2.2.3-2")
	ruleAuth = newPair("auth-reduced", rules.Error,
		"Credentials, verifiers and the control messages of RPCSEC_GSS must not be reduced.",
		"RPCRDMA1-8.2.2-1", "RPCRDMA2-11.2.2-1")
)

// An Eligibility checks what chunks hold. The zero value is ready for use; it reuses its memory.
type Eligibility struct {
	call   oncrpc.Call  // the header of the Call
	reply  oncrpc.Reply // or that of the Reply
	len    int          // of that header, in octets
	items  nfs.Items
	used   []bool // by Position: an item belongs there
	offers []rpcrdma.WriteChunk
}

// Call checks the chunks of a Call and appends their violations to v. message is the RPC message without what is in
// Read chunks at Positions other than 0, of which the first n octets are the header h; cut says that it is incomplete.
// threshold is the inline threshold of its Reply in octets, 0 if unknown. Only NFS programs are known.
func (e *Eligibility) Call(c *Call, h *oncrpc.Call, n int, message []byte, cut bool, threshold int, v []rules.Violation) []rules.Violation {
	e.Positions(c)
	e.offer(c)
	if len(e.items.Positions) == 0 && len(e.offers) == 0 && cut {
		return v
	}
	e.call, e.len = *h, n
	for _, p := range e.items.Positions {
		if uint64(p) < uint64(n) {
			return append(v, ruleAuth.Breach(c.Dialect,
				fmt.Sprintf("Position %d", p), fmt.Sprintf("at least %d, after the header of the Call", n)))
		}
	}
	if broken, rule := e.protected(h.Protection()); broken {
		return append(v, rule.Breach(c.Dialect,
			"chunks in a Call with protection "+h.Protection().String(), "none except for the whole message"))
	}
	p := h.Procedure()
	if c.Procedure.Program == oncrpc.ProgramNFSCB {
		p = c.Procedure
	}
	if hasNoItems(p) && len(e.items.Positions) > 0 {
		return append(v, ruleEligible.Breach(c.Dialect, fmt.Sprintf("a Read chunk for %v", p), "none"))
	}
	if p.Program != oncrpc.ProgramNFS || h.Protection() != oncrpc.Plain {
		return v
	}
	return e.arguments(c, p, message, cut, threshold, v)
}

// hasNoItems reports whether no data of a program is DDP-eligible: RFC 8267, sections 5.2 and 6.5.
func hasNoItems(p oncrpc.Procedure) bool {
	return p.Program == oncrpc.ProgramNFSACL || p.Program == oncrpc.ProgramNFSCB
}

// Positions returns those of the checked Read chunks of a Call, but 0: see MaxChunks. They are valid until the next
// call of a method.
func (e *Eligibility) Positions(c *Call) []uint32 {
	e.items.Positions, e.items.Offered, e.used = e.items.Positions[:0], e.items.Offered[:0], e.used[:0]
	for p := range c.Reads.Positions() {
		if len(e.used) == MaxChunks {
			break
		}
		if p != 0 {
			e.items.Positions, e.used = append(e.items.Positions, p), append(e.used, false)
			e.items.Offered = append(e.items.Offered, c.Reads.Length(p))
		}
	}
	return e.items.Positions
}

// offer records the checked chunks of the Write list.
func (e *Eligibility) offer(c *Call) {
	e.offers = e.offers[:0]
	for chunk := range c.Writes.Chunks() {
		if len(e.offers) == MaxChunks {
			break
		}
		e.offers = append(e.offers, chunk)
	}
}

// protected reports a reduced item that SEC_GSS protects.
func (e *Eligibility) protected(p oncrpc.Protection) (bool, Pair) {
	reduced := len(e.items.Positions) > 0
	for _, chunk := range e.offers {
		reduced = reduced || chunk.Count() > 0
	}
	switch p {
	case oncrpc.Integrity, oncrpc.Encrypted:
		return reduced, ruleGSS
	case oncrpc.Context:
		return reduced, ruleAuth
	}
	return false, Pair{}
}

// arguments checks the chunks of an NFS Call against its arguments.
func (e *Eligibility) arguments(
	c *Call, p oncrpc.Procedure, message []byte, cut bool, threshold int, v []rules.Violation,
) []rules.Violation {
	e.items.Mistake = nfs.NoMistake
	before := len(v)
	v, inline := e.walkCall(c, message, v)
	end, whole := e.items.End()
	last, stray := e.unplaced(math.MaxUint64)
	position, astray := e.unplaced(e.items.Reached())
	if !cut && len(e.used) > 0 && (stray || !whole || end != len(message)) {
		if again, ok := e.mistakenCall(c, message, v[:before:before]); ok {
			return again
		}
	}
	if astray {
		return append(v, unplaced(c, p, position))
	}
	if c.Dialect == rpcrdma.DialectVersion1 && threshold > 0 && inline > uint64(threshold) && !c.Reply.Present() {
		v = append(v, ruleReplyRoom.Breach(
			fmt.Sprintf("a Reply of at least %d octets without a chunk", inline),
			fmt.Sprintf("a Reply chunk: at most %d octets come in a Send", threshold)))
	}
	broken := e.items.Broken()
	if !whole && (cut || p.IsCompound() && !broken) {
		return v // what cannot be measured may hold anything
	}
	switch {
	case stray:
		return append(v, unplaced(c, p, last))
	case whole && !cut:
		return checkRest(c.Dialect, message[end:], len(e.used) > 0, v)
	case broken && len(e.used) > 0 && len(v) == before:
		return append(v, ruleMessage.Breach(c.Dialect, "an end within the arguments", "what is in no chunk"))
	}
	return v
}

// mistakenCall checks a Call on the assumption of the one mistake of its sender under which all of it can be measured,
// if there is one.
func (e *Eligibility) mistakenCall(c *Call, message []byte, v []rules.Violation) (_ []rules.Violation, ok bool) {
	for i := range 2 + maxSuspects {
		switch e.items.Suspect = i - 1; i {
		case 0:
			e.items.Mistake = nfs.Unrounded
		case 1 + maxSuspects:
			e.items.Mistake = nfs.Doubled
		default:
			e.items.Mistake = nfs.Displaced
		}
		again, _ := e.walkCall(c, message, v)
		_, stray := e.unplaced(math.MaxUint64)
		if end, ok := e.items.End(); ok && !stray && end == len(message) {
			return e.mistaken(c, e.items.Mistake, again), true
		}
	}
	return v, false
}

// unplaced reports a Position at which no DDP-eligible item begins.
func unplaced(c *Call, p oncrpc.Procedure, position uint32) rules.Violation {
	return ruleEligible.Breach(c.Dialect,
		fmt.Sprintf("Position %d in a Call of %v", position, p), "the beginning of a DDP-eligible item")
}

// walkCall checks the Read and Write chunks of the items of a Call, as far as the Call can be measured and up to a
// Position at which no item begins. inline is the minimum length in octets of the longest Reply without a Reply chunk.
func (e *Eligibility) walkCall(c *Call, message []byte, v []rules.Violation) (_ []rules.Violation, inline uint64) {
	clear(e.used)
	taken := 0
	inline = uint64(rpcrdma.MinVersion1 + oncrpc.MinAcceptedLen)
	for e.items.BeginCall(&e.call, e.len, message); e.items.Next(); {
		item := &e.items.Item
		switch {
		case item.Result:
		case item.Reduced && e.items.Mistake == nfs.Displaced:
			v = e.displaced(c, item, taken, v)
			taken++
			continue
		case item.Reduced || e.items.Mistake == nfs.Doubled:
			e.use(item.Position)
		}
		if _, astray := e.unplaced(e.items.Reached()); astray {
			break
		}
		switch {
		case item.Result && item.Index < len(e.offers) && e.offers[item.Index].Count() > 0:
			v = e.room(c, item, v)
		case item.Result:
			inline += item.Length
		case item.Reduced:
			v = argument(c, c.Reads.Length(uint32(item.Position)), item, v)
		}
	}
	return v, inline + e.items.Most()
}

// displaced records that the Read chunk with an index holds an item, and checks its Position, unless that was already
// reported.
func (e *Eligibility) displaced(c *Call, item *nfs.Item, i int, v []rules.Violation) []rules.Violation {
	e.used[i] = true
	known := slices.ContainsFunc(v, func(one rules.Violation) bool { return one.Rule == rulePosition.Of(c.Dialect) })
	if p := e.items.Positions[i]; uint64(p) != item.Position && !known {
		v = append(v, rulePosition.Breach(c.Dialect, fmt.Sprintf("Position %d", p),
			fmt.Sprintf("%d, where the %d octets of the chunk belong", item.Position, item.Length)))
	}
	return argument(c, e.items.Offered[i], item, v)
}

// use records that an item begins at a Position.
func (e *Eligibility) use(position uint64) {
	for i, p := range e.items.Positions {
		e.used[i] = e.used[i] || uint64(p) == position
	}
}

// unplaced finds a Position before the given one at which no DDP-eligible item begins.
func (e *Eligibility) unplaced(before uint64) (position uint32, ok bool) {
	for i, p := range e.items.Positions {
		if !e.used[i] && uint64(p) < before {
			return p, true
		}
	}
	return 0, false
}

// mistaken checks a message that can be measured only on the assumption that its sender made a mistake about reduced
// items.
func (e *Eligibility) mistaken(c *Call, mistake nfs.Mistake, v []rules.Violation) []rules.Violation {
	switch mistake {
	case nfs.Unrounded:
		return append(v, ruleRoundup.Breach(c.Dialect, "roundup octets of an item that is in a chunk", "none"))
	case nfs.Doubled:
		return append(v, ruleMessage.Breach(c.Dialect, "the octets of an item that is in a chunk", "none"))
	case nfs.Displaced:
		return v // displaced has judged it
	}
	return append(v, ruleEligible.Breach(c.Dialect,
		"octets in a Write chunk of an item that is not DDP-eligible", "those of READ or READLINK"))
}

// argument checks the Read chunk of n octets of an item.
func argument(c *Call, n uint64, item *nfs.Item, v []rules.Violation) []rules.Violation {
	switch {
	case n == item.Length:
	case n == item.Length+(-item.Length&3) && c.Dialect == rpcrdma.DialectVersion1:
		v = append(v, ruleV1ReadPad.Breach(fmt.Sprintf("a Read chunk of %d octets", n), fmt.Sprint(item.Length)))
	case n == item.Length+(-item.Length&3):
		v = append(v, ruleV2ReadPad.Breach(fmt.Sprintf("a Read chunk of %d octets", n), fmt.Sprint(item.Length)))
	default:
		v = append(v, ruleReadLength.Breach(c.Dialect,
			fmt.Sprintf("a Read chunk of %d octets", n), fmt.Sprint(item.Length)))
	}
	return v
}

// room checks the Write chunk for a result.
func (e *Eligibility) room(c *Call, item *nfs.Item, v []rules.Violation) []rules.Violation {
	chunk := e.offers[item.Index]
	n, most := chunk.Length(), item.Length
	switch {
	case n == most || most == 0:
	case n < most:
		v = append(v, ruleRoom.Breach(c.Dialect,
			fmt.Sprintf("a Write chunk of %d octets", n), fmt.Sprintf("at least %d", most)))
	case n != most+(-most&3):
	case c.Dialect == rpcrdma.DialectVersion1:
		v = append(v, ruleV1RoomPad.Breach(fmt.Sprintf("a Write chunk of %d octets", n), fmt.Sprint(most)))
	default:
		v = append(v, ruleV2RoomPad.Breach(fmt.Sprintf("a Write chunk of %d octets", n), fmt.Sprint(most)))
	}
	return v
}

// checkRest checks what follows the arguments or results.
func checkRest(d rpcrdma.Dialect, b []byte, reduced bool, v []rules.Violation) []rules.Violation {
	if len(b) == 0 {
		return v
	}
	if reduced && len(b) < 4 {
		return append(v, ruleRoundup.Breach(d, octets(len(b))+" of roundup", "none"))
	}
	return append(v, ruleMessage.Breach(d, octets(len(b))+" after the end of the message", "none"))
}
