package result_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/lab/result"
)

func ExampleResult() {
	fmt.Println(result.Result{Case: "data/write/ours/we-connect", Status: result.Passed, Milliseconds: 900})
	// Output: passed   data/write/ours/we-connect                      0.9 s
}
