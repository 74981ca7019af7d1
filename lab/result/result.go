// Package result is the result of a case, which lab/peer writes and lab/judge reads as a line of JSON.
package result

import "fmt"

// A Status is the outcome of a case.
type Status string

// The Statuses.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
)

// Running is the file with the name of the running case. lab/peer removes it, unless the guest crashed.
const Running = "running"

// A Result is the result of a case.
type Result struct {
	Case         string `json:"case"`
	Status       Status `json:"status"`
	Reason       string `json:"reason,omitempty"` // why it failed or was skipped
	Milliseconds int64  `json:"ms"`
	Capture      string `json:"capture"`           // the file with its traffic; "" if there is none to judge
	Port         int    `json:"port"`              // the TCP port of its traffic
	Breaks       string `json:"breaks,omitempty"`  // the rule of codec/rules that our side broke on purpose
	Packets      int    `json:"packets,omitempty"` // that our side sent at least
}

// String is the line of a table, without the reason.
func (r Result) String() string {
	return fmt.Sprintf("%-8s %-44s %6.1f s", r.Status, r.Case, float64(r.Milliseconds)/1000)
}
