package rpcrdma

// Transport properties, draft-ietf-nfsv4-rpcrdma-version-two-01, section 5:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	|                   count (once for the set)                    |
//	+---------------------------------------------------------------+
//	|                          rdma_which                           |
//	+---------------------------------------------------------------+
//	|                   rdma_data, length in octets                 |
//	+---------------------------------------------------------------+
//	|      rdma_data, filled up with zero to a multiple of four     |
//	+---------------------------------------------------------------+

import (
	"errors"
	"iter"
	"math"

	"github.com/iwarpkit/iwarp/codec/field"
)

// PropID is the type of a property.
type PropID uint32

// The properties of draft 01, section 5.2.
const (
	PropSBSIZ    PropID = 1 // Maximum Send Size: octets
	PropRBSIZ    PropID = 2 // Receive Buffer Size: octets
	PropRSSIZ    PropID = 3 // Maximum RDMA Segment Size: octets
	PropRCSIZ    PropID = 4 // Maximum RDMA Segment Count in the header of a Requester
	PropBRS      PropID = 5 // Reverse-Direction Support: a [ReverseSupport]
	PropHostAuth PropID = 6 // Host Authentication Message
)

var propIDs = field.Enum{Kind: "PropID", Values: []field.Value{{1, "SBSIZ"}, {2, "RBSIZ"}, {3, "RSSIZ"}, {4, "RCSIZ"}, {5, "BRS"}, {6, "HOSTAUTH"}}}

// String returns the name as the XDR of the draft has it after RDMA2_PROPID_, "SBSIZ", or the number of an unknown
// property, "PropID7".
func (id PropID) String() string { return propIDs.Name(uint64(id)) }

// Known reports whether the draft defines the property. Others are skipped.
func (id PropID) Known() bool { return id >= PropSBSIZ && id <= PropHostAuth }

// Default returns the value of a property that the peer does not send, or sends without data (draft 01, section 5.2). ok
// is false if the property is not a number.
func (id PropID) Default() (v uint32, ok bool) {
	switch id {
	case PropSBSIZ, PropRBSIZ:
		return 4096, true
	case PropRSSIZ:
		return 1048576, true
	case PropRCSIZ:
		return 16, true
	case PropBRS:
		return uint32(ReverseNone), true
	}
	return 0, false
}

// fields returns the table of the data of a property that is a number; else nil.
func (id PropID) fields() *field.Table {
	switch id {
	case PropSBSIZ:
		return SBSIZFields
	case PropRBSIZ:
		return RBSIZFields
	case PropRSSIZ:
		return RSSIZFields
	case PropRCSIZ:
		return RCSIZFields
	case PropBRS:
		return BRSFields
	}
	return nil
}

// ReverseSupport says what a client can do with RPC Calls of the server. It is the value of [PropBRS].
type ReverseSupport uint32

// The values of draft 01, section 5.2.5 (D-01, see dialect.go).
const (
	ReverseNone   ReverseSupport = 0 // nothing
	ReverseSimple ReverseSupport = 1 // Simple Format without chunks
	ReverseCont   ReverseSupport = 2 // Simple or Continued Format without chunks
	ReverseGenl   ReverseSupport = 3 // whatever goes in the forward direction
)

var reverseSupports = field.Enum{Kind: "ReverseSupport", Values: []field.Value{{0, "NONE"}, {1, "SIMPLE"}, {2, "CONT"}, {3, "GENL"}}}

// String returns the name as the XDR of the draft has it after RDMA2_RVRSDIR_, "SIMPLE", or the number of an unknown
// value, "ReverseSupport4".
func (r ReverseSupport) String() string { return reverseSupports.Name(uint64(r)) }

func newPropFields(name, label, section string, names func(uint64) string, known iter.Seq[uint64]) *field.Table {
	return field.NewTable("RPC-over-RDMA property "+label, proto, "draft-ietf-nfsv4-rpcrdma-version-two-01, section "+section,
		field.Field{Name: "rpcordma.prop." + name, Label: label, Off: 0, Width: 32, Base: field.Dec,
			Names: names, Known: known})
}

