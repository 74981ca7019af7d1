package ladder

// The arrows of MPA frames, and what they negotiated.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/dissect"
)

// StartupFrame implements dissect.Sink.
func (l *Ladder) StartupFrame(f *dissect.StartupFrame) {
	if !l.wanted(&f.Origin) {
		return
	}
	l.close()
	l.advance(&f.Span)
	name := f.Name()
	l.label = l.describer.AppendStartupFrame(append(l.label[:0], name...), f)
	l.rows = l.appendArrow(l.rows, &f.Origin, l.opts.Palette.MPA, len(name), l.label)
	if missing := int(f.MPA.PDLength) - len(f.MPA.PrivateData); missing > 0 {
		l.label = append(strconv.AppendInt(l.label[:0], int64(missing), 10), " octets of Private Data not captured"...)
		l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.Mark, l.label)
	}
	l.findings(l.pending.Take(&f.Origin).Findings)
	l.write()
	l.agreed = false
}

// agree says what both MPA frames fix, once that is known.
func (l *Ladder) agree() {
	if l.agreed || !l.conn.Agreed {
		return
	}
	l.agreed = true
	l.label = appendAgreement(l.label[:0], l.conn)
	l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.MPA, l.label)
	l.write()
}

func appendAgreement(b []byte, c *dissect.Conn) []byte {
	a := &c.Agreement
	b = append(b, "agreed: CRC "...)
	b = append(b, onOff(a.CRC)...)
	b = append(b, ", Markers "...)
	switch {
	case a.MarkersFromInit == a.MarkersFromResp:
		b = append(b, onOff(a.MarkersFromInit)...)
	case a.MarkersFromInit:
		b = append(b, "from the client only"...)
	default:
		b = append(b, "from the server only"...)
	}
	if a.DDPVersion != ddp.Version {
		b = strconv.AppendUint(append(b, ", DDP version "...), uint64(a.DDPVersion), 10)
	}
	if a.InitORD >= 0 && a.RespORD >= 0 {
		b = strconv.AppendInt(append(b, ", Reads outstanding: client "...), int64(a.InitORD), 10)
		b = strconv.AppendInt(append(b, ", server "...), int64(a.RespORD), 10)
	}
	return b
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
