package smbdirect_test

import (
	"context"
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/ulptest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// moved says how much data a command has moved, if it is any.
func moved(t *record.Transaction) string {
	if e, ok := t.Upper.(*smbdirect.Exchange); ok && t.Octets > 0 {
		return fmt.Sprintf("%s moved %d octets of %d: %v", t.Name, t.Octets, e.Length, e.Status)
	}
	return ""
}

func Example() {
	c, err := pcaps.Open("../../../pcaps/samples/smbdirect.pcap.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	a := judge.New(&ulptest.Printer{Before: 15, Line: moved}, judge.Options{ULPs: []*ulp.Layer{smbdirect.Layer}})
	if err := dissect.NewEngine(a, dissect.Options{}).Run(context.Background(), c); err != nil {
		log.Fatal(err)
	}
	// Output:
	// frame 8 c2s: Negotiate Request requested=255
	// frame 9 s2c: Negotiate Response credits=254 STATUS_SUCCESS
	// frame 10 c2s: Data transfer credits=255 remaining=0
	// frame 11 c2s: Data transfer credits=0 remaining=0 SMB2 NEGOTIATE mid=0
	// frame 13 s2c: Data transfer credits=0 remaining=0 SMB2 NEGOTIATE Response mid=0
	// SMB2 WRITE moved 3 octets of 3: STATUS_SUCCESS
	// SMB2 READ moved 3 octets of 1048576: STATUS_SUCCESS
	// SMB2 WRITE moved 100 octets of 100: STATUS_SUCCESS
}
