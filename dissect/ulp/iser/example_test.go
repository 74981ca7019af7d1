package iser_test

import (
	"context"
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/internal/ulptest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// moved says how much data a command has moved, if it is much.
func moved(t *record.Transaction) string {
	if e, ok := t.Upper.(*iser.Exchange); ok && t.Octets > 4096 {
		return fmt.Sprintf("%s moved %d octets of %d: %v", t.Name, t.Octets, e.Expected, t.Outcome)
	}
	return ""
}

func Example() {
	c, err := pcaps.Open("../../../pcaps/samples/iser-start.pcap.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	a := judge.New(&ulptest.Printer{Before: 15, Line: moved}, judge.Options{ULPs: []*ulp.Layer{iser.Layer}})
	if err := dissect.NewEngine(a, dissect.Options{}).Run(context.Background(), c); err != nil {
		log.Fatal(err)
	}
	// Output:
	// frame 8 c2s: Login Request itt=0x00000000 LoginOperationalNegotiation
	// frame 9 s2c: Login Response itt=0x00000000 Success
	// frame 11 c2s: SCSI Command INQUIRY itt=0x01000000 lun=0 Read STag 0x47afc501
	// frame 13 s2c: SCSI Response itt=0x01000000 GOOD
	// SCSI WRITE(10) moved 69596 octets of 262144: unanswered
}
