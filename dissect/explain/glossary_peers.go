package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/peers/words"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// peerTerms are the RNICs that the notes of other entries speak of, and implementations of upper layers.
func peerTerms() (terms []term) {
	for _, p := range words.Peers {
		terms = append(terms, term{
			name: p.Name, aka: p.Aka, title: p.Title, text: p.Text, lookFor: p.LookFor, see: p.See, sources: p.Sources,
		})
	}
	for _, p := range peers.UpperLayers {
		frame := "MPA Request"
		if p.Private.Reply {
			frame = "MPA Reply"
		}
		terms = append(terms, term{
			name: p.Name, title: p.Title, see: []string{"Private Data", "deviation"}, sources: []string{"captures of Linux 6.1"},
			text:    "An implementation of an upper layer, which iwarp check recognises by the Private Data that it gives to MPA.",
			lookFor: fmt.Sprintf("an %s with Private Data of %d octets that begin with % x.", frame, p.Private.Len, p.Private.Octets),
		})
	}
	return terms
}

// rnics are the names of the RNICs that are known.
func rnics() (names []string) {
	for _, p := range peers.RNICs {
		names = append(names, p.Name)
	}
	return names
}

// remarks adds to an Entry what the peers that are known do about it, before what others do.
func (e *Entry) remarks() {
	if e.Kind == KindSituation || e.Kind == KindDocument {
		return // it is called after a rule or a term, which has them
	}
	var all []Peer
	for _, p := range slices.Concat(peers.RNICs, peers.UpperLayers) {
		notes := p.On(e.observed)
		for _, name := range strings.Split(e.Name, ", or ") { // a value may have several
			notes = append(notes, p.On(name)...)
		}
		if notes != nil {
			all = append(all, Peer{p.Name, notes})
		}
	}
	e.Peers = append(all, e.Peers...)
}

// otherTerms are what else answers Terminates, or is met, in its own way.
var otherTerms = []term{
	{name: "verbs", aka: []string{"RDMAC Verbs", "RDMA Verbs", "RDMA Protocol Verbs"},
		title: "RDMA Protocol Verbs Specification 1.0",
		text: "The RDMA Consortium's description of what an RNIC does for its host, of 2003. It also lists a " +
			"Terminate for each error, in figure 24, and some of them are not those of the RFCs.",
		peers: []Peer{{"verbs", []string{"has 0/2/02 for a bad CRC and 0/2/03 for a bad Marker, which the RFCs " +
			"have in Layer 2", "has 0/0/00 for a Send that is too long", "has 1/1/02 for a Write without right"}}},
		see:     []string{"RDMAC", "V-001"},
		sources: []string{"RDMAC Verbs 1.0"}},
	{name: "rping", aka: []string{"krping", "perftest", "ib_read_bw", "ib_write_bw", "ib_send_bw", "ib_read_lat", "ib_write_lat", "ib_send_lat"},
		title: "the programs that people try an RNIC with",
		text: "rping, of librdmacm, is the ping of RDMA: the client advertises a buffer in a Send of 16 octets (TO, STag, length), the server " +
			"reads it, then writes the octets back, and each says that it is ready with a Send. perftest (ib_read_bw, ib_write_lat and others) " +
			"exchanges its buffers as text, over TCP or in Sends, and then repeats one operation. iwarp ping and iwarp serve speak with rping.",
		lookFor: "TCP port 7174, which rping uses by default; Sends of 16 octets.",
		see:     []string{"STag", "TO"},
		show:    "iwarp decode --transactions FILE",
		sources: []string{"rdma-core", "perftest"}},
	{name: "ERDMA", aka: []string{"Alibaba"}, title: "a vendor's adapter with an MPA revision of its own",
		text:    "Alibaba's Elastic RDMA Adapter sends MPA frames of revision 129, which no RFC defines.",
		see:     []string{"Rev 129"},
		sources: []string{"its source in Linux, drivers/infiniband/hw/erdma"}},
}

// ulpTerms are terms of the upper layers.
func ulpTerms() (terms []term) {
	for _, l := range all.Layers() {
		for _, t := range l.Terms {
			terms = append(terms, term{name: t.Name, aka: t.Aka, title: t.Title, text: t.Text, lookFor: t.LookFor, see: t.See, sources: t.Sources})
		}
	}
	return terms
}
