package nvme

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"
)

// TestEveryday has statuses that explain a failure, and such that do not.
func TestEveryday(t *testing.T) {
	const getLogPage, compare, writeZeroes = 0x02, 0x05, 0x08
	for _, test := range []struct {
		exchange Exchange
		everyday bool
	}{
		{Exchange{Command: Command{Opcode: opAsyncEvent}, Status: 0x008}, true},             // Command Aborted due to SQ Deletion
		{Exchange{Command: Command{QueueID: 1, Opcode: writeZeroes}, Status: 0x4001}, true}, // Invalid Command Opcode
		{Exchange{Command: Command{QueueID: 1, Opcode: opWrite}, Status: 0x4001}, false},
		{Exchange{Command: Command{QueueID: 1, Opcode: writeZeroes}, Status: 0x6183}, true}, // nvmet: not supported
		{Exchange{Command: Command{QueueID: 1, Opcode: opWrite}, Status: 0x6183}, false},
		{Exchange{Command: Command{Opcode: opFabrics, FabricsType: fcConnect}, Status: 0x4183}, false}, // Connect Restart Discovery
		{Exchange{Command: Command{Opcode: getLogPage}, Status: 0x4109}, true},                         // Invalid Log Page, DNR
		{Exchange{Command: Command{Opcode: getLogPage}, Status: 0x006}, false},                         // Internal Error
		{Exchange{Command: Command{QueueID: 1, Opcode: getLogPage}, Status: 0x4002}, false},            // a Read, Invalid Field in Command
		{Exchange{Command: Command{QueueID: 1, Opcode: compare}, Status: 0x285}, true},                 // Compare Failure
		{Exchange{Command: Command{Opcode: opFabrics, FabricsType: fcConnect}, Status: 0x4002}, false},
		{Exchange{Command: Command{Opcode: opAsyncEvent}, Status: 0x008}, true},             // Command Aborted due to SQ Deletion
		{Exchange{Command: Command{QueueID: 1, Opcode: writeZeroes}, Status: 0x4001}, true}, // Invalid Command Opcode
		{Exchange{Command: Command{QueueID: 1, Opcode: opWrite}, Status: 0x4001}, false},
		{Exchange{Command: Command{QueueID: 1, Opcode: opReservationAcquire}, Status: 0x4083}, true}, // Reservation Conflict
		{Exchange{Command: Command{QueueID: 1, Opcode: opWrite}, Status: 0x4083}, false},
		{Exchange{Command: Command{Opcode: opSetFeatures}, Status: 0x410e}, true}, // Feature Not Changeable
		{Exchange{Command: Command{Opcode: opIdentify}, Status: 0x400b}, true},    // Invalid Namespace or Format
		{Exchange{Command: Command{Opcode: getLogPage}, Status: 0x400b}, false},
	} {
		if got := test.exchange.Everyday(); got != test.everyday {
			t.Errorf("%+v: everyday %v", test.exchange, got)
		}
	}
}

// TestStatusOf names statuses that mean something else of a Connect.
func TestStatusOf(t *testing.T) {
	connect := Command{QueueID: 1, Opcode: opFabrics, FabricsType: fcConnect}
	for status, want := range map[Status][2]string{
		0x4182: {"Connect Invalid Parameters", "Attempted Write to Read Only Range"},
		0x4080: {"LBA Out of Range", "LBA Out of Range"},
		0x47c1: {"SCT 7h SC c1h", "SCT 7h SC c1h"},
	} {
		if got := [2]string{status.Of(&connect), status.Of(&Command{QueueID: 1, Opcode: opWrite})}; got != want {
			t.Errorf("%#x: got %q, want %q", uint16(status), got, want)
		}
	}
}

