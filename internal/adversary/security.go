package adversary

// RPCSEC_GSS (RFC 2203) around Calls and Replies, and Calls of the server to the client (RFC 8167).

// Services of RPCSEC_GSS.
const (
	gssNone = 1 + iota
	gssIntegrity
	gssPrivacy
)

const flavorGSS = 6

// credential is what a Call says of its sender, with the verifier; reply is the verifier of its Reply.
func (c *rpcCall) credential(t *talk) (call, reply []byte) {
	if c.service == 0 {
		cred := octets(uint32(0), uint32(0))
		if t.r.IntN(2) == 0 { // AUTH_SYS
			body := octets(t.r.Uint32(), uint32(4), "host", t.r.Uint32(), t.r.Uint32(), uint32(1), t.r.Uint32())
			cred = octets(uint32(1), uint32(len(body)), body)
		}
		return octets(cred, uint64(0)), octets(uint64(0))
	}
	const data = 0 // gss_proc
	body := octets(uint32(1), uint32(data), c.xid, c.service, uint32(4), t.r.Uint32())
	mic := octets(uint32(flavorGSS), uint32(28), random(t.r, 28))
	return octets(uint32(flavorGSS), uint32(len(body)), body, mic), mic
}

// protect wraps arguments or results as the service demands. What is wrapped is not reduced (RFC 8166, section 8.2.2.3).
func (c *rpcCall) protect(t *talk, x xdr) xdr {
	body, _ := x.reduce(func(int, []byte) bool { return false })
	var wrapped xdr
	switch c.service {
	case gssIntegrity:
		wrapped.opaque(octets(c.xid, body)).opaque(random(t.r, 28))
	case gssPrivacy:
		wrapped.opaque(random(t.r, len(body)+44))
	default:
		return x
	}
	return wrapped
}

// createSession is the operation that lets the server call the client: RFC 5661, section 18.36.
func (c *rpcCall) createSession(t *talk) {
	channel := octets(uint32(0), uint32(1<<20), uint32(1<<20), uint32(4096), uint32(16), uint32(16), uint32(0))
	const callbacks = 2
	c.operation(43, "CREATE_SESSION").add(t.r.Uint64(), uint32(1), uint32(callbacks), channel, channel, uint32(programCallback), uint32(1), uint32(0))
	c.results.add(random(t.r, 16), uint32(1), uint32(callbacks), channel, channel)
}

// callback draws a Call of the server: CB_NULL, or a CB_COMPOUND that recalls a delegation (RFC 5661, section 20).
func (t *talk) callback(xid uint32) *rpcCall {
	c := &rpcCall{xid: xid, program: programCallback, version: 1}
	if t.r.IntN(3) == 0 {
		return c
	}
	c.proc = 1
	session := random(t.r, 16)
	c.args.opaque(nil).add(uint32(1), uint32(0), uint32(2), uint32(11), session, xid, uint32(0), uint32(0), uint32(0), uint32(0))
	c.args.add(uint32(4), random(t.r, 16), uint32(0)).opaque(random(t.r, 28))
	c.results.add(uint32(0)).opaque(nil).add(uint32(2), uint32(11), uint32(0), session, xid, uint32(0), uint32(0), uint32(0), uint32(4), uint32(0))
	return c
}

// callBack lets the server call the client, which answers at once. Nothing of it is in chunks.
func (c *rpc) callBack() {
	c.backXID++
	x := &exchange{rpcCall: c.talk.callback(c.backXID)}
	whole := func(int, []byte) bool { return false }
	call, _ := x.stream(c.talk).reduce(whole)
	reply, _ := x.answer().reduce(whole)
	for _, h := range []*rpcHeader{{stream: call}, {stream: reply, reply: true}} {
		h.version, h.xid, h.kind, h.exchange, h.back = c.version, x.xid, rdmaMSG, x, true
		from := Responder
		if h.reply {
			from = Initiator
		}
		if c.version == 1 {
			h.credit = uint32(1 + c.r.IntN(requested))
		} else {
			c.complete2(from, h)
		}
		c.carry(from, h, opSend, 0)
	}
}
