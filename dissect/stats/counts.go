package stats

// Counts by type of message: of a whole capture by name, of each connection in less room.

import (
	"encoding/json"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Counts counts by message name.
type Counts map[string]uint64

func (c Counts) add(t TypeCounts) {
	for _, n := range t {
		c[n.Type.String()] += n.Count
	}
}

// TypeCounts counts by type of message, in the order of the opcodes; types that do not occur are absent. In JSON it is
// an object as Counts is.
type TypeCounts []TypeCount

// A TypeCount counts messages, or segments of messages, of one type.
type TypeCount struct {
	Type  rdmap.Opcode
	Count uint64
}

// MarshalJSON implements json.Marshaler.
func (t TypeCounts) MarshalJSON() ([]byte, error) {
	named := Counts{}
	named.add(t)
	return json.Marshal(named)
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *TypeCounts) UnmarshalJSON(b []byte) error {
	var named Counts
	if err := json.Unmarshal(b, &named); err != nil {
		return err
	}
	*t = TypeCounts{}
	for o := range rdmap.Opcode(record.NumOpcodes) {
		if n, ok := named[o.String()]; ok {
			*t = append(*t, TypeCount{o, n})
		}
	}
	return nil
}

// countTypes adds up both directions of a connection.
func countTypes(c2s, s2c *[record.NumOpcodes]uint64) TypeCounts {
	types := 0
	for o := range c2s {
		if c2s[o]+s2c[o] > 0 {
			types++
		}
	}
	counts := make(TypeCounts, 0, types)
	for o := range c2s {
		if n := c2s[o] + s2c[o]; n > 0 {
			counts = append(counts, TypeCount{rdmap.Opcode(o), n})
		}
	}
	return counts
}
