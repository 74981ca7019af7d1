package main

// Cases through a proxy: one that only passes on, and one with rules.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

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

// toKernel is where we connect to the kernel, through the proxy if there is one.
func (t *T) toKernel() string {
	to := t.address(t.kernelIP)
	if t.proxied {
		return t.between("127.0.0.1:0", to)
	}
	return to
}

// forKernel is where we listen for the kernel, behind the proxy if there is one.
func (t *T) forKernel() string {
	at := t.address(t.oursIP)
	if t.proxied {
		behind := t.address("127.0.0.1")
		t.between(at, behind)
		return behind
	}
	return at
}

// rule puts a proxy with a rule between both ends.
func (t *T) rule(on, action string) {
	r, err := proxy.ParseRule(on, action)
	t.must(err, "read the rule")
	t.proxied, t.rules = true, []*proxy.Rule{r}
}

// A misdeed is something that a rule does, which the kernel answers as if we had.
type misdeed struct {
	on, action string // the rule
	provocation
}

var misdeeds = []misdeed{
	{"type == Send", "crc",
		provocation{name: "crc", text: "a Send whose CRC a rule makes wrong", do: send64, code: "2/0/02", breaks: "fpdu-crc"}},
	{"type == Send", "set=iwarp_ddp.msn+1",
		provocation{name: "set", text: "a Send whose MSN a rule increases", do: send64, code: "1/2/03", breaks: "send-msn"}},
	{"type == Write and len > 0", "set=iwarp_ddp.stag^1",
		provocation{name: "set-stag", text: "a Write whose STag a rule changes", do: write64, code: "1/1/00"}},
	{"type == ReadRequest", "set=iwarp_rdma.srcstag^1",
		provocation{name: "set-read", text: "a Read Request whose source a rule changes", do: read64, code: "0/1/00"}},
	{"type == Write and len > 0", `inject Segment Send QN=3 "more"`,
		provocation{name: "inject", text: "a Send on QN 3 that a rule adds after a Write", do: write64, code: "1/2/01", breaks: "qn-opcode"}},
	{"type == Send", "flip-header",
		provocation{name: "flip-header", text: "a Send with a header that a rule damages", do: send64, code: "2/0/02", breaks: "fpdu-crc"}},
	{"type == Send", "flip-payload",
		provocation{name: "flip-payload", text: "a Send with a payload that a rule damages", do: send64, code: "2/0/02", breaks: "fpdu-crc"}},
	{"type == Write and len > 0", "truncate",
		provocation{name: "truncate", text: "a Write of several FPDUs, of the first of which a rule leaves out a half", do: writes, code: "2/0/02", breaks: "fpdu-crc", overtaken: true}},
	{"type == Write and len > 0", "garbage=40",
		provocation{name: "garbage", text: "random octets that a rule sends before a Write", do: write30000, code: "1/2/06", overtaken: true}},
}

// write30000 is shorter than the FPDU of 55,693 octets that the garbage seems to begin: nobody can tell what else is wrong with that.
func write30000(e *end) rnicsim.WorkRequest { return e.writeWR(30_000, 0) }

// writes is a Write of several FPDUs, also to the proxy, which is on the same host.
func writes(e *end) rnicsim.WorkRequest { return e.writeWR(200_000, 0) }

// An effect is what siwtest sees of our Sends when a rule alters those that are as long as the first one, and breaks nothing.
type effect struct {
	name, text, do string
	on             string        // what the rule selects instead; empty for those Sends
	sends          []int         // octets of each
	prints         []string      // what siwtest prints, in this order
	never          string        // what it does not print
	logs           string        // what the kernel logs; empty for nothing
	least          time.Duration // that the Sends take
	packets        int           // that our side sends at least
	ends, hangs    bool          // the rule ends the connection; the connection does not end
}

