package adversary

// NVMe over RDMA, iSER and SMB Direct: storage protocols whose server moves the data of their commands with RDMA.

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// little is the values one after the other, in the byte order of NVMe and SMB Direct.
func little(values ...any) (b []byte) {
	for _, v := range values {
		part := octets(v)
		if _, text := v.([]byte); !text {
			slices.Reverse(part)
		}
		b = append(b, part...)
	}
	return b
}

// A command asks the server to move data.
type command struct {
	memory   region
	write    bool   // from the client to the server
	request  []byte // of the Send that begins it
	response []byte // of the Send that ends it
	id       uint32 // that joins the two
	names    [2]string
}

// move lets the client send commands, some at a time, and the server carry each out.
func (t *talk) move(draw func(id int) command) {
	var open []command
	for id := range 3 + t.r.IntN(10) {
		c := draw(id)
		m := t.send(Initiator, opSend, 0, c.request)
		m.Upper, m.XID = c.names[0], c.id
		if open = append(open, c); t.r.IntN(2) == 0 {
			t.carryOut(&open)
		}
	}
	for len(open) > 0 {
		t.carryOut(&open)
	}
}

// carryOut carries out one of the commands that are open.
func (t *talk) carryOut(open *[]command) {
	i := t.r.IntN(len(*open))
	c := (*open)[i]
	*open = slices.Delete(*open, i, i+1)
	if c.write {
		t.read(Responder, read{sink: t.within(Responder, c.memory.size), source: c.memory, size: c.memory.size})
		t.answer(Initiator)
	} else if c.memory.size > 0 {
		t.write(Responder, c.memory.stag, c.memory.to, random(t.r, c.memory.size))
	}
	opcode, stag := byte(opSend), uint32(0)
	if t.r.IntN(2) == 0 {
		opcode, stag = opSendInvalidate, c.memory.stag
	}
	m := t.send(Responder, opcode, stag, c.response)
	m.Upper, m.XID = c.names[1], c.id
}

// blocks draws memory for whole blocks.
func (t *talk) blocks() region {
	const block = 512
	return region{t.r.Uint32() | 1, t.r.Uint64() >> 17 &^ 7, block * (1 + t.r.IntN(8))}
}

// nvme is NVMe over Fabrics with its RDMA transport: a Connect, then reads and writes.
func (t *talk) nvme() {
	capsule := func(opcode byte, id int, descriptor []byte, rest ...any) []byte {
		b := make([]byte, 64)
		copy(b, little(opcode, byte(0x40), uint16(id), uint32(1)))
		copy(b[24:], descriptor)
		copy(b[40:], little(rest...))
		return b
	}
	completion := func(id int) []byte { return little(uint64(0), uint16(id), uint16(1), uint16(id), uint16(0)) }
	connect := capsule(0x7f, 0, little(uint64(0), uint32(1024), uint32(1<<24)), uint16(0), uint16(1), uint16(31))
	connect[4] = 1
	t.send(Initiator, opSend, 0, append(connect, make([]byte, 1024)...))
	t.send(Responder, opSend, 0, completion(0))
	t.move(func(id int) command {
		m, write := t.blocks(), t.r.IntN(2) == 0
		keyed := little(m.to, byte(m.size), byte(m.size>>8), byte(m.size>>16), m.stag, byte(0x4f))
		opcode, name := byte(2), "Read"
		if write {
			opcode, name = 1, "Write"
		}
		first, blocks := t.r.Uint64()>>24, m.size/512
		return command{m, write, capsule(opcode, id+1, keyed, first, uint32(blocks-1)), completion(id + 1), uint32(1<<16 + id + 1), [2]string{
			fmt.Sprintf("%s cid=0x%04x nsid=1 slba=%d nlb=%d", name, id+1, first, blocks), fmt.Sprintf("Completion cid=0x%04x Success", id+1)}}
	})
}

// privateNVMe is the Private Data of NVMe: section 7.3.6.4 of its transport for RDMA.
func privateNVMe(t *talk) []byte {
	b := make([]byte, 32)
	copy(b, little(uint16(0), uint16(1), uint16(32), uint16(31)))
	return b
}

// iser is iSCSI with its extensions for RDMA (RFC 7145): SCSI Commands and their Responses.
func (t *talk) iser() {
	pdu := func(flags byte, m region, write bool, header []byte) []byte {
		b := make([]byte, 28+48)
		b[0] = 0x10 | flags
		if write {
			copy(b[4:], octets(m.stag, m.to))
		} else if flags != 0 {
			copy(b[16:], octets(m.stag, m.to))
		}
		copy(b[28:], header)
		return b
	}
	t.move(func(id int) command {
		m, write := t.blocks(), t.r.IntN(2) == 0
		flags, direction, operation, name := byte(0x04), byte(0x40), byte(0x28), "Read"
		if write {
			flags, direction, operation, name = 0x08, 0x20, 0x2a, "Write"
		}
		block, blocks := t.r.Uint32()>>8, m.size/512
		scsi := octets(byte(0x01), 0x80|direction, uint16(0), uint32(0), uint64(1), uint32(id), uint32(m.size), uint32(id+1), uint32(id+1),
			operation, byte(0), block, byte(0), uint16(blocks))
		response := octets(byte(0x21), byte(0x80), uint16(0), uint32(0), uint64(0), uint32(id), uint32(0), uint32(id+1), uint32(id+2), uint32(id+64))
		return command{m, write, pdu(flags, m, write, scsi), pdu(0, region{}, false, response), uint32(id), [2]string{
			fmt.Sprintf("SCSI Command %s(10) itt=0x%08x lun=0x0000000000000001 lba=%d blocks=%d %s STag 0x%08x", strings.ToUpper(name), id, block, blocks, name, m.stag),
			fmt.Sprintf("SCSI Response itt=0x%08x GOOD", id)}}
	})
}

// smbDirect is SMB Direct ([MS-SMBD], section 2.2): a negotiation, then data in Sends, and by RDMA.
func (t *talk) smbDirect() {
	const largest = 1364
	t.send(Initiator, opSend, 0, little(uint16(0x100), uint16(0x100), uint16(0), uint16(64), uint32(largest), uint32(8192), uint32(1<<20)))
	t.send(Responder, opSend, 0, little(uint16(0x100), uint16(0x100), uint16(0x100), uint16(0), uint16(64), uint16(64), uint32(0), uint32(1<<20),
		uint32(largest), uint32(8192), uint32(1<<20)))
	transfer := func(protocol []byte) []byte {
		return little(uint16(64), uint16(1), uint16(0), uint16(0), uint32(0), uint32(24), uint32(len(protocol)), uint32(0), protocol)
	}
	message := func(command uint16, id int, flags uint32) []byte {
		b := make([]byte, 64+49)
		copy(b, octets(byte(0xfe), "SMB", little(uint16(64), uint16(1), uint32(0), command, uint16(1), flags, uint32(0), uint64(id))))
		binary.LittleEndian.PutUint16(b[64:], 49)
		return b
	}
	t.move(func(id int) command {
		m, write := t.blocks(), t.r.IntN(2) == 0
		number, name := uint16(8), "SMB2 READ"
		if write {
			number, name = 9, "SMB2 WRITE"
		}
		const data = "Data transfer credits=1 remaining=0 "
		return command{m, write, transfer(message(number, id, 0)), transfer(message(number, id, 1)), uint32(id), [2]string{
			fmt.Sprintf("%s%s mid=%d offset=0 length=0", data, name, id), fmt.Sprintf("%s%s Response mid=%d", data, name, id)}}
	})
}
