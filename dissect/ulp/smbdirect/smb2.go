package smbdirect

// The layout of SMB2 commands: [MS-SMB2], section 2.2. Commands share fields, but at other offsets: each table has the fields of its
// section in full.

import (
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
)

const smb2Proto = "smb2"

// header describes the header of an SMB2 command. In one that is answered asynchronously (flag 0x00000002)
// Reserved and TreeId are the AsyncId.
var header = field.NewTable("SMB2 header", smb2Proto, "[MS-SMB2], section 2.2.1",
	opaque("smb2.protocol_id", "ProtocolId", 0, 4),
	number("smb2.header_len", "StructureSize", 4, 2, field.Dec),
	number("smb2.credit.charge", "CreditCharge", 6, 2, field.Dec),
	status("smb2.nt_status", "Status or ChannelSequence", 8),
	number("smb2.cmd", "Command", 12, 2, field.Dec).Named(
		func(v uint64) string { return commandName(uint16(v))[len(namePrefix):] }, field.Listed(commandNames[:])),
	number("smb2.credits", "CreditRequest or CreditResponse", 14, 2, field.Dec),
	number("smb2.flags", "Flags", 16, 4, field.Hex),
	number("smb2.chain_offset", "NextCommand", 20, 4, field.Dec),
	number("smb2.msg_id", "MessageId", 24, 8, field.Dec).To(field.ToSequence),
	number("smb2.process_id", "Reserved", 32, 4, field.Hex).To(field.ToRun),
	number("smb2.tid", "TreeId", 36, 4, field.Hex).To(field.ToRun),
	number("smb2.sesid", "SessionId", 40, 8, field.Hex).To(field.ToRun),
	opaque("smb2.signature", "Signature", 48, 16),
)

// readRequest is what follows the header of a READ Request.
var readRequest = newForm("smb2.read_length", field.NewTable("SMB2 READ Request", smb2Proto, "[MS-SMB2], section 2.2.19",
	number("smb2.buffer_code", "StructureSize", 0, 2, field.Dec),
	number("smb2.padding", "Padding", 2, 1, field.Hex),
	number("smb2.read_flags", "Flags", 3, 1, field.Hex),
	number("smb2.read_length", "Length", 4, 4, field.Dec),
	number("smb2.file_offset", "Offset", 8, 8, field.Dec),
	opaque("smb2.fid", "FileId", 16, 16),
	number("smb2.min_count", "MinimumCount", 32, 4, field.Dec),
	number("smb2.channel", "Channel", 36, 4, field.Hex),
	number("smb2.remaining_bytes", "RemainingBytes", 40, 4, field.Dec),
	number("smb2.channel_info_offset", "ReadChannelInfoOffset", 44, 2, field.Dec),
	number("smb2.channel_info_length", "ReadChannelInfoLength", 46, 2, field.Dec),
))

// writeRequest is what follows the header of a WRITE Request.
var writeRequest = newForm("smb2.write_length", field.NewTable("SMB2 WRITE Request", smb2Proto, "[MS-SMB2], section 2.2.21",
	number("smb2.buffer_code", "StructureSize", 0, 2, field.Dec),
	number("smb2.data_offset", "DataOffset", 2, 2, field.Dec),
	number("smb2.write_length", "Length", 4, 4, field.Dec),
	number("smb2.file_offset", "Offset", 8, 8, field.Dec),
	opaque("smb2.fid", "FileId", 16, 16),
	number("smb2.channel", "Channel", 32, 4, field.Hex),
	number("smb2.remaining_bytes", "RemainingBytes", 36, 4, field.Dec),
	number("smb2.channel_info_offset", "WriteChannelInfoOffset", 40, 2, field.Dec),
	number("smb2.channel_info_length", "WriteChannelInfoLength", 42, 2, field.Dec),
	number("smb2.write.flags", "Flags", 44, 4, field.Hex),
))

// readResponse is what follows the header of a READ Response.
var readResponse = newForm("smb2.read_length", field.NewTable("SMB2 READ Response", smb2Proto, "[MS-SMB2], section 2.2.20",
	number("smb2.buffer_code", "StructureSize", 0, 2, field.Dec),
	number("smb2.data_offset", "DataOffset", 2, 1, field.Dec),
	number("smb2.reserved", "Reserved", 3, 1, field.Hex),
	number("smb2.read_length", "DataLength", 4, 4, field.Dec),
	number("smb2.read_remaining", "DataRemaining", 8, 4, field.Dec),
	number("smb2.read_response_flags", "Reserved2 or Flags", 12, 4, field.Hex),
))

// ioctlRequest is what follows the header of an IOCTL Request.
var ioctlRequest = newForm("", field.NewTable("SMB2 IOCTL Request", smb2Proto, "[MS-SMB2], section 2.2.31",
	number("smb2.buffer_code", "StructureSize", 0, 2, field.Dec),
	number("smb2.reserved", "Reserved", 2, 2, field.Hex),
	ctlCode,
	opaque("smb2.fid", "FileId", 8, 16),
	number("smb2.ioctl.in_offset", "InputOffset", 24, 4, field.Dec),
	number("smb2.ioctl.in_count", "InputCount", 28, 4, field.Dec),
	number("smb2.max_ioctl_in_size", "MaxInputResponse", 32, 4, field.Dec),
	number("smb2.ioctl.out_offset", "OutputOffset", 36, 4, field.Dec),
	number("smb2.ioctl.out_count", "OutputCount", 40, 4, field.Dec),
	number("smb2.max_ioctl_out_size", "MaxOutputResponse", 44, 4, field.Dec),
	number("smb2.ioctl.flags", "Flags", 48, 4, field.Hex),
	number("smb2.ioctl.reserved2", "Reserved2", 52, 4, field.Hex),
))

// ioctlResponse is what follows the header of an IOCTL Response.
var ioctlResponse = newForm("", field.NewTable("SMB2 IOCTL Response", smb2Proto, "[MS-SMB2], section 2.2.32",
	number("smb2.buffer_code", "StructureSize", 0, 2, field.Dec),
	number("smb2.reserved", "Reserved", 2, 2, field.Hex),
	ctlCode,
	opaque("smb2.fid", "FileId", 8, 16),
	number("smb2.ioctl.in_offset", "InputOffset", 24, 4, field.Dec),
	number("smb2.ioctl.in_count", "InputCount", 28, 4, field.Dec),
	number("smb2.ioctl.out_offset", "OutputOffset", 32, 4, field.Dec),
	number("smb2.ioctl.out_count", "OutputCount", 36, 4, field.Dec),
	number("smb2.ioctl.flags", "Flags", 40, 4, field.Hex),
	number("smb2.ioctl.reserved2", "Reserved2", 44, 4, field.Hex),
))

// ctlCode is what both say is asked.
var ctlCode = number("smb2.ioctl.function", "CtlCode", 4, 4, field.Hex).Named(
	func(v uint64) string { return strings.TrimPrefix(controlName(uint32(v)), ioctlPrefix) }, known(controls))

var (
	headerLength  = header.Lookup("smb2.header_len")
	headerStatus  = header.Lookup("smb2.nt_status")
	headerCommand = header.Lookup("smb2.cmd")
	headerFlags   = header.Lookup("smb2.flags")
	headerNext    = header.Lookup("smb2.chain_offset")
	headerMessage = header.Lookup("smb2.msg_id")

	writeRemaining = writeRequest.fields.Lookup("smb2.remaining_bytes")
)
