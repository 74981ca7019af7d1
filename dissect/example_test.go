package dissect_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
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
	if err := dissect.NewEngine(reads{}, dissect.Options{}).Run(context.Background(), c); err != nil {
		fmt.Println(err)
	}
	for _, damage := range c.Damage() {
		fmt.Println(damage)
	}
	// Output:
	// frame 10: c2s reads 64 octets from STag 0x24ddb500
	// connection 0, MPA revision 2, ended with terminate
}

func ExampleRecords() {
	c, err := pcaps.Open("../pcaps/samples/term-read-badkey.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	for r, err := range dissect.Records(context.Background(), c, dissect.Options{Analysis: &judge.Options{}}) {
		switch {
		case err != nil:
			fmt.Println(err)
		case r.Kind == record.KindMessage:
			fmt.Printf("frame %d: %v %v, findings: %d\n", r.Frame, r.Dir, r.Message.Opcode, len(r.Marks))
		case r.Kind == record.KindEnd:
			fmt.Println("ended by the", r.Verdict.By)
		}
	}
	// Output:
	// frame 8: c2s Send, findings: 0
	// frame 10: c2s ReadRequest, findings: 0
	// frame 12: s2c Terminate, findings: 4
	// ended by the server
}

// The latency of each RDMA Read: a request that is over is in Over of the Record with its answer.
func ExampleRecords_latency() {
	const name = "../pcaps/samples/perf-ib_read_bw-4096-o16.pcap.gz"
	c, err := pcaps.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	reads, longest := 0, int64(0)
	for r, err := range dissect.Records(context.Background(), c, dissect.Options{Analysis: &judge.Options{}}) {
		if err != nil {
			fmt.Println(err)
			break
		}
		for _, t := range r.Over {
			if t.Kind == record.ReadTransaction && t.Timed() {
				reads, longest = reads+1, max(longest, t.Latency())
			}
		}
	}
	fmt.Printf("%d RDMA Reads, the longest took %v\n", reads, time.Duration(longest))
	for _, damage := range c.Damage() { // such as a file that was cut
		fmt.Println(damage)
	}
	// Output:
	// 40 RDMA Reads, the longest took 19.17ms
}

func ExampleMessages() {
	const name = "../pcaps/samples/term-read-badkey.pcap"
	file, err := os.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for m, err := range dissect.Messages(context.Background(), file) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("frame %d: %v %v, %d octets\n", m.Frame, m.Dir, m.Opcode, m.Len)
	}
	// Output:
	// frame 8: c2s Send, 4 octets
	// frame 10: c2s ReadRequest, 0 octets
	// frame 12: s2c Terminate, 0 octets
}
