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

// senseKey returns the sense key in the data of a SCSI Response, which begins with the length of the sense data (RFC 7143,
// section 11.4.7); ok is false if there is none.
func senseKey(data []byte) (key SenseKey, ok bool) {
	const fixed, deferredFixed, descriptor, deferredDescriptor = 0x70, 0x71, 0x72, 0x73
	const sense = 2
	if len(data) < sense+3 {
		return 0, false
	}
	switch data[sense] & 0x7f {
	case fixed, deferredFixed:
		return SenseKey(data[sense+2] & 0xf), true
	case descriptor, deferredDescriptor:
		return SenseKey(data[sense+1] & 0xf), true
	}
	return 0, false
}
