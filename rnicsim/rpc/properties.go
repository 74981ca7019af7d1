package rpc

// Transport properties (draft 01, section 5), and the RDMA2_CONNPROPs that carry them (sections 6.2.2.3 and 6.3.4).

import "github.com/iwarpkit/iwarp/codec/rpcrdma"

// A properties holds those of the peer that matter to this end.
type properties struct {
	sendSize    uint32 // octets of the longest Send
	receiveSize uint32 // octets of a Receive
	segmentSize uint32 // octets of the longest segment
	segments    uint32 // the most in a header of a Call
	reverse     rpcrdma.ReverseSupport
	last        bool     // they came in the last RDMA2_CONNPROP
	split       splitSet // of an incomplete RDMA2_CONNPROP
}

func newProperties() (p properties) {
	p.sendSize, _ = rpcrdma.PropSBSIZ.Default()
	p.receiveSize, _ = rpcrdma.PropRBSIZ.Default()
	p.segmentSize, _ = rpcrdma.PropRSSIZ.Default()
	p.segments, _ = rpcrdma.PropRCSIZ.Default()
	return p
}

// apply applies a set of properties, all of which conform to their types. It skips those that are unknown or do not
// matter here (draft 01, section 5.1).
func (p *properties) apply(set rpcrdma.PropSet) {
	for q := range set.Properties() {
		v, ok := q.Uint32()
		if !ok {
			continue
		}
		switch q.Which {
		case rpcrdma.PropSBSIZ:
			p.sendSize = v
		case rpcrdma.PropRBSIZ:
			p.receiveSize = v
		case rpcrdma.PropRSSIZ:
			p.segmentSize = v
		case rpcrdma.PropRCSIZ:
			p.segments = v
		case rpcrdma.PropBRS:
			p.reverse = rpcrdma.ReverseSupport(v)
			if p.reverse > rpcrdma.ReverseGenl { // D-01 of package rpcrdma: an undefined level promises nothing
				p.reverse = rpcrdma.ReverseNone
			}
		}
	}
}

// ownProperties returns those that this end sends: the limits of Calls are those of a server, and Reverse-Direction
// Support is that of a client.
func (o *Options) ownProperties(server bool) (s rpcrdma.PropSet) {
	s = s.AppendUint32(rpcrdma.PropSBSIZ, uint32(o.SendSize))
	s = s.AppendUint32(rpcrdma.PropRBSIZ, uint32(o.ReceiveSize))
	if !server {
		return s.AppendUint32(rpcrdma.PropBRS, uint32(rpcrdma.ReverseCont))
	}
	s = s.AppendUint32(rpcrdma.PropRSSIZ, uint32(o.SegmentSize))
	return s.AppendUint32(rpcrdma.PropRCSIZ, uint32(o.Segments))
}

// checkProperties checks the properties of an RDMA2_CONNPROP. A property with a truncated word is a fault of the
// header; one with truncated data is its own fault (D-18 of package rpcrdma).
func checkProperties(set *rpcrdma.PropSet, octets []byte) *refusal {
	switch _, err := set.Decode(octets); {
	case rpcrdma.IsPropData(err):
		return &refusal{Fault: BadProperty}
	case err != nil:
		return &refusal{Fault: BadXDR}
	}
	for p := range set.Properties() {
		if !p.Conforms() {
			return &refusal{Fault: BadProperty}
		}
	}
	return nil
}

// A splitSet is a set of properties in several messages (draft 01, section 6.2.2.2), without their prefixes.
type splitSet struct {
	active bool
	xid    uint32
	octets []byte
}

// add appends a message. At the last one of a set it returns the whole set. Other messages between the parts of a set
// are faults.
func (s *splitSet) add(m *rpcrdma.Message, message []byte) (set []byte, last bool, r *refusal) {
	switch {
	case s.active && (m.Form != rpcrdma.FormProperties || m.XID != s.xid):
		return nil, false, &refusal{Fault: BadContinuation}
	case len(s.octets)+len(message) > MaxSet:
		*s = splitSet{}
		return nil, false, &refusal{Fault: TooLong}
	}
	s.octets = append(s.octets, message[rpcrdma.Version2Len:]...)
	if m.Flags&rpcrdma.FlagMore != 0 {
		s.active, s.xid = true, m.XID
		return nil, false, nil
	}
	set = s.octets
	*s = splitSet{}
	return set, true, nil
}
