package judge_test

import (
	"context"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A printer prints transactions, findings of some weight and verdicts.
type printer struct{}

func (printer) Record(r *record.Record) {
	for _, f := range r.Findings {
		if f.Severity >= rules.Warning {
			fmt.Printf("frame %d: %v %s (%s)\n", f.Frame, f.Severity, f.Name, f.ID)
		}
	}
	for _, t := range r.Over {
		fmt.Printf("%s of %d octets, request in frame %d: %v\n", t.Name, t.Read.RDMARDSZ, t.Request.Frame, t.Outcome)
	}
	if r.Verdict != nil {
		fmt.Println(r.Verdict.Text)
	}
}

func Example() {
	c, err := pcaps.Open("../../pcaps/samples/term-read-badkey.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	a := judge.New(printer{}, judge.Options{Profile: peers.LookupProfile("siw")})
	if err := dissect.NewEngine(a, dissect.Options{}).Run(context.Background(), c); err != nil {
		fmt.Println(err)
	}
	// Output:
	// frame 12: warning terminate (OBS-TERMINATE)
	// RDMA Read of 64 octets, request in frame 10: refused
	// At 89.8 ms the server refused the client's ReadRequest in frame 10 with a Terminate (0/1/00 Invalid STag) in frame 12: the ReadRequest names STag 0x24ddb500, but the MPA Reply in frame 6 advertised 0x24dcb500 (after TO 0x7f3c065fc000 in its Private Data).
}
