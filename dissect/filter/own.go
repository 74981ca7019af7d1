package filter

// The fields that every event has: its connection, with addresses and ports, its direction and time.

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/flow"
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

// ownOne returns the entry for a number that no event has twice.
func ownOne(name, text string, bits int, get func(*Event) (v uint64, ok bool)) *entry {
	e := ownNumber(name, text, bits, one(get))
	e.single = true
	return e
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
		Known: field.Listed(names),
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
		ownOne("frame", "first frame that carried any of it", 64, func(e *Event) (uint64, bool) {
			return e.origin.Frame, e.origin.Frame != 0
		}),
		ownOne("last_frame", "last frame that carried any of it", 64, func(e *Event) (uint64, bool) {
			return e.origin.LastFrame, e.origin.LastFrame != 0
		}),
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
func over[T any](transport flow.Transport, all source[T]) source[T] {
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
		ownOne("conn", "connection, from 0", 32, func(e *Event) (uint64, bool) {
			if e.origin.Conn == nil {
				return 0, false
			}
			return uint64(e.origin.Conn.ID), true
		}),
		ownEnum("dir", "from client to server or from server to client", []string{flow.C2S.String(), flow.S2C.String()},
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
		ownNumber("tcp.srcport", "TCP port of the sender", 16, over(flow.OverTCP, addressed(sender, port))),
		ownNumber("tcp.dstport", "TCP port of the receiver", 16, over(flow.OverTCP, addressed(receiver, port))),
		ownNumber("tcp.port", "TCP ports of both", 16, over(flow.OverTCP, addressed(either, port))),
		ownNumber("sctp.srcport", "SCTP port of the sender", 16, over(flow.OverSCTP, addressed(sender, port))),
		ownNumber("sctp.dstport", "SCTP port of the receiver", 16, over(flow.OverSCTP, addressed(receiver, port))),
		ownNumber("sctp.port", "SCTP ports of both", 16, over(flow.OverSCTP, addressed(either, port))),
		ownNumber("stream", "Stream Identifier of the SCTP streams", 16, over(flow.OverSCTP, one(func(e *Event) (uint64, bool) {
			return uint64(e.origin.Conn.Association.Stream), true
		}))),
	}
}

func (c comparison) addressCheck(b basic, t token) (func(netip.AddrPort) bool, *Error) {
	if b == contains || b == matches {
		return nil, c.unsuitable("; compare it with an address, or with a prefix as 10.0.0.0/8")
	}
	s, err := t.value()
	if err != nil {
		return nil, err
	}
	if p, bad := netip.ParsePrefix(s); bad == nil {
		return c.prefixCheck(b, t, p)
	}
	if a, bad := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")); bad == nil {
		if err := c.familyError(t, a); err != nil {
			return nil, err
		}
		return func(v netip.AddrPort) bool { return b.holds(v.Addr().Compare(a)) }, nil
	}
	a, bad := netip.ParseAddrPort(s)
	switch {
	case bad == nil && c.Type == Endpoint:
		if b != equal {
			return nil, c.unsuitable("; addresses with ports have no order")
		}
		return func(v netip.AddrPort) bool { return v == a }, nil
	case bad == nil:
		return nil, t.errorf("%v has a port; compare that with tcp.port", t)
	case c.Type == Endpoint:
		return nil, t.errorf("%v is not an address: write 10.0.0.1, 10.0.0.1:7174, 10.0.0.0/8, fd00::1 or [fd00::1]:7174", t)
	}
	return nil, t.errorf("%v is not an address: write one of IP, or a prefix as 10.0.0.0/8", t)
}

// prefixCheck reports whether addresses have a prefix.
func (c comparison) prefixCheck(b basic, t token, p netip.Prefix) (func(netip.AddrPort) bool, *Error) {
	if b != equal {
		return nil, t.errorf("%v is a prefix: addresses have it or not, and == says so", t)
	}
	return func(v netip.AddrPort) bool { return p.Contains(v.Addr()) }, c.familyError(t, p.Addr())
}

// familyError reports an address that the field cannot have.
func (c comparison) familyError(t token, a netip.Addr) *Error {
	family, other := "ip.", "ipv6."
	if a.Is4() {
		family, other = other, family
	}
	if rest, ok := strings.CutPrefix(c.Name, family); ok {
		return t.errorf("%v is not of the family of %s; did you mean %s?", t, c.Name, other+rest)
	}
	return nil
}

// A moment is a time of capture, and the time when the capture began, in nanoseconds since 1970-01-01 UTC.
type moment struct{ at, start int64 }

// layouts are the forms of dates. They are in UTC unless they say otherwise.
var layouts = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02",
}

func (c comparison) timeCheck(b basic, t token) (func(moment) bool, *Error) {
	if b == contains || b == matches {
		return nil, c.unsuitable("; compare it")
	}
	if t.kind != quoted {
		want, err := c.parseSeconds(t)
		return func(m moment) bool { return b.holds(cmp.Compare(m.at-m.start, want)) }, err
	}
	s, err := t.value()
	if err != nil {
		return nil, err
	}
	for _, layout := range layouts {
		if date, bad := time.Parse(layout, s); bad == nil {
			return c.dateCheck(b, t, date)
		}
	}
	return nil, t.errorf("%v is not a time: write seconds from the first packet, 2.5, or UTC, \"2026-03-04T05:06:07.5\"", t)
}

// dateCheck compares with a date, which must be possible in a capture.
func (c comparison) dateCheck(b basic, t token, date time.Time) (func(moment) bool, *Error) {
	want := date.UnixNano()
	if !time.Unix(0, want).Equal(date) {
		return nil, t.errorf("%v is too far away; years from 1678 to 2262 can be told apart", t)
	}
	return func(m moment) bool { return b.holds(cmp.Compare(m.at, want)) }, nil
}

func (c comparison) secondsCheck(b basic, t token) (func(int64) bool, *Error) {
	if b == contains || b == matches {
		return nil, c.unsuitable("; compare it")
	}
	want, err := c.parseSeconds(t)
	return func(v int64) bool { return b.holds(cmp.Compare(v, want)) }, err
}

// parseSeconds reads seconds, "2.5", or a number with a unit, "300us", as nanoseconds.
func (c comparison) parseSeconds(t token) (int64, *Error) {
	s, err := t.value()
	if err != nil {
		return 0, err
	}
	if n := len(s); n > 0 && s[n-1] >= '0' && s[n-1] <= '9' {
		s += "s"
	}
	d, bad := time.ParseDuration(s)
	if bad != nil {
		return 0, t.errorf("%v is not a number of seconds: write 2.5, or with a unit as 300us, 20ms, 1m", t)
	}
	return int64(d), nil
}
