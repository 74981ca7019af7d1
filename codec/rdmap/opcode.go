package rdmap

// The opcodes, RFC 5040, section 4.1 (figure 4) and RFC 7306, section 4.1 (figure 2):
//
//	opcode  message           T  QN  Invalidate STag  RDMAP header  ULP payload
//	   0    Write             1                                     yes
//	   1    ReadRequest       0   1                   28
//	   2    ReadResponse      1                                     yes
//	   3    Send              0   0                                 yes
//	   4    SendInvalidate    0   0  yes                            yes
//	   5    SendSE            0   0                                 yes
//	   6    SendSEInvalidate  0   0  yes                            yes
//	   7    Terminate         0   2                   4 and more
//	   8    Immediate         0   0                   8
//	   9    ImmediateSE       0   0                   8
//	  10    AtomicRequest     0   1                   52
//	  11    AtomicResponse    0   3                   12

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// Opcode says what message a segment belongs to. It has 4 bits on the wire.
type Opcode uint8

// The opcodes of RFC 5040, section 4.1, and, from OpImmediate on, of RFC 7306, section 4.1.
const (
	OpWrite            Opcode = iota // RDMA Write
	OpReadRequest                    // RDMA Read Request
	OpReadResponse                   // RDMA Read Response
	OpSend                           // Send
	OpSendInvalidate                 // Send with Invalidate
	OpSendSE                         // Send with Solicited Event
	OpSendSEInvalidate               // Send with Solicited Event and Invalidate
	OpTerminate                      // Terminate
	OpImmediate                      // Immediate Data
	OpImmediateSE                    // Immediate Data with Solicited Event
	OpAtomicRequest                  // Atomic Operation Request
	OpAtomicResponse                 // Atomic Operation Response
)

// OpExperimental is the opcode that RFC 6580, section 3.4, sets aside for experiments.
const OpExperimental Opcode = 15

// opcodes is the number of opcodes that are assigned, from 0 on.
const opcodes = 12

// The DDP queues that RDMAP uses (RFC 5040, section 5 and RFC 7306, section 4.1). In each the first message has MSN 1.
const (
	QNSend           = 0 // Send types and Immediate Data
	QNReadRequest    = 1 // RDMA Read Requests and Atomic Requests
	QNTerminate      = 2 // the Terminate
	QNAtomicResponse = 3 // Atomic Responses
)

var opcodeNames = [opcodes]string{
	"Write", "ReadRequest", "ReadResponse", "Send", "SendInvalidate", "SendSE", "SendSEInvalidate", "Terminate",
	"Immediate", "ImmediateSE", "AtomicRequest", "AtomicResponse",
}

// String is the name of the message, "SendSEInvalidate", or for an unknown opcode its number, "Opcode12".
func (o Opcode) String() string {
	if o.Known() {
		return opcodeNames[o]
	}
	return unknownName("Opcode", uint8(o))
}

// unknownNames holds what the enumerations of 4 bits call their values that have no name, so that naming them does
// not allocate.
var unknownNames = func() map[string]*[16]string {
	m := make(map[string]*[16]string)
	for _, kind := range []string{"Opcode", "AOpCode", "Layer", "EType"} {
		m[kind] = new([16]string)
		for i := range m[kind] {
			m[kind][i] = kind + strconv.Itoa(i)
		}
	}
	return m
}()

func unknownName(kind string, v uint8) string {
	if names := unknownNames[kind]; names != nil && v < 16 {
		return names[v]
	}
	return kind + strconv.Itoa(int(v))
}

// parseEnum finds s among names, or reads kind and a number below 16.
func parseEnum(kind string, names []string, s string) (uint8, error) {
	for i, name := range names {
		if name != "" && s == name {
			return uint8(i), nil
		}
	}
	if digits, ok := strings.CutPrefix(s, kind); ok {
		if v, err := strconv.ParseUint(digits, 10, 4); err == nil {
			return uint8(v), nil
		}
	}
	return 0, fmt.Errorf("rdmap: %q is no %s: want one of %s, or %s0 to %s15",
		s, kind, strings.Join(nonEmpty(names), ", "), kind, kind)
}

