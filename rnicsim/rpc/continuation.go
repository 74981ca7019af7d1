package rpc

// Message Continuation: RPC messages in several Sends (draft 01, sections 4.4.2 and 6.2.2.2). Package rules decides
// what may follow what; here the parts are joined and cut.

import (
	"bytes"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
)

// A joining is the payload of a sequence in progress.
type joining struct{ octets []byte }

// add appends the payload of a message that is all or part of an RPC message.
func (j *joining) add(m *rpcrdma.Message, fate rpcrules.Fate) *refusal {
	if fate.First {
		j.octets = nil
	}
	switch {
	case m.Form == rpcrdma.FormInline && len(m.Payload) == 0:
		// It begins with rdma_rpc_first_word (D-33 of package rpcrdma).
		return &refusal{Fault: BadXDR}
	case len(j.octets)+len(m.Payload) > maxOctets:
		return &refusal{Fault: TooLong}
	}
	if j.octets == nil {
		j.octets = bytes.Clone(m.Payload)
	} else {
		j.octets = append(j.octets, m.Payload...)
	}
	return nil
}

// take returns what was joined, and starts anew.
func (j *joining) take() []byte {
	octets := j.octets
	j.octets = nil
	return octets
}

// cut cuts a payload into the parts of a sequence. All but the last have a multiple of four octets, at most middle;
// the last has at most last. It returns nil if there would be more than most parts.
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
