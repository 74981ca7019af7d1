package oncrpc

import "github.com/iwarpkit/iwarp/codec/field"

// The field tables of RPC, and all of them.
var (
	// CallFields describes what stands before the credential. What proc is called depends on prog and vers:
	// [Procedure.Fields] is this table with its names.
	CallFields = newCallFields(nil, nil)

	// CredentialFields and VerifierFields describe the two; only the name of the table differs.
	CredentialFields = authFields("RPC credential")
	VerifierFields   = authFields("RPC verifier")

	// AuthSysFields describes an AUTH_SYS credential up to its machinename, AuthSysIDFields what follows that.
	AuthSysFields = field.NewTable("AUTH_SYS credential", proto, "RFC 5531, appendix A",
		field.Big("rpc.auth.stamp", "stamp", 0, 4, field.Hex).To(field.ToRun),
		field.Big("rpc.auth.machinename.length", "machinename length", 4, 4, field.Dec),
		field.Opaque("rpc.auth.machinename", "machinename", 8, 0),
	)
	AuthSysIDFields = field.NewTable("AUTH_SYS identity", proto, "RFC 5531, appendix A",
		field.Big("rpc.auth.uid", "uid", 0, 4, field.Dec),
		field.Big("rpc.auth.gid", "gid", 4, 4, field.Dec),
		field.Big("rpc.auth.gids.count", "number of gids", 8, 4, field.Dec),
		field.Opaque("rpc.auth.gids", "gids", 12, 0),
	)

	// GSSCredFields describes the body of an RPCSEC_GSS credential.
	GSSCredFields = field.NewTable("RPCSEC_GSS credential", proto, "RFC 2203, section 5",
		field.Big("rpc.authgss.version", "version", 0, 4, field.Dec),
		field.Big("rpc.authgss.procedure", "gss_proc", 4, 4, field.Dec).Of(gssProcs),
		field.Big("rpc.authgss.seqnum", "seq_num", 8, 4, field.Dec).To(field.ToRun),
		field.Big("rpc.authgss.service", "service", 12, 4, field.Dec).Of(gssServices),
		field.Big("rpc.authgss.context.length", "handle length", 16, 4, field.Dec),
		field.Opaque("rpc.authgss.context", "handle", 20, 0),
	)

	// GSSIntegrityFields describes what stands before arguments or results that are protected against change,
	// GSSPrivacyFields what stands in place of encrypted ones.
	GSSIntegrityFields = field.NewTable("RPCSEC_GSS integrity data", proto, "RFC 2203, section 5.3.2.2",
		field.Big("rpc.authgss.data.length", "databody_integ length", 0, 4, field.Dec),
		field.Big("rpc.authgss.seqnum", "seq_num", 4, 4, field.Dec).To(field.ToRun),
	)
	GSSPrivacyFields = field.NewTable("RPCSEC_GSS privacy data", proto, "RFC 2203, section 5.3.2.3",
		field.Big("rpc.authgss.data.length", "databody_priv length", 0, 4, field.Dec),
		field.Opaque("rpc.authgss.data", "databody_priv", 4, 0),
	)

	// ReplyFields describes what every Reply begins with. The next tables describe the parts that may follow:
	// [VerifierFields] and AcceptedFields, or DeniedFields, and the low and high versions or the auth_stat.
	ReplyFields = field.NewTable("RPC Reply header", proto, replySource, withHead(
		field.Big("rpc.replystat", "reply_stat", 8, 4, field.Dec).Of(replyStats),
	)...)
	AcceptedFields = field.NewTable("RPC accepted Reply", proto, replySource,
		field.Big("rpc.state_accept", "accept_stat", 0, 4, field.Dec).Of(acceptStats),
	)
	ProgMismatchFields = field.NewTable("RPC program mismatch", proto, replySource,
		field.Big("rpc.programversion.min", "low", 0, 4, field.Dec),
		field.Big("rpc.programversion.max", "high", 4, 4, field.Dec),
	)
	DeniedFields = field.NewTable("RPC denied Reply", proto, replySource,
		field.Big("rpc.state_reject", "reject_stat", 0, 4, field.Dec).Of(rejectStats),
	)
	RPCMismatchFields = field.NewTable("RPC version mismatch", proto, replySource,
		field.Big("rpc.version.min", "low", 0, 4, field.Dec),
		field.Big("rpc.version.max", "high", 4, 4, field.Dec),
	)
	AuthErrorFields = field.NewTable("RPC authentication error", proto, replySource,
		field.Big("rpc.state_auth", "auth_stat", 0, 4, field.Dec).Of(authStats),
	)

	// FillFields describes the octets after opaque data whose length is not a multiple of four.
	FillFields = field.NewTable("XDR fill", proto, "RFC 4506, section 4.10",
		field.Opaque("rpc.fill_bytes", "fill", 0, 0),
	)

	// TrailingFields describes octets in a credential that its flavour does not know.
	TrailingFields = field.NewTable("RPC credential trailing octets", proto, "not defined by any RFC",
		field.Opaque("rpc.auth.trailing", "Trailing octets", 0, 0),
	)

	// headFields begin both headers.
	headFields = []field.Field{
		field.Big("rpc.xid", "xid", 0, 4, field.Hex).To(field.ToRun),
		field.Big("rpc.msgtyp", "mtype", 4, 4, field.Dec).Of(msgTypes),
	}

	// Tables lists every field table of this package, for code that needs all names in advance. Tables that belong to one
	// procedure (see [Procedure.Fields]) are left out: [CallFields] has the same fields.
	Tables = []*field.Table{
		CallFields, CredentialFields, VerifierFields, AuthSysFields, AuthSysIDFields, GSSCredFields, GSSIntegrityFields,
		GSSPrivacyFields, ReplyFields, AcceptedFields, ProgMismatchFields, DeniedFields, RPCMismatchFields, AuthErrorFields,
		FillFields, TrailingFields,
	}
)
