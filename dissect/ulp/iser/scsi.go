package iser

// SCSI commands: their names in SPC and SBC, and the blocks that they read or write.

import (
	"encoding/binary"
	"strconv"
)

const scsiPrefix = "SCSI "

// testUnitReady is the operation code of a command that only asks whether a unit is ready.
const testUnitReady = 0x00

// command returns the name of the command in a CDB, "SCSI READ(10)", or its operation code, "SCSI 0xc1"; and a number for it, which
// no Opcode has.
func command(cdb []byte) (name string, task uint64) {
	if len(cdb) == 0 {
		return "SCSI Command", 1 << 16
	}
	task = 1<<16 | uint64(cdb[0])<<8
	if len(cdb) > 1 {
		action := cdb[1] & 0x1f
		if name = serviceActions[[2]byte{cdb[0], action}]; name != "" {
			return name, task | uint64(action)
		}
	}
	if name = commands[cdb[0]]; name != "" {
		return name, task
	}
	return scsiPrefix + "0x" + strconv.FormatUint(uint64(cdb[0])|0x100, 16)[1:], task
}

// blocks returns the range of logical blocks of the command in a CDB; ok is false if it has none.
func blocks(cdb []byte) (lba uint64, count uint32, ok bool) {
	order := binary.BigEndian
	if len(cdb) < 16 {
		return 0, 0, false
	}
	switch cdb[0] {
	case 0x08, 0x0a:
		if count = uint32(cdb[4]); count == 0 {
			count = 256
		}
		return uint64(order.Uint32(cdb) & 0x1fffff), count, true
	case 0x28, 0x2a, 0x2e, 0x2f, 0x34, 0x35, 0x41:
		return uint64(order.Uint32(cdb[2:])), uint32(order.Uint16(cdb[7:])), true
	case 0xa8, 0xaa, 0xae, 0xaf:
		return uint64(order.Uint32(cdb[2:])), order.Uint32(cdb[6:]), true
	case 0x88, 0x8a, 0x8e, 0x8f, 0x90, 0x91, 0x93:
		return order.Uint64(cdb[2:]), order.Uint32(cdb[10:]), true
	case 0x89:
		return order.Uint64(cdb[2:]), uint32(cdb[13]), true
	case 0x9c:
		return order.Uint64(cdb[2:]), uint32(order.Uint16(cdb[12:])), true
	}
	return 0, 0, false
}

// commands are the names by operation code.
var commands = [256]string{
	testUnitReady: "SCSI TEST UNIT READY",
	0x03:          "SCSI REQUEST SENSE",
	0x04:          "SCSI FORMAT UNIT",
	0x08:          "SCSI READ(6)",
	0x0a:          "SCSI WRITE(6)",
	0x12:          "SCSI INQUIRY",
	0x15:          "SCSI MODE SELECT(6)",
	0x16:          "SCSI RESERVE(6)",
	0x17:          "SCSI RELEASE(6)",
	0x1a:          "SCSI MODE SENSE(6)",
	0x1b:          "SCSI START STOP UNIT",
	0x1c:          "SCSI RECEIVE DIAGNOSTIC RESULTS",
	0x1d:          "SCSI SEND DIAGNOSTIC",
	0x1e:          "SCSI PREVENT ALLOW MEDIUM REMOVAL",
	0x25:          "SCSI READ CAPACITY(10)",
	0x28:          "SCSI READ(10)",
	0x2a:          "SCSI WRITE(10)",
	0x2e:          "SCSI WRITE AND VERIFY(10)",
	0x2f:          "SCSI VERIFY(10)",
	0x34:          "SCSI PRE-FETCH(10)",
	0x35:          "SCSI SYNCHRONIZE CACHE(10)",
	0x3b:          "SCSI WRITE BUFFER",
	0x3c:          "SCSI READ BUFFER(10)",
	0x41:          "SCSI WRITE SAME(10)",
	0x42:          "SCSI UNMAP",
	0x48:          "SCSI SANITIZE",
	0x4c:          "SCSI LOG SELECT",
	0x4d:          "SCSI LOG SENSE",
	0x55:          "SCSI MODE SELECT(10)",
	0x56:          "SCSI RESERVE(10)",
	0x57:          "SCSI RELEASE(10)",
	0x5a:          "SCSI MODE SENSE(10)",
	0x5e:          "SCSI PERSISTENT RESERVE IN",
	0x5f:          "SCSI PERSISTENT RESERVE OUT",
	0x83:          "SCSI THIRD-PARTY COPY OUT",
	0x84:          "SCSI THIRD-PARTY COPY IN",
	0x85:          "SCSI ATA PASS-THROUGH(16)",
	0x88:          "SCSI READ(16)",
	0x89:          "SCSI COMPARE AND WRITE",
	0x8a:          "SCSI WRITE(16)",
	0x8e:          "SCSI WRITE AND VERIFY(16)",
	0x8f:          "SCSI VERIFY(16)",
	0x90:          "SCSI PRE-FETCH(16)",
	0x91:          "SCSI SYNCHRONIZE CACHE(16)",
	0x93:          "SCSI WRITE SAME(16)",
	0x94:          "SCSI ZBC OUT",
	0x95:          "SCSI ZBC IN",
	0x9b:          "SCSI READ BUFFER(16)",
	0x9c:          "SCSI WRITE ATOMIC(16)",
	0x9e:          "SCSI SERVICE ACTION IN(16)",
	0x9f:          "SCSI SERVICE ACTION OUT(16)",
	0xa0:          "SCSI REPORT LUNS",
	0xa1:          "SCSI ATA PASS-THROUGH(12)",
	0xa2:          "SCSI SECURITY PROTOCOL IN",
	0xa3:          "SCSI MAINTENANCE IN",
	0xa4:          "SCSI MAINTENANCE OUT",
	0xa8:          "SCSI READ(12)",
	0xaa:          "SCSI WRITE(12)",
	0xae:          "SCSI WRITE AND VERIFY(12)",
	0xaf:          "SCSI VERIFY(12)",
	0xb5:          "SCSI SECURITY PROTOCOL OUT",
}

// serviceActions are the names by operation code and service action, for operation codes that several commands share.
var serviceActions = map[[2]byte]string{
	{0x9e, 0x10}: "SCSI READ CAPACITY(16)",
	{0x9e, 0x12}: "SCSI GET LBA STATUS(16)",
	{0xa3, 0x05}: "SCSI REPORT IDENTIFYING INFORMATION",
	{0xa3, 0x0a}: "SCSI REPORT TARGET PORT GROUPS",
	{0xa3, 0x0c}: "SCSI REPORT SUPPORTED OPERATION CODES",
	{0xa3, 0x0d}: "SCSI REPORT SUPPORTED TASK MANAGEMENT FUNCTIONS",
	{0xa3, 0x0f}: "SCSI REPORT TIMESTAMP",
	{0xa4, 0x0a}: "SCSI SET TARGET PORT GROUPS",
}
