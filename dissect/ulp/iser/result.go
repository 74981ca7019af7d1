package iser

// The results of commands.

import "github.com/iwarpkit/iwarp/codec/field"

// A Result is the result of a command, as the target reports it.
type Result struct {
	Opcode Opcode // of the PDU that reports it
	Code   uint16 // SCSI status; Response, Reason; of a Login Response Status-Class and Status-Detail
	Failed bool   // the target failed to execute the command at all: the Code is that of RFC 7143, section 11.4.3

	Sensed bool     // a SCSI Response has sense data
	Sense  SenseKey // of it

	senseCode uint8 // of it: the ADDITIONAL SENSE CODE
}

// Result returns the result of the command that the PDU answers.
func (p *PDU) Result() Result {
	r := Result{Opcode: p.Opcode}
	switch p.Opcode {
	case OpSCSIResponse:
		if code := scsiResponse.Number(p.bhs); code != 0 {
			r.Code, r.Failed = uint16(code), true
		} else {
			r.Code = uint16(scsiStatus.Number(p.bhs))
			r.Sense, r.senseCode, r.Sensed = sense(p.data)
		}
	case OpLoginResponse:
		r.Code = uint16(loginStatus.Number(p.bhs))
	case OpTaskResponse:
		r.Code = uint16(taskResponse.Number(p.bhs))
	case OpLogoutResp:
		r.Code = uint16(logoutResponse.Number(p.bhs))
	case OpReject:
		r.Code = uint16(rejectReason.Number(p.bhs))
	}
	return r
}

// Good reports whether the command ended without an error.
func (r Result) Good() bool {
	switch r.Opcode {
	case OpSCSIResponse:
		return !r.Failed && good(uint8(r.Code))
	case OpReject:
		return false
	}
	return r.Code == 0
}

// String returns the name of the result: "GOOD", "CHECK CONDITION UNIT ATTENTION", "Success". It is empty if the PDU has no
// result code.
func (r Result) String() string {
	names := resultNames[r.Opcode&0x3f]
	switch {
	case r.Failed:
		return "target failure " + new(field.Enum).Name(uint64(r.Code))
	case names == nil:
		return ""
	case r.Sensed:
		return names.Name(uint64(r.Code)) + " " + r.Sense.String()
	}
	return names.Name(uint64(r.Code))
}

// resultNames are the names of result codes, by PDU.
var resultNames = [64]*field.Enum{
	OpSCSIResponse:  statusNames,
	OpTaskResponse:  taskResponses,
	OpLoginResponse: loginStatuses,
	OpLogoutResp:    logoutResponses,
	OpReject:        rejectReasons,
}
