// Package flow holds the connections of a capture: who takes part, what carries them, what both sides agreed on, what was seen of
// each direction, and how they ended. A [Span] says in which frames something was, and a [Direction] who sent it.
//
// Package dissect makes one [Conn] per connection; each record.Record has it:
//
//	fmt.Println(r.Conn, r.Conn.End)
package flow

// Connections: what carries them, what was agreed on, what was seen, how they ended, and who the ends are.

import (
	"fmt"
	"iter"
	"net/netip"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/association"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
)

// An End is how a connection ended.
type End uint8

// The ways a connection ends, the most telling first: if several apply, the first counts.
const (
	EndTerminate End = iota // an RDMAP Terminate was sent
	EndReject               // the Responder rejected the connection
	EndNoAnswer             // nothing answered the SYNs
	EndRefused              // the SYN was answered with a reset; over SCTP, an INIT that names DDP with an ABORT
	EndReset                // a reset was sent; over SCTP, an ABORT
	EndFIN                  // a FIN was sent; over SCTP, a session Terminate or a SHUTDOWN
	EndOpen                 // the capture ends before the connection does
)

var endNames = [...]string{"terminate", "reject", "no-answer", "refused", "reset", "fin", "open"}

// String is "terminate", "reject", "no-answer", "refused", "reset", "fin" or "open".
func (e End) String() string { return endNames[e] }

var endNouns = [...]string{"Terminate", "rejection", "no answer", "refusal", "reset", "FIN", "open"}

// Noun is what ended the connection, in a sentence: "Terminate", "rejection", "no answer", "refusal", "reset" or "FIN"; "open".
func (e End) Noun() string { return endNouns[e] }

// A Foreign is a protocol over TCP that a connection may carry in place of MPA.
type Foreign uint8

// The protocols that are told apart.
const (
	NotForeign Foreign = iota
	ForeignTLS
	ForeignNFS
	ForeignRPC
	ForeignSMB
	ForeignNVMe
	ForeignISCSI
	ForeignHTTP
	ForeignSSH
	ForeignPerftest // the programs of perftest without rdma_cm
	ForeignOther    // octets that are not MPA either
	ForeignKey      // MPA, except for its Key
	ForeignCut      // the beginning of an MPA Request, and nothing more
	ForeignSilence  // no octets at all
	NumForeign
)

var foreignNames = [...]string{"none", "TLS", "NFS over TCP", "ONC RPC over TCP", "SMB over TCP", "NVMe over TCP", "iSCSI over TCP", "HTTP", "SSH",
	"perftest over TCP", "something else", "MPA with a wrong Key", "a part of an MPA Request", "no octets"}

// String is "NFS over TCP" or the like.
func (f Foreign) String() string { return foreignNames[f] }

// NumOpcodes is how many values an RDMAP opcode can have.
const NumOpcodes = 16

// A Tally counts by opcode.
type Tally [NumOpcodes]uint64

// All yields the opcodes that occur, in ascending order, with their counts.
func (t *Tally) All() iter.Seq2[rdmap.Opcode, uint64] {
	return func(yield func(rdmap.Opcode, uint64) bool) {
		for o, n := range t {
			if n > 0 && !yield(rdmap.Opcode(o), n) {
				return
			}
		}
	}
}

// UnansweredKeepAlives is how many keep-alives show that the other side is gone: one may be answered after the end of the capture.
const UnansweredKeepAlives = 2

// Wire is what is counted of one direction of any connection, iWARP or not.
type Wire struct {
	Packets     uint64   // packets with a TCP segment, or over SCTP with DATA chunks, of this direction
	Octets      uint64   // TCP payload, or User Data of SCTP, on the wire, retransmissions included
	Streaming   uint64   // octets before MPA began
	Duplicates  uint64   // packets that were captured twice, as on two interfaces; all but the first are ignored
	Damaged     uint64   // packets with a wrong TCP checksum whose octets came again, since the receiver had discarded them
	Spoiled     Spoiled  // packets with a wrong TCP checksum whose octets came only once
	Altered     Altered  // zero if no octets came again and were others
	Waiting     bool     // octets came that are not decoded yet: others are missing before them, or nobody knows whether the receiver took them
	ZeroWindows uint64   // packets that announce a window of zero
	Latest      Span     // the latest packet
	Said        Span     // the latest packet with TCP payload; zero if there is none
	Overtaken   Span     // the latest packet with new octets that the other side had acknowledged before it came; zero if there is none
	Askew       bool     // octets came a second or more after they were acknowledged: the times of the two directions are by different clocks
	Resent      Resent   // how TCP waited before it sent octets again
	Closed      Span     // the first of the packets, up to the latest one, that announce a window of zero; zero if the window is open
	Resets      uint64   // of the packets
	KeepAlives  uint64   // keep-alives since the other side's latest packet that is not a reset
	Passed      int      // octets of TCP payload in the largest packet that was acknowledged
	Pending     *Pending // nil if the other side has acknowledged all, or before the end
	Spoke       Foreign  // what the side began with, if not with MPA
	ICMP        ICMP
}

