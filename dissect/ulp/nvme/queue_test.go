package nvme

import (
	"encoding/binary"
	"testing"
)

// TestGuessQueue has commands of queues whose Connect is not in the capture.
func TestGuessQueue(t *testing.T) {
	capsule := func(opcode byte, namespace, length, cdw10, cdw11 uint32) []byte {
		b := make([]byte, commandLen)
		b[0], b[1] = opcode, 0x40
		binary.LittleEndian.PutUint32(b[4:], namespace)
		b[sglOff+8], b[sglOff+9], b[sglOff+15] = byte(length), byte(length>>8), 0x40
		binary.LittleEndian.PutUint32(b[parametersOff:], cdw10)
		binary.LittleEndian.PutUint32(b[parametersOff+4:], cdw11)
		return b
	}
	for _, test := range []struct {
		name    string
		capsule []byte
		queue   uint16
		guess   bool // it is still not known
	}{
		{"Read", capsule(opRead, 1, 4096, 2560, 0), someQueue, false},
		{"Get Log Page of 4096 octets", capsule(opRead, 0xffffffff, 4096, 1023<<16|2, 0), 0, true},
		{"Write", capsule(opWrite, 1, 4096, 0, 0), someQueue, false},
		{"Flush", capsule(opFlush, 1, 0, 0, 0), someQueue, false},
		{"Dataset Management with two ranges", capsule(opSetFeatures, 1, 32, 1, 4), someQueue, false},
		{"Set Features without data", capsule(opSetFeatures, 0, 0, 11, 0), 0, true},
		{"Write Zeroes", capsule(0x08, 1, 0, 8, 0), someQueue, false},
		{"Abort", capsule(0x08, 0, 0, 1, 0), 0, true},
		{"Identify", capsule(opIdentify, 1, 4096, 0, 0), 0, false},
		{"Keep Alive", capsule(opKeepAlive, 0, 0, 0, 0), 0, false},
		{"cut", capsule(opWrite, 1, 4096, 0, 0)[:60], 0, true},
	} {
		f := newFollower(0)
		f.guess = true
		if f.guessQueue(test.capsule); f.queue != test.queue || f.guess != test.guess {
			t.Errorf("%s: queue %d, guess %v", test.name, f.queue, f.guess)
		}
	}
	f := newFollower(0) // it is known
	if f.guessQueue(capsule(opWrite, 1, 4096, 0, 0)); f.queue != 0 {
		t.Errorf("a known queue becomes %d", f.queue)
	}
}
