package peers_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
)

// TestSIW compares with Terminates that the kernel's siw sent in captures, as it meant them.
func TestSIW(t *testing.T) {
	for _, tc := range []struct {
		capture   string
		situation rules.Situation
		code      rdmap.Code
	}{
		{"term-read-badkey", rules.ReadSTag, rdmap.Code{Layer: 0, EType: 1, ErrorCode: 0}},
		{"term-read-oob", rules.ReadBounds, rdmap.Code{Layer: 0, EType: 1, ErrorCode: 1}},
		{"term-write-badkey", rules.WriteSTag, rdmap.Code{Layer: 1, EType: 1, ErrorCode: 0}},
		{"term-write-noaccess", rules.WriteAccess, rdmap.Code{Layer: 1, EType: 1, ErrorCode: 0}},
		{"term-write-oob-multi", rules.WriteBounds, rdmap.Code{Layer: 1, EType: 1, ErrorCode: 1}},
		{"term-write-wrap", rules.WriteWrap, rdmap.Code{Layer: 1, EType: 1, ErrorCode: 1}},
		{"term-send-nobuf", rules.SendNoBuffer, rdmap.Code{Layer: 1, EType: 2, ErrorCode: 2}},
		{"term-send-toolong-multi", rules.SendTooLong, rdmap.Code{Layer: 1, EType: 2, ErrorCode: 2}},
		{"term-send-badrecvlkey", rules.ReceiveSGE, rdmap.Code{Layer: 1, EType: 0, ErrorCode: 0}},
		{"term-local-badlkey-send", rules.LocalError, rdmap.Code{Layer: 0, EType: 0, ErrorCode: 0xFF}},
	} {
		if a := peers.SIW.Answer(tc.situation); !a.Codes.Contains(tc.code) {
			t.Errorf("%s: siw sent %v, the table says %v", tc.capture, tc.code, a.Codes)
		}
	}
	if peers.SIW.Answers[rules.ReadAccess].Act != rules.Ignores {
		t.Error("term-read-noaccess shows that siw does not check the right to read")
	}
}

// TestAnswers checks that an answer has codes if it is a Terminate, and a note if it is something else.
func TestAnswers(t *testing.T) {
	for _, p := range peers.RNICs {
		for s, a := range p.Answers {
			if (a.Act == rules.Terminates) != (len(a.Codes) > 0) || a.Act > rules.Terminates && a.Note == "" {
				t.Errorf("%s, %v: act %d with %v, %q", p.Name, rules.Situation(s), a.Act, a.Codes, a.Note)
			}
		}
	}
}

// TestRecognise uses Private Data from the bundled captures of Linux.
func TestRecognise(t *testing.T) {
	for capture, tc := range map[string]struct{ request, reply []*rules.Peer }{
		"nfs-small-v4.1-inl4096-crc1.pcap.gz": {[]*rules.Peer{&peers.LinuxNFSClient}, []*rules.Peer{&peers.LinuxNFSServer}},
		"nvme-rdma-start.pcap.gz":             {nil, []*rules.Peer{&peers.NVMeT}},
		"iser-start.pcap.gz":                  {nil, []*rules.Peer{&peers.LIO}},
		"smbdirect.pcap.gz":                   {nil, []*rules.Peer{&peers.KSMBD}},
		"rping.pcap":                          {nil, nil},
	} {
		c, err := pcaps.Open("../../pcaps/samples/" + capture)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		check := record.SinkFunc(func(r *record.Record) {
			if r.Kind != record.KindStartup {
				return
			}
			n++
			f := &r.Startup.MPA
			want := tc.request
			if f.Reply {
				want = tc.reply
			}
			var got []*rules.Peer
			for _, p := range peers.UpperLayers {
				if p.Private.Fits(f.ULPPrivateData(), f.Reply) {
					got = append(got, p)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, frame %d: %d peers for %x", capture, r.Frame, len(got), f.ULPPrivateData())
			}
		})
		if err := dissect.NewEngine(check, dissect.Options{}).Run(context.Background(), c); err != nil {
			t.Fatal(err)
		}
		c.Close()
		if n == 0 {
			t.Errorf("%s has no MPA frames", capture)
		}
	}
}

func TestLookupProfile(t *testing.T) {
	if p := peers.LookupProfile("siw"); p.RNIC != &peers.SIW || p.Upper != &peers.LinuxNFSServer {
		t.Errorf("%+v", p)
	}
	if peers.LookupProfile("nobody") != nil {
		t.Error("nobody has a profile")
	}
}

func Example() {
	for _, p := range peers.RNICs {
		fmt.Println(p.Title, "answers", p.Answer(rules.SendTooLong).Codes)
	}
	why, _ := peers.LookupProfile("siw").Excuses(rules.RuleFPDUPad)
	fmt.Println(why)
	// Output:
	// siw, the software RNIC of Linux answers 1/2/02
	// irdma, the Linux driver for Intel's RNICs answers 1/2/05
	// cxgb4, the Linux driver for Chelsio's RNICs answers 1/2/05
	// siw does not clear the PAD octets of an FPDU
}
