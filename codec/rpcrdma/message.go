package rpcrdma

import "iter"

// Messages of any dialect in one type, for code that follows a connection.

// Form is the purpose of a message, from its rdma_proc or rdma_htype.
type Form uint8

// The forms.
const (
	FormUnknown    Form = iota // the dialect does not define the type
	FormInline                 // the RPC message or a part of it follows the header, except for what the chunks hold
	FormBody                   // a chunk holds the RPC message: Position Zero Read chunk, Call chunk or Reply chunk
	FormError                  // a message was not accepted
	FormProperties             // transport properties
	FormGrant                  // credits, and nothing else
	FormDone                   // RDMA_DONE of version 1
)

// Role is the part that the sender of a message has in its RPC. Either end of a connection may be a Requester (RFC 8167).
type Role uint8

// The roles.
const (
	RoleNone  Role = iota // the message belongs to no RPC, or does not tell
	Requester             // it belongs to a Call
	Responder             // it belongs to a Reply, or is an RDMA_ERROR, which stands for one
)

// Message is an RPC-over-RDMA message of any dialect: its header, and what follows it. Fields that the dialect or the
// form does not have are zero.
type Message struct {
	Dialect   Dialect // in which it was read
	XID       uint32
	Vers      uint32
	Credit    uint32 // as it stands there; see [Message.Granted]
	Kind      uint32 // rdma_proc or rdma_htype
	Form      Form
	Role      Role
	Flags     Flags // Version2
	More      bool  // another message goes on with the RPC message, or with the properties
	Remaining uint32

	InvHandle uint32
	Call      ReadList   // Draft2022: the Call chunk; aliases the input of Decode, as the others do
	Reads     ReadList   // the Read list
	Writes    WriteList  // the Write list
	Reply     WriteChunk // the Reply chunk
	Error     Error2     // of a FormError; the codes of version 1 are the same numbers with other names
	Props     PropSet

	HeaderLen int    // octets of the header that were read
	Len       int    // octets of the message, as stated
	Payload   []byte // what follows the header, as far as it is there; aliases the input of Decode
	Cut       bool   // not all octets of the message are there
	Err       error  // why the header was read in part only; see the Decode of its dialect
}

// Decode reads the message of the given length in octets in dialect d; b holds the captured part of it. If the header is
// not whole or contradicts itself, Err says so, and the fields before the error are valid. Of [DialectUnknown] only the
// first four words are read.
func (m *Message) Decode(b []byte, length int, d Dialect) {
	*m = Message{Dialect: d, Len: length, Cut: len(b) < length}
	switch d {
	case DialectVersion2:
		m.decode2(b)
	case DialectDraft2022:
		m.decode2022(b)
	default:
		m.decode1(b, d)
	}
	if m.Err == nil {
		m.Payload = b[m.HeaderLen:]
	}
}

// decode1 reads version 1, and what any version begins with.
func (m *Message) decode1(b []byte, d Dialect) {
	var h Version1
	if d != DialectVersion1 {
		b = b[:min(len(b), commonLen)]
		m.HeaderLen, m.Err = h.Decode(b)
		if m.HeaderLen == commonLen {
			m.Err = nil
		}
		m.XID, m.Vers, m.Credit, m.Kind = h.XID, h.Vers, h.Credit, uint32(h.Proc)
		return
	}
	m.HeaderLen, m.Err = h.Decode(b)
	m.XID, m.Vers, m.Credit, m.Kind = h.XID, h.Vers, h.Credit, uint32(h.Proc)
	m.Reads, m.Writes, m.Reply = h.Reads, h.Writes, h.Reply
	m.Error = Error2{Err: ErrCode2(h.Err), VersLow: h.VersLow, VersHigh: h.VersHigh}
	m.Form = h.Proc.form()
	if m.Err != nil {
		return
	}
	if reply, ok := h.IsReply(b[m.HeaderLen:]); ok {
		m.Role = roleOf(reply)
	}
}

// decode2 reads draft 01 of version 2.
func (m *Message) decode2(b []byte) {
	var h Version2
	m.HeaderLen, m.Err = h.Decode(b)
	m.XID, m.Vers, m.Kind, m.Flags = h.XID, h.Vers, uint32(h.HType), h.Flags
	m.Credit = uint32(h.CreditMax)<<16 | uint32(h.CreditGrant)
	m.More = h.Flags&FlagMore != 0
	m.InvHandle, m.Reads, m.Writes, m.Reply = h.InvHandle, h.Reads, h.Writes, h.Reply
	m.Error, m.Props = h.Error, h.Props
	m.Form = h.HType.form()
	switch {
	case m.HeaderLen < Version2Len: // the flags are not there
	case m.Form == FormBody && h.IsCreditGrant() && m.Err == nil:
		m.Form = FormGrant
	case m.Form == FormError:
		m.Role = Responder
	case m.Form == FormInline, m.Form == FormBody:
		m.Role = roleOf(h.Flags&FlagResponse != 0)
	case m.Form == FormProperties:
		m.More = h.Flags&(FlagMore|FlagTPMore) != 0
	}
}

