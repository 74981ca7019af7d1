package rules

// RPC-over-RDMA: what RFC 8166, RFC 8167, RFC 8797 and draft 01 of version 2 demand of the messages of a connection.
// The rules stand in the files rpc*.go beside what checks them; those about the memory that chunks name, which is for
// others to follow, are in rpcmemory.go.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// An RPCRule is something that both versions of RPC-over-RDMA demand, each in its own document: a Rule for each.
type RPCRule struct{ one, two *Rule }

// newRPCRule adds both Rules to all: "rpc1-" and "rpc2-" with the name. one and two are the ids of the requirements of
// version 1 and version 2, with blanks between them.
func newRPCRule(name string, severity Severity, text, one, two string) RPCRule {
	return RPCRule{
		newRule("rpc1-"+name, severity, text, strings.Fields(one)...),
		newRule("rpc2-"+name, severity, text, strings.Fields(two)...),
	}
}

// lighter says why both weigh less than their primary requirements.
func (r RPCRule) lighter(why string) RPCRule {
	return RPCRule{r.one.lighter(why), r.two.lighter(why)}
}

// situation says which Terminates answer a breach of both.
func (r RPCRule) situation(s Situation) RPCRule {
	return RPCRule{r.one.situation(s), r.two.situation(s)}
}

// Of is the Rule for messages of a dialect.
func (r RPCRule) Of(d rpcrdma.Dialect) *Rule {
	if d == rpcrdma.DialectVersion2 || d == rpcrdma.DialectDraft2022 {
		return r.two
	}
	return r.one
}

// Breach is a breach of r by a message of a dialect.
func (r RPCRule) Breach(d rpcrdma.Dialect, seen, expected string) Violation {
	return r.Of(d).Breach(seen, expected)
}

// An RPCSide is an end of a connection.
type RPCSide uint8

// The sides.
const (
	RPCClient RPCSide = iota // opened the connection
	RPCServer
)

// RPCConditions are what is known of a connection when its first RPC-over-RDMA message comes.
type RPCConditions struct {
	Midstream bool                    // the begin of the connection was not seen
	Private   [2]*rpcrdma.PrivateData // by RPCSide: what it has sent; nil if that is nothing that counts
	Cut       bool                    // Private Data was not captured as a whole: nothing is judged by it
}

// An RPCStream judges the RPC-over-RDMA messages of one connection. Give it those of both sides in the order in which
// an onlooker sees them. It knows neither the memory that chunks name nor which Calls are open: of the former whoever
// follows the RDMA Reads and Writes has to judge, of the latter it is told by [RPCStream.Called] and
// [RPCStream.Answered].
type RPCStream struct {
	midstream  bool
	private    bool           // both sides have sent Private Data
	agreed     rpcrdma.Agreed // what follows from it, or from the lack of it
	version    rpcVersion
	sides      [2]rpcSender
	requesters [2]rpcRequester
}

// An rpcSender is what is known of the messages of one side.
type rpcSender struct {
	sent     bool // it has sent a message
	r        bool // R of its Private Data: it supports remote invalidation
	invalid  bool // that it uses this though it does not say so was reported
	sequence rpcSequence
	props    rpcProperties
	credits  rpcCredits
}

// Reset makes s ready for a new connection.
func (s *RPCStream) Reset(c RPCConditions) {
	client, server := c.Private[RPCClient], c.Private[RPCServer]
	*s = RPCStream{midstream: c.Midstream, private: client != nil && server != nil}
	s.agreed = rpcrdma.Agree(client, server)
	for side := range s.sides {
		s.sides[side].props.reset()
		s.sides[side].r = c.Private[side] != nil && c.Private[side].R
		if c.Midstream {
			s.Missed(RPCSide(side))
		}
	}
	if c.Cut {
		s.private = false
		s.agreed = rpcrdma.Agreed{ClientToServer: rpcrdma.MaxBufferSize, ServerToClient: rpcrdma.MaxBufferSize}
		s.sides[RPCClient].r, s.sides[RPCServer].r = true, true
	}
	if !c.Midstream {
		s.sides[RPCClient].credits.limit = 1
	}
}

// Missed says that messages of a side may not have been seen. What depends on them is not judged from then on.
func (s *RPCStream) Missed(from RPCSide) {
	own, other := &s.sides[from], &s.sides[1-from]
	own.sent = true
	own.sequence.missed()
	own.props.missed()
	other.credits.unknown = true
	for side := range s.requesters {
		s.requesters[side].missed()
	}
}

// An RPCUse is what a receiver has to do with a message.
type RPCUse uint8

// The uses.
const (
	RPCDrop  RPCUse = iota // nothing: it is at fault, or belongs to what was
	RPCOther               // it carries no RPC message: an error, properties, credits
	RPCPart                // its payload goes on in a later message
	RPCWhole               // it is whole, or the last part of an RPC message
)

// An RPCFate is what becomes of a message.
type RPCFate struct {
	Use   RPCUse
	Fault *RPCFault // why it is dropped, if that is a fault that an RDMA_ERROR can report
	First bool      // of an RPCPart or RPCWhole: no part of it came before
	Ends  bool      // of an RPCDrop: it is a part of the sequence in progress, and ends that
	Cut   bool      // its header was not captured as a whole: what it was, nobody can tell
}

