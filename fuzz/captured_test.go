package fuzz

// Seeds out of the bundled captures, what a Linux kernel really sends, and out of conversations that are drawn.

import (
	"bytes"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/adversary"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// A collector keeps a few MPA frames and ULPDUs of every kind.
type collector struct {
	frames, ulpdus [][]byte
	seen           map[[2]int]int // ULPDUs by opcode and octets of header or payload, coarsely
}

func (c *collector) Record(rec *record.Record) { recordtest.Pieces(rec, c) }

func (c *collector) StartupFrame(f *record.Startup) {
	c.frames = append(c.frames, bytes.Clone(f.Octets))
}

func (c *collector) Segment(s *record.Segment) {
	const most = 200 // octets: payload is of no interest here
	kind := [2]int{int(s.RDMAP.Control.Opcode), min(len(s.FPDU.ULPDU), most) / 16}
	if c.seen[kind]++; c.seen[kind] <= 3 {
		c.ulpdus = append(c.ulpdus, bytes.Clone(s.FPDU.ULPDU[:min(len(s.FPDU.ULPDU), most)]))
	}
}

// captured collects from all bundled captures, and from drawn conversations of all kinds.
func captured(f *testing.F) *collector {
	f.Helper()
	c := &collector{seen: map[[2]int]int{}}
	for _, name := range samples.Names() {
		r, err := samples.Open(name)
		if err != nil {
			f.Fatal(err)
		}
		e := dissect.NewEngine(c, dissect.Options{})
		var rec pcaps.Record
		for r.Next(&rec) == nil {
			e.Packet(&rec)
		}
		e.Close()
	}
	clear(c.seen)
	for _, kind := range adversary.Kinds() {
		for seed := range uint64(4) {
			e := dissect.NewEngine(c, dissect.Options{})
			for _, p := range adversary.New(kind, seed).Packets() {
				e.Packet(&p)
			}
			e.Close()
		}
	}
	if len(c.frames) < 20 || len(c.ulpdus) < 50 {
		f.Fatalf("%d MPA frames and %d ULPDUs in the captures", len(c.frames), len(c.ulpdus))
	}
	return c
}

// bodies are what follows the DDP headers of the ULPDUs with one of these opcodes.
func (c *collector) bodies(opcodes ...rdmap.Opcode) (bodies [][]byte) {
	for _, u := range c.ulpdus {
		var s rdmap.Segment
		if _, err := s.Decode(u); err != nil {
			continue
		}
		for _, o := range opcodes {
			if s.Control.Opcode == o {
				bodies = append(bodies, s.Body)
			}
		}
	}
	return bodies
}
