package recordtest_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// A finding and the message that it concerns become one Record.
func Example() {
	give := recordtest.To(record.SinkFunc(func(r *record.Record) {
		fmt.Println(r.Kind == record.KindMessage, len(r.Findings))
	}))
	give.Finding(&record.Finding{Name: "send-msn"})
	give.Message(new(record.Message))
	// Output: true 1
}
