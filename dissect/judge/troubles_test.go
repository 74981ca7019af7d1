package judge_test

// Connections that failed, and twins of theirs that did not.

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
)

// known returns an Engine that knows the upper layers and their ports, and reports to r.
func known(r *reporter) *dissect.Engine {
	return dissect.NewEngine(judge.New(r, judge.Options{ULPs: ulps()}), dissect.Options{Ports: []uint16{20049}})
}

// reportOn reports on packets, which it numbers.
func reportOn(records []pcaps.Record) *reporter {
	r := &reporter{}
	e := known(r)
	for i := range records {
		records[i].Frame = uint64(i + 1)
		e.Packet(&records[i])
	}
	e.Close()
	return r
}

// verdicts is what is said of a trouble, or of its twin.
func verdicts(t *testing.T, tr *transcript.Trouble, twin bool) []record.Verdict {
	t.Helper()
	records, err := tr.Records(twin)
	if err != nil {
		t.Fatal(err)
	}
	r := reportOn(records)
	return r.verdicts
}

// kernelTroubles are captures of Linux in testdata/kernel, and the cause of the first failure in each; empty if nothing fails.
var kernelTroubles = map[string]string{
	"iser-chap":            "refused-upper server",    // iscsiadm with a wrong CHAP password
	"iser-chap-none":       "set-up-abandoned server", // the target demands CHAP, and the initiator has no password
	"iser-chap-closed":     "set-up-abandoned server", // likewise; LIO closes before its answer is sent
	"iser-no-target":       "set-up-abandoned server", // iscsiadm -T with another name
	"nfs-over-tcp":         "",                        // a mount without proto=rdma
	"nfs3-readonly":        "refused-upper server",    // exported with ro
	"nfs41-bad-syn":        "",                        // tc netem corrupts packets, the first SYN with ACK among them
	"nfs41-loss":           "retransmissions nobody",  // tc netem drops two of five packets of the client
	"nfs3-mount-denied":    "refused-upper server",    // the path is exported to another host only
	"nfs-tcp-port":         "no-reply server",         // RDMA to the TCP port of NFS
	"nfs-wrong-port":       "refused server",          // nobody listens there
	"nfs41-crossed":        "closed-early server",     // its link was down, and it has forgotten the client, which begins another connection
	"nfs41-delay":          "",                        // tc netem delays packets
	"nfs41-grace-cut":      "deferred server",         // a client that opens a file after the server was started; the capture ends before the grace period
	"nfs41-half":           "",                        // the begin of a capture
	"nfs41-mountd-dead":    "unanswered-upper server", // rpc.mountd was stopped, and EXCHANGE_ID waits for it
	"nfs40-no-path":        "refused-upper server",    // a mount of a path that does not exist
	"nfs41-no-path":        "refused-upper server",
	"nfs41-no-rights":      "refused-upper server", // ls of a directory with mode 0700, with root_squash: ACCESS grants nothing
	"nfs41-read-only":      "refused-upper server", // the server's file system was mounted anew, with ro
	"nfs42-squashed":       "refused-upper server", // exported with root_squash: the client reads, and may not write
	"nfs41-noent":          "refused-upper server", // a path that does not exist, and nothing else: so it is when a mount fails
	"nfs41-not-exported":   "refused-upper server", // nothing is exported to the client's address
	"nfs41-oneway":         "",                     // one direction only
	"nfs41-restarted":      "",                     // the server, which has forgotten the client
	"nvme-answers-lost":    "",                     // the capture lacks all answers of the target
	"nvme-ns-added":        "",                     // its host's Admin Queue
	"nvme-ns-removed":      "withdrawn server",     // a namespace was disabled while the host read
	"perftest-client-tcp":  "foreign client",       // ib_write_bw -R, and the client without -R
	"perftest-for-a-time":  "",                     // ib_write_lat -D 4
	"perftest-server-tcp":  "no-reply server",      // ib_write_bw, and the client with -R
	"ping-client-killed":   "closed-early client",  // kill -9
	"ping-crcs-refused":    "crcs-refused server",  // siw with mpa_crc_strict and without mpa_crc_required, and iwarp serve
	"ping-healthy":         "",
	"ping-link-down":       "interrupted nobody",    // ip link set down
	"ping-unplugged":       "unacknowledged nobody", // tc netem drops all
	"ping-rejected-rst":    "forged-reset nobody",   // nft reject with tcp reset, likewise
	"ping-server-stopped":  "silent server",         // kill -STOP
	"rstream-crossed":      "",                      // the last message of the client crosses the FIN of the server
	"write-server-stopped": "silent server",         // the same with ib_write_lat
	"port-closed":          "refused server",
	"send-short-buffer":    "terminate client",     // ib_send_bw -s 4096, and -s 1024 at the server
	"serve-bad-crc":        "fpdu-crc server",      // the fault crc of iwarp serve
	"serve-frozen":         "terminate client",     // the client writes to STag 0
	"siw-askew":            "",                     // the client by a clock that is behind, and some packets are missing
	"syn-dropped":          "no-answer nobody",     // a host that does not exist
	"smb-killed-cut":       "closed-early server",  // ksmbd was shut down while the client wrote; 96 octets of each packet
	"smb-no-share":         "refused-upper server", // mount.cifs with a share that does not exist
	"smb-password":         "refused-upper server", // and with a wrong password
	"smb-read-only":        "refused-upper server", // a file is opened for writing on a share with read only = yes, and nothing else afterwards
}

