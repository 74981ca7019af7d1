package nvme

import "testing"

// TestEveryday has statuses that explain a failure, and such that do not.
func TestEveryday(t *testing.T) {
	const getLogPage, compare = 0x02, 0x05
	for _, test := range []struct {
		exchange Exchange
		everyday bool
	}{
		{Exchange{Command: Command{Opcode: getLogPage}, Status: 0x4109}, true},              // Invalid Log Page, DNR
		{Exchange{Command: Command{Opcode: getLogPage}, Status: 0x006}, false},              // Internal Error
		{Exchange{Command: Command{QueueID: 1, Opcode: getLogPage}, Status: 0x4002}, false}, // a Read, Invalid Field in Command
		{Exchange{Command: Command{QueueID: 1, Opcode: compare}, Status: 0x285}, true},      // Compare Failure
		{Exchange{Command: Command{Opcode: opFabrics, FabricsType: fcConnect}, Status: 0x4002}, false},
	} {
		if got := test.exchange.Everyday(); got != test.everyday {
			t.Errorf("%+v: everyday %v", test.exchange, got)
		}
	}
}
