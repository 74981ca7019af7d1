package iser

// iSER messages as a view shows them: their parts, and a line of text.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A PDU is an iSER message: an iSER header and an iSCSI PDU, or a Hello or HelloReply. It is the Body of the record.Uppers of
// this package.
type PDU struct {
	Kind         string  // "iSER Hello" or "iSER HelloReply", else empty: an iSCSI PDU
	Framing      Framing // of the iSCSI PDU
	Header               // of iSER
	Opcode       Opcode  // of iSCSI
	TaskTag      uint32  // Initiator Task Tag
	DataLength   uint32  // DataSegmentLength, 24 bits: octets of data, without padding
	Octets       []byte  // what was captured of the message; valid until the Reporter returns
	StatedLength uint64  // octets

	bhs   []byte // the Basic Header Segment
	data  []byte // as far as it was captured
	exact bool   // the headers agree with the length, and break no rule
}

// Decode reads a message of the given length in octets, of which octets was captured. It uses the framing whose lengths agree
// with that, or else the expected one. ok is false if it is not an iSER message, or if too little was captured.
func (p *PDU) Decode(octets []byte, length uint64, expected Framing) (ok bool) {
	*p = PDU{Octets: octets, StatedLength: length}
	if p.decodeHello() {
		return true
	}
	for _, f := range framings {
		if p.decodeIn(f) && p.exact {
			return true
		}
	}
	return p.decodeIn(expected)
}

// decodeHello reads a Hello or HelloReply, which is as long as the header before an iSCSI PDU.
func (p *PDU) decodeHello() (ok bool) {
	if len(p.Octets) < Former.Len() {
		return false
	}
	for _, f := range []Framing{Expanded, Former} {
		if p.StatedLength != uint64(f.Len()) {
			continue
		}
		if op := opcode.Number(p.Octets); op == opHello || op == opHelloReply {
			p.Kind, p.Framing = opcodeName(op), f
			p.exact = p.Octets[0]&0xe == 0 && field.AllZero(p.Octets[4:])
		}
	}
	return p.Kind != ""
}

// decodeIn reads an iSCSI PDU in the given framing.
func (p *PDU) decodeIn(f Framing) (ok bool) {
	b := p.Octets
	if !p.Header.decode(f, b) || len(b) < f.Len()+bhsLen {
		return false
	}
	p.Framing, p.bhs = f, b[f.Len():f.Len()+bhsLen]
	p.Opcode = Opcode(pduOpcode.Number(p.bhs))
	p.TaskTag = uint32(itt.Number(p.bhs))
	p.DataLength = uint32(dataLength.Number(p.bhs))
	end := uint64(f.Len()) + bhsLen + 4*ahsLength.Number(p.bhs)
	p.data = b[min(end, uint64(len(b))):]
	p.data = p.data[:min(len(p.data), int(p.DataLength))]
	end += uint64(p.DataLength)
	agrees := p.StatedLength == end || p.StatedLength == end+-end&3 // padding ends on 4 octets
	sound := p.Opcode.Known() && p.bhs[0]&0x80 == 0 && p.Reserved == 0
	p.exact = agrees && sound && (f != Unframed || p.Opcode.beforeISER())
	return true
}

// beforeISER reports whether a PDU can come before the connection switches to iSER, without an iSER header.
func (o Opcode) beforeISER() bool {
	switch o {
	case OpLoginRequest, OpLoginResponse, OpTextRequest, OpTextResponse:
		return true
	}
	return false
}

// fromInitiator reports whether initiators send such a message.
func (p *PDU) fromInitiator() bool {
	if p.Kind != "" {
		return opcode.Number(p.Octets) == opHello
	}
	return !p.Opcode.FromTarget()
}

// Lay implements record.Body: the iSER header and the Basic Header Segment, or a Hello.
func (p *PDU) Lay(v *record.View) {
	v.Begin("", p.Octets, p.StatedLength)
	switch {
	case p.Kind == "":
	case p.fromInitiator():
		v.Add(hello, 0, len(p.Octets))
		return
	default:
		v.Add(helloReply, 0, len(p.Octets))
		return
	}
	if t := p.Framing.fields(); t != nil {
		v.Add(t, 0, t.Len())
	}
	if p.Opcode.Known() {
		v.Add(tableOf[p.Opcode], p.Framing.Len(), bhsLen)
	}
}

