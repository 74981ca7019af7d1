package csv_test

import (
	"bufio"
	"bytes"
	stdcsv "encoding/csv"
	"fmt"
	"io"
	"log"
	"slices"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/show/csv"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

func Example() {
	capture, err := samples.Open("sendinv-crc1")
	if err != nil {
		log.Fatal(err)
	}
	var table bytes.Buffer
	encoder := csv.New(&table, csv.Options{})
	engine := dissect.NewEngine(encoder, dissect.Options{})
	var rec pcaps.Record
	for capture.Next(&rec) == nil {
		engine.Packet(&rec)
	}
	engine.Close()
	if err := encoder.Flush(); err != nil {
		log.Fatal(err)
	}

	r := stdcsv.NewReader(bufio.NewReader(&table))
	header, err := r.Read()
	if err != nil {
		log.Fatal(err)
	}
	column := func(name string) int { return slices.Index(header, name) }
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s %s: %s octets\n", row[column("dir")], row[column("type")], row[column("len")])
	}
	// Output:
	// c2s MPARequest: 16 octets
	// s2c MPAReply: 16 octets
	// c2s Write: 100 octets
	// c2s SendInvalidate: 64 octets
}
