package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/diff"
	"github.com/iwarpkit/iwarp/dissect/ends"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/kernlog"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/show/page"
	"github.com/iwarpkit/iwarp/dissect/show/parquet"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
	"github.com/iwarpkit/iwarp/internal/crowd"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/proxy"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// octets is a size as people write it.
func octets(n uint64) string {
	for _, unit := range []struct {
		size uint64
		name string
	}{{1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}} {
		if n >= unit.size && n%unit.size == 0 {
			return fmt.Sprintf("%d %s", n/unit.size, unit.name)
		}
	}
	return grouped(n) + " octets"
}

// A limit is a row of the table, and the test that reaches it, after its package. The value of a flag comes from the command, all others from the code.
type limit struct{ what, value, flag, then, test string }

// liveLimits are those of connections.
func liveLimits() []limit {
	return []limit{
		{"connections of each kind", "", "serve --max-conns", "the least useful one of the address that has most is reset; [services.md](services.md#when-there-are-too-many)", "rnicsim/driver TestBudgets"},
		{"connections that open, to serve or a proxy", grouped(crowd.Openings) + " times as many, and as many again whose octets are not read yet", "", "the same; newcomers wait while all are younger than " + crowd.Spared.String(), "internal/crowd TestBudgets"},
		{"descriptors", "those of the system", "", "the least useful connections of the fullest budget are reset, busy ones last", "replay/proxy TestNoDescriptorLeft"},
		{"octets of a connection, both ways", "", "serve --max-octets", "it is reset", "rnicsim/driver TestMaxOctets"},
		{"time without octets, either way", "", "serve --idle", "the connection is reset", "rnicsim/driver TestIdle"},
		{"time to finish an FPDU, or to take in 320 KiB", "", "serve --stall", "the connection is reset", "rnicsim/driver TestStall"},
		{"time for the MPA Request, and for the FIN", "", "serve --timeout", "the connection is reset", "rnicsim/driver TestBadPeers"},
		{"octets that wait for slow clients of serve", octets(mostHeld), "", "the connection that has made no progress for longest is reset", "rnicsim/driver TestMaxHeld"},
		{"memory of serve above its start", octets(mostResident), "", "the connection that has registered most is reset", "rnicsim/driver TestRelieve"},
		{"connections of each kind through a proxy", "", "proxy --max-conns", "as for serve", "replay/proxy TestLimits"},
		{"time without octets through a proxy", "", "proxy --idle", "the connection is reset; 0 means never", "replay/proxy TestLimits"},
		{"time for the server to accept a proxy", "", "proxy --timeout", "the client is reset", "replay/proxy TestServerThatDoesNotAnswer"},
		{"octets of a direction in a proxy, besides those in sockets", octets(proxy.BufferLen), "", "no more are read until they are passed on", "replay/proxy TestBackPressure"},
		{"octets of a message that a proxy with rules holds, and of one that waits for the next", octets(proxy.MaxMessage), "", "it is decided by its first octets", "replay/proxy TestLongMessage"},
		{"octets of one FPDU that a proxy with rules has not read whole", octets(1 << 16), "", "ULPDU_Length allows no more", "replay/proxy TestLongestFPDU"},
		{"memory to know what rules of a proxy select, for all connections", "", "proxy --memory", "the rules end on a connection with more than its share, which the log says", "replay/proxy TestNoMemory"},
		{"rules in a file", grouped(proxy.MaxRules), "", "the file is refused; `replay --to-rules` writes no more", "replay/proxy TestReproduceMany"},
		{"a line in a file of rules", octets(proxy.MaxLine), "", "the file is refused", "replay/proxy TestReadRules"},
		{"clients of `proxy --metrics` at a time", grouped(maxScrapers), "", "the earliest of the host that has most is closed", "cmd/iwarp/internal/cli TestScrapers"},
		{"lines of a log or of JSON, of one kind", octets(lineRate) + " per second", "", "they are dropped and counted", "cmd/iwarp/internal/cli TestLineRate"},
		{"lines of all kinds", octets(allRate) + " per second", "", "the same", "cmd/iwarp/internal/cli TestLineRateInSum"},
		{"lines that wait for a reader", grouped(maxQueued), "", "further ones are dropped and counted", "cmd/iwarp/internal/cli TestLinesOfASlowReader"},
		{"time for blocked output after Ctrl-C", patient.String(), "", "the command ends without it", "cmd/iwarp/internal/cli TestBlockedOutput"},
		{"connections at a time, for the library", grouped(driver.DefaultMaxConns), "", "as for serve; a connection that begins here is refused", "rnicsim/driver TestMaxConns"},
		{"octets that wait for slow peers, for the library", octets(driver.DefaultMaxHeld), "", "as for serve", "rnicsim/driver TestMaxHeld"},
		{"region", octets(service.MaxRegion), "serve --region", "a larger one is refused", "cmd/iwarp/internal/cli TestLimitsOfFlags"},
		{"ping", octets(client.MaxPingSize), "ping --size", "a larger one is refused", "cmd/iwarp/internal/cli TestLimitsOfFlags"},
		{"pings whose times are kept", grouped(maxPings), "", "the earliest time is forgotten", "cmd/iwarp/internal/cli TestMorePingsThanTimes"},
		{"operations of bench of one size, and how many are outstanding", grouped(client.MaxIterations) + ", " + grouped(client.MaxDepth), "", "more are refused", "cmd/iwarp/internal/cli TestLimitsOfFlags"},
		{"octets of an RPC Call in Read chunks, or in several messages", octets(rpc.MaxOctets), "", "the Call is refused", "rnicsim/rpc TestLimits"},
		{"octets of Read chunks of all open Calls of a connection", octets(rpc.MaxGathered), "", "further Calls wait", "rnicsim/rpc TestWaiting"},
		{"octets of their results in other chunks, until the Replies are sent", octets(rpc.MaxGathered), "", "further Calls wait; of a single Call, at most 4 MiB count", "rnicsim/rpc TestDeafClient"},
		{"octets of results of all open Calls to a server, for `proxy --rpc`", octets(rpc.MaxGathered), "", "further Calls wait; of a single Call, 4 MiB", "rnicsim/rpc TestForwardBounds"},
		{"octets of Calls of version 2 until they are answered", octets(rpc.MaxKept), "", "further Calls are refused", "rnicsim/rpc TestForwardCalledForever"},
		{"octets of a set of properties of version 2", octets(rpc.MaxSet), "", "the set is refused", "rnicsim/rpc TestPropertiesContinued"},
		{"Private Data", octets(mpa.MaxPrivateData), "", "a longer frame is refused", "rnicsim TestPrivateData"},
	}
}

