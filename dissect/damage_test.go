package dissect_test

// Captures that were damaged at random, with seeds, so that every run does the same.

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps"
)

// damages are ways in which a capture is not what was sent. Each leaves the records it is given as they are.
var damages = []struct {
	name  string
	flips bool // octets of FPDUs differ from those sent
	do    func(r *rand.Rand, records []pcaps.Record) []pcaps.Record
}{
	{"nothing", false, func(_ *rand.Rand, records []pcaps.Record) []pcaps.Record { return records }},
	{"one of 100 lost", false, lose(100)},
	{"one of 10 lost", false, lose(10)},
	{"the beginning lost", false, func(r *rand.Rand, records []pcaps.Record) []pcaps.Record {
		return records[r.IntN(len(records)+1):]
	}},
	{"cut", false, func(r *rand.Rand, records []pcaps.Record) []pcaps.Record {
		return change(r, records, 20, func(rec *pcaps.Record) {
			rec.Data = rec.Data[:54+r.IntN(max(1, len(rec.Data)-54))]
		})
	}},
	{"repeated", false, func(r *rand.Rand, records []pcaps.Record) (out []pcaps.Record) {
		for i := range records {
			if out = append(out, records[i]); r.IntN(10) == 0 {
				out = append(out, records[max(0, i-r.IntN(5))])
			}
		}
		return out
	}},
	{"reordered", false, func(r *rand.Rand, records []pcaps.Record) []pcaps.Record {
		out := slices.Clone(records)
		for i := 4; i+4 < len(out); i++ {
			if r.IntN(10) == 0 {
				j := i + r.IntN(4)
				out[i], out[j] = out[j], out[i]
			}
		}
		return out
	}},
	{"octets changed", true, func(r *rand.Rand, records []pcaps.Record) []pcaps.Record {
		return change(r, records, 20, func(rec *pcaps.Record) {
			rec.Data = slices.Clone(rec.Data)
			if len(rec.Data) > 90 { // behind all options of TCP
				rec.Data[86+r.IntN(len(rec.Data)-86)] ^= byte(1 << r.IntN(8))
			}
		})
	}},
}

// lose takes one of n packets away.
func lose(n int) func(*rand.Rand, []pcaps.Record) []pcaps.Record {
	return func(r *rand.Rand, records []pcaps.Record) (out []pcaps.Record) {
		for i := range records {
			if r.IntN(n) > 0 {
				out = append(out, records[i])
			}
		}
		return out
	}
}

// change changes one of n packets.
func change(r *rand.Rand, records []pcaps.Record, n int, do func(*pcaps.Record)) []pcaps.Record {
	out := slices.Clone(records)
	for i := range out {
		if r.IntN(n) == 0 && len(out[i].Data) > 54 {
			do(&out[i])
		}
	}
	return out
}

// TestDamagedCaptures damages every capture in every way, and in two ways at a time. What is decoded is right, and no octet
// is lost without being counted. That an octet was changed nobody can see where CRCs are off, or other octets of the FPDU
// are missing.
func TestDamagedCaptures(t *testing.T) {
	for _, file := range captureFiles(t) {
		t.Run(captureName(file), func(t *testing.T) {
			t.Parallel()
			records := recorded.Packets(pcaps.Open(file))
			undamaged := keep(records)
			check := func(name string, seed uint64, damaged []pcaps.Record, visible bool) {
				l := keep(damaged)
				if l.audit(t, damaged); visible {
					l.rightly(t, undamaged)
				}
				if t.Failed() {
					t.Fatalf("seed %d: %s", seed, name)
				}
			}
			for seed := range uint64(2) {
				for i, d := range damages {
					r := rand.New(rand.NewPCG(seed, uint64(i)))
					damaged := d.do(r, records)
					check(d.name, seed, damaged, !d.flips || !undamaged.withoutCRC())
					other := damages[r.IntN(len(damages))]
					check(d.name+", "+other.name, seed, other.do(r, damaged), !d.flips && !other.flips)
				}
			}
		})
	}
}
