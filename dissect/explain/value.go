package explain

// Values of small enumerations that have no entry of another kind: AOpCodes, Queue Numbers and MPA revisions.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A value is one value of an enumeration.
type value struct {
	of     string // what it is a value of: "AOpCode"
	number int
	title  string
	text   string
	aka    []string
	peers  []Peer
	see    []string
	source string
}

var values = []value{
	{of: "AOpCode", number: int(rdmap.FetchAdd), title: "FetchAdd: add to memory", aka: []string{"FetchAdd",
		"Fetch and Add"},
		text: "Adds Add Data to 64 bits at the other side and returns what was there. A bit in Add Mask is the most significant one of a field, " +
			"across which no carry goes; with Add Mask 0, it is one number of 64 bits.",
		see:    []string{"AtomicRequest", "Add Mask"},
		source: "RFC 7306, section 5.1.1"},
	{of: "AOpCode", number: 1, title: "not assigned", text: "Reserved. RFC 7306 speaks of a swap without " +
		"comparison, but assigns no code to it: CmpSwap with Compare Mask 0 does the same.",
		peers:  []Peer{{"urdma", []string{"uses 1 for CmpSwap"}}},
		see:    []string{"CmpSwap"},
		source: "RFC 7306, sections 5.2.1 and 10.1"},
	{of: "AOpCode", number: int(rdmap.CmpSwap), title: "CmpSwap: compare and swap memory", aka: []string{"CmpSwap",
		"Compare and Swap", "CompareSwap"},
		text: "Compares 64 bits at the other side with Compare Data, as far as Compare Mask has ones. If they agree, the bits of Swap Mask are " +
			"replaced by those of Swap Data. What was there before is returned in either case.",
		see: []string{"AtomicRequest"}, source: "RFC 7306, section 5.1.2"},

	{of: "QN", number: rdmap.QNSend, title: "the queue of Sends and Immediate Data", aka: []string{"Send Queue Number"},
		text: "Its buffers are those that the receiving upper layer posts. Each message takes one, in order.",
		see:  []string{"MSN", "1/2/02"}, source: "RFC 5040, section 3.1"},
	{of: "QN", number: rdmap.QNReadRequest, title: "the queue of Read Requests and Atomic Requests", aka: []string{"Read " +
		"Request Queue", "RDMA Read Request Queue", "IRRQ"},
		text: "It has as many buffers as the receiver's IRD, which the receiver itself supplies.",
		see:  []string{"IRD", "ReadRequest"}, source: "RFC 5040, section 3.1"},
	{of: "QN", number: rdmap.QNTerminate, title: "the queue of the Terminate",
		text: "It takes one message in the life of a stream, with MSN 1.",
		see:  []string{"Terminate"}, source: "RFC 5040, section 3.1"},
	{of: "QN", number: rdmap.QNAtomicResponse, title: "the queue of Atomic Responses",
		text: "Only peers that support the Atomics of RFC 7306 have it. Its MSNs count the Responses, whatever the MSNs of the Requests are.",
		see:  []string{"AtomicResponse"}, source: "RFC 7306, section 10.2"},

	{of: "Rev", number: mpa.RevRDMAC, title: "MPA of the RDMA Consortium", aka: []string{"RDMAC revision"},
		text:   "Markers and CRC are always on, whatever M and C say, and DDP and RDMAP have version 0.",
		see:    []string{"RDMAC", "DV"},
		source: "RFC 5044, appendix C"},
	{of: "Rev", number: mpa.Rev1, title: "MPA of RFC 5044",
		text: "The revision without IRD and ORD in the MPA frames. An Initiator that knows revision 2 may fall " +
			"back to it when the Responder closes the connection.",
		see: []string{"MPA Request"}, source: "RFC 5044, section 7.1.1"},
	{of: "Rev", number: mpa.Rev2, title: "MPA with enhanced connection set-up", aka: []string{"MPAv2", "MPA v2",
		"MPA 2"},
		text:   "With the S bit the Private Data begins with a word that negotiates IRD, ORD and the first message (RTR).",
		peers:  []Peer{{"tshark", []string{"before version 4.6 warns of the revision and of the S bit, and shows the word as Private Data"}}},
		see:    []string{"Enhanced", "IRD", "RTR"},
		source: "RFC 6581, section 6"},
	{of: "Rev", number: mpa.RevERDMA, title: "a revision of ERDMA, a vendor's adapter",
		text: "No RFC defines it. Alibaba's ERDMA devices send it, with headers of their own.",
		see:  []string{"ERDMA"}, source: "the erdma driver of Linux"},
}

// prefixes are the words that may stand before the number of a value.
var prefixes = map[string][]string{
	"AOpCode": {"aopcode", "atomic opcode", "iwarp_rdma.atomic.opcode", ""},
	"QN":      {"qn", "queue", "queue number", "iwarp_ddp.qn", ""},
	"Rev":     {"rev", "revision", "mpa rev", "mpa revision", "mpa v", "mpa", "iwarp_mpa.rev", ""},
}

func valueTopics() (topics []topic) {
	for i := range values {
		v := &values[i]
		n := strconv.Itoa(v.number)
		keys := v.aka
		for _, prefix := range prefixes[v.of] {
			keys = append(keys, prefix+n)
		}
		topics = append(topics, Entry{
			Kind: KindValue, Name: v.of + " " + n, Title: v.title,
			Text: []string{v.text}, Peers: v.peers, See: v.see, Sources: []string{v.source},
		}.topic(keys))
	}
	return topics
}
