package parquet_test

import (
	"bytes"
	"fmt"
	"io"
	"log"

	pq "github.com/parquet-go/parquet-go"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/parquet"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// A file is a table in memory.
type file struct{ bytes.Buffer }

func (*file) Close() error { return nil }

func Example() {
	capture, err := samples.Open("sendinv-crc1")
	if err != nil {
		log.Fatal(err)
	}
	files := make(map[string]*file)
	tables := parquet.New(func(name string) (io.WriteCloser, error) {
		files[name] = new(file)
		return files[name], nil
	}, new(show.Clock), "sendinv-crc1")
	engine := dissect.NewEngine(tables, dissect.Options{Analysis: &judge.Options{}})
	var rec pcaps.Record
	for capture.Next(&rec) == nil {
		engine.Packet(&rec)
	}
	engine.Close()
	if err := tables.Close(); err != nil {
		log.Fatal(err)
	}

	type message struct {
		Dir  string `parquet:"dir,optional"`
		Type string `parquet:"type,optional"`
		Len  uint64 `parquet:"len,optional"`
	}
	b := files["records-00001.parquet"].Bytes()
	messages, err := pq.Read[message](bytes.NewReader(b), int64(len(b)))
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range messages {
		fmt.Printf("%s %s: %d octets\n", m.Dir, m.Type, m.Len)
	}
	// Output:
	// c2s MPARequest: 16 octets
	// s2c MPAReply: 16 octets
	// c2s Write: 100 octets
	// c2s SendInvalidate: 64 octets
}
