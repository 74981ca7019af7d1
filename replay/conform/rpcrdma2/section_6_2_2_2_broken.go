package rpcrdma2

// Section 6.2.2.2, and 7.1.3: sequences of messages that are broken.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var brokenSequences = func() []conform.Case {
	return []conform.Case{
		{Name: "another-call-between", Requirements: []string{"RPCRDMA2-6.2.2.2-3", "RPCRDMA2-6.2.2.2-4", "RPCRDMA2-7.1.3-1"},
			Begin: begun,
			Says:  "A message with another XID between the parts of a Call is answered with RDMA2_ERR_INVAL_CONT.",
			Ask: asking(func(n null) (scripts []string) {
				special := rpctext.NoMsg2(second, special(segment(1, rpctext.CallLen)))
				for _, intruder := range []rpctext.Message2{n.message(second), divide(second, none, n.call(second), 20)[0],
					special} {
					scripts = append(scripts, script(sends(part(n, 0, 20)), sends(intruder), invalCont(first, second), over),
						script(sends(part(n, 0, 12)), sends(part(n, 12, 24)), sends(intruder), invalCont(first, second), over))
				}
				return scripts
			})},
		{Name: "another-type-between", Requirements: []string{"RPCRDMA2-6.2.2.2-3", "RPCRDMA2-6.2.2.2-4", "RPCRDMA2-7.1.3-1"},
			Begin: begun,
			Says:  "A message of another type between the parts of a Call is answered with RDMA2_ERR_INVAL_CONT.",
			Ask: asking(func(n null) []string {
				m := rpctext.NoMsg2(first, special(segment(1, rpctext.CallLen)))
				return []string{script(sends(part(n, 0, 20)), refused(m, rpctext.InvalCont), over)}
			})},
		{Name: "more-on-nomsg", Requirements: []string{"RPCRDMA2-6.2.2.2-5", "RPCRDMA2-6.2.2.2-6", "RPCRDMA2-7.1.3-1"},
			Begin: begun,
			Says:  "RDMA2_F_MORE on an RDMA2_NOMSG is answered with RDMA2_ERR_INVAL_CONT, and nothing is read.",
			Ask: func(*conform.Setup) []string {
				m := rpctext.NoMsg2(first, special(segment(1, rpctext.CallLen))).With(rpctext.More)
				return behind(eachRefused(rpctext.InvalCont, m), over)
			}},
		{Name: "more-on-an-unknown-type", Requirements: []string{"RPCRDMA2-6.2.2.2-5", "RPCRDMA2-6.1-2"}, Begin: begun,
			Says: "RDMA2_F_MORE on a header type that means nothing is answered for the one or the other.",
			Ask: asking(func(n null) (scripts []string) {
				for _, m := range typesOf(n, n.call(first)) {
					scripts = append(scripts, script(sends(m.With(rpctext.More)),
						getsOneOf(rpctext.Error2(first, rpctext.InvalHType), rpctext.Error2(first, rpctext.InvalCont)), over))
				}
				return scripts
			})},
		{Name: "more-on-an-error", Requirements: []string{"RPCRDMA2-6.2.2.2-5", "RPCRDMA2-7-6"}, Begin: begun,
			Says: "Nothing is answered to an RDMA2_ERROR with RDMA2_F_MORE, and nothing is expected to follow it.",
			Ask: asking(func(n null) []string {
				return []string{notAnswered(n, rpctext.Refusing(first, rpctext.System).With(rpctext.More), rpctext.InvalCont)}
			})},
		{Name: "more-and-chunks", Requirements: []string{"RPCRDMA2-6.2.2.2-7", "RPCRDMA2-6.2.2.2-8", "RPCRDMA2-7.1.3-1"},
			Begin: begun,
			Says:  "A message with RDMA2_F_MORE and a chunk is answered with RDMA2_ERR_INVAL_CONT, be it the first part or not.",
			Ask: asking(func(n null) (scripts []string) {
				for _, c := range everyList() {
					begin := rpctext.Msg2(first, c, cut(n.call(first), 0, 20)).With(rpctext.More)
					middle := rpctext.Msg2(first, c, cut(n.call(first), 12, 24)).With(rpctext.More)
					scripts = append(scripts, script(refused(begin, rpctext.InvalCont), over),
						script(sends(part(n, 0, 12)), refused(middle, rpctext.InvalCont), over))
				}
				return scripts
			})},
		{Name: "rest-discarded", Requirements: []string{"RPCRDMA2-7.1.3-2", "RPCRDMA2-6.2.2.2-7"}, Begin: begun,
			Says: "All parts with the XID of one that is at fault are discarded, and the next Call is answered.",
			Ask: asking(func(n null) (scripts []string) {
				for _, c := range everyList() {
					begin := rpctext.Msg2(first, c, cut(n.call(first), 0, 20)).With(rpctext.More)
					middle := rpctext.Msg2(first, c, cut(n.call(first), 12, 24)).With(rpctext.More)
					scripts = append(scripts,
						script(refused(begin, rpctext.InvalCont), sends(part(n, 20, 40)), n.answered(second)),
						script(sends(part(n, 0, 12)), refused(middle, rpctext.InvalCont), sends(part(n, 24, 36)), sends(part(n, 36, 40)),
							n.answered(second)))
				}
				return scripts
			})},
		{Name: "rest-not-executed", Requirements: []string{"RPCRDMA2-7.1.3-2"}, Need: conform.RPCProgram, Begin: begun,
			Says: "A Call with a part at fault is not executed, whatever of it comes.",
			Ask: asking(func(n null) []string {
				bad := rpctext.Msg2(first, rpctext.Chunks{Writes: chunksOf([]int{1}, 64)},
					cut(n.call(first), 0, 20)).With(rpctext.More)
				return []string{script(refused(bad, rpctext.InvalCont), sends(part(n, 20, 40)), reports(second, 0))}
			})},
	}
}

// invalCont: RDMA2_ERR_INVAL_CONT comes: with the XID of the message that has come between, or that of the
// sequence which it has broken.
func invalCont(sequence, between rpctext.Word) string {
	return getsOneOf(rpctext.Error2(between, rpctext.InvalCont), rpctext.Error2(sequence, rpctext.InvalCont))
}

// everyList returns chunks in each list alone, without a segment or with one, and in all.
func everyList() []rpctext.Chunks {
	position := rpctext.ReadSegment{Position: 40, Segment: segment(1, 8)}
	return []rpctext.Chunks{
		{Reads: []rpctext.ReadSegment{position}}, {Writes: chunksOf([]int{1}, 64)}, {Writes: chunksOf([]int{0}, 0)},
		{Reply: []rpctext.Segment{segment(2, 64)}}, {Reply: []rpctext.Segment{}},
		{Reads: []rpctext.ReadSegment{position}, Writes: chunksOf([]int{2}, 64), Reply: []rpctext.Segment{segment(3, 64)}},
	}
}
