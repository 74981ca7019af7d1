package smbdirect

// SMB Direct packets as a view shows them: their parts, and a line of text.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Kind is the kind of a packet.
type Kind uint8

// The kinds of packets.
const (
	NegotiateRequest Kind = iota
	NegotiateResponse
	DataTransfer
)

var kindNames = [...]string{"Negotiate Request", "Negotiate Response", "Data transfer"}

// String is "Negotiate Request", "Negotiate Response" or "Data transfer".
func (k Kind) String() string { return kindNames[k] }

// ResponseRequested is the flag SMB_DIRECT_RESPONSE_REQUESTED: the peer must send something at once.
const ResponseRequested = 0x0001

// version is the only version of SMB Direct.
const version = 0x0100

// A Packet is the Body of the record.Uppers of this package.
type Packet struct {
	Kind             Kind
	CreditsRequested uint16
	CreditsGranted   uint16  // not in a Negotiate Request
	Status           Status  // of a Negotiate Response
	Flags            uint16  // of a data transfer
	Remaining        uint32  // octets of the SMB2 message that are still to come, in other packets
	DataLength       uint32  // octets of data
	Command          Command // the first SMB2 command in the data, or the one that the data continues
	Rest             bool    // the data continues an SMB2 message of earlier packets
	Credits          int     // how many packets the sender may send after this one; negative if it has sent too many
	CreditsKnown     bool    // Credits is right: the negotiation was seen, and no packet was missed
	Octets           []byte  // what was captured of the packet; valid until the Reporter returns
	StatedLength     uint64  // octets

	data    []byte // as far as it was captured
	message []byte // the SMB2 message that the data completes, of all its packets; nil if it is in one
}

// Decode reads a packet of the given length in octets, of which octets was captured. It sets Command if the data begins with
// an SMB2 message. ok is false if a receiver would have to close the connection ([MS-SMBD], sections 3.1.5.6 to 3.1.5.8), or
// if too little was captured.
func (p *Packet) Decode(octets []byte, length uint64) (ok bool) {
	*p = Packet{Octets: octets, StatedLength: length}
	switch {
	case isNegotiateRequest(octets, length):
		p.Kind, p.CreditsRequested = NegotiateRequest, uint16(requestCredits.Number(octets))
	case isNegotiateResponse(octets, length):
		p.Kind, p.CreditsRequested = NegotiateResponse, uint16(responseRequested.Number(octets))
		p.CreditsGranted, p.Status = uint16(responseGranted.Number(octets)), Status(responseStatus.Number(octets))
	case isDataTransfer(octets, length):
		p.decodeDataTransfer()
	default:
		return false
	}
	return true
}

func isNegotiateRequest(b []byte, length uint64) bool {
	return length == uint64(negotiateRequest.Len()) && uint64(len(b)) == length && isRange(b) && checkNegotiateRequest(b) == breach{}
}

// refusable reports whether a packet can be a Negotiate Request that its receiver refuses: for other versions, or with other numbers that
// it does not accept.
func refusable(b []byte, length uint64) bool {
	return length == uint64(negotiateRequest.Len()) && uint64(len(b)) == length && requestReserved.Number(b) == 0 &&
		requestMinVersion.Number(b) > 0 && requestMinVersion.Number(b) <= requestMaxVersion.Number(b)
}

// isRange reports whether MinVersion and MaxVersion are a range that includes the only version.
func isRange(b []byte) bool {
	return requestMinVersion.Number(b) <= version && requestMaxVersion.Number(b) >= version
}

func isNegotiateResponse(b []byte, length uint64) bool {
	if length != uint64(negotiateResponse.Len()) || uint64(len(b)) != length || responseReserved.Number(b) != 0 {
		return false
	}
	return isRange(b) && (responseVersion.Number(b) == version || Status(responseStatus.Number(b)).Failed())
}

func isDataTransfer(b []byte, length uint64) bool {
	return checkDataTransfer(b, length) == breach{} && dataReserved.Number(b) == 0 && dataFlags.Number(b)&^ResponseRequested == 0
}

func (p *Packet) decodeDataTransfer() {
	b := p.Octets
	p.Kind = DataTransfer
	p.CreditsRequested, p.CreditsGranted = uint16(dataRequested.Number(b)), uint16(dataGranted.Number(b))
	p.Flags, p.Remaining = uint16(dataFlags.Number(b)), uint32(dataRemaining.Number(b))
	p.DataLength = uint32(dataDataLength.Number(b))
	p.data = b[min(dataOffset.Number(b), uint64(len(b))):]
	p.data = p.data[:min(uint64(p.DataLength), uint64(len(p.data)))]
	p.Command.Decode(p.data)
}

// Lay implements record.Body: a negotiation, or the header of a data transfer and the SMB2 commands that begin in it. A message in several
// packets comes behind the last.
func (p *Packet) Lay(v *record.View) {
	v.Begin("", p.Octets, p.StatedLength)
	table := [...]*field.Table{negotiateRequest, negotiateResponse, dataTransfer}[p.Kind]
	v.Add(table, 0, table.Len())
	switch {
	case p.message != nil:
		v.Begin("SMB2 message", p.message, uint64(len(p.message)))
		layCommands(v, p.message, 0)
	case p.Kind == DataTransfer && !p.Rest && len(p.data) > 0:
		layCommands(v, p.data, int(dataOffset.Number(p.Octets)))
	}
}

// layCommands adds the commands of a message that begins at offset off.
func layCommands(v *record.View, message []byte, off int) {
	for c := range commandsOf(message) {
		c.lay(v, off)
		off += len(c.all)
	}
}

// AppendText appends the packet as a line of text: "Data transfer credits=1 remaining=0 SMB2 READ mid=7
// offset=0 length=4096".
func (p *Packet) AppendText(dst []byte) []byte {
	dst = append(dst, p.Kind.String()...)
	if p.Kind == NegotiateRequest {
		return strconv.AppendUint(append(dst, " requested="...), uint64(p.CreditsRequested), 10)
	}
	dst = strconv.AppendUint(append(dst, " credits="...), uint64(p.CreditsGranted), 10)
	if p.Kind == NegotiateResponse {
		return append(append(dst, ' '), p.Status.String()...)
	}
	dst = strconv.AppendUint(append(dst, " remaining="...), uint64(p.Remaining), 10)
	if p.Rest {
		dst = append(dst, " rest of"...)
	}
	if p.Command.Protocol != NoSMB {
		dst = p.Command.AppendText(append(dst, ' '))
	}
	return dst
}
