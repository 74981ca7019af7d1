package nvme_test

import (
	"context"
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/internal/ulptest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// moved says how much data a command has moved, if it is any.
func moved(t *record.Transaction) string {
	if e, ok := t.Upper.(*nvme.Exchange); ok && t.Octets > 0 {
		return fmt.Sprintf("%s on queue %d moved %d octets: %v", t.Name, e.QueueID, t.Octets, e.Status)
	}
	return ""
}

func Example() {
	c, err := pcaps.Open("../../../pcaps/samples/nvme-rdma-start.pcap.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	a := judge.New(&ulptest.Printer{Before: 14, Line: moved}, judge.Options{ULPs: []*ulp.Layer{nvme.Layer}})
	if err := dissect.NewEngine(a, dissect.Options{}).Run(context.Background(), c); err != nil {
		log.Fatal(err)
	}
	// Output:
	// frame 8 c2s: Connect cid=0x0000 qid=0 sqsize=32
	// frame 11 s2c: Completion cid=0x0000 Success
	// NVMe Connect on queue 0 moved 1024 octets: Success
	// frame 12 c2s: Property Get cid=0x0001 ofst=CAP
	// frame 13 s2c: Completion cid=0x0001 Success
	// NVMe Identify on queue 0 moved 4096 octets: Success
	// NVMe Identify on queue 0 moved 4096 octets: Success
	// NVMe Get Log Page on queue 0 moved 1024 octets: Success
	// NVMe Get Log Page on queue 0 moved 3072 octets: Success
}