// fileLimits are those of captures and scenarios.
func fileLimits() []limit {
	return []limit{
		{"captured octets of a packet", octets(pcaps.MaxPacket), "", "the file counts as damaged there", "pcaps TestDamageCostsNoMemory"},
		{"a block of a pcapng file with a packet or an interface", octets(pcaps.MaxBlock), "", "the same; `decode -o pcapng` leaves out longer ones of other kinds", "pcaps TestTooLongBlock"},
		{"interfaces of a section of a pcapng file", grouped(pcaps.MaxInterfaces), "", "the same", "pcaps TestTooManyInterfaces"},
		{"TCP packets and connections that are compared between two ends", grouped(ends.MaxPackets) + ", " + grouped(ends.MaxConnections), "", "later ones are not compared, which a note says", "dissect/ends TestCut"},
		{"memory for the state of connections", "", "check --memory", "connections are given up; [captures.md](captures.md#memory)", "dissect TestMemoryBound"},
		{"connections at a time", grouped(dissect.DefaultMaxConnections), "", "the same", "dissect TestConnectionLimit"},
		{"connections that ended, and are kept for stragglers", grouped(dissect.MaxOver), "", "the earliest is forgotten", "dissect TestOver"},
		{"connections of a document in memory", grouped(stats.MaxConnections), "", "further ones wait in a temporary file", "dissect/stats TestAllConnections"},
		{"octets of one direction that wait for a gap in TCP", octets(uint64(reassembly.DefaultLimits.Half)), "", "the octets furthest ahead are dropped", "dissect/reassembly TestStories"},
		{"the same for all directions", octets(uint64(reassembly.DefaultLimits.Total)), "", "those of the direction that has been silent for longest are dropped", "dissect/reassembly TestTheIdlestHalfDrops"},
		{"TCP segments of one direction that wait for a gap", grouped(uint64(reassembly.DefaultLimits.Fragments)), "", "the octets furthest ahead are dropped", "dissect/reassembly TestFragmentsAreLimited"},
		{"octets of one direction that wait until FPDUs can be told apart", octets(framing.MaxHeld), "", "they are given up, and a note says so", "dissect/framing TestGivesUp"},
		{"the same for all directions", octets(framing.MaxHeldInAll), "", "the same", "dissect/framing TestShared"},
		{"packets of all connections of which it is known that they were captured", grouped(dissect.MaxSightings), "", "an earlier one that is captured again counts as sent again", "dissect TestFarDuplicates"},
		{"Reads and Atomics outstanding in one direction", grouped(match.MaxRequests), "", "the oldest is given up", "dissect/match TestRequests"},
		{"open requests of an upper layer on a connection", grouped(pending.MaxRequests), "", "the oldest is given up", "dissect/ulp/pending TestLimits"},
		{"findings of one rule on a connection that are reported one by one", grouped(judge.MaxReports), "", "further ones are counted", "cmd/iwarp/internal/cli TestFindingsWithheld"},
		{"notes about a capture", grouped(maxNotes), "", "further ones are counted", "cmd/iwarp/internal/cli TestNotesAreLimited"},
		{"comments of decode -o pcapng", octets(dissect.DefaultMemory / 2), "", "further ones are omitted, which a note says; half of --memory", "dissect/show/annotate TestMemoryIsBounded"},
		{"messages or transactions in a file of decode -o parquet", grouped(parquet.MaxRows), "", "the next file begins", "dissect/show/parquet TestFilesOfTables"},
		{"findings or connections in a file of decode -o parquet", grouped(parquet.MaxObjects), "", "the next file begins", "dissect/show/parquet TestFilesOfTables"},
		{"lines of a kernel's log", grouped(kernlog.MaxLines), "", "later ones are left out, which a note says", "cmd/iwarp/internal/cli TestLinesLeftOut"},
		{"lines of a kernel's log that `check --all` shows", grouped(kernlog.MaxShown), "", "further ones are counted", "dissect/show/check TestKernelLinesAreLimited"},
		{"lines of a kernel's log that check looks at, for all connections", grouped(maxLooked), "", "the log is searched for no further ones, which it says", "cmd/iwarp/internal/cli TestTheSearchOfALogEnds"},
		{"messages that diff compares", grouped(diff.MaxMessages), "", "later ones are not compared, which it says", "dissect/diff TestTooManyMessages"},
		{"messages, and transactions, in a page of report", grouped(page.MaxMessages), "", "the page has sums over time and a choice of them, which it says", "dissect/show/page TestThin"},
		{"octets of such a page", grouped(page.MaxOctets), "", "it has fewer messages, which it says", "dissect/show/page TestShrink"},
		{"filter", octets(filter.MaxText), "decode --filter", "a longer one is refused", "dissect/filter TestLimits"},
		{"depth of a filter", grouped(filter.MaxDepth), "", "a deeper one is refused", "dissect/filter TestLimits"},
		{"payload in a scenario", octets(scenario.MaxPayload), "", "the scenario is refused", "replay/scenario TestErrors"},
		{"payloads of a scenario beyond the length of its text, for the library", octets(scenario.MaxSpread), "", "the scenario is refused", "replay/scenario TestSpread"},
		{"a line of a scenario", octets(scenario.MaxLine), "", "the scenario is refused; a line can be continued", "replay/scenario TestLongestLine"},
		{"memory of a scenario", "", "replay --memory", "a text is refused that takes half of it, with `--sim` a fifth; of a capture, payload, steps and connections are left out, with a note", "replay/compile TestLimit"},
	}
}

