package rpcrdma

import "github.com/iwarpkit/iwarp/codec/field"

// The field tables of RPC-over-RDMA, and all of them.
var (
	// Version1Fields describes the part that every header of version 1 has.
	Version1Fields = field.NewTable("RPC-over-RDMA version 1 header", proto, sourceV1,
		field.Field{Name: "rpcordma.xid", Label: "rdma_xid", Off: 0, Width: 32, Base: field.Hex, Refers: field.ToRun},
		field.Field{Name: "rpcordma.version", Label: "rdma_vers", Off: 32, Width: 32, Base: field.Dec},
		field.Field{Name: "rpcordma.flow_control", Label: "rdma_credit", Off: 64, Width: 32, Base: field.Dec},
		field.Field{Name: "rpcordma.msg_type", Label: "rdma_proc", Off: 96, Width: 32, Base: field.Dec,
			Names: procs.Name, Known: procs.Known()},
	)

	// PaddedFields describes what stands before the chunk lists of an RDMA_MSGP.
	PaddedFields = field.NewTable("RPC-over-RDMA padding", proto, sourceV1,
		field.Field{Name: "rpcordma.rdma_align", Label: "rdma_align", Off: 0, Width: 32, Base: field.Dec},
		field.Field{Name: "rpcordma.rdma_thresh", Label: "rdma_thresh", Off: 32, Width: 32, Base: field.Dec},
	)

	// Version2Fields describes the part that every header of version 2 has.
	Version2Fields = field.NewTable("RPC-over-RDMA version 2 header", proto, sourceV2,
		field.Field{Name: "rpcordma.xid", Label: "rdma_xid", Off: 0, Width: 32, Base: field.Hex, Refers: field.ToRun},
		field.Field{Name: "rpcordma.version", Label: "rdma_vers", Off: 32, Width: 32, Base: field.Dec},
		field.Field{Name: "rpcordma.credit_max", Label: "rdma_credit, maximum", Off: 64, Width: 16, Base: field.Dec},
		field.Field{Name: "rpcordma.credit_grant", Label: "rdma_credit, granted", Off: 80, Width: 16, Base: field.Dec},
		field.Field{Name: "rpcordma.msg_type", Label: "rdma_htype", Off: 96, Width: 32, Base: field.Dec,
			Names: htypes.Name, Known: htypes.Known()},
		field.Field{Name: "rpcordma.flags.reserved", Label: "rdma_flags, reserved", Off: 128, Width: 29, Base: field.Hex},
		field.Field{Name: "rpcordma.flags.tpmore", Label: "TPMORE", Off: 157, Width: 1, Base: field.Flag},
		field.Field{Name: "rpcordma.flags.more", Label: "MORE", Off: 158, Width: 1, Base: field.Flag},
		field.Field{Name: "rpcordma.flags.response", Label: "RESPONSE", Off: 159, Width: 1, Base: field.Flag},
	)

	// InvHandleFields describes what stands before the chunk lists in version 2.
	InvHandleFields = field.NewTable("RPC-over-RDMA remote invalidation", proto, "draft-ietf-nfsv4-rpcrdma-version-two-01, section 6.2.4",
		field.Field{Name: "rpcordma.inv_handle", Label: "rdma_inv_handle", Off: 0, Width: 32, Base: field.Hex, Refers: field.ToPeerSTag},
	)

	// The code that an error body begins with.
	Error1Fields = newErrorFields("RPC-over-RDMA version 1 error", "RFC 8166, section 4.5", &errCodes)
	Error2Fields = newErrorFields("RPC-over-RDMA version 2 error", "draft-ietf-nfsv4-rpcrdma-version-two-01, section 6.3.3", &errCodes2)

	// What follows the code. VersRangeFields is the same in version 1.
	VersRangeFields     = words("RPC-over-RDMA error, version range", "vers_low", "vers_high")
	MaxChunksFields     = words("RPC-over-RDMA error, chunks", "max_chunks")
	MaxSegmentsFields   = words("RPC-over-RDMA error, segments", "max_segments")
	WriteResourceFields = words("RPC-over-RDMA error, Write chunk", "chunk_index", "length_needed")
	LengthNeededFields  = words("RPC-over-RDMA error, Reply chunk", "length_needed")

	// Draft2022Fields describes the part that every header of the draft of 2022 has.
	Draft2022Fields = field.NewTable("RPC-over-RDMA version 2 header (2022)", proto, sourceDraft2022,
		field.Field{Name: "rpcordma.xid", Label: "rdma_xid", Off: 0, Width: 32, Base: field.Hex, Refers: field.ToRun},
		field.Field{Name: "rpcordma.version", Label: "rdma_vers", Off: 32, Width: 32, Base: field.Dec},
		field.Field{Name: "rpcordma.flow_control", Label: "rdma_credit", Off: 64, Width: 32, Base: field.Dec},
		field.Field{Name: "rpcordma.msg_type", Label: "rdma_htype", Off: 96, Width: 32, Base: field.Dec,
			Names: htypes2022.Name, Known: htypes2022.Known()},
	)

	// RemainingFields describes what stands before the payload of RDMA2_CALL_MIDDLE and RDMA2_REPLY_MIDDLE.
	RemainingFields = field.NewTable("RPC-over-RDMA continuation", proto, sourceDraft2022,
		field.Field{Name: "rpcordma.remaining", Label: "rdma_remaining", Off: 0, Width: 32, Base: field.Dec},
	)

	// The first word of each list, and the word after each of its elements: 1 if an element follows, else 0.
	//
	// Wireshark's reads_count and writes_count are the number of elements; see [Part.Value].
	CallListFields   = newOptionalFields("RPC-over-RDMA Call chunk", sourceDraft2022, "rpcordma.calls_count", "rdma_call")
	ReadListFields   = newOptionalFields("RPC-over-RDMA Read list", "RFC 8166, section 4.3.1", "rpcordma.reads_count", "rdma_reads")
	ReadNextFields   = newOptionalFields("RPC-over-RDMA Read list, next", "RFC 8166, section 4.3.1", "rpcordma.reads_next", "next")
	WriteListFields  = newOptionalFields("RPC-over-RDMA Write list", "RFC 8166, section 4.3.2", "rpcordma.writes_count", "rdma_writes")
	WriteNextFields  = newOptionalFields("RPC-over-RDMA Write list, next", "RFC 8166, section 4.3.2", "rpcordma.writes_next", "next")
	ReplyChunkFields = newOptionalFields("RPC-over-RDMA Reply chunk", "RFC 8166, section 4.3.3", "rpcordma.reply_count", "rdma_reply")

	// WriteChunkFields describes the first word of a Write chunk or Reply chunk, which its segments follow.
	WriteChunkFields = field.NewTable("RPC-over-RDMA Write chunk", proto, "RFC 8166, section 3.4.6",
		field.Field{Name: "rpcordma.segment_count", Label: "target", Off: 0, Width: 32, Base: field.Dec})

	// SegmentFields describes a plain segment.
	SegmentFields = field.NewTable("RPC-over-RDMA segment", proto, "RFC 8166, section 3.4.3", segmentFields(0)...)

	// ReadSegmentFields describes a read segment.
	ReadSegmentFields = field.NewTable("RPC-over-RDMA read segment", proto, "RFC 8166, section 3.4.5", append([]field.Field{
		{Name: "rpcordma.position", Label: "Position", Off: 0, Width: 32, Base: field.Dec},
	}, segmentFields(32)...)...)

	// PropSetFields describes the first word of a set.
	PropSetFields = field.NewTable("RPC-over-RDMA properties", proto, "draft-ietf-nfsv4-rpcrdma-version-two-01, section 5.1",
		field.Field{Name: "rpcordma.prop_count", Label: "rdma_props", Off: 0, Width: 32, Base: field.Dec},
	)

	// PropvalFields describes the words that a property begins with.
	PropvalFields = field.NewTable("RPC-over-RDMA property", proto, "draft-ietf-nfsv4-rpcrdma-version-two-01, section 5.1",
		field.Field{Name: "rpcordma.prop.which", Label: "rdma_which", Off: 0, Width: 32, Base: field.Dec,
			Names: propIDs.Name, Known: propIDs.Known()},
		field.Field{Name: "rpcordma.prop.length", Label: "rdma_data, length", Off: 32, Width: 32, Base: field.Dec},
	)

	// The data of the properties. HostAuthFields is the length of the material, which is itself PropDataFields; the data
	// of unknown properties and data of the wrong length are that too.
	SBSIZFields    = newPropFields("sbsiz", "SBSIZ", "5.2.1", nil, nil)
	RBSIZFields    = newPropFields("rbsiz", "RBSIZ", "5.2.2", nil, nil)
	RSSIZFields    = newPropFields("rssiz", "RSSIZ", "5.2.3", nil, nil)
	RCSIZFields    = newPropFields("rcsiz", "RCSIZ", "5.2.4", nil, nil)
	BRSFields      = newPropFields("brs", "BRS", "5.2.5", reverseSupports.Name, reverseSupports.Known())
	HostAuthFields = newPropFields("hostauth_length", "HOSTAUTH", "5.2.6", nil, nil)
	PropDataFields = field.NewTable("RPC-over-RDMA property data", proto, "draft-ietf-nfsv4-rpcrdma-version-two-01, section 5.1",
		field.Field{Name: "rpcordma.prop.data", Label: "rdma_data", Off: 0, Base: field.Octets})

	// TrailingFields describes octets after a header that the protocol does not know, or cannot be read.
	TrailingFields = field.NewTable("RPC-over-RDMA trailing octets", proto, "not defined by any RFC",
		field.Field{Name: "rpcordma.trailing", Label: "Trailing octets", Off: 0, Base: field.Octets},
	)

	// PadFields describes the octets that fill data up to a multiple of four (RFC 4506, section 4.10).
	PadFields = field.NewTable("RPC-over-RDMA padding octets", proto, "RFC 4506, section 4.10",
		field.Field{Name: "rpcordma.pad", Label: "Padding", Off: 0, Base: field.Octets},
	)

	// Tables lists every field table of this package, for code that needs all names in advance.
	Tables = []*field.Table{
		Version1Fields, PaddedFields, Error1Fields,
		Version2Fields, InvHandleFields, Error2Fields, VersRangeFields, MaxChunksFields, MaxSegmentsFields,
		WriteResourceFields, LengthNeededFields,
		Draft2022Fields, RemainingFields,
		CallListFields, ReadListFields, ReadSegmentFields, ReadNextFields,
		WriteListFields, WriteChunkFields, SegmentFields, WriteNextFields, ReplyChunkFields,
		PropSetFields, PropvalFields, SBSIZFields, RBSIZFields, RSSIZFields, RCSIZFields, BRSFields, HostAuthFields,
		PropDataFields, PadFields,
		TrailingFields,
	}
)