// named is the values, in ascending order, that have one of names.
func named(names []string) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i, name := range names {
			if name != "" && !yield(uint64(i)) {
				return
			}
		}
	}
}

func nonEmpty(names []string) (some []string) {
	for _, name := range names {
		if name != "" {
			some = append(some, name)
		}
	}
	return some
}

// ParseOpcode reads what [Opcode.String] writes: a message's name, or "Opcode" and a number up to 15.
func ParseOpcode(s string) (Opcode, error) {
	v, err := parseEnum("Opcode", opcodeNames[:], s)
	return Opcode(v), err
}

// Known says whether RFC 5040 or RFC 7306 assigns the opcode.
func (o Opcode) Known() bool { return o < opcodes }

// Extension says whether the opcode is one of RFC 7306's, which need RV 1 and a peer that supports them.
func (o Opcode) Extension() bool { return o >= OpImmediate && o < opcodes }

// Tagged is the T bit that the opcode demands. It is false for unknown opcodes, of which nothing is demanded.
func (o Opcode) Tagged() bool { return o == OpWrite || o == OpReadResponse }

// QN is the queue that the opcode demands. It is false for tagged messages, which have no queue, and for unknown
// opcodes.
func (o Opcode) QN() (qn uint32, ok bool) {
	switch o {
	case OpSend, OpSendInvalidate, OpSendSE, OpSendSEInvalidate, OpImmediate, OpImmediateSE:
		return QNSend, true
	case OpReadRequest, OpAtomicRequest:
		return QNReadRequest, true
	case OpTerminate:
		return QNTerminate, true
	case OpAtomicResponse:
		return QNAtomicResponse, true
	}
	return 0, false
}

// IsSend says whether the opcode is one of the four Send types.
func (o Opcode) IsSend() bool { return o >= OpSend && o <= OpSendSEInvalidate }

// IsImmediate says whether the opcode is one of the two Immediate Data messages.
func (o Opcode) IsImmediate() bool { return o == OpImmediate || o == OpImmediateSE }

// HasInvalidateSTag says whether the Invalidate STag of the message is valid. In all other untagged messages these
// octets must be zero (RFC 5040, section 4.1).
func (o Opcode) HasInvalidateSTag() bool { return o == OpSendInvalidate || o == OpSendSEInvalidate }

// Solicited says whether the message asks for a Solicited Event.
func (o Opcode) Solicited() bool {
	return o == OpSendSE || o == OpSendSEInvalidate || o == OpImmediateSE
}

// ConsumesReceive says whether the message takes a buffer that the ULP posted to queue 0, even if it has no payload.
func (o Opcode) ConsumesReceive() bool { return o.IsSend() || o.IsImmediate() }

// IsRequest says whether the message is answered by another, [Opcode.Response], and counts against the IRD and ORD.
func (o Opcode) IsRequest() bool { return o == OpReadRequest || o == OpAtomicRequest }

// Response is the opcode that answers this one. It is false for messages that are not answered.
func (o Opcode) Response() (response Opcode, ok bool) {
	switch o {
	case OpReadRequest:
		return OpReadResponse, true
	case OpAtomicRequest:
		return OpAtomicResponse, true
	}
	return 0, false
}

// HasPayload says whether the message carries ULP payload and may therefore take more than one segment. The others
// consist of an RDMAP header in one segment; of the unknown opcodes nothing is known.
func (o Opcode) HasPayload() bool { return o.Tagged() || o.IsSend() }

// RDMAPHeaderLen is the length in octets of the RDMAP header behind the DDP header: 0 if the message has none, and
// for a Terminate the 4 octets that each has.
func (o Opcode) RDMAPHeaderLen() int {
	switch o {
	case OpReadRequest:
		return ReadRequestLen
	case OpTerminate:
		return TerminateLen
	case OpImmediate, OpImmediateSE:
		return ImmediateLen
	case OpAtomicRequest:
		return AtomicRequestLen
	case OpAtomicResponse:
		return AtomicResponseLen
	}
	return 0
}
