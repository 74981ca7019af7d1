// Package association reads the SCTP packets of an association (RFC 9260): their chunks, and for each direction the
// user messages that DATA chunks carry, each once and reassembled from its fragments.
//
//	var h association.Half
//	var m association.Message
//	h.Expect(tsn)
//	if h.Push(&data, place, &m) {
//		fmt.Printf("%q\n", m.Data)
//	}
//
// It does not order messages: the adaptation layer of DDP sends all of them unordered, and numbers them itself. Packets
// may be hostile; memory per direction is bounded.
package association

import "encoding/binary"

// Type is the type of a chunk.
type Type uint8

// The types of chunks that matter here (RFC 9260, section 3.2).
const (
	TypeData             Type = 0
	TypeInit             Type = 1
	TypeInitAck          Type = 2
	TypeSACK             Type = 3
	TypeAbort            Type = 6
	TypeShutdown         Type = 7
	TypeShutdownAck      Type = 8
	TypeShutdownComplete Type = 14
)

// A Chunk is one chunk of a packet:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+---------------+-------------------------------+
//	|     Type      |     Flags     |            Length             |
//	+---------------+---------------+-------------------------------+
//	|                             Value                             |
//	:                                                               :
//	+---------------------------------------------------------------+
type Chunk struct {
	Type    Type
	Flags   byte
	Value   []byte // captured octets after Length, without padding; aliases the packet
	Missing int    // octets after them that were sent and not captured
}

const chunkHeaderLen = 4

// A Reader yields the chunks of a packet.
type Reader struct {
	octets  []byte
	missing int
}

// NewReader returns a Reader of the octets after the common header of a packet, of which missing more were sent and not
// captured.
func NewReader(octets []byte, missing int) Reader { return Reader{octets, missing} }

// Next reads the next chunk. It is false if there is none: none is left, the capture has cut its header, or its Length
// cannot be.
func (r *Reader) Next(c *Chunk) bool {
	b := r.octets
	if len(b) < chunkHeaderLen {
		return false
	}
	length := int(binary.BigEndian.Uint16(b[2:]))
	if length < chunkHeaderLen || length > len(b)+r.missing {
		r.octets = nil
		return false
	}
	*c = Chunk{Type: Type(b[0]), Flags: b[1], Value: b[chunkHeaderLen:min(length, len(b))]}
	c.Missing = max(0, length-len(b))
	r.octets = b[min((length+3)&^3, len(b)):]
	return true
}

// Data is a DATA chunk (RFC 9260, section 3.3.1):
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+-------+-+-+-+-+-------------------------------+
//	|   Type = 0    |  Res  |I|U|B|E|            Length             |
//	+---------------+-------+-+-+-+-+-------------------------------+
//	|                              TSN                              |
//	+-------------------------------+-------------------------------+
//	|       Stream Identifier       |    Stream Sequence Number     |
//	+-------------------------------+-------------------------------+
//	|                  Payload Protocol Identifier                  |
//	+---------------------------------------------------------------+
//	:                           User Data                           :
//	+---------------------------------------------------------------+
type Data struct {
	TSN        uint32
	Stream     uint16
	PPID       uint32
	Ordered    bool // U is clear
	Begin, End bool // it is the first, and the last, fragment of its message
	UserData   []byte
	Missing    int // octets after them that were sent and not captured
}

const dataLen = 12 // octets of a DATA chunk between Length and User Data

// Decode reads a DATA chunk. It is false if c is none, or its header was not captured.
func (d *Data) Decode(c *Chunk) bool {
	if c.Type != TypeData || len(c.Value) < dataLen {
		return false
	}
	*d = Data{
		TSN: binary.BigEndian.Uint32(c.Value), Stream: binary.BigEndian.Uint16(c.Value[4:]),
		PPID:    binary.BigEndian.Uint32(c.Value[8:]),
		Ordered: c.Flags&4 == 0, Begin: c.Flags&2 != 0, End: c.Flags&1 != 0,
		UserData: c.Value[dataLen:], Missing: c.Missing,
	}
	return true
}

// Init is what matters of an INIT or INIT ACK (RFC 9260, sections 3.3.2 and 3.3.3):
//
//	+---------------------------------------------------------------+
//	|                         Initiate Tag                          |
//	+---------------------------------------------------------------+
//	|           Advertised Receiver Window Credit (a_rwnd)          |
//	+-------------------------------+-------------------------------+
//	|  Number of Outbound Streams   |   Number of Inbound Streams   |
//	+-------------------------------+-------------------------------+
//	|                          Initial TSN                          |
//	+---------------------------------------------------------------+
//	:                          parameters                           :
//	+---------------------------------------------------------------+
type Init struct {
	Tag               uint32 // Verification Tag of the packets that the other side sends
	Outbound, Inbound uint16 // numbers of streams
	TSN               uint32 // of the first chunk that its sender sends
	Indicated         bool   // there is an Adaptation Layer Indication (RFC 5061, section 4.2.6)
	Indication        uint32 // its value
	Cut               bool   // the capture has cut the parameters: there may be an indication
}

const (
	initLen             = 16
	parameterAdaptation = 0xc006
)

// Decode reads an INIT or INIT ACK. It is false if c is neither, or too little of it was captured.
func (i *Init) Decode(c *Chunk) bool {
	if c.Type != TypeInit && c.Type != TypeInitAck || len(c.Value) < initLen {
		return false
	}
	b := c.Value
	*i = Init{
		Tag: binary.BigEndian.Uint32(b), Outbound: binary.BigEndian.Uint16(b[8:]), Inbound: binary.BigEndian.Uint16(b[10:]),
		TSN: binary.BigEndian.Uint32(b[12:]), Cut: c.Missing > 0,
	}
	for b = b[initLen:]; len(b) >= chunkHeaderLen; {
		length := int(binary.BigEndian.Uint16(b[2:]))
		if length < chunkHeaderLen {
			break
		}
		if binary.BigEndian.Uint16(b) == parameterAdaptation && length == 8 && len(b) >= 8 {
			i.Indicated, i.Indication = true, binary.BigEndian.Uint32(b[4:])
		}
		b = b[min((length+3)&^3, len(b)):]
	}
	return true
}

// SACK is what a SACK acknowledges (RFC 9260, section 3.3.4).
type SACK struct {
	Cumulative uint32 // all up to this TSN
	Highest    uint32 // the highest TSN that it names, after gaps perhaps
}

const sackLen = 12

// Decode reads a SACK. It is false if c is none, or too little of it was captured.
func (s *SACK) Decode(c *Chunk) bool {
	if c.Type != TypeSACK || len(c.Value) < sackLen {
		return false
	}
	b := c.Value
	s.Cumulative = binary.BigEndian.Uint32(b)
	s.Highest = s.Cumulative
	blocks := int(binary.BigEndian.Uint16(b[8:]))
	for b = b[sackLen:]; blocks > 0 && len(b) >= 4; blocks, b = blocks-1, b[4:] {
		if end := s.Cumulative + uint32(binary.BigEndian.Uint16(b[2:])); int32(end-s.Highest) > 0 {
			s.Highest = end
		}
	}
	return true
}

// ShutdownTSN is the cumulative TSN that a SHUTDOWN acknowledges; ok is false if c is none or cut.
func ShutdownTSN(c *Chunk) (tsn uint32, ok bool) {
	if c.Type != TypeShutdown || len(c.Value) < 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(c.Value), true
}
