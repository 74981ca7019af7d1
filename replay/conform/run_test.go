package conform

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// silentPeer listens, accepts each Request, and sends nothing after its Reply.
func silentPeer(t *testing.T) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	private, _ := (&service.ConformOffer{Receives: 32, ReceiveSize: 8192}).AppendBinary(nil)
	reply := mpa.Frame{Reply: true, C: true, Rev: mpa.Rev1, PDLength: uint16(len(private)), PrivateData: private}
	octets, _ := reply.AppendBinary(nil)
	go func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer nc.Close()
				if _, err := new(surveyor).readFrame(nc, false, 0); err == nil {
					nc.Write(octets)
				}
				for b := make([]byte, 4096); err == nil; {
					_, err = nc.Read(b)
				}
			}()
		}
	}()
	return l
}

// A peer that is silent is soon given up, and nobody waits for its time-outs any more.
func TestNobodyWaitsForASilentPeer(t *testing.T) {
	t.Parallel()
	questions := Questions([]Section{{Document: "RFC5041", Number: "5.4", Title: "delivery", Cases: func() []Case {
		return []Case{
			{Name: "first", Ask: Text("> Send {echo \"abc\"}\n< Send {echo \"abc\"}")},
			{Name: "second", Ask: Text("")},
			{Name: "patient", Ask: Text("< FIN"), Patient: true},
		}
	}}})
	report, err := Run(t.Context(), questions, Options{Address: silentPeer(t).Addr().String(), StepTimeout: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if report.Took > patience/2 {
		t.Errorf("it took %v", report.Took)
	}
	for i, want := range []Verdict{Fail, NotRun, NotRun} {
		r := &report.Results[i]
		gaveUp := strings.HasSuffix(r.Detail, "has not answered since RFC5041/5.4/first")
		if r.Verdict != want || want == NotRun && !gaveUp {
			t.Errorf("%s: %v: %s", r.ID(), r.Verdict, r.Detail)
		}
	}
}

// A peer that goes away between two cases has not failed the next one.
func TestPeerGoesAway(t *testing.T) {
	t.Parallel()
	questions := Questions([]Section{{Document: "RFC5041", Number: "5.4", Title: "delivery", Cases: func() []Case {
		return []Case{{Name: "unsupported", Ask: Text(""), Need: Atomics}, {Name: "first", Ask: Text("")}, {Name: "second", Ask: Text("")}}
	}}})
	peer := silentPeer(t)
	report, err := Run(t.Context(), questions, Options{Address: peer.Addr().String(), Done: func(*Result) { peer.Close() }})
	if err != nil || report.Gone == nil {
		t.Fatal(report, err)
	}
	for i, want := range []struct {
		verdict Verdict
		detail  string
	}{
		{Unsupported, "Atomic Operations"}, {Error, "the peer went away: "}, {NotRun, "has not answered since RFC5041/5.4/first"},
	} {
		if r := &report.Results[i]; r.Verdict != want.verdict || !strings.Contains(r.Detail, want.detail) {
			t.Errorf("%s: %v: %s", r.ID(), r.Verdict, r.Detail)
		}
	}
}
