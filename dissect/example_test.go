package dissect_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A reads prints the RDMA Read Requests that it is given, and how connections end.
type reads struct{}

func (reads) Record(r *record.Record) {
	switch {
	case r.Kind == record.KindMessage && r.Message.Opcode == rdmap.OpReadRequest:
		var request rdmap.ReadRequest
		if _, err := request.Decode(r.Message.First.Body); err == nil {
			fmt.Printf("frame %d: %v reads %d octets from STag %#x\n", r.Frame, r.Dir, request.RDMARDSZ, request.SrcSTag)
		}
	case r.Kind == record.KindEnd:
		fmt.Printf("connection %d, MPA revision %d, ended with %v\n", r.Conn.ID, r.Conn.Agreement.Rev, r.Conn.End)
	}
}

func Example() {
	c, err := pcaps.Open("../pcaps/samples/term-read-badkey.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	if err := dissect.NewEngine(reads{}, dissect.Options{}).Run(c, nil); err != nil {
		fmt.Println(err)
	}
	for _, damage := range c.Damage() {
		fmt.Println(damage)
	}
	// Output:
	// frame 10: c2s reads 64 octets from STag 0x24ddb500
	// connection 0, MPA revision 2, ended with terminate
}
