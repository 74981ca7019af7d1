package mpa

// The MPA Request and Reply Frame, RFC 5044, section 7.1.1, with the S bit of RFC 6581, section 6:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                                                               |
//	+        Key (16 octets): "MPA ID Req Frame"                    +
//	|                      or "MPA ID Rep Frame"                    |
//	+                                                               +
//	|                                                               |
//	+-+-+-+-+-------+---------------+-------------------------------+
//	|M|C|R|S|  Res  |      Rev      |           PD_Length           |
//	+-+-+-+-+-------+---------------+-------------------------------+
//	~                 Private Data (PD_Length octets)               ~
//	+---------------------------------------------------------------+

import (
	"slices"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/field"
)

// FrameLen is the length in octets of a Request or Reply without its Private Data.
const FrameLen = 20

// The Keys that begin Requests and Replies.
const (
	RequestKey = "MPA ID Req Frame"
	ReplyKey   = "MPA ID Rep Frame"
	keyLen     = len(RequestKey)
)

// RequestFields and ReplyFields describe the two frames; only the name of the Key differs.
var (
	RequestFields = frameFields("MPA Request", "iwarp_mpa.key.req").Asked("iwarp_mpa.req")
	ReplyFields   = frameFields("MPA Reply", "iwarp_mpa.key.rep").Asked("iwarp_mpa.rep")
)

func frameFields(name, key string) *field.Table {
	return field.NewTable(name, "iwarp_mpa", "RFC 5044, section 7.1.1; RFC 6581, section 6",
		field.Field{Name: key, Label: "Key", Off: 0, Width: 8 * keyLen, Base: field.Octets, Usual: field.Always},
		field.Field{Name: "iwarp_mpa.marker_flag", Label: "M", Off: 128, Width: 1, Base: field.Flag, Words: field.Says("Markers=no", "Markers=yes")},
		field.Field{Name: "iwarp_mpa.crc_flag", Label: "C", Off: 129, Width: 1, Base: field.Flag, Words: field.Says("CRC=no", "CRC=yes")},
		field.Field{Name: "iwarp_mpa.rej_flag", Label: "R", Off: 130, Width: 1, Base: field.Flag, Usual: field.Zero, Words: field.Says("", "REJECTED"), Bad: true},
		field.Field{Name: "iwarp_mpa.enhanced_flag", Label: "S", Off: 131, Width: 1, Base: field.Flag, Usual: field.Always},
		field.Field{Name: "iwarp_mpa.res", Label: "Res", Off: 132, Width: 4, Base: field.Hex, Usual: field.Zero},
		field.Field{Name: "iwarp_mpa.rev", Label: "Rev", Off: 136, Width: 8, Base: field.Dec, Names: revName, Known: slices.Values(revs),
			Words: revWords},
		field.Field{Name: "iwarp_mpa.pdlength", Label: "PD_Length", Off: 144, Width: 16, Base: field.Dec,
			Usual: MaxPrivateData + 1},
		field.Field{Name: "iwarp_mpa.privatedata", Label: "Private Data", Off: 160, Base: field.Octets, Usual: field.Always},
	)
}

// revs are the revisions of MPA that somebody has defined.
var revs = []uint64{RevRDMAC, Rev1, Rev2, RevERDMA}

// revName says who has defined a revision of MPA.
func revName(rev uint64) string {
	switch rev {
	case RevRDMAC:
		return "RDMAC"
	case Rev1:
		return "RFC 5044"
	case Rev2:
		return "RFC 6581"
	case RevERDMA:
		return "ERDMA"
	}
	return "unknown"
}

// revWords names a revision that is not one of the RFCs.
func revWords(rev uint64) string {
	if rev == Rev1 || rev == Rev2 {
		return ""
	}
	return "Rev=" + strconv.FormatUint(rev, 10) + "(" + revName(rev) + ")"
}

// A Frame is an MPA Request or MPA Reply (RFC 5044, section 7.1.1).
type Frame struct {
	Reply       bool   // the Key is that of a Reply, not of a Request
	M           bool   // the sender of this frame requires Markers in what it receives
	C           bool   // the sender of this frame prefers CRCs
	R           bool   // in a Reply: the connection is rejected
	S           bool   // Private Data begins with an Enhanced word; reserved below Rev 2 (RFC 6581, section 6)
	Res         uint8  // 4 bits, zero on transmit, not checked on receive
	Rev         uint8  // revision of MPA
	PDLength    uint16 // octets of Private Data, as stated
	PrivateData []byte // aliases the input of Decode; with S it begins with the Enhanced word
}

