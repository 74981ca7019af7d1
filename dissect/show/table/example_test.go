package table_test

import (
	"fmt"
	"log"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/show/table"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

func Example() {
	capture, err := samples.Open("sendinv-crc1")
	if err != nil {
		log.Fatal(err)
	}
	var o table.Options
	columns := o.Columns()
	rows := table.New(o, func(cells []table.Cell) {
		for _, c := range cells {
			switch columns[c.Column].Name {
			case "type":
				fmt.Printf("%s\n", c.Text)
			case "stag":
				fmt.Printf("  to STag 0x%08x\n", c.Number)
			}
		}
	})
	engine := dissect.NewEngine(rows, dissect.Options{})
	var rec pcaps.Record
	for capture.Next(&rec) == nil {
		engine.Packet(&rec)
	}
	engine.Close()
	// Output:
	// MPARequest
	// MPAReply
	// Write
	//   to STag 0xd28f4b00
	// SendInvalidate
}
