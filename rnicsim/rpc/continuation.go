package rpc

// Message Continuation: RPC messages in several Sends (draft 01, sections 4.4.2 and 6.2.2.2). What may follow what is
// for package rules to say; here the parts are joined and cut.

import (
	"bytes"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// joining is the payload of a sequence that is in progress.
type joining struct{ octets []byte }

// add takes in the payload of a message that is a part of an RPC message, or all of it.
func (j *joining) add(m *rpcrdma.Message, fate rules.RPCFate) *Refusal {
	if fate.First {
		j.octets = nil
	}
	switch {
	case m.Form == rpcrdma.FormInline && len(m.Payload) == 0:
		// It begins with rdma_rpc_first_word (D-33 of package rpcrdma).
		return &Refusal{Fault: BadXDR}
	case len(j.octets)+len(m.Payload) > maxOctets:
		return &Refusal{Fault: TooLong}
	}
	if j.octets == nil {
		j.octets = bytes.Clone(m.Payload)
	} else {
		j.octets = append(j.octets, m.Payload...)
	}
	return nil
}

// take gives away what was joined.
func (j *joining) take() []byte {
	octets := j.octets
	j.octets = nil
	return octets
}

// cut cuts a payload into the parts of a sequence: all but the last have no more than middle octets, and are a multiple
// of four long; the last has no more than last. It is nil if there would be more than most parts.
func cut(payload []byte, middle, last, most int) (parts [][]byte) {
	middle &^= 3
	for len(payload) > last {
		// The last part must not be empty, even if the one before it could hold all.
		n := min(middle, (len(payload)-1)&^3)
		if n <= 0 || last <= 0 || len(parts)+1 >= most {
			return nil
		}
		parts = append(parts, payload[:n:n])
		payload = payload[n:]
	}
	return append(parts, payload)
}
