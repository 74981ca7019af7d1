package reassembly_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/reassembly/reassemblytest"
)

// The same trials run under the fuzzer; here with scripts from a generator, so that they are part of every test run.
func TestModel(t *testing.T) {
	trials := map[string]func(testing.TB, []byte){
		"faithful": reassemblytest.Faithful,
		"lossy":    reassemblytest.Lossy,
		"hostile":  reassemblytest.Hostile,
	}
	for name, trial := range trials {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(1000) {
				random := rand.New(rand.NewPCG(seed, 1))
				octets := make([]byte, random.IntN(3000))
				for i := range octets {
					octets[i] = byte(random.Uint32())
				}
				tried := t.Run(fmt.Sprint(seed), func(t *testing.T) { trial(t, octets) })
				if !tried {
					return
				}
			}
		})
	}
}