var (
	errKey        = RequestFields.Err("iwarp_mpa.key.req", field.ErrValue, `neither "MPA ID Req Frame" nor "MPA ID Rep Frame" (RFC 5044, section 7.1.1)`)
	errRes        = RequestFields.Err("iwarp_mpa.res", field.ErrValue, "must be zero on transmit (RFC 5044, section 7.1.1)")
	errResRange   = RequestFields.Err("iwarp_mpa.res", field.ErrRange, "")
	errReject     = RequestFields.Err("iwarp_mpa.rej_flag", field.ErrValue, "must be zero in a Request (RFC 5044, section 7.1.1)")
	errS          = RequestFields.Err("iwarp_mpa.enhanced_flag", field.ErrValue, "is reserved below revision 2 (RFC 6581, section 6)")
	errPDLength   = RequestFields.Err("iwarp_mpa.pdlength", field.ErrValue, "Private Data is at most 512 octets (RFC 5044, section 7.1.1)")
	errPDMismatch = RequestFields.Err("iwarp_mpa.pdlength", field.ErrValue, "differs from the length of the Private Data (RFC 5044, section 7.1.1)")
	errPDEnhanced = RequestFields.Err("iwarp_mpa.pdlength", field.ErrValue, "with S it is at least 4 (RFC 6581, section 6)")

	errShortRequestPD = RequestFields.Err("iwarp_mpa.privatedata", field.ErrShort, "")
	errShortReplyPD   = ReplyFields.Err("iwarp_mpa.privatedata", field.ErrShort, "")
)

// Fields returns the field table of the frame.
func (f *Frame) Fields() *field.Table {
	if f.Reply {
		return ReplyFields
	}
	return RequestFields
}

// Decode reads a Request or Reply from the start of b and returns its length in octets. PrivateData aliases b.
//
// If b holds only the start of a frame, Decode returns len(b) and an error that wraps field.ErrShort and names the first
// incomplete field: the fields before it are valid, and PrivateData holds what is there of it. If b begins with neither
// Key, Decode returns the offset of the first octet that differs from both and an error that wraps field.ErrValue.
func (f *Frame) Decode(b []byte) (n int, err error) {
	for n < min(len(b), keyLen) {
		if b[n] != RequestKey[n] && b[n] != ReplyKey[n] {
			return n, errKey
		}
		n++
	}
	// The Keys differ in this octet only.
	const distinct = 9
	f.Reply = len(b) > distinct && b[distinct] == ReplyKey[distinct]
	if len(b) < FrameLen {
		var whole [FrameLen]byte
		copy(whole[:], b)
		f.decode(&whole)
		f.PrivateData = nil
		return len(b), f.Fields().Short(len(b))
	}
	f.decode((*[FrameLen]byte)(b))
	n = FrameLen + int(f.PDLength)
	if len(b) < n {
		f.PrivateData = b[FrameLen:]
		if f.Reply {
			return len(b), errShortReplyPD
		}
		return len(b), errShortRequestPD
	}
	f.PrivateData = b[FrameLen:n:n]
	return n, nil
}

func (f *Frame) decode(b *[FrameLen]byte) {
	flags := b[16]
	f.M = flags&0x80 != 0
	f.C = flags&0x40 != 0
	f.R = flags&0x20 != 0
	f.S = flags&0x10 != 0
	f.Res = flags & 0x0f
	f.Rev = b[17]
	f.PDLength = order.Uint16(b[18:])
}

// AppendBinary appends the frame to b: PDLength as it is, then PrivateData, even if their lengths differ. It fails only if
// Res exceeds its field, with an error that wraps field.ErrRange.
func (f *Frame) AppendBinary(b []byte) ([]byte, error) {
	if f.Res >= 1<<4 {
		return b, errResRange
	}
	if f.Reply {
		b = append(b, ReplyKey...)
	} else {
		b = append(b, RequestKey...)
	}
	flags := bit(f.M, 0x80) | bit(f.C, 0x40) | bit(f.R, 0x20) | bit(f.S, 0x10) | uint16(f.Res)
	b = append(b, byte(flags), f.Rev)
	b = order.AppendUint16(b, f.PDLength)
	return append(b, f.PrivateData...), nil
}

// Len returns the number of octets that AppendBinary writes: 20 and those of PrivateData.
func (f *Frame) Len() int { return FrameLen + len(f.PrivateData) }

// Check reports what a sender must not send. The error wraps field.ErrValue and names the field.
func (f *Frame) Check() error {
	switch {
	case f.Res != 0:
		return errRes
	case f.R && !f.Reply:
		return errReject
	case f.S && f.Rev < Rev2:
		return errS
	case f.PDLength > MaxPrivateData:
		return errPDLength
	case int(f.PDLength) != len(f.PrivateData):
		return errPDMismatch
	case f.S && f.PDLength < EnhancedLen:
		return errPDEnhanced
	}
	return nil
}

// Enhanced decodes the Enhanced word into e. It returns false if the frame has none: S is clear, the revision is below 2,
// where S is a reserved bit, or the Private Data is shorter than the word.
func (f *Frame) Enhanced(e *Enhanced) bool {
	if !f.S || f.Rev < Rev2 {
		return false
	}
	_, err := e.Decode(f.PrivateData)
	return err == nil
}

// ULPPrivateDataLen returns the length in octets of the Private Data of the upper layer, as PDLength states it.
func (f *Frame) ULPPrivateDataLen() int {
	if f.S && f.Rev >= Rev2 && f.PDLength >= EnhancedLen {
		return int(f.PDLength) - EnhancedLen
	}
	return int(f.PDLength)
}

// ULPPrivateData returns the Private Data of the upper layer: all of it except the Enhanced word.
func (f *Frame) ULPPrivateData() []byte {
	if f.S && f.Rev >= Rev2 && len(f.PrivateData) >= EnhancedLen {
		return f.PrivateData[EnhancedLen:]
	}
	return f.PrivateData
}
