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

// Fields are given by the offset of their first octet.
func number(name, label string, at, octets int, base field.Base) field.Field {
	return field.Field{Name: name, Label: label, Off: 8 * at, Width: 8 * octets, Base: base, LittleEndian: true}
}

func word(name, label string, at int, base field.Base) field.Field {
	return number(name, label, at, 2, base)
}

func opaque(name, label string, at, octets int) field.Field {
	return field.Field{Name: name, Label: label, Off: 8 * at, Width: 8 * octets, Base: field.Octets}
}

// CommandFields describes the first 24 octets of an Admin or I/O command.
var CommandFields = field.NewTable("NVMe command", proto, baseSource+", Common Command Format",
	number("nvme.cmd.opc", "OPC", 0, 1, field.Hex),
	field.Field{Name: "nvme.cmd.psdt", Label: "PSDT", Off: 8, Width: 2, Base: field.Dec},
	field.Field{Name: "nvme.cmd.rsvd", Label: "Reserved", Off: 10, Width: 4, Base: field.Hex},
	field.Field{Name: "nvme.cmd.fuse_op", Label: "FUSE", Off: 14, Width: 2, Base: field.Dec},
	word("nvme.cmd.cid", "CID", 2, field.Hex),
	number("nvme.cmd.nsid", "NSID", 4, 4, field.Dec),
	number("nvme.cmd.dword2", "CDW2", 8, 4, field.Hex),
	number("nvme.cmd.dword3", "CDW3", 12, 4, field.Hex),
	number("nvme.cmd.mptr", "MPTR", 16, 8, field.Hex),
)

// FabricsFields describes the first 24 octets of a Fabrics command.
var FabricsFields = field.NewTable("NVMe Fabrics command", proto, fabricsSource,
	number("nvme.cmd.opc", "OPC", 0, 1, field.Hex),
	field.Field{Name: "nvme.cmd.psdt", Label: "PSDT", Off: 8, Width: 2, Base: field.Dec},
	field.Field{Name: "nvme.cmd.rsvd", Label: "Reserved", Off: 10, Width: 6, Base: field.Hex},
	word("nvme.cmd.cid", "CID", 2, field.Hex),
	field.Field{Name: "nvme.fabrics.cmd.fctype", Label: "FCTYPE", Off: 32, Width: 8, Base: field.Hex,
		Names: func(v uint64) string { return messageName(fabricsCommands[byte(v)], byte(v)) }},
	opaque("nvme.fabrics.cmd.rsvd", "Reserved", 5, 19),
)

// The fields that all capsules of commands have.
var (
	opcode   = CommandFields.Lookup("nvme.cmd.opc")
	psdt     = CommandFields.Lookup("nvme.cmd.psdt")
	reserved = CommandFields.Lookup("nvme.cmd.rsvd")
	fuse     = CommandFields.Lookup("nvme.cmd.fuse_op")
	cid      = CommandFields.Lookup("nvme.cmd.cid")
	nsid     = CommandFields.Lookup("nvme.cmd.nsid")
	fctype   = FabricsFields.Lookup("nvme.fabrics.cmd.fctype")
)

// ResponseFields describes a response capsule.
var ResponseFields = field.NewTable("NVMe completion", proto, baseSource+", Common Completion Queue Entry",
	number("nvme.cqe.dword0", "DW0", 0, 4, field.Hex),
	number("nvme.cqe.dword1", "DW1", 4, 4, field.Hex),
	word("nvme.cqe.sqhd", "SQHD", 8, field.Dec),
	word("nvme.cqe.sqid", "SQID", 10, field.Dec),
	word("nvme.cqe.cid", "CID", 12, field.Hex),
	field.Field{Name: "nvme.cqe.status", Label: "Status", Off: 112, Width: 16, Base: field.Hex, LittleEndian: true,
		Names: func(v uint64) string { return statusOf(v).String() }},
)

var (
	responseCID    = ResponseFields.Lookup("nvme.cqe.cid")
	responseStatus = ResponseFields.Lookup("nvme.cqe.status")
	responseSQHead = ResponseFields.Lookup("nvme.cqe.sqhd")
)
