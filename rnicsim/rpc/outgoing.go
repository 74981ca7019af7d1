package rpc

// An Outgoing is a message to be sent, with what goes before and after it.
type Outgoing struct {
	Request    []byte // the message that it answers; nil for none
	Writes     []Push // RDMA Writes before it
	Message    []byte
	Invalidate uint32 // STag that the Send invalidates; 0 for none
	Drop       bool   // send neither it nor the Writes; for Options.Tamper to set
	Twice      bool   // send it twice; for Options.Tamper to set
	Close      bool   // then close the connection

	call *call // that ends with it; nil for none
}

// A Push is an RDMA Write.
type Push struct {
	STag   uint32
	TO     uint64
	Octets []byte
}

// reply sends the last message about a Call: its answer, or an error.
func (e *Endpoint) reply(c *call, o *Outgoing) {
	o.Request, o.call = c.request, c
	e.send(o)
}

// send sends a message.
func (e *Endpoint) send(o *Outgoing) {
	if e.options.Tamper != nil {
		e.options.Tamper(o)
	}
	if !o.Drop {
		for _, w := range o.Writes {
			e.actions = append(e.actions, Action{Type: Write, Octets: w.Octets, STag: w.STag, TO: w.TO})
		}
		if o.Twice {
			e.actions = append(e.actions, Action{Type: Send, Octets: o.Message})
		}
		e.actions = append(e.actions, Action{Type: Send, Octets: o.Message, STag: o.Invalidate, call: o.call})
	} else if o.call != nil {
		e.release(o.call)
	}
	if o.Close {
		e.actions = append(e.actions, Action{Type: Close})
	}
}
