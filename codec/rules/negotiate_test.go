package rules_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
)

func enhanced(e mpa.Enhanced) []byte {
	b, err := e.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
}

func TestNegotiate(t *testing.T) {
	for _, tc := range []struct {
		name           string
		request, reply mpa.Frame
		want           rules.Agreement
	}{
		{
			"nothing asked for", mpa.Frame{Rev: 1}, mpa.Frame{Rev: 1},
			rules.Agreement{Rev: 1, DDPVersion: 1, InitORD: -1, RespORD: -1},
		}, {
			"the Initiator requires Markers: the Responder sends them", mpa.Frame{Rev: 1, M: true}, mpa.Frame{Rev: 1},
			rules.Agreement{Rev: 1, MarkersFromResp: true, DDPVersion: 1, InitORD: -1, RespORD: -1},
		}, {
			"the Responder requires Markers: the Initiator sends them", mpa.Frame{Rev: 1}, mpa.Frame{Rev: 1, M: true},
			rules.Agreement{Rev: 1, MarkersFromInit: true, DDPVersion: 1, InitORD: -1, RespORD: -1},
		}, {
			"one side asks for CRCs", mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1},
			rules.Agreement{Rev: 1, CRC: true, DDPVersion: 1, InitORD: -1, RespORD: -1},
		}, {
			"the other side asks for CRCs", mpa.Frame{Rev: 1}, mpa.Frame{Rev: 1, C: true},
			rules.Agreement{Rev: 1, CRC: true, DDPVersion: 1, InitORD: -1, RespORD: -1},
		}, {
			"an RDMAC Responder overrides M and C (RFC 5044, figure 16)", mpa.Frame{Rev: 1}, mpa.Frame{Rev: 0, M: true},
			rules.Agreement{MarkersFromInit: true, MarkersFromResp: true, CRC: true, InitORD: -1, RespORD: -1},
		}, {
			"rejected", mpa.Frame{Rev: 1}, mpa.Frame{Rev: 1, R: true},
			rules.Agreement{Rejected: true, Rev: 1, DDPVersion: 1, InitORD: -1, RespORD: -1},
		}, {
			"the smaller of ORD and the other side's IRD",
			mpa.Frame{Rev: 2, S: true, PrivateData: enhanced(mpa.Enhanced{IRD: 8, ORD: 32})},
			mpa.Frame{Rev: 2, S: true, PrivateData: enhanced(mpa.Enhanced{IRD: 16, ORD: 4})},
			rules.Agreement{Rev: 2, DDPVersion: 1, InitORD: 16, RespORD: 4},
		}, {
			"0x3fff leaves a depth to the upper layer",
			mpa.Frame{Rev: 2, S: true, PrivateData: enhanced(mpa.Enhanced{IRD: 8, ORD: mpa.NotNegotiated})},
			mpa.Frame{Rev: 2, S: true, PrivateData: enhanced(mpa.Enhanced{IRD: mpa.NotNegotiated, ORD: 9})},
			rules.Agreement{Rev: 2, DDPVersion: 1, InitORD: -1, RespORD: 8},
		},
	} {
		if d := cmp.Diff(tc.want, rules.Negotiate(&tc.request, &tc.reply)); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.name, d)
		}
	}
}

func ExampleNegotiate() {
	request := mpa.Frame{Rev: 1, M: true}
	reply := mpa.Frame{Rev: 1, Reply: true, C: true}
	a := rules.Negotiate(&request, &reply)
	fmt.Println("CRC", a.CRC, "Markers from the Initiator", a.MarkersFromInit, "from the Responder", a.MarkersFromResp)
	// Output: CRC true Markers from the Initiator false from the Responder true
}

func TestRevisionsAgree(t *testing.T) {
	for _, c := range []struct {
		request, reply uint8
		want           bool
	}{
		{0, 0, true}, {1, 1, true}, {2, 2, true}, {2, 1, true}, {1, 2, false}, {1, 0, false}, {2, 0, false}, {0, 1, false},
	} {
		if got := rules.RevisionsAgree(&mpa.Frame{Rev: c.request}, &mpa.Frame{Reply: true, Rev: c.reply}); got != c.want {
			t.Errorf("Request %d, Reply %d: got %v", c.request, c.reply, got)
		}
	}
}
