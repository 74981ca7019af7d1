package filter_test

import (
	"context"
	"fmt"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A list prints the messages that it is given.
type list struct{}

func (list) Record(r *record.Record) {
	if r.Kind == record.KindMessage {
		fmt.Printf("frame %d: %v %v\n", r.Frame, r.Dir, r.Message.Opcode)
	}
}

func Example() {
	f, err := filter.Compile(`iwarp_rdma.srcstag == 0x24ddb500 or type == Send and not dir == s2c`)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := pcaps.Open("../../pcaps/samples/term-read-badkey.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	sieve := filter.NewSieve(f, list{})
	if err := dissect.NewEngine(sieve, dissect.Options{}).Run(context.Background(), c); err != nil {
		fmt.Println(err)
	}
	// Output:
	// frame 8: c2s Send
	// frame 10: c2s ReadRequest
	// frame 12: s2c Terminate
}

func ExampleFilter_Match() {
	f, err := filter.Compile(`len > 4096 and iwarp_ddp.stag in {0x100..0x1ff}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	header := []byte("\xc1\x40\x00\x00\x01\x23\x00\x00\x00\x00\x00\x00\x00\x00")
	write := &record.Message{Header: header, ULPDU: 1448, Len: 9000}
	var e filter.Event
	e.Message = write
	fmt.Println(f, f.Match(&e))
	write.Len = 100
	fmt.Println(f, f.Match(&e))
	// Output:
	// len > 4096 and iwarp_ddp.stag in {0x100..0x1ff} true
	// len > 4096 and iwarp_ddp.stag in {0x100..0x1ff} false
}

func ExampleCompile() {
	_, err := filter.Compile(`type == Send && iwarp_dpd.stag`)
	fmt.Println(err)
	// Output:
	// iwarp_dpd.stag: no such field; did you mean iwarp_ddp.stag?
	//   type == Send && iwarp_dpd.stag
	//                   ^~~~~~~~~~~~~~
}
