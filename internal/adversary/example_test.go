package adversary_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/iwarpkit/iwarp/internal/adversary"
)

func Example() {
	c := adversary.New("RDMAP", 3)
	whole := len(c.Packets())
	lost := adversary.Damages[2]
	packets := lost.Do(rand.New(rand.NewPCG(1, 1)), c.Packets())
	fmt.Printf("%s: %d packet of %s %d is missing\n", lost.Name, whole-len(packets), c.Kind, c.Seed)
	// Output:
	// one lost: 1 packet of RDMAP 3 is missing
}
