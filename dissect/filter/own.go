package filter

// The fields that every event has: its connection, direction and time.

import (
	"net/netip"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
)

func ownFields() []*entry {
	return slices.Concat(spanFields(), connectionFields(), messageFields(), foundFields())
}

// one is the source of a number of which there is at most one.
func one(get func(*Event) (v uint64, ok bool)) source[number] {
	return func(e *Event, check func(number) bool) bool {
		v, ok := get(e)
		return ok && check(number{v: v})
	}
}

// ownNumber returns the entry for a number of every event.
func ownNumber(name, text string, bits int, numbers source[number]) *entry {
	return &entry{Field: Field{Name: name, Type: Number, Bits: bits, Text: text}, numbers: numbers}
}

// ownEnum returns the entry for one of the given names, whose numbers from 0 on users do not see.
func ownEnum(name, text string, names []string, numbers source[number]) *entry {
	e := ownNumber(name, text, 64, numbers)
	e.namesOnly = true
	e.variants = []*field.Field{{
		Name:  name,
		Width: 64,
		Names: func(v uint64) string {
			if v >= uint64(len(names)) {
				return ""
			}
			return names[v]
		},
		Known: func(yield func(uint64) bool) {
			for v := range names {
				if !yield(uint64(v)) {
					return
				}
			}
		},
	}}
	return e
}

func spanFields() []*entry {
	when := func(name, text string) *entry {
		return &entry{Field: Field{Name: name, Type: Time, Text: text}, times: func(e *Event, check func(moment) bool) bool {
			return e.origin.Time != 0 && check(moment{e.origin.Time, e.Start})
		}}
	}
	return []*entry{
		ownNumber("frame", "first frame that carried any of it", 64, one(func(e *Event) (uint64, bool) {
			return e.origin.Frame, e.origin.Frame != 0
		})),
		ownNumber("last_frame", "last frame that carried any of it", 64, one(func(e *Event) (uint64, bool) {
			return e.origin.LastFrame, e.origin.LastFrame != 0
		})),
		ownNumber("frame.number", "first and last frame", 64, func(e *Event, check func(number) bool) bool {
			o := e.origin
			return o.Frame != 0 && check(number{v: o.Frame}) || o.LastFrame != 0 && check(number{v: o.LastFrame})
		}),
		when("time", "when its first frame was captured: seconds from the first packet, or UTC in quotation marks"),
		when("frame.time", "the same"),
		when("frame.time_relative", "the same"),
	}
}

// ends are the ends of a connection that a field is about.
type ends uint8

const (
	sender ends = 1 << iota
	receiver
	either = sender | receiver
)

// addressed returns the source of what get reads in the addresses of some ends of a connection.
func addressed[T any](some ends, get func(netip.AddrPort) (T, bool)) source[T] {
	return func(e *Event, check func(T) bool) bool {
		for end := sender; end <= receiver && e.origin.Conn != nil; end <<= 1 {
			d := e.origin.Dir
			if end == receiver {
				d = 1 - d
			}
			if v, ok := get(e.origin.Conn.Peer(d)); ok && some&end != 0 && check(v) {
				return true
			}
		}
		return false
	}
}

// over restricts a source to connections over a transport.
func over[T any](transport record.Transport, all source[T]) source[T] {
	return func(e *Event, check func(T) bool) bool {
		return e.origin.Conn != nil && e.origin.Conn.Transport() == transport && all(e, check)
	}
}

func anyAddress(a netip.AddrPort) (netip.AddrPort, bool) { return a, true }
func ipv4(a netip.AddrPort) (netip.AddrPort, bool)       { return a, a.Addr().Is4() }
func ipv6(a netip.AddrPort) (netip.AddrPort, bool)       { return a, a.Addr().Is6() }
func port(a netip.AddrPort) (number, bool)               { return number{v: uint64(a.Port())}, true }

func connectionFields() []*entry {
	address := func(name, text string, t Type, some ends, get func(netip.AddrPort) (netip.AddrPort, bool)) *entry {
		return &entry{Field: Field{Name: name, Type: t, Text: text}, addresses: addressed(some, get)}
	}
	return []*entry{
		ownNumber("conn", "connection, from 0", 32, one(func(e *Event) (uint64, bool) {
			if e.origin.Conn == nil {
				return 0, false
			}
			return uint64(e.origin.Conn.ID), true
		})),
		ownEnum("dir", "from client to server or from server to client", []string{record.C2S.String(), record.S2C.String()},
			one(func(e *Event) (uint64, bool) { return uint64(e.origin.Dir), e.origin.Conn != nil })),
		address("src", "sender", Endpoint, sender, anyAddress),
		address("dst", "receiver", Endpoint, receiver, anyAddress),
		address("addr", "sender and receiver", Endpoint, either, anyAddress),
		address("ip.src", "IPv4 address of the sender", Address, sender, ipv4),
		address("ip.dst", "IPv4 address of the receiver", Address, receiver, ipv4),
		address("ip.addr", "IPv4 addresses of both", Address, either, ipv4),
		address("ipv6.src", "IPv6 address of the sender", Address, sender, ipv6),
		address("ipv6.dst", "IPv6 address of the receiver", Address, receiver, ipv6),
		address("ipv6.addr", "IPv6 addresses of both", Address, either, ipv6),
		ownNumber("tcp.srcport", "TCP port of the sender", 16, over(record.OverTCP, addressed(sender, port))),
		ownNumber("tcp.dstport", "TCP port of the receiver", 16, over(record.OverTCP, addressed(receiver, port))),
		ownNumber("tcp.port", "TCP ports of both", 16, over(record.OverTCP, addressed(either, port))),
		ownNumber("sctp.srcport", "SCTP port of the sender", 16, over(record.OverSCTP, addressed(sender, port))),
		ownNumber("sctp.dstport", "SCTP port of the receiver", 16, over(record.OverSCTP, addressed(receiver, port))),
		ownNumber("sctp.port", "SCTP ports of both", 16, over(record.OverSCTP, addressed(either, port))),
		ownNumber("stream", "Stream Identifier of the SCTP streams", 16, over(record.OverSCTP, one(func(e *Event) (uint64, bool) {
			return uint64(e.origin.Conn.Association.Stream), true
		}))),
	}
}
