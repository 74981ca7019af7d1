package jsonl_test

import (
	"log"
	"os"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/show/jsonl"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

func Example() {
	capture, err := samples.Open("reject-pd32")
	if err != nil {
		log.Fatal(err)
	}
	encoder := jsonl.New(os.Stdout, jsonl.Options{})
	engine := dissect.NewEngine(encoder, dissect.Options{})
	var rec pcaps.Record
	for capture.Next(&rec) == nil {
		engine.Packet(&rec)
	}
	engine.Close()
	if err := encoder.Flush(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {"schema":"iwarp.decode/1","frame":4,"last_frame":4,"time":"2026-11-21T07:47:12.879047000Z","conn":0,"dir":"c2s","src":"10.0.0.1:33865","dst":"10.0.0.2:7517","type":"MPARequest","len":16,"segments":0,"complete":true,"key.req":"4d504120494420526571204672616d65","marker_flag":false,"crc_flag":true,"rej_flag":false,"enhanced_flag":true,"res":0,"rev":2,"rev_name":"RFC 6581","pdlength":20,"privatedata":"0004000400007faa31b0d00003743e0000100000","enhanced.a":false,"enhanced.b":false,"enhanced.ird":4,"enhanced.c":false,"enhanced.D":false,"enhanced.ord":4}
	// {"schema":"iwarp.decode/1","frame":6,"last_frame":6,"time":"2026-11-21T07:47:12.881776000Z","conn":0,"dir":"s2c","src":"10.0.0.2:7517","dst":"10.0.0.1:33865","type":"MPAReply","len":32,"segments":0,"complete":true,"key.rep":"4d504120494420526570204672616d65","marker_flag":false,"crc_flag":true,"rej_flag":true,"enhanced_flag":true,"res":0,"rev":2,"rev_name":"RFC 6581","pdlength":36,"privatedata":"000400047271706f6e6d6c7271706f6e6d6c7271706f6e6d6c7271706f6e6d6c7271706f","enhanced.a":false,"enhanced.b":false,"enhanced.ird":4,"enhanced.c":false,"enhanced.D":false,"enhanced.ord":4}
}
