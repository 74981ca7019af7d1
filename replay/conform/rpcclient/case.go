package rpcclient

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A Case alters answers, and says what the client must do then.
type Case struct {
	Name         string   // unique in its section
	Requirements []string // ids in codec/rfc of what it tests
	Says         string   // the demand, in a sentence

	Vers    uint32 // of RPC-over-RDMA; 0 for 1
	Long    bool   // it alters answers in the Reply chunk, not those in the message
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
	Serves              // answer as many Calls of the server at a time as it grants
	Finds               // send messages of more than 1024 octets on a second connection too, where its Options replace Private Data
	Renews              // send none on a second connection, where its Options are those of an end without room for them
)

var dueTexts = [...]string{
	Discards: "the answer is ignored: the Call comes again on the next connection",
	Ends:     "the Call is over, and does not come again",
	GoesOn:   "further Calls on the same connection",
	Refuses:  "an RDMA_ERROR with ERR_CHUNK",
	Survives: "further Calls",
	Breaks:   "the end of the connection",
	Complies: "further Calls that break no rule",
	Serves:   "an answer to each Call of the server",
	Finds:    "messages of more than 1024 octets, as on an earlier connection",
	Renews:   "no message of more than 1024 octets, other than on an earlier connection",
}

// String returns what is due as a clause: "the Call is over, and does not come again".
func (d Due) String() string { return dueTexts[d] }

// An Answer is what is about to be sent to the client.
type Answer struct {
	*rpc.Outgoing
	Header  rpcrdma.Version1 // of its Message, which carries a Reply
	Header2 rpcrdma.Version2 // in version 2, in place of Header
	Payload []byte           // of its Message
	Stale   *rpc.Push        // an RDMA Write for an earlier Call of the connection; nil for none
	Grant   int              // Calls of the server that the client takes at a time; 1 at first
}

// decode reads the Message, and reports whether it carries a whole Reply, or is about a Long one.
func (a *Answer) decode(vers uint32, long bool) bool {
	n, err := a.Header.Decode(a.Message)
	carries := a.Header.Proc == rpcrdma.ProcMsg && !long || a.Header.Proc == rpcrdma.ProcNoMsg && long && a.Header.Reply.Present()
	if vers == rpcrdma.Vers2 {
		n, err = a.Header2.Decode(a.Message)
		carries = a.Header2.HType == rpcrdma.HTypeMsg && a.Header2.Flags&rpcrdma.FlagMore == 0
	}
	a.Payload = a.Message[n:]
	return err == nil && carries
}

// encode makes the Message of its header and the Payload.
func (a *Answer) encode() bool {
	var b []byte
	if a.Header2.Vers == rpcrdma.Vers2 {
		b, _ = a.Header2.AppendBinary(nil)
	} else {
		b, _ = a.Header.AppendBinary(nil)
	}
	a.Message = append(b, a.Payload...)
	return true
}

func (a *Answer) writes() *rpcrdma.WriteList {
	if a.Header2.Vers == rpcrdma.Vers2 {
		return &a.Header2.Writes
	}
	return &a.Header.Writes
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

// failure2 returns an Alter that sends an RDMA2_ERROR.
func failure2(err rpcrdma.Error2) func(*Answer) bool {
	return func(a *Answer) bool {
		a.Header2.HType, a.Header2.Error, a.Payload = rpcrdma.HTypeError, err, nil
		return a.encode()
	}
}

// written returns an Alter of the first chunk of the Write list, if something was written into it: of its segments.
func written(change func([]rpcrdma.Segment) []rpcrdma.Segment) func(*Answer) bool {
	return func(a *Answer) bool {
		var list rpcrdma.WriteList
		for c := range a.writes().Chunks() {
			segments := slices.Collect(c.Segments())
			if len(list) == 0 {
				if c.Length() == 0 {
					return false
				}
				segments = change(segments)
			}
			list = list.Append(segments...)
		}
		*a.writes() = list
		return len(list) > 0 && a.encode()
	}
}

// segment returns an Alter of the first segment of the same chunk.
func segment(change func(*rpcrdma.Segment)) func(*Answer) bool {
	return written(func(s []rpcrdma.Segment) []rpcrdma.Segment {
		change(&s[0])
		return s
	})
}

// replied returns an Alter of the first segment of the Reply chunk.
func replied(change func(*rpcrdma.Segment)) func(*Answer) bool {
	return header(func(h *rpcrdma.Version1) {
		segments := slices.Collect(h.Reply.Segments())
		change(&segments[0])
		h.Reply = h.Reply[:0:0].Append(segments...)
	})
}

// unreduced puts what is in the Write chunk into the message, after the last word that has its length.
func unreduced(a *Answer) bool {
	var data []byte
	for _, w := range a.Writes {
		data = append(data, w.Octets...)
	}
	at := bytes.LastIndex(a.Payload, binary.BigEndian.AppendUint32(nil, uint32(len(data)))) + 4
	if len(data) == 0 || at < 4 || at%4 != 0 {
		return false
	}
	data = append(data, make([]byte, oncrpc.Fill(len(data)))...)
	a.Payload = slices.Concat(a.Payload[:at], data, a.Payload[at:])
	a.giveBack(0)
	a.Writes = nil
	return a.encode() && len(a.Message) <= rpcprivate.MinSize
}

// reduced puts all results into the first segment of the Write list, which no item that is eligible for it is.
func reduced(a *Answer) bool {
	var h oncrpc.Reply
	var call rpcrdma.Version1
	n, err := h.Decode(a.Payload)
	call.Decode(a.Request)
	results := a.Payload[n:]
	for c := range call.Writes.Chunks() {
		for s := range c.Segments() {
			if err != nil || len(results) == 0 || int(s.Length) < len(results) {
				return false
			}
			a.Writes = []rpc.Push{{STag: s.Handle, TO: s.Offset, Octets: results}}
			a.giveBack(uint32(len(results)))
			a.Payload = a.Payload[:n]
			return a.encode()
		}
	}
	return false
}

// giveBack returns the Write list with so many octets in its first segment, and none in the others.
func (a *Answer) giveBack(octets uint32) {
	var list rpcrdma.WriteList
	for c := range a.writes().Chunks() {
		segments := slices.Collect(c.Segments())
		for i := range segments {
			segments[i].Length, octets = octets, 0
		}
		list = list.Append(segments...)
	}
	*a.writes() = list
}

// preceded returns an Alter that sends a Call of the server before the answer.
func preceded(call *rpcrdma.Version1, xid uint32) func(*Answer) bool {
	return func(a *Answer) bool {
		a.Before = [][]byte{reverse(call, reverseXID, xid)}
		return true
	}
}

// reverse returns a message with a Call of NULL of the server, in which the XIDs may differ.
func reverse(call *rpcrdma.Version1, header, message uint32) []byte {
	h := *call
	h.XID, h.Vers, h.Credit = header, rpcrdma.Vers1, 1
	b, _ := h.AppendBinary(nil)
	return append(b, null(message)...)
}

// A section has the cases about one section of a document.
type section struct {
	document, number, title string
	cases                   []Case
}

// Questions returns all cases, in the order of the documents.
func Questions() []conform.Question {
	var all []conform.Section
	for _, s := range slices.Concat(rfc8166, rfc8167, rfc8797, version2()) {
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
	for _, s := range slices.Concat(rfc8166, rfc8167, rfc8797, version2()) {
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
