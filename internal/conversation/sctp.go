package conversation

// Conversations over SCTP (RFC 9260).

import (
	"encoding/binary"
	"hash/crc32"
)

// An Association makes a Conversation one over SCTP. Send then expects chunks, Connect records the four-way handshake, Ack a
// SACK, Finish a SHUTDOWN and Reset an ABORT. MSS is the number of octets of chunks per packet; the sequence numbers are TSNs.
type Association struct {
	Streams    [2][2]uint16 // outbound and inbound, per side
	Indication [2][]uint32  // Adaptation Layer Indications in INIT and INIT ACK
	Tag        [2]uint32    // Verification Tag of the packets that either side sends
}

// Over makes a Conversation that has not begun one over SCTP, in which both sides speak DDP.
func (c *Conversation) Over(a Association) *Conversation {
	c.association = &a
	return c
}

// DDP is the Association of two sides that speak DDP.
func DDP() Association {
	return Association{
		Streams:    [2][2]uint16{{10, 10}, {10, 10}},
		Indication: [2][]uint32{{1}, {1}},
		Tag:        [2]uint32{0x5e44e400, 0x0c11e417},
	}
}

// The types of chunks.
const (
	chunkData       = 0
	chunkInit       = 1
	chunkInitAck    = 2
	chunkSACK       = 3
	chunkAbort      = 6
	chunkShutdown   = 7
	chunkCookieEcho = 10
	chunkCookieAck  = 11
)

// Flags of DATA chunks.
const (
	FlagEnd       = 1
	FlagBegin     = 2
	FlagUnordered = 4
)

// Data makes a DATA chunk with the next TSN of one side.
func (c *Conversation) Data(from Side, stream uint16, ppid uint32, flags byte, userData []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, c.next[from])
	c.next[from]++
	b = binary.BigEndian.AppendUint16(b, stream)
	b = binary.BigEndian.AppendUint16(b, 0)
	b = binary.BigEndian.AppendUint32(b, ppid)
	return chunk(chunkData, flags, append(b, userData...))
}

func chunk(kind, flags byte, value []byte) []byte {
	b := binary.BigEndian.AppendUint16([]byte{kind, flags}, uint16(4+len(value)))
	b = append(b, value...)
	return append(b, make([]byte, -len(b)&3)...)
}

// associate records the four-way handshake.
func (c *Conversation) associate() *Conversation {
	const cookie = "cookie!!"
	c.chunks(Client, 0, c.init(Client, chunkInit, nil))
	c.chunks(Server, c.association.Tag[Server], c.init(Server, chunkInitAck, append([]byte{0, 7, 0, 12}, cookie...)))
	return c.chunk(Client, chunkCookieEcho, []byte(cookie)).chunk(Server, chunkCookieAck, nil)
}

// init makes an INIT or INIT ACK.
func (c *Conversation) init(from Side, kind byte, parameters []byte) []byte {
	a := c.association
	b := binary.BigEndian.AppendUint32(nil, a.Tag[1-from]) // for the packets of the other side
	b = binary.BigEndian.AppendUint32(b, 1<<16)
	b = binary.BigEndian.AppendUint16(b, a.Streams[from][0])
	b = binary.BigEndian.AppendUint16(b, a.Streams[from][1])
	b = binary.BigEndian.AppendUint32(b, c.next[from])
	b = append(b, parameters...)
	for _, indication := range a.Indication[from] {
		b = binary.BigEndian.AppendUint32(append(b, 0xc0, 6, 0, 8), indication)
	}
	return chunk(kind, 0, b)
}

// acknowledge makes the start of a SACK or SHUTDOWN: the latest TSN of the other side.
func (c *Conversation) acknowledge(from Side) []byte {
	return binary.BigEndian.AppendUint32(nil, c.next[1-from]-1)
}

// sack records a SACK for all that the other side has sent.
func (c *Conversation) sack(from Side) *Conversation {
	b := binary.BigEndian.AppendUint32(c.acknowledge(from), 1<<16)
	return c.chunk(from, chunkSACK, append(b, 0, 0, 0, 0))
}

// chunk records a packet with one chunk.
func (c *Conversation) chunk(from Side, kind byte, value []byte) *Conversation {
	return c.chunks(from, c.association.Tag[from], chunk(kind, 0, value))
}

// sendChunks records chunks, in one packet if they fit.
func (c *Conversation) sendChunks(from Side, b []byte) *Conversation {
	for len(b) > 0 {
		n := len(b)
		if n > c.MSS {
			n = (int(binary.BigEndian.Uint16(b[2:])) + 3) &^ 3
		}
		c.chunks(from, c.association.Tag[from], b[:n])
		b = b[n:]
	}
	return c
}

// chunks records a packet with a Verification Tag.
func (c *Conversation) chunks(from Side, tag uint32, b []byte) *Conversation {
	const commonLen = 12
	p := c.ipHeaders(from, 132, commonLen+len(b))
	at := len(p)
	p = binary.BigEndian.AppendUint16(p, c.Addr[from].Port())
	p = binary.BigEndian.AppendUint16(p, c.Addr[1-from].Port())
	p = binary.BigEndian.AppendUint32(p, tag)
	p = append(append(p, 0, 0, 0, 0), b...)
	crc := crc32.Checksum(p[at:], crc32.MakeTable(crc32.Castagnoli))
	binary.LittleEndian.PutUint32(p[at+8:], crc)
	return c.record(p)
}
