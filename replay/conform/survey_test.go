package conform

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// answering returns a peer that answers each Request with the same Reply, or with octets that are not a Reply.
func answering(reply mpa.Frame, octets string) func(context.Context) (net.Conn, error) {
	return func(context.Context) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			if _, err := new(surveyor).readFrame(theirs, false, 0); err != nil {
				return
			}
			b, _ := reply.AppendBinary(nil)
			if octets != "" {
				b = []byte(octets)
			}
			theirs.Write(b)
		}()
		return ours, nil
	}
}

func TestSurveyErrors(t *testing.T) {
	reply := func(private []byte) mpa.Frame {
		return mpa.Frame{Reply: true, C: true, Rev: mpa.Rev1, PDLength: uint16(len(private)), PrivateData: private}
	}
	offer := func(receives, size uint32) mpa.Frame {
		b, _ := (&service.ConformOffer{Receives: receives, ReceiveSize: size}).AppendBinary(nil)
		return reply(b)
	}
	rejecting := reply(nil)
	rejecting.R = true
	for _, tt := range []struct {
		name   string
		reply  mpa.Frame
		octets string
		want   error
		says   string
	}{
		{"fine", offer(32, 8192), "", nil, ""},
		{"no Private Data", reply(nil), "", ErrNoService, "docs/conform-service.md"},
		{"no Receives", offer(0, 8192), "", ErrOffer, "0 of 8192 octets; want 1 to 4096 of 64 to 65536"},
		{"too many", offer(1<<32-1, 8192), "", ErrOffer, "4294967295 of 8192"},
		{"too long", offer(32, 1<<32-1), "", ErrOffer, "32 of 4294967295"},
		{"a rejection", rejecting, "", ErrRefused, "it rejects the Request"},
		{"HTTP", mpa.Frame{}, "HTTP/1.1 400 Bad Request\r\n\r\n", ErrRefused, "not a valid MPA Reply"},
		{"too little", mpa.Frame{}, "MPA ID Rep", ErrRefused, "no MPA Reply received: the peer closed the connection"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Survey(t.Context(), ConformService, scenario.Client, answering(tt.reply, tt.octets))
			if !errors.Is(err, tt.want) || tt.want != nil && !strings.Contains(err.Error(), tt.says) {
				t.Error(err)
			}
			if tt.want == nil && (p == nil || p.Enhanced || p.Offer.Receives != 32) {
				t.Errorf("%+v", p)
			}
		})
	}
}
