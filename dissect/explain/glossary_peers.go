package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/peers/words"
)

// peerTerms are the RNICs that the notes of other entries speak of, and implementations of upper layers.
func peerTerms() (terms []term) {
	for _, p := range words.Peers {
		terms = append(terms, term{
			name: p.Name, aka: p.Aka, title: p.Title, text: p.Text, lookFor: p.LookFor, see: p.See, sources: p.Sources,
		})
	}
	for _, p := range peers.UpperLayers {
		frame := "MPA Request"
		if p.Private.Reply {
			frame = "MPA Reply"
		}
		terms = append(terms, term{
			name: p.Name, title: p.Title, see: []string{"Private Data", "deviation"}, sources: []string{"captures of Linux 6.1"},
			text:    "An implementation of an upper layer, which iwarp check recognises by the Private Data that it gives to MPA.",
			lookFor: fmt.Sprintf("an %s with Private Data of %d octets that begin with % x.", frame, p.Private.Len, p.Private.Octets),
		})
	}
	return terms
}

// rnics are the names of the RNICs that are known.
func rnics() (names []string) {
	for _, p := range peers.RNICs {
		names = append(names, p.Name)
	}
	return names
}

// remarks adds to an Entry what the peers that are known do about it, before what others do.
func (e *Entry) remarks() {
	if e.Kind == KindSituation || e.Kind == KindDocument {
		return // it is called after a rule or a term, which has them
	}
	var all []Peer
	for _, p := range slices.Concat(peers.RNICs, peers.UpperLayers) {
		notes := p.On(e.observed)
		for _, name := range strings.Split(e.Name, ", or ") { // a value may have several
			notes = append(notes, p.On(name)...)
		}
		if notes != nil {
			all = append(all, Peer{p.Name, notes})
		}
	}
	e.Peers = append(all, e.Peers...)
}

// otherTerms are what else answers Terminates, or is met, in its own way.
var otherTerms = []term{
	{name: "verbs", aka: []string{"RDMAC Verbs", "RDMA Verbs", "RDMA Protocol Verbs"},
		title: "RDMA Protocol Verbs Specification 1.0",
		text: "The RDMA Consortium's description of what an RNIC does for its host, of 2003. It also lists a " +
			"Terminate for each error, in figure 24, and some of them are not those of the RFCs.",
		peers: []Peer{{"verbs", []string{"has 0/2/02 for a bad CRC and 0/2/03 for a bad Marker, which the RFCs " +
			"have in Layer 2", "has 0/0/00 for a Send that is too long", "has 1/1/02 for a Write without right"}}},
		see:     []string{"RDMAC", "V-001"},
		sources: []string{"RDMAC Verbs 1.0"}},
	{name: "rping", aka: []string{"krping", "perftest", "ib_read_bw", "ib_write_bw", "ib_send_bw", "ib_read_lat", "ib_write_lat", "ib_send_lat"},
		title: "the programs that people try an RNIC with",
		text: "rping, of librdmacm, is the ping of RDMA: the client advertises a buffer in a Send of 16 octets (TO, STag, length), the server " +
			"reads it, then writes the octets back, and each says that it is ready with a Send. perftest (ib_read_bw, ib_write_lat and others) " +
			"exchanges its buffers as text, over TCP or in Sends, and then repeats one operation. iwarp ping and iwarp serve speak with rping.",
		lookFor: "TCP port 7174, which rping uses by default; Sends of 16 octets.",
		see:     []string{"STag", "TO"},
		show:    "iwarp decode --transactions FILE",
		sources: []string{"rdma-core", "perftest"}},
	{name: "ERDMA", aka: []string{"Alibaba"}, title: "a vendor's adapter with an MPA revision of its own",
		text:    "Alibaba's Elastic RDMA Adapter sends MPA frames of revision 129, which no RFC defines.",
		see:     []string{"Rev 129"},
		sources: []string{"its source in Linux, drivers/infiniband/hw/erdma"}},
}

