package judge_test

// Which mutants are harmless: the documents leave the value to the sender, or tell the receiver not to look at it.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// A harmlessField says of a field when another value is harmless, and why.
type harmlessField struct {
	field string
	when  func(*mutant) bool // nil: always
	why   string
}

// harmlessFields are grouped by protocol. What is said of them holds of mutants in which nothing was found: where the
// other value contradicts something, it is noticed.
var harmlessFields = []harmlessField{
	{"iwarp_mpa.crc_flag", nil, "either side may ask for CRCs or not, and the CRCs are there and right in any case"},
	{"iwarp_mpa.crc", (*mutant).crcOff, "where CRCs are off the field may hold anything (RFC 5044, section 7.1.1)"},
	{"iwarp_mpa.marker_flag", (*mutant).silentPeer, "Markers may be asked for of a side that then sends nothing"},
	{"iwarp_mpa.rev", (*mutant).plainRequest, "a Request without S may be of any revision, and the Reply of one below"},
	{"iwarp_mpa.ulpdulength", (*mutant).endOfData, "how much a Send or RDMA Write carries is for the upper layer to say"},
	{"iwarp_mpa.enhanced.ird", nil, "each side chooses its depths, and the values are those of the Reply"},
	{"iwarp_mpa.enhanced.ord", nil, "each side chooses its depths, and the values are those of the Reply"},
	{"iwarp_mpa.enhanced.b", nil, "each side chooses which kinds of Ready to Receive it offers beside the one that is sent"},
	{"iwarp_mpa.enhanced.c", nil, "as b"},
	{"iwarp_mpa.enhanced.D", nil, "as b"},
	{"iwarp_mpa.legacy.ird", nil, "the Private Data of an upper layer is its own"},
	{"iwarp_mpa.legacy.ord", nil, "the Private Data of an upper layer is its own"},

	{"iwarp_ddp.last_flag", (*mutant).write, "an RDMA Write may be two that follow on each other, and two may be one"},
	{"iwarp_ddp.stag", (*mutant).freeWrite, "which STags are valid does not show"},
	{"iwarp_ddp.stag", (*mutant).emptyResponse, "nobody checks where no octets go (RFC 5041, section 5.2)"},
	{"iwarp_ddp.tagged_offset", (*mutant).freeWrite, "which offsets are within bounds does not show"},
	{"iwarp_ddp.tagged_offset", (*mutant).emptyResponse, "as the STag"},

	{"iwarp_rdma.opcode", (*mutant).otherSend, "whether a Send brings an Event or invalidates is for the upper layer to say"},
	{"iwarp_rdma.inval_stag", (*mutant).noULP, "which STags may be invalidated does not show"},
	{"iwarp_rdma.sinkstag", (*mutant).emptyRead, "nobody checks where no octets go (RFC 5041, section 5.2)"},
	{"iwarp_rdma.sinkto", (*mutant).emptyRead, "as the sink STag"},
	{"iwarp_rdma.srcstag", (*mutant).freeRead, "which STags are valid does not show"},
	{"iwarp_rdma.srcto", (*mutant).freeRead, "which offsets are within bounds does not show"},
	{"iwarp_rdma.immediate_data", nil, "the octets are the upper layer's"},
	{"iwarp_rdma.atomic.opcode", nil, "both operations are allowed on any octets"},
	{"iwarp_rdma.atomic.remote_stag", nil, "which STags are valid does not show"},
	{"iwarp_rdma.atomic.remote_tagged_offset", nil, "which offsets are within bounds does not show"},
	{"iwarp_rdma.atomic.add_data", nil, "any operand is allowed"},
	{"iwarp_rdma.atomic.add_mask", nil, "any operand is allowed"},
	{"iwarp_rdma.atomic.swap_data", nil, "any operand is allowed"},
	{"iwarp_rdma.atomic.swap_mask", nil, "any operand is allowed"},
	{"iwarp_rdma.atomic.compare_data", (*mutant).cmpSwap, "any operand is allowed in a CmpSwap"},
	{"iwarp_rdma.atomic.compare_mask", (*mutant).cmpSwap, "any operand is allowed in a CmpSwap"},
	{"iwarp_rdma.term_errcode", (*mutant).hiddenCause, "of an error that does not show another code may be the right one"},
	{"iwarp_rdma.term_layer", (*mutant).hiddenCause, "as the error code"},
	{"iwarp_rdma.term_etype", (*mutant).hiddenCause, "as the error code"},

	{"rpcordma.flow_control", nil, "how many credits a side asks for or grants is its own choice"},
	{"rpcordma.credit_grant", nil, "how many credits a side grants is its own choice"},
	{"rpcordma.credit_max", nil, "how many credits a side grants at most is its own choice"},
	{"rpcordma.rdma_length", (*mutant).rpcCall, "a chunk of a Call may offer more than is used of it"},
	{"rpcordma.rdma_handle", nil, "which STags are valid does not show where nobody uses them"},
	{"rpcordma.rdma_offset", nil, "which offsets are within bounds does not show where nobody uses them"},
	{"rpcordma.vers_low", nil, "each side knows which versions it has"},
	{"rpcordma.vers_high", nil, "each side knows which versions it has"},
	{"rpcordma.chunk_index", nil, "which chunk is too short only its sender knows"},
	{"rpcordma.inv_handle", (*mutant).noRPCCall, "it means nothing but in a Call (draft 01, section 6.2.4)"},
	{"rpcordma.xid", (*mutant).noRPC, "it means nothing in RDMA2_CONNPROP and in a grant"},
	{"rpcordma.flags.response", (*mutant).noRPC, "it means nothing in RDMA2_CONNPROP and in a grant"},
	{"rpcordma.private.identifier", nil, "Private Data that does not begin in this way is somebody else's"},
	{"rpcordma.private.r", nil, "each side says what it supports"},
	{"rpcordma.private.send_size", nil, "each side says what it sends, and keeps to it"},
	{"rpcordma.private.receive_size", nil, "each side says what it takes in, and the other keeps to it"},
	{"rpcordma.prop.which", nil, "properties that are not known are passed over"},
	{"rpcordma.prop.sbsiz", nil, "each side says what it sends, and keeps to it"},
	{"rpcordma.prop.rbsiz", nil, "each side says what it takes in, and the other keeps to it"},
	{"rpcordma.prop.rssiz", nil, "it binds the Calls of the other side, which keep to it"},
	{"rpcordma.prop.rcsiz", nil, "it binds the Calls of the other side, which keep to it"},
	{"rpcordma.prop.brs", nil, "each side says which Calls it takes in, and the other keeps to it"},
	{"rpcordma.prop.hostauth_length", nil, "what the material means is for others to say"},
	{"rpcordma.max_chunks", nil, "each side has its own limits"},
	{"rpcordma.max_segments", nil, "each side has its own limits"},
	{"rpcordma.length_needed", nil, "how much a Reply needs only its sender knows"},
}

