package rpc_test

import (
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/transcript"
)

type fnd struct {
	analysis.Discard
	all     []analysis.Finding
	closing []bool
	over    bool
}

func (f *fnd) Finding(one *analysis.Finding) {
	f.all = append(f.all, *one)
	f.closing = append(f.closing, f.over)
}

func TestTryStreams(t *testing.T) {
	seen := map[string]bool{}
	for _, dir := range []string{"rpc1", "rpc2", "rpcbidi", "rpcpd", "clean"} {
		files, _ := filepath.Glob("../../analysis/testdata/streams/" + dir + "/*.txt")
		for _, file := range files {
			s, err := transcript.ReadFile(file)
			if err != nil {
				t.Error(err)
				continue
			}
			f := &fnd{}
			e := dissect.NewEngine(analysis.New(f, analysis.Options{Profile: rules.LookupProfile(s.Profile), ULPs: []analysis.ULP{rpc.New(rpc.Options{OnMessage: func(*rpc.Message) {}})}}), dissect.Options{})
			for i := range s.Records {
				e.Packet(&s.Records[i])
			}
			f.over = true
			e.Close()
			var want, got []string
			for _, x := range s.Expected {
				want = append(want, fmt.Sprintf("%d %s", x.Line, x.Name))
				seen[x.Name] = true
			}
			text := map[string]string{}
			for i := range f.all {
				x := &f.all[i]
				line := s.Line(x.LastFrame)
				if f.closing[i] {
					line = s.EndLine
				}
				k := fmt.Sprintf("%d %s", line, x.Name)
				got = append(got, k)
				text[k] = x.Seen + " | " + x.Expected
			}
			sort.Strings(want)
			sort.Strings(got)
			cnt := map[string]int{}
			for _, k := range want {
				cnt[k]--
			}
			for _, k := range got {
				cnt[k]++
			}
			for k, n := range cnt {
				if n > 0 {
					t.Errorf("%s:%s UNEXPECTED  %s", filepath.Join(dir, filepath.Base(file)), k, text[k])
				}
				if n < 0 {
					t.Errorf("%s:%s MISSING", filepath.Join(dir, filepath.Base(file)), k)
				}
			}
		}
	}
	n := 0
	for r := range rules.Rules {
		if strings.HasPrefix(r.Name, "rpc") {
			n++
			if !seen[r.Name] {
				t.Errorf("no stream: %s", r.Name)
			}
		}
	}
	fmt.Println(n, "rules")
}
