package conform

import (
	"context"
	"encoding/hex"
	"net"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// The first FPDU of an Initiator, a Send of 4 octets, without its CRC.
const firstFPDU = "0016 4143 00000000 00000000 00000001 00000000 00000000"

// connecting returns a peer that connects again and again with a Request of a revision. After our Reply it sends octets: plain
// ones, or marked ones where we ask for Markers, and closes where there are none.
func connecting(rev uint8, plain, marked string) func(context.Context) (net.Conn, error) {
	private, _ := (&service.ConformOffer{Receives: 32, ReceiveSize: 8192}).AppendBinary(nil)
	request := mpa.Frame{C: true, M: rev == mpa.RevRDMAC, Rev: rev, PDLength: uint16(len(private)), PrivateData: private}
	return func(context.Context) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			b, _ := request.AppendBinary(nil)
			theirs.Write(b)
			reply, err := new(surveyor).readFrame(theirs, true, 0)
			if err != nil {
				return
			}
			octets := plain
			if reply.M {
				octets = marked
			}
			theirs.Write(hexOctets(octets))
		}()
		return ours, nil
	}
}

// hexOctets returns octets in hexadecimal, with blanks.
func hexOctets(text string) []byte {
	octets, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		panic(err)
	}
	return octets
}

// A peer whose Markers are wrong has Markers all the same.
func TestSurveyOfMarkers(t *testing.T) {
	for _, tt := range []struct {
		name          string
		rev           uint8
		plain, marked string
		want          bool
	}{
		{"as they should be", mpa.Rev1, firstFPDU, "0000 0000" + firstFPDU, true},
		{"point too far back", mpa.Rev1, firstFPDU, "0000 0004" + firstFPDU, true},
		{"have reserved bits", mpa.Rev1, firstFPDU, "8001 0000" + firstFPDU, true},
		{"none", mpa.Rev1, firstFPDU, firstFPDU, false},
		{"closes where they are asked for", mpa.Rev1, firstFPDU, "", false},
		{"always, with the RDMA Consortium's protocols", mpa.RevRDMAC, "", "0000 0000" + firstFPDU, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Survey(t.Context(), ConformService, scenario.Server, connecting(tt.rev, tt.plain, tt.marked))
			if err != nil || p.Markers != tt.want {
				t.Errorf("%+v, %v", p, err)
			}
		})
	}
}

// A peer that does not connect cannot be asked.
func TestSurveyOfAnInitiatorThatCloses(t *testing.T) {
	if p, err := Survey(t.Context(), ConformService, scenario.Server, connecting(mpa.Rev1, "", firstFPDU)); err == nil {
		t.Errorf("%+v", p)
	}
}
