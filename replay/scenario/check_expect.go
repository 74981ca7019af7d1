package scenario

// Contradictions in actions that can only be expected.

import (
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
)

func (c *checker) oneOf(o *OneOf) {
	c.need(len(o.Of) > 0, `OneOf needs lines with "or"`)
	for i := range o.Tolerated {
		if why := o.Tolerated[i].Why; why == "" || strings.ContainsAny(why, "\"\r\n") {
			c.problem("the reason of may is one line, without quotation marks")
		}
	}
	for _, a := range Alternatives(o) {
		switch a.(type) {
		case *Frame, *Message, *Segment, FIN, Reset, *Silence, *Refusal:
			c.action(a)
		default:
			c.problem("%s cannot be an alternative", verb(a))
		}
	}
}

func (c *checker) refusal(r *Refusal) {
	if r.Situation == rules.NoSituation || r.Situation >= rules.NumSituations {
		c.problem("unknown situation %d", uint8(r.Situation))
	}
	if r.To != 0 {
		c.earlier(r.To, "to %d: ", c.step.Side.Other())
	}
}

// any checks which fields of a frame are not compared.
func (c *checker) any(f *Frame) {
	header, word := f.headers()
	left := f.Any
	for _, table := range []struct {
		fields *field.Table
		octets []byte
	}{{f.table(), header}, {mpa.EnhancedFields, word}} {
		for i := range table.fields.Fields {
			each := &table.fields.Fields[i]
			if len(left) == 0 || left[0] != each.Name || !canBeAny(each) || table.octets == nil {
				continue
			}
			left = left[1:]
			if each.Number(table.octets) != 0 {
				c.problem("%s is a number or a wildcard", each.Label)
			}
		}
	}
	if len(left) > 0 {
		c.problem("%s cannot be a wildcard here, is repeated, or is not in wire order", left[0])
	}
}
