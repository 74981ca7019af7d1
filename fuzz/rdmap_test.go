package fuzz

// RDMAP messages of any octets: package rdmap.

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// Whole ULPDUs, one of every message.
const rdmapMessages = `
4143000000000000000000000001 0000000061626364
4144112233440000000000000002 0000000061626364
4145000000000000000000000003 00000000
0146112233440000000000000004 00000000 00
c140a1b2c3010000000000001000 61626364
8142cafe00010000000000002000 00
4141000000000000000100000001 00000000 cafe0001000000000000200000001800beef000200007f0000004000
4148000000000000000000000005 00000000 0011223344556677
4149000000000000000000000006 00000000 0011223344556677
414a000000000000000100000002 00000000 0000000000000007beef000200007f000000400800000000000000050000000000000000 0000000000000000ffffffffffffffff
414a000000000000000100000003 00000000 0000000200000008beef000200007f0000004008000000000000aaaa000000000000ffff 0000000000001234000000000000ff00
414b000000000000000300000001 00000000 000000070123456789abcdef
414e000000000000000000000001 00000000 00
`

// Terminate headers: in every combination of M, D and R, in both bit orders, and of both.
const rdmapTerminates = `
00ff0000
10008000 0009
1100c000 0012 c140a1b2c3010000000000001000
1203c000 0016 41430000000000000000 0000000900000000
0101e000 002e 41410000000000000001 0000000100000000 cafe0001000000000000200000001800beef000200007f0000004000
0109e000 0000 41441122334400000000 0000000100000000
11014000 0012 c140a1b2c3010000000000001000
01016000 002e 41410000000000000001 0000000100000000 cafe0001000000000000200000001800beef000200007f0000004000
01012000 cafe0001000000000000200000001800beef000200007f0000004000
0101a000 002e cafe0001000000000000200000001800beef000200007f0000004000
00000000 0000 00000000000000000000000000000000
02000000 aabb
1100c000 0012 c140a1
20050000
20060000
20070000
02020000
10000700 0000 41410000000000000001 0000004000000000 4ce9f40000007fc9221d60000000004024ddb50000007f3c065fc000
21020300 0040 41430000000000000000 0000000100000000
11000300 0040 c14028e9540000007fb5020c1000
`

// rdmapSeeds turns lines of hex into octets.
func rdmapSeeds(f *testing.F, lines string) (seeds [][]byte) {
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		b, err := hex.DecodeString(strings.ReplaceAll(line, " ", ""))
		if err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, b)
	}
	return seeds
}

// FuzzRDMAP decodes any octets as a segment, and what follows its header as every RDMAP header. Whatever is decoded is
// encoded to the same octets, and the parts that its layout names lie within it.
func FuzzRDMAP(f *testing.F) {
	for _, seed := range rdmapSeeds(f, rdmapMessages) {
		f.Add(seed, len(seed))
		f.Add(seed[:len(seed)/2], len(seed))
	}
	for _, seed := range rdmapSeeds(f, rdmapTerminates) {
		seed = append([]byte("\x41\x47\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00"), seed...)
		f.Add(seed, len(seed))
	}
	var used rdmap.Segment // not new every time: nothing may stay behind from the decoding before
	for _, seed := range captured(f).ulpdus {
		f.Add(seed, len(seed))
	}
	f.Fuzz(func(t *testing.T, ulpdu []byte, length int) {
		var s rdmap.Segment
		n, err := s.Decode(ulpdu)
		if short := len(ulpdu) < s.Header.Len(); n != len(ulpdu) || short != errors.Is(err, field.ErrShort) || short != (err != nil) {
			t.Errorf("%d octets of %d: %v", n, len(ulpdu), err)
		}
		if used.Decode(ulpdu); !cmp.Equal(s, used) {
			t.Errorf("decoded into a used struct: (-new +used)\n%s", cmp.Diff(s, used))
		}
		if len(ulpdu) >= 2 && (uint8(s.Control.Opcode) != ulpdu[1]&15 || s.Control.RV != ulpdu[1]>>6) {
			t.Errorf("% x has %+v", ulpdu[:2], s.Control)
		}
		if out, e := s.AppendBinary(nil); err == nil && (e != nil || !bytes.Equal(out, ulpdu) || s.Len() != len(ulpdu)) {
			t.Errorf("AppendBinary: %v, Len %d\n got % x\nwant % x", e, s.Len(), out, ulpdu)
		}
		s.Check()
		if p := s.PayloadLen(length); p < 0 || p > max(length, 0) {
			t.Errorf("%d octets of payload in a ULPDU of %d", p, length)
		}

		decodesAsTable(t, new(rdmap.Control), rdmap.ControlFields, s.Body)
		decodesAsTable(t, new(rdmap.ReadRequest), rdmap.ReadRequestFields, s.Body)
		decodesAsTable(t, new(rdmap.AtomicResponse), rdmap.AtomicResponseFields, s.Body)
		decodesAsTable(t, new(rdmap.Immediate), rdmap.ImmediateFields, s.Body)
		var request rdmap.AtomicRequest
		request.Decode(s.Body)
		decodesAsTable(t, &request, request.AOpCode.Fields(), s.Body)

		layoutWithin(t, ulpdu, length)
		layoutWithin(t, ulpdu, len(ulpdu))
	})
}

