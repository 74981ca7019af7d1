package nvme

// The layout of capsules: NVM Express over Fabrics 1.1.
//
//	offset  command capsule                        response capsule
//	     0  Opcode, flags, Command Identifier      Dwords 0 and 1
//	     4  Namespace Identifier; FCTYPE
//	     8  Dwords 2 and 3; Metadata Pointer       SQ Head Pointer, SQ Identifier
//	    12                                         Command Identifier, Status
//	    24  SGL1
//	    40  Dwords 10 to 15: parameters
//	    64  data, or more SGL descriptors

import "github.com/iwarpkit/iwarp/codec/field"

const (
	proto           = "nvme"
	transportSource = "NVM Express over Fabrics 1.1, section 7.3 (RDMA Transport)"
	fabricsSource   = "NVM Express over Fabrics 1.1, section 3 (Commands)"
	baseSource      = "NVM Express Base Specification 2.0"

	commandSetSource = "NVM Command Set Specification 1.0"
)

// Lengths and offsets in octets.
const (
	commandLen    = 64
	responseLen   = 16
	sglOff        = 24
	sglLen        = 16
	parametersOff = 40
)

// The numbers of NVMe are in little-endian order.
var (
	number = field.Little
	opaque = field.Opaque
	bits   = field.Bits
)

func word(name, label string, at int, base field.Base) field.Field {
	return number(name, label, at, 2, base)
}

// The first 24 octets of a command. The name of an OPC depends on the queue.
var (
	adminCommand = commandTable("NVMe Admin command", adminCommands[:])
	ioCommand    = commandTable("NVMe I/O command", ioCommands[:])
)

func commandTable(header string, names []string) *field.Table {
	return field.NewTable(header, proto, baseSource+", Common Command Format",
		commandNumber("nvme.cmd.opc", "OPC", 0, names),
		bits("nvme.cmd.psdt", "PSDT", 1, 0, 2, field.Dec),
		bits("nvme.cmd.rsvd", "Reserved", 1, 2, 4, field.Hex),
		bits("nvme.cmd.fuse_op", "FUSE", 1, 6, 2, field.Dec),
		word("nvme.cmd.cid", "CID", 2, field.Hex).To(field.ToRun),
		number("nvme.cmd.nsid", "NSID", 4, 4, field.Dec),
		number("nvme.cmd.dword2", "CDW2", 8, 4, field.Hex),
		number("nvme.cmd.dword3", "CDW3", 12, 4, field.Hex),
		number("nvme.cmd.mptr", "MPTR", 16, 8, field.Hex),
	)
}

// commandNumber is an octet with the number of a command.
func commandNumber(name, label string, at int, names []string) field.Field {
	return number(name, label, at, 1, field.Hex).Named(
		func(v uint64) string { return messageName(names[byte(v)], byte(v)) }, field.Listed(names))
}

// fabricsCommand describes the first 24 octets of a Fabrics command.
var fabricsCommand = field.NewTable("NVMe Fabrics command", proto, fabricsSource,
	commandNumber("nvme.cmd.opc", "OPC", 0, fabricsOpcode[:]),
	bits("nvme.cmd.psdt", "PSDT", 1, 0, 2, field.Dec),
	bits("nvme.cmd.rsvd", "Reserved", 1, 2, 6, field.Hex),
	word("nvme.cmd.cid", "CID", 2, field.Hex).To(field.ToRun),
	commandNumber("nvme.fabrics.cmd.fctype", "FCTYPE", 4, fabricsCommands[:]),
	opaque("nvme.fabrics.cmd.rsvd", "Reserved", 5, 19),
)

// The fields of all command capsules.
var (
	opcode   = ioCommand.Lookup("nvme.cmd.opc")
	psdt     = ioCommand.Lookup("nvme.cmd.psdt")
	reserved = ioCommand.Lookup("nvme.cmd.rsvd")
	fuse     = ioCommand.Lookup("nvme.cmd.fuse_op")
	cid      = ioCommand.Lookup("nvme.cmd.cid")
	nsid     = ioCommand.Lookup("nvme.cmd.nsid")
	fctype   = fabricsCommand.Lookup("nvme.fabrics.cmd.fctype")
)

// completion describes a response capsule.
var completion = field.NewTable("NVMe completion", proto, baseSource+", Common Completion Queue Entry",
	number("nvme.cqe.dword0", "DW0", 0, 4, field.Hex),
	number("nvme.cqe.dword1", "DW1", 4, 4, field.Hex),
	word("nvme.cqe.sqhd", "SQHD", 8, field.Dec).To(field.ToSequence),
	word("nvme.cqe.sqid", "SQID", 10, field.Dec),
	word("nvme.cqe.cid", "CID", 12, field.Hex).To(field.ToRun),
	word("nvme.cqe.status", "Status", 14, field.Hex).Named(
		func(v uint64) string { return statusOf(v).String() }, namedStatuses),
)

var (
	responseDW0    = completion.Lookup("nvme.cqe.dword0")
	responseCID    = completion.Lookup("nvme.cqe.cid")
	responseStatus = completion.Lookup("nvme.cqe.status")
	responseSQHead = completion.Lookup("nvme.cqe.sqhd")
)
