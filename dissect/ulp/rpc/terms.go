package rpc

import "github.com/iwarpkit/iwarp/dissect/ulp"

// terms are what iwarp explain says of RPC-over-RDMA.
var terms = []ulp.Term{
	{Name: "RPC-over-RDMA", Aka: []string{"rpcrdma", "rpcordma", "xprtrdma", "svcrdma", "NFS/RDMA", "NFSoRDMA",
		"NFS over RDMA"}, Title: "ONC RPC, and NFS, over RDMA",
		Text: "Each RPC message travels in a Send after a transport header, which lists chunks: memory of the Requester that large data is read " +
			"from or written to. Version 1 is RFC 8166; of version 2 there are drafts only.",
		LookFor: "port 20049, and Sends whose second word is 1.",
		See:     []string{"chunk", "credits", "inline threshold", "RDMA_ERROR", "0xf6ab0e18"},
		Sources: []string{"RFC 8166", "RFC 8267"}},
	{Name: "chunk", Aka: []string{"chunks", "chunk list", "RDMA segment"},
		Title: "memory that RPC-over-RDMA moves data by",
		Text: "One or more segments, each handle (STag), length and offset (TO), all of the Requester's memory. Read chunks hold data for the " +
			"Responder to read, Write chunks and the Reply chunk take data that the Responder writes.",
		LookFor: "Read Requests with these STags as SrcSTag, or Writes to them, between Call and Reply.",
		See:     []string{"Read chunk", "Write chunk", "Reply chunk", "STag"},
		Sources: []string{"RFC 8166, section 3.4"}},
	{Name: "Read chunk", Aka: []string{"Read list", "Position"}, Title: "data that the Responder reads",
		Text: "Arguments of a Call, such as the data of an NFS WRITE, left in the Requester's memory. Position " +
			"says where in the message they belong.",
		See:     []string{"chunk", "Position Zero Read chunk", "ReadRequest"},
		Sources: []string{"RFC 8166, section 3.4.5"}},
	{Name: "Position Zero Read chunk", Aka: []string{"PZRC", "Long Call", "long message"},
		Title: "an RPC Call that is a chunk as a whole",
		Text: "If a Call is longer than the inline threshold, the Requester sends an RDMA_NOMSG, and the " +
			"Responder reads the Call itself: its Read chunk has Position 0.",
		See:     []string{"RDMA_NOMSG", "inline threshold"},
		Sources: []string{"RFC 8166, section 3.5.3"}},
	{Name: "Write chunk", Aka: []string{"Write list"}, Title: "memory that the Responder writes results to",
		Text: "The Requester offers it in the Call, for results such as the data of an NFS READ. The Reply " +
			"returns the list with the lengths that were written.",
		See:     []string{"chunk", "Write"},
		Sources: []string{"RFC 8166, section 3.4.6"}},
	{Name: "Reply chunk", Aka: []string{"Long Reply"}, Title: "memory that the Responder writes a whole Reply to",
		Text:    "Offered by the Requester if the Reply may be longer than the inline threshold. If the Responder uses it, it sends an RDMA_NOMSG.",
		See:     []string{"RDMA_NOMSG", "chunk"},
		Sources: []string{"RFC 8166, sections 3.5.3 and 4.3.3"}},
	{Name: "credits", Aka: []string{"credit", "rdma_credit", "flow control", "credit grant"},
		Title: "the flow control of RPC-over-RDMA",
		Text: "A Requester may have as many Calls open as the last Reply granted, and one before the first " +
			"Reply. It is what keeps receive buffers ready; who exceeds it risks the Terminate 1/2/02.",
		LookFor: "Calls without Reply, against the rdma_credit of the last Reply.",
		See:     []string{"rpcordma.flow_control", "1/2/02"},
		Sources: []string{"RFC 8166, section 3.3.1"}},
	{Name: "inline threshold", Aka: []string{"inline size", "inline"}, Title: "the longest Send of RPC-over-RDMA",
		Text: "1024 octets in version 1, header and RPC message together, unless both sides said otherwise in Private Data (RFC 8797). Longer " +
			"messages go by chunks. A Send beyond it meets the Terminate 1/2/05; some RNICs send another.",
		See:     []string{"0xf6ab0e18", "Position Zero Read chunk", "send-too-long"},
		Sources: []string{"RFC 8166, section 3.3.2", "RFC 8797, section 4"}},
	{Name: "XID", Aka: []string{"transaction id", "rdma_xid"}, Title: "the number of an RPC",
		Text:    "The Requester's number for a Call; the Reply has the same. It stands first in the transport header and first in the RPC message.",
		LookFor: "a Reply with the same XID in the other direction.",
		See:     []string{"rpcordma.xid", "rpc.xid"},
		Sources: []string{"RFC 5531, section 9", "RFC 8166, section 4.2.1"}},
	{Name: "0xf6ab0e18", Aka: []string{"Format Identifier", "RPC-over-RDMA Private Data", "RFC 8797"},
		Title: "the mark of RPC-over-RDMA in Private Data",
		Text: "With these octets begin eight in the Private Data of the MPA frames, by which both sides tell " +
			"the longest Send that they take, and whether Send with Invalidate may be used.",
		See:     []string{"Private Data", "inline threshold", "rpcordma.private.r"},
		Sources: []string{"RFC 8797, section 4"}},
	{Name: "20049", Aka: []string{"port 20049", "nfsrdma", "NFS port"}, Title: "the port of NFS over RDMA",
		Text:    "Servers listen there for NFS over RPC-over-RDMA, apart from NFS over TCP on port 2049.",
		See:     []string{"RPC-over-RDMA"},
		Sources: []string{"RFC 8267"}},
}
