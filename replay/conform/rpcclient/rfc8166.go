package rpcclient

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// foreign is a segment of memory that no client has offered.
var foreign = rpcrdma.Segment{Handle: 0x7e57ab1e, Length: 64, Offset: 0x1000}

// shortReplies are those of an end that puts long Replies into Reply chunks.
var shortReplies = rpc.Options{SendSize: rpcprivate.MinSize}

// The words of a Reply in an RDMA_MSG.
const (
	wordVers = 1 + iota
	wordCredit
	wordProc
	wordReads
)

var rfc8166 = []section{
	{"RFC8166", "3.3.1", "credits", []Case{
		{Name: "no-credit", Requirements: []string{"RPCRDMA1-3.3.1-2"}, Due: GoesOn, Alter: word(wordCredit, 0),
			Says: "A grant of 0 is illegal: the client takes it as 1, and does not wait for ever."},
		{Name: "one-credit", Requirements: []string{"RPCRDMA1-3.3.1-1", "RPCRDMA1-3.3.3-1"}, Due: Complies, Alter: word(wordCredit, 1), Check: one,
			Says: "With a grant of 1, the client has one Call open at a time."},
		{Name: "more-than-requested", Requirements: []string{"RPCRDMA1-3.3.1-3", "RPCRDMA1-3.3.1-6"}, Due: Complies, Alter: word(wordCredit, math.MaxUint32), Check: requested,
			Says: "With a higher grant, the client has no more Calls open than it has requested."},
	}},
	{"RFC8166", "3.3.3", "sizes without Private Data", []Case{
		{Name: "answer-of-1024-octets", Requirements: []string{"RPCRDMA1-3.3.3-3"}, Due: GoesOn, Alter: func(a *Answer) bool {
			h := rpcrdma.Version1{XID: a.Header.XID ^ 1<<31, Vers: rpcrdma.Vers1, Credit: a.Header.Credit, Proc: rpcrdma.ProcMsg}
			b, _ := h.AppendBinary(nil)
			b = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, h.XID), 1) // a Reply
			a.Before = [][]byte{append(b, make([]byte, rpcprivate.MinSize-len(b))...)}
			return true
		}, Says: "The client has room for a message of 1024 octets, here a Reply without an open Call of its XID."},
	}},
	{"RFC8166", "3.4.6", "Write chunks", []Case{
		{Name: "longer", Requirements: []string{"RPCRDMA1-3.4.6-3"}, Due: Survives,
			Alter: segment(func(s *rpcrdma.Segment) { s.Length = math.MaxUint32 }),
			Says:  "The client does not use a Write chunk that comes back longer than it was offered."},
		{Name: "other-handle", Requirements: []string{"RPCRDMA1-3.4.6-3"}, Due: Survives,
			Alter: segment(func(s *rpcrdma.Segment) { s.Handle ^= 1 }),
			Says:  "The client does not trust a Write chunk that comes back with another handle."},
		{Name: "other-offset", Requirements: []string{"RPCRDMA1-3.4.6-3"}, Due: Survives,
			Alter: segment(func(s *rpcrdma.Segment) { s.Offset += 64 }),
			Says:  "The client does not trust a Write chunk that comes back with another offset."},
		{Name: "more-segments", Requirements: []string{"RPCRDMA1-3.4.6-3"}, Due: Survives,
			Alter: written(func(s []rpcrdma.Segment) []rpcrdma.Segment {
				return append(s, slices.Repeat([]rpcrdma.Segment{foreign}, 20)...)
			}),
			Says: "The client does not trust a Write chunk that comes back with more segments."},
		{Name: "no-segments", Requirements: []string{"RPCRDMA1-3.4.6-3", "RPCRDMA1-4.3.2.2-3"}, Due: Survives,
			Alter: written(func([]rpcrdma.Segment) []rpcrdma.Segment { return nil }),
			Says:  "The client does not trust a Write chunk that comes back without its segments."},
	}},
	{"RFC8166", "4.1.2", "lists", []Case{
		{Name: "neither-0-nor-1", Requirements: []string{"RPCRDMA1-4.1.2-1", "RPCRDMA1-4.5-3"}, Due: Discards, Alter: word(wordReads, 2),
			Says: "An answer is ignored if the word that says whether a list follows is neither 0 nor 1."},
		{Name: "list-cut", Requirements: []string{"RPCRDMA1-4.1.2-1", "RPCRDMA1-4.5-3"}, Due: Discards, Alter: lists(0, 0, 1),
			Says: "An answer that ends before its Reply chunk is ignored."},
		{Name: "too-many-segments", Requirements: []string{"RPCRDMA1-4.1.2-1", "RPCRDMA1-4.5-3"}, Due: Discards, Alter: lists(0, 1, 0x10000000, 0, 0),
			Says: "An answer is ignored if its Write chunk has more segments than the message has room for."},
	}},
	{"RFC8166", "4.2.2", "rdma_vers", versions(0, 2, 0xffffffff)},
	{"RFC8166", "4.2.4", "rdma_proc", []Case{
		{Name: "unknown", Requirements: []string{"RPCRDMA1-4.2.4-1", "RPCRDMA1-4.2.4-4", "RPCRDMA1-4.5-3"}, Due: Discards, Alter: word(wordProc, 5),
			Says: "An answer with an unknown rdma_proc is ignored, and not refused."},
		{Name: "no-payload", Requirements: []string{"RPCRDMA1-3.2-1", "RPCRDMA1-4.5-3"}, Due: Discards, Alter: func(a *Answer) bool {
			a.Payload = nil
			return a.encode()
		}, Says: "An RDMA_MSG without an RPC message is ignored."},
		{Name: "body-nowhere", Requirements: []string{"RPCRDMA1-4.2.4-3", "RPCRDMA1-4.5-3"}, Due: Discards, Alter: header(func(h *rpcrdma.Version1) {
			h.Proc, h.Reads, h.Writes, h.Reply = rpcrdma.ProcNoMsg, nil, nil, nil
		}), Says: "An RDMA_NOMSG without a Reply chunk is ignored."},
	}},
	{"RFC8166", "4.3.1", "the Read list", []Case{
		{Name: "read-list", Requirements: []string{"RPCRDMA1-4.3.1-1", "RPCRDMA1-4.5-3"}, Due: Discards,
			Alter: header(func(h *rpcrdma.Version1) { h.Reads = h.Reads.Append(64, foreign) }),
			Says:  "An answer with a Read list is ignored."},
	}},
	{"RFC8166", "4.3.3", "the Reply chunk", []Case{
		{Name: "not-offered", Requirements: []string{"RPCRDMA1-4.3.3-3", "RPCRDMA1-4.5-3"}, Due: Discards,
			Alter: func(a *Answer) bool {
				offered := a.Header.Reply.Present()
				a.Header.Proc, a.Header.Reply, a.Payload = rpcrdma.ProcNoMsg, a.Header.Reply.Append(foreign), nil
				return !offered && a.encode()
			}, Says: "A Long Reply is ignored if the Call has offered no Reply chunk."},
		{Name: "longer", Requirements: []string{"RPCRDMA1-4.3.3-3"}, Due: Survives, Long: true, Options: shortReplies,
			Alter: replied(func(s *rpcrdma.Segment) { s.Length = math.MaxUint32 }),
			Says:  "The client does not use a Reply chunk that comes back longer than it was offered."},
		{Name: "other-handle", Requirements: []string{"RPCRDMA1-4.3.3-3"}, Due: Survives, Long: true, Options: shortReplies,
			Alter: replied(func(s *rpcrdma.Segment) { s.Handle ^= 1 }),
			Says:  "The client does not trust a Reply chunk that comes back with another handle."},
	}},
	{"RFC8166", "4.4.1", "memory of Calls that are over", []Case{
		{Name: "stale-write", Requirements: []string{"RPCRDMA1-4.4.1-1", "RPCRDMA1-8.1.3-1"}, Due: Breaks, Options: rpc.Options{NoInvalidate: true},
			Alter: func(a *Answer) bool {
				if a.Stale == nil {
					return false
				}
				a.Writes = append([]rpc.Push{*a.Stale}, a.Writes...)
				return true
			}, Says: "The server cannot write into a Write chunk of an earlier Call, which is over."},
	}},
	{"RFC8166", "4.5", "errors", []Case{
		short(1), short(4), short(16), short(24), short(27),
		{Name: "err-chunk", Requirements: []string{"RPCRDMA1-4.5-7"}, Due: Ends, Alter: failure(rpcrdma.ErrCodeChunk),
			Says: "ERR_CHUNK ends the Call for good."},
		{Name: "err-vers", Requirements: []string{"RPCRDMA1-4.5-7"}, Due: Ends, Alter: failure(rpcrdma.ErrCodeVers),
			Says: "ERR_VERS ends the Call for good."},
		{Name: "err-unknown", Requirements: []string{"RPCRDMA1-4.5-8"}, Due: Discards, Alter: failure(77),
			Says: "An RDMA_ERROR with an unknown code is ignored."},
		{Name: "err-vers-cut", Requirements: []string{"RPCRDMA1-4.5-8"}, Due: Discards, Alter: func(a *Answer) bool {
			return failure(rpcrdma.ErrCodeVers)(a) && cut(24)(a)
		}, Says: "ERR_VERS without its range of versions is ignored."},
	}},
	{"RFC8166", "4.6.1", "RDMA_MSGP", []Case{
		{Name: "padded", Requirements: []string{"RPCRDMA1-4.6.1-3"}, Due: Discards, Alter: header(func(h *rpcrdma.Version1) { h.Proc = rpcrdma.ProcMsgP }),
			Says: "An RDMA_MSGP is ignored."},
	}},
	{"RFC8166", "4.6.2", "RDMA_DONE", []Case{
		{Name: "done", Requirements: []string{"RPCRDMA1-4.6.2-2"}, Due: Discards, Alter: word(wordProc, uint32(rpcrdma.ProcDone)),
			Says: "An RDMA_DONE is ignored."},
	}},
	{"RFC8166", "6.1", "eligible results", []Case{
		{Name: "not-eligible", Requirements: []string{"RPCRDMA1-6.1-4"}, Due: Ends, Alter: reduced,
			Says: "A Reply with all results in a Write chunk, also those that are not eligible, ends the Call for good."},
		{Name: "not-reduced", Requirements: []string{"RPCRDMA1-6.1-5"}, Due: Ends, Alter: unreduced,
			Says: "A Reply with an eligible result inline, though there is a Write chunk for it, ends the Call for good."},
	}},
	{"RFC8166", "8.1", "memory that was not offered", []Case{
		{Name: "foreign-write", Requirements: []string{"RPCRDMA1-8.1-1"}, Due: Breaks, Alter: func(a *Answer) bool {
			a.Writes = append([]rpc.Push{{STag: foreign.Handle, TO: foreign.Offset, Octets: []byte{1}}}, a.Writes...)
			return true
		}, Says: "An RDMA Write to an STag that the client has not offered ends the connection."},
	}},
}

