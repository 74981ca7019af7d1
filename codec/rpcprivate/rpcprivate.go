// Package rpcprivate encodes and decodes what the peers of RPC-over-RDMA version 1 tell each other in the Private Data
// of connection establishment (RFC 8797), without allocating.
//
//	var client rpcprivate.Data
//	if off, ok := rpcprivate.Find(private); ok {
//		client.Decode(private[off:])
//	}
//	agreed := rpcprivate.Agree(&client, &server)
//
// Other layers may own a part of the Private Data of a connection: [Find] finds this one, and [Data] decodes it.
// [Agree] returns what the data of both peers settles.
package rpcprivate

// The format of RFC 8797, section 4:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                       Format Identifier                       |
//	+---------------+-------------+-+---------------+---------------+
//	|    Version    |  Reserved   |R|   Send Size   | Receive Size  |
//	+---------------+-------------+-+---------------+---------------+

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/field"
)

// Sizes in octets, and what the format fixes (RFC 8797, section 4).
const (
	Len              = 8
	FormatIdentifier = 0xf6ab0e18 // the first word
	Version          = 1

	// Send Size and Receive Size are multiples of MinSize (RFC 8797, section 4.2).
	MinSize = 1024
	MaxSize = 262144
)

// Fields describes the Private Data.
var Fields = field.NewTable("RPC-over-RDMA Private Data", "rpcordma", "RFC 8797, section 4",
	field.Field{Name: "rpcordma.private.identifier", Label: "Format Identifier", Off: 0, Width: 32, Base: field.Hex},
	field.Field{Name: "rpcordma.private.version", Label: "Version", Off: 32, Width: 8, Base: field.Dec},
	field.Field{Name: "rpcordma.private.reserved", Label: "Reserved", Off: 40, Width: 7, Base: field.Hex},
	field.Field{Name: "rpcordma.private.r", Label: "R", Off: 47, Width: 1, Base: field.Flag},
	field.Field{Name: "rpcordma.private.send_size", Label: "Send Size", Off: 48, Width: 8, Base: field.Dec, Names: sizeName},
	field.Field{Name: "rpcordma.private.receive_size", Label: "Receive Size", Off: 56, Width: 8, Base: field.Dec, Names: sizeName},
)

// order is the byte order of every field.
var order = binary.BigEndian

// Data is the Private Data of RFC 8797, section 4. The type stands for the right Format Identifier. The
// zero value except for Version is what counts for a peer that sends none (section 5.1).
type Data struct {
	Version     uint8 // of the format: 1
	Reserved    uint8 // 7 bits, zero on transmit, ignored on receive
	R           bool  // the sender supports remote invalidation; what RFC 8797 calls "bit 15 of the Flags field"
	SendSize    uint8 // the longest Send, in units of 1024 octets beyond the first 1024
	ReceiveSize uint8 // the longest Receive, in the same units
}

var (
	errIdentifier    = Fields.Err("rpcordma.private.identifier", field.ErrValue, "must be 0xf6ab0e18 (RFC 8797, section 4)")
	errReservedRange = Fields.Err("rpcordma.private.reserved", field.ErrRange, "")
)

var formatIdentifier = order.AppendUint32(nil, FormatIdentifier)

// Find finds the part of RPC-over-RDMA in the Private Data of a connection, of which other layers may own parts: off is
// where the Format Identifier is. ok is false if there is none, or not all 8 octets of version 1; the peer then counts
// as one that sends none (RFC 8797, section 5.2).
func Find(private []byte) (off int, ok bool) {
	off = bytes.Index(private, formatIdentifier)
	if off < 0 || len(private)-off < Len || private[off+4] != Version {
		return 0, false
	}
	return off, true
}

// Read decodes the part of RPC-over-RDMA in the Private Data of a connection; nil if there is none.
func Read(private []byte) *Data {
	off, ok := Find(private)
	if !ok {
		return nil
	}
	p := new(Data)
	p.Decode(private[off:]) // cannot fail: they are long enough
	return p
}

// Decode reads the first 8 octets of b and returns their number. If b is shorter, it returns len(b) and an error that
// wraps field.ErrShort and names the first incomplete field; the fields before it are valid. If they begin with
// another Format Identifier it returns 0 and an error that wraps field.ErrValue.
func (p *Data) Decode(b []byte) (n int, err error) {
	*p = Data{}
	if len(b) >= 4 && order.Uint32(b) != FormatIdentifier {
		return 0, errIdentifier
	}
	var whole [Len]byte
	n = copy(whole[:], b)
	p.Version = whole[4]
	p.Reserved = whole[5] >> 1
	p.R = whole[5]&1 != 0
	p.SendSize = whole[6]
	p.ReceiveSize = whole[7]
	return n, Fields.Short(n)
}

// AppendBinary appends the Private Data to b. It fails, with an error that wraps field.ErrRange, only if Reserved
// exceeds its field.
func (p *Data) AppendBinary(b []byte) ([]byte, error) {
	if p.Reserved >= 1<<7 {
		return b, errReservedRange
	}
	flags := p.Reserved << 1
	if p.R {
		flags |= 1
	}
	return append(order.AppendUint32(b, FormatIdentifier), p.Version, flags, p.SendSize, p.ReceiveSize), nil
}

// Len returns the number of octets that AppendBinary writes: 8.
func (p *Data) Len() int { return Len }

// EncodeSize is the Send Size or Receive Size for a buffer of so many octets, rounded down to a multiple of 1024 and
// kept from MinSize to MaxSize.
func EncodeSize(octets int) uint8 {
	return uint8(min(max(octets, MinSize), MaxSize)/MinSize - 1)
}

// DecodeSize is the number of octets that a Send Size or Receive Size stands for: 1024 to 262144.
func DecodeSize(size uint8) int { return (int(size) + 1) * MinSize }

// sizeName says what a Send Size or Receive Size stands for: "4096 octets".
func sizeName(size uint64) string {
	if size >= uint64(len(sizeNames)) {
		return ""
	}
	return sizeNames[size]
}

// sizeNames are made in advance, so that showing them does not allocate.
var sizeNames = func() (names [256]string) {
	for i := range names {
		names[i] = strconv.Itoa(DecodeSize(uint8(i))) + " octets"
	}
	return names
}()

// Agreed is what follows from the Private Data of both peers.
type Agreed struct {
	ClientToServer int  // inline threshold in octets
	ServerToClient int  // inline threshold in octets
	R              bool // a Responder may use Send with Invalidate
}

// Agree returns what the Private Data of client and server settles for their connection (RFC 8797, sections 4.1 and
// 4.2); nil stands for a peer that sends none. Both inline thresholds hold in the reverse direction of RPC as well.
func Agree(client, server *Data) Agreed {
	var none Data
	client, server = cmp.Or(client, &none), cmp.Or(server, &none)
	return Agreed{
		ClientToServer: DecodeSize(min(client.SendSize, server.ReceiveSize)),
		ServerToClient: DecodeSize(min(server.SendSize, client.ReceiveSize)),
		R:              client.R && server.R,
	}
}
