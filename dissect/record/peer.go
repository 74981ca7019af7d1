package record

// Who the sides of a connection are.

// A PeerKind is what a side has one of each.
type PeerKind uint8

// The kinds.
const (
	RNIC       PeerKind = iota
	UpperLayer          // an implementation of an upper layer
	NumPeerKinds
)

// Grounds are those on which a side was recognised, by PeerKind.
type Grounds [NumPeerKinds]Ground

// A Ground says why a side was recognised as a peer.
type Ground struct {
	Peer  string // its name: "siw"; empty if none was recognised
	Why   string // what it does, in words
	Frame uint64 // where it does so first
}
