package service_test

import (
	"encoding/hex"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// The first message in the capture of rping in package samples.
const recordedAdvertisement = "00005634372b8f909996e80000000040"

func TestAdvertisementOfRping(t *testing.T) {
	b, _ := hex.DecodeString(recordedAdvertisement)
	var a service.Advertisement
	n, err := a.Decode(append(b, 1, 2, 3))
	if n != 16 || err != nil {
		t.Fatalf("Decode: %d, %v", n, err)
	}
	if want := (service.Advertisement{TO: 0x5634372b8f90, STag: 0x9996e800, Length: 64}); a != want {
		t.Errorf("got %+v, want %+v", a, want)
	}
	if again, _ := a.AppendBinary(nil); hex.EncodeToString(again) != recordedAdvertisement {
		t.Errorf("encoded % x", again)
	}
	if _, err := a.Decode(b[:15]); !errors.Is(err, service.ErrNoAdvertisement) {
		t.Errorf("15 octets: %v", err)
	}
}

func TestOffer(t *testing.T) {
	const octets = "0000000000001000" + "00112200" + "00800000" + "69777376" + "01010000" + "00000100" + "00002000"
	want := service.Offer{
		Advertisement: service.Advertisement{TO: 0x1000, STag: 0x112200, Length: 8 << 20},
		Answer:        service.Counts, Receives: 256, ReceiveSize: 8192,
	}
	b, _ := hex.DecodeString(octets)
	var o service.Offer
	if n, err := o.Decode(b); n != service.OfferLen || err != nil {
		t.Fatalf("Decode: %d, %v", n, err)
	}
	if diff := cmp.Diff(want, o); diff != "" {
		t.Errorf("offer (-want +got):\n%s", diff)
	}
	if again, _ := o.AppendBinary(nil); hex.EncodeToString(again) != octets {
		t.Errorf("encoded % x", again)
	}

	// Others have the advertisement alone, or what they like after it.
	for _, change := range []func([]byte) []byte{
		func(b []byte) []byte { return b[:16] },
		func(b []byte) []byte { return b[:31] },
		func(b []byte) []byte { b[17] = 'W'; return b },
		func(b []byte) []byte { b[20] = 2; return b },
	} {
		n, err := o.Decode(change(append([]byte(nil), b...)))
		if n != 16 || !errors.Is(err, service.ErrNoOffer) || o != (service.Offer{Advertisement: want.Advertisement}) {
			t.Errorf("Decode: %d, %v, %+v", n, err, o)
		}
	}
}