// Spoiled are packets with a wrong TCP checksum whose octets did not come again: the receiver has others, unless it does not look at
// checksums.
type Spoiled struct {
	Left   uint64    // whose octets are left out
	First  uint64    // frame of the first of these
	frames [8]uint64 // of the latest
	n      int       // of all
}

// Add adds a frame, and says whether its octets are left out.
func (s *Spoiled) Add(frame uint64, left bool) {
	s.frames[s.n%len(s.frames)] = frame
	s.n++
	if left {
		s.Left++
	}
	if s.Left == 1 && left {
		s.First = frame
	}
}

// In returns the first of the frames that is in a span; 0 if none is.
func (s *Spoiled) In(in Span) (first uint64) {
	for _, frame := range s.frames[:min(s.n, len(s.frames))] {
		if frame >= in.Frame && frame <= in.LastFrame && (first == 0 || frame < first) {
			first = frame
		}
	}
	return first
}

// Resent is how the TCP of one side waited for acknowledgements before it sent octets again, while the other side could take octets in.
// Waits of less than [LeastWait] are not counted.
type Resent struct {
	Waits  int   // how often
	Time   int64 // nanoseconds in all
	Silent int64 // nanoseconds of the longest time in a wait in which neither side sent anything
	From   Span  // the latest octets before that
	To     Span  // those that were sent again after it

	latest []wait // the latest ones, in a ring
}

// mostWaits is how many of the latest waits are remembered.
const mostWaits = 16

// A wait is how long TCP waited before a packet.
type wait struct {
	frame uint64
	time  int64 // nanoseconds
}

// LeastWait is the shortest time in nanoseconds for which a TCP waits for an acknowledgement, in practice: RFC 6298, section 2.4, demands a
// second, and Linux waits for 200 ms.
const LeastWait = int64(200e6)

// Add adds a wait, of so many nanoseconds, between two packets, and for how long of that neither side sent anything.
func (r *Resent) Add(from, to Span, waited, silent int64) {
	if waited < LeastWait {
		return
	}
	if w := (wait{to.Frame, waited}); len(r.latest) < mostWaits {
		r.latest = append(r.latest, w)
	} else {
		r.latest[r.Waits%mostWaits] = w
	}
	r.Waits, r.Time = r.Waits+1, r.Time+waited
	if silent > r.Silent {
		r.Silent, r.From, r.To = silent, from, to
	}
}

// After is how long the latest waits were, in all, that ended after a frame, in nanoseconds.
func (r *Resent) After(frame uint64) (ns int64) {
	for _, w := range r.latest {
		if w.frame > frame {
			ns += w.time
		}
	}
	return ns
}

// Altered are octets that came in two packets with right TCP checksums and differ.
type Altered struct {
	First uint64 // frame of the packet in which they came first
	Again Span   // the other one
}

// Pending is the TCP payload of one direction that the other side had not acknowledged at the end.
type Pending struct {
	Octets    uint64
	FIN       bool   // it is the FIN alone, sent again and again; then Len and Octets are 0
	Oldest    Span   // the packet with the first of them; zero if the capture does not have it
	Len       int    // octets of payload in that packet; 0 if its sequence number alone shows that others were sent
	Hole      uint64 // octets before it that are neither acknowledged nor in the capture
	Again     int    // packets that repeated some of them
	Damaged   int    // of these, those with a wrong TCP checksum
	Last      Span   // the latest of these
	LatestACK Span   // the latest packet of the other side that acknowledges something; zero if there is none
}

// An ICMP is the first ICMP error of the latest kind about packets of one direction. Its Kind is NoICMP if there was none.
type ICMP struct {
	Span // to the latest like it
	Kind ICMPKind
	From netip.Addr // who sent it
	MTU  int        // of TooBig: the largest packet that passes, in octets; 0 if it does not say
}

