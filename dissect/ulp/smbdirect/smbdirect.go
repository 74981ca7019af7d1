// Package smbdirect reads SMB Direct, SMB2 over RDMA: its packets, the credits that they grant, and the SMB2 commands
// that are in them.
//
// After a Negotiate Request and Response each packet, which is a message of a Send type, carries an SMB2 message or a
// fragment of one, or only credits. Data of an SMB2 READ or WRITE goes by RDMA Writes and Reads of the server to the
// client's memory that buffer descriptors in the command name, or stands in the message. Commands in encrypted or
// compressed messages are not seen.
//
// [Layer] is an upper layer for a judge.Judge, which then reports
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
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
)

// Layer is SMB Direct.
var Layer = &ulp.Layer{
	Name:          ulpName,
	Ports:         []uint16{445, 5445}, // that of SMB, and that for iWARP
	Tables:        Tables,
	Shared:        []string{"smb2.cmd", "smb2.msg_id", "smb2.file_offset"},
	Recognise:     recognise,
	Private:       private,
	PrivateTables: []*field.Table{mpa.LegacyFields},
}

const ulpName = "SMB Direct"

// private recognises the read queue depths in an MPA frame ([MS-SMBD], section 6.1). Other upper layers may use them too.
func private(_ *record.Conn, f *mpa.Frame) (p record.Private, ok bool) {
	var l mpa.Legacy
	littleEndian, ok := f.Legacy(&l)
	if !ok {
		return p, false
	}
	octets, _ := l.AppendBinary(nil)
	off := len(f.PrivateData) - len(f.ULPPrivateData())
	return record.Private{
		ULP: ulpName, LittleEndian: littleEndian, Part: field.Part{Table: mpa.LegacyFields, Octets: octets, Off: off},
	}, true
}

// recognise recognises a connection by a Negotiate Request of the client, or by an SMB2 message. Neither a port nor the
// read queue depths in MPA frames ([MS-SMBD], section 6.1) are of SMB Direct alone.
func recognise(_ *record.Conn, send *record.Message, payload []byte) ulp.Follower {
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