// So does every verdict about a capture of a kernel.
func TestKernelTroubles(t *testing.T) {
	for name, want := range kernelTroubles {
		r := &reporter{}
		runCapture(t, known(r), "testdata/kernel/"+name+".pcap.gz")
		got := ""
		for _, v := range r.verdicts {
			if v.Cause != nil && got == "" {
				got = fmt.Sprintf("%s %v", v.Cause.Name, v.Culprit)
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// kernelSayings are what has to be said of captures of Linux, and what must not be asked since they show it.
var kernelSayings = map[string]struct{ says, asks string }{
	"nfs41-half":          {"Only packets from the server are in the capture; whether requests failed cannot be judged.", ""},
	"nfs41-oneway":        {"Only packets from the client are in the capture; whether requests failed cannot be judged.", ""},
	"serve-bad-crc":       {"Its octets read as a Terminate (1/1/00 Invalid STag) about the client's Write in frame 8 (STag 0x00000000, TO 0x0).", ""},
	"iser-chap-closed":    {"compare the CHAP names and secrets", ""},
	"iser-chap-none":      {"if they demand CHAP", ""},
	"nfs3-mount-denied":   {`refused the client's MOUNT of "/srv/nfs" in frame 18 with MNT3ERR_ACCES in frame 19`, ""},
	"nfs41-not-exported":  {"each host that none of its exports admits", ""},
	"perftest-client-tcp": {"start both sides with -R", ""},
	"perftest-server-tcp": {"start both sides with -R", ""},
	"nfs41-mountd-dead":   {"The server sent no message after the request, not even an RDMA Read or Write for it", "were there"},
}

func TestKernelSayings(t *testing.T) {
	for name, want := range kernelSayings {
		r := &reporter{}
		runCapture(t, known(r), "testdata/kernel/"+name+".pcap.gz")
		v := &r.verdicts[0]
		if got := v.Text + " " + v.Advice; !strings.Contains(got, want.says) || want.asks != "" && strings.Contains(got, want.asks) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

// A side that speaks another protocol is told from one that makes a mistake: neither has announced the upper layer, but the latter
// has spoken it.
func TestOtherProtocol(t *testing.T) {
	const strange, call = "00005634 372b8f90 9996e800 00000040", "5a000001 00000001 00000020 00000000 00000000 00000000 00000000 " +
		"5a000001 00000000 00000002 20000000 00000001 00000000 00000000 00000000 00000000 00000000"
	begun := "c2s 4143 00000000 00000000 00000001 00000000 " + call + "\nc2s 4143 00000000 00000000 00000002 00000000 " + strange
	for name, tc := range map[string]struct {
		replace []string
		told    bool
	}{
		"another protocol":          {nil, true},
		"a wrong message after one": {[]string{"c2s 4143 00000000 00000000 00000001 00000000 " + strange, begun}, false},
		"the client announces it":   {[]string{"Req Frame\" 40 01 0000", "Req Frame\" 40 01 0008 f6ab0e18 01010303"}, false},
	} {
		v := trouble(t, "other-protocol", &reporter{}, tc.replace...)
		if got := strings.Contains(v.Text, "different upper-layer protocols"); got != tc.told || v.Cause.Name != "rpc1-header" {
			t.Errorf("%s: %v, %s", name, got, v.Text)
		}
	}
}

// Advice does not ask for what the capture shows.
func TestAdvice(t *testing.T) {
	files := captureFiles(t)
	for name, want := range map[string]string{
		"reject-pd0":           "The application on the server refused, or ended before it answered: see its log.",
		"reject-pd32":          "The application on the server refused, or ended before it answered: see its log. The Private Data of the MPA Reply may have the reason too.",
		"term-read-oob":        "Look at where the program on the client takes the length of the Read from: what was advertised seems to be shorter.",
		"term-write-oob-multi": "Look at where the program on the client takes the length of the Write from: what was advertised seems to be shorter.",
	} {
		r := &reporter{}
		runCapture(t, known(r), files[name])
		if got := r.verdicts[0].Advice; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	const mismatch = "00000002 00000004 00000004" // PROG_MISMATCH: version 4 alone
	for want, v := range map[string]*record.Verdict{
		"The responder does not speak this version of RPC-over-RDMA": trouble(t, "rpc-version", &reporter{}),
		"The server has no such RPC program at this port":            trouble(t, "no-such-program", &reporter{}),
		"The server has the RPC program in other versions":           trouble(t, "no-such-program", &reporter{}, "00000000 00000001\n", "00000000 "+mismatch+"\n"),
		"The server has the RPC program and its version, but not":    trouble(t, "no-such-program", &reporter{}, "00000000 00000001\n", "00000000 00000003\n"),
	} {
		if !strings.HasPrefix(v.Advice, want) {
			t.Errorf("got %q, want %q; %s", v.Advice, want, v.Text)
		}
	}
	for name, wants := range map[string][]string{
		"bad-crc":               {"octets changed on the way", "siw sends without a copy"},
		"crcs-rejected":         {"siw uses CRCs if either side asks; its module parameters mpa_crc_required"},
		"authentication-failed": {"nvmet has the secrets"},
	} {
		for _, want := range wants {
			if got := trouble(t, name, &reporter{}).Advice; !strings.Contains(got, want) {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
	}
	other := &rules.Peer{Name: "other", Title: "other, an RNIC that answers so, too", Answers: peers.SIW.Answers}
	for who, profile := range map[string]*rules.Profile{"siw": nil, "other": {Name: "other", RNIC: other}} {
		r := &reporter{}
		runCapture(t, dissect.NewEngine(judge.New(r, judge.Options{Profile: profile}), dissect.Options{}), files["term-send-nobuf"])
		if got := r.verdicts[0].Advice; !strings.HasSuffix(got, "answered. "+who+" also sends this code if a Send is longer than the receive buffer.") {
			t.Errorf("%s: got %q", who, got)
		}
	}
}

// On ports where no RDMA is served, another protocol is not a failure.
func TestOtherPorts(t *testing.T) {
	for _, name := range []string{"http", "no-request"} {
		r := &reporter{}
		if v := trouble(t, name, r, "port 20049", "port 8080"); v != nil {
			t.Errorf("%s: %s", name, v.Text)
		}
	}
}

// TestForgottenCulprit checks that nothing is said to be missing in the capture that is only too long ago to be remembered.
func TestForgottenCulprit(t *testing.T) {
	const write, other = "s2c c140 1100aa01 0000000000001000 bb*100\n", "c2s c140 1100aa02 0000000000001000 bb*4\n"
	v := trouble(t, "terminate-about-what-is-not-captured", &reporter{}, write+"drop\n", write+strings.Repeat(other, 1<<13))
	if strings.Contains(v.Text, "does not show before it") {
		t.Error(v.Text)
	}
}

// TestCrossedKeepAlive checks that a keep-alive of SMB Direct that comes just before the end of the connection is not a failure.
func TestCrossedKeepAlive(t *testing.T) {
	for _, end := range []string{"c2s fin\ns2c fin", "s2c fin\nc2s fin"} {
		v := trouble(t, "keep-alive-unanswered", &reporter{}, "s2c ack\nwait 5s\nc2s fin\ns2c fin", end)
		if v != nil && (v.Cause != nil || v.Outstanding[flow.C2S].Upper != 0) {
			t.Error(v.Text)
		}
	}
}

// TestNotReadyYet checks that a host that does not wait for the controller to become ready has met no failure, and one that waits has.
func TestNotReadyYet(t *testing.T) {
	const again = "c2s 4143 00000000 00000000 00000003 00000000 7f400300 04 00*19 0000000000000000 000000 00000000 40 00000000 1c000000 00*16\n" +
		"s2c 4143 00000000 00000000 00000003 00000000 00000000 00000000 0300 0000 0300 0000\n"
	if v := trouble(t, "never-ready", &reporter{}, "wait 5s\n"+again, ""); v != nil && v.Cause != nil {
		t.Error(v.Text)
	}
	if v := trouble(t, "never-ready", &reporter{}, "wait 5s\n"+again, "wait 5s\n"); !strings.Contains(v.Text, "in frame 9 with CSTS.RDY 0") {
		t.Error(v.Text)
	}
}

// TestLastRequest checks that a refused request counts only if it is certainly the last one of a connection that ended, and is one that a
// host needs.
func TestLastRequest(t *testing.T) {
	const (
		name    = "set-features-refused"
		refusal = "s2c 4143 00000000 00000000 00000002 00000000 00*8 0200 0000 0200 0440\n"
		event   = "c2s 4143 00000000 00000000 00000003 00000000 0c400300 00*36 40 00*24\n"
		answer  = "s2c 4143 00000000 00000000 00000003 00000000 00*8 0300 0000 0300 0000\n"
	)
	for what, replace := range map[string][]string{
		"an Asynchronous Event Request follows": {refusal, refusal + event},
		"a later answer is not in the capture":  {refusal, refusal + event + answer + "drop\n"},
		"the connection stays open":             {"c2s fin\ns2c fin\nend", "c2s ack\nwait 40s\nc2s ack\nend"},
		"it is a Get Log Page":                  {"09400200", "02400200", "0200 0440", "0200 1242"},
	} {
		r := &reporter{}
		if v := trouble(t, name, r, replace...); v != nil && v.Cause != nil {
			t.Errorf("%s: %s", what, v.Text)
		}
	}
}

// TestLostAnswer checks that a refusal explains nothing if the capture may lack a later answer.
func TestLostAnswer(t *testing.T) {
	again := "c2s 4143 00000000 00000000 00000002 00000000 5a000002 00000001 00000020 00000000 00000000 00000000 00000000 " +
		"5a000002 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000\n" +
		"s2c 4143 00000000 00000000 00000002 00000000 5a000002 00000001 00000020 00000000 00000000 00000000 00000000 " +
		"5a000002 00000001 00000000 00000000 00000000 00000000\ndrop\n"
	if v := trouble(t, "no-such-program", &reporter{}, "c2s fin", again+"c2s fin"); v != nil && v.Cause != nil {
		t.Error(v.Text)
	}
}

// TestLostSuccess checks that a refusal is no failure if the capture may lack such a request that succeeded later.
func TestLostSuccess(t *testing.T) {
	const call, reply, end = "c2s 4143 00000000 00000000 00000002 00000000 aa*60\n", "s2c 4143 00000000 00000000 00000002 00000000 aa*60\n", "c2s fin"
	for what, tc := range map[string]struct {
		later string
		fails bool
	}{
		"nothing is missing":    {"", true},
		"its answer is missing": {call + reply + "drop\n", false},
		"all of it is missing":  {call + "drop\n" + reply + "drop\n", false},
	} {
		v := trouble(t, "refused-once", &reporter{}, end, tc.later+end)
		if fails := v != nil && v.Cause != nil && v.Cause.Name == judge.ObsRefusedUpper.Name; fails != tc.fails {
			t.Errorf("%s: %s", what, v.Text)
		}
	}
}

// TestRejectAdvice checks that the upper layer advises on the reason of a rejection that it knows.
func TestRejectAdvice(t *testing.T) {
	for sts, want := range map[string]string{"0400": "--queue-size", "0600": "memory or another resource", "5500": "the log of the server says more"} {
		if v := trouble(t, "queue-size-rejected", &reporter{}, "0004 0000 0400", "0004 0000 "+sts); !strings.Contains(v.Advice, want) {
			t.Errorf("%s: %s", sts, v.Advice)
		}
	}
}

// TestNotReturned checks that a delegation does not count as kept if the client does not have it, if it uses the session on another connection
// too, or if the server waits for less time.
func TestNotReturned(t *testing.T) {
	const rest = "00000000 11*16 00000001000000000000000f0000000f00000004"
	for what, replace := range map[string][]string{
		"refused":               {"00*27 020000000b" + rest + "00000000", "00*18 271100000000000000020000000b" + rest + "00002711"},
		"a sequence ID missing": {"35 11*16 00000002 00*11", "35 11*16 00000005 00*11"},
		"less time":             {"wait 20s", "wait 10s"},
	} {
		if v := trouble(t, "delegation-not-returned", &reporter{}, replace...); v == nil || v.Cause != nil {
			t.Errorf("%s: %+v", what, v)
		}
	}
}

// TestUnnamedReason checks that a reason without a name is not given twice.
func TestUnnamedReason(t *testing.T) {
	text := trouble(t, "queue-size-rejected", &reporter{}, "0004 0000 0400", "0004 0000 5500").Text
	if !strings.Contains(text, ": STS 0x55.") {
		t.Error(text)
	}
}

// TestSwappedSetUp lets the next step of an authentication come before the Response that asks for it, as in a capture that swaps packets: the
// one that ends it counts.
func TestSwappedSetUp(t *testing.T) {
	const (
		asks = "s2c 4143 00000000 00000000 00000003"
		next = "c2s 4143 00000000 00000000 00000004 00000000 0a0001 00*9 180000004400000000000000fe534d424000010000000000010001 00*9 02 00*11 010000005555 00*22 04000000\n"
		ends = "s2c 4143 00000000 00000000 00000004 00000000 0a0001 00*9 180000004400000000000000fe534d42400001000000000001000100010000000000000002 00*11 010000005555 00*22 04000000\n"
	)
	if v := trouble(t, "authentication-given-up", &reporter{}, asks, next+asks, "c2s fin\n", ends+"c2s fin\n"); v != nil && v.Cause != nil {
		t.Error(v.Text)
	}
}

// TestHealedPath checks that an ICMP error about octets that arrived later explains nothing.
func TestHealedPath(t *testing.T) {
	r := &reporter{}
	healed := "s2c ack\nc2s 4143 00000000 00000000 00000002 00000000 bb*100\nend"
	if v := trouble(t, "too-big", r, "wait 3s\nc2s rst\nend", healed); v != nil && v.Cause != nil {
		t.Error(v.Text)
	}
}

// Every verdict names the cause, and none is made up where there is no trouble.
func TestTroubles(t *testing.T) {
	all, err := transcript.Troubles("testdata/troubles.txt")
	if err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	for i := range all {
		tr := &all[i]
		got := "nothing"
		for _, v := range verdicts(t, tr, false) {
			if v.Cause != nil {
				got = fmt.Sprintf("%s %v", v.Cause.Name, v.Culprit)
			}
			fmt.Fprintf(&told, "== %s\n%s\n%s\n\n", tr.Name, tr.Cause, v.Text)
		}
		if got != tr.Want {
			t.Errorf("%s: got %s, want %s", tr.Name, got, tr.Want)
		}
		for _, v := range verdicts(t, tr, true) {
			if v.Cause != nil {
				t.Errorf("twin of %s: %s: %s", tr.Name, v.Cause.Name, v.Text)
			}
		}
	}
	golden.File(t, "testdata/troubles.golden", told.String())
}

// trouble returns the first verdict about a trouble, in whose lines something is replaced; nil if there is none.
func trouble(t *testing.T, name string, r *reporter, replace ...string) *record.Verdict {
	t.Helper()
	all, err := transcript.Troubles("testdata/troubles.txt")
	i := slices.IndexFunc(all, func(tr transcript.Trouble) bool { return tr.Name == name })
	if err != nil || i < 0 {
		t.Fatalf("%s: %d, %v", name, i, err)
	}
	records, err := all[i].Records(false, replace...)
	if err != nil {
		t.Fatal(err)
	}
	e := known(r)
	for i := range records {
		e.Packet(&records[i])
	}
	e.Close()
	if len(r.verdicts) == 0 {
		return nil
	}
	return &r.verdicts[0]
}

// TestStartedAnew checks that a host counts as started anew only if it was silent for long enough.
func TestStartedAnew(t *testing.T) {
	for wait, anew := range map[string]bool{"wait 300s": true, "wait 11s": true, "wait 9s": false, "": false} {
		if text := trouble(t, "unknown-connection", &reporter{}, "wait 300s", wait).Text; strings.Contains(text, "was restarted") != anew {
			t.Errorf("%q: %s", wait, text)
		}
	}
}

// TestSilent checks how long a program has to be silent for that to be named.
func TestSilent(t *testing.T) {
	for wait, silent := range map[string]bool{"wait 20s": true, "wait 4s": true, "wait 2s": false} {
		if text := trouble(t, "program-stops", &reporter{}, "wait 20s", wait).Text; strings.Contains(text, "was silent for") != silent {
			t.Errorf("%q: %s", wait, text)
		}
	}
}

// TestErrorShown checks that a Terminate about a message with an error that was found does not say that the capture has none.
func TestErrorShown(t *testing.T) {
	for name, shown := range map[string]bool{"credits": true, "no-receive-posted": false} {
		r := &reporter{}
		trouble(t, name, r)
		for _, f := range r.findings {
			if f.Name == judge.ObsTerminate.Name && strings.Contains(f.Text, "does not show the error") == shown {
				t.Errorf("%s: %s", name, f.Text)
			}
		}
	}
}

// TestRefusedUnacknowledged refuses an FPDU with a wrong CRC by a Terminate whose packet does not acknowledge it. The packet of the
// FPDU has a wrong TCP checksum too, or comes before one that is late: its octets wait, and nothing may be said of all CRCs.
func TestRefusedUnacknowledged(t *testing.T) {
	all, err := transcript.Troubles("testdata/troubles.txt")
	i := slices.IndexFunc(all, func(tr transcript.Trouble) bool { return tr.Name == "bad-crc" })
	if err != nil || i < 0 {
		t.Fatal(i, err)
	}
	const before, bad, terminate = 5, 6, 7 // indices of packets
	for name, change := range map[string]func([]pcaps.Record){
		"damaged": func(records []pcaps.Record) { records[bad].Data[tcpAt+17]++ },
		"late": func(records []pcaps.Record) {
			late := records[before]
			copy(records[before:], records[bad:terminate+1])
			records[terminate] = late
		},
	} {
		records, err := all[i].Records(false)
		if err != nil {
			t.Fatal(err)
		}
		for j := range records {
			if j == terminate {
				copy(records[j].Data[tcpAt+8:tcpAt+12], records[bad].Data[tcpAt+4:]) // acknowledges what came before it
			}
			setChecksum(records[j].Data)
		}
		change(records)
		r := reportOn(records)
		texts := r.verdicts[0].Text
		for _, f := range r.findings {
			texts += "\n" + f.Text
		}
		if c := r.verdicts[0].Cause; c == nil || c.Name != "fpdu-crc" || strings.Contains(texts, "are right") || !strings.Contains(texts, "2/0/02") {
			t.Errorf("%s: %s", name, texts)
		}
	}
}

const tcpAt = 14 + 20 // behind the headers of Ethernet and IPv4

// setChecksum sets the TCP checksum of a packet.
func setChecksum(packet []byte) {
	tcp := packet[tcpAt:]
	tcp[16], tcp[17] = 0, 0
	src, dst := netip.AddrFrom4([4]byte(packet[26:])), netip.AddrFrom4([4]byte(packet[30:]))
	binary.BigEndian.PutUint16(tcp[16:], pcaps.Sum(0).Add(src.AsSlice()).Add(dst.AsSlice()).PseudoHeader(len(tcp)).Checksum(tcp))
}

// TestOtherSYN answers SYNs with SYNs that acknowledge another one, which the client refuses with a reset or ignores. The other one is near in
// sequence, or far away.
func TestOtherSYN(t *testing.T) {
	const client, server = "10.0.0.1:700", "10.0.0.2:20049"
	syn := conversation.New(client, server).Begin(1000, 0).Call().Records
	for _, other := range []uint32{5000, 3_000_000_000} {
		answer := conversation.New(client, server).Begin(other-1, 9000).Connect().Records[1:2]
		reset := conversation.New(client, server).Begin(other, 0).Disown(conversation.Client).Records
		for _, packets := range [][]pcaps.Record{slices.Concat(syn, answer, reset), slices.Concat(syn, answer)} {
			r := &reporter{}
			e := known(r)
			for i, p := range slices.Repeat(packets, 3) {
				p.Frame, p.Time = uint64(i+1), int64(i+1)*1e9
				e.Packet(&p)
			}
			e.Close()
			if len(r.verdicts) != 1 || r.verdicts[0].Cause == nil || r.verdicts[0].Cause.Name != "ports-in-use" {
				t.Errorf("%d: %+v", other, r.verdicts)
			}
		}
	}
}

// TestBadChecksum sends octets in vain with wrong checksums: always, except for one of them, and where all of their sender are wrong, which
// says nothing.
func TestBadChecksum(t *testing.T) {
	all, err := transcript.Troubles("testdata/troubles.txt")
	i := slices.IndexFunc(all, func(tr transcript.Trouble) bool { return tr.Name == "cable-pulled" })
	if err != nil || i < 0 {
		t.Fatal(i, err)
	}
	const lost = 7 // index of the packet that is sent again
	for _, tc := range []struct {
		want  string
		right func(packet int) bool
	}{
		{"bad-checksum", func(packet int) bool { return packet < lost }},
		{"unacknowledged", func(packet int) bool { return packet != lost }},
		{"unacknowledged", func(int) bool { return false }},
	} {
		records, err := all[i].Records(false)
		if err != nil {
			t.Fatal(err)
		}
		r := &reporter{}
		e := known(r)
		for j := range records {
			if setChecksum(records[j].Data); !tc.right(j) {
				records[j].Data[tcpAt+17]++
			}
			e.Packet(&records[j])
		}
		e.Close()
		if c := r.verdicts[0].Cause; c == nil || c.Name != tc.want {
			t.Errorf("want %s: %s", tc.want, r.verdicts[0].Text)
		}
	}
}

// TestOtherTCP has the client's host answer the SYN with ACK of the server with a reset: again and again, or once, as a scan of ports does,
// or once because it has come so late that the client had given up.
func TestOtherTCP(t *testing.T) {
	const client, server = "10.0.0.1:700", "10.0.0.2:20049"
	begin := conversation.New(client, server).Begin(1000, 5000).Connect().Records[:2]
	reset := conversation.New(client, server).Begin(1001, 0).Disown(conversation.Client).Records
	for what, tc := range map[string]struct {
		records []pcaps.Record
		says    string // empty if nothing failed
	}{
		"once":  {slices.Concat(begin, reset), ""},
		"again": {slices.Repeat(slices.Concat(begin, reset), 3), "has not sent the SYN"},
		"late":  {slices.Concat(begin[:1], begin, reset), "only in frame 3, 2 s later, and the client, which had given up, reset the connection in frame 4"},
	} {
		r := &reporter{}
		e := known(r)
		for i, p := range tc.records {
			p.Frame, p.Time = uint64(i+1), int64(i+1)*1e9
			e.Packet(&p)
		}
		e.Close()
		failed := len(r.verdicts) == 1 && r.verdicts[0].Cause != nil && r.verdicts[0].Cause.Name == "no-answer"
		if failed != (tc.says != "") || failed && !strings.Contains(r.verdicts[0].Text, tc.says) {
			t.Errorf("%s: %+v", what, r.verdicts)
		}
	}
}