var (
	errPropShort    = PropDataFields.Err("rpcordma.prop.data", field.ErrShort, "")
	errPropRange    = PropvalFields.Err("rpcordma.prop.length", field.ErrRange, "")
	errPropLen      = PropvalFields.Err("rpcordma.prop.length", field.ErrValue, "must be that of the property's type, or zero (draft 01, section 5.1)")
	errPropBRS      = BRSFields.Err("rpcordma.prop.brs", field.ErrValue, "must be 0 to 3 (draft 01, section 5.2.5)")
	errPropHostAuth = HostAuthFields.Err("rpcordma.prop.hostauth_length", field.ErrValue, "is not that of the property's data (draft 01, section 5.2.6)")
	errPropPad      = PadFields.Err("rpcordma.pad", field.ErrValue, "must be zero (RFC 4506, section 4.10)")
)

// Propval is a property and its value (draft 01, section 5.1).
type Propval struct {
	Which PropID
	Data  []byte // rdma_data, aliases the input of Decode; if empty, the default holds
	Pad   []byte // what fills Data up to a multiple of four, if it is not zero as it must be; else nil
}

// padding returns how many octets fill n up to a multiple of four.
func padding(n int) int { return -n & (wordLen - 1) }

var zeros [wordLen]byte

// Decode reads a property and returns its length: 8 octets, those of rdma_data, and what fills them up. If b is
// shorter, it returns len(b) and an error that wraps field.ErrShort and names the first incomplete field; the fields
// before it are valid. If that is rdma_data, the property is wrong, else its message (D-18, see dialect.go).
func (p *Propval) Decode(b []byte) (n int, err error) {
	*p = Propval{}
	const off = 2 * wordLen
	if len(b) >= wordLen {
		p.Which = PropID(word(b, 0))
	}
	if len(b) < off {
		return len(b), PropvalFields.Short(len(b))
	}
	length, left := word(b, wordLen), len(b)-off
	if uint64(length) > uint64(left) || int(length)+padding(int(length)) > left {
		return len(b), errPropShort
	}
	end := off + int(length)
	n = end + padding(int(length))
	p.Data = b[off:end:end]
	if pad := b[end:n:n]; !field.AllZero(pad) {
		p.Pad = pad
	}
	return n, nil
}

// IsPropData reports whether an error of [Propval.Decode], or of a Decode that calls it, is about truncated data: then a
// property is wrong, else its message (D-18, see dialect.go).
func IsPropData(err error) bool { return errors.Is(err, errPropShort) }

// AppendBinary appends the property to b. Without Pad, Data is filled up with zero. It fails, with an error that wraps
// field.ErrRange, only if Data is longer than 2^32-1 octets.
func (p *Propval) AppendBinary(b []byte) ([]byte, error) {
	if uint64(len(p.Data)) > math.MaxUint32 {
		return b, errPropRange
	}
	b = order.AppendUint32(b, uint32(p.Which))
	b = order.AppendUint32(b, uint32(len(p.Data)))
	b = append(b, p.Data...)
	return append(b, p.pad()...), nil
}

func (p *Propval) pad() []byte {
	if len(p.Pad) != 0 {
		return p.Pad
	}
	return zeros[:padding(len(p.Data))]
}

// Len returns the number of octets that AppendBinary writes.
func (p *Propval) Len() int { return 2*wordLen + len(p.Data) + len(p.pad()) }

// Check reports what a sender must not send: data that does not conform to the property's type, or is not filled up
// with zero. Of unknown properties only the latter is judged. The error wraps field.ErrValue and names the field.
func (p *Propval) Check() error {
	switch {
	case len(p.Pad) != 0:
		return errPropPad
	case !p.Which.Known() || len(p.Data) == 0:
		return nil
	case p.Which == PropHostAuth:
		return p.checkHostAuth()
	case len(p.Data) != wordLen:
		return errPropLen
	case p.Which == PropBRS && word(p.Data, 0) > uint32(ReverseGenl):
		return errPropBRS
	}
	return nil
}

func (p *Propval) checkHostAuth() error {
	material, ok := p.HostAuth()
	switch {
	case !ok:
		return errPropHostAuth
	case !field.AllZero(p.Data[wordLen+len(material):]):
		return errPropPad
	}
	return nil
}

// Conforms reports whether a receiver must accept the data as that of the property's type (draft 01, section 5.1). It
// accepts numbers and padding that Check refuses. An unknown property is skipped, and conforms.
func (p *Propval) Conforms() bool {
	if !p.Which.Known() || len(p.Data) == 0 {
		return true
	}
	if p.Which == PropHostAuth {
		_, ok := p.HostAuth()
		return ok
	}
	_, ok := p.Uint32()
	return ok
}

