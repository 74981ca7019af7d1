package iser

// Sense data: the reason for a CHECK CONDITION.

// A SenseKey is the category of sense data (SPC, sense data). Its zero value is NO SENSE.
type SenseKey uint8

// Sense keys.
const (
	noSense        SenseKey = 0x0
	recovered      SenseKey = 0x1
	notReady       SenseKey = 0x2
	mediumError    SenseKey = 0x3
	hardwareError  SenseKey = 0x4
	illegalRequest SenseKey = 0x5
	unitAttention  SenseKey = 0x6
	dataProtect    SenseKey = 0x7
	blankCheck     SenseKey = 0x8
	abortedCommand SenseKey = 0xb
	volumeOverflow SenseKey = 0xd
	miscompare     SenseKey = 0xe
)

var senseKeys = [16]string{
	noSense: "NO SENSE", recovered: "RECOVERED ERROR", notReady: "NOT READY", mediumError: "MEDIUM ERROR", hardwareError: "HARDWARE ERROR",
	illegalRequest: "ILLEGAL REQUEST", unitAttention: "UNIT ATTENTION", dataProtect: "DATA PROTECT", blankCheck: "BLANK CHECK",
	0x9: "VENDOR SPECIFIC", 0xa: "COPY ABORTED", abortedCommand: "ABORTED COMMAND", 0xc: "RESERVED", volumeOverflow: "VOLUME OVERFLOW",
	miscompare: "MISCOMPARE", 0xf: "COMPLETED",
}

// String is the name of the key: "UNIT ATTENTION".
func (k SenseKey) String() string { return senseKeys[k&0xf] }

// unknownCommand is the ADDITIONAL SENSE CODE of a command that the target does not have.
const unknownCommand = 0x20

// sense returns the sense key in the data of a SCSI Response, which begins with the length of the sense data (RFC 7143, section 11.4.7), and
// the ADDITIONAL SENSE CODE, 0 if that is missing; ok is false if there is no key.
func sense(data []byte) (key SenseKey, code uint8, ok bool) {
	const fixed, deferredFixed, descriptor, deferredDescriptor = 0x70, 0x71, 0x72, 0x73
	const sense = 2
	if len(data) < sense+3 {
		return 0, 0, false
	}
	keyAt, codeAt := sense+2, sense+12
	switch data[sense] & 0x7f {
	case fixed, deferredFixed:
	case descriptor, deferredDescriptor:
		keyAt, codeAt = sense+1, sense+2
	default:
		return 0, 0, false
	}
	if len(data) > codeAt {
		code = data[codeAt]
	}
	return SenseKey(data[keyAt] & 0xf), code, true
}
