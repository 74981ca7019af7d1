package judge_test

// Denials, missing paths, loops and locks of NFS, and MPA Requests, in captures that end before their connection.

import (
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/internal/conversation"
)

// TestRequestCut ends the capture 1.5 seconds after the MPA Request: that is long only where the SYN was answered sooner.
func TestRequestCut(t *testing.T) {
	for _, way := range []time.Duration{time.Millisecond, 3 * time.Second} {
		request, _ := (&mpa.Frame{Rev: 1, C: true}).AppendBinary(nil)
		k := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Connect().Send(conversation.Client, request).Wait(1500 * time.Millisecond).Ack(conversation.Server)
		k.Records[0].Time -= int64(way)
		if v := judged(k.Records); (v.Cause == nil) != (way > time.Second) {
			t.Errorf("%v: %s", way, v.Text)
		}
	}
}

// TestDeniedCut checks that a denial counts as the last answer in a capture of an open connection if the client has asked for nothing since, but
// to end its session.
func TestDeniedCut(t *testing.T) {
	const (
		end    = "c2s fin\ns2c fin\nend"
		lookup = "c2s 4143 00000000 00000000 00000009 00000000 5a0000090000000100000020 00*16 5a0000090000000000000002000186a30000000400000001 00*23 " +
			"010000000300000035 11*16 00000006 00*11 0100000018000000090000000100000010\n"
		attributes = "s2c 4143 00000000 00000000 00000009 00000000 5a0000090000000100000020 00*16 5a00000900000001 00*27 030000003500000000 11*16 " +
			"00000006000000000000000f0000000f0000000000000018000000000000000900000000000000010000001000000008 00*8\n"
	)
	for what, tc := range map[string]struct {
		replace []string
		fails   bool
	}{
		"the session has ended":     {[]string{end, "end"}, true},
		"the client asks for more":  {[]string{end, lookup + "end"}, false},
		"another request succeeded": {[]string{end, lookup + attributes + "end"}, false},
		"a file was removed before": {[]string{ // in place of the session, and then the same is denied again
			"01000000010000002c 11*16", "010000000300000035 11*16 00000007 00*11 01000000180000001c0000000161000000",
			"010000002c00000000", "030000003500000000 11*16 00000007000000000000000f0000000f0000000000000018000000000000001c00000000 00000001 00*16",
			"0100000001000000390000000000000007", "010000000400000035 11*16 00000008 00*11 01000000180000000f000000046e616d65000000030000001f",
			"00*27 010000003900000000", "00*19 0d00000000000000040000003500000000 11*16 00000008000000000000000f0000000f0000000000000018000000000000000f00000000000000030000000d",
			end, "end"}, false},
	} {
		v := trouble(t, "mount-denied", &reporter{}, tc.replace...)
		if fails := v != nil && v.Cause != nil && v.Cause.Name == judge.ObsRefusedUpper.Name; fails != tc.fails {
			t.Errorf("%s: %+v", what, v)
		}
	}
}

// TestMissingCut checks that a path that the server does not have counts in a capture of an open connection only if the client ends its session:
// a client that has mounted looks for files that are not there, too.
func TestMissingCut(t *testing.T) {
	const (
		end = "c2s fin\ns2c fin\nend"
		bye = "c2s 4143 00000000 00000000 00000007 00000000 5a0000070000000100000080 00*16 5a0000070000000000000002000186a30000000400000001 00*23 01000000010000002c 11*16\n" +
			"s2c 4143 00000000 00000000 00000007 00000000 5a0000070000000100000080 00*16 5a00000700000001 00*27 010000002c00000000\n"
	)
	for what, fails := range map[string]bool{"end": false, "wait 40s\nc2s ack\nend": false, bye + "end": true} {
		v := trouble(t, "no-such-export", &reporter{}, end, what)
		if got := v != nil && v.Cause != nil; got != fails {
			t.Errorf("%s: %+v", what, v)
		}
	}
}

// TestLoopCut checks how long a request has to be put off again and again for that to be a failure, although the capture goes on for less than
// --max-wait.
func TestLoopCut(t *testing.T) {
	for wait, fails := range map[string]bool{"wait 3s": true, "wait 1s": false} {
		v := trouble(t, "put-off-in-turns", &reporter{}, "wait 8s", wait, "wait 2s", "")
		if got := v != nil && v.Cause != nil; got != fails {
			t.Errorf("%s: %+v", wait, v)
		}
	}
}

// TestLockCut checks the same of a lock, which a client asks for again by itself.
func TestLockCut(t *testing.T) {
	for wait, fails := range map[string]bool{"wait 4s": true, "wait 3s": false} {
		v := trouble(t, "lock-never-granted", &reporter{}, "wait 12s", wait)
		if got := v != nil && v.Cause != nil; got != fails {
			t.Errorf("%s: %+v", wait, v)
		}
	}
}
