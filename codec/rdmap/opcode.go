package rdmap

// The opcodes: RFC 5040, section 4.1 (figure 4), and RFC 7306, section 4.1 (figure 2).

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
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

	OpExperimental Opcode = 15 // for experiments (RFC 6580, section 3.4)
)

// numOpcodes is the number of values that an opcode can have on the wire.
const numOpcodes = 16

// The DDP queues that RDMAP uses (RFC 5040, section 5 and RFC 7306, section 4.1). In each the first message has MSN 1.
const (
	QNSend           = 0 // Send types and Immediate Data
	QNReadRequest    = 1 // RDMA Read Requests and Atomic Requests
	QNTerminate      = 2 // the Terminate
	QNAtomicResponse = 3 // Atomic Responses
)

// A Descriptor is what the RFCs fix about the messages of one opcode.
type Descriptor struct {
	Name   string         // "SendSE"; empty if no RFC assigns the opcode
	T      bool           // the T bit of the DDP header
	QN     uint32         // the queue, unless T is set
	Use    Use            // what the message is for
	Answer Opcode         // the message that answers it; 0, which is OpWrite, if none does
	Forms  []HeaderForm   // the RDMAP header after the DDP header, in each form that it has; none if there is no header
	Select int            // the octet of the header whose low 4 bits select one of several forms
	Tail   []*field.Table // what may follow the header in its segment; the segment of all others ends with the header
}

// A HeaderForm is one form of an RDMAP header. All forms of a header have the same length.
type HeaderForm = struct {
	Table *field.Table
	Value uint8 // selects the form; the last form also stands for the values that select none
}

// Use says what a message is for.
type Use uint8

// The uses of messages.
const (
	Data        Use = 1 << iota // it carries octets of the ULP
	Receives                    // it consumes a buffer that the ULP posted to queue 0, even if it has no payload
	Invalidates                 // its Invalidate STag is valid; in all other untagged messages these octets must be zero
	Solicited                   // it asks for a Solicited Event
	Extension                   // RFC 7306 defines it: it needs RV 1 and a peer that supports it
)

// descriptors is the table of opcodes. All that depends on the opcode alone derives from it. A message that nothing
// answers takes these files:
//
//	codec/rdmap/opcode.go         its constant, its line here, and the field table of its RDMAP header
//	dissect/explain/opcode.go     what the message is for
//	dissect/explain/fieldtext.go  what its fields mean
//	codec/rdmap/immediate.go      the codec of that header
//	codec/rules/control.go        the rule about its length
//	dissect/layers/layertypes.go  the gopacket layer of that header
//
// One without an RDMAP header takes the first two only. A message that another one answers also takes rules
// in codec/rules, and whatever a QP is to do with a message goes into rnicsim.
var descriptors = [numOpcodes]Descriptor{
	OpWrite:            {Name: "Write", T: true, Use: Data},
	OpReadRequest:      {Name: "ReadRequest", QN: QNReadRequest, Answer: OpReadResponse, Forms: []HeaderForm{{Table: ReadRequestFields}}},
	OpReadResponse:     {Name: "ReadResponse", T: true, Use: Data},
	OpSend:             {Name: "Send", QN: QNSend, Use: Data | Receives},
	OpSendInvalidate:   {Name: "SendInvalidate", QN: QNSend, Use: Data | Receives | Invalidates},
	OpSendSE:           {Name: "SendSE", QN: QNSend, Use: Data | Receives | Solicited},
	OpSendSEInvalidate: {Name: "SendSEInvalidate", QN: QNSend, Use: Data | Receives | Invalidates | Solicited},
	OpTerminate: {Name: "Terminate", QN: QNTerminate, Forms: []HeaderForm{{Table: TerminateFields}},
		Tail: []*field.Table{SegmentLengthFields}},
	OpImmediate:   {Name: "Immediate", QN: QNSend, Use: Data | Receives | Extension, Forms: []HeaderForm{{Table: ImmediateFields}}},
	OpImmediateSE: {Name: "ImmediateSE", QN: QNSend, Use: Data | Receives | Solicited | Extension, Forms: []HeaderForm{{Table: ImmediateFields}}},
	OpAtomicRequest: {Name: "AtomicRequest", QN: QNReadRequest, Use: Extension, Answer: OpAtomicResponse,
		Forms: []HeaderForm{{FetchAddFields, uint8(FetchAdd)}, {CmpSwapFields, uint8(CmpSwap)}}, Select: aopcodeOff},
	OpAtomicResponse: {Name: "AtomicResponse", QN: QNAtomicResponse, Use: Extension, Forms: []HeaderForm{{Table: AtomicResponseFields}}},
}

