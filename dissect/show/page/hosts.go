package page

// Hosts, and what became of the connections of each over time.

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/check"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

const (
	leastHosts = 3       // of fewer the connections say all
	maxHosts   = 100     // that are shown; of more, the worst
	maxStrips  = 1 << 12 // hosts that have a plot
	stripBins  = 64      // intervals of such a plot
)

// hosts counts by address.
type hosts struct {
	tally  *check.Tally
	strips map[string]*strip
	step   int64 // nanoseconds of an interval
}

// A strip counts connections by the interval in which they began or failed.
type strip struct{ began, failed [stripBins]uint32 }

func newHosts() hosts {
	return hosts{tally: check.NewTally(check.ByPeer), strips: make(map[string]*strip), step: 1e6}
}

// record takes what happened on a connection, in a capture that began at a time.
func (h *hosts) record(r *record.Record, start int64) {
	h.tally.Record(r)
	v := r.Verdict
	if v == nil {
		return
	}
	for _, name := range check.ByPeer.Conns(v.Conn) {
		s := h.strips[name]
		if s == nil {
			if len(h.strips) >= maxStrips {
				continue
			}
			s = new(strip)
			h.strips[name] = s
		}
		s.began[h.bin(v.Conn.Earliest-start)]++
		if v.Cause != nil && (v.Culprit == flow.Nobody || name == v.Conn.Peer(flow.Direction(v.Culprit-flow.Client)).Addr().String()) {
			s.failed[h.bin(max(v.Cause.Time, v.Conn.Earliest)-start)]++
		}
	}
}

// bin is the interval of a time. If it is behind the last one, intervals become twice as long.
func (h *hosts) bin(at int64) int {
	for at/h.step >= stripBins {
		h.step *= 2
		for _, s := range h.strips {
			for _, counts := range []*[stripBins]uint32{&s.began, &s.failed} {
				for i := range stripBins / 2 {
					counts[i] = counts[2*i] + counts[2*i+1]
				}
				clear(counts[stripBins/2:])
			}
		}
	}
	return int(max(at, 0) / h.step)
}

// A hostRow is one in the table of hosts.
type hostRow struct {
	Name, Outcome, Story string
	Failed               bool
	Strip                template.HTML
}

// rows are the hosts, the worst first; none if there are few. more says how many are left out.
func (h *hosts) rows() (all []hostRow, more string) {
	rows := h.tally.Rows()
	if len(rows) < leastHosts {
		return nil, ""
	}
	if n := len(rows) - maxHosts; n > 0 {
		rows, more = rows[:maxHosts], quantity.GroupedCount(n, "more host")+" without failures that are worse."
	}
	for i := range rows {
		r := &rows[i]
		row := hostRow{Name: printable.String(r.Name), Outcome: r.Outcome(), Story: sentence(r.Story), Failed: r.Failed > 0}
		if s := h.strips[r.Name]; s != nil {
			row.Strip = s.svg()
		}
		all = append(all, row)
	}
	return all, more
}

// svg draws the plot.
func (s *strip) svg() template.HTML {
	const width, height = 3, 18 // of an interval
	most := uint32(1)
	for i := range s.began {
		most = max(most, s.began[i], s.failed[i])
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="strip" viewBox="0 0 %d %d" role="img" aria-label="connections over time: when they began, and in red when they failed">`, stripBins*width, height)
	for i := range s.began {
		for _, bar := range []struct {
			class string
			n     uint32
		}{{"began", s.began[i]}, {"failed", s.failed[i]}} {
			if bar.n > 0 {
				tall := 2 + float64(bar.n)/float64(most)*(height-2)
				fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%.1f" width="%d" height="%.1f"/>`, bar.class, i*width, height-tall, width-1, tall)
			}
		}
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}
