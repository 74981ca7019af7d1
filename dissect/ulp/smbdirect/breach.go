package smbdirect

// Packets that their receivers must not accept: [MS-SMBD], sections 3.1.5.5 to 3.1.5.8.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A breach is what is wrong with a packet. The zero value is that of none.
type breach struct {
	seen     string
	expected string // what should have been
}

// below is the breach of a number that must be at least so large.
func below(name string, v, least uint64) breach {
	if v >= least {
		return breach{}
	}
	return breach{fmt.Sprintf("%s %d", name, v), fmt.Sprintf("at least %d", least)}
}

// above is the breach of a number that must be at most as large as a limit of a side; 0 if that is not known.
func above(name string, v, limit uint64, side flow.Party, of string) breach {
	if v <= limit || limit == 0 {
		return breach{}
	}
	return breach{fmt.Sprintf("%s %d", name, v), fmt.Sprintf("at most %d, the %v's %s", limit, side, of)}
}

// first returns the first of several breaches.
func first(all ...breach) breach {
	for _, b := range all {
		if b != (breach{}) {
			return b
		}
	}
	return breach{}
}

// The minimum that a peer must be able to receive, in octets ([MS-SMBD], section 3.1.5.6).
const (
	minReceiveSize    = 128
	minFragmentedSize = 131072
)

// checkNegotiateRequest checks a Negotiate Request. One for other versions is no breach: it is refused.
func checkNegotiateRequest(b []byte) breach {
	return first(
		below("CreditsRequested", requestCredits.Number(b), 1),
		below("MaxReceiveSize", requestReceiveSize.Number(b), minReceiveSize),
		below("MaxFragmentedSize", requestFragmented.Number(b), minFragmentedSize),
	)
}

// checkNegotiateResponse checks a response to a side with these limits.
func checkNegotiateResponse(b []byte, l *limits) breach {
	switch negotiated := responseVersion.Number(b); {
	case Status(responseStatus.Number(b)).Failed():
		return breach{}
	case negotiated != version:
		return breach{fmt.Sprintf("NegotiatedVersion %#04x", negotiated), fmt.Sprintf("%#04x", version)}
	}
	return first(
		below("CreditsRequested", responseRequested.Number(b), 1),
		above("PreferredSendSize", responseSendSize.Number(b), l.receive, flow.Client, "MaxReceiveSize"),
		below("MaxReceiveSize", responseReceiveSize.Number(b), minReceiveSize),
		below("MaxFragmentedSize", responseFragmented.Number(b), minFragmentedSize),
	)
}

// checkDataTransfer checks the header of a data transfer of the given length in octets.
func checkDataTransfer(b []byte, length uint64) breach {
	header := uint64(dataTransfer.Len())
	if length < header || uint64(len(b)) < header {
		return below("length", length, header)
	}
	offset, octets := dataOffset.Number(b), dataDataLength.Number(b)
	switch {
	case dataRequested.Number(b) == 0:
		return below("CreditsRequested", 0, 1)
	case offset%8 != 0:
		return breach{fmt.Sprintf("DataOffset %d", offset), "a multiple of 8"}
	case octets > 0 && offset < header:
		return below("DataOffset", offset, header)
	case offset+octets > length:
		return breach{fmt.Sprintf("DataOffset %d and DataLength %d", offset, octets), fmt.Sprintf("together at most %d, the length of the packet", length)}
	}
	return breach{}
}

// limits are what a side said that it can receive, in octets; 0 if that is not known.
type limits struct {
	receive    uint64 // of a packet
	fragmented uint64 // of a message in several packets
}

// limit notes what a Negotiate Request or Response says that its sender can receive.
func (f *follower) limit(d flow.Direction) {
	switch p := &f.packet; p.Kind {
	case NegotiateRequest:
		f.limits[d] = limits{requestReceiveSize.Number(p.Octets), requestFragmented.Number(p.Octets)}
	case NegotiateResponse:
		f.limits[d] = limits{responseReceiveSize.Number(p.Octets), responseFragmented.Number(p.Octets)}
	}
}

// check reports a packet that its receiver must not accept, and returns its kind by the place that it has in its direction. decoded says
// whether f.packet is a packet of some kind.
func (f *follower) check(m *record.Message, decoded bool) Kind {
	b, length := f.packet.Octets, f.packet.StatedLength
	later := f.begun[m.Dir]
	f.begun[m.Dir], f.subject = true, DataTransfer
	if !m.Complete || m.Missing > 0 || uint64(len(b)) < min(length, uint64(dataTransfer.Len())) {
		return f.subject
	}
	var found breach
	switch {
	case later, decoded && f.packet.Kind == DataTransfer:
		if found = checkDataTransfer(b, length); found == (breach{}) {
			found = f.checkSizes(m.Dir, decoded)
		}
	case !begins(m): // what it is is not known
	case m.Dir == flow.C2S && length == uint64(negotiateRequest.Len()):
		f.subject = NegotiateRequest
		found = checkNegotiateRequest(b)
	case m.Dir == flow.S2C && length == uint64(negotiateResponse.Len()) && uint64(len(b)) == length:
		f.subject = NegotiateResponse
		found = checkNegotiateResponse(b, &f.limits[flow.C2S])
	}
	if found != (breach{}) {
		f.Reporter.Finding(&record.Finding{Origin: m.Origin, Name: record.Malformed, Seen: found.seen, Expected: found.expected})
	}
	return f.subject
}

// checkSizes checks the length of a data transfer, and that of the message of which it has a part.
func (f *follower) checkSizes(d flow.Direction, decoded bool) breach {
	p, l, w := &f.packet, &f.limits[1-d], &f.halves[d]
	tooLong := above("length", p.StatedLength, l.receive, flow.Sender(1-d), "MaxReceiveSize")
	if !decoded || p.DataLength == 0 || tooLong != (breach{}) {
		return tooLong
	}
	rest := uint64(p.DataLength) + uint64(p.Remaining)
	if w.remaining > 0 && rest != uint64(w.remaining) {
		return breach{
			fmt.Sprintf("DataLength %d and RemainingDataLength %d", p.DataLength, p.Remaining),
			fmt.Sprintf("together the %d octets that remain of the message", w.remaining),
		}
	}
	return above("a message of length", rest, l.fragmented, flow.Sender(1-d), "MaxFragmentedSize")
}

// Subject implements ulp.Follower: the packet in which something was found.
func (f *follower) Subject(found *record.Finding) string {
	if found.Name != record.Malformed && found.Name != record.Uncredited {
		return ""
	}
	return ulpName + " " + f.subject.String()
}
