package ladder

import (
	"testing"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// TestLeft looks at what is said of requests without response: which they are, and whether there may be others.
func TestLeft(t *testing.T) {
	for _, test := range []struct {
		n       int
		atLeast bool
		want    string
	}{
		{0, true, ""},
		{1, false, "not answered: RDMA Read #1 of frame 9"},
		{1, true, "not answered: RDMA Read #1 of frame 9 and perhaps others"},
	} {
		l := left{atLeast: test.atLeast}
		for range test.n {
			l.add(&record.Transaction{Conn: new(flow.Conn), Name: "RDMA Read", ID: 1, Request: flow.Span{Frame: 9, LastFrame: 9}})
		}
		if got := string(l.append(nil)); got != test.want {
			t.Errorf("%d, at least %v: %q, want %q", test.n, test.atLeast, got, test.want)
		}
	}
}
