package diff_test

import (
	"context"
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/diff"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

func Example() {
	c := diff.New()
	for _, side := range []struct {
		name string
		sink record.Sink
	}{{"sendinv-crc1", c.A}, {"term-send-nobuf", c.B}} {
		file, err := samples.Open(side.name)
		if err == nil {
			err = engine(side.sink).Run(context.Background(), file)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	r := c.Compare()
	first := r.First.Difference
	fmt.Printf("%s: %s in frame %d, where A has %s\n", first.Kind, first.B.Name, first.B.Frame, first.A.Name)
	fmt.Println(r.Connections[0].B.Ending)
	// Output:
	// replaced: Send in frame 8, where A has Write
	// terminate by the server
}
