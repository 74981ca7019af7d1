package page

import "strings"

// LadderSVG is the ladder of the first connection, as a picture of its own.
func LadderSVG(p *Page) []byte {
	var b strings.Builder
	rows := maxRows
	for _, s := range p.conns[0].ladder(nil, &rows) {
		if s.Fold == "" {
			b.WriteString(string(s.SVG))
		}
	}
	return picture(b.String())
}

// ChartSVG is a plot of what the first connection carried, as a picture of its own.
func ChartSVG(p *Page) []byte { return picture(string(p.chart(p.conns[0], 400, true))) }

// picture makes an SVG of the page one that stands alone.
func picture(svg string) []byte {
	styles := pageCSS[strings.Index(pageCSS, "/* drawings */"):]
	return []byte(strings.Replace(svg, ">", ` xmlns="http://www.w3.org/2000/svg"><style>`+styles+`</style>`, 1))
}
