package smbdirect

// Credits: how many packets each side may send.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// credit counts the credit that the packet uses and those that it grants ([MS-SMBD], section 3.1.1.1). The packets of a
// negotiation use none.
func (f *follower) credit(o *record.Origin) {
	p, d := &f.packet, o.Dir
	sender, receiver := &f.halves[d], &f.halves[1-d]
	switch p.Kind {
	case NegotiateResponse:
		*sender, *receiver = half{counted: true, spent: *o}, half{counted: true}
	case DataTransfer:
		if sender.credits--; sender.credits == 0 {
			sender.spent = *o
		}
	}
	receiver.credits += int(p.CreditsGranted)
	p.Credits, p.CreditsKnown = sender.credits, sender.counted
}

// checkCredit reports a packet for which its sender had no credit.
func (f *follower) checkCredit(m *record.Message) {
	if p := &f.packet; p.Kind == DataTransfer && p.CreditsKnown && p.Credits < 0 {
		f.subject = DataTransfer
		f.Reporter.Finding(&record.Finding{
			Origin: m.Origin, Name: record.Uncredited,
			Seen: fmt.Sprintf("it is sent without a credit of the %v", flow.Sender(1-m.Dir)),
		})
	}
}

// starved is a side that has no credits left. One that may have had nothing to send counts only if that lasted as long as a request may
// wait.
func (f *follower) starved(e *ulp.Ending) (c ulp.Conclusion, ok bool) {
	for d := range f.halves {
		w, d := &f.halves[d], flow.Direction(d)
		_, asks := f.Oldest(1 - d)
		busy := w.remaining > 0 || asks > 0
		first := c.Conn == nil || w.spent.Frame < c.Frame
		if !w.counted || w.credits != 0 || w.spent.Conn == nil || !first || !e.Hindered(w.spent.LastTime) ||
			!busy && e.At-w.spent.LastTime < int64(e.MaxWait) {
			continue
		}
		c = ulp.Conclusion{Origin: w.spent, Name: record.Starved, Says: fmt.Sprintf(
			"The %[1]v had no credit left after %[2]s, and the %[3]v granted no more: the %[1]v could send nothing for %[4]s",
			flow.Sender(d), w.spent.Conn.Frames.Text(w.spent.Span), flow.Sender(1-d), quantity.Duration(e.At-w.spent.LastTime))}
		c.Dir = 1 - d
	}
	return c, c.Conn != nil
}
