package nvme

// Capsules as a view shows them: their parts, and a line of text.

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Capsule is the Body of the record.Uppers of this package.
type Capsule struct {
	Command             // of a completion, what it completes; only QueueID and CommandID if that is not known
	Response     bool   // it is a completion
	Status       Status // of a completion
	SQHead       uint16 // of a completion: SQ Head Pointer
	Octets       []byte // what was captured of it; valid until the Reporter returns
	StatedLength uint64 // octets
}

// Decode reads a capsule of the given length in octets, of which octets was captured. ok is false if it is too short for a
// capsule, or if too little was captured to tell its command.
func (c *Capsule) Decode(queue uint16, response bool, octets []byte, length uint64) (ok bool) {
	*c = Capsule{Response: response, Octets: octets, StatedLength: length}
	if !response {
		c.decode(queue, octets)
		return length >= commandLen && len(octets) >= nsid.End(0)
	}
	c.Command = Command{QueueID: queue, CommandID: uint16(responseCID.Number(octets))}
	c.Status, c.SQHead = statusOf(responseStatus.Number(octets)), uint16(responseSQHead.Number(octets))
	return len(octets) >= responseLen
}

// Lay implements record.Body: the command, SGL1 and the parameters, or the completion.
func (c *Capsule) Lay(v *record.View) {
	v.Begin("", c.Octets, c.StatedLength)
	if c.Response {
		v.Add(completion, 0, responseLen)
		return
	}
	v.Add(c.fields(), 0, sglOff)
	if len(c.Octets) < parametersOff {
		return
	}
	v.Add((*descriptor)(c.Octets[sglOff:]).fields(), sglOff, sglLen)
	v.Add(c.form().fields, parametersOff, parametersLen)
}

// fields is the table of the first octets of the command.
func (c *Command) fields() *field.Table {
	switch {
	case c.Opcode == opFabrics:
		return fabricsCommand
	case c.QueueID == 0:
		return adminCommand
	}
	return ioCommand
}

// cut is b[from:to], limited to the length of b.
func cut(b []byte, from, to int) []byte { return b[min(from, len(b)):min(to, len(b))] }

// AppendText appends a line that says what the capsule is: "Read cid=0x0012 nsid=1 slba=0 nlb=8" or
// "Completion cid=0x0012 Success".
func (c *Capsule) AppendText(dst []byte) []byte {
	if c.Response {
		dst = append(dst, "Completion cid="...)
		dst = responseCID.AppendNumber(dst, uint64(c.CommandID))
		return append(append(dst, ' '), c.Status.Of(&c.Command)...)
	}
	dst = append(dst, c.Command.Name()[len(namePrefix):]...)
	dst = append(dst, " cid="...)
	dst = cid.AppendNumber(dst, uint64(c.CommandID))
	form := c.form()
	if form.namespace {
		dst = namespace.appendText(dst, c.Octets)
	}
	for i := range form.shown {
		dst = form.shown[i].appendText(dst, cut(c.Octets, parametersOff, commandLen))
	}
	return dst
}

// namespace is shown for commands on a namespace.
var namespace = parameter{" nsid=", nsid, 0}

// appendText appends a parameter if it was captured.
func (p *parameter) appendText(dst, octets []byte) []byte {
	v, ok := p.field.Get(octets)
	if !ok {
		return dst
	}
	dst = append(dst, p.label...)
	if p.field.Names != nil {
		return append(dst, p.field.Names(v)...)
	}
	return p.field.AppendNumber(dst, v+p.less)
}
