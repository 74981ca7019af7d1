package rpcclient

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A Case alters answers, and says what the client must do then.
type Case struct {
	Name         string   // unique in its section
	Requirements []string // ids in codec/rfc of what it tests
	Says         string   // the demand, in a sentence

	Due     Due
	Alter   func(*Answer) bool                                    // alters an answer; false if it is not one that the case can use. nil for none
	Check   func(call *rpcrdma.Version1, octets, open int) string // what is wrong with a Call, if Due is Complies; empty for nothing
	Options rpc.Options                                           // of the end that the client is connected to
}

// A Due is what a client must do about an altered answer.
type Due uint8

// The Dues.
const (
	Discards Due = iota // ignore it: go on if the right answer follows, and else send the Call again on the next connection
	Ends                // take it as the end of the Call
	GoesOn              // keep the connection, and make further Calls
	Refuses             // answer a Call that came before it with ERR_CHUNK
	Survives            // anything, as long as it makes further Calls
	Breaks              // end the connection
	Complies            // make Calls that pass the Check, each time
)

var dueTexts = [...]string{
	Discards: "the answer is ignored: the Call comes again on the next connection",
	Ends:     "the Call is over, and does not come again",
	GoesOn:   "further Calls on the same connection",
	Refuses:  "an RDMA_ERROR with ERR_CHUNK",
	Survives: "further Calls",
	Breaks:   "the end of the connection",
	Complies: "further Calls that break no rule",
}

// String returns what is due as a clause: "the Call is over, and does not come again".
func (d Due) String() string { return dueTexts[d] }

// An Answer is what is about to be sent to the client.
type Answer struct {
	*rpc.Outgoing
	Header  rpcrdma.Version1 // of its Message, which carries a Reply
	Payload []byte           // likewise
	Stale   *rpc.Push        // an RDMA Write for an earlier Call of the connection; nil for none
}

// encode makes the Message of the Header and the Payload.
func (a *Answer) encode() bool {
	b, _ := a.Header.AppendBinary(nil)
	a.Message = append(b, a.Payload...)
	return true
}

// header returns an Alter that changes the header.
func header(change func(*rpcrdma.Version1)) func(*Answer) bool {
	return func(a *Answer) bool {
		change(&a.Header)
		return a.encode()
	}
}

// word returns an Alter that changes a word of the header, counted from 0.
func word(i int, v uint32) func(*Answer) bool {
	return func(a *Answer) bool {
		a.Message = bytes.Clone(a.Message)
		binary.BigEndian.PutUint32(a.Message[4*i:], v)
		return true
	}
}

// cut returns an Alter that leaves only some octets.
func cut(n int) func(*Answer) bool {
	return func(a *Answer) bool {
		a.Message = a.Message[:n]
		return true
	}
}

// lists returns an Alter that replaces what follows the first four words.
func lists(words ...uint32) func(*Answer) bool {
	return func(a *Answer) bool {
		a.Message = slices.Clip(a.Message[:rpcrdma.Version1Len])
		for _, w := range words {
			a.Message = binary.BigEndian.AppendUint32(a.Message, w)
		}
		return true
	}
}

// failure returns an Alter that sends an RDMA_ERROR.
func failure(err rpcrdma.ErrCode) func(*Answer) bool {
	return func(a *Answer) bool {
		a.Header.Proc, a.Header.Err, a.Header.VersLow, a.Header.VersHigh = rpcrdma.ProcError, err, rpcrdma.Vers2, rpcrdma.Vers2
		a.Payload = nil
		return a.encode()
	}
}

// written returns an Alter of the first chunk of the Write list, if something was written into it: of its segments.
func written(change func([]rpcrdma.Segment) []rpcrdma.Segment) func(*Answer) bool {
	return func(a *Answer) bool {
		var list rpcrdma.WriteList
		for c := range a.Header.Writes.Chunks() {
			segments := slices.Collect(c.Segments())
			if len(list) == 0 {
				if c.Length() == 0 {
					return false
				}
				segments = change(segments)
			}
			list = list.Append(segments...)
		}
		a.Header.Writes = list
		return len(list) > 0 && a.encode()
	}
}

// preceded returns an Alter that sends a Call of the server before the answer.
func preceded(call *rpcrdma.Version1, xid uint32) func(*Answer) bool {
	return func(a *Answer) bool {
		h := *call
		h.XID, h.Vers, h.Credit = reverseXID, rpcrdma.Vers1, 1
		b, _ := h.AppendBinary(nil)
		a.Before = [][]byte{append(b, null(xid)...)}
		return true
	}
}

// A section has the cases about one section of a document.
type section struct {
	document, number, title string
	cases                   []Case
}

// Questions returns all cases, in the order of the documents.
func Questions() []conform.Question {
	var all []conform.Section
	for _, s := range slices.Concat(rfc8166, rfc8167, rfc8797) {
		all = append(all, conform.About(s.document, conform.RPCClientService)(s.number, s.title, func() (cases []conform.Case) {
			for _, c := range s.cases {
				cases = append(cases, conform.Case{Name: c.Name, Requirements: c.Requirements, Says: c.Says})
			}
			return cases
		}))
	}
	return conform.Questions(all)
}

// find returns the Case of a question; nil for one of another package.
func find(q conform.Question) *Case {
	for _, s := range slices.Concat(rfc8166, rfc8167, rfc8797) {
		if s.document != q.Section.Document || s.number != q.Section.Number {
			continue
		}
		for i := range s.cases {
			if s.cases[i].Name == q.Name {
				return &s.cases[i]
			}
		}
	}
	return nil
}
