package dissect

// What carries a connection: TCP, or a stream of an SCTP association.

import "github.com/iwarpkit/iwarp/dissect/association"

// A Transport is what carries a DDP stream.
type Transport uint8

// The transports.
const (
	OverTCP  Transport = iota // with MPA between (RFC 5044)
	OverSCTP                  // with the adaptation layer of RFC 5043 between: no Markers, no CRC, no FPDUs
)

var transportNames = [...]string{"TCP", "SCTP"}

// String is "TCP" or "SCTP".
func (t Transport) String() string { return transportNames[t] }

// Transport tells what carries the connection.
func (c *Conn) Transport() Transport {
	if c.Association != nil {
		return OverSCTP
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

// A Chunk is what SCTP and its adaptation layer say of an event: of the DATA chunk that carried it, or of several that
// were fragments.
type Chunk struct {
	DDPSSN    uint16 // DDP Source Sequence Number: the place of the chunk in what its sender sent in the session
	TSN       uint32 // Transmission Sequence Number; of fragments, the last one's
	Ordered   bool   // the U flag is clear
	Fragments int    // DATA chunks; 1 if it was not fragmented
	Needless  bool   // a packet as large as the largest of its sender would have held all fragments
	Hasty     bool   // the capture shows no acknowledgement, so far, of the control message of its sender before it; of an Initiate, of the session before it
}
