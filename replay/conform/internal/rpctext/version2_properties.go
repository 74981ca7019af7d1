package rpctext

// Messages with transport properties, RDMA2_CONNPROP (draft-ietf-nfsv4-rpcrdma-version-two-01, section 5).

// The properties (section 5.2).
const (
	SBSIZ    Word = 1 // Maximum Send Size
	RBSIZ    Word = 2 // Receive Buffer Size
	RSSIZ    Word = 3 // Maximum RDMA Segment Size
	RCSIZ    Word = 4 // Maximum RDMA Segment Count
	BRS      Word = 5 // Reverse-Direction Support
	HostAuth Word = 6 // Host Authentication Message
)

// propertiesXID is the XID of our messages with properties, which are not RPC messages.
const propertiesXID Word = 0x70000001

// Number returns a property whose value is a number.
func Number(id, value Word) string { return Words(id, 4, value) }

// Property returns a property with any data, and its padding.
func Property(id Word, data ...byte) string { return Join(Words(id), Opaque(data)) }

// Properties returns an RDMA2_CONNPROP of ours, the first message of a connection.
func Properties(properties ...string) Message2 {
	body := Join(append([]string{Words(Word(len(properties)))}, properties...)...)
	m := message2(propertiesXID, ConnPropType, body)
	m.Credit = FirstGrant
	return m
}

// ConnProp returns our first RDMA2_CONNPROP. It repeats defaults, because an empty one is so short that a peer of
// version 1 drops it instead of answering (RFC 8166, section 4.5).
func ConnProp() string { return Properties(Number(RBSIZ, 4096)).String() }

// AnyConnProp returns the last RDMA2_CONNPROP of the peer, with any properties.
func AnyConnProp() string {
	m := message2(Any, ConnPropType, "?*4 ?*")
	return m.Theirs()
}
