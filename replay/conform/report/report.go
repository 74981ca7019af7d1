// Package report writes the results of the cases of package conform: [WriteText] for people, [WriteJSON] for programs,
// [WriteJUnit] for tools that collect test results, and [WriteHTML] as a page that can be mailed. [WriteListJSON] writes
// the cases themselves, for programs that choose some.
//
// Octets from the peer appear in these as numbers and hexadecimal digits only, so that they can neither control a terminal
// nor break a document.
package report

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// requirement returns the demand of a document: "DDP-7.1-5 (RFC 5041, section 7.1, MUST): ...".
func requirement(id string) string {
	r := rfc.Lookup(id)
	if r == nil {
		return id
	}
	return fmt.Sprintf("%v: %s", r, r.Text)
}

func heading(document string) string {
	if d := rfc.LookupDocument(document); d != nil && d.Title != "" {
		return d.Name + ", " + d.Title
	}
	return document
}

// failure describes a failed case, in lines. again is the Again of the Report.
func failure(r *conform.Result, again func(conform.Question) string) []string {
	lines := []string{r.Says}
	for _, id := range r.Requirements {
		lines = append(lines, "requirement "+requirement(id))
	}
	lines = append(lines, "connection "+r.Conn, "expected "+r.Expected, "actual "+r.Actual)
	if again != nil {
		lines = append(lines, "again: "+again(r.Question))
	}
	return lines
}

// newly says why a passing case was expected to fail; empty if it was not.
func newly(r *conform.Result) string {
	if r.Newly == "" {
		return ""
	}
	return fmt.Sprintf("expected to fail: %s", r.Newly)
}

type part struct {
	*conform.Section
	Results []*conform.Result
}

func parts(r *conform.Report) (all []part) {
	for i := range r.Results {
		each := &r.Results[i]
		if n := len(all); n == 0 || all[n-1].Section != each.Section {
			all = append(all, part{Section: each.Section})
		}
		last := &all[len(all)-1]
		last.Results = append(last.Results, each)
	}
	return all
}

// peerText describes the tested peer in one line.
func peerText(r *conform.Report) string {
	if r.Service == conform.RPCClientService {
		return "a client of RPC-over-RDMA version 1"
	}
	p := &r.Peer
	role := "Responder"
	if r.Side != 0 {
		role = "Initiator"
	}
	text := fmt.Sprintf("a %s of MPA revision 1", role)
	if p.Enhanced {
		text = fmt.Sprintf("a %s of MPA revision 2, IRD %d, ORD %d", role, p.IRD, p.ORD)
	}
	if has := p.Has() &^ conform.Enhanced; has != 0 {
		text += "; it has " + has.String()
	}
	if r.Service == conform.RPCService && !p.RPC.Conform {
		text += fmt.Sprintf("; it answers NULL of %v version %d with %v", p.RPC.Program, p.RPC.ProgramVersion, p.RPC.Stat)
	}
	return text
}
