// Package nvme reads NVMe over Fabrics on RDMA: command capsules, and the response capsules that complete them.
//
// Each connection is one queue pair: the Admin Queue, whose Queue ID is 0, or an I/O Queue. A host sends commands, the
// controller sends completions, each capsule in a message of a Send type. The controller moves the data of a command by RDMA
// Reads and Writes of the host's memory that the SGL in the command names, or the data follows the command in the capsule.
//
// [Layer] is an upper layer for a judge.Judge, which then reports
//
//   - a record.Upper for each capsule, named "Read cid=0x0012 nsid=1 slba=0 nlb=8" or "Completion cid=0x0012 Success";
//     its Body is a *[Capsule];
//   - a Transaction of UpperTransaction for each command, at its completion, named "NVMe Read"; its Upper is an *[Exchange],
//     its Octets are the data moved by RDMA or in the capsule.
//
// Sources: NVM Express over Fabrics 1.1 (capsules; section 3, Fabrics commands; section 7.3, RDMA transport); NVM
// Express Base Specification 2.0 (Admin commands, SGLs, status); NVM Command Set Specification 1.0. All numbers are in
// little-endian order.
package nvme

import (
	"bytes"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
)

// Layer is NVMe over RDMA.
var Layer = &ulp.Layer{
	Name:          ulpName,
	Ports:         []uint16{Port},
	Tables:        Tables,
	Shared:        []string{"nvme.cmd.", "nvme.fabrics.cmd."},
	Recognise:     recognise,
	Private:       private,
	PrivateTables: []*field.Table{connectRequest, connectAccept, connectReject},
	Terms: []ulp.Term{{Name: "NVMe", Aka: []string{"NVMe over RDMA", "NVMe-oF", "NVMe/RDMA", "NVMe over Fabrics"}, Title: "NVMe over RDMA",
		Text: "Commands and completions travel in Sends, data by RDMA Write and Read with the keys in the " +
			"commands, which are little-endian there. Private Data tells queue id and sizes.",
		See:     []string{"Private Data", "STag"},
		Sources: []string{"NVM Express RDMA Transport Specification"}}},
}

const ulpName = "NVMe over RDMA"

// Port is the TCP port that is registered for NVMe over Fabrics.
const Port = 4420

// recognise recognises a connection by the Private Data of both MPA frames, else by a Connect command, or on Port by any
// command. If the queue is not known, its commands tell whether it is the Admin Queue.
func recognise(c *flow.Conn, send *record.Message, payload []byte) ulp.Follower {
	var request ConnectRequest
	if request.find(c) {
		return newFollower(request.QueueID)
	}
	if send == nil || !pending.Readable(send) || send.Dir != flow.C2S || !isCommand(payload) {
		return nil
	}
	if c.Server.Port() != Port && !isConnect(payload) {
		return nil
	}
	f := newFollower(0)
	f.guess = !isConnect(payload)
	return f
}

// isCommand reports whether a command capsule is plausible: it has a whole command that uses SGLs (PSDT 01b), as all do over
// Fabrics, FUSE is defined, and its data is described in a way that RDMA allows.
func isCommand(capsule []byte) bool {
	const sgl, undefined = 1, 3
	if len(capsule) < commandLen || psdt.Number(capsule) != sgl ||
		fuse.Number(capsule) == undefined || reserved.Number(capsule) != 0 {
		return false
	}
	d := descriptor(capsule[sglOff:])
	return d.keyed() || d.inCapsule() || d == descriptor{}
}

// isConnect reports whether a capsule is a Connect command according to the standard.
func isConnect(capsule []byte) bool {
	if !isCommand(capsule) || opcode.Number(capsule) != opFabrics || fctype.Number(capsule) != fcConnect {
		return false
	}
	parameters := capsule[parametersOff:]
	return connectRECFMT.Number(parameters) == 0 && connectSQSize.Number(parameters) > 0 && zero(capsule[5:sglOff])
}

// zero reports whether all octets are zero.
func zero(octets []byte) bool { return len(bytes.TrimLeft(octets, "\x00")) == 0 }
