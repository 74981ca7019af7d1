package filter

// IP addresses and ports.

import (
	"net/netip"
	"strings"
)

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
		return nil, t.errorf("%v is no address: write 10.0.0.1, 10.0.0.1:7174, 10.0.0.0/8, fd00::1 or [fd00::1]:7174", t)
	}
	return nil, t.errorf("%v is no address: write one of IP, or a prefix as 10.0.0.0/8", t)
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
