package fault_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/rnicsim/fault"
)

func ExampleParse() {
	f, err := fault.Parse("delay=50ms:ReadResponse:3")
	fmt.Println(f, f.Time, f.Message, f.N, err)
	_, err = fault.Parse("drop:Write:often")
	fmt.Println(err)
	// Output:
	// delay=50ms:ReadResponse:3 50ms ReadResponse 3 <nil>
	// fault: not a fault: "drop:Write:often": "often" is not an occasion: want 3, 3+, /3, 5% or 5%/42
}
