package rfc5044

// Octets that Scenarios cannot express: MPA frames and FPDUs divided into or joined in TCP segments at any place.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// request returns an MPA Request that asks for CRCs, of revision 1 unless the peer supports only that of the RDMA
// Consortium.
func request(s *conform.Setup, private string) []byte {
	return frame(s, mpa.Frame{PrivateData: []byte(private)})
}

// requested returns the Ask of a case whose script begins with a Request, or with a part of one.
func requested(private string, script func(request []byte) string) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string { return []string{script(request(s, private))} }
}

// reply returns an MPA Reply that accepts the Request of the peer and asks for CRCs.
func reply(s *conform.Setup, private string) []byte {
	f := mpa.Frame{Reply: true, PrivateData: []byte(private)}
	if s.Peer.Enhanced {
		word, _ := (&mpa.Enhanced{IRD: 16}).AppendBinary(nil) // every value fits
		f.Rev, f.S, f.PrivateData = mpa.Rev2, true, append(word, private...)
	}
	return frame(s, f)
}

// frame returns a frame of revision 1, or that of the RDMA Consortium, unless it says otherwise.
func frame(s *conform.Setup, f mpa.Frame) []byte {
	f.C, f.M, f.PDLength = true, s.Peer.Consortium(), uint16(len(f.PrivateData))
	if !s.Peer.Consortium() {
		f.Rev = max(f.Rev, mpa.Rev1)
	}
	b, _ := f.AppendBinary(nil) // its Private Data is short enough
	return b
}

// A stream is the FPDUs that we send as the Initiator, from the first one on.
type stream struct {
	framer  mpa.Framer
	version uint8  // of DDP and RDMAP
	msn     uint32 // of the latest message
}

// newStream returns a stream with CRCs, and with Markers if the peer requests them.
func newStream(s *conform.Setup) *stream {
	t := &stream{version: s.Peer.Version()}
	t.framer.Reset(mpa.Options{CRC: true, Markers: s.Peer.Frame.M})
	return t
}

func (t *stream) send(payload []byte) []byte {
	fpdu, _ := t.framer.Append(nil, t.ulpdu(payload)) // a ULPDU of a few octets always fits
	return fpdu
}

func (t *stream) ulpdu(payload []byte) []byte {
	t.msn++
	h := rdmap.Header{
		Untagged: ddp.Untagged{L: true, DV: t.version, MSN: t.msn},
		Control:  rdmap.Control{RV: t.version, Opcode: rdmap.OpSend},
	}
	b, _ := h.AppendBinary(nil) // every value fits
	return append(b, payload...)
}

// goOn returns the script lines that continue, in words, what the stream has sent.
func (t *stream) goOn() string {
	return fmt.Sprintf("> Segment Send MSN=%d {echo}\n< Send {echo}\n", t.msn+1)
}

// echo returns a message with a text that the peer's service sends back.
func echo(text string) []byte { return append([]byte{1, 0, 0, 0}, text...) }

func step(octets []byte) string { return fmt.Sprintf("> Octets %x\n", octets) }

// answered returns the script line in which a message is echoed.
func answered(message []byte) string { return fmt.Sprintf("< Send %x\n", message) }

// silent is the line of a script in which the peer sends nothing.
const silent = "< Silence\n"

func withoutMarkers(s *conform.Setup) bool { return !s.Peer.Frame.M }
func withMarkers(s *conform.Setup) bool    { return s.Peer.Frame.M }

// byRFC5044 reports whether the peer speaks MPA as defined by RFC 5044.
func byRFC5044(s *conform.Setup) bool { return !s.Peer.Consortium() }
