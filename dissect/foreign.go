package dissect

// What is not iWARP, and may be what somebody looks for in its place.

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// words are what the text of a protocol begins with.
var words = []struct {
	is     flow.Foreign
	begins []string
}{
	{flow.ForeignHTTP, []string{"GET ", "HEAD ", "POST ", "PUT ", "OPTIONS ", "CONNECT ", "PRI * ", "HTTP/"}},
	{flow.ForeignSSH, []string{"SSH-"}},
}

// foreign recognises a protocol by the first octets that a side sends.
func foreign(b []byte) flow.Foreign {
	for _, w := range words {
		if slices.ContainsFunc(w.begins, func(word string) bool { return bytes.HasPrefix(b, []byte(word)) }) {
			return w.is
		}
	}
	switch {
	case isTLS(b):
		return flow.ForeignTLS
	case isPerftest(b):
		return flow.ForeignPerftest
	}
	if len(b) < 8 {
		return flow.NotForeign
	}
	switch rpc := len(b) >= 20 && b[0]&0x80 != 0 && binary.BigEndian.Uint32(b[8:]) == 0 && binary.BigEndian.Uint32(b[12:]) == 2; {
	case rpc && binary.BigEndian.Uint32(b[16:]) == 100003:
		return flow.ForeignNFS
	case rpc:
		return flow.ForeignRPC
	case b[0] == 0 && (string(b[4:8]) == "\xfeSMB" || string(b[4:8]) == "\xffSMB"):
		return flow.ForeignSMB
	case b[0] == 0 && b[2] == 128 && binary.LittleEndian.Uint32(b[4:]) == 128:
		return flow.ForeignNVMe
	case isCut(b, mpa.RequestKey), isCut(b, mpa.ReplyKey):
		return flow.ForeignCut
	case len(b) >= len(mpa.RequestKey) && string(b[:4]) == mpa.RequestKey[:4] && string(b[:len(mpa.RequestKey)]) != mpa.RequestKey:
		return flow.ForeignKey
	case len(b) >= 48 && b[0] == 0x43 && b[4] == 0:
		return flow.ForeignISCSI
	}
	return flow.NotForeign
}

// isCut reports whether octets are the beginning of an MPA frame with a Key, of which more has to follow.
func isCut(b []byte, key string) bool {
	n := min(len(b), len(key))
	return string(b[:n]) == key[:n] && (len(b) < mpa.FrameLen || len(b) < mpa.FrameLen+int(binary.BigEndian.Uint16(b[mpa.FrameLen-2:])))
}

// isTLS recognises a record of TLS (RFC 8446, section 5.1). The shortest, an alert in the clear, has 7 octets.
func isTLS(b []byte) bool {
	return len(b) >= 7 && b[0] >= 20 && b[0] <= 23 && b[1] == 3 && b[2] <= 4
}

// isPerftest recognises the version with which a program of perftest begins on TCP, 16 octets: "6.06", filled up with zeros.
func isPerftest(b []byte) bool {
	version := bytes.TrimRight(b, "\x00")
	return len(b) == 16 && len(version) >= 3 && version[0] >= '0' && version[0] <= '9' && bytes.IndexByte(version, '.') == 1 &&
		len(bytes.Trim(version, ".0123456789")) == 0
}

// passed takes a packet that carries neither TCP nor SCTP.
func (e *Engine) passed(rec *pcaps.Record) {
	e.totals.NotTCP++
	var icmp tcpip.ICMP
	switch {
	case tcpip.IsRoCE(rec.LinkType, rec.Data, rec.OrigLen):
		e.totals.RoCE++
	case icmp.Decode(rec.LinkType, rec.Data, rec.OrigLen):
		h := e.flows.halves[tuple{icmp.Src, icmp.Dst}]
		if kind := kindOfICMP(&icmp); h != nil && kind != flow.NoICMP {
			at, is := flow.At(rec.Frame, rec.Time), &h.Wire.ICMP
			if is.Kind != kind {
				*is = flow.ICMP{Span: at, Kind: kind, From: icmp.From, MTU: icmp.MTU}
			}
			is.Include(at)
		}
	case e.mounts != nil:
		e.mounts.datagram(rec)
	}
}

// kindOfICMP is what an ICMP error says (RFC 792, RFC 1812, section 5.2.7, and RFC 4443).
func kindOfICMP(i *tcpip.ICMP) flow.ICMPKind {
	const unreachable, expired, unreachable6, tooBig6, expired6 = 3, 11, 1, 2, 3
	switch {
	case i.IPv6 && i.Type == tooBig6, !i.IPv6 && i.Type == unreachable && i.Code == 4:
		return flow.TooBig
	case i.IPv6 && i.Type == unreachable6 && i.Code == 1, !i.IPv6 && i.Type == unreachable && (i.Code == 9 || i.Code == 10 || i.Code == 13):
		return flow.Prohibited
	case i.IPv6 && i.Type == unreachable6 && i.Code == 4, !i.IPv6 && i.Type == unreachable && i.Code == 3:
		return flow.PortClosed
	case i.IPv6 && i.Type == unreachable6, !i.IPv6 && i.Type == unreachable:
		return flow.Unreachable
	case i.IPv6 && i.Type == expired6, !i.IPv6 && i.Type == expired:
		return flow.Expired
	}
	return flow.NoICMP
}
