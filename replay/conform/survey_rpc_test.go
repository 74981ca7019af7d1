package conform

import (
	"context"
	"encoding/hex"
	"errors"
	"net"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// octets returns words of hexadecimal digits.
func octets(t *testing.T, words string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(words, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A dialogue is what an RPC peer answers: a message to one that has some octets in it, each as hexadecimal digits. One
// that is answered with nothing ends the connection.
type dialogue []struct{ to, answer string }

// answer: to a message.
func (d dialogue) answer(message []byte) string {
	text := hex.EncodeToString(message)
	for _, each := range d {
		if strings.Contains(text, strings.ReplaceAll(each.to, " ", "")) {
			return strings.ReplaceAll(each.answer, "XID", text[:8])
		}
	}
	return ""
}

// serving returns an RPC peer that holds a dialogue on each connection, after a Reply with Private Data.
func serving(t *testing.T, d dialogue, private []byte) func(context.Context) (net.Conn, error) {
	return func(context.Context) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			if _, err := new(surveyor).readFrame(theirs, false, 0); err != nil {
				return
			}
			reply := mpa.Frame{Reply: true, C: true, Rev: mpa.Rev1, PDLength: uint16(len(private)), PrivateData: private}
			b, _ := reply.AppendBinary(nil)
			theirs.Write(b)
			peer := connection{nc: theirs}
			peer.out.Options = mpa.Options{CRC: true}
			peer.in.Reset(mpa.Options{CRC: true})
			for {
				message, err := peer.receive()
				if err != nil {
					return
				}
				answer := d.answer(message)
				if answer == "" {
					return
				}
				for each := range strings.SplitSeq(answer, "+") {
					peer.send(octets(t, each))
				}
			}
		}()
		return ours, nil
	}
}

// Messages of a peer, in hexadecimal digits.
const (
	success1 = "XID 00000001 00000010 00000000 00000000 00000000 00000000 XID 00000001 00000000 00000000 00000000 00000000"
	unavail1 = "XID 00000001 00000020 00000000 00000000 00000000 00000000 XID 00000001 00000000 00000000 00000000 00000001"
	denied1  = "XID 00000001 00000020 00000000 00000000 00000000 00000000 XID 00000001 00000001 00000001 00000005"
	chunk1   = "XID 00000001 00000020 00000004 00000002"
	only1    = "XID 00000002 00000020 00000004 00000001 00000001 00000001"
	only2    = "XID 00000001 00000020 00000004 00000001 00000002 00000002"
	success2 = "XID 00000002 00200001 00000000 00000001 00000000 00000000 00000000 00000000 XID 00000001 00000000 00000000 00000000 00000000"
	first2   = "c0000001 00000002 00200008 00000005 00000004 00000001 00000003 00000004 00010000"
	last2    = "c0000002 00000002 00200008 00000005 00000000 00000001 00000004 00000004 00000008"

	toProgram  = "00000000 00000002 20697763 00000001 00000000"
	toNFS3     = "00000000 00000002 000186a3 00000003 00000000"
	toNFS4     = "00000000 00000002 000186a3 00000004 00000000"
	toProps    = "00000002 02000020 00000005 00000000"
	toVersion1 = "00000001 00000020 00000000"
)

func TestSurveyRPC(t *testing.T) {
	for _, tt := range []struct {
		name     string
		dialogue dialogue
		want     RPCPeer // without Private and Properties
		err      error
		says     string
	}{
		{"all", dialogue{{toVersion1, success1}, {toProps, first2 + "+" + last2}},
			RPCPeer{Program: rpcProgram, ProgramVersion: 1, Conform: true, Version1: true, Version2: true, Low: 1, High: 2, Credits: 16, Granted: 8}, nil, ""},
		{"an NFS server", dialogue{{toProgram, unavail1}, {toNFS3, unavail1}, {toNFS4, success1}, {toProps, only1}},
			RPCPeer{Program: oncrpc.ProgramNFS, ProgramVersion: 4, Version1: true, Low: 1, High: 1, Credits: 32}, nil, ""},
		{"another server, that drops what is not version 1", dialogue{{toVersion1, unavail1}},
			RPCPeer{Program: rpcProgram, ProgramVersion: 1, Stat: oncrpc.ProgUnavail, Version1: true, Low: 1, High: 1, Credits: 32}, nil, ""},
		{"version 2 only", dialogue{{toVersion1, only2}, {toProps, last2}, {toProgram, success2}},
			RPCPeer{Program: rpcProgram, ProgramVersion: 1, Conform: true, Version2: true, Low: 2, High: 2, Granted: 8}, nil, ""},
		{"no RPC", dialogue{}, RPCPeer{}, ErrNoRPC, "no message received: the peer closed the connection"},
		{"another answer", dialogue{{"", chunk1}}, RPCPeer{}, ErrNoRPC, "it answers a Call of NULL with RDMA_ERROR ERR_CHUNK"},
		{"a denial", dialogue{{"", denied1}}, RPCPeer{}, ErrNoRPC, "it rejects a Call of NULL with AUTH_NONE"},
		{"another XID", dialogue{{"", strings.ReplaceAll(success1, "XID 00000001 00000000", "00000007 00000001 00000000")}}, RPCPeer{}, ErrNoRPC, "with a Reply to"},
		{"neither version", dialogue{{toVersion1, only2}, {toProps, only1}}, RPCPeer{}, ErrNoRPC, "it does not support that version"},
		{"properties without end", dialogue{{toVersion1, success1}, {toProps, strings.Repeat(first2+"+", 16) + first2}},
			RPCPeer{Program: rpcProgram, ProgramVersion: 1, Conform: true, Version1: true, Low: 1, High: 1, Credits: 16}, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Survey(t.Context(), RPCService, scenario.Client, serving(t, tt.dialogue, nil))
			if !errors.Is(err, tt.err) || tt.err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Fatal(err)
			}
			if err != nil {
				return
			}
			got := p.RPC
			if got.Properties != nil && len(slices.Collect(got.Properties.Properties())) == 0 {
				t.Error("no properties")
			}
			if tt.name == "all" {
				if v, ok := got.Properties.Lookup(rpcrdma.PropRSSIZ); !ok || string(v.Data) != "\x00\x01\x00\x00" {
					t.Errorf("the first message of properties is lost: %x", []byte(got.Properties))
				}
			}
			if got.Private, got.Properties = nil, nil; !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
}

// The Private Data of the peer is remembered, and stands for itself wherever it is.
func TestSurveyRPCPrivate(t *testing.T) {
	all := dialogue{{toVersion1, success1}, {toProps, only1}}
	for _, tt := range []struct {
		private string
		want    *rpcprivate.Data
	}{
		{"", nil},
		{"00000000 00000000", nil},
		{"6e667300 f6ab0e18 01 01 03 07", &rpcprivate.Data{Version: 1, R: true, SendSize: 3, ReceiveSize: 7}},
		{"f6ab0e18 01 01 03 07", &rpcprivate.Data{Version: 1, R: true, SendSize: 3, ReceiveSize: 7}},
	} {
		p, err := Survey(t.Context(), RPCService, scenario.Client, serving(t, all, octets(t, tt.private)))
		if err != nil {
			t.Fatal(err)
		}
		if got := p.RPC.Private; (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
			t.Errorf("%s: %+v", tt.private, got)
		}
	}
}

// An RPC server does not connect.
func TestSurveyRPCRole(t *testing.T) {
	if _, err := Survey(t.Context(), RPCService, scenario.Server, nil); !errors.Is(err, ErrRole) {
		t.Error(err)
	}
}