var effects = []effect{
	{name: "drop", text: "a Send that a rule drops", do: "drop", sends: []int{64, 32}, prints: []string{"receive 32 ok"}, never: "receive 64"},
	{name: "duplicate", text: "a Send that a rule sends twice", do: "duplicate", sends: []int{64}, prints: []string{"receive 64 ok", "receive 64 ok"}},
	{name: "reorder", text: "a Send that a rule puts behind the next one", do: "reorder", sends: []int{64, 32},
		prints: []string{"receive 32 ok", "receive 64 ok"}},
	{name: "corrupt", text: "a Send in whose payload a rule flips a bit", do: "corrupt", sends: []int{64}, prints: []string{"receive 64 wrong at"}},
	{name: "shorten", text: "a Send of which a rule leaves 40 octets", do: "shorten=40", sends: []int{64}, prints: []string{"receive 40 ok"}},
	{name: "terminate", text: "a Send after which a rule adds a Terminate, which the kernel sees", do: "inject Terminate 0/0/00", sends: []int{64},
		prints: []string{"receive 64 ok"}, logs: "siw: got TERMINATE. layer 0, type 0, code 0", ends: true},
	{name: "delay", text: "a Send that a rule delays", do: "delay=300ms", sends: []int{64}, prints: []string{"receive 64 ok"}, least: 300 * time.Millisecond},
	{name: "slow", text: "a Send that a rule sends slowly", do: "slow=2000", sends: []int{1000}, prints: []string{"receive 1000 ok"}, least: 300 * time.Millisecond},
	{name: "split", text: "a Send that a rule sends in segments of 8 octets", do: "split=8", sends: []int{64}, prints: []string{"receive 64 ok"},
		packets: 88 / 8}, // those of the FPDU; without the rule, we send 8 in all
	{name: "stall", text: "a Send after which a rule lets nothing pass for a while", do: "stall=300ms", sends: []int{64, 32},
		prints: []string{"receive 64 ok", "receive 32 ok"}, least: 300 * time.Millisecond},
	{name: "window", text: "a Send longer than TCP's first window, which a rule has shrunk by the time that it is used up", on: "type == MPARequest",
		do: "window=1000", sends: []int{80_000}, prints: []string{"receive 80000 ok"},
		least: time.Second}, // TCP asks five times a second for more than such a window
	{name: "close", text: "a Send after which a rule closes the connection", do: "close", sends: []int{64},
		prints: []string{"receive 64 ok"}, ends: true},
	{name: "fin", text: "a Send within which a rule closes the connection", do: "fin", sends: []int{64}, never: "receive 64", ends: true},
	{name: "reset", text: "a Send within which a rule resets the connection", do: "reset", sends: []int{64}, never: "receive 64", ends: true},
	{name: "silence", text: "a Send from which on a rule lets nothing pass from us, not even a FIN", do: "silence", sends: []int{64, 32},
		prints: []string{"received: 0 of 1"}, hangs: true},
}

// run sends through a proxy with the rule.
func (f *effect) run(t *T) {
	t.rule(cmp.Or(f.on, fmt.Sprintf("type == Send and len == %d", f.sends[0])), f.do)
	messages := 0
	for _, text := range f.prints {
		if strings.HasPrefix(text, "receive ") {
			messages++
		}
	}
	since := t.kernelLog()
	e, p := t.connect(weConnect, endConfig{}, "-z", strconv.Itoa(slices.Max(f.sends)), "-o", fmt.Sprintf("recvwait:%d", max(messages, 1)))
	e.do(e.writeWR(0, 0))
	began := time.Now()
	for _, n := range f.sends {
		t.must(e.conn.Post(e.sendWR(n)), "post")
	}
	switch {
	case f.hangs:
		p.prints(f.prints[0])
		return
	case f.ends:
		_ = e.over() // with a FIN or a reset
		p.prints("event DISCONNECTED")
		if f.logs != "" {
			t.logged(since, f.logs)
		}
	default:
		e.finish(weConnect, p)
	}
	took := time.Since(began)
	t.check(took >= f.least, "the Sends have taken %v, not %v", took, f.least)
	p.over()
	p.printed(f.prints...)
	t.check(f.never == "" || !p.has(f.never), "%s has printed %q", p.name, f.never)
}

func proxyCases() (all []testCase) {
	for _, c := range append(rpingCases(), theirTerminates()...) {
		run := c.Run
		c.Name, c.Text = "proxy/"+c.Name, "" // the text of the group says what they are
		c.Run = func(t *T) {
			t.proxied = true
			run(t)
		}
		all = append(all, c)
	}
	for i := range misdeeds {
		m := &misdeeds[i]
		all = append(all, testCase{
			Name: fmt.Sprintf("proxy/rule/%s/%s", m.name, weConnect), Text: m.describe(), Siw: settings{CRC: true}, Breaks: m.breaks,
			Run: func(t *T) {
				t.rule(m.on, m.action)
				m.run(t, weConnect)
			},
		})
	}
	for i := range effects {
		f := &effects[i]
		all = append(all, testCase{Name: fmt.Sprintf("proxy/rule/%s/%s", f.name, weConnect), Text: f.text, Siw: settings{CRC: true}, Run: f.run, Packets: f.packets})
	}
	return append(all, startupCases()...)
}

// startupCases are MPA frames that a rule alters so that siw refuses the connection.
func startupCases() []testCase {
	return []testCase{{
		Name: "proxy/rule/markers/" + string(weConnect),
		Text: "our Request, which a rule makes one for Markers: siw rejects",
		Siw:  settings{CRC: true},
		Run: func(t *T) {
			t.siwServer()
			t.rule("type == MPARequest", "set=iwarp_mpa.marker_flag=1")
			t.rejected(endConfig{})
		},
	}, {
		Name: "proxy/rule/crc-flag/" + string(siwConnect),
		Text: "our Reply, in which a rule takes back the CRCs that siw wants: siwtest sees a rejection",
		Siw:  settings{CRC: true},
		Run: func(t *T) {
			t.rule("type == MPAReply", "set=iwarp_mpa.crc_flag=0")
			accept, _ := t.listen(endConfig{})
			p := t.siwClient()
			t.must(accept().over(), "end")
			p.ends(6, "event REJECTED")
		},
	}}
}