// Message takes in the next message of a side and appends to v what is wrong with it.
func (s *RPCStream) Message(from RPCSide, m *rpcrdma.Message, v []Violation) (RPCFate, []Violation) {
	if m.Cut && m.HeaderLen < m.Dialect.PrefixLen() && m.Len >= rpcrdma.Version1Len {
		s.Missed(from)
		return RPCFate{Cut: true}, v
	}
	d := s.dialect(m)
	if short := minRPCLen(d, m.Form); m.Len < short {
		v = append(v, ruleRPCHeader.Breach(d, octets(m.Len), fmt.Sprintf("at least %d octets", short)))
		return RPCFate{}, v
	}
	v = s.length(from, m, v)
	fault, v := s.version.check(from, m, v)
	if fault != nil {
		s.sides[from].sent = true
		return RPCFate{Fault: fault}, v
	}
	v = s.credit(from, m, v)
	s.sides[from].sent = true
	undirected := m.Form == rpcrdma.FormInline && m.Role == rpcrdma.RoleNone
	if m.Cut && (m.Err != nil || undirected && len(m.Payload) < 8) {
		if m.Form == rpcrdma.FormProperties {
			s.sides[from].props.missed()
		} else {
			s.sides[from].sequence.missed()
		}
		return RPCFate{Cut: true}, v
	}
	fault, v = checkRPCHeader(m, v)
	if m.Form == rpcrdma.FormProperties {
		if fault == nil {
			fault, v = s.properties(from, m, v)
		}
	} else if fault == nil && (m.Form == rpcrdma.FormInline || m.Form == rpcrdma.FormBody) {
		v = s.early(from, m, v)
		v = s.limits(from, m, v)
	}
	return s.sides[from].sequence.step(m, fault, v)
}

// dialect is that of a message, or if it is too short to tell, of the connection.
func (s *RPCStream) dialect(m *rpcrdma.Message) rpcrdma.Dialect {
	if m.Dialect == rpcrdma.DialectUnknown && s.version.pinned == rpcrdma.Vers2 {
		return rpcrdma.DialectVersion2
	}
	return m.Dialect
}

// minRPCLen is the length in octets below which a receiver drops a message unseen (RFC 8166, section 4.5; draft 01,
// section 7; that of the draft of 2022 is its prefix).
func minRPCLen(d rpcrdma.Dialect, f rpcrdma.Form) int {
	switch {
	case d == rpcrdma.DialectVersion2:
		return rpcrdma.Version2Len
	case d == rpcrdma.DialectDraft2022 || f == rpcrdma.FormDone:
		return rpcrdma.Draft2022Len
	case f == rpcrdma.FormError:
		return rpcrdma.MinVersion1Error
	}
	return rpcrdma.MinVersion1
}

// An RPCFault is a fault of a Call, or of what takes the place of one, that its receiver answers with an RDMA_ERROR.
type RPCFault struct{ one, two []rpcrdma.ErrCode2 }

// Codes are the errors that the documents let a Responder of the dialect choose from, the usual one first; those of
// version 1 are rpcrdma.ErrCodes. None means that the fault is passed over in silence.
func (f *RPCFault) Codes(d rpcrdma.Dialect) []rpcrdma.ErrCode2 {
	switch d {
	case rpcrdma.DialectVersion2, rpcrdma.DialectDraft2022:
		return f.two
	}
	return f.one
}

const (
	errVers1  = rpcrdma.ErrCode2(rpcrdma.ErrCodeVers)
	errChunk1 = rpcrdma.ErrCode2(rpcrdma.ErrCodeChunk)
)

var (
	faultSilent  = &RPCFault{}
	faultVersion = &RPCFault{
		[]rpcrdma.ErrCode2{errVers1}, []rpcrdma.ErrCode2{rpcrdma.ErrCode2Vers, rpcrdma.ErrCode2VersMismatch},
	}
	faultKind = &RPCFault{
		[]rpcrdma.ErrCode2{errChunk1}, []rpcrdma.ErrCode2{rpcrdma.ErrCode2InvalHType, rpcrdma.ErrCode2InvalCont},
	}
	faultXDR = &RPCFault{
		[]rpcrdma.ErrCode2{errChunk1}, []rpcrdma.ErrCode2{rpcrdma.ErrCode2BadXDR, rpcrdma.ErrCode2InvalCont},
	}
	faultProperty     = &RPCFault{two: []rpcrdma.ErrCode2{rpcrdma.ErrCode2BadPropval, rpcrdma.ErrCode2BadXDR}}
	faultProperties   = &RPCFault{two: []rpcrdma.ErrCode2{rpcrdma.ErrCode2BadXDR, rpcrdma.ErrCode2BadPropval}}
	faultLate         = &RPCFault{two: []rpcrdma.ErrCode2{rpcrdma.ErrCode2InvalHType, rpcrdma.ErrCode2InvalCont}}
	faultContinuation = &RPCFault{two: []rpcrdma.ErrCode2{rpcrdma.ErrCode2InvalCont, rpcrdma.ErrCode2BadXDR}}
	faultReverse      = &RPCFault{two: []rpcrdma.ErrCode2{
		rpcrdma.ErrCode2ReadChunks, rpcrdma.ErrCode2WriteChunks,
		rpcrdma.ErrCode2Segments, rpcrdma.ErrCode2ReplyResource,
	}}
)
