package smbdirect

// The layout of SMB Direct packets: [MS-SMBD], sections 2.2.1 to 2.2.3.1.

import "github.com/iwarpkit/iwarp/codec/field"

const proto = "smb_direct"

// The numbers of SMB are in little-endian order.
var (
	number = field.Little
	opaque = field.Opaque
)

// status is an NTSTATUS.
func status(name, label string, at int) field.Field {
	return number(name, label, at, 4, field.Hex).Named(func(v uint64) string { return Status(v).String() }, known(statuses))
}

// negotiateRequest describes a Negotiate Request.
var negotiateRequest = field.NewTable("SMB Direct Negotiate Request", proto, "[MS-SMBD], section 2.2.1",
	number("smb_direct.version.min", "MinVersion", 0, 2, field.Hex),
	number("smb_direct.version.max", "MaxVersion", 2, 2, field.Hex),
	number("smb_direct.reserved", "Reserved", 4, 2, field.Hex),
	number("smb_direct.credits.requested", "CreditsRequested", 6, 2, field.Dec),
	number("smb_direct.preferred_send_size", "PreferredSendSize", 8, 4, field.Dec),
	number("smb_direct.max_receive_size", "MaxReceiveSize", 12, 4, field.Dec),
	number("smb_direct.max_fragmented_size", "MaxFragmentedSize", 16, 4, field.Dec),
)

// negotiateResponse describes a Negotiate Response.
var negotiateResponse = field.NewTable("SMB Direct Negotiate Response", proto, "[MS-SMBD], section 2.2.2",
	number("smb_direct.version.min", "MinVersion", 0, 2, field.Hex),
	number("smb_direct.version.max", "MaxVersion", 2, 2, field.Hex),
	number("smb_direct.version.negotiated", "NegotiatedVersion", 4, 2, field.Hex),
	number("smb_direct.reserved", "Reserved", 6, 2, field.Hex),
	number("smb_direct.credits.requested", "CreditsRequested", 8, 2, field.Dec),
	number("smb_direct.credits.granted", "CreditsGranted", 10, 2, field.Dec),
	status("smb_direct.status", "Status", 12),
	number("smb_direct.max_read_write_size", "MaxReadWriteSize", 16, 4, field.Dec),
	number("smb_direct.preferred_send_size", "PreferredSendSize", 20, 4, field.Dec),
	number("smb_direct.max_receive_size", "MaxReceiveSize", 24, 4, field.Dec),
	number("smb_direct.max_fragmented_size", "MaxFragmentedSize", 28, 4, field.Dec),
)

// dataTransfer describes a Data Transfer Message without its data.
var dataTransfer = field.NewTable("SMB Direct Data Transfer Message", proto, "[MS-SMBD], section 2.2.3",
	number("smb_direct.credits.requested", "CreditsRequested", 0, 2, field.Dec),
	number("smb_direct.credits.granted", "CreditsGranted", 2, 2, field.Dec),
	number("smb_direct.flags", "Flags", 4, 2, field.Hex),
	number("smb_direct.reserved", "Reserved", 6, 2, field.Hex),
	number("smb_direct.remaining_length", "RemainingDataLength", 8, 4, field.Dec),
	number("smb_direct.data_offset", "DataOffset", 12, 4, field.Dec),
	number("smb_direct.data_length", "DataLength", 16, 4, field.Dec),
)

// bufferDescriptor describes a Buffer Descriptor V1: memory of the client.
var bufferDescriptor = field.NewTable("SMB Direct Buffer Descriptor V1", proto, "[MS-SMBD], section 2.2.3.1",
	number("smb_direct.buffer.offset", "Offset", 0, 8, field.Hex).To(field.ToOwnTO),
	number("smb_direct.buffer.token", "Token", 8, 4, field.Hex).To(field.ToOwnSTag),
	number("smb_direct.buffer.length", "Length", 12, 4, field.Dec),
)

var (
	requestMinVersion  = negotiateRequest.Lookup("smb_direct.version.min")
	requestMaxVersion  = negotiateRequest.Lookup("smb_direct.version.max")
	requestReserved    = negotiateRequest.Lookup("smb_direct.reserved")
	requestCredits     = negotiateRequest.Lookup("smb_direct.credits.requested")
	requestReceiveSize = negotiateRequest.Lookup("smb_direct.max_receive_size")
	requestFragmented  = negotiateRequest.Lookup("smb_direct.max_fragmented_size")

	responseVersion     = negotiateResponse.Lookup("smb_direct.version.negotiated")
	responseReserved    = negotiateResponse.Lookup("smb_direct.reserved")
	responseSendSize    = negotiateResponse.Lookup("smb_direct.preferred_send_size")
	responseReceiveSize = negotiateResponse.Lookup("smb_direct.max_receive_size")
	responseFragmented  = negotiateResponse.Lookup("smb_direct.max_fragmented_size")
	responseRequested   = negotiateResponse.Lookup("smb_direct.credits.requested")
	responseGranted     = negotiateResponse.Lookup("smb_direct.credits.granted")
	responseStatus      = negotiateResponse.Lookup("smb_direct.status")

	dataRequested  = dataTransfer.Lookup("smb_direct.credits.requested")
	dataGranted    = dataTransfer.Lookup("smb_direct.credits.granted")
	dataFlags      = dataTransfer.Lookup("smb_direct.flags")
	dataReserved   = dataTransfer.Lookup("smb_direct.reserved")
	dataRemaining  = dataTransfer.Lookup("smb_direct.remaining_length")
	dataOffset     = dataTransfer.Lookup("smb_direct.data_offset")
	dataDataLength = dataTransfer.Lookup("smb_direct.data_length")

	bufferOffset = bufferDescriptor.Lookup("smb_direct.buffer.offset")
	bufferToken  = bufferDescriptor.Lookup("smb_direct.buffer.token")
	bufferLength = bufferDescriptor.Lookup("smb_direct.buffer.length")
)

// Tables is every field table of this package.
var Tables = []*field.Table{
	negotiateRequest, negotiateResponse, dataTransfer, bufferDescriptor,
	header, readRequest.fields, readResponse.fields, writeRequest.fields, ioctlRequest.fields, ioctlResponse.fields,
}
