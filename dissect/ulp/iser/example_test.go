package iser_test

import (
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A printer prints the first messages of a connection, and its commands that move much data.
type printer struct{ analysis.Discard }

func (printer) Upper(m *analysis.UpperMessage) {
	if m.Frame < 15 {
		fmt.Printf("frame %d %v: %s\n", m.Frame, m.Dir, m.Name)
	}
}

func (printer) Transaction(t *analysis.Transaction) {
	if e, ok := t.Upper.(*iser.Exchange); ok && t.Octets > 4096 {
		fmt.Printf("%s moved %d octets of %d: %v\n", t.Name, t.Octets, e.Expected, t.Outcome)
	}
}

func Example() {
	c, err := pcaps.Open("../../../pcaps/samples/iser-start.pcap.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	a := analysis.New(printer{}, analysis.Options{ULPs: []analysis.ULP{iser.ULP{}}})
	if err := dissect.NewEngine(a, dissect.Options{}).Run(c, nil); err != nil {
		log.Fatal(err)
	}
	// Output:
	// frame 8 c2s: Login Request itt=0x00000000 LoginOperationalNegotiation
	// frame 9 s2c: Login Response itt=0x00000000 Success
	// frame 11 c2s: SCSI Command INQUIRY itt=0x01000000 lun=0 Read STag 0x47afc501
	// frame 13 s2c: SCSI Response itt=0x01000000 GOOD
	// SCSI WRITE(10) moved 69596 octets of 262144: unanswered
}
