package check_test

import (
	"log"
	"os"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

func Example() {
	capture, err := samples.Open("refused")
	if err != nil {
		log.Fatal(err)
	}
	printer := check.NewText(os.Stdout, check.Options{})
	engine := dissect.NewEngine(judge.New(printer, judge.Options{}), dissect.Options{})
	var rec pcaps.Record
	for capture.Next(&rec) == nil {
		engine.Packet(&rec)
	}
	engine.Close()
	if err := printer.Finish(nil); err != nil {
		log.Fatal(err)
	}
	// Output:
	// At 1.54 ms the server refused the connection in frame 2: nobody listens on port
	// 7999, or a firewall rejects it (the SYN was answered with a reset).
	//   Connection 0: 10.0.0.1:60967 > 10.0.0.2:7999, frames 1-2, 1.54 ms
	//   Next: Most often the service is not running, or listens on another port or
	//   address. See what listens on the server, and in the RNIC's own table of ports
	//   too, then whether a firewall answers for it. See iwarp explain OBS-REFUSED.
	//
	// 1 connection, 1 failed. Findings: 1 warning.
}
