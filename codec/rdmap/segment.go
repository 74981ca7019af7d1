package rdmap

// A DDP segment as RDMAP sees it, RFC 5040, section 4:
//
//	offset  tagged                  untagged
//	     0  DDP control field       DDP control field
//	     1  RDMAP control field     RDMAP control field
//	     2  STag                    Invalidate STag
//	     6  TO                      QN
//	    10                          MSN
//	    14  body                    MO
//	    18                          body
//
// The body is ULP payload or an RDMAP header.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
)

// Header is the DDP header of a segment together with the RDMAP fields in it, 14 or 18 octets.
type Header struct {
	T              bool         // tagged: Tagged is the DDP header, else Untagged is
	Tagged         ddp.Tagged   // zero if T is not set
	Untagged       ddp.Untagged // zero if T is set
	Control        Control      // RDMAP control field: the first octet of RsvdULP
	InvalidateSTag uint32       // the other octets of RsvdULP in an untagged header; valid if Opcode.HasInvalidateSTag
}

var (
	errTag          = ControlFields.Err("iwarp_rdma.opcode", field.ErrValue, "contradicts the T bit of the DDP header (RFC 5040, section 4.1)")
	errQN           = ddp.UntaggedFields.Err("iwarp_ddp.qn", field.ErrValue, "is not the queue of this opcode (RFC 5040, section 4.1)")
	errInvSTag      = ReservedFields.Err("iwarp_rdma.reserved", field.ErrValue, "must be zero in this message (RFC 5040, section 4.1)")
	errInvSTagRange = InvalidateSTagFields.Err("iwarp_rdma.inval_stag", field.ErrRange, "")
)

// Decode reads the first 14 or 18 octets of b, as its T bit says, and returns their number. If b is shorter it
// returns len(b) and an error that wraps field.ErrShort and names the first incomplete field; the fields
// before it are valid. Two octets are enough for Control.
func (h *Header) Decode(b []byte) (n int, err error) {
	if ddp.IsTagged(b) {
		h.T, h.Untagged, h.InvalidateSTag = true, ddp.Untagged{}, 0
		n, err = h.Tagged.Decode(b)
		h.Control = controlOf(h.Tagged.RsvdULP)
	} else {
		h.T, h.Tagged = false, ddp.Tagged{}
		n, err = h.Untagged.Decode(b)
		h.Control = controlOf(byte(h.Untagged.RsvdULP >> 32))
		h.InvalidateSTag = uint32(h.Untagged.RsvdULP)
	}
	if err != nil {
		err = h.short(n, err)
	}
	return n, err
}

// short is the error for a header that ends after n octets: err, unless that is within the RDMAP fields.
func (h *Header) short(n int, err error) error {
	switch {
	case n == ControlOff:
		return ControlFields.Short(0)
	case n < InvalidateSTagOff || h.T || n >= InvalidateSTagOff+4:
		return err
	}
	return h.Control.Opcode.stagFields().Short(n - InvalidateSTagOff)
}

// stagFields describes the four octets after the control octet of an untagged header.
func (o Opcode) stagFields() *field.Table {
	if o.HasInvalidateSTag() {
		return InvalidateSTagFields
	}
	return ReservedFields
}

// AppendBinary appends the header to b. Control and InvalidateSTag replace RsvdULP of the DDP header, which is
// ignored. It fails, with an error that wraps field.ErrRange, only if a value exceeds its field; a tagged header
// has no room for an InvalidateSTag other than zero.
func (h *Header) AppendBinary(b []byte) ([]byte, error) {
	octet, ok := h.Control.Octet()
	if !ok {
		return b, h.Control.rangeError()
	}
	if h.T {
		if h.InvalidateSTag != 0 {
			return b, errInvSTagRange
		}
		tagged := h.Tagged
		tagged.RsvdULP = octet
		return tagged.AppendBinary(b)
	}
	untagged := h.Untagged
	untagged.RsvdULP = uint64(octet)<<32 | uint64(h.InvalidateSTag)
	return untagged.AppendBinary(b)
}

// Len returns the number of octets that AppendBinary writes: 14 if T is set, else 18.
func (h *Header) Len() int {
	if h.T {
		return ddp.TaggedLen
	}
	return ddp.UntaggedLen
}

// L returns the L bit of the DDP header: this is the last segment of its message.
func (h *Header) L() bool {
	if h.T {
		return h.Tagged.L
	}
	return h.Untagged.L
}

// DV returns the DDP version.
func (h *Header) DV() uint8 {
	if h.T {
		return h.Tagged.DV
	}
	return h.Untagged.DV
}