// The field tables of RDMAP, in the order of its headers, and all of them.
var (
	// ControlFields describes the control octet.
	ControlFields = field.NewTable("RDMAP control field", proto, "RFC 5040, section 4.1",
		field.Field{Name: "iwarp_rdma.version", Label: "RV", Off: 0, Width: 2, Base: field.Dec, Usual: field.Always},
		field.Field{Name: "iwarp_rdma.rsv", Label: "Rsv", Off: 2, Width: 2, Base: field.Hex, Usual: field.Zero},
		field.Field{Name: "iwarp_rdma.opcode", Label: "Opcode", Off: 4, Width: 4, Base: field.Hex,
			Names: func(v uint64) string { return Opcode(v).String() }, Known: knownOpcodes, Usual: field.Always},
	)

	// InvalidateSTagFields describes the four octets after the control octet of Sends with Invalidate.
	InvalidateSTagFields = field.NewTable("RDMAP Invalidate STag", proto, "RFC 5040, section 4.1",
		field.Field{Name: "iwarp_rdma.inval_stag", Label: "Invalidate STag", Off: 0, Width: 32, Base: field.Hex, Refers: field.ToPeerSTag},
	)

	// ReservedFields describes the four octets after the control octet of all other untagged messages.
	ReservedFields = field.NewTable("RDMAP reserved octets", proto, "RFC 5040, section 4.1",
		field.Field{Name: "iwarp_rdma.reserved", Label: "Reserved", Off: 0, Width: 32, Base: field.Hex, Usual: field.Zero},
	)

	// ReadRequestFields describes the RDMA Read Request header.
	ReadRequestFields = field.NewTable("RDMAP Read Request header", proto, "RFC 5040, section 4.4",
		field.Field{Name: "iwarp_rdma.sinkstag", Label: "SinkSTag", Off: 0, Width: 32, Base: field.Hex, Refers: field.ToOwnSTag},
		field.Field{Name: "iwarp_rdma.sinkto", Label: "SinkTO", Off: 32, Width: 64, Base: field.Hex, Refers: field.ToOwnTO},
		field.Field{Name: "iwarp_rdma.rdmardsz", Label: "RDMARDSZ", Off: 96, Width: 32, Base: field.Dec},
		field.Field{Name: "iwarp_rdma.srcstag", Label: "SrcSTag", Off: 128, Width: 32, Base: field.Hex, Refers: field.ToPeerSTag},
		field.Field{Name: "iwarp_rdma.srcto", Label: "SrcTO", Off: 160, Width: 64, Base: field.Hex, Refers: field.ToPeerTO},
	).Asked("iwarp_rdma.rr")

	// The two forms of the Atomic Request header. They differ in the names of Add or Swap Data and Mask only;
	// [AOpCode.Fields] chooses.
	FetchAddFields = newAtomicRequestFields("add", "Add", field.Always) // which compares nothing
	CmpSwapFields  = newAtomicRequestFields("swap", "Swap", 0)

	// AtomicResponseFields describes the Atomic Response header.
	AtomicResponseFields = field.NewTable("RDMAP Atomic Response header", proto, "RFC 7306, section 5.2.2",
		field.Field{Name: "iwarp_rdma.atomic.original_request_identifier", Label: "Original Request Identifier", Off: 0, Width: 32, Base: field.Dec, Refers: field.ToRun},
		field.Field{Name: "iwarp_rdma.atomic.original_remote_data_value", Label: "Original Remote Data Value", Off: 32, Width: 64, Base: field.Hex, Refers: field.ToRun},
	)

	// ImmediateFields describes the Immediate Data header. Wireshark does not decode it.
	ImmediateFields = field.NewTable("RDMAP Immediate Data header", proto, "RFC 7306, section 6.2",
		field.Field{Name: "iwarp_rdma.immediate_data", Label: "Immediate Data", Off: 0, Width: 64, Base: field.Hex},
	)

	// TerminateFields describes the first 4 octets of a Terminate header. What EType and Error Code are called depends on
	// the Layer: [Code.Fields] is this table with their names.
	TerminateFields = newTerminateFields(naming{}, naming{})

	// SegmentLengthFields describes the DDP Segment Length of a Terminate, which stands 4 octets after the beginning of the
	// Terminate header if it is there.
	SegmentLengthFields = field.NewTable("RDMAP Terminate DDP Segment Length", proto, "RFC 5040, section 4.8",
		field.Field{Name: "iwarp_rdma.term_ddp_seg_len", Label: "DDP Segment Length", Off: 0, Width: 16, Base: field.Dec},
	).LeftOut()

	// MeantFields describes the first 4 octets of a Terminate in the swapped order: what its sender meant. Reserved bits
	// are left out.
	MeantFields = newMeantFields(naming{}, naming{})

	// TrailingFields describes octets after a header that the protocol does not know.
	TrailingFields = field.NewTable("RDMAP trailing octets", proto, "not defined by any RFC",
		field.Field{Name: "iwarp_rdma.trailing", Label: "Trailing octets", Off: 0, Base: field.Octets},
	)

	// Tables lists every field table of this package, for code that needs all names in advance. Tables that belong to
	// one error of a Terminate (see [Code.Fields]) are left out: [TerminateFields] has the same fields.
	Tables = func() []*field.Table {
		all := []*field.Table{ControlFields, InvalidateSTagFields, ReservedFields}
		for o := range Opcodes() {
			for _, f := range o.Descriptor().Forms {
				if !slices.Contains(all, f.Table) {
					all = append(all, f.Table)
				}
			}
		}
		return append(all, MeantFields, SegmentLengthFields, TrailingFields)
	}()
)

