package oncrpc

// The body of an RPCSEC_GSS credential, RFC 2203, section 5 (RFC 5403 and RFC 7861 keep it):
//
//	+------------------------------+
//	| version                      |  4 octets
//	| gss_proc                     |  4
//	| seq_num                      |  4
//	| service                      |  4
//	| handle (length, data, fill)  |  4 and more
//	+------------------------------+
//
// and what stands in place of arguments and results if the service protects them (section 5.3.2):
//
//	integrity                        privacy
//	+--------------------------+     +--------------------------+
//	| length of the first part |     | length                   |
//	| seq_num                  |     | seq_num and arguments or |
//	| arguments or results     |     | results, encrypted       |
//	| checksum (opaque)        |     +--------------------------+
//	+--------------------------+

import "github.com/iwarpkit/iwarp/codec/field"

// GSSProc is the purpose of a Call with an RPCSEC_GSS credential (RFC 2203, section 5; RFC 5403, RFC 7861).
type GSSProc uint32

// The RPCSEC_GSS procedures. All but GSSData concern the context, and tokens follow their header.
const (
	GSSData         GSSProc = 0 // an ordinary Call
	GSSInit         GSSProc = 1
	GSSContinueInit GSSProc = 2
	GSSDestroy      GSSProc = 3
	GSSBindChannel  GSSProc = 4 // version 2
	GSSCreate       GSSProc = 5 // version 3
	GSSList         GSSProc = 6 // version 3
)

var gssProcs = &field.Enum{Kind: "GSSProc", Values: []field.Value{
	{0, "RPCSEC_GSS_DATA"}, {1, "RPCSEC_GSS_INIT"}, {2, "RPCSEC_GSS_CONTINUE_INIT"}, {3, "RPCSEC_GSS_DESTROY"},
	{4, "RPCSEC_GSS_BIND_CHANNEL"}, {5, "RPCSEC_GSS_CREATE"}, {6, "RPCSEC_GSS_LIST"},
}}

// String returns "RPCSEC_GSS_DATA", or the number of an unknown procedure, "GSSProc9".
func (p GSSProc) String() string { return gssProcs.Name(uint64(p)) }

// GSSMajor is the major status of GSS-API with which the other side takes a token (RFC 2744, section 3.9.1).
type GSSMajor uint32

// gssMajors are the names by routine error.
var gssMajors = &field.Enum{Kind: "GSSMajor", Values: []field.Value{
	{1, "GSS_S_BAD_MECH"}, {2, "GSS_S_BAD_NAME"}, {3, "GSS_S_BAD_NAMETYPE"}, {4, "GSS_S_BAD_BINDINGS"}, {5, "GSS_S_BAD_STATUS"},
	{6, "GSS_S_BAD_MIC"}, {7, "GSS_S_NO_CRED"}, {8, "GSS_S_NO_CONTEXT"}, {9, "GSS_S_DEFECTIVE_TOKEN"},
	{10, "GSS_S_DEFECTIVE_CREDENTIAL"}, {11, "GSS_S_CREDENTIALS_EXPIRED"}, {12, "GSS_S_CONTEXT_EXPIRED"}, {13, "GSS_S_FAILURE"},
	{14, "GSS_S_BAD_QOP"}, {15, "GSS_S_UNAUTHORIZED"}, {16, "GSS_S_UNAVAILABLE"}, {17, "GSS_S_DUPLICATE_ELEMENT"},
	{18, "GSS_S_NAME_NOT_MN"},
}}

// Failed reports whether the status has a routine error, not only supplementary information.
func (s GSSMajor) Failed() bool { return s.routine() != 0 }

func (s GSSMajor) routine() uint64 { return uint64(s) >> 16 & 0xff }

// String returns the name of the routine error, "GSS_S_FAILURE", or the number of an unknown one, "GSSMajor99".
func (s GSSMajor) String() string {
	if !s.Failed() {
		return "GSS_S_COMPLETE"
	}
	return gssMajors.Name(s.routine())
}

// InitMajor reads the major status in the results of RPCSEC_GSS_INIT and RPCSEC_GSS_CONTINUE_INIT, which follow the header of a Reply that
// succeeded (rpc_gss_init_res: RFC 2203, section 5.2.3.1). ok is false if they end before.
func InitMajor(results []byte) (s GSSMajor, ok bool) {
	var handle Opaque
	n, err := handle.Decode(results, errsHandle)
	if err != nil || len(results) < n+4 {
		return 0, false
	}
	return GSSMajor(order.Uint32(results[n:])), true
}

// GSSService says how arguments and results are protected (RFC 2203, section 5; RFC 5403).
type GSSService uint32

