package match_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Read Request waits for its response, which comes in two segments.
func Example() {
	requests := match.NewRequests(new(match.RequestPool))
	request := &record.Segment{Origin: record.Origin{Dir: flow.C2S, Span: flow.At(7, 0)}}
	request.RDMAP.Header = rdmap.Header{
		Control: rdmap.Control{Opcode: rdmap.OpReadRequest}, Untagged: ddp.Untagged{L: true, QN: rdmap.QNReadRequest, MSN: 1},
	}
	r := requests.Open(request, 0, false)
	requests.Push(r)

	for frame := range uint64(2) {
		response := &record.Segment{Origin: record.Origin{Dir: flow.S2C, Span: flow.At(8+frame, 0)}}
		response.RDMAP.Header = rdmap.Header{T: true, Control: rdmap.Control{Opcode: rdmap.OpReadResponse}}
		response.FPDU.ULPDULength = 14 + 100
		requests.At(flow.C2S, 0).Answer(response)
	}
	fmt.Printf("%s in frame %d: %d octets in frames %d-%d\n", r.Name, r.Request.Frame, r.Octets, r.Response.Frame, r.Response.LastFrame)
	// Output: RDMA Read in frame 7: 200 octets in frames 8-9
}
