package service

// The messages of the service conform. Each begins with a command, whose code says what follows.

import (
	"encoding/binary"
	"errors"
	"strconv"

	"github.com/iwarpkit/iwarp/rnicsim"
)

// The errors of the messages of the service conform.
var (
	ErrConformCommand = errors.New("service: unknown command of the service conform")
	ErrConformShort   = errors.New("service: a message of the service conform is too short")
)

// A ConformCode identifies a command.
type ConformCode uint8

// The commands.
const (
	DoQuiet      ConformCode = 0x00 // nothing happens
	DoEcho       ConformCode = 0x01 // the message goes back
	DoReport     ConformCode = 0x02 // a ConformReport goes back
	DoWrite      ConformCode = 0x10 // RDMA Writes
	DoRead       ConformCode = 0x11 // RDMA Reads
	DoFetchAdd   ConformCode = 0x12
	DoCmpSwap    ConformCode = 0x13
	DoSend       ConformCode = 0x14 // messages
	DoImmediate  ConformCode = 0x15 // Immediate Data
	DoBind       ConformCode = 0x16 // makes the Memory Window Valid
	DoInvalidate ConformCode = 0x17 // makes an STag Invalid
	DoClose      ConformCode = 0x20 // closes the connection gracefully
	DoAbort      ConformCode = 0x21 // resets it
	DoTerminate  ConformCode = 0x22 // sends a Terminate
	DoRevoke     ConformCode = 0x23 // deregisters a region
	DoHold       ConformCode = 0x24 // posts no more Receives
)

// A conformForm is the name and the length of a command.
type conformForm struct {
	name   string
	length int // octets
}

var conformForms = map[ConformCode]conformForm{
	DoQuiet:      {"quiet", 4},
	DoEcho:       {"echo", 4},
	DoReport:     {"report", 4},
	DoWrite:      {"write", 24},
	DoRead:       {"read", 24},
	DoFetchAdd:   {"fetchadd", 40},
	DoCmpSwap:    {"cmpswap", 56},
	DoSend:       {"send", 16},
	DoImmediate:  {"immediate", 12},
	DoBind:       {"bind", 16},
	DoInvalidate: {"invalidate", 16},
	DoClose:      {"close", 4},
	DoAbort:      {"abort", 4},
	DoTerminate:  {"terminate", 4},
	DoRevoke:     {"revoke", 4},
	DoHold:       {"hold", 4},
}

// conformLen is the length of the longest command in octets.
const conformLen = 56

// String returns "quiet", "echo" and so on, and "Command" with a number for others.
func (c ConformCode) String() string {
	if f, ok := conformForms[c]; ok {
		return f.name
	}
	return "Command" + strconv.Itoa(int(c))
}

// hasAnswer reports whether the command can ask for an answer: quiet, echo and report cannot.
func (c ConformCode) hasAnswer() bool { return c >= DoWrite }

// The flags of a command.
const (
	FlagAnswer     = 0x01 // answer when the command is done
	FlagSolicited  = 0x02 // of send and immediate: with Solicited Event
	FlagInvalidate = 0x04 // of send: invalidate STag; of read: the sink is in the region volatile, and becomes Invalid
	FlagFence      = 0x08 // of write and send: wait until earlier RDMA Reads are complete; of invalidate: until all earlier work is
	FlagRead       = 0x02 // of bind: the peer may read
	FlagWrite      = 0x04 // of bind: the peer may write
)

// A ConformCommand is a command to the service conform. Code decides which fields count.
type ConformCommand struct {
	Code   ConformCode
	Flags  uint8
	Count  uint16 // operations; of revoke and bind: a ConformRegion
	Length uint32 // octets of each
	Offset uint32 // octets, in the region data, or in that of bind
	STag   rnicsim.STag
	TO     uint64

	// FetchAdd: the addend and its mask. CmpSwap: the new value, its mask, the value to compare with, its mask.
	// Immediate Data: the Data.
	Operands [4]uint64
}

// Len returns the length of the command in octets, or 4 if there is no such command.
func (c *ConformCommand) Len() int { return max(4, conformForms[c.Code].length) }

// Decode reads a command from the first octets of a message and returns how many it took. A message of fewer than 4
// octets is DoQuiet. It fails with ErrConformCommand, or with ErrConformShort if there are fewer octets than the
// command has; then Code and Flags are valid.
func (c *ConformCommand) Decode(b []byte) (n int, err error) {
	*c = ConformCommand{}
	if len(b) < 4 {
		return len(b), nil
	}
	c.Code, c.Flags, c.Count = ConformCode(b[0]), b[1], binary.BigEndian.Uint16(b[2:])
	f, ok := conformForms[c.Code]
	switch {
	case !ok:
		return 0, ErrConformCommand
	case len(b) < f.length:
		return 4, ErrConformShort
	}
	var whole [conformLen]byte
	copy(whole[:], b[:f.length])
	c.decode(&whole)
	return f.length, nil
}

// decode decodes what follows the first 4 octets. Octets that the command does not have are zero.
func (c *ConformCommand) decode(b *[conformLen]byte) {
	if c.Code == DoImmediate {
		c.Operands[0] = binary.BigEndian.Uint64(b[4:])
		return
	}
	c.Length = binary.BigEndian.Uint32(b[4:])
	c.Offset = binary.BigEndian.Uint32(b[8:])
	c.STag = rnicsim.STag(binary.BigEndian.Uint32(b[12:]))
	c.TO = binary.BigEndian.Uint64(b[16:])
	for i := range c.Operands {
		c.Operands[i] = binary.BigEndian.Uint64(b[24+8*i:])
	}
}

// AppendBinary appends the octets of the command to b. It fails with ErrConformCommand.
func (c *ConformCommand) AppendBinary(b []byte) ([]byte, error) {
	f, ok := conformForms[c.Code]
	if !ok {
		return b, ErrConformCommand
	}
	begin := len(b)
	b = append(b, byte(c.Code), c.Flags)
	b = binary.BigEndian.AppendUint16(b, c.Count)
	if c.Code == DoImmediate {
		return binary.BigEndian.AppendUint64(b, c.Operands[0]), nil
	}
	b = binary.BigEndian.AppendUint32(b, c.Length)
	b = binary.BigEndian.AppendUint32(b, c.Offset)
	b = binary.BigEndian.AppendUint32(b, uint32(c.STag))
	b = binary.BigEndian.AppendUint64(b, c.TO)
	for _, v := range c.Operands {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	return b[:begin+f.length], nil
}