// The RPCSEC_GSS services.
const (
	GSSNone        GSSService = 1
	GSSIntegrity   GSSService = 2
	GSSPrivacy     GSSService = 3
	GSSChannelProt GSSService = 4 // version 2
)

var gssServices = &field.Enum{Kind: "GSSService", Values: []field.Value{
	{1, "rpc_gss_svc_none"}, {2, "rpc_gss_svc_integrity"}, {3, "rpc_gss_svc_privacy"},
	{4, "rpc_gss_svc_channel_prot"},
}}

// String returns "rpc_gss_svc_privacy", or the number of an unknown service, "GSSService9".
func (s GSSService) String() string { return gssServices.Name(uint64(s)) }

// GSSCred is the body of an RPCSEC_GSS credential (RFC 2203, section 5).
type GSSCred struct {
	Version uint32 // 1 to 3
	GSSProc GSSProc
	SeqNum  uint32 // sequence number, below 2^31
	Service GSSService
	Handle  Opaque // names the context, once there is one
}

var (
	errsHandle = NewOpaqueErrors(GSSCredFields, "rpc.authgss.context.length", "rpc.authgss.context",
		"the credential is at most 400 octets (RFC 5531, section 8.2)")
	errGSSVersion = GSSCredFields.Err("rpc.authgss.version", field.ErrValue, "is not 1, 2 or 3 (RFC 2203, section 5; RFC 5403; RFC 7861)")
)

// Decode reads the body of an RPCSEC_GSS credential at the beginning of b and returns its length. If b ends before it
// does, Decode returns len(b) and an error that wraps field.ErrShort and names the first incomplete field. If
// the version is not 1 to 3, the rest is unknown: Decode returns 0 and an error that wraps field.ErrValue. The fields
// before the error are valid.
func (c *GSSCred) Decode(b []byte) (n int, err error) {
	*c = GSSCred{}
	var head [16]byte
	n = copy(head[:], b)
	c.Version = order.Uint32(head[0:])
	if n >= 4 && (c.Version < 1 || c.Version > 3) {
		return 0, errGSSVersion
	}
	c.GSSProc = GSSProc(order.Uint32(head[4:]))
	c.SeqNum = order.Uint32(head[8:])
	c.Service = GSSService(order.Uint32(head[12:]))
	if n < len(head) {
		return n, GSSCredFields.Short(n)
	}
	n, err = c.Handle.Decode(b[len(head):], errsHandle)
	return len(head) + n, err
}

// AppendBinary appends the body to b. It never fails.
func (c *GSSCred) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint32(b, c.Version)
	b = order.AppendUint32(b, uint32(c.GSSProc))
	b = order.AppendUint32(b, c.SeqNum)
	b = order.AppendUint32(b, uint32(c.Service))
	return c.Handle.Append(b), nil
}

// Len returns the number of octets that AppendBinary writes.
func (c *GSSCred) Len() int { return 16 + c.Handle.Len() }

// Protection says in what form the arguments of a Call and the results of its Reply follow the header.
type Protection uint8

// The forms of arguments and results.
const (
	Plain     Protection = iota // as they are
	Integrity                   // as they are, between a sequence number and a checksum
	Encrypted                   // encrypted
	Context                     // none: tokens of RPCSEC_GSS instead
	Unknown                     // the credential cannot be read, or its service is unknown
)

var protections = [...]string{"plain", "integrity", "encrypted", "context", "unknown"}

// String returns "plain", "integrity", "encrypted", "context" or "unknown".
func (p Protection) String() string {
	if int(p) < len(protections) {
		return protections[p]
	}
	return protections[Unknown]
}

// Protection returns how the Call and its Reply are protected.
func (c *GSSCred) Protection() Protection {
	switch {
	case c.GSSProc != GSSData:
		return Context
	case c.Service == GSSNone:
		return Plain
	case c.Service == GSSIntegrity:
		return Integrity
	case c.Service == GSSPrivacy:
		return Encrypted
	}
	return Unknown
}

// Unwrap finds the arguments or results in body, which is what follows the header of a Call or of a Reply that
// succeeded: b, which begins at off in body and may be cut short. ok is false if they cannot be
// read: they are encrypted, there are none, or body ends before they begin.
func (p Protection) Unwrap(body []byte) (b []byte, off int, ok bool) {
	switch p {
	case Plain:
		return body, 0, true
	case Integrity:
		const before = 8 // length and seq_num; the length counts the latter
		if len(body) < before {
			return nil, 0, false
		}
		b = body[before:]
		length := order.Uint32(body)
		if length < 4 {
			return nil, 0, false
		}
		if length -= 4; uint64(length) < uint64(len(b)) {
			b = b[:length:length]
		}
		return b, before, true
	}
	return nil, 0, false
}
