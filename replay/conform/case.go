package conform

// Cases, and the sections of documents to which they belong.

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A Section has the cases about one section of a document.
type Section struct {
	Document string // its id in codec/rfc: "RFC5041"
	Number   string // "7.1"
	Title    string // what the section is about, briefly
	Service  Service
	Cases    func() []Case // made when they are needed
}

// About returns a function that makes the Sections of a document, whose cases run against a service.
func About(id string, service Service) func(number, title string, cases func() []Case) Section {
	return func(number, title string, cases func() []Case) Section {
		return Section{Document: id, Number: number, Title: title, Service: service, Cases: cases}
	}
}

// A Case is a test of the peer. No script depends on time: the peer's later answers prove that it stayed silent. After
// each case another connection tests whether the peer is still alive.
type Case struct {
	Name         string   // unique in its section: letters, digits and -
	Requirements []string // ids in codec/rfc of what it tests
	Says         string   // the demand, in a sentence

	Ask  func(*Setup) []string // the scripts, one for each connection; none if the case does not apply to this peer
	Role Role                  // in which it can be asked
	Need Need                  // what the peer must support; else the case is Unsupported
	If   func(*Setup) bool     // whether it applies to a peer; nil for each
	For  string                // the kind of peer it applies to, if not to each: "an Initiator that offers an RTR"

	Begin   Begin // how MPA begins, unless the scripts are bare
	Bare    bool  // the scripts include all MPA frames
	Crasher bool  // it is known to crash unpatched peers: run only by name, or over loopback
	Patient bool  // the peer must wait for a timeout of its own: the case runs in parallel with the others
}

// Alike returns cases with the Role, Need, If, For, Begin and Bare of common filled in where they have none.
func Alike(common Case, cases []Case) []Case {
	for i := range cases {
		c := &cases[i]
		c.Role, c.Need, c.For = cmp.Or(c.Role, common.Role), c.Need|common.Need, cmp.Or(c.For, common.For)
		c.Begin, c.Bare = cmp.Or(c.Begin, common.Begin), c.Bare || common.Bare
		if c.If == nil {
			c.If = common.If
		}
	}
	return cases
}

// Text returns the Ask of a case with one connection, which is the same for each peer: lines, or several in a string.
func Text(lines ...string) func(*Setup) []string { return Texts(strings.Join(lines, "\n")) }

// Texts returns the Ask of a case with several successive connections.
func Texts(scripts ...string) func(*Setup) []string {
	return func(*Setup) []string { return scripts }
}

// Each returns the Ask of a case with a connection for each value, which replaces a verb such as %v in the script.
func Each[T any](script string, values ...T) func(*Setup) []string {
	return EachOf(func(v T) string { return fmt.Sprintf(script, v) }, values...)
}

// EachOf returns the Ask of a case with a connection for each value, from which a function makes the script.
func EachOf[T any](script func(T) string, values ...T) func(*Setup) []string {
	return EachWith(func(_ *Setup, v T) string { return script(v) }, values...)
}

// EachWith is EachOf for scripts that depend on the peer, too.
func EachWith[T any](script func(*Setup, T) string, values ...T) func(*Setup) []string {
	return func(s *Setup) []string {
		scripts := make([]string, len(values))
		for i, v := range values {
			scripts[i] = script(s, v)
		}
		return scripts
	}
}

// A Role says which ends of a connection iwarp can play in a case.
type Role uint8

// The roles. The Initiator makes the TCP connection.
const (
	Both        Role = iota
	AsInitiator      // the peer is MPA's Responder
	AsResponder      // the peer is the Initiator, and connects to us
)

// Takes reports whether a case can be run by a side.
func (r Role) Takes(side scenario.Side) bool {
	return r == Both || (r == AsInitiator) == (side == scenario.Client)
}

// String returns "both", "initiator" or "responder".
func (r Role) String() string { return [...]string{"both", "initiator", "responder"}[r] }

// A Need is a set of features that not every peer has.
type Need uint16

// The needs.
const (
	Atomics     Need = 1 << iota // RFC 7306: the Atomic Operations
	Immediate                    // RFC 7306: Immediate Data
	Invalidates                  // the service reports which STag a Send has invalidated
	Solicited                    // the service reports Solicited Events
	Terminates                   // the service can make its RNIC send a Terminate
	Enhanced                     // MPA revision 2 (RFC 6581)
	Markers                      // it inserts Markers on request
	Volatile                     // it has a region that a Send can invalidate
	Windows                      // it binds Memory Windows on request
	Locals                       // it makes STags Invalid on request
	Fences                       // its Work Requests can wait for others
	Shares                       // its Receives come from a Shared Receive Queue, in another Protection Domain than its QP

	// Only for a peer with the RPCService.
	RPCProgram  // the program of docs/conform-rpc.md
	RPCVersion1 // RPC-over-RDMA version 1 (RFC 8166), which all cases need that do not begin with version 2
	RPCVersion2 // RPC-over-RDMA version 2; likewise
	RPCReverse  // the program makes Calls itself on request (RFC 8167)
)

var needNames = []string{
	"Atomic Operations", "Immediate Data", "reports of invalidated STags", "reports of Solicited Events", "Terminates on request",
	"MPA revision 2", "Markers", "a region that can be invalidated",
	"Memory Windows", "invalidation on request", "fences", "a Shared Receive Queue",
	"the RPC program of the service rpc", "RPC-over-RDMA version 1", "RPC-over-RDMA version 2", "RPC Calls in the reverse direction",
}

// String returns the names of the features in the set, separated by commas.
func (n Need) String() string { return strings.Join(n.Names(), ", ") }

// Names returns the names of the features in the set.
func (n Need) Names() (names []string) {
	for i, name := range needNames {
		if n>>i&1 == 1 {
			names = append(names, name)
		}
	}
	return names
}

// A Begin describes our MPA frame, and what follows it. The zero value means the highest revision that the peer
// accepts, with CRCs and without Markers.
type Begin struct {
	Rev     int    // 1 for a frame without an Enhanced word, even if the peer knows it
	Markers bool   // M: the peer has to send Markers
	NoCRC   bool   // C is clear
	IRD     int    // that we offer; 0 for 16, -1 for zero
	ORD     int    // likewise; no more than the peer's IRD
	Private string // Private Data, as octets of a Scenario

	// Only for a case for the RPCService.
	RPC          int  // 2 for version 2 of RPC-over-RDMA, where both sides begin with RDMA2_CONNPROP; else version 1
	NoProperties bool // version 2 without RDMA2_CONNPROP
}

// A Question is a case and its place.
type Question struct {
	*Case
	Section *Section
	Named   bool // it was selected by name
}

// ID returns document, section and name: "RFC5041/4.3/msn-left-out".
func (q Question) ID() string { return q.Section.Document + "/" + q.Section.Number + "/" + q.Name }

// Questions returns the cases of sections in order, completed by what all cases of the same Service share.
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
