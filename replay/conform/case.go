package conform

// What is asked: cases, and the sections of documents that they belong to.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A Section is the cases about one section of a document.
type Section struct {
	Document string // its id in codec/rfc: "RFC5041"
	Number   string // "7.1"
	Title    string // what the section is about, in a few words
	Service  Service
	Cases    func() []Case // made when they are needed
}

// A Case is a question to the peer. No script depends on time: what the peer answers afterwards proves that it stayed
// silent. Behind each case another connection asks whether the peer is still alive.
type Case struct {
	Name         string   // unique in its section: letters, digits and -
	Requirements []string // ids of codec/rfc that it asks for
	Says         string   // what is demanded, in a sentence

	Ask  func(*Setup) []string // the scripts, one for each connection; none if it cannot be asked of this peer
	Role Role                  // in which it can be asked
	Need Need                  // what the peer has to be able to do; else it is Unsupported
	For  string                // what kind of peer it is for, if scripts can be missing: "an Initiator that offers an RTR"

	Begin   Begin // how MPA begins, unless the scripts are bare
	Bare    bool  // the scripts begin before MPA, and have all frames themselves
	Crasher bool  // it is known to crash peers that were not mended: asked by name only, or over loopback
	Patient bool  // the peer has to wait for a time-out of its own: it is asked beside the other cases
}

// Text is the Ask of a case with one connection, the same for each peer.
func Text(script string) func(*Setup) []string { return Texts(script) }

// Texts is the Ask of a case with several connections, one after the other.
func Texts(scripts ...string) func(*Setup) []string {
	return func(*Setup) []string { return scripts }
}

// Each is the Ask of a case with a connection for each of some values, which the script has where it says %v or the like.
func Each[T any](script string, values ...T) func(*Setup) []string {
	scripts := make([]string, len(values))
	for i, v := range values {
		scripts[i] = fmt.Sprintf(script, v)
	}
	return Texts(scripts...)
}

// A Role is which ends of a connection this end can be for a case.
type Role uint8

// The roles. Who initiates has made the TCP connection.
const (
	Both        Role = iota
	AsInitiator      // the peer is MPA's Responder
	AsResponder      // the peer is the Initiator, and connects to us
)

// Takes tells whether a case can be asked by a side.
func (r Role) Takes(side scenario.Side) bool {
	return r == Both || (r == AsInitiator) == (side == scenario.Client)
}

// String is "both", "initiator" or "responder".
func (r Role) String() string { return [...]string{"both", "initiator", "responder"}[r] }

// A Need is a set of things that not every peer can do.
type Need uint16

// The needs.
const (
	Atomics     Need = 1 << iota // RFC 7306: the Atomic Operations
	Immediate                    // RFC 7306: Immediate Data
	Invalidates                  // the service is told which STag a Send has invalidated
	Solicited                    // the service is told of Solicited Events
	Terminates                   // the service can make its RNIC send a Terminate
	Enhanced                     // MPA revision 2 (RFC 6581)
	Markers                      // it puts in Markers when it is asked to
	Volatile                     // it has a region that a Send can invalidate

	// Of a peer with the RPCService.
	RPCProgram  // the program of docs/conform-rpc.md
	RPCVersion1 // RPC-over-RDMA version 1 (RFC 8166); all cases need it that do not begin with version 2
	RPCVersion2 // RPC-over-RDMA version 2; likewise
	RPCReverse  // the program can be told to make Calls itself (RFC 8167)
)

var needNames = []string{
	"Atomic Operations", "Immediate Data", "to tell of invalidated STags", "to tell of Solicited Events", "to send Terminates when asked",
	"MPA revision 2", "Markers", "a region that can be invalidated",
	"the RPC program of the service rpc", "RPC-over-RDMA version 1", "RPC-over-RDMA version 2", "RPC Calls in the reverse direction",
}

// String names what is in the set.
func (n Need) String() string { return strings.Join(n.Names(), ", ") }

// Names are what is in the set.
func (n Need) Names() (names []string) {
	for i, name := range needNames {
		if n>>i&1 == 1 {
			names = append(names, name)
		}
	}
	return names
}

// A Begin says how our MPA frame is, and what comes behind it. The zero value is the highest revision that the peer takes,
// with CRCs and without Markers.
type Begin struct {
	Rev     int    // 1 for a frame without an Enhanced word, whatever the peer can do
	Markers bool   // M: the peer has to send Markers
	NoCRC   bool   // C is clear
	IRD     int    // that we offer; 0 for 16, -1 for zero
	ORD     int    // likewise; no more than the peer's IRD
	Private string // Private Data, as octets of a Scenario

	// Of a case that is asked of the RPCService.
	RPC          int  // 2 for version 2 of RPC-over-RDMA, whose connections begin with RDMA2_CONNPROP of both; else version 1
	NoProperties bool // no RDMA2_CONNPROP all the same
}

// A Question is a case at its place.
type Question struct {
	*Case
	Section *Section
	Named   bool // it was asked for by its name
}

// ID is document, section and name: "RFC5041/4.3/msn-left-out".
func (q Question) ID() string { return q.Section.Document + "/" + q.Section.Number + "/" + q.Name }

// Questions are the cases of sections, in their order, with what all cases have that are asked of the same Service.
func Questions(sections []Section) (all []Question) {
	for i := range sections {
		s := &sections[i]
		cases := s.Cases()
		for j := range cases {
			s.Service.complete(&cases[j])
			all = append(all, Question{Case: &cases[j], Section: s})
		}
	}
	return all
}
