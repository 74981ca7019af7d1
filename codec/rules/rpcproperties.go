package rules

// Transport properties of version 2, draft 01, sections 5 and 6.3.4, and inline thresholds, which follow from them or,
// in version 1, from Private Data (RFC 8797).

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

var (
	ruleRPCProperty = newRule("rpc2-property", Error,
		"The data of a property conforms to its type.", "RPCRDMA2-5.1-2")
	ruleRPCPropertyTwice = newRule("rpc2-property-twice", Warning,
		"A property comes once, for no order of properties is to be relied on.", "RPCRDMA2-5.1-5").
		lighter("The draft forbids to rely on an order, and not to send a property twice.")
	ruleRPCPropsLate = newRule("rpc2-connprop-late", Error,
		"No RDMA2_CONNPROP follows the one with TPMORE clear.", "RPCRDMA2-6.2.2.3-3")
	ruleRPCPropsFirst = newRule("rpc2-connprop-first", Warning,
		"The first message of each side is RDMA2_CONNPROP.", "RPCRDMA2-6.3.4-1").
		lighter(noProperties)
	ruleRPCEarly = newRule("rpc2-early", Warning,
		"RPC messages come only after both sides have sent their last RDMA2_CONNPROP.",
		"RPCRDMA2-6.2.2.3-4", "RPCRDMA2-6.3.4-3").
		lighter(noProperties)

	ruleRPCThreshold = newRPCRule("threshold", Error,
		"A Send is not longer than its sender and its receiver said that they can send and receive.",
		"RPCRDMA1-3.3.2-1 RPCRDMA1-4.2.4-6 RPCRDMA1-3.5.3-1 RPCRDMA1-3.5.3-4 RPCBIDI-4.2-1 RPCBIDI-5.3-2 RPCPD-4.2-2",
		"RPCRDMA2-4.2.2-2 RPCRDMA2-5.2.1-1").situation(SendTooLong)
	ruleRPCDefaultThreshold = newRPCRule("default-threshold", Warning,
		"Where the sides say nothing else, a Send is not longer than 1024 octets in version 1, 4096 in version 2.",
		"RPCRDMA1-3.3.3-4 RPCPD-5.1-1", "RPCRDMA2-4.2.2-1").situation(SendTooLong).
		lighter("The sizes may have been agreed on where no capture shows it.")
	ruleRPCFirstLength = newRule("rpc2-first-length", Error,
		"The first message of a client is not longer than 1024 octets, RDMA2_CONNPROP not longer than 4096.",
		"RPCRDMA2-4.2.3-2", "RPCRDMA2-6.3.4-2").situation(SendTooLong)
)

// noProperties is about peers that send none.
const noProperties = "Section 4.2.2 of the draft speaks of peers that send no properties: the defaults hold for them."

// rpcProperties are those that one side has sent, or their defaults.
type rpcProperties struct {
	send, receive, segmentSize, segments uint32 // SBSIZ, RBSIZ, RSSIZ, RCSIZ
	reverse                              rpcrdma.ReverseSupport
	announced                            bool // at least one RDMA2_CONNPROP was accepted
	done                                 bool // the last one was
	unknown                              bool // one may have been missed, or cannot be read
	split                                bool // the latest one goes on in the next (D-17)
	early                                bool // RPC messages before their time were reported
}

func (p *rpcProperties) reset() {
	*p = rpcProperties{}
	for id := rpcrdma.PropSBSIZ; id <= rpcrdma.PropBRS; id++ {
		v, _ := id.Default()
		p.set(id, v)
	}
}

func (p *rpcProperties) missed() { p.unknown, p.done, p.early = true, true, true }

func (p *rpcProperties) set(id rpcrdma.PropID, value uint32) {
	switch id {
	case rpcrdma.PropSBSIZ:
		p.send = value
	case rpcrdma.PropRBSIZ:
		p.receive = value
	case rpcrdma.PropRSSIZ:
		p.segmentSize = value
	case rpcrdma.PropRCSIZ:
		p.segments = value
	case rpcrdma.PropBRS:
		p.reverse = rpcrdma.ReverseSupport(value)
	}
}

