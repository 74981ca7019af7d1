// Package smbdirect reads SMB Direct, SMB2 over RDMA: its packets, the credits that they grant, and the SMB2 commands in them.
//
// After a Negotiate Request and Response each packet, a message of a Send type, carries an SMB2 message or a fragment of one,
// or only credits. The server moves the data of an SMB2 READ or WRITE by RDMA Writes and Reads of the client's memory that
// buffer descriptors in the command name, or the data is in the message. Encrypted and compressed messages are not read.
//
// [Layer] is an upper layer for a judge.Judge, which then reports
//
//   - a record.Upper for each packet, named "Data transfer credits=1 remaining=0 SMB2 READ mid=7 offset=0
//     length=4096"; its Body is a *[Packet];
//   - a Transaction of UpperTransaction for each SMB2 command, at its response, named "SMB2 READ"; its Upper is an
//     *[Exchange], its Octets are the data of a READ or WRITE moved by RDMA or in messages.
//
// Sources: [MS-SMBD], sections 2.2 (packets), 3.1.5 (what a receiver checks); [MS-SMB2], section 2.2 (SMB2 messages);
// [MS-ERREF], section 2.3 (status). All numbers are in little-endian order.
package smbdirect

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
)

// Layer is SMB Direct.
var Layer = &ulp.Layer{
	Name:          ulpName,
	Ports:         ports,
	Tables:        Tables,
	Shared:        []string{"smb2.cmd", "smb2.msg_id", "smb2.file_offset"},
	Recognise:     recognise,
	Private:       private,
	PrivateTables: []*field.Table{mpa.LegacyFields},
	Terms: []ulp.Term{{Name: "SMB Direct", Aka: []string{"SMBDirect", "MS-SMBD", "SMBD", "port 5445"}, Title: "SMB over RDMA",
		Text: "The upper layer of Windows, Samba and Linux file sharing; over iWARP on port 5445. iWARP " +
			"providers put IRD and ORD into 8 octets of its Private Data.",
		LookFor: "Private Data of 8 octets, two numbers. The Linux client writes them in the order of its host.",
		See:     []string{"iwarp_mpa.legacy.ird", "Private Data"},
		Sources: []string{"[MS-SMBD]"}}},
}

const ulpName = "SMB Direct"

// private recognises the read queue depths in an MPA frame ([MS-SMBD], section 6.1). Other upper layers may use them too.
func private(_ *flow.Conn, f *mpa.Frame) (p record.Private, ok bool) {
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

// ports are those of its servers: of SMB, and of SMB Direct over iWARP.
var ports = []uint16{445, 5445}

// recognise recognises a connection by a Negotiate Request with which the client begins, or by an SMB2 message, and one to its ports by a
// Negotiate Request that has to be refused. Neither the ports nor the read queue depths in MPA frames ([MS-SMBD], section 6.1) are specific
// to SMB Direct.
func recognise(c *flow.Conn, send *record.Message, payload []byte) ulp.Follower {
	if send == nil || !pending.Readable(send) {
		return nil
	}
	var p Packet
	switch ok, asks := p.Decode(payload, send.Len), send.Dir == flow.C2S; {
	case ok && p.Command.Protocol != NoSMB,
		asks && begins(send) && refusable(payload, send.Len) && (ok && p.Kind == NegotiateRequest || !ok && slices.Contains(ports, c.Server.Port())):
		return newFollower()
	}
	return nil
}

// begins reports whether a message may be the first packet of its direction: a Ready to Receive indication may come before.
func begins(m *record.Message) bool { return m.First.Untagged.MSN <= 2 }