// decode2022 reads the draft of 2022.
func (m *Message) decode2022(b []byte) {
	var h Draft2022
	m.HeaderLen, m.Err = h.Decode(b)
	m.XID, m.Vers, m.Credit, m.Kind = h.XID, h.Vers, h.Credit, uint32(h.HType)
	m.More = h.HType.isMiddle() || h.HType == HType2022ConnPropMiddle
	m.Remaining, m.InvHandle = h.Remaining, h.InvHandle
	m.Call, m.Reads, m.Writes, m.Reply = h.Call, h.Reads, h.Writes, h.Reply
	m.Error, m.Props = h.Error, h.Props
	m.Form = h.HType.form()
	switch {
	case h.HType.IsCall():
		m.Role = Requester
	case h.HType.IsReply(), m.Form == FormError:
		m.Role = Responder
	}
}

func roleOf(reply bool) Role {
	if reply {
		return Responder
	}
	return Requester
}

func (p Proc) form() Form {
	switch p {
	case ProcMsg, ProcMsgP:
		return FormInline
	case ProcNoMsg:
		return FormBody
	case ProcDone:
		return FormDone
	case ProcError:
		return FormError
	}
	return FormUnknown
}

func (t HType) form() Form {
	switch t {
	case HTypeMsg:
		return FormInline
	case HTypeNoMsg:
		return FormBody
	case HTypeError:
		return FormError
	case HTypeConnProp:
		return FormProperties
	}
	return FormUnknown
}

func (t HType2022) form() Form {
	switch t {
	case HType2022Error:
		return FormError
	case HType2022Grant:
		return FormGrant
	case HType2022ConnPropMiddle, HType2022ConnPropFinal:
		return FormProperties
	case HType2022CallExternal, HType2022ReplyExternal:
		return FormBody
	case HType2022CallMiddle, HType2022CallInline, HType2022ReplyMiddle, HType2022ReplyInline:
		return FormInline
	}
	return FormUnknown
}

// KindName returns the name of the type in its dialect: "RDMA_MSG", "RDMA2_CONNPROP".
func (m *Message) KindName() string {
	switch m.Dialect {
	case DialectVersion2:
		return HType(m.Kind).String()
	case DialectDraft2022:
		return HType2022(m.Kind).String()
	}
	return Proc(m.Kind).String()
}

// ErrorName returns the name of the error in its dialect: "ERR_CHUNK", "RDMA2_ERR_BAD_XDR".
func (m *Message) ErrorName() string {
	if m.Dialect == DialectVersion1 {
		return ErrCode(m.Error.Err).String()
	}
	return m.Error.Err.String()
}

// Granted returns the two halves of rdma_credit in [DialectVersion2]: the most credits that can be outstanding at the
// sender, and those that it grants now. In the other dialects both are the whole word.
func (m *Message) Granted() (limit, granted uint32) {
	if m.Dialect == DialectVersion2 {
		return m.Credit >> 16, m.Credit & 0xffff
	}
	return m.Credit, m.Credit
}

// HasChunks reports whether any chunk list has an element.
func (m *Message) HasChunks() bool {
	return len(m.Call) != 0 || len(m.Reads) != 0 || len(m.Writes) != 0 || m.Reply.Present()
}

// ReadSegments yields every segment that is to be read: those of the Call chunk, then those of the Read list.
func (m *Message) ReadSegments() iter.Seq[ReadSegment] {
	return func(yield func(ReadSegment) bool) {
		for _, l := range [...]ReadList{m.Call, m.Reads} {
			for s := range l.Segments() {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// HasBody reports whether there is a chunk for the whole RPC message: of a Call in the Read list or the Call chunk, of a
// Reply the Reply chunk.
func (m *Message) HasBody() bool {
	if m.Role == Responder {
		return m.Reply.Present()
	}
	return m.Call.Has(0) || m.Reads.Has(0)
}

// AllSegments yields every segment in all lists: those that are to be read, then those of the Write list and the Reply chunk.
// It is an iter.Seq.
func (m *Message) AllSegments(yield func(Segment) bool) {
	for s := range m.ReadSegments() {
		if !yield(s.Segment) {
			return
		}
	}
	for c := range m.Writes.Chunks() {
		for s := range c.Segments() {
			if !yield(s) {
				return
			}
		}
	}
	m.Reply.Segments()(yield)
}

// Segments returns the number of segments in all lists.
func (m *Message) Segments() int {
	n := m.Call.Count() + m.Reads.Count() + m.Reply.Count()
	for c := range m.Writes.Chunks() {
		n += c.Count()
	}
	return n
}

// HasHandle reports whether a segment in any list has the handle.
func (m *Message) HasHandle(handle uint32) bool {
	for s := range m.AllSegments {
		if s.Handle == handle {
			return true
		}
	}
	return false
}
