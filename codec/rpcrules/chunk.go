package rpcrules

// The chunk lists, RFC 8166, sections 3.4 and 4.3, and draft 01, sections 4.3 and 6.2.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var (
	ruleAlignment = newPair("position-alignment", rules.Error,
		"A Position must be a multiple of four.", "RPCRDMA1-3.4.5-3", "RPCRDMA2-4.3.5-2", grave, in("rpcordma.position"))
	rulePosition = newPair("position", rules.Error,
		"The Position of a Read chunk must be where its octets belong in the unreduced RPC message; all its segments must have the same.",
		"RPCRDMA1-3.4.5-1 RPCRDMA1-3.4.5-2", "RPCRDMA2-4.3.5-1 RPCRDMA2-4.3.5-3", grave, in("rpcordma.position"))
	ruleSegment = newPair("segment", rules.Error,
		"A segment must end within the 64 bits of an offset.", "RPCRDMA1-2.3.2-1", "RPCRDMA2-3.2.2.1-1", grave,
		in("rpcordma.rdma_handle", "rpcordma.rdma_length", "rpcordma.rdma_offset"))
	ruleReadsEmpty = newRule("rpc1-read-empty", rules.Note,
		"A Read chunk must have octets; without a chunk, the Read list must be empty.", "RPCRDMA1-4.3.1-2",
		lighter("Nothing forbids a segment of zero octets as such, and it is harmless."), in("rpcordma.rdma_length"))
	ruleBodyLength = newPair("body-length", rules.Error,
		"A chunk that holds a whole RPC message must include the roundup octets of its items: its length must be a multiple of four.",
		"RPCRDMA1-3.5.3-6", "RPCRDMA2-4.4.3-4", grave, in("rpcordma.rdma_length"))
	ruleReplyReads = newPair("reply-reads", rules.Error,
		"The Read list of a Reply must be empty.", "RPCRDMA1-4.3.1-1", "RPCRDMA2-4.4.1.1-2 RPCRDMA2-6.2.3-1")
	ruleInvHandle = newRule("rpc2-inv-handle", rules.Error,
		"rdma_inv_handle of a Call must be zero or a handle of one of its segments.", "RPCRDMA2-6.2.4-1", in("rpcordma.inv_handle"))
	ruleSegmentSize = newRule("rpc2-segment-size", rules.Error,
		"No segment may be longer than the Maximum RDMA Segment Size of the peer.", "RPCRDMA2-5.2.3-1", in("rpcordma.rdma_length"))
	ruleSegmentCount = newRule("rpc2-segment-count", rules.Error,
		"A Requester's header must have no more segments than the Maximum RDMA Segment Count of the peer.",
		"RPCRDMA2-5.2.4-1")
)

// checkLists checks the chunk lists of a header.
func checkLists(m *rpcrdma.Message, v []rules.Violation) (*Fault, []rules.Violation) {
	if !hasRPC(m) {
		return nil, v
	}
	fault, v := checkBody(m, v)
	if m.Form == rpcrdma.FormInline && !m.HasChunks() && m.InvHandle == 0 {
		return fault, v
	}
	before := len(v)
	v = checkReads(m, v)
	v = checkWrites(m, v)
	if fault == nil && len(v) > before {
		fault = faultXDR
	}
	if m.Role == rpcrdma.Responder {
		if len(m.Reads) != 0 {
			fault, v = faultXDR, append(v, ruleReplyReads.Breach(m.Dialect,
				fmt.Sprintf("%d read segments", m.Reads.Count()), "none"))
		}
	} else if m.InvHandle != 0 && !m.HasHandle(m.InvHandle) {
		v = append(v, ruleInvHandle.Breach(hex32(m.InvHandle), "a handle of the Call, or 0"))
	} else {
		v = checkReadChunks(m, v)
	}
	return fault, v
}

// checkBody checks that the RPC message is somewhere, and in one place only.
func checkBody(m *rpcrdma.Message, v []rules.Violation) (*Fault, []rules.Violation) {
	switch inline := m.Form == rpcrdma.FormInline; {
	case inline && m.Role != rpcrdma.Responder && m.HasBody():
		return faultXDR, append(v, rulePosition.Breach(m.Dialect,
			"Position 0 in "+m.KindName(), "a Position within the payload"))
	case inline:
		return nil, v
	case m.Dialect == rpcrdma.DialectVersion2 && !m.HasChunks(): // with XID 0 it only grants credits
		return faultXDR, append(v, ruleGrantXID.Breach("XID "+hex32(m.XID), "XID 0"))
	case m.Role == rpcrdma.RoleNone, !m.HasBody():
		return faultXDR, append(v, ruleBody.Breach(m.Dialect,
			m.KindName()+" without it", "a chunk that holds the RPC message"))
	case m.Dialect == rpcrdma.DialectDraft2022 && m.Reads.Has(0):
		return faultXDR, append(v, rulePosition.Breach(m.Dialect,
			"Position 0 in the Read list", "Position 0 in the Call chunk only"))
	}
	return nil, v
}

