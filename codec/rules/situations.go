package rules

import (
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A Peer is somebody whose choice of Terminates is known.
type Peer uint8

// The peers.
const (
	RFC   Peer = iota // the RFCs, with a decision where they leave one open
	Verbs             // RDMA Protocol Verbs Specification 1.0, figure 24
	SIW               // siw, the software RNIC of Linux
	IRDMA             // irdma, the Linux driver for Intel's RNICs; i40iw and nes before it
	CXGB4             // cxgb4, the Linux driver for Chelsio's RNICs
	NumPeers
)

var peerNames = [NumPeers]string{"rfc", "verbs", "siw", "irdma", "cxgb4"}

// String is "rfc", "verbs", "siw", "irdma" or "cxgb4".
func (p Peer) String() string { return peerNames[p] }

// An Answer is what a Peer does in a Situation.
type Answer struct {
	Known bool         // false if nobody has looked, or the peer has no such case
	Codes []rdmap.Code // the Terminates that it sends, the usual one first; none if it sends no Terminate
	Note  string       // when it sends which, or what it does instead

	Closes bool // it sends no Terminate, and ends the connection
}

// Sends tells whether a Terminate with code is among the answers. Local Catastrophic Errors of RDMAP are the same
// whatever their error code (RFC 5040, section 4.8).
func (a *Answer) Sends(code rdmap.Code) bool {
	for _, c := range a.Codes {
		if c == code || local(c) && local(code) {
			return true
		}
	}
	return false
}

// local tells that a code is one of a Local Catastrophic Error of RDMAP.
func local(c rdmap.Code) bool {
	return c.Layer == rdmap.LayerRDMAP && c.EType == rdmap.RDMAPLocalCatastrophic
}

// A Situation is one thing that can go wrong, and the Terminates with which peers answer it.
type Situation struct {
	Name    string // "write-stag"
	Text    string
	HdrCt   string           // the M, D and R bits that the RFCs demand: "110"
	Answers [NumPeers]Answer // by Peer
	Also    []rdmap.Code     // Terminates that the RFCs leave room for beside Answers[RFC]
}

// situation reads one row of the table: codes, then a note in brackets. "=" is as the RFCs say, "?" is not known, and
// only a note means that no Terminate is sent.
func situation(name, text, hdrCt, rfc, also, verbs, siw, irdma, cxgb4 string) Situation {
	s := Situation{Name: name, Text: text, HdrCt: hdrCt}
	for peer, words := range [NumPeers]string{rfc, verbs, siw, irdma, cxgb4} {
		s.Answers[peer] = s.answer(words)
	}
	s.Also = s.answer(also).Codes
	return s
}

func (s *Situation) answer(words string) Answer {
	codes, note, _ := strings.Cut(words, "(")
	a := Answer{Known: !strings.HasPrefix(words, "?"), Note: strings.TrimSuffix(note, ")")}
	for _, word := range strings.Fields(codes) {
		switch word {
		case "=":
			a.Codes = append(a.Codes, s.Answers[RFC].Codes...)
		case "?":
		default:
			code, err := rdmap.ParseCode(word)
			if err != nil {
				panic("rules: situation " + s.Name + ": " + err.Error())
			}
			a.Codes = append(a.Codes, code)
		}
	}
	a.Closes = len(a.Codes) == 0 && strings.Contains(note, "closes")
	return a
}

const (
	closes  = "(closes the connection without a Terminate)"
	accepts = "(is not checked)"
	noCase  = "?" // it cannot happen there
)

// Situations are the errors that the protocols know, in the order in which a receiver meets them. Answers of siw are
// what it means: on little-endian machines it writes their control word in swapped bit order. Those of irdma and cxgb4
// were read in their sources, not seen on a wire.
var Situations = []Situation{
	//        name, text,
	//        HdrCt, rfc, also, verbs, siw, irdma, cxgb4
	situation("fpdu-crc", "the CRC of an FPDU is wrong",
		"000", "2/0/02", "", "0/2/02", "=", "=", "="),
	situation("fpdu-marker", "a Marker and ULPDU_Length disagree about where an FPDU begins",
		"000", "2/0/03", "", "0/2/03", "(has no Markers)", accepts, "="),
	situation("mpa-frame", "an MPA Request or Reply is malformed",
		"", closes, "2/0/04", noCase, "2/0/04 (for a wrong Key of a Reply)", "?", "?"),
	situation("mpa-ird", "the Reply asks for more Read Requests than the Initiator can take in",
		"000", "2/0/06", "", noCase, "=", "?", "?"),
	situation("mpa-rtr", "the Reply offers no kind of Ready to Receive that the Initiator can send",
		"000", "2/0/07", "", noCase, "=", "?", "?"),
	situation("mpa-local", "enhanced connection set-up fails for a local reason",
		"000", "2/0/05", "", noCase, "=", "?", "?"),
	situation("ddp-short", "a ULPDU is shorter than its DDP header",
		"000", "1/0/00", "0/0/00", "=", "2/0/03 (or takes the rest of the header from the next FPDU)", "= (with the segment length)",
		"1/2/05 (not certain)"),
	situation("ddp-version-tagged", "the DDP version of a tagged segment is wrong",
		"110", "1/1/04", "", "1/2/06", "= (without headers)", "=", "="),
	situation("ddp-version-untagged", "the DDP version of an untagged segment is wrong",
		"110", "1/2/06", "", "=", "= (without headers)", "=", "="),
	situation("rdmap-version", "the RDMAP version is wrong",
		"110", "0/2/05", "", "=", "= (without headers)", "=", "="),
	situation("opcode", "the opcode is not assigned or not supported",
		"110", "0/2/06", "0/2/FF", "=", "= (without headers; for all of RFC 7306 too)", "0/2/FF (i40iw and nes as the RFCs)", "="),
	situation("opcode-t", "the T bit contradicts the opcode",
		"110", "0/2/06", "1/0/00 1/2/01", "?", "(takes the header that the opcode has, and fails in one way or other)", "0/2/FF (not certain)", "1/0/00"),
	situation("qn-undefined", "the QN is one that RDMAP does not use",
		"110", "1/2/01", "", "=", "= (not checked for Read Requests)", "=", "="),
	situation("qn-opcode", "the QN is not the opcode's",
		"110", "0/2/06", "1/2/01", "1/2/01", "1/2/01 (not checked for Read Requests)", "1/2/01", "1/2/01"),
	situation("send-no-buffer", "no receive buffer is posted for a Send or Immediate Data",
		"110", "1/2/02", "", "=", "=", "=", "="),
	situation("send-msn", "the MSN of a Send is not the expected one",
		"110", "1/2/03", "1/2/02", "1/2/02", "= (1/2/02 before it if no buffer is posted)", "= 0/2/FF (the latter for other than gaps)", "="),
	situation("mo", "the MO is not the expected one, or outside the buffer",
		"110", "1/2/04", "1/2/05", "0/0/00 (beyond the buffer; others are not checked)", "=", "=", "="),
	situation("send-too-long", "a Send is longer than the receive buffer",
		"110", "1/2/05", "1/2/04", "0/0/00 (without headers)", "1/2/02", "=", "="),
	situation("l-missing", "a message that is one segment lacks the L bit",
		"110", "0/2/07", "1/0/00 0/2/FF", "0/2/07", accepts, "1/0/00", accepts),
	situation("receive-sge", "a receive buffer of the receiver itself is invalid",
		"000", "0/0/00", "0/2/07 1/0/00", "0/0/00", "1/0/00 (with the DDP header)", "(by event, some code of 0/1, 0/2 or 1/1)", "0/0/00 1/1/01"),
	situation("read-msn", "the MSN of a Read or Atomic Request is not the expected one",
		"110", "1/2/03", "1/2/02", "=", "=", "=", "="),
	situation("atomic-response-msn", "the MSN of an Atomic Response is not the expected one",
		"110", "1/2/03", "1/2/02", noCase, "0/2/06 (has no Atomics)", "?", "?"),
	situation("read-ird", "there are more Read or Atomic Requests than IRD",
		"110", "1/2/02", "1/2/03 0/2/07", "1/2/03", "0/2/07", "0/2/FF", "1/2/03"),
	situation("read-disabled", "a Read Request comes where IRD is 0 or Reads are disabled",
		"110", "1/2/02", "1/2/01 1/2/03 0/2/06", "1/2/01 1/2/03", "0/2/07", "0/2/FF", "1/2/03"),
	situation("read-long", "a Read Request is longer than its 28 octets",
		"110", "1/2/05", "0/2/FF 0/2/07", "0/2/FF 1/0/00", closes, "0/2/FF 1/2/05 (not certain)", "1/2/05 (not certain)"),
	situation("read-short", "a Read Request is shorter than its 28 octets",
		"110", "0/2/FF", "0/2/07 1/0/00", "0/2/FF 1/0/00", closes, "0/2/FF 1/0/00 (not certain)", "1/2/05 (not certain)"),
	situation("read-mo", "the MO of a Read or Atomic Request is not 0",
		"110", "1/2/04", "", "?", accepts, "=", "="),
	situation("read-stag", "the source STag of a Read Request is unknown or invalid",
		"111", "0/1/00", "", "=", "=", "= 0/2/00 (the latter for a wrong key or index)", "="),
	situation("read-bounds", "a Read Request reaches outside the bounds of its source",
		"111", "0/1/01", "", "=", "=", "1/1/01 0/1/01 (the former if the frame was captured)", "="),
	situation("read-access", "the source of a Read Request does not allow remote reads",
		"111", "0/1/02", "", "=", "(serves the Read: the right is not checked)", "=", "="),
	situation("read-association", "the source of a Read Request belongs to another stream or Protection Domain",
		"111", "0/1/03", "0/1/00", "=", "=", "= 1/2/01 (the latter for another QP's Memory Window)", "="),
	situation("read-wrap", "the source TO of a Read Request and its size exceed 64 bits",
		"111", "0/1/04", "0/1/01", "=", "0/1/01", "=", "="),
	situation("write-stag", "the STag of a Write is unknown or invalid",
		"110", "1/1/00", "", "=", "=", "= 0/1/00 0/2/00", "0/1/00"),
	situation("write-bounds", "a Write reaches outside the bounds of its buffer",
		"110", "1/1/01", "", "=", "=", "= 0/1/01 (the latter if the frame was not captured)", "="),
	situation("write-association", "the buffer of a Write belongs to another stream or Protection Domain",
		"110", "1/1/02", "1/1/00", "=", "=", "= 1/2/01 (the latter for another QP's Memory Window)", "0/1/03"),
	situation("write-access", "the buffer of a Write does not allow remote writes; DDP has no code for it",
		"110", "1/1/00", "1/1/02 0/1/02", "1/1/02", "=", "0/1/02", "0/1/02"),
	situation("write-wrap", "the TO of a Write and its length exceed 64 bits",
		"110", "1/1/03", "1/1/01", "=", "1/1/01 1/0/00 (the latter if its own sum exceeds them)", "0/1/04", "0/1/04"),
	situation("write-continuation", "a segment of a Write goes on in another buffer or place; the RFCs have no code for it",
		"110", "1/1/00 1/1/01", "", accepts, "1/1/00 1/1/01", accepts, accepts),
	situation("response-unexpected", "a Read Response comes without a Read Request",
		"110", "0/2/06", "1/0/00 1/1/00 0/2/FF", "=", "1/0/00", "0/2/FF (not certain)", "?"),
	situation("response-mismatch", "a Read Response is not for the STag, TO or size that was asked for",
		"110", "1/1/00 1/1/01 (checking is optional)", "0/2/06 0/2/FF", "1/1/01", "= (looks at the first segment only)", "?", "?"),
	situation("invalidate-stag", "the STag of a Send with Invalidate is unknown or invalid",
		"110", "0/2/09", "0/1/09 0/1/00", "0/1/00", accepts, "0/2/09 0/1/00", "0/2/09"),
	situation("invalidate-association", "the STag of a Send with Invalidate belongs to another stream or Protection Domain",
		"110", "0/1/09", "0/2/09 0/1/03", "0/1/03", "= (with the R bit, but no RDMAP header)", "= 1/2/01 (the latter for another QP's Memory Window)", "0/1/09 0/1/03"),
	situation("invalidate-access", "the STag of a Send with Invalidate does not allow remote invalidation",
		"110", "0/1/09", "0/2/09 0/1/02", "0/1/02", accepts, "0/1/02", "0/1/02"),
	situation("invalidate-shared", "the STag of a Send with Invalidate is that of a Shared Memory Region, or valid on several streams",
		"110", "0/2/09", "0/1/09", "0/1/00", accepts, "0/2/FF", "0/2/09"),
	situation("invalidate-windows", "the STag of a Send with Invalidate has Memory Windows bound to it",
		"110", "0/2/09", "0/1/09", "0/1/09", accepts, "0/2/FF", "0/2/09"),
	situation("terminate-bad", "a Terminate is malformed, or a second one comes",
		"", "(reports it and closes; a Terminate is never answered)", "", "(closes; it never answers)", "(drops it and closes)",
		"1/0/00 1/2/06 1/2/01 1/2/03 1/2/04 0/2/05 (answers it)", "(closes)"),
	situation("atomic-short", "an Atomic Request is shorter than its 52 octets",
		"110", "0/2/FF", "0/2/07 1/0/00", noCase, "0/2/06 (has no Atomics)", "0/2/FF", "?"),
	situation("atomic-long", "an Atomic Request is longer than its 52 octets",
		"110", "1/2/05", "0/2/FF 0/2/07", noCase, "0/2/06 (has no Atomics)", "0/2/FF 1/2/05 (not certain)", "?"),
	situation("atomic-alignment", "the target of an Atomic Request is not aligned to 64 bits",
		"110", "0/2/07", "", noCase, "0/2/06 (has no Atomics)", "0/2/FF", "?"),
	situation("atomic-aopcode", "the AOpCode of an Atomic Request is not supported",
		"110", "0/2/06", "0/2/FF 0/2/07", noCase, "0/2/06 (has no Atomics)", "0/2/FF", "?"),
	situation("atomic-target", "the target of an Atomic Request is invalid, out of bounds, without rights or not associated, or wraps",
		"110", "0/1/00 0/1/01 0/1/02 0/1/03 0/1/04", "0/1/FF", noCase, "0/2/06 (has no Atomics)", "0/2/FF", "?"),
	situation("atomic-response", "an Atomic Response is unexpected, or has another request's identifier",
		"110", "0/2/06", "1/2/02 0/2/FF", noCase, "0/2/06 (has no Atomics)", "0/2/FF", "?"),
	situation("immediate-length", "Immediate Data is not 8 octets long",
		"110", "0/2/FF", "0/2/06 0/2/07 1/2/05", noCase, "0/2/06 (has no Immediate Data)", "0/2/FF", "?"),
	situation("local", "a message cannot be made for a local error, or the upper layer asks for a Terminate",
		"000", "0/0/00 (any error code)", "", "0/0/00", "0/0/FF", "1/0/00 0/2/FF (the former for a catastrophe of the QP)", "0/0/00"),
	situation("queue", "a Completion Queue or shared Receive Queue fails, or the peer closes while there is work",
		"000", "0/2/07", "0/0/00", "0/2/07 0/0/00", closes, "?", "0/0/00 (not certain)"),
	situation("rnic", "the whole RNIC fails",
		"000", "0/2/08", "0/2/07 0/0/00", "=", "?", "?", "0/0/00"),
	situation("read-source-lost", "the source of an RDMA Read fails while it is being read",
		"111", "0/1/00 0/1/01 0/1/02 0/1/03 0/2/07", "0/0/00", "0/1/00 0/1/01 0/1/02", "0/1/00 0/1/01 0/1/02 0/1/03 (offsets are not advanced)", "?", "?"),
}
