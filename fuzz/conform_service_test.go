package fuzz

// What is said to the service conform, and what it says: package rnicsim/service.

import (
	"bytes"
	"encoding"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// FuzzConformService decodes any octets as a command, an answer, a report and the Private Data of the service conform.
// What is decoded is encoded to octets that decode to the same, and no octet after what was decoded matters.
func FuzzConformService(f *testing.F) {
	for _, seed := range []string{
		"",
		"\x21\x01\x00",
		"\x01\x00\x00\x00echo",
		"\x10\x01\x00\x02\x00\x00\x00\x10\x00\x00\x01\x00\x99\x88\x77\x66\x00\x00\x00\x00\x12\x34\x56\x78",
		"\x12\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x08\x99\x88\x77\x66\x00\x00\x00\x00\x00\x00\x10\x00" +
			"\x00\x00\x00\x00\x00\x00\x00\x05\x80\x00\x00\x00\x00\x00\x00\x00",
		"\x13\x01\x00\x00" + string(make([]byte, 52)),
		"\x14\x06\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"\x15\x02\x00\x00\x01\x02\x03\x04\x05\x06\x07\x08",
		"\x23\x01\x00\x07",
		"iwcf\x01\x1f\x00\x08\x00\x00\x00\x20\x00\x00\x20\x00" + string(make([]byte, 8*16)),
		"iwcf\x01\xff\xff\xff\x00\x00\x00\x20\x00\x00\x20\x00",
		"iwcf\x01\xff\x00\x00\x00\x00\x00\x20\x00\x00\x20\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		means(t, b, func() message { return new(service.ConformCommand) })
		means(t, b, func() message { return new(service.ConformAnswer) })
		means(t, b, func() message { return new(service.ConformReport) })
		means(t, b, func() message { return new(service.ConformOffer) })
		var c service.ConformCommand
		if n, err := c.Decode(b); err == nil && len(b) >= 4 && n != c.Len() {
			t.Errorf("%v: %d octets, it has %d", c.Code, n, c.Len())
		}
	})
}

// A message is what the service conform takes or sends.
type message interface {
	Decode(b []byte) (int, error)
	encoding.BinaryAppender
}

// means decodes octets, and those to which the result is encoded.
func means(t *testing.T, b []byte, zero func() message) {
	t.Helper()
	m := zero()
	n, err := m.Decode(b)
	if n > len(b) {
		t.Fatalf("%T: %d octets of %d", m, n, len(b))
	}
	if err != nil {
		return
	}
	once, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatalf("%T: %v", m, err)
	}
	for _, same := range [][]byte{once, append(bytes.Clone(once), "more"...), b[:n]} {
		other := zero()
		if _, err := other.Decode(same); err != nil {
			t.Fatalf("%T: % x: %v", m, same, err)
		}
		if again, _ := other.AppendBinary(nil); !bytes.Equal(again, once) {
			t.Errorf("%T: % x encodes to % x, and that to % x", m, b[:n], once, again)
		}
	}
}
