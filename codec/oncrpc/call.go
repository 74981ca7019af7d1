package oncrpc

// The header of a Call, RFC 5531, section 9:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                              xid                              |
//	+---------------------------------------------------------------+
//	|                           mtype (0)                           |
//	+---------------------------------------------------------------+
//	|                          rpcvers (2)                          |
//	+---------------------------------------------------------------+
//	|                             prog                              |
//	+---------------------------------------------------------------+
//	|                             vers                              |
//	+---------------------------------------------------------------+
//	|                             proc                              |
//	+---------------------------------------------------------------+
//	~              cred: flavor, length, body and fill              ~
//	+---------------------------------------------------------------+
//	~              verf: flavor, length, body and fill              ~
//	+---------------------------------------------------------------+

import (
	"iter"

	"github.com/iwarpkit/iwarp/codec/field"
)

func newCallFields(proc func(uint64) string, known iter.Seq[uint64]) *field.Table {
	return field.NewTable("RPC Call header", proto, "RFC 5531, section 9", withHead(
		field.Big("rpc.version", "rpcvers", 8, 4, field.Dec),
		field.Big("rpc.program", "prog", 12, 4, field.Dec).Of(programs),
		field.Big("rpc.programversion", "vers", 16, 4, field.Dec),
		field.Field{Name: "rpc.procedure", Label: "proc", Off: 160, Width: 32, Base: field.Dec,
			Names: proc, Known: known},
	)...)
}

// Call is the header of a Call (RFC 5531, section 9); the arguments of its procedure follow. The type stands for mtype
// 0.
type Call struct {
	XID     uint32 // names the Call and its Reply
	RPCVers uint32 // version of RPC: 2
	Prog    Program
	Vers    uint32 // version of the program
	Proc    uint32 // number of the procedure
	Cred    OpaqueAuth
	Verf    OpaqueAuth
}

var (
	errCallType = CallFields.Err("rpc.msgtyp", field.ErrValue, "is not 0, that of a Call (RFC 5531, section 9)")
	errRPCVers  = CallFields.Err("rpc.version", field.ErrValue, "must be 2 (RFC 5531, section 9)")
)

// Decode reads the header of a Call at the beginning of b and returns its length: where the arguments begin. If b ends
// first, Decode returns len(b) and an error that wraps field.ErrShort and names the first incomplete
// field; the fields before it are valid, and the Data of a truncated credential or verifier is the part that is there.
// If the message is not a Call, Decode returns 4 and an error that wraps field.ErrValue.
func (h *Call) Decode(b []byte) (n int, err error) {
	h.Cred, h.Verf = OpaqueAuth{}, OpaqueAuth{}
	if len(b) < CallLen {
		var whole [CallLen]byte
		copy(whole[:], b)
		h.decode(&whole)
		if len(b) >= typeOff+4 && !IsCall(b) {
			return typeOff, errCallType
		}
		return len(b), CallFields.Short(len(b))
	}
	h.decode((*[CallLen]byte)(b))
	if !IsCall(b) {
		return typeOff, errCallType
	}
	n, err = h.Cred.decode(b[CallLen:], errsCredential)
	if n += CallLen; err != nil {
		return n, err
	}
	verf, err := h.Verf.decode(b[n:], errsVerifier)
	return n + verf, err
}

func (h *Call) decode(b *[CallLen]byte) {
	h.XID = order.Uint32(b[0:])
	h.RPCVers = order.Uint32(b[8:])
	h.Prog = Program(order.Uint32(b[12:]))
	h.Vers = order.Uint32(b[16:])
	h.Proc = order.Uint32(b[20:])
}

// AppendBinary appends the header to b: the stated lengths, right or wrong. It never fails.
func (h *Call) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint32(b, h.XID)
	b = order.AppendUint32(b, uint32(TypeCall))
	b = order.AppendUint32(b, h.RPCVers)
	b = order.AppendUint32(b, uint32(h.Prog))
	b = order.AppendUint32(b, h.Vers)
	b = order.AppendUint32(b, h.Proc)
	return h.Verf.append(h.Cred.append(b)), nil
}

// Len returns the number of octets that AppendBinary writes.
func (h *Call) Len() int { return CallLen + h.Cred.Len() + h.Verf.Len() }

// Check reports what a sender must not send: another version of RPC than 2, or a credential or verifier that is too
// long or whose length or fill is wrong. [AuthSysParms] and [GSSCred] check their contents. The error wraps
// field.ErrValue and names the field.
func (h *Call) Check() error {
	if h.RPCVers != Version {
		return errRPCVers
	}
	if err := h.Cred.Body.Check(MaxAuth, errsCredential.body); err != nil {
		return err
	}
	return h.Verf.Body.Check(MaxAuth, errsVerifier.body)
}

// Procedure returns what the Call calls.
func (h *Call) Procedure() Procedure { return Procedure{h.Prog, h.Vers, h.Proc} }

// Protection returns the form in which the arguments of the Call, and the results of its Reply, follow the header.
func (h *Call) Protection() Protection {
	if h.Cred.Flavor != RPCSECGSS {
		return Plain
	}
	var c GSSCred
	if _, err := c.Decode(h.Cred.Body.Data); err != nil {
		return Unknown
	}
	return c.Protection()
}

// InitsContext reports whether the Call begins a context of RPCSEC_GSS, or goes on with that: [InitMajor] reads the results.
func (h *Call) InitsContext() bool {
	var c GSSCred
	if h.Cred.Flavor != RPCSECGSS {
		return false
	}
	_, err := c.Decode(h.Cred.Body.Data)
	return err == nil && (c.GSSProc == GSSInit || c.GSSProc == GSSContinueInit)
}

// Exchange is what a reader of a Reply must know of its Call.
type Exchange struct {
	Procedure  Procedure
	Protection Protection
}

// Exchange returns what is needed to read the arguments of the Call and the results of its Reply.
func (h *Call) Exchange() Exchange { return Exchange{h.Procedure(), h.Protection()} }
