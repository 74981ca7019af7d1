package oncrpc

import "github.com/iwarpkit/iwarp/codec/field"

// AppendLayout appends to dst the parts of a message, as far as they are there, in the order of the wire. x is what its
// Call says, whether the message is that Call or the Reply. For a Call the parts are the header, the credential and what
// is in it if it is of AUTH_SYS or RPCSEC_GSS, and the verifier; for a Reply they are the header with the parts that its
// states demand. The lengths and numbers that RPCSEC_GSS puts around arguments and results follow.
//
// body is the arguments or results, which begin where the last part ends; nil if there are none, or they cannot be read.
//
// With room for [MaxParts] in dst it does not allocate.
func AppendLayout(dst []field.Part, message []byte, x Exchange) (parts []field.Part, body []byte) {
	var l layout // a composite literal would be copied
	l.Parts, l.Message = dst, message
	readable := false
	if IsReply(message) {
		readable = l.reply(&x)
	} else {
		readable = l.call(&x)
	}
	if readable {
		body = l.Message[l.Off:]
	}
	return l.Parts, body
}

type layout struct{ field.Layout }

// fixed adds a part whose fields are all of fixed width.
func (l *layout) fixed(table *field.Table) bool { return l.Add(table, table.Len()) }

// opaque adds a part that ends with o, whose length is the last field of fixed width, and the fill of o.
func (l *layout) opaque(table *field.Table, o *Opaque) bool {
	return l.Add(table, table.Len()+len(o.Data)) && uint64(len(o.Data)) == uint64(o.Length) &&
		l.Add(FillFields, Fill(len(o.Data)))
}

// last adds a part that ends with the message.
func (l *layout) last(table *field.Table) { l.Add(table, len(l.Message)-l.Off) }

func (l *layout) call(x *Exchange) (readable bool) {
	var h Call
	n, err := h.Decode(l.Message)
	return l.fixed(x.Procedure.Fields()) && n != typeOff && l.credential(&h.Cred) && l.opaque(VerifierFields, &h.Verf.Body) &&
		err == nil && l.protected(x.Protection)
}

var authBody = CredentialFields.Lookup("rpc.auth.body")

// credential adds the credential of a Call, and what is in it.
func (l *layout) credential(a *OpaqueAuth) bool {
	if a.Flavor != AuthSys && a.Flavor != RPCSECGSS || len(a.Body.Data) == 0 {
		return l.opaque(CredentialFields, &a.Body)
	}
	message, body := l.Message, l.Off+CredentialFields.Len()
	l.Message = message[:body+len(a.Body.Data)]
	l.last(CredentialFields)
	l.Parts[len(l.Parts)-1].Omit = authBody
	l.Off = body
	if a.Flavor == AuthSys {
		l.authSys(a.Body.Data)
	} else {
		l.gssCred(a.Body.Data)
	}
	l.last(TrailingFields)
	l.Message = message
	return uint64(len(a.Body.Data)) == uint64(a.Body.Length) && l.Add(FillFields, Fill(len(a.Body.Data)))
}

func (l *layout) authSys(body []byte) {
	var a AuthSysParms
	a.Decode(body)
	if l.opaque(AuthSysFields, &a.MachineName) {
		l.Add(AuthSysIDFields, AuthSysIDFields.Len()+len(a.GIDs))
	}
}

func (l *layout) gssCred(body []byte) {
	var c GSSCred
	c.Decode(body)
	l.opaque(GSSCredFields, &c.Handle)
}

// protected adds what RPCSEC_GSS puts before arguments or results, and is true if these follow. The message then ends
// with them.
func (l *layout) protected(p Protection) bool {
	switch p {
	case Plain:
		return true
	case Integrity:
		body, off, ok := p.Unwrap(l.Message[l.Off:])
		end := l.Off + off + len(body)
		if !l.fixed(GSSIntegrityFields) || !ok {
			return false
		}
		l.Message = l.Message[:end]
		return true
	case Encrypted:
		l.last(GSSPrivacyFields)
	}
	return false
}

func (l *layout) reply(x *Exchange) (readable bool) {
	var h Reply
	_, err := h.Decode(l.Message)
	if !l.fixed(ReplyFields) {
		return false
	}
	switch h.ReplyStat {
	case Accepted:
		if !l.opaque(VerifierFields, &h.Verf.Body) || !l.fixed(AcceptedFields) {
			return false
		}
		if h.AcceptStat == ProgMismatch {
			l.fixed(ProgMismatchFields)
		}
	case Denied:
		if !l.fixed(DeniedFields) {
			return false
		}
		switch h.RejectStat {
		case RPCMismatch:
			l.fixed(RPCMismatchFields)
		case AuthError:
			l.fixed(AuthErrorFields)
		}
	}
	return err == nil && h.Succeeded() && l.protected(x.Protection)
}