// harmless reports whether m is not a fault.
func (m *mutant) harmless() bool {
	return slices.ContainsFunc(harmlessFields, func(h harmlessField) bool {
		return h.field == m.spot.name && (h.when == nil || h.when(m))
	})
}

// frame is the MPA frame of the step as it was.
func (m *mutant) frame() (f mpa.Frame) {
	f.Decode(m.s.steps[m.step].octets)
	return f
}

// segment is the segment of the step as it was.
func (m *mutant) segment() (s rdmap.Segment) {
	s.Decode(m.s.steps[m.step].octets)
	return s
}

// crcOff tells that neither MPA frame asks for CRCs.
func (m *mutant) crcOff() bool {
	return !slices.ContainsFunc(m.s.steps, func(one step) bool {
		var f mpa.Frame
		f.Decode(one.octets)
		return one.frame && (f.C || f.Rev == mpa.RevRDMAC)
	})
}

// silentPeer tells that the other side sends no FPDU.
func (m *mutant) silentPeer() bool {
	from := m.s.steps[m.step].from
	return !slices.ContainsFunc(m.s.steps, func(one step) bool { return !one.frame && one.from != from })
}

// plainRequest tells that m is a Request without S, of a revision that there is.
func (m *mutant) plainRequest() bool {
	f := m.frame()
	return !f.Reply && !f.S && m.value <= mpa.Rev2
}

// noULP tells that nobody follows the upper layer.
func (m *mutant) noULP() bool { return !m.s.rpc }

// endOfData tells that m ends the payload of a message elsewhere.
func (m *mutant) endOfData() bool {
	s := m.segment()
	op := s.Control.Opcode
	data := op.IsSend() && m.value >= ddp.UntaggedLen || op == rdmap.OpWrite && m.value >= ddp.TaggedLen
	return data && s.L() && m.noULP()
}

func (m *mutant) write() bool {
	s := m.segment()
	return s.Control.Opcode == rdmap.OpWrite
}

// freeWrite tells that m is an RDMA Write of which nobody knows where it has to go, or which carries nothing.
func (m *mutant) freeWrite() bool {
	s := m.segment()
	return m.write() && (m.noULP() || len(s.Body) == 0)
}

// emptyResponse tells that m is a Read Response that carries nothing.
func (m *mutant) emptyResponse() bool {
	s := m.segment()
	return s.Control.Opcode == rdmap.OpReadResponse && len(s.Body) == 0
}

// otherSend tells that m is a Send, or Immediate Data, of another type.
func (m *mutant) otherSend() bool {
	s := m.segment()
	was, is := s.Control.Opcode, rdmap.Opcode(m.value)
	return m.noULP() && (was.IsSend() && is.IsSend() || was.IsImmediate() && is.IsImmediate())
}

// read is the Read Request of the step.
func (m *mutant) read() (r rdmap.ReadRequest, ok bool) {
	s := m.segment()
	_, err := r.Decode(s.Body)
	return r, err == nil && s.Control.Opcode == rdmap.OpReadRequest
}

func (m *mutant) emptyRead() bool {
	r, ok := m.read()
	return ok && r.RDMARDSZ == 0
}

// freeRead tells that m is an RDMA Read of which nobody knows what it may read, or which reads nothing.
func (m *mutant) freeRead() bool { return m.noULP() || m.emptyRead() }

func (m *mutant) cmpSwap() bool {
	s := m.segment()
	var a rdmap.AtomicRequest
	_, err := a.Decode(s.Body)
	return err == nil && a.AOpCode == rdmap.CmpSwap
}

// hiddenCause tells that the error behind the Terminate does not show.
func (m *mutant) hiddenCause() bool {
	return m.s.before["terminate"] == len(m.s.before)
}

// role is what sends the RPC-over-RDMA message of the step.
func (m *mutant) role() rpcrdma.Role {
	octets := m.s.message(&m.s.steps[m.step])
	var r rpcrdma.Message
	r.Decode(octets, len(octets), rpcrdma.DetectDialect(octets, len(octets)))
	return r.Role
}

func (m *mutant) rpcCall() bool   { return m.role() == rpcrdma.Requester }
func (m *mutant) noRPCCall() bool { return !m.rpcCall() }

// noRPC tells that m is a message without an RPC.
func (m *mutant) noRPC() bool { return m.role() == rpcrdma.RoleNone }
