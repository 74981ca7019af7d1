package rpcclient

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// smallest are the sizes of an end without Private Data.
var smallest = rpc.Options{SendSize: rpcprivate.MinSize, ReceiveSize: rpcprivate.MinSize, NoInvalidate: true}

// private returns Options of an end whose Private Data are changed.
func private(o rpc.Options, change func([]byte) []byte) rpc.Options {
	o.TamperPrivate = change
	return o
}

// small allows messages that each receiver has room for.
func small(_ *rpcrdma.Version1, octets, _ int) string {
	if octets > rpcprivate.MinSize {
		return fmt.Sprintf("a message has %d octets, more than %d", octets, rpcprivate.MinSize)
	}
	return ""
}

var rfc8797 = []section{
	{"RFC8797", "4", "Private Data", []Case{
		{Name: "reserved-bits", Requirements: []string{"RPCPD-4-4"}, Due: Complies, Options: private(rpc.Options{}, func(b []byte) []byte {
			b[5] |= 0xfe
			return b
		}), Says: "Reserved bits in the server's Private Data are ignored."},
		{Name: "new-on-each-connection", Requirements: []string{"RPCPD-4-1"}, Due: Renews, Options: smallest,
			Says: "Sizes hold for one connection: on the next one, with smaller sizes, no message is longer than 1024 octets."},
	}},
	{"RFC8797", "4.1", "remote invalidation", []Case{
		{Name: "foreign-stag", Requirements: []string{"RPCPD-4.1-2"}, Due: Breaks, Alter: func(a *Answer) bool {
			a.Invalidate = foreign.Handle
			return true
		}, Says: "A Send with Invalidate of an STag that the client has not offered ends the connection."},
	}},
	{"RFC8797", "4.2", "sizes", []Case{
		{Name: "small", Requirements: []string{"RPCPD-4.2-2", "RPCRDMA1-3.3.2-1"}, Due: Complies, Check: small,
			Options: rpc.Options{ReceiveSize: rpcprivate.MinSize},
			Says:    "No message is longer than the server's Private Data allow: 1024 octets."},
	}},
	{"RFC8797", "5.1", "no Private Data", []Case{
		{Name: "absent", Requirements: []string{"RPCPD-5.1-1", "RPCRDMA1-3.3.3-4"}, Due: Complies, Check: small,
			Options: private(smallest, func([]byte) []byte { return nil }),
			Says:    "If the server sends no Private Data, no message is longer than 1024 octets."},
	}},
	{"RFC8797", "5.2", "Private Data of other protocols", []Case{
		{Name: "others", Requirements: []string{"RPCPD-5.2-2"}, Due: Complies, Check: small,
			Options: private(smallest, func([]byte) []byte { return []byte("another protocol") }),
			Says:    "Private Data of another protocol count as none."},
		{Name: "behind-others", Requirements: []string{"RPCPD-5.2-1"}, Due: Finds,
			Options: private(rpc.Options{}, func(b []byte) []byte { return append([]byte("others "), b...) }),
			Says:    "Private Data behind those of another protocol are found, at any octet."},
	}},
	{"RFC8797", "6", "other versions", []Case{
		{Name: "version-2", Requirements: []string{"RPCPD-6-1"}, Due: Complies, Check: small,
			Options: private(smallest, func(b []byte) []byte {
				b[4], b[6], b[7] = 2, 255, 255
				return b
			}), Says: "Private Data of another version count as none."},
	}},
}
