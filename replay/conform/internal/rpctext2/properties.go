package rpctext2

// Messages with transport properties, RDMA2_CONNPROP (draft-ietf-nfsv4-rpcrdma-version-two-01, section 5).

import "github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"

// The properties (section 5.2).
const (
	SBSIZ    rpctext.Word = 1 // Maximum Send Size
	RBSIZ    rpctext.Word = 2 // Receive Buffer Size
	RSSIZ    rpctext.Word = 3 // Maximum RDMA Segment Size
	RCSIZ    rpctext.Word = 4 // Maximum RDMA Segment Count
	BRS      rpctext.Word = 5 // Reverse-Direction Support
	HostAuth rpctext.Word = 6 // Host Authentication Message
)

// propertiesXID is the XID of our messages with properties, which are not RPC messages.
const propertiesXID rpctext.Word = 0x70000001

// Number returns a property whose value is a number.
func Number(id, value rpctext.Word) string { return rpctext.Words(id, 4, value) }

// Property returns a property with any data, and its padding.
func Property(id rpctext.Word, data ...byte) string {
	return rpctext.Join(rpctext.Words(id), rpctext.Opaque(data))
}

// Properties returns an RDMA2_CONNPROP of ours, the first message of a connection.
func Properties(properties ...string) Message {
	body := rpctext.Join(append([]string{rpctext.Words(rpctext.Word(len(properties)))}, properties...)...)
	m := message(propertiesXID, ConnPropType, body)
	m.Credit = FirstGrant
	return m
}

// ConnProp returns our first RDMA2_CONNPROP. It repeats defaults, because an empty one is so short that a peer of
// version 1 drops it instead of answering (RFC 8166, section 4.5).
func ConnProp() string { return Properties(Number(RBSIZ, 4096)).String() }

// AnyConnProp returns the last RDMA2_CONNPROP of the peer, with any properties.
func AnyConnProp() string {
	m := message(rpctext.Any, ConnPropType, "?*4 ?*")
	return m.Theirs()
}
