package annotate_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/show/annotate"
	"github.com/iwarpkit/iwarp/pcaps"
)

func Example() {
	const file = "../../../pcaps/samples/mpav1-crc.pcap"

	// The first pass collects comments.
	capture, err := pcaps.Open(file)
	if err != nil {
		log.Fatal(err)
	}
	comments := annotate.New(annotate.Options{})
	engine := dissect.NewEngine(judge.New(comments, judge.Options{}), dissect.Options{})
	if err := engine.Run(context.Background(), capture); err != nil {
		log.Fatal(err)
	}
	capture.Close()

	// The second writes the capture with them.
	var annotated bytes.Buffer
	if err := comments.Write(&annotated, nil, file); err != nil {
		log.Fatal(err)
	}

	r, err := pcaps.NewReader(&annotated)
	if err != nil {
		log.Fatal(err)
	}
	var rec pcaps.Record
	for r.Next(&rec) == nil && rec.Frame <= 8 {
		for _, comment := range rec.Comments {
			fmt.Printf("frame %d: %s\n", rec.Frame, comment)
		}
	}
	// Output:
	// frame 4: iwarp 0 c2s: MPARequest Markers=no CRC=yes Rev=1 PrivateData=00007f17b6cf50006458b50000100000
	// frame 6: iwarp 0 s2c: MPAReply Markers=no CRC=yes Rev=1 PrivateData=00007fb4e4b310003146a30000100000
	// frame 8: iwarp 0 c2s: Send 10 octets MSN=1
}
