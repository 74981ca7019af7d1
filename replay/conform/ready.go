package conform

// The Ready to Receive of the survey. It is sent if one is agreed on: kernels crash if the connection ends without it.

import (
	"io"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// sendReady sends the Ready to Receive with a flag as the first FPDU (RFC 6581, section 9.2).
func sendReady(to io.Writer, kind string) error {
	s := rdmap.Segment{Header: rdmap.Header{Control: rdmap.Control{RV: rdmap.Version}}}
	switch kind {
	case "B":
		s.Control.Opcode = rdmap.OpSend
		s.Untagged = ddp.Untagged{L: true, DV: ddp.Version, QN: rdmap.QNSend, MSN: 1}
	case "C":
		s.Control.Opcode, s.T = rdmap.OpWrite, true
		s.Tagged = ddp.Tagged{L: true, DV: ddp.Version}
	case "D":
		s.Control.Opcode = rdmap.OpReadRequest
		s.Untagged = ddp.Untagged{L: true, DV: ddp.Version, QN: rdmap.QNReadRequest, MSN: 1}
		s.Body, _ = new(rdmap.ReadRequest).AppendBinary(nil) // zeros fit
	}
	b, err := frame(&mpa.Framer{Options: mpa.Options{CRC: true}}, &s)
	if err == nil {
		_, err = to.Write(b)
	}
	return err
}
