package nvme_test

import (
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A printer prints the first messages of the first connection, and its commands that move data.
type printer struct{ analysis.Discard }

func (printer) Upper(m *analysis.UpperMessage) {
	if m.Conn.ID == 0 && m.Frame < 14 {
		fmt.Printf("frame %d %v: %s\n", m.Frame, m.Dir, m.Name)
	}
}

func (printer) Transaction(t *analysis.Transaction) {
	if e, ok := t.Upper.(*nvme.Exchange); ok && t.Conn.ID == 0 && t.Octets > 0 {
		fmt.Printf("%s on queue %d moved %d octets: %v\n", t.Name, e.QueueID, t.Octets, e.Status)
	}
}

func Example() {
	c, err := pcaps.Open("../../../pcaps/samples/nvme-rdma-start.pcap.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	a := analysis.New(printer{}, analysis.Options{ULPs: []analysis.ULP{nvme.ULP{}}})
	if err := dissect.NewEngine(a, dissect.Options{}).Run(c, nil); err != nil {
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