// checkReads checks the segments of the Call chunk and the Read list.
func checkReads(m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	for s := range m.ReadSegments() {
		if s.Position%4 != 0 {
			v = append(v, ruleAlignment.Breach(m.Dialect, fmt.Sprintf("Position %d", s.Position), "a multiple of 4"))
			break
		}
	}
	for s := range m.ReadSegments() {
		if s.Segment.Check() != nil {
			return append(v, wraps(m, s.Segment))
		}
	}
	return v
}

// checkWrites checks the segments of the Write list and the Reply chunk.
func checkWrites(m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	written := rpcrdma.Message{Writes: m.Writes, Reply: m.Reply}
	for s := range written.AllSegments {
		if s.Check() != nil {
			return append(v, wraps(m, s))
		}
	}
	return v
}

func wraps(m *rpcrdma.Message, s rpcrdma.Segment) rules.Violation {
	return ruleSegment.Breach(m.Dialect,
		fmt.Sprintf("%d octets at offset %#x", s.Length, s.Offset), "an end below 2^64")
}

// checkReadChunks checks the Read chunks of a Call together. If a header names too many, only the list as a whole and
// its body are checked.
func checkReadChunks(m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	var body, all uint64
	for s := range m.ReadSegments() {
		all += uint64(s.Length)
		if s.Position == 0 {
			body += uint64(s.Length)
		}
	}
	if body%4 != 0 {
		v = append(v, ruleBodyLength.Breach(m.Dialect,
			fmt.Sprintf("%d octets in the Position Zero Read chunk", body), "a multiple of 4"))
	}
	if all == 0 && len(m.Reads) != 0 && m.Dialect == rpcrdma.DialectVersion1 {
		v = append(v, ruleReadsEmpty.Breach(
			fmt.Sprintf("%d read segments without octets", m.Reads.Count()), "no Read list"))
	}
	return v
}

// limits checks the segments of a Call of version 2 against the receiver's properties.
func (s *Stream) limits(from Side, m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	props := &s.sides[1-from].props
	if m.Role != rpcrdma.Requester || m.Vers != rpcrdma.Vers2 || !m.HasChunks() || props.unknown {
		return v
	}
	if n := m.Segments(); n > int(props.segments) {
		v = append(v, ruleSegmentCount.Breach(
			fmt.Sprintf("%d segments", n), fmt.Sprintf("at most %d", props.segments)))
	}
	if n := longestSegment(m); n > props.segmentSize {
		v = append(v, ruleSegmentSize.Breach(
			fmt.Sprintf("a segment of %d octets", n), fmt.Sprintf("at most %d", props.segmentSize)))
	}
	return v
}

// longestSegment returns the number of octets of the longest segment in all lists.
func longestSegment(m *rpcrdma.Message) (longest uint32) {
	for s := range m.AllSegments {
		longest = max(longest, s.Length)
	}
	return longest
}

// MaxChunks is the number of Read chunks of one Call whose Positions are checked at most.
const MaxChunks = 64

// CheckPositions checks the Positions of the Read chunks of a Call and appends their violations to v. inline is the
// number of octets of the Call that are not in Read chunks, those at Position 0 aside. Each chunk begins after the end
// of the previous one, with its roundup octets, and before the end of the message.
func CheckPositions(d rpcrdma.Dialect, reads rpcrdma.ReadList, inline uint64, v []rules.Violation) []rules.Violation {
	var removed, end uint64
	chunks := 0
	for p := range reads.Positions() {
		at, n := uint64(p), reads.Length(p)
		if p == 0 {
			continue
		}
		if chunks++; chunks > MaxChunks {
			break
		}
		switch {
		case at < end:
			return append(v, rulePosition.Breach(d,
				fmt.Sprintf("Position %d", p), fmt.Sprintf("none before %d, where the chunk before it ends", end)))
		case at > inline+removed:
			return append(v, rulePosition.Breach(d,
				fmt.Sprintf("Position %d", p), fmt.Sprintf("at most %d, where the message ends", inline+removed)))
		}
		n += -n & 3
		removed += n
		end = at + n
	}
	return v
}