// properties takes in an RDMA2_CONNPROP. All of it counts, or nothing.
func (s *RPCStream) properties(from RPCSide, m *rpcrdma.Message, v []Violation) (*RPCFault, []Violation) {
	p := &s.sides[from].props
	if p.done && !p.unknown {
		return faultLate, append(v, ruleRPCPropsLate.Breach(m.KindName()+" behind the last one", "none"))
	}
	part := m.Flags&rpcrdma.FlagMore != 0
	if part || p.split {
		p.split, p.unknown, p.announced = part, true, true
		p.done = !m.More
		return nil, v
	}
	bad := false
	for prop := range m.Props.Properties() {
		if err := prop.Check(); err != nil {
			v = append(v, ruleRPCProperty.Breach(prop.Which.String()+": "+err.Error(), "data of its type"))
			bad = bad || !prop.Conforms()
		}
	}
	if bad {
		return faultProperty, v
	}
	v = checkRPCTwice(m.Props, v)
	for prop := range m.Props.Properties() {
		if value, ok := prop.Uint32(); ok {
			p.set(prop.Which, value)
		}
	}
	p.announced, p.done = true, !m.More
	return nil, v
}

// checkRPCTwice judges whether one of the properties that are defined comes twice.
func checkRPCTwice(props rpcrdma.PropSet, v []Violation) []Violation {
	var seen, twice [8]bool
	for p := range props.Properties() {
		if !p.Which.Known() {
			continue
		}
		if i := int(p.Which) % len(seen); seen[i] && !twice[i] {
			twice[i] = true
			v = append(v, ruleRPCPropertyTwice.Breach("a second "+p.Which.String(), "one"))
		} else {
			seen[i] = true
		}
	}
	return v
}

// early judges whether it is time for RPC messages. It does so once for each side.
func (s *RPCStream) early(from RPCSide, m *rpcrdma.Message, v []Violation) []Violation {
	own, peer := &s.sides[from].props, &s.sides[1-from].props
	if own.done && peer.done || m.Vers != rpcrdma.Vers2 || own.early {
		return v
	}
	own.early = true
	if !own.announced {
		return append(v, ruleRPCPropsFirst.Breach(m.KindName(), "RDMA2_CONNPROP"))
	}
	return append(v, ruleRPCEarly.Breach(m.KindName(), "the last RDMA2_CONNPROP of both sides"))
}

// Threshold is the inline threshold in octets of what a side sends in version 1; 0 if the sides have not said it.
func (s *RPCStream) Threshold(from RPCSide) int {
	if s.midstream || !s.private {
		return 0
	}
	return s.threshold(from)
}

func (s *RPCStream) threshold(from RPCSide) int {
	if from == RPCServer {
		return s.agreed.ServerToClient
	}
	return s.agreed.ClientToServer
}

// length judges the length of a message.
func (s *RPCStream) length(from RPCSide, m *rpcrdma.Message, v []Violation) []Violation {
	switch {
	case s.midstream:
		return v
	case m.Vers == rpcrdma.Vers2:
		return s.length2(from, m, v)
	case m.Len <= rpcrdma.InlineThreshold1:
		return v
	}
	limit, rule := s.threshold(from), ruleRPCThreshold
	if !s.private {
		rule = ruleRPCDefaultThreshold
	}
	if m.Len <= limit {
		return v
	}
	return append(v, rule.Breach(rpcrdma.DialectVersion1, octets(m.Len), fmt.Sprintf("at most %d", limit)))
}

// length2 is length for version 2.
func (s *RPCStream) length2(from RPCSide, m *rpcrdma.Message, v []Violation) []Violation {
	own, peer := &s.sides[from].props, &s.sides[1-from].props
	limit, rule := min(own.send, peer.receive), ruleRPCThreshold.two
	switch first := !s.sides[from].sent; {
	case first && from == RPCClient:
		limit, rule = rpcrdma.InlineThreshold1, ruleRPCFirstLength
	case m.Form == rpcrdma.FormProperties:
		limit, rule = rpcrdma.InlineThreshold2, ruleRPCFirstLength
	case own.unknown || peer.unknown:
		return v
	case !own.announced || !peer.announced:
		rule = ruleRPCDefaultThreshold.two
	}
	if m.Len <= int(min(limit, 1<<30)) {
		return v
	}
	return append(v, rule.Breach(octets(m.Len), fmt.Sprintf("at most %d", limit)))
}