// What else descriptors say that every segment is asked for.
const (
	asks    Use = 1 << (7 - iota) // another message answers it
	answers                       // it answers another one
	headed                        // it has an RDMAP header
)

// uses are the Use of each opcode, with asks, answers and headed, and 0 of what is none.
var uses = func() (all [math.MaxUint8 + 1]Use) {
	for i := range descriptors {
		d := &descriptors[i]
		all[i] |= d.Use
		if d.Answer != 0 {
			all[i] |= asks
			all[d.Answer] |= answers
		}
		if d.header() != nil {
			all[i] |= headed
		}
	}
	return all
}()

var unassigned Descriptor

// Descriptor returns what the RFCs fix about the opcode; of one that is not assigned, the zero Descriptor.
func (o Opcode) Descriptor() *Descriptor {
	if o < numOpcodes {
		return &descriptors[o]
	}
	return &unassigned
}

func (o Opcode) has(u Use) bool { return uses[o]&u != 0 }

// Header returns the table that describes an RDMAP header of the message, of which header holds what there is; nil if the
// message has none. Octets that are not there count as zero.
func (d *Descriptor) Header(header []byte) *field.Table {
	if len(d.Forms) < 2 {
		return d.header()
	}
	var value uint8
	if d.Select < len(header) {
		value = header[d.Select] & 15
	}
	last := len(d.Forms) - 1
	for _, f := range d.Forms[:last] {
		if f.Value == value {
			return f.Table
		}
	}
	return d.Forms[last].Table
}

// numbered are the names of opcodes that are not assigned.
var numbered = [numOpcodes]string{
	"Opcode0", "Opcode1", "Opcode2", "Opcode3", "Opcode4", "Opcode5", "Opcode6", "Opcode7",
	"Opcode8", "Opcode9", "Opcode10", "Opcode11", "Opcode12", "Opcode13", "Opcode14", "Opcode15",
}

// String returns the name of the message, "SendSEInvalidate", or the number of an unknown opcode, "Opcode14".
func (o Opcode) String() string {
	switch {
	case o >= numOpcodes:
		return "Opcode" + strconv.Itoa(int(o))
	case o.Known():
		return descriptors[o].Name
	}
	return numbered[o]
}

