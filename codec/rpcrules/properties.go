package rpcrules

// Transport properties of version 2, draft 01, sections 5 and 6.3.4, and the inline thresholds that follow from them
// or, in version 1, from Private Data (RFC 8797).

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var (
	ruleProperty = newRule("rpc2-property", rules.Error,
		"The data of a property must conform to its type.", "RPCRDMA2-5.1-2", in("rpcordma.prop.data"))
	rulePropertyTwice = newRule("rpc2-property-twice", rules.Warning,
		"A property must not come more than once, because no order of properties can be relied on.", "RPCRDMA2-5.1-5",
		lighter("The draft forbids to rely on an order; it does not forbid to send a property twice."), in("rpcordma.prop.which"))
	rulePropsLate = newRule("rpc2-connprop-late", rules.Error,
		"No RDMA2_CONNPROP may follow the one with TPMORE clear.", "RPCRDMA2-6.2.2.3-3")
	rulePropsFirst = newRule("rpc2-connprop-first", rules.Warning,
		"The first message of each side must be RDMA2_CONNPROP.", "RPCRDMA2-6.3.4-1",
		lighter(noProperties))
	ruleEarly = newRule("rpc2-early", rules.Warning,
		"RPC messages must come only after both sides have sent their last RDMA2_CONNPROP.",
		"RPCRDMA2-6.2.2.3-4 RPCRDMA2-6.3.4-3",
		lighter(noProperties))

	ruleThreshold = newPair("threshold", rules.Error,
		"A Send must not be longer than the sizes that its sender and receiver announced.",
		"RPCRDMA1-3.3.2-1 RPCRDMA1-4.2.4-6 RPCRDMA1-3.5.3-1 RPCRDMA1-3.5.3-4 RPCBIDI-4.2-1 RPCBIDI-5.3-2 RPCPD-4.2-2",
		"RPCRDMA2-4.2.2-2 RPCRDMA2-5.2.1-1", answered(rules.SendTooLong))
	ruleDefaultThreshold = newPair("default-threshold", rules.Warning,
		"By default, a Send must not be longer than 1024 octets in version 1, and 4096 in version 2.",
		"RPCRDMA1-3.3.3-4 RPCPD-5.1-1", "RPCRDMA2-4.2.2-1", answered(rules.SendTooLong),
		lighter("The sizes may have been agreed on outside of the capture."))
	ruleFirstLength = newRule("rpc2-first-length", rules.Error,
		"The first message of a client must not be longer than 1024 octets, and RDMA2_CONNPROP not longer than 4096.",
		"RPCRDMA2-4.2.3-2 RPCRDMA2-6.3.4-2", answered(rules.SendTooLong))
)

// noProperties is about peers that send none.
const noProperties = "Section 4.2.2 of the draft allows peers that send no properties: the defaults hold for them."

// properties holds those that one side has sent, or their defaults.
type properties struct {
	send, receive, segmentSize, segments uint32 // SBSIZ, RBSIZ, RSSIZ, RCSIZ
	reverse                              rpcrdma.ReverseSupport
	announced                            bool // at least one RDMA2_CONNPROP was accepted
	done                                 bool // it was the last one
	unknown                              bool // one is unreadable, or may have been missed
	lost                                 bool // the last one may have been missed
	split                                bool // the latest one continues in the next (D-17)
	early                                bool // early RPC messages were reported
}

func (p *properties) reset() {
	*p = properties{}
	for id := rpcrdma.PropSBSIZ; id <= rpcrdma.PropBRS; id++ {
		v, _ := id.Default()
		p.set(id, v)
	}
}

func (p *properties) missed() { p.unknown, p.lost, p.done, p.early = true, true, true, true }

