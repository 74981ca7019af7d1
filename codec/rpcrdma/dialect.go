package rpcrdma

// Which form of header a message has. The first four words mean the same in all (RFC 8166, section 4.2). The rest depends
// on rdma_vers, rdma_htype and the length of the message.

import (
	"errors"

	"github.com/iwarpkit/iwarp/codec/field"
)

// Dialect is a form of the header. A connection uses one, except while it negotiates the version.
type Dialect uint8

// The dialects.
const (
	DialectUnknown   Dialect = iota
	DialectVersion1          // RFC 8166: [Version1]
	DialectVersion2          // draft 01 of version 2: [Version2]
	DialectDraft2022         // the draft of 2022 of version 2: [Draft2022]
)

var dialects = field.Enum{Kind: "Dialect", Values: []field.Value{{0, "unknown"}, {1, "version1"}, {2, "version2"}, {3, "draft2022"}}}

// String returns "version1", "version2", "draft2022" or "unknown", or for any other value its number, "Dialect4".
func (d Dialect) String() string { return dialects.Name(uint64(d)) }

// PrefixLen returns the length in octets of the part that every header of the dialect has: 16 or 20.
func (d Dialect) PrefixLen() int {
	if d == DialectVersion2 {
		return Version2Len
	}
	return Version1Len
}

// commonLen is the length of the four words that all headers begin with.
const commonLen = 16

// DetectDialect returns the dialect of a message of the given length in octets, of which b holds the beginning. It is
// [DialectUnknown] if the first words fit none, or if b has fewer than 16 octets.
//
// The length tells errors apart, since all dialects use the same rdma_htype. The error about an unsupported version has
// the same 28 octets in [Version1] and [Draft2022]; it counts as Version1.
func DetectDialect(b []byte, length int) Dialect {
	if len(b) < commonLen {
		return DialectUnknown
	}
	vers, kind := word(b, 4), word(b, 12)
	switch {
	case kind == uint32(HTypeError):
		return detectError(b, length, vers)
	case vers == Vers1:
		return DialectVersion1
	case vers != Vers2:
		return DialectUnknown
	case kind == uint32(HTypeConnProp) && length >= Version2Len+wordLen, kind <= uint32(HTypeNoMsg):
		return DialectVersion2
	case kind == uint32(HType2022Grant) && length != Draft2022Len:
		return DialectUnknown
	case HType2022(kind).Known():
		return DialectDraft2022
	}
	return DialectUnknown
}

// detectError tells errors apart. After the four words, an error of [Version2] has flags, which are 1 (RESPONSE); the
// others have the code, which is 1 for an unsupported version. rdma_vers is that of the refused message: if the error is
// about the version, it says little.
func detectError(b []byte, length int, vers uint32) Dialect {
	otherwise := DialectUnknown
	if vers == Vers1 {
		otherwise = DialectVersion1
	}
	if len(b) < commonLen+wordLen {
		return otherwise
	}
	if vers != Vers2 && length == MinVersion1Error && word(b, 16) == uint32(ErrCodeChunk) {
		return DialectVersion1 // whatever version it says
	}
	if first := word(b, 16); first != uint32(FlagResponse) {
		if vers == Vers2 && (length == 20 || length == 24 || length == 28) || first == uint32(ErrCode2VersMismatch) && length == 20 {
			return DialectDraft2022
		}
		return otherwise
	}
	var code ErrCode2 // if it is a Version2
	if len(b) >= commonLen+2*wordLen {
		code = ErrCode2(word(b, 20))
	}
	switch arm := code.arm(); {
	case length == 28 && vers == Vers2 && arm != nil && arm.Len() == wordLen:
		return DialectVersion2
	case length == 28:
		return DialectVersion1
	case length == 32 && (vers == Vers2 || code == ErrCode2Vers), length == 24 && vers == Vers2:
		return DialectVersion2
	}
	return otherwise
}

// Of returns the dialect of a message on a connection that uses d: d itself, unless the message is of version 1, or an
// RDMA_ERROR with which a peer that knows only version 1 answers version 2 (D-13, see dialect.go). For [DialectUnknown]
// it is what [DetectDialect] returns.
func (d Dialect) Of(b []byte, length int) Dialect {
	detected := DetectDialect(b, length)
	if len(b) < commonLen || word(b, 4) != Vers2 {
		return detected
	}
	if d == DialectDraft2022 || d == DialectVersion2 && detected != DialectVersion1 {
		return d
	}
	return detected
}

// Recognize reports whether b may be an RPC-over-RDMA message of the given length in octets, and in which dialect. It is
// for the first messages of an unknown connection. The header must be whole, unless the message was truncated. The payload,
// if there is any, must begin with the same XID.
func Recognize(b []byte, length int) (d Dialect, ok bool) {
	d = DetectDialect(b, length)
	var (
		n       int
		xid     = true // the payload, if any, begins with the XID
		payload bool
		err     error
	)
	switch d {
	case DialectVersion1:
		var h Version1
		n, err = h.Decode(b)
		payload = h.Proc.HasPayload()
		if !h.Proc.Known() || length < MinVersion1 && (h.Proc != ProcError || h.Vers != Vers1) {
			return d, false
		}
	case DialectVersion2:
		var h Version2
		n, err = h.Decode(b)
		payload = h.HType.HasPayload()
	case DialectDraft2022:
		var h Draft2022
		n, err = h.Decode(b)
		payload = h.HType.HasPayload()
		xid = !h.HType.isMiddle()
	default:
		return d, false
	}
	switch {
	case err != nil:
		return d, errors.Is(err, field.ErrShort) && len(b) < length
	case !payload:
		return d, n == length
	case xid && len(b) >= n+wordLen && word(b, n) != word(b, 0):
		return d, false
	}
	return d, length > n
}

// Where the documents contradict themselves, this package decides as follows. Comments use the numbers:
//
//   - D-01: RDMA2_RVRSDIR_CONT is 2 in section 5.2.5 of the draft, 1 in its XDR. It is 2.
//   - D-03: TPMORE is defined, although section 6.2.2 of the draft has two flags only. The others are reserved.
//   - D-04: RDMA2_NOMSG without chunks is a credit grant (section 6.3.2) and an XDR error (section 7.2). With XID 0
//     it is a grant, else an error.
//   - D-13: the flags word of Version2 shifts the body of RDMA2_ERR_VERS, which RFC 8166, section 7, fixes for all
//     versions. Both forms are read, see Dialect.Of; a message whose version is not 2 is answered with a Version1.
//   - D-18: a property that is longer than its message is an error of rdma_data, RDMA2_ERR_BAD_PROPVAL. It is
//     RDMA2_ERR_BAD_XDR only if one of its words is truncated.
//   - D-19: property data that is longer than its type does not conform either.
//   - D-20: a property may come twice; the last value wins.
//   - D-33: RDMA2_MSG is declared with the first word of its payload. A part of a message may have fewer than 4
//     octets of payload, but not none.
//   - D-34: a Position Zero Read chunk beside an inline payload is an error in all forms; only Draft2022 says so.
//   - D-37: the XDR of the draft does not compile. Its field names and order hold, with rdma_inv_handle first.
//   - D-40: RFC 8166, section 4.5, drops messages under 28 octets, and defines an RDMA_ERROR of 20. All but RDMA_ERROR need
//     28 octets.
//
// Of Draft2022: its prefix is 16 octets, not the 20 that its section on errors demands; rdma_xid is that of the
// message's own RPC Call or Reply in all header types.
