package show

import (
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// AppendElsewhere appends before, and then where the capture of the other end has what a Record is about, if both are shown: "at
// server:12 67.0 us later", "at server:12 67.0 us before" or "not in the server's capture".
func AppendElsewhere(dst []byte, before string, r *record.Record) []byte {
	s := &r.Elsewhere
	if s.At == flow.Nobody {
		return dst
	}
	dst = append(dst, before...)
	if s.Own == 0 {
		return append(append(append(dst, "not in the "...), s.At.String()...), "'s capture"...)
	}
	dst = append(append(append(dst, "at "...), s.String()...), ' ')
	if after := s.Time - r.LastTime; after >= 0 {
		return append(quantity.AppendDuration(dst, after), " later"...)
	}
	return append(quantity.AppendDuration(dst, r.LastTime-s.Time), " before"...)
}