// An ICMPKind is what an ICMP error says.
type ICMPKind uint8

// The kinds of ICMP errors.
const (
	NoICMP      ICMPKind = iota
	Unreachable          // the packet cannot be delivered
	PortClosed           // nobody listens on its port, or a firewall says so
	Prohibited           // somebody forbids it
	TooBig               // the packet must be fragmented, and may not
	Expired              // the packet has met too many routers
)

var icmpNames = [...]string{"none", "destination unreachable", "port unreachable", "administratively prohibited", "fragmentation needed", "time exceeded"}

// String is what RFC 792 calls it: "fragmentation needed".
func (k ICMPKind) String() string { return icmpNames[k] }

// Traffic is what was seen of one direction of a connection.
type Traffic struct {
	Wire
	FPDUs         uint64    // FPDUs found; over SCTP, DDP Segment Chunks
	CRC           [3]uint64 // FPDUs by mpa.Verdict
	Markers       uint64    // Markers found
	Segments      Tally     // DDP segments
	Messages      Tally     // complete messages
	Incomplete    Tally     // messages with segments that were not seen
	Payload       uint64    // octets of ULP payload, in all messages
	Malformed     uint64    // FPDUs whose ULPDU is shorter than its headers
	Undecoded     uint64    // octets that were captured and belong to no whole FPDU
	MissingOctets uint64    // octets of FPDU streams that the capture does not have
	Unseen        uint64    // octets that the other side has acknowledged, but the capture lacks
	Midstream     bool      // the start of its FPDUs is not in the capture, or was not found; their places count from an earlier octet
	TCP           reassembly.Counters
	Disorder      Span // the latest packet that came out of order, or with octets that had come before
}

// A Conn is one iWARP connection.
type Conn struct {
	ID               int    // from 0, in the order of recognition
	Frames           Frames `json:"-"` // names frames, if the capture has several files; else nil
	Begin            int64  // time of the first packet of the capture, from which times are counted; 0 if it has none
	Client, Server   netip.AddrPort
	Span                             // all of its packets
	Earliest, Latest int64           // times of these packets, which need not be in the order of the frames; 0 if none has one
	Association      *Association    // over SCTP: what carries it; nil over TCP
	Requested        bool            // an MPA Request was seen; over SCTP, a kind of Initiate
	Replied          bool            // an MPA Reply was seen; over SCTP, an Accept, a Reject, or a session Terminate in its place
	Request, Reply   mpa.Frame       // the latest ones, in octets of their own; over SCTP, the frames to which they are equivalent
	Whole            bool            // the SYNs of both sides were seen; over SCTP, INIT and INIT ACK
	Mount            *Mount          // the Call of MOUNT that this is, in place of a connection; nil of all others
	Foreign          Foreign         // what the client spoke in place of MPA, if the server ended that without an answer
	Agreed           bool            // Agreement holds: both frames were seen and the connection was not rejected
	Agreement        rules.Agreement // what both frames agree on, whether the sides keep to it or not; if a frame is missing, see Sources
	Sources          Sources         // how Agreement is known; zero as long as no FPDU can be read
	End              End
	Reused           Span        // the SYN of a new connection with the ports of this one, before it was closed or its sender reset it for that; zero if there is none
	Attempts         Attempts    // with EndNoAnswer: to begin this connection, while the other side had another one; else to begin another one, before this one was closed
	FIN, RST         [2]Span     // by Direction: the first packet of that side with a FIN, and with a reset that counts, or with what does the same over SCTP; zero if there was none
	Bare             [2]bool     // by Direction: that reset has no ACK, as that of a TCP that has no such connection (RFC 9293, section 3.5.2)
	Impostor         [2]Impostor // by Direction: what that reset comes from
	LastAck          [2]uint64   // by Direction: octets of the other side that it had acknowledged by its FIN or reset; see Place
	Traffic          [2]Traffic  // by Direction
}

// String names the connection as the commands do: "0: 10.0.0.1:37549 > 10.0.0.2:7501", the client first; over SCTP, also its stream.
func (c *Conn) String() string {
	s := fmt.Sprintf("%d: %v > %v", c.ID, c.Client, c.Server)
	if c.Association != nil {
		s += fmt.Sprintf(", SCTP stream %d", c.Association.Stream)
	}
	return s
}