// ulpTerms are terms of the upper layers, above all of RPC-over-RDMA.
var ulpTerms = []term{
	{name: "RPC-over-RDMA", aka: []string{"rpcrdma", "rpcordma", "xprtrdma", "svcrdma", "NFS/RDMA", "NFSoRDMA",
		"NFS over RDMA"}, title: "ONC RPC, and NFS, over RDMA",
		text: "Each RPC message travels in a Send after a transport header, which lists chunks: memory of the Requester that large data is read " +
			"from or written to. Version 1 is RFC 8166; of version 2 there are drafts only.",
		lookFor: "port 20049, and Sends whose second word is 1.",
		see:     []string{"chunk", "credits", "inline threshold", "RDMA_ERROR", "0xf6ab0e18"},
		sources: []string{"RFC 8166", "RFC 8267"}},
	{name: "chunk", aka: []string{"chunks", "chunk list", "RDMA segment"},
		title: "memory that RPC-over-RDMA moves data by",
		text: "One or more segments, each handle (STag), length and offset (TO), all of the Requester's memory. Read chunks hold data for the " +
			"Responder to read, Write chunks and the Reply chunk take data that the Responder writes.",
		lookFor: "Read Requests with these STags as SrcSTag, or Writes to them, between Call and Reply.",
		see:     []string{"Read chunk", "Write chunk", "Reply chunk", "STag"},
		sources: []string{"RFC 8166, section 3.4"}},
	{name: "Read chunk", aka: []string{"Read list", "Position"}, title: "data that the Responder reads",
		text: "Arguments of a Call, such as the data of an NFS WRITE, left in the Requester's memory. Position " +
			"says where in the message they belong.",
		see:     []string{"chunk", "Position Zero Read chunk", "ReadRequest"},
		sources: []string{"RFC 8166, section 3.4.5"}},
	{name: "Position Zero Read chunk", aka: []string{"PZRC", "Long Call", "long message"},
		title: "an RPC Call that is a chunk as a whole",
		text: "If a Call is longer than the inline threshold, the Requester sends an RDMA_NOMSG, and the " +
			"Responder reads the Call itself: its Read chunk has Position 0.",
		see:     []string{"RDMA_NOMSG", "inline threshold"},
		sources: []string{"RFC 8166, section 3.5.3"}},
	{name: "Write chunk", aka: []string{"Write list"}, title: "memory that the Responder writes results to",
		text: "The Requester offers it in the Call, for results such as the data of an NFS READ. The Reply " +
			"returns the list with the lengths that were written.",
		see:     []string{"chunk", "Write"},
		sources: []string{"RFC 8166, section 3.4.6"}},
	{name: "Reply chunk", aka: []string{"Long Reply"}, title: "memory that the Responder writes a whole Reply to",
		text:    "Offered by the Requester if the Reply may be longer than the inline threshold. If the Responder uses it, it sends an RDMA_NOMSG.",
		see:     []string{"RDMA_NOMSG", "chunk"},
		sources: []string{"RFC 8166, sections 3.5.3 and 4.3.3"}},
	{name: "credits", aka: []string{"credit", "rdma_credit", "flow control", "credit grant"},
		title: "the flow control of RPC-over-RDMA",
		text: "A Requester may have as many Calls open as the last Reply granted, and one before the first " +
			"Reply. It is what keeps receive buffers ready; who exceeds it risks the Terminate 1/2/02.",
		lookFor: "Calls without Reply, against the rdma_credit of the last Reply.",
		see:     []string{"rpcordma.flow_control", "1/2/02"},
		sources: []string{"RFC 8166, section 3.3.1"}},
	{name: "inline threshold", aka: []string{"inline size", "inline"}, title: "the longest Send of RPC-over-RDMA",
		text: "1024 octets in version 1, header and RPC message together, unless both sides said otherwise in Private Data (RFC 8797). Longer " +
			"messages go by chunks. A Send beyond it meets the Terminate 1/2/05; some RNICs send another.",
		see:     []string{"0xf6ab0e18", "Position Zero Read chunk", "send-too-long"},
		sources: []string{"RFC 8166, section 3.3.2", "RFC 8797, section 4"}},
	{name: "XID", aka: []string{"transaction id", "rdma_xid"}, title: "the number of an RPC",
		text:    "The Requester's number for a Call; the Reply has the same. It stands first in the transport header and first in the RPC message.",
		lookFor: "a Reply with the same XID in the other direction.",
		see:     []string{"rpcordma.xid", "rpc.xid"},
		sources: []string{"RFC 5531, section 9", "RFC 8166, section 4.2.1"}},
	{name: "0xf6ab0e18", aka: []string{"Format Identifier", "RPC-over-RDMA Private Data", "RFC 8797"},
		title: "the mark of RPC-over-RDMA in Private Data",
		text: "With these octets begin eight in the Private Data of the MPA frames, by which both sides tell " +
			"the longest Send that they take, and whether Send with Invalidate may be used.",
		see:     []string{"Private Data", "inline threshold", "rpcordma.private.r"},
		sources: []string{"RFC 8797, section 4"}},
	{name: "20049", aka: []string{"port 20049", "nfsrdma", "NFS port"}, title: "the port of NFS over RDMA",
		text:    "Servers listen there for NFS over RPC-over-RDMA, apart from NFS over TCP on port 2049.",
		see:     []string{"RPC-over-RDMA"},
		sources: []string{"RFC 8267"}},
	{name: "SMB Direct", aka: []string{"SMBDirect", "MS-SMBD", "SMBD", "port 5445"}, title: "SMB over RDMA",
		text: "The upper layer of Windows, Samba and Linux file sharing; over iWARP on port 5445. iWARP " +
			"providers put IRD and ORD into 8 octets of its Private Data.",
		lookFor: "Private Data of 8 octets, two numbers. The Linux client writes them in the order of its host.",
		see:     []string{"iwarp_mpa.legacy.ird", "Private Data"},
		sources: []string{"[MS-SMBD]"}},
	{name: "iSER", aka: []string{"iSCSI Extensions for RDMA", "iSCSI"}, title: "iSCSI over RDMA",
		text:    "Control PDUs travel in Sends, data by RDMA Write and Read with the STags that the initiator of iSCSI advertises in each command.",
		see:     []string{"Advertisement", "SendInvalidate"},
		sources: []string{"RFC 7145"}},
	{name: "NVMe", aka: []string{"NVMe-oF", "NVMe/RDMA", "NVMe over Fabrics"}, title: "NVMe over RDMA",
		text: "Commands and completions travel in Sends, data by RDMA Write and Read with the keys in the " +
			"commands, which are little-endian there. Private Data tells queue id and sizes.",
		see:     []string{"Private Data", "STag"},
		sources: []string{"NVM Express RDMA Transport Specification"}},
}
