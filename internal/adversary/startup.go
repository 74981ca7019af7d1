package adversary

// The start-up of MPA: RFC 5044, section 7.1, and RFC 6581.

import "bytes"

// NotNegotiated is the IRD or ORD of a side that leaves it to others: RFC 6581, section 4.
const NotNegotiated = 0x3fff

// A ready is a kind of Ready to Receive, by its bit in the Enhanced word.
type ready uint32

const (
	readySend  ready = 1 << 30
	readyWrite ready = 1 << 15
	readyRead  ready = 1 << 14

	peerToPeer = 1 << 31
)

// Flags of an MPA frame.
const (
	flagMarkers  = 0x80
	flagCRC      = 0x40
	flagReject   = 0x20
	flagEnhanced = 0x10
)

// Terms are what the MPA frames of both sides fix.
type Terms struct {
	Rev      byte
	Enhanced bool
	Markers  [2]bool // in what a side sends
	CRC      bool
	Ready    ready   // with what the Initiator begins; 0 if with anything
	Reads    [2]int  // how many Reads and Atomics a side may have outstanding
	Unbound  [2]bool // that was not negotiated
}

// A frame is an MPA Request or Reply.
type frame struct {
	flags    byte
	rev      byte
	ird, ord uint32
	ready    ready // with peerToPeer, if it is set
	private  []byte
}

func (f *frame) octets(from Side) []byte {
	private := f.private
	if f.flags&flagEnhanced != 0 {
		private = octets(uint32(f.ready)|f.ird<<16|f.ord, private)
	}
	return octets("MPA ID Re", string("qp"[from]), " Frame", f.flags, f.rev, uint16(len(private)), private)
}

// startup sends the MPA frames, and the Ready to Receive if one was agreed on.
func (t *talk) startup() {
	request, reply := t.frames()
	t.Units = []*Unit{{From: Initiator, Frame: true, Octets: request.octets(Initiator)}, {From: Responder, Frame: true, Octets: reply.octets(Responder)}}
	switch t.Terms.Ready {
	case readySend:
		t.send(Initiator, opSend, 0, nil)
	case readyWrite:
		t.write(Initiator, 0, 0, nil)
	case readyRead:
		t.read(Initiator, read{})
	}
}

// frames draws the two frames, and the Terms that follow from them.
func (t *talk) frames() (request, reply frame) {
	terms := &t.Terms
	// Each side asks for Markers in what it receives.
	flags := func() byte { return pick(t.r, byte(0), flagMarkers) | pick(t.r, byte(0), flagCRC, flagCRC) }
	terms.Rev = pick(t.r, byte(1), 2, 2)
	request, reply = frame{flags: flags()}, frame{flags: flags()}
	if t.Kind == "RDMAC" { // RFC 5044, appendix C
		terms.Rev, request.flags, reply.flags = 0, flagMarkers|flagCRC, flagMarkers|flagCRC
	}
	request.rev, reply.rev = terms.Rev, terms.Rev
	terms.Markers = [2]bool{reply.flags&flagMarkers != 0, request.flags&flagMarkers != 0}
	terms.CRC = (request.flags|reply.flags)&flagCRC != 0
	terms.Reads = [2]int{1 + t.r.IntN(16), 1 + t.r.IntN(16)}
	room := 512
	if terms.Enhanced = terms.Rev == 2; terms.Enhanced {
		room = 508
		t.enhance(&request, &reply)
	}
	if t.Kind == "Rejected" {
		reply.flags, terms.Ready = reply.flags|flagReject, 0
	}
	for _, f := range []*frame{&request, &reply} {
		if f.private = t.private; f.private == nil {
			f.private = random(t.r, pick(t.r, 0, 0, 0, 1, 3, 4, t.r.IntN(room), room-1, room))
		}
		if len(f.private) >= 4 && bytes.HasPrefix(f.private, octets(uint32(0xf6ab0e18))) && t.private == nil {
			f.private = nil // that is RPC-over-RDMA's: RFC 8797
		}
	}
	return request, reply
}

// enhance draws the Enhanced words of RFC 6581, sections 4 and 9.
func (t *talk) enhance(request, reply *frame) {
	limit := func() uint32 { return uint32(pick(t.r, 1, 2, 16, 1+t.r.IntN(64), 0x3ffe)) }
	request.flags |= flagEnhanced
	reply.flags |= flagEnhanced
	request.ird, request.ord = limit(), limit()
	reply.ird = request.ord + uint32(t.r.IntN(2))*min(3, 0x3ffe-request.ord) // at least what the Initiator wants
	reply.ord = uint32(1 + t.r.IntN(int(request.ird)))
	if t.Kind == "Few Reads" {
		request.ird, request.ord = uint32(t.r.IntN(2)), uint32(t.r.IntN(2))
		reply.ird, reply.ord = request.ord+uint32(t.r.IntN(2)), uint32(t.r.IntN(int(request.ird)+1))
	}
	switch t.r.IntN(8) {
	case 0:
		request.ord, reply.ird = NotNegotiated, NotNegotiated
		t.Terms.Unbound[Initiator] = true
	case 1:
		request.ird, reply.ord = NotNegotiated, NotNegotiated
		t.Terms.Unbound[Responder] = true
	}
	if !t.Terms.Unbound[Initiator] {
		t.Terms.Reads[Initiator] = int(min(request.ord, reply.ird, 40))
	}
	if !t.Terms.Unbound[Responder] {
		t.Terms.Reads[Responder] = int(min(reply.ord, request.ird, 40))
	}
	if t.r.IntN(3) == 0 {
		return
	}
	if t.Terms.Ready = pick(t.r, readySend, readyWrite, readyRead); t.Terms.Reads[Initiator] == 0 {
		t.Terms.Ready = readyWrite // a Read needs an ORD
	}
	more := func() ready { return pick(t.r, 0, readySend, readyWrite, readyRead) }
	request.ready = peerToPeer | t.Terms.Ready | more()
	reply.ready = peerToPeer | t.Terms.Ready | more()
}
