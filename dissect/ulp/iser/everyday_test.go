package iser

import (
	"testing"

	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// TestEveryday has responses that explain a failure, and such that do not.
func TestEveryday(t *testing.T) {
	sensed := func(b ...byte) []byte { return append([]byte{0, 18}, b...) }
	for _, test := range []struct {
		name     string
		data     []byte
		blocks   bool
		result   string
		everyday bool
	}{
		{"unit attention, fixed", sensed(0x70, 0, 6), true, "CHECK CONDITION UNIT ATTENTION", true},
		{"unit attention, descriptor", sensed(0x72, 6, 0x29), true, "CHECK CONDITION UNIT ATTENTION", true},
		{"with other bits", sensed(0xf0, 0, 0xe6), false, "CHECK CONDITION UNIT ATTENTION", true},
		{"question that the target does not know", sensed(0x70, 0, 5), false, "CHECK CONDITION ILLEGAL REQUEST", true},
		{"block that is not there", sensed(0x70, 0, 5), true, "CHECK CONDITION ILLEGAL REQUEST", false},
		{"command that the target does not have, fixed", sensed(0x70, 0, 5, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x20), true, "CHECK CONDITION ILLEGAL REQUEST", true},
		{"command that the target does not have, descriptor", sensed(0x72, 5, 0x20), true, "CHECK CONDITION ILLEGAL REQUEST", true},
		{"medium error", sensed(0x70, 0, 3), true, "CHECK CONDITION MEDIUM ERROR", false},
		{"vendor's format", sensed(0x7f, 6, 6), true, "CHECK CONDITION", false},
		{"cut", sensed(0x70, 0), true, "CHECK CONDITION", false},
		{"no sense data", nil, true, "CHECK CONDITION", false},
	} {
		x := Exchange{Opcode: OpSCSICommand, Blocks: test.blocks, Result: Result{Opcode: OpSCSIResponse, Code: 2}}
		x.Result.Sense, x.Result.senseCode, x.Result.Sensed = sense(test.data)
		if got := x.Result.String(); got != test.result || x.Everyday() != test.everyday {
			t.Errorf("%s: %s, everyday %v", test.name, got, x.Everyday())
		}
	}
	for _, test := range []struct {
		result   Result
		everyday bool
	}{
		{Result{Opcode: OpSCSIResponse, Code: 0x28}, false}, // TASK SET FULL
		{Result{Opcode: OpSCSIResponse, Code: 2, Failed: true, Sensed: true}, false},
		{Result{Opcode: OpTaskResponse, Code: 1}, true},
		{Result{Opcode: OpTaskResponse, Code: 5}, false},
		{Result{Opcode: OpLoginResponse, Code: 0x0101}, true},
		{Result{Opcode: OpLoginResponse, Code: 0x0201}, false},
		{Result{Opcode: OpReject, Code: 1}, false},
		{Result{Opcode: OpLogoutResp, Code: 1}, true}, // CID was not found
		{Result{Opcode: OpLogoutResp, Code: 3}, false},
	} {
		if x := (Exchange{Result: test.result}); x.Everyday() != test.everyday {
			t.Errorf("%+v: everyday %v", test.result, x.Everyday())
		}
	}
}

// TestNotReady asks a unit whether it is ready: that it is not passes, which it does not for other commands.
func TestNotReady(t *testing.T) {
	for asks, want := range map[bool]ulp.Passage{true: ulp.Temporary, false: ulp.Lasting} {
		x := Exchange{Opcode: OpSCSICommand, asksReady: asks, Result: Result{Opcode: OpSCSIResponse, Code: 2, Sensed: true, Sense: notReady}}
		if x.Everyday() != asks || x.Passage() != want || x.Local() {
			t.Errorf("asks %v: everyday %v, passage %v, local %v", asks, x.Everyday(), x.Passage(), x.Local())
		}
	}
}

// TestLocal has sense keys that are about the blocks of a command, and such that are not.
func TestLocal(t *testing.T) {
	for _, test := range []struct {
		sense  SenseKey
		blocks bool
		local  bool
	}{{mediumError, true, true}, {dataProtect, true, true}, {notReady, true, true}, {notReady, false, false}, {abortedCommand, false, true}, {illegalRequest, true, true}, {illegalRequest, false, false}, {unitAttention, true, false}} {
		x := Exchange{Blocks: test.blocks, Result: Result{Opcode: OpSCSIResponse, Code: 2, Sensed: true, Sense: test.sense}}
		if x.Local() != test.local {
			t.Errorf("%+v: %v", test, x.Local())
		}
		if x.Result.Failed = true; x.Local() {
			t.Errorf("%+v: local, and the target failed", test)
		}
	}
}

// TestLocalStatus has statuses without sense data that are about the blocks of a command, and such that are not.
func TestLocalStatus(t *testing.T) {
	const busy = 0x08
	for code, local := range map[uint16]bool{reservationConflict: true, taskAborted: true, busy: false} {
		for _, blocks := range []bool{true, false} {
			if x := (Exchange{Blocks: blocks, Result: Result{Opcode: OpSCSIResponse, Code: code}}); x.Local() != (local && blocks) {
				t.Errorf("%#x, blocks %v: %v", code, blocks, x.Local())
			}
		}
	}
}

// TestProbes knows what asks for no work.
func TestProbes(t *testing.T) {
	for opcode, probes := range map[Opcode]bool{OpNOPIn: true, OpNOPOut: true, OpSCSICommand: false} {
		if x := (Exchange{Opcode: opcode}); x.Probes() != probes {
			t.Errorf("%v: %v", opcode, x.Probes())
		}
	}
}
