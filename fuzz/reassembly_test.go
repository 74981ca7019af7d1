package fuzz

import (
	"bytes"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/reassembly/reassemblytest"
)

// reassemblyScripts begin a corpus: nothing but zeros, each kind of step, and octets without a pattern.
func reassemblyScripts(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(make([]byte, 200))
	steps := make([]byte, 600)
	for i := range steps {
		steps[i] = byte(i)
	}
	f.Add(bytes.Clone(steps))
	state := uint32(1)
	for i := range steps {
		state = state*1664525 + 1013904223
		steps[i] = byte(state >> 24)
	}
	f.Add(steps)
	f.Add(append([]byte("\xff\xff\xff\xf0\x01\x17\x70\x01"), steps...)) // starts where sequence numbers wrap
}

// FuzzReassembly sends a stream on a way that the fuzzer chooses. Whatever is delivered must be what was sent, at its
// offset, without a break; if nothing was lost or cut, all of it. The first octet chooses between the two.
func FuzzReassembly(f *testing.F) {
	reassemblyScripts(f)
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 0 && script[0]%2 == 1 {
			reassemblytest.Lossy(t, script[1:])
			return
		}
		reassemblytest.Faithful(t, script)
	})
}

// FuzzReassemblyHostile pushes segments that contradict each other, with fields of any value.
func FuzzReassemblyHostile(f *testing.F) {
	reassemblyScripts(f)
	f.Fuzz(func(t *testing.T, script []byte) { reassemblytest.Hostile(t, script) })
}
