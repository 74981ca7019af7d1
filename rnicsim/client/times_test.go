package client_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/rnicsim/client"
)

func TestTimes(t *testing.T) {
	var thousand []time.Duration
	for i := range 1000 {
		thousand = append(thousand, time.Duration((i*7)%1000+1)) // 1 to 1000, not in order
	}
	tests := []struct {
		name string
		all  []time.Duration
		want client.Times
	}{
		{"none", nil, client.Times{}},
		{"one", []time.Duration{5}, client.Times{Count: 1, Min: 5, Max: 5, Median: 5, Mean: 5, P99: 5, P999: 5}},
		{"three", []time.Duration{6, 2, 4}, client.Times{Count: 3, Min: 2, Max: 6, Median: 4, Mean: 4, Deviation: 2, P99: 6, P999: 6}},
		{"a thousand", thousand, client.Times{Count: 1000, Min: 1, Max: 1000, Median: 500, Mean: 501, Deviation: 289, P99: 990, P999: 999}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, client.NewTimes(test.all)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
