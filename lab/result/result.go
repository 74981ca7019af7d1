// Package result is what lab/peer says of a case and lab/judge reads: a line of JSON.
package result

import "fmt"

// A Status is what became of a case.
type Status string

// The Statuses.
const (
	Passed  Status = "passed"
	Failed  Status = "failed"
	Skipped Status = "skipped"
)

// Running is the file in which lab/peer keeps the name of the case that it runs. It is left where the guest has not
// survived that.
const Running = "running"

// A Result is what became of a case.
type Result struct {
	Case         string `json:"case"`
	Status       Status `json:"status"`
	Reason       string `json:"reason,omitempty"` // why it has failed or was skipped
	Milliseconds int64  `json:"ms"`
	Capture      string `json:"capture"`          // the file that holds its traffic; "" if nothing is to be judged by it
	Port         int    `json:"port"`             // the TCP port by which its traffic is known there
	Breaks       string `json:"breaks,omitempty"` // the rule of codec/rules that our side has broken on purpose
}

// String is the line of a table, without the reason.
func (r Result) String() string {
	return fmt.Sprintf("%-8s %-44s %6.1f s", r.Status, r.Case, float64(r.Milliseconds)/1000)
}
