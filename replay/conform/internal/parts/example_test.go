package parts_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

func ExampleBefore() {
	fmt.Println("> Write STag=$data TO=" + parts.Before("data", 1) + ` "a"`)
	// Output: > Write STag=$data TO=$data_to+18446744073709551615 "a"
}