// dataOctets is how many octets of data the message holds, captured or not.
func (p *PDU) dataOctets() uint64 { return min(uint64(p.DataLength), p.StatedLength) }

// CDB returns the CDB of a SCSI Command; nil if the message is none.
func (p *PDU) CDB() []byte {
	if p.Kind != "" || p.Opcode != OpSCSICommand {
		return nil
	}
	return cdb.Bytes(p.bhs)
}

// AppendText appends the message as a line of text: "SCSI Command READ(10) itt=0x10000000 lun=0 lba=0 blocks=8
// Read STag 0x47afc501" or "SCSI Response itt=0x10000000 GOOD".
func (p *PDU) AppendText(dst []byte) []byte {
	if p.Kind != "" {
		return p.appendHello(dst)
	}
	dst = append(dst, p.Opcode.String()...)
	if p.Opcode == OpSCSICommand {
		name, _ := command(p.CDB())
		dst = append(append(dst, ' '), name[len(scsiPrefix):]...)
	}
	dst = appendHex(dst, " itt=", &itt, p.bhs)
	dst = p.appendDetails(dst)
	if p.WriteValid {
		dst = expandedHeader.Fields[4].AppendNumber(append(dst, " Write STag "...), uint64(p.WriteSTag))
	}
	if p.ReadValid {
		dst = expandedHeader.Fields[6].AppendNumber(append(dst, " Read STag "...), uint64(p.ReadSTag))
	}
	return dst
}

func (p *PDU) appendHello(dst []byte) []byte {
	dst = append(dst, p.Kind...)
	if p.fromInitiator() {
		return helloIRD.AppendValue(append(dst, " iSER-IRD="...), p.Octets)
	}
	if replyREJ.Number(p.Octets) != 0 {
		dst = append(dst, " rejected"...)
	}
	return replyORD.AppendValue(append(dst, " iSER-ORD="...), p.Octets)
}

// appendDetails appends the most important fields of a PDU.
func (p *PDU) appendDetails(dst []byte) []byte {
	switch p.Opcode {
	case OpSCSICommand:
		return p.appendCommand(dst)
	case OpTaskRequest:
		return appendName(dst, &taskFunction, p.bhs)
	case OpLoginRequest:
		return appendName(dst, &currentStage, p.bhs)
	case OpLogoutReq:
		return appendName(dst, &logoutReason, p.bhs)
	case OpNOPOut, OpNOPIn:
		return appendHex(dst, " ttt=", &ttt, p.bhs)
	case OpSCSIResponse, OpTaskResponse, OpLoginResponse, OpLogoutResp, OpReject:
		return append(append(dst, ' '), p.Result().String()...)
	case OpAsync:
		return appendName(dst, &asyncEvent, p.bhs)
	}
	return dst
}

// appendCommand appends the LUN and the blocks of a SCSI Command.
func (p *PDU) appendCommand(dst []byte) []byte {
	dst = append(dst, " lun="...)
	const simple = 0x3fff << 48 // the number of a logical unit in the first level, by either addressing method of SAM
	v := lun.Number(p.bhs)
	if method := v >> 62; v&^(1<<62|simple) == 0 && method < 2 {
		dst = strconv.AppendUint(dst, v&simple>>48, 10)
	} else {
		dst = lun.AppendNumber(dst, v)
	}
	if lba, count, ok := blocks(p.CDB()); ok {
		dst = strconv.AppendUint(append(dst, " lba="...), lba, 10)
		dst = strconv.AppendUint(append(dst, " blocks="...), uint64(count), 10)
	}
	return dst
}

func appendHex(dst []byte, label string, f *field.Field, octets []byte) []byte {
	return f.AppendValue(append(dst, label...), octets)
}

func appendName(dst []byte, f *field.Field, octets []byte) []byte {
	return append(append(dst, ' '), f.Names(f.Number(octets))...)
}
