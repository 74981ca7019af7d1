package oncrpc

import "github.com/iwarpkit/iwarp/codec/field"

// A MessageContext is what it takes to read a message beside its octets.
type MessageContext struct {
	Exchange           // of the Call, whether the message is that or the Reply
	Positions []uint32 // as [Operations.Positions]
	Returned  []uint64 // as [Results.Returned]
}

// AppendLayout appends to dst the parts of a message, as far as they are there, in the order of the wire.
//
// For a Call they are the header, the credential and what is in it if it is of AUTH_SYS or RPCSEC_GSS, the verifier,
// the lengths and numbers that RPCSEC_GSS puts around the arguments, and for COMPOUND and CB_COMPOUND what the arguments
// begin with and the operations. For a Reply they are the header with the parts that its states demand, and for COMPOUND
// and CB_COMPOUND what the results begin with and the result of each operation. Operations and results go as far as
// [Operations] and [Results] can walk.
//
// With room in dst for [MaxParts], and as many more as there are operations or results, it does not allocate.
func AppendLayout(dst []field.Part, message []byte, c *MessageContext) []field.Part {
	var l layout // a composite literal would be copied
	l.parts, l.message = dst, message
	if IsReply(message) {
		l.reply(c)
	} else {
		l.call(c)
	}
	return l.parts
}

type layout struct {
	parts   []field.Part
	message []byte
	at      int
}

// add adds a part of n octets and steps over it. It reports whether all of it is there.
func (l *layout) add(table *field.Table, n int) bool {
	left := len(l.message) - l.at
	whole := n <= left
	if n = min(n, left); n > 0 {
		parts := append(l.parts, field.Part{})
		p := &parts[len(parts)-1]
		p.Table, p.Octets, p.Off = table, l.message[l.at:l.at+n], l.at
		l.parts, l.at = parts, l.at+n
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

func (l *layout) call(c *MessageContext) {
	var h Call
	n, err := h.Decode(l.message)
	if !l.fixed(c.Procedure.Fields()) || n == typeOff || !l.credential(&h.Cred) || !l.opaque(VerifierFields, &h.Verf.Body) {
		return
	}
	if err == nil && l.protected(c.Protection) {
		l.arguments(c)
	}
}

// arguments adds the arguments of COMPOUND and CB_COMPOUND.
func (l *layout) arguments(c *MessageContext) {
	p := c.Procedure
	if !p.IsCompound() && !p.IsCBCompound() {
		return
	}
	var tag Opaque
	ops := Operations{Positions: c.Positions}
	begin := l.at
	if p.IsCBCompound() {
		var args CBCompoundArgs
		n, err := args.Decode(l.message[begin:])
		if tag = args.Tag; l.opaque(TagFields, &tag) && l.fixed(CBCompoundFields) && err == nil {
			ops.ResetCB(l.message, begin+n, &args)
		}
	} else {
		var args CompoundArgs
		n, err := args.Decode(l.message[begin:])
		if tag = args.Tag; l.opaque(TagFields, &tag) && l.fixed(CompoundFields) && err == nil {
			ops.Reset(l.message, begin+n, &args)
		}
	}
	for ops.Next() {
		l.parts = append(l.parts, ops.Part())
	}
}

var authBody = CredentialFields.Lookup("rpc.auth.body")

// credential adds the credential of a Call, and what is in it.
func (l *layout) credential(a *OpaqueAuth) bool {
	if a.Flavor != AuthSys && a.Flavor != RPCSECGSS || len(a.Body.Data) == 0 {
		return l.opaque(CredentialFields, &a.Body)
	}
	message, body := l.message, l.at+CredentialFields.Len()
	l.message = message[:body+len(a.Body.Data)]
	l.last(CredentialFields)
	l.parts[len(l.parts)-1].Omit = authBody
	l.at = body
	if a.Flavor == AuthSys {
		l.authSys(a.Body.Data)
	} else {
		l.gssCred(a.Body.Data)
	}
	l.last(TrailingFields)
	l.message = message
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

// protected adds what RPCSEC_GSS puts before arguments or results, and is true if these follow. The message then ends
// with them.
func (l *layout) protected(p Protection) bool {
	switch p {
	case Plain:
		return true
	case Integrity:
		body, off, ok := p.Unwrap(l.message[l.at:])
		end := l.at + off + len(body)
		if !l.fixed(GSSIntegrityFields) || !ok {
			return false
		}
		l.message = l.message[:end]
		return true
	case Encrypted:
		l.last(GSSPrivacyFields)
	}
	return false
}

func (l *layout) reply(c *MessageContext) {
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
	if err == nil && h.Succeeded() && l.protected(c.Protection) {
		l.results(c)
	}
}

// results adds the results of COMPOUND and CB_COMPOUND.
func (l *layout) results(c *MessageContext) {
	p := c.Procedure
	if !p.IsCompound() && !p.IsCBCompound() {
		return
	}
	var res CompoundRes
	begin := l.at
	n, err := res.Decode(l.message[begin:])
	if !l.fixed(CompoundResFields) || !l.opaque(TagFields, &res.Tag) || !l.fixed(NumResFields) || err != nil {
		return
	}
	results := Results{Returned: c.Returned}
	for results.Reset(l.message, begin+n, &res, p.IsCBCompound()); results.Next(); {
		l.parts = append(l.parts, results.Part())
	}
}
