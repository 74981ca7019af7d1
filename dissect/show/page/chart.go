package page

// A small plot: what each side sent over time.

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// A chart is what a small plot shows.
type chart struct {
	intervals []stats.Interval
	step      float64 // length of an interval in seconds
	end       float64 // of the time axis, in seconds since the capture began
	cause     float64 // when the connection failed; negative if it did not
	stalls    []stall
	start     int64
	axes      bool
}

// The sizes of small plots, and of those with axes, and how much room the axes take.
const (
	chartWidth, chartHeight = 280, 64
	axesWidth, axesHeight   = 640, 190
	axisLeft, axisBottom    = 8, 22
)

// svg draws the plot: the client's octets upwards, the server's downwards.
func (k *chart) svg() template.HTML {
	width, height, x0, bottom := chartWidth, chartHeight, 0, 0
	if k.axes {
		width, height, x0, bottom = axesWidth, axesHeight, axisLeft, axisBottom
	}
	most := 1.0
	for i := range k.intervals {
		most = max(most, float64(k.intervals[i].C2S), float64(k.intervals[i].S2C))
	}
	middle := float64(height-bottom) / 2
	x := func(s float64) float64 { return float64(x0) + s/k.end*float64(width-x0) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="chart" viewBox="0 0 %d %d" role="img" aria-label="payload over time: the client's above, the server's below the line">`, width, height)
	for _, s := range k.stalls {
		from, to := x(float64(s.from-k.start)/1e9), x(float64(s.to-k.start)/1e9)
		fmt.Fprintf(&b, `<rect class="stall" x="%.1f" y="0" width="%.1f" height="%d"><title>%s of silence, through which a request waited</title></rect>`,
			from, max(to-from, 1), height-bottom, quantity.Duration(s.to-s.from))
	}
	var path []byte
	for side, class := range []string{"c2s", "s2c"} {
		fmt.Fprintf(&b, `<path class="%s" d="`, class)
		path = path[:0]
		for i := range k.intervals {
			in := &k.intervals[i]
			n := [2]uint64{in.C2S, in.S2C}[side]
			if n == 0 {
				continue
			}
			left := x(in.Start)
			top := middle - float64(1-2*side)*max(float64(n)/most*(middle-2), 1)
			for _, at := range [...]struct {
				letter byte
				v      float64
			}{{'M', left}, {' ', middle}, {'V', top}, {'h', max(x(in.Start+k.step)-left, 1)}, {'V', middle}, {'z', 0}} {
				if path = append(path, at.letter); at.letter != 'z' {
					path = strconv.AppendFloat(path, at.v, 'f', 1, 64)
				}
			}
		}
		b.Write(append(path, `"/>`...))
	}
	fmt.Fprintf(&b, `<path class="axis" d="M%d %.1fH%d"/>`, x0, middle, width)
	if k.cause >= 0 {
		at := x(k.cause)
		fmt.Fprintf(&b, `<path class="cause" d="M%.1f 0V%d"/><path class="flag" d="M%.1f 0l5 5l-5 5l-5 -5z"/>`, at, height-bottom, at)
	}
	if k.axes {
		rate := quantity.GroupedCount(uint64(most/k.step), "octet") + "/s"
		fmt.Fprintf(&b, `<text class="at" x="%d" y="12">client, up to %s</text><text class="at" x="%d" y="%d">server</text>`, x0+4, rate, x0+4, height-bottom-4)
		for i := range 5 {
			anchor := []string{"", "mid", "mid", "mid", "right"}[i]
			at := k.end * float64(i) / 4
			fmt.Fprintf(&b, `<text class="at %s" x="%.1f" y="%d">%.3g s</text>`, anchor, x(at), height-6, at)
		}
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}
