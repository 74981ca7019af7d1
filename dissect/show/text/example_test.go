package text_test

import (
	"log"
	"os"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

func Example() {
	capture, err := samples.Open("p2p-crc")
	if err != nil {
		log.Fatal(err)
	}
	clock := &show.Clock{}
	printer := text.New(os.Stdout, text.Options{Clock: clock})
	engine := dissect.NewEngine(printer, dissect.Options{})
	var rec pcaps.Record
	for capture.Next(&rec) == nil {
		if rec.Frame == 1 {
			clock.Start = rec.Time
		}
		engine.Packet(&rec)
	}
	engine.Close()
	if err := printer.Flush(); err != nil {
		log.Fatal(err)
	}
	// Output:
	//     0.000708   0 c2s  MPARequest             16  4          10.0.0.1:37692 > 10.0.0.2:7518 Markers=no CRC=yes Rev=2 peer-to-peer IRD=4 RTR=Write RTR=ReadRequest ORD=4 PrivateData=00007f621c23e0001347220000100000
	//     0.094621   0 s2c  MPAReply               16  6          10.0.0.2:7518 > 10.0.0.1:37692 Markers=no CRC=yes Rev=2 peer-to-peer IRD=4 RTR=Write ORD=4 PrivateData=00007f71d897f0002000be0000100000
	//     0.095479   0 c2s  Write                   0  8          STag=0x00000001 TO=0x0000000000000000
	//     0.101027   0 c2s  Send                   10  10         MSN=1
	//     0.103904   0 c2s  ReadRequest             0  12         MSN=1 SinkSTag=0x3a80c700 SinkTO=0x00007f62177ff000 RDMARDSZ=100 SrcSTag=0x2000be00 SrcTO=0x00007f71d897f000
	//     0.104386   0 s2c  ReadResponse          100  14         STag=0x3a80c700 TO=0x00007f62177ff000
}

func ExamplePrinter_transactions() {
	capture, err := samples.Open("p2p-crc")
	if err != nil {
		log.Fatal(err)
	}
	printer := text.New(os.Stdout, text.Options{View: show.Transactions})
	engine := dissect.NewEngine(judge.New(printer, judge.Options{}), dissect.Options{})
	var rec pcaps.Record
	for capture.Next(&rec) == nil {
		engine.Packet(&rec)
	}
	engine.Close()
	if err := printer.Flush(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 2026-11-21T07:45:09.712362Z   0 c2s           1  12         14          482 us      100  answered    RDMA Read SinkSTag=0x3a80c700 SinkTO=0x00007f62177ff000 RDMARDSZ=100 SrcSTag=0x2000be00 SrcTO=0x00007f71d897f000
}
