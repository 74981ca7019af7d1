package nvme

import "testing"

// TestEveryday has statuses that explain a failure, and such that do not.
func TestEveryday(t *testing.T) {
	const getLogPage, compare = 0x02, 0x05
	for _, test := range []struct {
		exchange Exchange
		everyday bool
	}{
		{Exchange{Command{Opcode: getLogPage}, 0x4109}, true},              // Invalid Log Page, DNR
		{Exchange{Command{Opcode: getLogPage}, 0x006}, false},              // Internal Error
		{Exchange{Command{QueueID: 1, Opcode: getLogPage}, 0x4002}, false}, // a Read, Invalid Field in Command
		{Exchange{Command{QueueID: 1, Opcode: compare}, 0x285}, true},      // Compare Failure
		{Exchange{Command{Opcode: opFabrics, FabricsType: fcConnect}, 0x4002}, false},
	} {
		if got := test.exchange.Everyday(); got != test.everyday {
			t.Errorf("%+v: everyday %v", test.exchange, got)
		}
	}
}
