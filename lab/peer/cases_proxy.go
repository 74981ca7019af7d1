package main

// Cases through a proxy: one that only passes on, and one with rules.

import (
	"context"
	"fmt"
	"sync"

	"github.com/iwarpkit/iwarp/replay/proxy"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// between puts a proxy before an address until the end of the case, and returns that of the proxy.
func (t *T) between(listen, to string) string {
	p, err := proxy.Listen(t.ctx, []proxy.Route{{Listen: listen, To: to}}, proxy.Config{Rules: t.rules})
	t.must(err, "listen as a proxy")
	ctx, stop := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() { p.Serve(ctx) })
	t.later(func() {
		stop()
		serving.Wait()
	})
	return p.Addrs()[0].String()
}

// A misdeed is something that a rule does, and how the kernel answers.
type misdeed struct {
	name, text, on, do string
	work               func(e *end) rnicsim.WorkRequest
	code               string // of the kernel's Terminate
	breaks             string // the rule that our side then breaks
}

var misdeeds = []misdeed{
	{"crc", "a Send whose CRC a rule makes wrong", "type == Send", "crc", send64, "2/0/02", "fpdu-crc"},
	{"set", "a Send whose MSN a rule increases", "type == Send", "set=iwarp_ddp.msn+1", send64, "1/2/03", "send-msn"},
	{"set-stag", "a Write whose STag a rule changes", "type == Write and len > 0", "set=iwarp_ddp.stag^1", write64, "1/1/00", ""},
	{"set-read", "a Read Request whose source a rule changes", "type == ReadRequest", "set=iwarp_rdma.srcstag^1", read64, "0/1/00", ""},
	{"inject", "a Send on QN 3 that a rule adds after a Write", "type == Write and len > 0", `inject Segment Send QN=3 "more"`, write64, "1/2/01",
		"qn-opcode"},
}

func proxyCases() (all []testCase) {
	for _, c := range theirTerminates() {
		run := c.Run
		c.Name, c.Text = "proxy/"+c.Name, "" // the text of the group says what they are
		c.Run = func(t *T) {
			t.proxied = true
			run(t)
		}
		all = append(all, c)
	}
	for _, m := range misdeeds {
		v := provocation{name: m.name, text: m.text, do: m.work, code: m.code, breaks: m.breaks}
		all = append(all, testCase{
			Name: fmt.Sprintf("proxy/rule/%s/%s", m.name, weConnect), Text: v.describe(), Siw: settings{CRC: true}, Breaks: m.breaks,
			Run: func(t *T) {
				r, err := proxy.ParseRule(m.on, m.do)
				t.must(err, "read the rule")
				t.proxied, t.rules = true, []*proxy.Rule{r}
				v.run(t, weConnect)
			},
		})
	}
	return all
}
