package ladder

// The arrows of MPA frames, and what they negotiated.

import (
	"fmt"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

func (l *Ladder) startupFrame(r *record.Record) {
	f := r.Startup
	l.close()
	l.advance(&f.Span)
	l.enter(&f.Span)
	name := f.Name()
	l.label = l.describer.AppendStartupFrame(append(l.label[:0], name...), f)
	l.rows = l.appendArrow(l.rows, &f.Origin, l.opts.Palette.MPA, len(name), l.label)
	if missing := int(f.MPA.PDLength) - len(f.MPA.PrivateData); missing > 0 {
		l.label = append(strconv.AppendInt(l.label[:0], int64(missing), 10), " octets of Private Data not captured"...)
		l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.Mark, l.label)
	}
	l.elsewhere(r)
	l.findings(r.Marks)
	l.write()
	l.agreed = false
}

// agree draws what both MPA frames fix, once that is known; if one of them is missing, it draws what is known otherwise.
func (l *Ladder) agree() {
	c := l.conn
	switch {
	case l.agreed:
	case c.Agreed:
		l.agreed = true
		l.terms = appendAgreement(l.terms[:0], c)
		l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.MPA, l.terms)
		l.write()
	case l.sources != c.Sources && !(c.Requested && c.Replied):
		l.learned()
	}
}

// origins are the words for the sources of an agreement, in the order in which they are drawn.
var origins = [...]struct {
	flow.Source
	words string
}{
	{flow.Negotiated, "agreed: "},
	{flow.Stated, "stated by hand: "},
	{flow.Inferred, "inferred from FPDUs: "},
}

// learned draws what has become known about reading FPDUs, and from where.
func (l *Ladder) learned() {
	for _, o := range origins {
		l.terms = append(l.terms[:0], o.words...)
		if l.terms = appendLearned(l.terms, l.conn, &l.sources, o.Source); len(l.terms) > len(o.words) {
			l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.MPA, l.terms)
		}
	}
	l.sources = l.conn.Sources
	l.write()
}

// appendLearned appends what is newly known of a connection from one source: "CRC on, Markers off from
// the client, DDP version 1".
func appendLearned(b []byte, c *flow.Conn, told *flow.Sources, from flow.Source) []byte {
	a, s := &c.Agreement, &c.Sources
	separator := ""
	add := func(words, value string) {
		b = append(append(append(b, separator...), words...), value...)
		separator = ", "
	}
	fresh := func(told, now flow.Source) bool { return told != now && now == from }
	if fresh(told.CRC, s.CRC) {
		add("CRC ", onOff(a.CRC))
	}
	client := fresh(told.Markers[flow.C2S], s.Markers[flow.C2S])
	server := fresh(told.Markers[flow.S2C], s.Markers[flow.S2C])
	switch {
	case client && server:
		add("Markers ", markers(a))
	case client:
		add("Markers from the client ", onOff(a.MarkersFromInit))
	case server:
		add("Markers from the server ", onOff(a.MarkersFromResp))
	}
	if fresh(told.Version, s.Version) && a.RDMAC() {
		add("DDP version ", strconv.Itoa(int(a.DDPVersion)))
	}
	return b
}

func appendAgreement(b []byte, c *flow.Conn) []byte {
	a := &c.Agreement
	if rules.RevisionsAgree(&c.Request, &c.Reply) {
		b = append(b, "agreed: "...)
	} else {
		b = fmt.Appendf(b, "revisions %d and %d do not agree; whoever goes on has ", c.Request.Rev, c.Reply.Rev)
	}
	if c.Transport() == flow.OverSCTP { // there are no CRCs and Markers
		b = strconv.AppendUint(append(b, "SCTP stream "...), uint64(c.Association.Stream), 10)
	} else {
		b = append(append(b, "CRC "...), onOff(a.CRC)...)
		b = append(append(b, ", Markers "...), markers(a)...)
	}
	if a.RDMAC() {
		b = strconv.AppendUint(append(b, ", DDP version "...), uint64(a.DDPVersion), 10)
	}
	if a.InitORD >= 0 && a.RespORD >= 0 {
		b = strconv.AppendInt(append(b, ", Reads outstanding: client "...), int64(a.InitORD), 10)
		b = strconv.AppendInt(append(b, ", server "...), int64(a.RespORD), 10)
	}
	return b
}

// markers names the directions that have Markers.
func markers(a *rules.Agreement) string {
	switch {
	case a.MarkersFromInit == a.MarkersFromResp:
		return onOff(a.MarkersFromInit)
	case a.MarkersFromInit:
		return "from the client only"
	}
	return "from the server only"
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