// Check reports what a sender must not send on any stream: what the Check of the DDP header and of Control report, an opcode
// that contradicts the T bit or the QN, or an Invalidate STag where it must be zero. The error wraps field.ErrValue and names
// the field.
func (h *Header) Check() error {
	var err error
	if h.T {
		err = h.Tagged.Check()
	} else {
		err = h.Untagged.Check()
	}
	if err == nil {
		err = h.Control.Check()
	}
	if err != nil {
		return err
	}
	switch d := h.Control.Opcode.Descriptor(); {
	case d.T != h.T:
		return errTag
	case !d.T && d.QN != h.Untagged.QN:
		return errQN
	case d.Use&Invalidates == 0 && h.InvalidateSTag != 0:
		return errInvSTag
	}
	return nil
}

// Segment is one DDP segment: a whole ULPDU, or what there is of one that was cut.
type Segment struct {
	Header
	Body []byte // what follows the header: ULP payload or an RDMAP header; aliases the input of Decode
}

// Decode reads a ULPDU and returns its length. If b ends within the header it returns len(b) and an error that wraps
// field.ErrShort and names the first incomplete field; the fields before it are valid, and two octets are
// enough for Control. It does not look into the body.
func (s *Segment) Decode(b []byte) (n int, err error) {
	n, err = s.Header.Decode(b)
	s.Body = b[n:]
	return len(b), err
}

// AppendBinary appends the header, as [Header.AppendBinary] does, and the body.
func (s *Segment) AppendBinary(b []byte) ([]byte, error) {
	out, err := s.Header.AppendBinary(b)
	if err != nil {
		return b, err
	}
	return append(out, s.Body...), nil
}

// Len returns the number of octets that AppendBinary writes.
func (s *Segment) Len() int { return s.Header.Len() + len(s.Body) }

// Check reports what a sender must not send: what [Header.Check] reports, or a body that does not have the length
// of the opcode's RDMAP header. It is for segments that were captured whole. It takes a message with an RDMAP header to
// be in one segment.
func (s *Segment) Check() error {
	if err := s.Header.Check(); err != nil {
		return err
	}
	d := s.Control.Opcode.Descriptor()
	table := d.header()
	switch {
	case table == nil:
		return nil
	case len(d.Tail) == 0 && len(s.Body) > table.Len():
		return errTrailing
	}
	return table.Short(len(s.Body))
}

// BeginsRequest reports whether the segment is the first, or the only one, of a Read or Atomic Request. A segment that has
// the whole RDMAP header is the only one, whatever MO it states.
func (s *Segment) BeginsRequest() bool {
	return s.Control.Opcode.has(asks) && s.beginsUntagged()
}

func (s *Segment) beginsUntagged() bool {
	return !s.T && (s.Untagged.MO == 0 || s.L() && len(s.Body) >= s.Control.Opcode.RDMAPHeaderLen())
}

// CheckBody reports whether the body of a whole segment is too short for what it begins with: the RDMAP header of its
// opcode or, in a Terminate, the headers that its D and R bits announce. The error wraps field.ErrShort
// and names the first incomplete field. Segments of a message after the first have no header.
func (s *Segment) CheckBody() error {
	if s.T || s.Untagged.MO != 0 || !s.Control.Opcode.has(headed) {
		return nil
	}
	table := s.Control.Opcode.Descriptor().header()
	if err := table.Short(len(s.Body)); err != nil || table != TerminateFields {
		return err
	}
	var t Terminate
	t.Decode(s.Body)
	if t.Form() != HeaderCut {
		return nil
	}
	if reading := ReadingOf(s.Body, len(s.Body)); reading == ReadingSwapped {
		return nil // it announces other headers
	}
	return errHeaderCut
}

var errHeaderCut = &field.Error{Header: TerminateFields.Name, Field: "Terminated DDP Header", Reason: field.ErrShort}

// PayloadLen returns the octets of ULP payload in a segment whose ULPDU has ulpdu octets, as MPA states it, captured or
// not. A message with an RDMAP header carries no ULP payload, except that the 8 octets of Immediate Data belong to the
// ULP. What an unknown opcode carries counts as payload.
//
// MO and TO advance by another number: the length of the ULPDU less Header.Len, whatever the opcode.
func (s *Segment) PayloadLen(ulpdu int) int {
	if o := s.Control.Opcode; o.has(headed) && !o.has(Data) {
		return 0
	}
	return max(0, ulpdu-s.Header.Len())
}
