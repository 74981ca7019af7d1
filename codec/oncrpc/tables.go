package oncrpc

import "github.com/iwarpkit/iwarp/codec/field"

// The field tables of RPC, those of NFSv4 COMPOUNDs, and all of them.
var (
	// CallFields describes what stands before the credential. What proc is called depends on prog and vers:
	// [Procedure.Fields] is this table with its names.
	CallFields = newCallFields(nil, nil)

	// CredentialFields and VerifierFields describe the two; only the name of the table differs.
	CredentialFields = authFields("RPC credential")
	VerifierFields   = authFields("RPC verifier")

	// AuthSysFields describes an AUTH_SYS credential up to its machinename, AuthSysIDFields what follows that.
	AuthSysFields = field.NewTable("AUTH_SYS credential", proto, "RFC 5531, appendix A",
		word("rpc.auth.stamp", "stamp", 0, field.Hex).To(field.ToRun),
		word("rpc.auth.machinename.length", "machinename length", 4, field.Dec),
		field.Field{Name: "rpc.auth.machinename", Label: "machinename", Off: 64, Base: field.Octets},
	)
	AuthSysIDFields = field.NewTable("AUTH_SYS identity", proto, "RFC 5531, appendix A",
		word("rpc.auth.uid", "uid", 0, field.Dec),
		word("rpc.auth.gid", "gid", 4, field.Dec),
		word("rpc.auth.gids.count", "number of gids", 8, field.Dec),
		field.Field{Name: "rpc.auth.gids", Label: "gids", Off: 96, Base: field.Octets},
	)

	// GSSCredFields describes the body of an RPCSEC_GSS credential.
	GSSCredFields = field.NewTable("RPCSEC_GSS credential", proto, "RFC 2203, section 5",
		word("rpc.authgss.version", "version", 0, field.Dec),
		enumerated(gssProcs, "rpc.authgss.procedure", "gss_proc", 4),
		word("rpc.authgss.seqnum", "seq_num", 8, field.Dec).To(field.ToRun),
		enumerated(gssServices, "rpc.authgss.service", "service", 12),
		word("rpc.authgss.context.length", "handle length", 16, field.Dec),
		field.Field{Name: "rpc.authgss.context", Label: "handle", Off: 160, Base: field.Octets},
	)

	// GSSIntegrityFields describes what stands before arguments or results that are protected against change,
	// GSSPrivacyFields what stands in place of encrypted ones.
	GSSIntegrityFields = field.NewTable("RPCSEC_GSS integrity data", proto, "RFC 2203, section 5.3.2.2",
		word("rpc.authgss.data.length", "databody_integ length", 0, field.Dec),
		word("rpc.authgss.seqnum", "seq_num", 4, field.Dec).To(field.ToRun),
	)
	GSSPrivacyFields = field.NewTable("RPCSEC_GSS privacy data", proto, "RFC 2203, section 5.3.2.3",
		word("rpc.authgss.data.length", "databody_priv length", 0, field.Dec),
		field.Field{Name: "rpc.authgss.data", Label: "databody_priv", Off: 32, Base: field.Octets},
	)

	// ReplyFields describes what every Reply begins with. The next tables describe the parts that may follow:
	// [VerifierFields] and AcceptedFields, or DeniedFields, and the low and high versions or the auth_stat.
	ReplyFields = field.NewTable("RPC Reply header", proto, replySource, withHead(
		enumerated(replyStats, "rpc.replystat", "reply_stat", 8),
	)...)
	AcceptedFields = field.NewTable("RPC accepted Reply", proto, replySource,
		enumerated(acceptStats, "rpc.state_accept", "accept_stat", 0),
	)
	ProgMismatchFields = field.NewTable("RPC program mismatch", proto, replySource,
		word("rpc.programversion.min", "low", 0, field.Dec),
		word("rpc.programversion.max", "high", 4, field.Dec),
	)
	DeniedFields = field.NewTable("RPC denied Reply", proto, replySource,
		enumerated(rejectStats, "rpc.state_reject", "reject_stat", 0),
	)
	RPCMismatchFields = field.NewTable("RPC version mismatch", proto, replySource,
		word("rpc.version.min", "low", 0, field.Dec),
		word("rpc.version.max", "high", 4, field.Dec),
	)
	AuthErrorFields = field.NewTable("RPC authentication error", proto, replySource,
		enumerated(authStats, "rpc.state_auth", "auth_stat", 0),
	)

	// The parts of COMPOUND and CB_COMPOUND: a tag and the numbers that follow it; in results a status precedes the tag.
	TagFields = field.NewTable("NFSv4 tag", protoNFS, compoundSource,
		word("nfs.tag.length", "tag length", 0, field.Dec),
		field.Field{Name: "nfs.tag", Label: "tag", Off: 32, Base: field.Octets},
	)
	CompoundFields = field.NewTable("NFSv4 COMPOUND arguments", protoNFS, compoundSource,
		word("nfs.minorversion", "minorversion", 0, field.Dec),
		word("nfs.ops.count", "number of operations", 4, field.Dec),
	)
	CBCompoundFields = field.NewTable("NFSv4 CB_COMPOUND arguments", protoNFS, compoundSource,
		word("nfs.minorversion", "minorversion", 0, field.Dec),
		word("nfs.callback.ident", "callback_ident", 4, field.Hex).To(field.ToRun),
		word("nfs.ops.count", "number of operations", 8, field.Dec),
	)
	CompoundResFields = field.NewTable("NFSv4 COMPOUND results", protoNFS, compoundSource,
		enumerated(nfsStats, "nfs.nfsstat4", "status", 0),
	)
	NumResFields = field.NewTable("NFSv4 results", protoNFS, compoundSource,
		word("nfs.ops.count", "number of results", 0, field.Dec),
	)
	ResultFields   = newResultFields("NFSv4 result", "nfs.opcode", "nfs.results", ops)
	CBResultFields = newResultFields("NFSv4 callback result", "nfs.cb.operation", "nfs.cb.results", cbOps)

	// OperationFields describes one operation of a COMPOUND with its arguments, CBOperationFields one of a CB_COMPOUND.
	OperationFields   = newOperationFields("NFSv4 operation", "nfs.opcode", "nfs.arguments", ops)
	CBOperationFields = newOperationFields("NFSv4 callback operation", "nfs.cb.operation", "nfs.cb.arguments", cbOps)

	// FillFields describes the octets after opaque data whose length is no multiple of four.
	FillFields = field.NewTable("XDR fill", proto, "RFC 4506, section 4.10",
		field.Field{Name: "rpc.fill_bytes", Label: "fill", Off: 0, Base: field.Octets},
	)

	// TrailingFields describes octets in a credential that its flavour does not know.
	TrailingFields = field.NewTable("RPC credential trailing octets", proto, "not defined by any RFC",
		field.Field{Name: "rpc.auth.trailing", Label: "Trailing octets", Off: 0, Base: field.Octets},
	)

	// headFields begin both headers.
	headFields = []field.Field{
		word("rpc.xid", "xid", 0, field.Hex).To(field.ToRun),
		enumerated(msgTypes, "rpc.msgtyp", "mtype", 4),
	}

	// Tables is every field table of this package, for programs that need all names in advance. Tables that belong to one
	// procedure (see [Procedure.Fields]) are left out: [CallFields] has the same fields.
	Tables = []*field.Table{
		CallFields, CredentialFields, VerifierFields, AuthSysFields, AuthSysIDFields, GSSCredFields, GSSIntegrityFields,
		GSSPrivacyFields, ReplyFields, AcceptedFields, ProgMismatchFields, DeniedFields, RPCMismatchFields, AuthErrorFields,
		TagFields, CompoundFields, CBCompoundFields, CompoundResFields, NumResFields, OperationFields, CBOperationFields,
		ResultFields, CBResultFields, FillFields, TrailingFields,
	}
)
