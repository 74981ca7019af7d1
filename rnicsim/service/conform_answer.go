package service

// The messages of the service conform: answers to commands, and reports.
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+-----------------------------------------------+
//	|    Command    |                       0                       |
//	+---------------+-----------------------------------------------+
//	|                            Status                             |
//	+---------------------------------------------------------------+
//	|                             Value                             |
//	|                                                               |
//	+---------------------------------------------------------------+
//
//	+---------------------------------------------------------------+
//	|                           Messages                            |
//	+---------------------------------------------------------------+
//	|                            Length                             |
//	+---------------+-----------------------------------------------+
//	|     Flags     |                       0                       |
//	+---------------+-----------------------------------------------+
//	|                             STag                              |
//	+---------------------------------------------------------------+
//	|                            CRC32c                             |
//	+---------------------------------------------------------------+

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A ConformStatus is the result of a command.
type ConformStatus uint32

// The statuses.
const (
	ConformDone   ConformStatus = iota
	ConformCannot               // it cannot be done
	ConformFailed               // it was tried, and failed
)

var statusNames = [...]string{"done", "cannot be done", "failed"}

// String returns "done", "cannot be done" or "failed", and "Status" with a number for others.
func (s ConformStatus) String() string { return field.NameIn(statusNames[:], s, "Status") }

// ConformAnswerLen is the length in octets of a ConformAnswer.
const ConformAnswerLen = 16

// A ConformAnswer says that a command was done, or why it was not.
type ConformAnswer struct {
	Code   ConformCode
	Status ConformStatus
	Value  uint64 // of an Atomic: the value before it; of hold: the Receives that are left; else 0
}

// Decode reads an answer from the first octets of b and returns how many it took. It fails with ErrConformShort.
func (a *ConformAnswer) Decode(b []byte) (n int, err error) {
	*a = ConformAnswer{}
	if len(b) < ConformAnswerLen {
		return 0, ErrConformShort
	}
	a.Code = ConformCode(b[0])
	a.Status = ConformStatus(binary.BigEndian.Uint32(b[4:]))
	a.Value = binary.BigEndian.Uint64(b[8:])
	return ConformAnswerLen, nil
}

// AppendBinary appends the 16 octets to b. It does not fail.
func (a *ConformAnswer) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, byte(a.Code), 0, 0, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(a.Status))
	return binary.BigEndian.AppendUint64(b, a.Value), nil
}

// The flags of a ConformReport.
const (
	ConformHadSolicited   = 0x01
	ConformHadInvalidated = 0x02 // an STag
	ConformHadImmediate   = 0x04 // it was Immediate Data
)

// ConformReportLen is the length in octets of a ConformReport.
const ConformReportLen = 20

// A ConformReport describes the messages that came before the command report.
type ConformReport struct {
	Messages uint32 // since the connection began; the rest describes the latest of them
	Length   uint32 // octets
	Flags    uint8
	STag     rnicsim.STag // that was invalidated
	CRC      uint32       // CRC32c of its octets; 0 if there was none
}

// Decode reads a report from the first octets of b and returns how many it took. It fails with ErrConformShort.
func (r *ConformReport) Decode(b []byte) (n int, err error) {
	*r = ConformReport{}
	if len(b) < ConformReportLen {
		return 0, ErrConformShort
	}
	r.Messages = binary.BigEndian.Uint32(b)
	r.Length = binary.BigEndian.Uint32(b[4:])
	r.Flags = b[8]
	r.STag = rnicsim.STag(binary.BigEndian.Uint32(b[12:]))
	r.CRC = binary.BigEndian.Uint32(b[16:])
	return ConformReportLen, nil
}

// AppendBinary appends the 20 octets to b. It does not fail.
func (r *ConformReport) AppendBinary(b []byte) ([]byte, error) {
	b = binary.BigEndian.AppendUint32(b, r.Messages)
	b = binary.BigEndian.AppendUint32(b, r.Length)
	b = append(b, r.Flags, 0, 0, 0)
	b = binary.BigEndian.AppendUint32(b, uint32(r.STag))
	return binary.BigEndian.AppendUint32(b, r.CRC), nil
}
