package smbdirect_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// set returns a copy of a packet with a number of n octets at an offset.
func set(b []byte, at, n int, v uint64) []byte {
	b = slices.Clone(b)
	copy(b[at:at+n], binary.LittleEndian.AppendUint64(nil, v))
	return b
}

// A sent packet.
type sent struct {
	d      flow.Direction
	packet []byte
}

// begun is a negotiation after which the client has two credits, and both sides receive packets of 1024 octets.
var begun = []sent{{flow.C2S, negotiateRequest}, {flow.S2C, negotiateResponse}}

// TestMalformed sends packets that a receiver must not accept: the last one of each list is that. The first test has none.
func TestMalformed(t *testing.T) {
	command := data(1, 0, smb2(create, 0, 0, 1, make([]byte, 56)))
	for _, test := range []struct {
		name           string
		packets        []sent
		seen, expected string
	}{
		{"legal", append(begun, sent{flow.C2S, command}), "", ""},
		{"other versions", []sent{{flow.C2S, set(negotiateRequest, 0, 4, 0x02000200)}}, "", ""},
		{"no credits asked", []sent{{flow.C2S, set(negotiateRequest, 6, 2, 0)}}, "CreditsRequested 0", "at least 1"},
		{"receive size", []sent{{flow.C2S, set(negotiateRequest, 12, 4, 127)}}, "MaxReceiveSize 127", "at least 128"},
		{"fragmented size", []sent{{flow.C2S, set(negotiateRequest, 16, 4, 131071)}}, "MaxFragmentedSize 131071", "at least 131072"},
		{"negotiated version", []sent{begun[0], {flow.S2C, set(negotiateResponse, 4, 2, 0x200)}}, "NegotiatedVersion 0x0200", "0x0100"},
		{"refused without a version", []sent{begun[0], {flow.S2C, set(set(negotiateResponse, 4, 2, 0), 12, 4, 0xc00000bb)}}, "", ""},
		{"response asks for no credits", []sent{begun[0], {flow.S2C, set(negotiateResponse, 8, 2, 0)}}, "CreditsRequested 0", "at least 1"},
		{"send size", []sent{begun[0], {flow.S2C, set(negotiateResponse, 20, 4, 1025)}}, "PreferredSendSize 1025", "at most 1024, the client's MaxReceiveSize"},
		{"response's receive size", []sent{begun[0], {flow.S2C, set(negotiateResponse, 24, 4, 0)}}, "MaxReceiveSize 0", "at least 128"},
		{"response's fragmented size", []sent{begun[0], {flow.S2C, set(negotiateResponse, 28, 4, 0)}}, "MaxFragmentedSize 0", "at least 131072"},
		{"short", append(begun, sent{flow.C2S, command[:19]}), "length 19", "at least 20"},
		{"data transfer asks for no credits", append(begun, sent{flow.C2S, set(command, 0, 2, 0)}), "CreditsRequested 0", "at least 1"},
		{"offset", append(begun, sent{flow.C2S, set(command, 12, 4, 26)}), "DataOffset 26", "a multiple of 8"},
		{"offset in the header", append(begun, sent{flow.C2S, set(command, 12, 4, 16)}), "DataOffset 16", "at least 20"},
		{"data beyond the end", append(begun, sent{flow.C2S, set(command, 16, 4, 121)}), "DataOffset 24 and DataLength 121", "together at most 144, the length of the packet"},
		{"long", append(begun, sent{flow.S2C, data(1, 0, make([]byte, 1001))}), "length 1025", "at most 1024, the client's MaxReceiveSize"},
		{"long message", append(begun, sent{flow.C2S, data(1, 130972, make([]byte, 101))}), "a message of length 131073", "at most 131072, the server's MaxFragmentedSize"},
		{
			"fragments", append(begun, sent{flow.C2S, data(1, 100, make([]byte, 100))}, sent{flow.S2C, data(1, 0, nil)}, sent{flow.C2S, data(1, 1, make([]byte, 98))}),
			"DataLength 98 and RemainingDataLength 1", "together the 100 octets that remain of the message",
		},
	} {
		w := ulptest.NewWire(smbdirect.Layer, 445)
		for _, p := range test.packets {
			w.Send(p.d, p.packet)
		}
		var got []record.Finding
		for i := range w.Findings {
			if f := w.Findings[i]; f.Name == record.Malformed {
				got = append(got, f)
			}
		}
		switch {
		case test.seen == "" && len(got) == 0:
		case len(got) != 1 || got[0].Seen != test.seen || got[0].Expected != test.expected || got[0].Frame != uint64(len(test.packets)):
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// TestUncredited sends a packet without a credit, and one of which that is not known.
func TestUncredited(t *testing.T) {
	w := ulptest.NewWire(smbdirect.Layer, 445)
	for _, p := range append(begun, slices.Repeat([]sent{{flow.C2S, data(1, 0, nil)}}, 3)...) {
		w.Send(p.d, p.packet)
	}
	w.Gap(flow.S2C)
	w.Send(flow.C2S, data(1, 0, nil))
	if len(w.Findings) != 1 || w.Findings[0].Name != record.Uncredited || w.Findings[0].Frame != 5 {
		t.Errorf("%+v", w.Findings)
	}
}
