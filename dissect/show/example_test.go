package show_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/show"
)

func Example() {
	c := show.Clock{Start: 1_700_000_000e9}
	fmt.Printf("%s\n", c.AppendShort(nil, 1_700_000_002e9))
	c.Form = show.UTC
	fmt.Printf("%s\n", c.AppendShort(nil, 1_700_000_002e9))
	// Output:
	// 2.000000 s
	// 2023-11-14T22:13:22.000000Z
}
