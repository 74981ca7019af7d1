package nvme

// The commands, with their names in the specifications.

import "strconv"

// A Command says which command a capsule carries.
type Command struct {
	QueueID     uint16 // 0 is the Admin Queue, which has commands of its own
	CommandID   uint16
	Opcode      uint8
	FabricsType uint8  // of a Fabrics command, whose Opcode is 7Fh, else 0
	NamespaceID uint32 // of all other commands
}

const (
	opFabrics = 0x7f

	opFlush = 0x00 // of I/O queues, as the next two
	opWrite = 0x01
	opRead  = 0x02

	opReservationRegister = 0x0d
	opReservationReport   = 0x0e
	opReservationAcquire  = 0x11
	opReservationRelease  = 0x15

	opIdentify    = 0x06 // of the Admin Queue, as the next two
	opSetFeatures = 0x09
	opAsyncEvent  = 0x0c
	opKeepAlive   = 0x18

	fcPropertySet = 0x00
	fcConnect     = 0x01
	fcPropertyGet = 0x04
	fcAuthSend    = 0x05
	fcAuthReceive = 0x06
)

// decode reads a command of a queue.
func (c *Command) decode(queue uint16, capsule []byte) {
	*c = Command{QueueID: queue, CommandID: uint16(cid.Number(capsule)), Opcode: uint8(opcode.Number(capsule))}
	if c.Opcode == opFabrics {
		c.FabricsType = uint8(fctype.Number(capsule))
	} else {
		c.NamespaceID = uint32(nsid.Number(capsule))
	}
}

// id joins a command with its completion.
func (c *Command) id() uint64 { return uint64(c.QueueID)<<16 | uint64(c.CommandID) }

// connects reports whether it is a Connect.
func (c *Command) connects() bool { return c.Opcode == opFabrics && c.FabricsType == fcConnect }

// standing reports whether the controller completes the command only when an event occurs.
func (c *Command) standing() bool { return c.QueueID == 0 && c.Opcode == opAsyncEvent }

// task is a number for the command: of the Admin Queue others than of I/O queues, except for Fabrics commands.
func (c *Command) task() uint64 {
	task := uint64(c.Opcode)<<8 | uint64(c.FabricsType)
	if c.QueueID == 0 && c.Opcode != opFabrics {
		task |= 1 << 16
	}
	return task
}

// moves reports whether the command reads or writes all of its data.
func (c *Command) moves() bool { return c.QueueID != 0 && (c.Opcode == opRead || c.Opcode == opWrite) }

// optional reports whether a controller need not have the command of an I/O queue.
func (c *Command) optional() bool {
	return c.Opcode != opFlush && c.Opcode != opWrite && c.Opcode != opRead
}

// reserves reports whether the command of an I/O queue is about reservations.
func (c *Command) reserves() bool {
	switch c.Opcode {
	case opReservationRegister, opReservationReport, opReservationAcquire, opReservationRelease:
		return true
	}
	return false
}

// namePrefix begins the names of commands in the tables. The names of transactions keep it, those of messages drop it, and
// neither allocates.
const namePrefix = "NVMe "

// Name returns the name of the command, "NVMe Read", or its number, "NVMe Opcode 0xc1".
func (c *Command) Name() string {
	name, number := ioCommands[c.Opcode], c.Opcode
	switch {
	case c.Opcode == opFabrics:
		name, number = fabricsCommands[c.FabricsType], c.FabricsType
	case c.QueueID == 0:
		name = adminCommands[c.Opcode]
	}
	if name == "" {
		return namePrefix + messageName(name, number)
	}
	return name
}

// messageName returns a name without its prefix, or the number of a command that has none.
func messageName(name string, number uint8) string {
	if name == "" {
		return "Opcode 0x" + strconv.FormatUint(uint64(number)|0x100, 16)[1:]
	}
	return name[len(namePrefix):]
}

// adminCommands are the names of Admin commands: NVM Express Base Specification 2.0, Opcodes for Admin Commands.
var adminCommands = [256]string{
	0x00: "NVMe Delete I/O Submission Queue",
	0x01: "NVMe Create I/O Submission Queue",
	0x02: "NVMe Get Log Page",
	0x04: "NVMe Delete I/O Completion Queue",
	0x05: "NVMe Create I/O Completion Queue",
	0x06: "NVMe Identify",
	0x08: "NVMe Abort",
	0x09: "NVMe Set Features",
	0x0a: "NVMe Get Features",
	0x0c: "NVMe Asynchronous Event Request",
	0x0d: "NVMe Namespace Management",
	0x10: "NVMe Firmware Commit",
	0x11: "NVMe Firmware Image Download",
	0x14: "NVMe Device Self-test",
	0x15: "NVMe Namespace Attachment",
	0x18: "NVMe Keep Alive",
	0x19: "NVMe Directive Send",
	0x1a: "NVMe Directive Receive",
	0x1c: "NVMe Virtualization Management",
	0x1d: "NVMe NVMe-MI Send",
	0x1e: "NVMe NVMe-MI Receive",
	0x20: "NVMe Capacity Management",
	0x24: "NVMe Lockdown",
	0x7c: "NVMe Doorbell Buffer Config",
	0x80: "NVMe Format NVM",
	0x81: "NVMe Security Send",
	0x82: "NVMe Security Receive",
	0x84: "NVMe Sanitize",
	0x86: "NVMe Get LBA Status",
}

// ioCommands are the names of the commands of the NVM Command Set and, from 79h on, of zoned namespaces: NVM Command
// Set Specification 1.0; Zoned Namespace Command Set Specification 1.1.
var ioCommands = [256]string{
	0x00:                  "NVMe Flush",
	0x01:                  "NVMe Write",
	0x02:                  "NVMe Read",
	0x04:                  "NVMe Write Uncorrectable",
	0x05:                  "NVMe Compare",
	0x08:                  "NVMe Write Zeroes",
	0x09:                  "NVMe Dataset Management",
	0x0c:                  "NVMe Verify",
	opReservationRegister: "NVMe Reservation Register",
	opReservationReport:   "NVMe Reservation Report",
	opReservationAcquire:  "NVMe Reservation Acquire",
	opReservationRelease:  "NVMe Reservation Release",
	0x19:                  "NVMe Copy",
	0x79:                  "NVMe Zone Management Send",
	0x7a:                  "NVMe Zone Management Receive",
	0x7d:                  "NVMe Zone Append",
}

// fabricsOpcode has the name of the Opcode of all Fabrics commands.
var fabricsOpcode = [256]string{opFabrics: "NVMe Fabrics"}

// fabricsCommands are the names of Fabrics commands by FCTYPE: NVM Express over Fabrics 1.1, section 3.
var fabricsCommands = [256]string{
	fcPropertySet: "NVMe Property Set",
	fcConnect:     "NVMe Connect",
	fcPropertyGet: "NVMe Property Get",
	fcAuthSend:    "NVMe Authentication Send",
	fcAuthReceive: "NVMe Authentication Receive",
	0x08:          "NVMe Disconnect",
}
