package ladder_test

import (
	"log"
	"os"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/show/ladder"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

func Example() {
	capture, err := samples.Open("mpav1-crc")
	if err != nil {
		log.Fatal(err)
	}
	l := ladder.New(os.Stdout, ladder.Options{})
	engine := dissect.NewEngine(judge.New(l, judge.Options{}), dissect.Options{})
	var rec pcaps.Record
	for capture.Next(&rec) == nil {
		engine.Packet(&rec)
	}
	engine.Close()
	if err := l.Flush(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// TIME       FRAMES    client 10.0.0.1:55564                  server 10.0.0.2:7516
	//   0.000751 4         |--- MPARequest Markers=no CRC=yes Rev=1 ---------------->|
	//                      |    PrivateData=00007f17b6cf50006458b50000100000         |
	//   0.073234 6         |<-- MPAReply Markers=no CRC=yes Rev=1 -------------------|
	//                      |    PrivateData=00007fb4e4b310003146a30000100000         |
	//                      |    agreed: CRC on, Markers off                          |
	//   0.081467 8         |--- Send 10 octets MSN=1 ------------------------------->|
	//   0.083346 10        |--- Write 10 STag=0x3146a300 TO=0x00007fb4e4b31000 ----->|
	//                      |    note MPA-4.1-3: PAD 2d2e, expected PAD 0000          |
	//   0.084668 12        |--- ReadRequest #1 MSN=1 SinkSTag=0x8984e100 ----------->|
	//                      |    SinkTO=0x00007f17b64f3000 RDMARDSZ=10                |
	//                      |    SrcSTag=0x3146a300 SrcTO=0x00007fb4e4b31000          |
	//   0.085304 14        |<-- ReadResponse #1 10 octets, 636 us after frame 12 ----|
	//   0.086444 15        |--- ReadRequest #2 MSN=2 SinkSTag=0x8984e100 ----------->|
	//                      |    SinkTO=0x00007f17b64f3000 RDMARDSZ=3000              |
	//                      |    SrcSTag=0x3146a300 SrcTO=0x00007fb4e4b31000          |
	//   0.087461 16-19     |<-- ReadResponse #2 3000, 1.77 ms after frame 15 --------|
	//   0.089062 20        |--- FIN ------------------------------------------------>|
	//   0.089368 21        |<-- FIN -------------------------------------------------|
	//
	// The client closed the connection with FIN in frame 20 after 6 messages; nothing
	// outstanding.
	// 1 note
}
