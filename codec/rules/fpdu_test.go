package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
)

var withCRC = mpa.Options{CRC: true}

// fpduCases are FPDUs as on the wire, and their violations.
var fpduCases = []struct {
	name    string
	options mpa.Options
	octets  string
	want    string // rules
	seen    string // in the first Violation
}{
	{"RFC 5044, figure 5, Marker and all", mpa.Options{CRC: true, Markers: true}, `
		00000000 002a4143 00000000 00000000 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000000 52239983`, "", ""},
	{"a Send of nothing", withCRC, `0012 4143 00000000 00000000 00000001 00000000 587be8c4`, "", ""},
	{"no CRC", mpa.Options{}, `0012 4143 00000000 00000000 00000001 00000000 00000000`, "", ""},

	{"wrong CRC", withCRC, `0012 4143 00000000 00000000 00000001 00000000 587be8c5`, "fpdu-crc", "CRC 587be8c5"},
	{"CRC in reverse order", withCRC, `0012 4143 00000000 00000000 00000001 00000000 c4e87b58`, "fpdu-crc", "CRC c4e87b58, in reverse order"},
	{"CRC left out", withCRC, `0012 4143 00000000 00000000 00000001 00000000 00000000`, "fpdu-crc", "CRC 00000000, as if CRCs were off"},
	{"with a wrong CRC nothing else counts", withCRC, `0013 4143 00000000 00000000 00000001 00000000 61 626364 00000001`, "fpdu-crc", "CRC 00000001"},
	{"Marker that points elsewhere", mpa.Options{Markers: true}, `
		00000008 0012 4143 00000000 00000000 00000001 00000000 00000000`, "fpdu-marker", "1 of 1 Markers point elsewhere"},
	{"stream without the Markers that were agreed on", mpa.Options{CRC: true, Markers: true}, `
		0012 4143 00000000 00000000 00000001 00000000 1d0bc879`, "fpdu-crc", "CRC 00000000, and 1 of 1 Markers point elsewhere"},
	{"Marker that points elsewhere, and a wrong CRC", mpa.Options{CRC: true, Markers: true}, `
		00000008 0012 4143 00000000 00000000 00000001 00000000 00000001`, "fpdu-crc", "CRC 00000001, and 1 of 1 Markers point elsewhere"},
	{"Marker that points elsewhere, which the CRC covers", mpa.Options{CRC: true, Markers: true}, `
		00000008 0012 4143 00000000 00000000 00000001 00000000 e02e8594`, "fpdu-marker", "1 of 1 Markers point elsewhere"},
	{"RESERVED of a Marker", mpa.Options{Markers: true}, `
		00010000 0012 4143 00000000 00000000 00000001 00000000 00000000`, "marker-reserved", "set in 1 of 1 Markers"},
	{"low bits of FPDUPTR", mpa.Options{Markers: true}, `
		00000003 0012 4143 00000000 00000000 00000001 00000000 00000000`, "marker-reserved", "set in 1 of 1 Markers"},
	{"PAD", mpa.Options{}, `0013 4143 00000000 00000000 00000001 00000000 61 000001 00000000`, "fpdu-pad", "PAD 000001"},
	{"no ULPDU", mpa.Options{}, `0000 0000 00000000`, "ulpdu-empty", "ULPDU_Length 0 at octet 0 of the stream, where a Marker would be"},
	{"no ULPDU, where Markers are", mpa.Options{Markers: true}, `00000000 0000 0000 00000000`, "ulpdu-empty", "ULPDU_Length 0"},
	{"a ULPDU too long", mpa.Options{}, `FD01 ` + strings.Repeat("00", 0xFD01+1) + ` 00000000`, "ulpdu-long", "64769 octets"},
}

// markerCases are agreements, for streams with Markers that were not requested, and without Markers that were.
var markerCases = []struct {
	agreed    mpa.Options
	want      string
	situation rules.Situation
}{
	{mpa.Options{Markers: true}, "fpdu-marker", rules.FPDUMarker},
	{mpa.Options{Markers: true, CRC: true}, "fpdu-marker", rules.FPDUCRC},
	{mpa.Options{}, "marker-unasked", rules.DDPShort},
	{mpa.Options{CRC: true}, "marker-unasked", rules.FPDUCRC},
}

func TestCheckMarkers(t *testing.T) {
	for _, tc := range markerCases {
		v := rules.CheckMarkers(tc.agreed, nil)
		if len(v) != 1 || v[0].Name != tc.want || v[0].Situation != tc.situation {
			t.Errorf("%+v: got %+v, want %s with situation %v", tc.agreed, v, tc.want, tc.situation)
		}
	}
}

func fpduWanted() (all []string) {
	for _, tc := range fpduCases {
		all = append(all, strings.Fields(tc.want)...)
	}
	for _, tc := range markerCases {
		all = append(all, tc.want)
	}
	return all
}

func TestCheckFPDU(t *testing.T) {
	for _, tc := range fpduCases {
		var d mpa.Deframer
		d.Reset(tc.options)
		d.Push(octetsOf(t, tc.octets))
		var f mpa.Deframed
		if !d.Next(&f) {
			t.Errorf("%s: no FPDU", tc.name)
			continue
		}
		v := rules.CheckFPDU(&f, tc.options, nil)
		if !slices.Equal(names(v), strings.Fields(tc.want)) {
			t.Errorf("%s: got %q, want %s", tc.name, names(v), tc.want)
		}
		if len(v) > 0 && v[0].Seen != tc.seen {
			t.Errorf("%s: seen %q, want %q", tc.name, v[0].Seen, tc.seen)
		}
	}
}

func TestCheckFPDUDoesNotAllocate(t *testing.T) {
	var d mpa.Deframer
	d.Reset(withCRC)
	d.Push(octetsOf(t, "0012 4143 00000000 00000000 00000001 00000000 587be8c4"))
	var f mpa.Deframed
	d.Next(&f)
	var v []rules.Violation
	if allocs := testing.AllocsPerRun(100, func() { v = rules.CheckFPDU(&f, withCRC, v) }); allocs != 0 || len(v) != 0 {
		t.Errorf("%v allocations, %q", allocs, names(v))
	}
}