// valueOf returns the default of a flag, such as that of "serve --stall".
func valueOf(t *testing.T, flag string) string {
	command, name, _ := strings.Cut(flag, " --")
	cmd, _, err := newRoot(&app{Streams: &Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Env: os.Getenv}}).Find([]string{command})
	if err != nil {
		t.Fatal(err)
	}
	f := cmd.Flags().Lookup(name)
	if f == nil {
		t.Fatalf("there is no %s", flag)
	}
	return strings.Replace(f.DefValue, "m0s", "m", 1)
}

// TestLimits keeps docs/limits.md.
func TestLimits(t *testing.T) {
	for name, all := range map[string][]limit{"live": liveLimits(), "files": fileLimits()} {
		var b strings.Builder
		b.WriteString("| limit | value | flag | at it |\n|---|---|---|---|\n")
		for _, l := range all {
			flag := ""
			if l.flag != "" {
				value := valueOf(t, l.flag)
				flag = "`" + l.flag + "`"
				if l.value == "" {
					l.value = value
				}
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", l.what, l.value, flag, l.then)
			folder, test, _ := strings.Cut(l.test, " ")
			if exec.Command("grep", "-qs", "^func "+test+"(", "-r", "--include=*_test.go", "../../../../"+folder).Run() != nil {
				t.Errorf("no test reaches %q: there is no %s", l.what, l.test)
			}
		}
		golden.Section(t, "../../../../docs/limits.md", name, b.String())
	}
}

// TestLimitsOfFlags gives sizes beyond their limits.
func TestLimitsOfFlags(t *testing.T) {
	for _, args := range [][]string{
		{"serve", "--region", "1025M"}, {"ping", "--size", "1025M", "127.0.0.1"}, {"check", "--memory", "1", "x"},
		{"bench", "--iters", "16777217", "127.0.0.1"}, {"bench", "--depth", "8193", "127.0.0.1"},
	} {
		if got := run(t.Context(), nil, false, nil, args...); got.code != exit.Usage || !strings.Contains(got.err, " from ") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}