// versions returns a case for each version that the client does not speak.
func versions(all ...uint32) (cases []Case) {
	for _, v := range all {
		cases = append(cases, Case{
			Name: fmt.Sprintf("version-%x", v), Requirements: []string{"RPCRDMA1-4.2.2-1", "RPCRDMA1-4.5-3"}, Due: Discards, Alter: word(wordVers, v),
			Says: fmt.Sprintf("An answer with rdma_vers %d is ignored.", v),
		})
	}
	return cases
}

// short returns the case of an answer with so many octets.
func short(n int) Case {
	return Case{
		Name: fmt.Sprintf("short-%d", n), Requirements: []string{"RPCRDMA1-4.5-1"}, Due: Discards, Alter: cut(n),
		Says: fmt.Sprintf("An answer of %d octets, fewer than 28, is ignored.", n),
	}
}

// one allows one open Call.
func one(_ *rpcrdma.Version1, _, open int) string {
	if open > 1 {
		return fmt.Sprintf("%d Calls are open at a time, with a grant of 1", open)
	}
	return ""
}

// requested allows as many open Calls as the Call requests.
func requested(call *rpcrdma.Version1, _, open int) string {
	if open > int(call.Credit) {
		return fmt.Sprintf("%d Calls are open at a time, of which the client has requested %d", open, call.Credit)
	}
	return ""
}
