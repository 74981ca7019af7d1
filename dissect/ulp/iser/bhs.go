package iser

// Basic Header Segments of iSCSI PDUs: RFC 7143, section 11.
//
//	offset
//	     0  reserved bit, I, Opcode (6 bits)
//	     1  flags of the opcode
//	     4  TotalAHSLength (words of 4 octets)
//	     5  DataSegmentLength (octets, without padding)
//	     8  LUN, or fields of the opcode
//	    16  Initiator Task Tag
//	    20  fields of the opcode
//	    48  Additional Header Segments, then data

import (
	"slices"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/field"
)

// bhsLen is the length of a Basic Header Segment in octets.
const bhsLen = 48

// noTag is the Initiator or Target Task Tag that means none.
const noTag = 0xffffffff

// An Opcode is the type of an iSCSI PDU, 6 bits.
type Opcode uint8

// The opcodes of RFC 7143, section 11.2.1.2.
const (
	OpNOPOut       Opcode = 0x00
	OpSCSICommand  Opcode = 0x01
	OpTaskRequest  Opcode = 0x02
	OpLoginRequest Opcode = 0x03
	OpTextRequest  Opcode = 0x04
	OpDataOut      Opcode = 0x05
	OpLogoutReq    Opcode = 0x06
	OpSNACKRequest Opcode = 0x10

	OpNOPIn         Opcode = 0x20
	OpSCSIResponse  Opcode = 0x21
	OpTaskResponse  Opcode = 0x22
	OpLoginResponse Opcode = 0x23
	OpTextResponse  Opcode = 0x24
	OpDataIn        Opcode = 0x25
	OpLogoutResp    Opcode = 0x26
	OpR2T           Opcode = 0x31
	OpAsync         Opcode = 0x32
	OpReject        Opcode = 0x3f
)

// opcodeNames are the names of the PDUs.
var opcodeNames = [64]string{
	OpNOPOut:       "NOP-Out",
	OpSCSICommand:  "SCSI Command",
	OpTaskRequest:  "Task Management Function Request",
	OpLoginRequest: "Login Request",
	OpTextRequest:  "Text Request",
	OpDataOut:      "SCSI Data-Out",
	OpLogoutReq:    "Logout Request",
	OpSNACKRequest: "SNACK Request",

	OpNOPIn:         "NOP-In",
	OpSCSIResponse:  "SCSI Response",
	OpTaskResponse:  "Task Management Function Response",
	OpLoginResponse: "Login Response",
	OpTextResponse:  "Text Response",
	OpDataIn:        "SCSI Data-In",
	OpLogoutResp:    "Logout Response",
	OpR2T:           "R2T",
	OpAsync:         "Asynchronous Message",
	OpReject:        "Reject",
}

// Known reports whether RFC 7143 defines the opcode.
func (o Opcode) Known() bool { return o < 64 && opcodeNames[o] != "" }

// FromTarget reports whether targets send it; if not, initiators do.
func (o Opcode) FromTarget() bool { return o&0x20 != 0 }

// String returns the name of the PDU, "SCSI Command", or its number, "Opcode 0x1d".
func (o Opcode) String() string {
	if !o.Known() {
		return "Opcode 0x" + strconv.FormatUint(uint64(o)|0x100, 16)[1:]
	}
	return opcodeNames[o]
}

// The fields of all PDUs.
var (
	pduOpcode = bits("iscsi.opcode", "Opcode", 0, 2, 6, field.Hex).Named(
		func(v uint64) string { return Opcode(v).String() }, field.Listed(opcodeNames[:]))
	ahsLength  = number("iscsi.totalahslength", "TotalAHSLength", 4, 1, field.Dec)
	dataLength = number("iscsi.datasegmentlength", "DataSegmentLength", 5, 3, field.Dec)
	itt        = number("iscsi.initiatortasktag", "Initiator Task Tag", 16, 4, field.Hex).To(field.ToRun)
)

// A pdu is a PDU and its table.
type pdu struct {
	op    Opcode
	table *field.Table
}

// bhs makes the table of a PDU from its own fields: octets 1 to 3, octets 8 to 15, and those from 20 on.
func bhs(op Opcode, section string, flags, lun, rest []field.Field) pdu {
	first := []field.Field{flag("iscsi.reserved", "Reserved", 0), flag("iscsi.I", "I", 1), pduOpcode}
	return pdu{op, field.NewTable("iSCSI "+opcodeNames[op], "iscsi", "RFC 7143, section 11."+section,
		slices.Concat(first, flags, []field.Field{ahsLength, dataLength}, lun, []field.Field{itt}, rest)...)}
}

// code is an enumeration. at is an octet, off and width are in bits.
func code(name, label string, at, off, width int, names *field.Enum) field.Field {
	return bits(name, label, at, off, width, field.Hex).Of(names)
}

// finalFlags are octets 1 to 3: F, and rest in octets 2 and 3, which are reserved without it.
func finalFlags(rest ...field.Field) []field.Field {
	fields := []field.Field{flag("iscsi.F", "F", 8), bits("iscsi.otherflags", "Other flags", 1, 1, 7, field.Hex)}
	if len(rest) == 0 {
		return append(fields, opaque("iscsi.rsvd1", "Reserved", 2, 2))
	}
	return append(fields, rest...)
}

func lunOctets() []field.Field { return []field.Field{opaque("iscsi.lun", "LUN", 8, 8)} }

func reservedLUN() []field.Field { return []field.Field{opaque("iscsi.rsvd2", "Reserved", 8, 8)} }

// requestRest are the fields of a request from octet 20 on: its own word, CmdSN, ExpStatSN, and the rest.
func requestRest(own field.Field, rest ...field.Field) []field.Field {
	return append([]field.Field{own,
		number("iscsi.cmdsn", "CmdSN", 24, 4, field.Dec).To(field.ToRun),
		number("iscsi.expstatsn", "ExpStatSN", 28, 4, field.Dec).To(field.ToRun),
	}, rest...)
}

// responseRest are the fields of a response from octet 20 on: its own word, StatSN, ExpCmdSN, MaxCmdSN, and the rest.
func responseRest(own field.Field, rest ...field.Field) []field.Field {
	return append([]field.Field{own,
		number("iscsi.statsn", "StatSN", 24, 4, field.Dec).To(field.ToRun),
		number("iscsi.expcmdsn", "ExpCmdSN", 28, 4, field.Dec).To(field.ToRun),
		number("iscsi.maxcmdsn", "MaxCmdSN", 32, 4, field.Dec).To(field.ToRun),
	}, rest...)
}

func reservedWord() field.Field { return opaque("iscsi.rsvd3", "Reserved", 20, 4) }

func reservedFrom(at int) field.Field { return opaque("iscsi.rsvd4", "Reserved", at, bhsLen-at) }

func targetTag() field.Field {
	return number("iscsi.targettransfertag", "Target Transfer Tag", 20, 4, field.Hex).To(field.ToRun)
}