// Uint32 returns the value of a property that is a number: its default if there is no data. ok is false if the data is not
// 4 octets long, or if there is none and no default.
func (p *Propval) Uint32() (v uint32, ok bool) {
	switch len(p.Data) {
	case 0:
		return p.Which.Default()
	case wordLen:
		return word(p.Data, 0), true
	}
	return 0, false
}

// HostAuth returns the authentication material in a [PropHostAuth], whose data is in turn octets after their length. ok
// is false if the data is anything else. The material aliases Data.
func (p *Propval) HostAuth() (material []byte, ok bool) {
	left := len(p.Data) - wordLen
	if left < 0 || left%wordLen != 0 {
		return nil, false
	}
	length := word(p.Data, 0)
	if uint64(length) > uint64(left) || int(length)+padding(int(length)) != left {
		return nil, false
	}
	end := wordLen + int(length)
	return p.Data[wordLen:end:end], true
}

// A PropSet is a set of properties in its XDR encoding: the count of properties, and each [Propval]. nil is the set
// without properties.
type PropSet []byte

// Decode reads a set and returns its length. If b is shorter, it returns len(b) and an error that wraps field.ErrShort
// and names the first incomplete field, as [Propval.Decode] does; the properties before it are kept.
func (s *PropSet) Decode(b []byte) (n int, err error) {
	*s = nil
	return s.decode(b, 0)
}

// decode reads the set that begins at off into s, which is nil.
func (s *PropSet) decode(b []byte, off int) (n int, err error) {
	if len(b)-off < wordLen {
		return len(b), PropSetFields.Short(len(b) - off)
	}
	start, end := off, off+wordLen
	for count := word(b, off); count > 0; count-- {
		var p Propval
		n, err := p.Decode(b[end:])
		if err != nil {
			*s = PropSet(b[start:end:end])
			return end + n, err
		}
		end += n
	}
	if end > start+wordLen {
		*s = PropSet(b[start:end:end])
	}
	return end, nil
}

// AppendBinary appends the set to b. It never fails.
func (s *PropSet) AppendBinary(b []byte) ([]byte, error) {
	if len(*s) == 0 {
		return append(b, 0, 0, 0, 0), nil
	}
	return append(b, *s...), nil
}

// Len returns the number of octets that AppendBinary writes.
func (s *PropSet) Len() int { return max(len(*s), wordLen) }

// Append appends a property and returns the longer set. Like append, it may change the octets of s: the count.
func (s PropSet) Append(which PropID, data []byte) PropSet {
	s = append(s.begin(which, len(data)), data...)
	return append(s, zeros[:padding(len(data))]...)
}

// AppendUint32 appends a property that is a number, as Append does.
func (s PropSet) AppendUint32(which PropID, v uint32) PropSet {
	return order.AppendUint32(s.begin(which, wordLen), v)
}

// AppendHostAuth appends a [PropHostAuth] with authentication material, as Append does.
func (s PropSet) AppendHostAuth(material []byte) PropSet {
	pad := padding(len(material))
	s = order.AppendUint32(s.begin(PropHostAuth, wordLen+len(material)+pad), uint32(len(material)))
	return append(append(s, material...), zeros[:pad]...)
}

// begin appends the words that a property begins with, and counts it.
func (s PropSet) begin(which PropID, length int) PropSet {
	if len(s) < wordLen {
		s = append(s[:0], 0, 0, 0, 0)
	}
	s = order.AppendUint32(s, uint32(which))
	s = order.AppendUint32(s, uint32(length))
	order.PutUint32(s, word(s, 0)+1)
	return s
}

// Properties yields every property in the order of the set.
func (s PropSet) Properties() iter.Seq[Propval] {
	return func(yield func(Propval) bool) {
		for off := wordLen; off < len(s); {
			var p Propval
			n, err := p.Decode(s[off:])
			if err != nil || !yield(p) {
				return
			}
			off += n
		}
	}
}

// Lookup returns the property with that id: the last one if there are several (D-20, see dialect.go).
func (s PropSet) Lookup(which PropID) (p Propval, ok bool) {
	for q := range s.Properties() {
		if q.Which == which {
			p, ok = q, true
		}
	}
	return p, ok
}
