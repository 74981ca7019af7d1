package sctp

// The DDP Stream Session Control message, RFC 5043, section 5.2.3:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|            DDP-SSN            |         Function Code         |
//	+-------------------------------+-------------------------------+
//	|                         Private Data                          |
//	:                                                               :
//	+---------------------------------------------------------------+

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

// ControlLen is the length in octets of a session control message without its Private Data.
const ControlLen = 4

// ControlFields describes a session control message.
var ControlFields = field.NewTable("DDP Stream Session Control", "iwarp_sctp", "RFC 5043, section 5.2.3",
	ddpSSN,
	field.Field{
		Name: "iwarp_sctp.function_code", Label: "Function Code", Off: 16, Width: 16, Base: field.Hex,
		Names: func(v uint64) string { return FunctionCode(v).String() }, Known: FunctionCodes(), Usual: field.Always,
	},
	field.Field{Name: "iwarp_sctp.privatedata", Label: "Private Data", Off: 32, Base: field.Octets, Usual: field.Always},
)

// Control is a session control message (RFC 5043, section 5.2.3).
type Control struct {
	DDPSSN       uint16 // as in a SegmentChunk
	FunctionCode FunctionCode
	PrivateData  []byte // all that follows; in an enhanced message it begins with the Enhanced word
}

// Decode reads a session control message, which takes all of b, and returns len(b). PrivateData aliases b. If b is
// shorter than 4 octets, Decode returns an error that wraps field.ErrShort and names the incomplete field.
func (c *Control) Decode(b []byte) (n int, err error) {
	if len(b) < ControlLen {
		var whole [ControlLen]byte
		copy(whole[:], b)
		c.decode(whole[:])
		c.PrivateData = nil
		return len(b), ControlFields.Short(len(b))
	}
	c.decode(b)
	c.PrivateData = b[ControlLen:len(b):len(b)]
	return len(b), nil
}

func (c *Control) decode(b []byte) {
	c.DDPSSN = order.Uint16(b)
	c.FunctionCode = FunctionCode(order.Uint16(b[2:]))
}

// AppendBinary appends the message to b. It never fails.
func (c *Control) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint16(b, c.DDPSSN)
	b = order.AppendUint16(b, uint16(c.FunctionCode))
	return append(b, c.PrivateData...), nil
}

// Len returns the number of octets that AppendBinary writes: 4 and those of PrivateData.
func (c *Control) Len() int { return ControlLen + len(c.PrivateData) }

// Frame returns the MPA frame that the message is equivalent to (RFC 6581, section 7): a Request for an Initiate, an
// accepting or rejecting Reply for an Accept or Reject, of revision 2 if the message is enhanced, else of revision 1.
// privateData is the length in octets of its Private Data as sent, captured or not. ok is false if there is no such
// frame.
func (c *Control) Frame(privateData int) (f mpa.Frame, ok bool) {
	code := c.FunctionCode
	f = mpa.Frame{
		Reply: !code.IsInitiate(), R: code.IsReject(), S: code.Enhanced(), Rev: mpa.Rev1,
		PDLength: uint16(privateData), PrivateData: c.PrivateData,
	}
	if f.S {
		f.Rev = mpa.Rev2
	}
	return f, code.IsInitiate() || code.IsAccept() || f.R
}
