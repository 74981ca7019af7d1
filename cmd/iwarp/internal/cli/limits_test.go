package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/diff"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/proxy"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
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

// A limit is a row of the table. The value of a flag comes from the command, all others from the code.
type limit struct{ what, value, flag, then string }

// liveLimits are those of connections.
func liveLimits() []limit {
	return []limit{
		{"connections of each kind", "", "serve --max-conns", "the least useful one of the address that has most is reset; [services.md](services.md#when-there-are-too-many)"},
		{"octets of a connection, both ways", "", "serve --max-octets", "it is reset"},
		{"time without octets from the client", "", "serve --idle", "the connection is reset"},
		{"time to finish an FPDU, or to take in 256 KiB", "", "serve --stall", "the connection is reset"},
		{"time for the MPA Request, and for the FIN", "", "serve --timeout", "the connection is reset"},
		{"octets that wait for slow clients of serve", octets(mostHeld), "", "the connection that has made no progress for longest is reset"},
		{"memory of serve above its start", octets(mostResident), "", "the connection that has registered most is reset"},
		{"connections of each kind through a proxy", "", "proxy --max-conns", "as for serve"},
		{"time without octets through a proxy", "", "proxy --idle", "the connection is reset; 0 is never"},
		{"time for the server to accept a proxy", "", "proxy --timeout", "the client is reset"},
		{"octets of a direction in a proxy, besides those in sockets", octets(proxy.BufferLen), "", "no more are read until they are passed on"},
		{"lines of a log or of JSON, of one kind", octets(lineRate) + " per second", "", "they are dropped and counted"},
		{"lines of all kinds", octets(allRate) + " per second", "", "the same"},
		{"lines that wait for a reader", grouped(maxQueued), "", "further ones are dropped and counted"},
		{"time for blocked output after Ctrl-C", patient.String(), "", "the command ends without it"},
		{"connections at a time, for the library", grouped(driver.DefaultMaxConns), "", "as for serve; a connection that begins here is refused"},
		{"octets that wait for slow peers, for the library", octets(driver.DefaultMaxHeld), "", "as for serve"},
		{"region", octets(service.MaxRegion), "serve --region", "a larger one is refused"},
		{"ping", octets(client.MaxPingSize), "ping --size", "a larger one is refused"},
		{"Private Data", octets(mpa.MaxPrivateData), "", "a longer frame is refused"},
	}
}

// fileLimits are those of captures and scenarios.
func fileLimits() []limit {
	return []limit{
		{"captured octets of a packet", octets(pcaps.MaxPacket), "", "the file counts as damaged there"},
		{"memory for the state of connections", "", "check --memory", "connections are given up; [captures.md](captures.md#memory)"},
		{"connections at a time", grouped(dissect.DefaultMaxConnections), "", "the same"},
		{"connections that ended, and are kept for stragglers", grouped(dissect.MaxOver), "", "the earliest is forgotten"},
		{"connections of a document in memory", grouped(stats.MaxConnections), "", "further ones wait in a temporary file"},
		{"octets of one direction that wait until FPDUs can be told apart", octets(framing.MaxHeld), "", "they are given up, and a note says so"},
		{"the same for all directions", octets(framing.MaxHeldInAll), "", "the same"},
		{"Reads and Atomics outstanding in one direction", grouped(match.MaxRequests), "", "the oldest is given up"},
		{"open requests of an upper layer on a connection", grouped(pending.MaxRequests), "", "the oldest is given up"},
		{"findings of one rule on a connection that are reported one by one", grouped(judge.MaxReports), "", "further ones are counted"},
		{"notes about a capture", grouped(maxNotes), "", "further ones are counted"},
		{"messages that diff compares", grouped(diff.MaxMessages), "", "later ones are not compared, which it says"},
		{"filter", octets(filter.MaxText), "decode --filter", "a longer one is refused"},
		{"depth of a filter", grouped(filter.MaxDepth), "", "a deeper one is refused"},
		{"payload in a scenario", octets(scenario.MaxPayload), "", "the scenario is refused"},
		{"payloads of a scenario beyond the length of its text, for the library", octets(scenario.MaxSpread), "", "the scenario is refused"},
		{"memory of a scenario", "", "replay --memory", "a text is refused that takes half of it; of a capture, payload, steps and connections are left out, with a note"},
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
		}
		golden.Section(t, "../../../../docs/limits.md", name, b.String())
	}
}
