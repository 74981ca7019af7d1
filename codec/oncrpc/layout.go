package oncrpc

import "github.com/iwarpkit/iwarp/codec/field"

// TrailingFields describes octets in a credential that its flavour does not know.
var TrailingFields = field.NewTable("RPC credential trailing octets", proto, "not defined by any RFC",
	field.Field{Name: "rpc.auth.trailing", Label: "Trailing octets", Off: 0, Base: field.Octets},
)

// MaxParts is the largest number of parts that AppendLayout appends.
const MaxParts = 13

// AppendLayout appends to dst the parts of a message, in so far as they are there, in the order of the wire. x is what
// [Call.Exchange] gives of the Call, whether message is that Call or its Reply.
//
// For a Call they are the header, the credential and what is in it if it is of AUTH_SYS or RPCSEC_GSS, the verifier,
// the lengths and numbers that RPCSEC_GSS puts around the arguments, and what the arguments of COMPOUND and CB_COMPOUND
// begin with; its operations are left to [Operations]. For a Reply they are the header with the parts that its states
// demand, and for COMPOUND and CB_COMPOUND what the results begin with and the begin of the first one.
//
// With room for [MaxParts] in dst it does not allocate.
func AppendLayout(dst []field.Part, message []byte, x Exchange) []field.Part {
	l := layout{parts: dst, message: message}
	if IsReply(message) {
		l.reply(x)
	} else {
		l.call(x)
	}
	return l.parts
}

type layout struct {
	parts   []field.Part
	message []byte
	at      int
}

// add adds a part of n octets and goes behind it. It is false if not all of it is there.
func (l *layout) add(table *field.Table, n int) bool {
	left := len(l.message) - l.at
	whole := n <= left
	if n = min(n, left); n > 0 {
		l.parts = append(l.parts, field.Part{Table: table, Octets: l.message[l.at : l.at+n], Off: l.at})
		l.at += n
	}
	return whole
}

// fixed adds a part whose fields are all of fixed width.
func (l *layout) fixed(table *field.Table) bool { return l.add(table, table.Len()) }

// opaque adds a part that ends with o, whose length is the last field of fixed width, and the fill of o.
func (l *layout) opaque(table *field.Table, o *Opaque) bool {
	if !l.add(table, table.Len()+len(o.Data)) || uint64(len(o.Data)) < uint64(o.Length) {
		return false
	}
	return l.add(FillFields, Fill(len(o.Data)))
}

// last adds a part that ends with the message.
func (l *layout) last(table *field.Table) { l.add(table, len(l.message)-l.at) }

func (l *layout) call(x Exchange) {
	var h Call
	n, err := h.Decode(l.message)
	if !l.fixed(x.Procedure.Fields()) || n == typeOff || !l.credential(&h.Cred) || !l.opaque(VerifierFields, &h.Verf.Body) {
		return
	}
	if err == nil && l.protected(x.Protection) {
		l.arguments(x.Procedure)
	}
}

// arguments adds what the arguments of COMPOUND and CB_COMPOUND begin with.
func (l *layout) arguments(p Procedure) {
	table := CompoundFields
	switch {
	case p.IsCBCompound():
		table = CBCompoundFields
	case !p.IsCompound():
		return
	}
	var tag Opaque
	tag.decode(l.message[l.at:], errsTag)
	if l.opaque(TagFields, &tag) {
		l.fixed(table)
	}
}

var authBody = CredentialFields.Lookup("rpc.auth.body")

// credential adds the credential of a Call, and what is in it.
func (l *layout) credential(a *OpaqueAuth) bool {
	if a.Flavor != AuthSys && a.Flavor != RPCSECGSS || len(a.Body.Data) == 0 {
		return l.opaque(CredentialFields, &a.Body)
	}
	body := l.at + CredentialFields.Len()
	end := body + len(a.Body.Data)
	l.parts = append(l.parts, field.Part{Table: CredentialFields, Octets: l.message[l.at:end], Off: l.at, Omit: authBody})
	inside := layout{parts: l.parts, message: l.message[:end], at: body}
	if a.Flavor == AuthSys {
		inside.authSys(a.Body.Data)
	} else {
		inside.gssCred(a.Body.Data)
	}
	inside.last(TrailingFields)
	l.parts, l.at = inside.parts, end
	return uint64(len(a.Body.Data)) == uint64(a.Body.Length) && l.add(FillFields, Fill(len(a.Body.Data)))
}

func (l *layout) authSys(body []byte) {
	var a AuthSysParms
	a.Decode(body)
	if l.opaque(AuthSysFields, &a.MachineName) {
		l.add(AuthSysIDFields, AuthSysIDFields.Len()+len(a.GIDs))
	}
}

func (l *layout) gssCred(body []byte) {
	var c GSSCred
	c.Decode(body)
	l.opaque(GSSCredFields, &c.Handle)
}

// protected adds what RPCSEC_GSS puts before arguments or results, and is true if these follow.
func (l *layout) protected(p Protection) bool {
	switch p {
	case Plain:
		return true
	case Integrity:
		_, _, ok := p.Unwrap(l.message[l.at:])
		return l.fixed(GSSIntegrityFields) && ok
	case Encrypted:
		l.last(GSSPrivacyFields)
	}
	return false
}

func (l *layout) reply(x Exchange) {
	var h Reply
	_, err := h.Decode(l.message)
	if !l.fixed(ReplyFields) {
		return
	}
	switch h.ReplyStat {
	case Accepted:
		if !l.opaque(VerifierFields, &h.Verf.Body) || !l.fixed(AcceptedFields) {
			return
		}
		if h.AcceptStat == ProgMismatch {
			l.fixed(ProgMismatchFields)
		}
	case Denied:
		if !l.fixed(DeniedFields) {
			return
		}
		switch h.RejectStat {
		case RPCMismatch:
			l.fixed(RPCMismatchFields)
		case AuthError:
			l.fixed(AuthErrorFields)
		}
	}
	if err == nil && h.Succeeded() && l.protected(x.Protection) {
		l.results(x.Procedure)
	}
}

// results adds what the results of COMPOUND and CB_COMPOUND begin with.
func (l *layout) results(p Procedure) {
	result := ResultFields
	switch {
	case p.IsCBCompound():
		result = CBResultFields
	case !p.IsCompound():
		return
	}
	var res CompoundRes
	res.Decode(l.message[l.at:])
	if l.fixed(CompoundResFields) && l.opaque(TagFields, &res.Tag) && l.fixed(NumResFields) && res.NumRes > 0 {
		l.fixed(result)
	}
}
