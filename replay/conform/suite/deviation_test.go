package suite

import (
	"context"
	"flag"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

var constant = flag.Bool("constant", false, "ask all cases of the peers with constant deviations")

// constants are deviations that leave FPDUs readable, and the cases that each fails.
var constants = map[string][]string{
	"send-reserved":                    {"RFC5041/4.1/own-segments", "RFC5041/4.1/own-sends"},
	"send-msn-7":                       {"RFC5041/4.3/own-untagged"},
	"bad-crc":                          {"RFC5044/4.4/asked-for-by-one-side"},
	"bad-marker":                       {"RFC5044/4.3/every-512-octets"},
	"reply-rev-9":                      {"RFC5044/7.1.1/own-frame"},
	"rewrite MPAReply iwarp_mpa.res=1": {"RFC5044/7.1.1/own-frame"},
	"rewrite Terminate iwarp_rdma.term_rsvd=1": {"RFC5040/4.8/local-error"},
	"rewrite Write iwarp_rdma.rsv=1":           {"RFC5040/4.1/control-of-others"},
	"rewrite FPDU iwarp_mpa.pad=ff":            {"RFC5044/4.1/peers-layout"},
}

// sample is how many cases one of them stands for in CI.
const sample = 10

// TestConstant asks peers with each named quirk, and with others that leave FPDUs readable. All cases are run. A header field
// that is always wrong fails the cases about it, and no other. Other
// deviations, except for those of whole RNICs, fail the cases that depend on what is missing then, and the survey says so.
func TestConstant(t *testing.T) {
	quirks := make(map[string]quirk.Quirk)
	for _, k := range quirk.Named(peers.RNICs...) {
		quirks[k.Name] = k
	}
	for name := range constants {
		if _, named := quirks[name]; !named {
			k, err := quirk.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			quirks[name] = k
		}
	}
	for name, k := range quirks {
		failing, header := constants[name]
		if !header && !*constant {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := askedWith(t, k, failing)
			var failed []string
			for i := range report.Results {
				switch r := &report.Results[i]; {
				case r.Verdict == conform.Fail:
					failed = append(failed, r.ID())
					t.Logf("%s: %s", r.ID(), r.Detail)
				case r.Verdict == conform.NotRun && strings.Contains(r.Detail, "has not answered"), r.Verdict == conform.Error:
					t.Errorf("%s: %s", r.ID(), r.Detail)
				}
			}
			slices.Sort(failed)
			slices.Sort(failing)
			if header && (!slices.Equal(failed, failing) || len(report.Deviations) == 0) {
				t.Errorf("%q fail, want %q; %v", failed, failing, report.Deviations)
			}
			for _, d := range report.Dependences {
				failed = slices.DeleteFunc(failed, func(id string) bool { return slices.Contains(d.Failed, id) })
			}
			if !header && peers.LookupProfile(name) == nil && len(failed) > 0 {
				t.Errorf("%q fail, and no dependence says why: %v", failed, report.Dependences)
			}
			t.Logf("%v; %d deviations, %d dependences", report.Summary(), len(report.Deviations), len(report.Dependences))
		})
	}
}

// askedWith asks a peer with a quirk some cases, or all: those that must fail among them.
func askedWith(t *testing.T, k quirk.Quirk, failing []string) *conform.Report {
	var c reference.Config
	c.Device.RNIC.Quirks = []quirk.Quirk{k}
	p, err := reference.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var some []conform.Question
	for i, q := range Questions() {
		if *constant || slices.Contains(failing, q.ID()) || i%sample == 0 && !q.Patient {
			some = append(some, q)
		}
	}
	report, err := p.Ask(context.Background(), some, scenario.Client, conform.Options{Crashers: true})
	if err != nil {
		t.Fatal(err)
	}
	return report
}
