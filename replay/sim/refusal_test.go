package sim_test

import (
	"fmt"
	"testing"
)

// TestRefusalSteps checks that the RNIC's Terminates are those that are due, octet for octet, and blame the right segment.
// A Receive is as long as its message.
func TestRefusalSteps(t *testing.T) {
	for situation, bad := range map[string]string{
		"fpdu-crc":             `FPDU CRC=bad Send "abc"`,
		"fpdu-marker":          `FPDU Markers=bad Send 00*600`,
		"ddp-short":            `Segment 4143 00000000`,
		"ddp-version-tagged":   `Segment Write DV=2 STag=1 TO=0x10 "abc"`,
		"ddp-version-untagged": `Segment Send DV=2 "abc"`,
		"rdmap-version":        `Segment Send RV=2 "abc"`,
		"opcode":               `Segment Opcode14 QN=0 "abc"`,
		"opcode-t":             `Segment Send T STag=1 TO=0x10 "abc"`,
		"qn-undefined":         `Segment Send QN=9 "abc"`,
		"qn-opcode":            `Segment Send QN=1 "abc"`,
		"send-no-buffer":       `Send "abc"`,
		"send-msn":             `Segment Send MSN=7 "abc"`,
		"mo":                   `Segment Send MO=0xfffffff0 "abc"`,
		"send-too-long":        `Send "abc"`,
		"read-msn":             `Segment ReadRequest MSN=3 RDMARDSZ=4`,
		"read-long":            `Segment ReadRequest RDMARDSZ=4 0000`,
		"read-short":           `Segment ReadRequest 0000`,
		"read-mo":              `Segment ReadRequest MO=4 RDMARDSZ=4`,
		"read-stag":            `ReadRequest SinkSTag=1 RDMARDSZ=4 SrcSTag=0x12345600`,
		"write-stag":           `Write STag=0x12345600 TO=0x10 "abc"`,
		"response-unexpected":  `Segment ReadResponse STag=1 TO=0x10 "abc"`,
		"invalidate-stag":      `SendInvalidate InvalidateSTag=0x12345600 "abc"`,
		"immediate-length":     `Segment Immediate "abc"`,
		"terminate-bad":        `Segment Terminate MSN=2 0000`,
	} {
		t.Run(situation, func(t *testing.T) {
			markers := ""
			if situation == "fpdu-marker" {
				markers = "M"
			}
			expect(t, fmt.Sprintf(`
1 client MPARequest Rev=1 C
2 server after 1 MPAReply %s Rev=1 C
3 client after 2 Segment Send "before"
4 client %s
5 server after 4 Refusal %s to 4
6 server FIN
7 client after 6 FIN
`, markers, bad, situation), "exact", "exact", "exact")
		})
	}
}
