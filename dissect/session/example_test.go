package session_test

import (
	"fmt"
	"net/netip"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/session"
)

// A printer prints what happens.
type printer struct{}

// Record implements record.Sink.
func (printer) Record(r *record.Record) {
	switch r.Kind {
	case record.KindStartup:
		fmt.Println(r.Dir, r.Startup.Name())
	case record.KindSegment:
		fmt.Println(r.Dir, "FPDU, CRC", r.Segment.FPDU.Verdict)
	case record.KindMessage:
		fmt.Println(r.Dir, r.Message.Opcode, "of", r.Message.Len, "octets")
	case record.KindNote:
		fmt.Println(r.Dir, r.Note.Kind)
	case record.KindEnd:
		fmt.Println("end:", r.Conn.End)
	}
}

// A connection with one Send of two octets.
func ExampleTCP() {
	client, server := netip.MustParseAddrPort("10.0.0.1:40000"), netip.MustParseAddrPort("10.0.0.2:2049")
	request, _ := (&mpa.Frame{Rev: 1, C: true}).AppendBinary(nil)
	reply, _ := (&mpa.Frame{Rev: 1, C: true, Reply: true}).AppendBinary(nil)
	framer := mpa.Framer{Options: mpa.Options{CRC: true}}
	fpdu, _ := framer.Append(nil, []byte("\x41\x43\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00"), []byte("hi"))

	var s session.TCP
	s.Init(&session.Shared{Sink: printer{}}, client, server)
	s.Receive(0, &reassembly.Piece{Data: request, Frame: 4})
	s.Receive(1, &reassembly.Piece{Data: reply, Frame: 5})
	s.Receive(0, &reassembly.Piece{Offset: uint64(len(request)), Data: fpdu, Frame: 6})
	s.Settle()
	s.End()
	// Output:
	// c2s MPARequest
	// s2c MPAReply
	// c2s FPDU, CRC good
	// c2s Send of 2 octets
	// end: open
}