// TestLocal has statuses that are about the blocks of a command, and such that are not.
func TestLocal(t *testing.T) {
	for _, test := range []struct {
		exchange Exchange
		local    bool
	}{
		{Exchange{Command: Command{QueueID: 1, Opcode: opRead}, Status: 0x4281}, true},  // Unrecovered Read Error
		{Exchange{Command: Command{QueueID: 1, Opcode: opWrite}, Status: 0x006}, true},  // Internal Error
		{Exchange{Command: Command{QueueID: 1, Opcode: opWrite}, Status: 0x303}, false}, // Asymmetric Access Transition
		{Exchange{Command: Command{QueueID: 1, Opcode: opWrite}, Status: 0x020}, false}, // Namespace is Write Protected
		{Exchange{Command: Command{QueueID: 1, Opcode: opWrite}, Status: 0x4020}, true}, // the same with DNR
		{Exchange{Command: Command{QueueID: 1, Opcode: opReservationAcquire}, Status: 0x4083}, false},
		{Exchange{Command: Command{QueueID: 1, Opcode: 0x05}, Status: 0x285}, false}, // Compare Failure
		{Exchange{Command: Command{QueueID: 1, Opcode: opFabrics}, Status: 0x006}, false},
		{Exchange{Command: Command{Opcode: opIdentify}, Status: 0x006}, false},
	} {
		if got := test.exchange.Local(); got != test.local {
			t.Errorf("%+v: local %v", test.exchange, got)
		}
	}
}

// TestKeepAlive sets the Keep Alive Timeout by a Connect and by Set Features. Those of I/O queues, and what is cut, set none.
func TestKeepAlive(t *testing.T) {
	for _, test := range []struct {
		command Command
		at      int // offset of the timeout
		want    time.Duration
	}{
		{Command{Opcode: opFabrics, FabricsType: fcConnect}, 48, 5 * time.Second},
		{Command{Opcode: opSetFeatures}, 44, 5 * time.Second},
		{Command{Opcode: opIdentify}, 44, 0},
		{Command{QueueID: 1, Opcode: opFabrics, FabricsType: fcConnect}, 48, 0},
	} {
		f := newFollower(0)
		octets := make([]byte, commandLen)
		octets[parametersOff] = featureKeepAlive
		binary.LittleEndian.PutUint32(octets[test.at:], 5000)
		f.capsule = Capsule{Command: test.command, Octets: octets}
		if f.keepAlive(); f.timeout != test.want {
			t.Errorf("%+v: %v", test.command, f.timeout)
		}
		f.timeout, f.capsule.Octets = 0, octets[:commandLen-1]
		if f.keepAlive(); f.timeout != 0 {
			t.Errorf("%+v, cut: %v", test.command, f.timeout)
		}
	}
}

// TestAdvice has advice about a refused Connect alone.
func TestAdvice(t *testing.T) {
	connect := Exchange{Command: Command{Opcode: opFabrics, FabricsType: fcConnect}, Status: 0x4182}
	if got := connect.Advice(); !strings.Contains(got, "NQN") {
		t.Error(got)
	}
	if connect.FabricsType = fcPropertyGet; connect.Advice() != "" {
		t.Error(connect.Advice())
	}
}

// TestWrongParameter names the parameter of a Connect that a completion calls wrong.
func TestWrongParameter(t *testing.T) {
	for dword, want := range map[uint32]string{0x10100: ", SUBNQN", 0x10200: ", HOSTNQN", 42: ", QID", 256: "", 0: ""} {
		p := wrongParameter(binary.LittleEndian.AppendUint32(nil, dword))
		if p.text() != want || (p.advice != "") != (want != "") {
			t.Errorf("%#x: %q, %q", dword, p.text(), p.advice)
		}
		x := Exchange{Command: Command{Opcode: opFabrics, FabricsType: fcConnect}, Status: 0x4182, wrong: p}
		if got := x.Advice(); got == "" || want != "" && got != p.advice {
			t.Errorf("%#x: %s", dword, got)
		}
	}
}

// TestRefusal advises on what the data of a command say.
func TestRefusal(t *testing.T) {
	if x := (Exchange{Command: Command{Opcode: opFabrics, FabricsType: fcAuthReceive}, refusal: "AUTH_Failure1"}); x.Advice() != secretAdvice || x.Everyday() {
		t.Error(x.Advice())
	}
}

// TestProbes knows what asks for no work.
func TestProbes(t *testing.T) {
	for command, probes := range map[Command]bool{{Opcode: opKeepAlive}: true, {Opcode: opIdentify}: false, {QueueID: 1, Opcode: opKeepAlive}: false} {
		if x := (Exchange{Command: command}); x.Probes() != probes {
			t.Errorf("%+v: %v", command, x.Probes())
		}
	}
}