func (p *properties) set(id rpcrdma.PropID, value uint32) {
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

// properties applies an RDMA2_CONNPROP, completely or not at all.
func (s *Stream) properties(from Side, m *rpcrdma.Message, v []rules.Violation) (*Fault, []rules.Violation) {
	p := &s.sides[from].props
	if p.done && !p.unknown {
		return faultLate, append(v, rulePropsLate.Breach(m.KindName()+" after the last one", "none"))
	}
	part := m.Flags&rpcrdma.FlagMore != 0
	if part || p.split {
		p.split, p.unknown, p.announced = part, true, true
		p.done = p.lost || !m.More
		return nil, v
	}
	bad := false
	for prop := range m.Props.Properties() {
		if err := prop.Check(); err != nil {
			v = append(v, ruleProperty.Breach(prop.Which.String()+": "+err.Error(), "data of its type"))
			bad = bad || !prop.Conforms()
		}
	}
	if bad {
		return faultProperty, v
	}
	v = checkTwice(m.Props, v)
	for prop := range m.Props.Properties() {
		if value, ok := prop.Uint32(); ok {
			p.set(prop.Which, value)
		}
	}
	p.announced, p.done = true, p.lost || !m.More
	return nil, v
}

// checkTwice reports a defined property that comes twice.
func checkTwice(props rpcrdma.PropSet, v []rules.Violation) []rules.Violation {
	var seen, twice [8]bool
	for p := range props.Properties() {
		if !p.Which.Known() {
			continue
		}
		if i := int(p.Which) % len(seen); seen[i] && !twice[i] {
			twice[i] = true
			v = append(v, rulePropertyTwice.Breach("a second "+p.Which.String(), "one"))
		} else {
			seen[i] = true
		}
	}
	return v
}

// early reports RPC messages before the last RDMA2_CONNPROP of both sides, once for each side.
func (s *Stream) early(from Side, m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	own, peer := &s.sides[from].props, &s.sides[1-from].props
	if own.done && peer.done || m.Vers != rpcrdma.Vers2 || own.early {
		return v
	}
	own.early = true
	if !own.announced {
		return append(v, rulePropsFirst.Breach(m.KindName(), "RDMA2_CONNPROP"))
	}
	return append(v, ruleEarly.Breach(m.KindName(), "the last RDMA2_CONNPROP of both sides"))
}

// Threshold returns the inline threshold in octets of what a side sends in version 1; 0 if the sides have not announced
// it.
func (s *Stream) Threshold(from Side) int {
	if s.midstream || !s.private {
		return 0
	}
	return s.threshold(from)
}

func (s *Stream) threshold(from Side) int {
	if from == Server {
		return s.agreed.ServerToClient
	}
	return s.agreed.ClientToServer
}

// length checks the length of a message.
func (s *Stream) length(from Side, m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	switch {
	case s.midstream:
		return v
	case m.Vers == rpcrdma.Vers2:
		return s.length2(from, m, v)
	case m.Len <= rpcrdma.InlineThreshold1:
		return v
	}
	limit, rule := s.threshold(from), ruleThreshold
	if !s.private {
		rule = ruleDefaultThreshold
	}
	if m.Len <= limit {
		return v
	}
	return append(v, rule.Breach(rpcrdma.DialectVersion1, octets(m.Len), fmt.Sprintf("at most %d", limit)))
}

// length2 implements length for version 2.
func (s *Stream) length2(from Side, m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	own, peer := &s.sides[from].props, &s.sides[1-from].props
	limit, rule := min(own.send, peer.receive), ruleThreshold.two
	switch first := !s.sides[from].sent; {
	case first && from == Client:
		limit, rule = rpcrdma.InlineThreshold1, ruleFirstLength
	case m.Form == rpcrdma.FormProperties:
		limit, rule = rpcrdma.InlineThreshold2, ruleFirstLength
	case own.unknown || peer.unknown:
		return v
	case !own.announced || !peer.announced:
		rule = ruleDefaultThreshold.two
	}
	if m.Len <= int(min(limit, 1<<30)) {
		return v
	}
	return append(v, rule.Breach(octets(m.Len), fmt.Sprintf("at most %d", limit)))
}
