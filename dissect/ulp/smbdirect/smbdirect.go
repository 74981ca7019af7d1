// Package smbdirect reads SMB Direct, SMB2 over RDMA: its packets, the credits that they grant, and the SMB2 commands
// that are in them.
//
// After a Negotiate Request and Response each packet, which is a message of a Send type, carries an SMB2 message or a
// fragment of one, or only credits. Data of an SMB2 READ or WRITE goes by RDMA Writes and Reads of the server to the
// client's memory that buffer descriptors in the command name, or stands in the message. Commands in encrypted or
// compressed messages are not seen.
//
// A [ULP] is an upper layer for an analysis.Analyser, which then reports
//
//   - a record.Upper for each packet, named "Data transfer credits=1 remaining=0 SMB2 READ mid=7 offset=0
//     length=4096"; its Body is a *[Packet];
//   - a Transaction of UpperTransaction for each SMB2 command, at its response, named "SMB2 READ"; its Upper is an
//     *[Exchange], its Octets are the data of a READ or WRITE that RDMA moved or that stood in messages.
//
// Sources: [MS-SMBD], sections 2.2 (packets), 3.1.5 (what a receiver checks); [MS-SMB2], section 2.2 (SMB2 messages);
// [MS-ERREF], section 2.3 (status). All numbers are in little-endian order.
package smbdirect

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/internal/pending"
)

// ULP recognises and follows SMB Direct.
type ULP struct{}

const ulpName = "SMB Direct"

// Ports are the TCP ports of SMB: that for iWARP, and that which is usual elsewhere.
var Ports = []uint16{5445, 445}

// Name implements analysis.ULP.
func (ULP) Name() string { return ulpName }

// Recognise implements analysis.ULP: by a Negotiate Request of the client, or by an SMB2 message. Neither a port nor the
// read queue depths in MPA frames ([MS-SMBD], section 6.1) are of SMB Direct alone.
func (ULP) Recognise(_ *record.Conn, send *record.Message, payload []byte) analysis.Follower {
	var p Packet
	switch ok := send != nil && pending.Readable(send) && p.Decode(payload, send.Len); {
	case !ok:
	case p.Kind == NegotiateRequest && send.Dir == record.C2S, p.Command.Protocol != NoSMB:
		return newFollower()
	}
	return nil
}

// get is the number in a field, 0 if the octets end before it does.
func get(f *field.Field, octets []byte) uint64 {
	v, _ := f.Get(octets)
	return v
}
