package mpa

// A Marker, RFC 5044, section 4.2:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|           RESERVED            |            FPDUPTR            |
//	+-------------------------------+-------------------------------+

import "github.com/iwarpkit/iwarp/codec/field"

// MarkerFields describes a Marker. Tables does not list it: a Marker lies in the middle of other headers, and a Deframer
// removes it.
var MarkerFields = field.NewTable("MPA Marker", "iwarp_mpa", "RFC 5044, section 4.2",
	field.Field{Name: "iwarp_mpa.marker_res", Label: "RESERVED", Off: 0, Width: 16, Base: field.Hex},
	field.Field{Name: "iwarp_mpa.marker_fpduptr", Label: "FPDUPTR", Off: 16, Width: 16, Base: field.Dec},
)