// ParseOpcode reads what [Opcode.String] writes: a message's name, or "Opcode" and a number up to 15.
func ParseOpcode(s string) (Opcode, error) {
	var names []string
	for o := range Opcode(numOpcodes) {
		if s == o.String() || s == numbered[o] {
			return o, nil
		}
		if o.Known() {
			names = append(names, o.String())
		}
	}
	return 0, fmt.Errorf("rdmap: %q is not an Opcode: want one of %s, or Opcode0 to Opcode15", s, strings.Join(names, ", "))
}

// Opcodes yields the opcodes that are assigned, in ascending order.
func Opcodes() iter.Seq[Opcode] {
	return func(yield func(Opcode) bool) {
		for o := range Opcode(numOpcodes) {
			if o.Known() && !yield(o) {
				return
			}
		}
	}
}

// knownOpcodes is Opcodes for a field table.
func knownOpcodes(yield func(uint64) bool) {
	for o := range Opcodes() {
		if !yield(uint64(o)) {
			return
		}
	}
}

// Known reports whether RFC 5040 or RFC 7306 assigns the opcode.
func (o Opcode) Known() bool { return o.Descriptor().Name != "" }

// Extension reports whether the opcode is one of RFC 7306's, which need RV 1 and a peer that supports them.
func (o Opcode) Extension() bool { return o.has(Extension) }

// Tagged is the T bit that the opcode demands. It is false for unknown opcodes, of which nothing is demanded.
func (o Opcode) Tagged() bool { return o.Descriptor().T }

// QN is the queue that the opcode demands. It is false for tagged messages, which have no queue, and for unknown
// opcodes.
func (o Opcode) QN() (qn uint32, ok bool) {
	d := o.Descriptor()
	return d.QN, !d.T && d.Name != ""
}

// IsSend reports whether the opcode is one of the four Send types.
func (o Opcode) IsSend() bool { return o.has(Receives) && !o.has(headed) }

// IsImmediate reports whether the opcode is one of the two Immediate Data messages.
func (o Opcode) IsImmediate() bool { return o.Descriptor().header() == ImmediateFields }

// IsTerminate reports whether the message is the Terminate.
func (o Opcode) IsTerminate() bool { return o == OpTerminate }

// HasInvalidateSTag reports whether the Invalidate STag of the message is valid. In all other untagged messages these
// octets must be zero (RFC 5040, section 4.1).
func (o Opcode) HasInvalidateSTag() bool { return o.has(Invalidates) }

// Solicited reports whether the message asks for a Solicited Event.
func (o Opcode) Solicited() bool { return o.has(Solicited) }

// ConsumesReceive reports whether the message consumes a buffer that the ULP posted to queue 0, even if it has no
// payload.
func (o Opcode) ConsumesReceive() bool { return o.has(Receives) }

// IsRequest reports whether another message, [Opcode.Response], answers this one, which then counts against the IRD and
// ORD.
func (o Opcode) IsRequest() bool { return o.has(asks) }

// Response is the opcode that answers this one. It is false for messages that are not answered.
func (o Opcode) Response() (response Opcode, ok bool) {
	d := o.Descriptor()
	return d.Answer, d.Answer != 0
}

// IsResponse reports whether the message answers a request.
func (o Opcode) IsResponse() bool { return o.has(answers) }

// HasPayload reports whether the message carries ULP payload and may therefore take more than one segment. The others
// consist of an RDMAP header in one segment; of the unknown opcodes nothing is known.
func (o Opcode) HasPayload() bool { return o.has(Data) && !o.has(headed) }

// header is the table of the RDMAP header in its first form; nil if the message has none.
func (d *Descriptor) header() *field.Table {
	if len(d.Forms) == 0 {
		return nil
	}
	return d.Forms[0].Table
}

// HasTail reports whether the segment of the message may go on after its RDMAP header.
func (o Opcode) HasTail() bool { return len(o.Descriptor().Tail) > 0 }

// RDMAPHeaderLen is the length in octets of the RDMAP header after the DDP header: 0 if the message has none, and
// for a Terminate the 4 octets that each has.
func (o Opcode) RDMAPHeaderLen() int {
	if t := o.Descriptor().header(); t != nil {
		return t.Len()
	}
	return 0
}
