package explain

// RDMAP messages. What they look like comes from package rdmap.

import (
	"fmt"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A message is what there is to say of an opcode beside its layout.
type message struct {
	title   string
	text    string
	sentBy  string
	lookFor string
	source  string
	aka     []string
	peers   []Peer
	see     []string
}

// noImmediate is what tshark does with Immediate Data.
var noImmediate = []Peer{{"tshark", []string{"version 4.0 shows Immediate Data as an unknown opcode"}}}

var messages = [...]message{
	rdmap.OpWrite: {
		title: "RDMA Write", sentBy: "either side, into memory that the other advertised",
		source: "RFC 5040, section 5.1",
		aka:    []string{"RDMA Write", "RDMAWrite"},
		text: "Puts data into a tagged buffer of the other side, named by STag and TO. The other side's upper " +
			"layer is not told: a Send after it usually says that the data is there.",
		lookFor: "the Send that advertised its STag, and the Send that follows it. A peer that stops answering " +
			"after a Write often refused it: look for a Terminate of layer 1.",
		see: []string{"STag", "TO", "Advertisement", "1/1/00"},
	},
	rdmap.OpReadRequest: {
		title: "RDMA Read Request", sentBy: "the Data Sink: the side that wants the data",
		source: "RFC 5040, section 5.2.1",
		aka:    []string{"Read Request", "RDMA Read Request", "RREQ"},
		text: "Asks the other side for RDMARDSZ octets of its memory at SrcSTag and SrcTO, to be written to SinkSTag and SinkTO at the sender. The " +
			"answer is a ReadResponse. It is one segment on queue 1, with no payload.",
		lookFor: "its ReadResponse: the STag is the SinkSTag. One without answer, and the connection silent, means " +
			"that the Request was dropped or that IRD was exceeded.",
		see: []string{"IRD", "ORD", "ReadResponse", "RDMARDSZ"},
	},
	rdmap.OpReadResponse: {
		title: "RDMA Read Response", sentBy: "the Data Source: the side that was asked for data",
		source: "RFC 5040, section 5.2.2",
		aka:    []string{"Read Response", "RDMA Read Response", "RRESP"},
		text: "Carries the data that a ReadRequest asked for, in tagged segments to its SinkSTag and SinkTO. Responses come in the order of the " +
			"Requests. RFC 5040 lets the receiver check them against the Request, but does not demand it.",
		lookFor: "the ReadRequest with the same SinkSTag before it in the other direction.",
		see:     []string{"ReadRequest", "SinkSTag"},
	},
	rdmap.OpSend: {
		title: "Send", sentBy: "either side", source: "RFC 5040, section 5.3",
		aka: []string{"RDMA Send"},
		text: "Puts a message of the upper layer into the next receive buffer of the other side, which is told " +
			"of it. It takes a buffer even if it has no payload.",
		lookFor: "its MSN, which counts the Sends of that direction from 1, and its length: it must fit the " +
			"receive buffer, and there must be one. Otherwise the answer is the Terminate 1/2/02 or 1/2/05.",
		see: []string{"MSN", "SendInvalidate", "SendSE", "1/2/02", "1/2/05"},
	},
	rdmap.OpSendInvalidate: {
		title: "Send with Invalidate", sentBy: "the side that has finished with memory which the other advertised",
		source: "RFC 5040, section 5.3",
		aka:    []string{"Send with Invalidate", "Send Invalidate", "SendInv", "Send with Inv"},
		text: "A Send that also invalidates an STag of its receiver, the Invalidate STag. After it, nobody may use the STag remotely until its " +
			"owner advertises it again. Upper layers such as RPC-over-RDMA use it to spare the owner the work.",
		lookFor: "later use of the same STag: it must fail. An error of the invalidation itself is the Terminate 0/1/09 or 0/2/09.",
		see:     []string{"Invalidate STag", "0/1/09", "0/2/09"},
	},
	rdmap.OpSendSE: {
		title: "Send with Solicited Event", sentBy: "either side", source: "RFC 5040, section 5.3",
		aka: []string{"Send with Solicited Event", "Send with SE", "Send SE"},
		text: "A Send that asks for an Event at its receiver, so that an application that waits for solicited " +
			"Events only is woken. On the wire, it differs from a Send only by its opcode.",
		see: []string{"Solicited Event", "Send"},
	},
	rdmap.OpSendSEInvalidate: {
		title: "Send with Solicited Event and Invalidate", sentBy: "the side that has finished with memory which " +
			"the other advertised", source: "RFC 5040, section 5.3",
		aka: []string{"Send with Solicited Event and Invalidate", "Send with SE and Invalidate", "Send SE Invalidate",
			"SendSEInv"},
		text: "A Send with Invalidate that also asks for an Event at its receiver.",
		see:  []string{"SendInvalidate", "Solicited Event"},
	},
	rdmap.OpTerminate: {
		title: "Terminate Message", sentBy: "the side that met an error, which then closes the connection",
		source: "RFC 5040, sections 4.8, 5.4 and 7",
		aka:    []string{"Term", "TERM message", "Terminate message", "RDMA Terminate", "RDMAP Terminate"},
		text: "The last message of a direction: it says which error was met (Layer, EType, Error Code) and encloses headers of the message in " +
			"error as far as HdrCt says. It is on queue 2 with MSN 1, must not be answered, and both sides close. Ask for a code, such as 1/2/05, for " +
			"what it means, or for 1/2 for the codes of a type.",
		lookFor: "the message whose header is enclosed, in the other direction: that is the message in error. The upper layers then reconnect, or give up.",
		see:     []string{"HdrCt", "Layer 0", "Layer 1", "Layer 2", "term_layer"},
	},
	rdmap.OpImmediate: {
		title: "Immediate Data", sentBy: "either side, usually after an RDMA Write", source: "RFC 7306, section 6.3",
		aka:  []string{"Immediate Data", "Imm"},
		text: "Eight octets for the upper layer, which take a receive buffer as a Send does. After a Write, it says that the Write's data is there.",
		see:  []string{"ImmediateSE", "Send"}, peers: noImmediate,
	},
	rdmap.OpImmediateSE: {
		title: "Immediate Data with Solicited Event", sentBy: "either side, usually after an RDMA Write",
		source: "RFC 7306, section 6.3",
		aka:    []string{"Immediate Data with Solicited Event", "Immediate Data with SE", "Imm SE"},
		text:   "Immediate Data that also asks for an Event at its receiver.",
		see:    []string{"Immediate", "Solicited Event"}, peers: noImmediate,
	},
	rdmap.OpAtomicRequest: {
		title: "Atomic Operation Request", sentBy: "the requester", source: "RFC 7306, section 5.2.1",
		aka: []string{"Atomic Request", "Atomic Operation Request", "Atomic", "AREQ"},
		text: "Asks the other side to change 64 bits of its memory in one step: FetchAdd or CmpSwap. The answer is an AtomicResponse with the " +
			"value before. It shares queue 1, its MSNs and the IRD with Read Requests.",
		lookFor: "the AtomicResponse with the same Request Identifier. A Remote Tagged Offset that is not a multiple of 8 is answered with 0/2/07.",
		see:     []string{"AOpCode", "FetchAdd", "CmpSwap", "IRD"},
	},
	rdmap.OpAtomicResponse: {
		title: "Atomic Operation Response", sentBy: "the responder", source: "RFC 7306, section 5.2.2",
		aka: []string{"Atomic Response", "Atomic Operation Response", "ARESP"},
		text: "Carries the value that the memory had before an AtomicRequest changed it, on queue 3. RFC 7306 " +
			"gives the length of its header as 32 octets in section 4 and draws 12, which is what peers send.",
		lookFor: "the AtomicRequest with the same Request Identifier.",
		see:     []string{"AtomicRequest"},
	},
}

func messageTopics() (topics []topic) {
	for i := range messages {
		m, o := &messages[i], rdmap.Opcode(i)
		topics = append(topics, topic{
			kind: KindMessage, name: o.String(), title: m.title + ", opcode " + strconv.Itoa(i),
			keys:  append(opcodeKeys(o), m.aka...),
			entry: func() Entry { return messageEntry(m, o) },
		})
	}
	for o := range rdmap.Opcode(16) {
		if o.Known() {
			continue
		}
		title, text, source := "an opcode that is not assigned", "No RFC assigns this opcode. A receiver answers "+
			"it with the Terminate 0/2/06.", "RFC 6580, section 3.4"
		if o == rdmap.OpExperimental {
			title, text = "the opcode for experiments", "Set aside for experiments; no RFC says what it means. A "+
				"receiver that takes no part answers it with the Terminate 0/2/06."
		}
		topics = append(topics, Entry{
			Kind: KindMessage, Name: o.String(), Title: title, Text: []string{text},
			LookFor: "lost FPDU boundaries: random octets show as random opcodes.",
			See:     []string{"0/2/06"}, Sources: []string{source, "RFC 7306, section 4.1"},
		}.topic(opcodeKeys(o)))
	}
	return topics
}

func opcodeKeys(o rdmap.Opcode) []string {
	n := strconv.Itoa(int(o))
	return []string{"opcode" + n, "op" + n, "rdmap opcode" + n, "iwarp_rdma.opcode" + n, n}
}

func messageEntry(m *message, o rdmap.Opcode) Entry {
	e := Entry{
		Kind: KindMessage, Name: o.String(), Title: m.title,
		Text: []string{m.text}, LookFor: m.lookFor, Peers: m.peers, See: m.see,
		Sources: []string{m.source, "RFC 5040, section 4.1"},
	}
	if o.Extension() {
		e.Sources[1] = "RFC 7306, section 4.1"
	}
	e.Facts = []Fact{{"Opcode", fmt.Sprintf("%d (0x%X)", uint8(o), uint8(o))}, {"Sent by", m.sentBy}}
	control := rdmap.Control{RV: rdmap.Version, Opcode: o}
	octet, _ := control.Octet()
	var header []byte
	if qn, ok := o.QN(); ok {
		e.Facts = append(e.Facts, Fact{"Buffers", fmt.Sprintf("untagged, queue %d", qn)})
		header, _ = (&ddp.Untagged{L: true, DV: ddp.Version, RsvdULP: uint64(octet) << 32}).AppendBinary(nil)
	} else {
		e.Facts = append(e.Facts, Fact{"Buffers", "tagged"})
		header, _ = (&ddp.Tagged{L: true, DV: ddp.Version, RsvdULP: octet}).AppendBinary(nil)
	}
	e.Facts = append(e.Facts, Fact{"Begins with", fmt.Sprintf("% x", header[:2])})
	e.Facts = append(e.Facts, Fact{"Headers", headers(o, len(header))})
	if response, ok := o.Response(); ok {
		e.Facts = append(e.Facts, Fact{"Answered by", response.String()})
	}
	return e
}

// headers says how long the headers of a message are.
func headers(o rdmap.Opcode, ddpLen int) string {
	s := fmt.Sprintf("DDP %d octets", ddpLen)
	if n := o.RDMAPHeaderLen(); n > 0 {
		s += fmt.Sprintf(", RDMAP %d octets", n)
		if o.HasTail() {
			s += " and more"
		}
	}
	if o.HasPayload() {
		s += ", then payload"
	}
	return s
}
