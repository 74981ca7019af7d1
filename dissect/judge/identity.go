package judge

// Who the sides are. Peers are recognised by the rules that they break, and by their Private Data.

import (
	"strings"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// knownPeers are those that can be recognised, by flow.PeerKind.
var knownPeers = [flow.NumPeerKinds][]*rules.Peer{flow.RNIC: peers.RNICs, flow.UpperLayer: peers.UpperLayers}

// An identity is who a side is, and so which of its breaches are known deviations.
type identity struct {
	rules.Profile                           // by which the side is judged; RNIC and Upper as far as they are known
	open          [flow.NumPeerKinds]bool   // whether RNIC and Upper are to be recognised
	ruledOut      [flow.NumPeerKinds]uint64 // bit n: the side is not knownPeers[kind][n]
	grounds       flow.Grounds
	shared        map[*rules.Rule]*rules.Deviation // those of several peers, by the rule that the side breaks
}

// newIdentity returns what is known of a side beforehand: given, or nothing if that is nil. Whose RNIC is given may have any upper
// layer.
func newIdentity(given *rules.Profile) identity {
	if given == nil {
		return identity{Profile: rules.Profile{Name: "auto"}, open: [flow.NumPeerKinds]bool{true, true}}
	}
	i := identity{Profile: *given}
	i.open[flow.UpperLayer] = given.RNIC != nil && given.Upper == nil
	return i
}

// deviation returns the known deviation by which the side breaks a rule; nil if there is none. If only one peer that the side may be
// deviates so, the side is that peer. If several do, it is one of them, and remains without a name.
func (i *identity) deviation(rule *rules.Rule, at *flow.Span) *rules.Deviation {
	if h := i.Deviation(rule); h != nil {
		return h
	}
	for kind, known := range knownPeers {
		if !i.open[kind] {
			continue
		}
		var fits []*rules.Peer
		ruledOut := i.ruledOut[kind]
		for bit, p := range known {
			switch {
			case ruledOut>>bit&1 != 0:
			case p.Deviation(rule) == nil:
				ruledOut |= 1 << bit
			default:
				fits = append(fits, p)
			}
		}
		if fits == nil {
			continue
		}
		i.ruledOut[kind] = ruledOut
		h := fits[0].Deviation(rule)
		if len(fits) > 1 {
			return i.oneOf(fits, rule)
		}
		i.recognise(flow.PeerKind(kind), fits[0], h.Why, at)
		return h
	}
	return nil
}

// oneOf returns the deviation by which one of several peers breaks a rule.
func (i *identity) oneOf(fits []*rules.Peer, rule *rules.Rule) *rules.Deviation {
	h := i.shared[rule]
	if h == nil {
		var why []string
		for _, p := range fits {
			why = append(why, p.Deviation(rule).Why)
		}
		if i.shared == nil {
			i.shared = make(map[*rules.Rule]*rules.Deviation)
		}
		h = &rules.Deviation{Why: strings.Join(why, ", or "), Rules: []*rules.Rule{rule}}
		i.shared[rule] = h
	}
	return h
}

// candidates are the peers of a kind that the side may be: the one that it is known to be, else all that are not ruled out.
func (i *identity) candidates(kind flow.PeerKind) (all []*rules.Peer) {
	if is := [...]*rules.Peer{flow.RNIC: i.RNIC, flow.UpperLayer: i.Upper}[kind]; is != nil {
		return []*rules.Peer{is}
	}
	for bit, p := range knownPeers[kind] {
		if i.ruledOut[kind]>>bit&1 == 0 {
			all = append(all, p)
		}
	}
	return all
}

// remarks says what the peers that the side may be do about something, in sentences with a space before each. Names of drivers get no capital.
func (i *identity) remarks(about string) (text string) {
	for kind := range flow.NumPeerKinds {
		for _, p := range i.candidates(kind) {
			for _, note := range p.On(about) {
				text += sentence("%s %s.", strings.Replace(" "+p.Called(), " the ", " The ", 1), note)
			}
		}
	}
	return text
}

// private looks for a known upper layer in the Private Data of an MPA frame.
func (i *identity) private(f *mpa.Frame, at *flow.Span) {
	if !i.open[flow.UpperLayer] {
		return
	}
	data := f.ULPPrivateData()
	for n, p := range peers.UpperLayers {
		switch {
		case p.Private.Len == 0 || p.Private.Reply != f.Reply:
		case !p.Private.Fits(data, f.Reply):
			i.ruledOut[flow.UpperLayer] |= 1 << n
		case i.Upper == nil:
			i.recognise(flow.UpperLayer, p, sentence("the Private Data in its %s is that of %s", frameName(f), p.Title), at)
		}
	}
}

// recognise notes who the side is. The first grounds stay unless they mislead.
func (i *identity) recognise(kind flow.PeerKind, p *rules.Peer, why string, at *flow.Span) {
	i.grounds[kind] = flow.Ground{Peer: p.Name, Called: p.Called(), Why: why, Frame: at.Frame}
	if kind == flow.RNIC {
		i.RNIC = p
	} else {
		i.Upper = p
	}
}

// weigh returns how much a breach of a rule by the side weighs, and the deviation that excuses it, if one does.
func (i *identity) weigh(rule *rules.Rule, at *flow.Span) (rules.Severity, *rules.Deviation) {
	if h := i.deviation(rule, at); h != nil {
		return rules.Note, h
	}
	return i.Severity(rule), nil
}
