package adversary

// NFS Calls and their Replies: RFC 1813, RFC 7530 and RFC 5661, as far as they are needed to fill chunks of all kinds.

// Programs.
const (
	programNFS      = 100003
	programCallback = 0x40000000
)

// An rpcCall is an RPC and its answer.
type rpcCall struct {
	xid            uint32
	program, proc  uint32
	version, minor uint32
	service        uint32 // of RPCSEC_GSS; 0 for none
	verifier       []byte // of the Reply
	name           string // "NFSv3 READ"
	args, results  xdr
}

// stream is the RPC Call: RFC 5531, section 9.
func (c *rpcCall) stream(t *talk) xdr {
	cred, verifier := c.credential(t)
	c.verifier = verifier
	return append(xdr{{octets: octets(c.xid, uint32(0), uint32(2), c.program, c.version, c.proc, cred)}}, c.args...)
}

// answer is the RPC Reply.
func (c *rpcCall) answer() xdr {
	return append(xdr{{octets: octets(c.xid, uint32(1), uint32(0), c.verifier, uint32(0))}}, c.results...)
}

// content draws the length of a file's content.
func (t *talk) content() []byte {
	return random(t.r, pick(t.r, 0, 1, 2, 3, 4, 100, 999, 1000, 4000, t.r.IntN(3000)))
}

// nfs3 draws a Call of NFSv3 (RFC 1813, section 3.3).
func (t *talk) nfs3(xid uint32) *rpcCall {
	c := &rpcCall{xid: xid, program: programNFS, version: 3}
	handle := random(t.r, pick(t.r, 8, 28, 32, 64))
	name := octets("file", random(t.r, t.r.IntN(9)))
	attributes := octets(uint32(1), random(t.r, 84))
	weak := octets(uint32(0), uint32(1), random(t.r, 84))
	a, r := &c.args, &c.results
	if c.proc = pick[uint32](t.r, 0, 1, 3, 4, 5, 6, 6, 6, 7, 7, 7, 10); c.proc > 0 {
		a.opaque(handle)
		r.add(uint32(0)) // NFS3_OK
	}
	switch c.proc {
	case 1:
		r.add(random(t.r, 84))
	case 3:
		a.opaque(name)
		r.opaque(handle).add(attributes, attributes)
	case 4:
		a.add(uint32(0x3f))
		r.add(attributes, uint32(0x1f))
	case 5:
		r.add(attributes).data(random(t.r, 1+t.r.IntN(200)))
	case 6:
		b := t.content()
		a.add(t.r.Uint64()>>20, uint32(len(b)))
		r.add(attributes, uint32(len(b)), uint32(t.r.IntN(2))).data(b)
	case 7:
		b := t.content()
		a.add(t.r.Uint64()>>20, uint32(len(b)), uint32(t.r.IntN(3))).data(b)
		r.add(weak, uint32(len(b)), uint32(2), random(t.r, 8))
	case 10:
		a.opaque(name).add(make([]byte, 24)).data(random(t.r, 1+t.r.IntN(100)))
		r.add(uint32(0), uint32(0), weak)
	}
	c.name = "NFSv3 " + [...]string{"NULL", "GETATTR", 3: "LOOKUP", "ACCESS", "READLINK", "READ", "WRITE", 10: "SYMLINK"}[c.proc]
	return c
}

// nfs4 draws a COMPOUND of a minor version.
func (t *talk) nfs4(xid, minor uint32) *rpcCall {
	tag := random(t.r, t.r.IntN(6))
	operations := 1 + t.r.IntN(4)
	if minor > 0 {
		operations++
	}
	return compound(xid, minor, tag, operations, func(c *rpcCall, i int) {
		switch {
		case minor > 0 && i == 0:
			session := random(t.r, 16)
			c.operation(53, "SEQUENCE").add(session, uint32(xid), uint32(0), uint32(15), uint32(0))
			c.results.add(session, uint32(xid), uint32(0), uint32(15), uint32(15), uint32(0))
		case i == operations-1 && i > 0 || t.r.IntN(3) > 0 && i > 0:
			t.operation(c)
		default:
			handle := random(t.r, pick(t.r, 8, 28, 128))
			c.operation(22, "PUTFH").opaque(handle)
		}
	})
}

// compound makes a COMPOUND of so many operations.
func compound(xid, minor uint32, tag []byte, operations int, add func(c *rpcCall, i int)) *rpcCall {
	c := &rpcCall{xid: xid, program: programNFS, version: 4, proc: 1, minor: minor, name: "NFSv4.0 COMPOUND"}
	for i := range tag {
		tag[i] = 'a' + tag[i]%26
	}
	if minor > 0 {
		c.name = "NFSv4.1 COMPOUND"
	}
	c.args.opaque(tag).add(minor, uint32(operations))
	c.results.add(uint32(0)).opaque(tag).add(uint32(operations))
	for i := range operations {
		add(c, i)
	}
	return c
}

// operation appends an operation that succeeds, and its name. The result is to add its arguments to.
func (c *rpcCall) operation(number uint32, name string) *xdr {
	c.name += " " + name
	c.args.add(number)
	c.results.add(number, uint32(0))
	return &c.args
}

// operation draws an operation for a COMPOUND: RFC 7530, section 16.
func (t *talk) operation(c *rpcCall) {
	state := random(t.r, 16)
	switch t.r.IntN(7 + t.more) {
	case 0:
		bitmap := octets(uint32(2), uint32(0x18), uint32(0))
		c.operation(9, "GETATTR").add(bitmap)
		c.results.add(bitmap).opaque(octets(t.r.Uint64(), t.r.Uint64()))
	case 1, 2:
		b := t.content()
		c.operation(25, "READ").add(state, t.r.Uint64()>>20, uint32(len(b)))
		c.results.add(uint32(t.r.IntN(2))).data(b)
	case 3, 4:
		b := t.content()
		c.operation(38, "WRITE").add(state, t.r.Uint64()>>20, uint32(t.r.IntN(3))).data(b)
		c.results.add(uint32(len(b)), uint32(2), random(t.r, 8))
	case 5:
		c.operation(27, "READLINK")
		c.results.data(random(t.r, 1+t.r.IntN(200)))
	case 7:
		c.operation(6, "CREATE").add(uint32(5)).data(random(t.r, 1+t.r.IntN(200))).opaque(random(t.r, 9)).add(uint64(0))
		c.results.add(uint32(1), t.r.Uint64(), t.r.Uint64(), uint32(0))
	default:
		c.operation(3, "ACCESS").add(uint32(0x3f))
		c.results.add(uint32(0x3f), uint32(0x1f))
	}
}