// layoutWithin checks that the parts of a ULPDU are no more than they may be, and begin within it.
func layoutWithin(t *testing.T, ulpdu []byte, length int) {
	t.Helper()
	parts := rdmap.AppendLayout(nil, ulpdu, length)
	if len(parts) > rdmap.MaxParts {
		t.Errorf("%d parts", len(parts))
	}
	if end := min(len(ulpdu), length); end > 0 && (len(parts) == 0 || parts[0].Off != 0) {
		t.Errorf("a ULPDU of %d octets begins with no header", end)
	}
	for _, p := range parts {
		if p.Off < 0 || p.Off >= min(len(ulpdu), length) {
			t.Fatalf("%s begins at %d in %d octets", p.Table.Name, p.Off, len(ulpdu))
		}
		for f := range p.Fields() {
			f.AppendValue(nil, ulpdu[p.Off:])
		}
	}
}

// FuzzTerminate decodes any octets as a Terminate header in both bit orders. Whatever M, D and R say it is decoded,
// and encoded to the same octets; the reading is identical if and only if both orders give the same.
func FuzzTerminate(f *testing.F) {
	for _, seed := range rdmapSeeds(f, rdmapTerminates) {
		f.Add(seed)
		f.Add(seed[:len(seed)-1])
	}
	for _, seed := range captured(f).bodies(rdmap.OpTerminate) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header []byte) {
		var rfc, meant rdmap.Terminate
		n, err := rfc.Decode(header)
		if n != len(header) || errors.Is(err, field.ErrShort) != (len(header) < rdmap.TerminateLen) {
			t.Errorf("%d octets of %d, %v", n, len(header), err)
		}
		if m, e := meant.DecodeSwapped(header); m != n || e != err {
			t.Errorf("DecodeSwapped: %d octets of %d, %v", m, len(header), e)
		}
		if err != nil {
			return
		}
		if out, err := rfc.AppendBinary(nil); err != nil || !bytes.Equal(out, header) || rfc.Len() != len(header) {
			t.Errorf("AppendBinary: %v, Len %d\n got % x\nwant % x", err, rfc.Len(), out, header)
		}
		if out, err := meant.AppendSwapped(nil); err != nil || !bytes.Equal(out, header) {
			t.Errorf("AppendSwapped: %v\n got % x\nwant % x", err, out, header)
		}
		for _, h := range []*rdmap.Terminate{&rfc, &meant} {
			terminateAgrees(t, h)
		}
		same := cmp.Equal(rfc, meant)
		switch reading := rdmap.ReadingOf(header, len(header)); reading {
		case rdmap.ReadingIdentical:
			if !same {
				t.Errorf("identical, but (-RFC +meant)\n%s", cmp.Diff(rfc, meant))
			}
		case rdmap.ReadingSwapped, rdmap.ReadingAmbiguous:
			if form := meant.Form(); same || !meant.Code.Registered() || form == rdmap.HeaderCut || form == rdmap.TrailingOctets {
				t.Errorf("%s, but as meant %s is %s", reading, meant.Code, form)
			}
		default:
			if same {
				t.Errorf("%s, but both orders give %+v", reading, rfc)
			}
		}
	})
}

// terminateAgrees checks that the form of a Terminate agrees with what was found in it.
func terminateAgrees(t *testing.T, h *rdmap.Terminate) {
	t.Helper()
	whole := (!h.D || h.HasHeader && h.HasSegmentLength) && (!h.R || h.HasReadRequest) && (!h.M || h.HasSegmentLength || h.HasReadRequest)
	zeros := len(bytes.Trim(h.Rest, "\x00")) == 0
	switch form := h.Form(); {
	case form == rdmap.WellFormed && (!whole || len(h.Rest) > 0),
		form == rdmap.ZeroFilled && (!whole || !zeros || len(h.Rest) == 0),
		form == rdmap.TrailingOctets && (!whole || zeros),
		form == rdmap.NoReadRequest && (!h.R || h.HasReadRequest || len(h.Rest) > 0),
		form == rdmap.HeaderCut && whole:
		t.Errorf("%s: %+v", form, h)
	}
	if (h.Check() == nil) && (h.Form() != rdmap.WellFormed || !h.Code.Registered() || h.Reserved != 0) {
		t.Errorf("nothing is wrong with %+v", h)
	}
}
