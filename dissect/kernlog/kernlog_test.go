package kernlog_test

import (
	"fmt"
	"log"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/kernlog"
)

func read(t testing.TB, s string) *kernlog.Log {
	t.Helper()
	l, err := kernlog.Read(strings.NewReader(s), time.FixedZone("", 3600))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestRead(t *testing.T) {
	at := time.Date(2026, 11, 23, 1, 8, 16, 0, time.UTC).UnixNano()
	const text = "siw: got TERMINATE. layer 1, type 2, code 2"
	for line, want := range map[string]kernlog.Line{
		"[  285.958171] " + text:                                  {Uptime: 285958171 * time.Microsecond, Text: text},
		"<6>[  285.958171] " + text + "\r":                        {Uptime: 285958171 * time.Microsecond, Text: text},
		"[    0.000000] Linux":                                    {Uptime: 1, Text: "Linux"},
		"[    1.500000] host kernel: " + text:                     {Uptime: 1500 * time.Millisecond, Text: text},
		"[Mon Nov 23 02:08:16 2026] " + text:                      {Time: at, Text: text},
		"[Mon Nov  2 02:08:16 2026] " + text:                      {Time: at - 21*24*int64(time.Hour), Text: text},
		"2026-11-23T01:08:16,123456+00:00 " + text:                {Time: at + 123456000, Text: text},
		"2026-11-23T01:08:16.123456+0000 host kernel: " + text:    {Time: at + 123456000, Text: text},
		"2026-11-23T02:08:16+0100 host kernel: " + text:           {Time: at, Text: text},
		"2026-11-23T02:08:16 host kernel: [  285.958171] " + text: {Time: at, Text: text},
		"[    2.000000] " + strings.Repeat("x", 3000):             {Uptime: 2 * time.Second, Text: strings.Repeat("x", 1024)},
	} {
		if d := cmp.Diff([]kernlog.Line{want}, read(t, "no time\n"+line+"\n-- Boot --\n").Lines); d != "" {
			t.Errorf("%s (-want +got)\n%s", line, d)
		}
	}
	for _, s := range []string{"", "nothing\n", "[x] y", "[1] y", "[99999999999.0] y", "[Mon] y", "2026-13-01T00:00:00Z y", "[-1.0] y"} {
		if l, err := kernlog.Read(strings.NewReader(s), time.UTC); err != kernlog.ErrNoTimes {
			t.Errorf("%q: %v, %+v", s, err, l)
		}
	}
	many := read(t, strings.Repeat("[1.0] x\n", 100_000))
	if len(many.Lines) != kernlog.MaxLines || many.LeftOut != 100_000-kernlog.MaxLines {
		t.Errorf("%d lines, %d left out", len(many.Lines), many.LeftOut)
	}
}

// The log of a host that ran several tests: the capture has some of its Terminates.
const tests = `[  285.958171] siw: got TERMINATE. layer 1, type 2, code 2
[  287.212846] device v0 left promiscuous mode
[  292.269153] siw: got TERMINATE. layer 0, type 1, code 1
[  297.322248] siw: got TERMINATE. layer 1, type 1, code 0
[  392.430410] nfs: server 10.0.0.2 not responding, timed out
`

func TestEstimateBoot(t *testing.T) {
	const boot = 1_800_000_000e9
	term := func(seconds float64, layer rdmap.Layer, etype, code uint8) kernlog.Event {
		return kernlog.Event{Time: boot + int64(seconds*1e9), Code: rdmap.Code{Layer: layer, EType: etype, ErrorCode: code}}
	}
	for name, test := range map[string]struct {
		all  []kernlog.Event
		fits int
	}{
		"one":    {[]kernlog.Event{term(285.958, 1, 2, 2)}, 1},
		"two":    {[]kernlog.Event{term(292.269, 0, 1, 1), term(297.322, 1, 1, 0)}, 2},
		"stray":  {[]kernlog.Event{term(10, 0, 1, 1), term(292.269, 0, 1, 1), term(297.322, 1, 1, 0)}, 2},
		"others": {[]kernlog.Event{term(285.958, 1, 2, 3)}, 0},
		"none":   {nil, 0},
		"repeat": {[]kernlog.Event{term(297.322, 1, 1, 0)}, 1},
	} {
		l := read(t, tests)
		e, ok := l.EstimateBoot(test.all)
		if ok != (test.fits > 0) || e.Fits != test.fits {
			t.Errorf("%s: %v, %+v", name, ok, e)
		}
		if off := e.Boot - boot; ok && (off < -int64(time.Second) || off > int64(time.Second) || e.Of != 3) {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// Without Terminates, connections that began and ended tell when the kernel booted.
func TestEstimateBootOfConnections(t *testing.T) {
	const boot = 1_800_000_000e9
	l := read(t, "[ 5.0] nvme nvme0: new ctrl: NQN \"n\", addr 10.0.0.2:4420\n[ 9.0] rpcrdma: connection to 10.0.0.3:20049 closed (-103)\n"+
		"[ 10.0] nvme nvme0: 10.0.0.2 disconnected\n[ 11.0] eth0: 10.0.0.2\n")
	hosts := [2]netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2")}
	began, ended := kernlog.Event{Kind: kernlog.Began, Time: boot + 5e9, Hosts: hosts}, kernlog.Event{Kind: kernlog.Ended, Time: boot + 10.2e9, Hosts: hosts}
	for _, test := range []struct {
		all  []kernlog.Event
		fits int
	}{{[]kernlog.Event{began, ended}, 2}, {[]kernlog.Event{ended}, 1}, {nil, 0}} {
		e, ok := l.EstimateBoot(test.all)
		if ok != (test.fits > 0) || e.Fits != test.fits || ok && (e.Boot < boot-1e9 || e.Boot > boot+1e9) {
			t.Errorf("%v: %v, %+v", test.all, ok, e)
		}
	}
}

// Two lines fit two times in turn, which are counted once.
func TestEstimateBootElse(t *testing.T) {
	l := read(t, "[ 10.0] siw: got TERMINATE. layer 1, type 2, code 2\n[ 20.0] siw: got TERMINATE. layer 1, type 2, code 2\n")
	for _, test := range []struct {
		at        []int64 // seconds
		fits, own int
	}{{[]int64{1000, 1010, 1100, 1110}, 2, 1}, {[]int64{1000, 1010}, 2, 0}, {[]int64{1000, 1100, 1200}, 1, 5}} {
		var all []kernlog.Event
		for _, at := range test.at {
			all = append(all, kernlog.Event{Time: at * 1e9, Code: rdmap.Code{Layer: 1, EType: 2, ErrorCode: 2}})
		}
		if e, ok := l.EstimateBoot(all); !ok || e.Fits != test.fits || e.Else != test.own {
			t.Errorf("%v: %+v", test.at, e)
		}
	}
}

// Words of a driver can stand before an address, and other addresses hold it.
func TestAboutNamesAddresses(t *testing.T) {
	for _, test := range []struct {
		text, address string
		want          bool
	}{
		{"laddr:10.0.0.1", "10.0.0.1", true},
		{"from ::ffff:10.0.0.1:20049", "10.0.0.1", true},
		{"addr=10.0.0.1.", "10.0.0.1", true},
		{"10.0.0.1", "10.0.0.1", true},
		{"10.0.0.12 closed", "10.0.0.1", false},
		{"10.0.0.1.2", "10.0.0.1", false},
		{"110.0.0.1", "10.0.0.1", false},
		{"2.10.0.0.1", "10.0.0.1", false},
		{"[fe80::1]:7", "fe80::1", true},
		{"fe80::1a", "fe80::1", false},
		{"afe80::1", "fe80::1", false},
		{"2:fe80::1", "fe80::1", false},
	} {
		c := &flow.Conn{Client: netip.AddrPortFrom(netip.MustParseAddr(test.address), 7), Latest: 9e9}
		l := read(t, "[ 1.0] "+test.text+"\n")
		l.SetBoot(0)
		if got := len(l.About(c, 0, 9e9, func(string) bool { return false })) > 0; got != test.want {
			t.Errorf("%q names %s: %v", test.text, test.address, got)
		}
	}
}

func TestAbout(t *testing.T) {
	l := read(t, tests+"[  400.000000] rpcrdma: connection to 10.0.0.20:20049 closed\n[  401.0] to 10.0.0.2:20049\n[ 402.0] 110.0.0.1\n[ 900.0] 10.0.0.1\n")
	if !l.NeedsBoot() {
		t.Error("it is known when the kernel booted")
	}
	l.SetBoot(1_800_000_000e9)
	if l.NeedsBoot() {
		t.Error("it is not known when the kernel booted")
	}
	c := &flow.Conn{
		Client: netip.MustParseAddrPort("10.0.0.1:700"), Server: netip.MustParseAddrPort("10.0.0.2:20049"),
		Earliest: 1_800_000_290e9, Latest: 1_800_000_450e9,
	}
	var got []string
	for _, line := range l.About(c, c.Earliest-int64(kernlog.Before), c.Latest+int64(kernlog.After), func(text string) bool { return strings.HasPrefix(text, "siw: ") }) {
		got = append(got, strings.Fields(line.Text)[0])
	}
	if d := cmp.Diff([]string{"siw:", "siw:", "nfs:", "to"}, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func Example() {
	l, err := kernlog.Read(strings.NewReader(tests), time.UTC)
	if err != nil {
		log.Fatal(err)
	}
	seen := []kernlog.Event{{Time: 1_800_000_285e9, Code: rdmap.Code{Layer: rdmap.LayerDDP, EType: 2, ErrorCode: 2}}}
	if e, ok := l.EstimateBoot(seen); ok {
		l.SetBoot(e.Boot)
	}
	fmt.Println(time.Unix(0, l.Lines[4].Time).UTC().Format(time.TimeOnly), l.Lines[4].Text)
	// Output: 08:06:31 nfs: server 10.0.0.2 not responding, timed out
}