// Attempts are SYNs of one side that led to no connection, because the other side still had one with the same ports.
type Attempts struct {
	Span           // of the SYNs
	By      Party  // who sent them; Nobody if there were none, or only one, which anybody may have sent
	SYNs    uint64 // packets
	Answers uint64 // packets of the other side since the first SYN, all of them of the connection that it had
}

// A Station is what the headers below TCP say about the sender of a packet. It is zero if they are not known.
type Station struct {
	MAC [6]byte // source address of the link; zero where the link has none
	TTL uint8   // Time to Live of IPv4, Hop Limit of IPv6
}

// HasOtherMAC reports whether both MAC addresses are known and differ.
func (s Station) HasOtherMAC(o Station) bool {
	return s.MAC != o.MAC && s.MAC != [6]byte{} && o.MAC != [6]byte{}
}

// IsOther reports whether what is known of both shows that they differ.
func (s Station) IsOther(o Station) bool {
	return s.HasOtherMAC(o) || s.TTL != o.TTL && s.TTL != 0 && o.TTL != 0
}

// An Impostor is who sent a reset in the name of a side, if that was not the side itself. Stations alone do not show it: a side can
// have several links, and several ways to its peer.
type Impostor struct {
	Own, Reset Station // of a packet of the side, and of its reset
	After      Span    // the first packet from Own that the side would not send after a reset of its own; zero if there is none
}

// Peer returns the address that sends in the given direction.
func (c *Conn) Peer(d Direction) netip.AddrPort {
	if d == S2C {
		return c.Server
	}
	return c.Client
}

// A Transport is what carries a DDP stream.
type Transport uint8

// The transports.
const (
	OverTCP  Transport = iota // with MPA between (RFC 5044)
	OverSCTP                  // with the adaptation layer of RFC 5043 between: no Markers, no CRC, no FPDUs
	OverUDP                   // a Mount, no DDP stream
)

var transportNames = [...]string{"TCP", "SCTP", "UDP"}

// String is "TCP", "SCTP" or "UDP".
func (t Transport) String() string { return transportNames[t] }

// OnlySide is the side whose FPDUs are in the capture if it has no packet of the other side; else Nobody.
func (c *Conn) OnlySide() Party {
	for d := range c.Traffic {
		if c.Traffic[d].FPDUs > 0 && c.Traffic[1-d].Packets == 0 {
			return Sender(Direction(d))
		}
	}
	return Nobody
}

// Transport returns what carries the connection; for a nil Conn, OverTCP.
func (c *Conn) Transport() Transport {
	switch {
	case c != nil && c.Association != nil:
		return OverSCTP
	case c != nil && c.Mount != nil && c.Mount.UDP:
		return OverUDP
	}
	return OverTCP
}

// An Association says what a connection over SCTP runs on: a pair of streams with the same identifier.
type Association struct {
	Stream   uint16            // Stream Identifier
	Ends     [2]AssociationEnd // by Direction: what each side began the association with
	Shutdown [2]bool           // by Direction: Conn.FIN is a SHUTDOWN of the association, not a Terminate of the session
}

// An AssociationEnd is the INIT or INIT ACK of one side.
type AssociationEnd struct {
	Span // that carried it; zero if it is not in the capture
	association.Init
}

// A Source says how it is known how to read FPDUs.
type Source uint8

// The sources.
const (
	SourceUnknown Source = iota // nothing shows it: the FPDUs are too few, or cut short
	Negotiated                  // the MPA frames say it
	Stated                      // Options.MPA says it
	Inferred                    // the FPDUs show it
)

var sourceNames = [...]string{"unknown", "negotiated", "stated", "inferred"}

// String is "unknown", "negotiated", "stated" or "inferred".
func (s Source) String() string { return sourceNames[s] }

// Sources say how each part of an Agreement is known. An unknown part counts as off, or as version 1.
type Sources struct {
	CRC     Source
	Markers [2]Source // by Direction
	Version Source    // of DDP and RDMAP
}

// A PeerKind is a part of a side that can be recognised: a side has one of each kind.
type PeerKind uint8

// The kinds.
const (
	RNIC       PeerKind = iota
	UpperLayer          // an implementation of an upper layer
	NumPeerKinds
)

// Grounds say why a side was recognised, by PeerKind.
type Grounds [NumPeerKinds]Ground

// A Ground says why a side was recognised as a peer.
type Ground struct {
	Peer   string // its name: "linux-nfs-client"; empty if none was recognised
	Called string // in a sentence: "the Linux NFS client"
	Why    string // what it does, in words
	Frame  uint64 // where it does this first
}
