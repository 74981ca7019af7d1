package cli

import (
	"strings"
	"testing"

	cases "github.com/iwarpkit/iwarp/replay/conform"
)

// What all cases of a section need follows its title, and the rest after each.
func TestListSaysWhatIsCommonOnce(t *testing.T) {
	of := func(all ...cases.Case) func() []cases.Case { return func() []cases.Case { return all } }
	some := cases.Questions([]cases.Section{
		{Document: "RFC8166", Number: "4.2.1", Title: "rdma_xid", Service: cases.RPCService, Cases: of(
			cases.Case{Name: "any", Says: "One."}, cases.Case{Name: "program", Says: "Two.", Need: cases.RPCProgram})},
		{Document: "RFC5044", Number: "4.3", Title: "Markers", Cases: of(
			cases.Case{Name: "here", Says: "Three.", Need: cases.Markers, Role: cases.AsResponder},
			cases.Case{Name: "there", Says: "Four.", Need: cases.Markers | cases.Enhanced, Crasher: true})},
		{Document: "RFC5044", Number: "6", Title: "alone", Cases: of(
			cases.Case{Name: "it", Says: "Five.", Role: cases.AsInitiator})},
	})
	got := strings.Join(strings.Fields(new(conform).listText(some, foldWidth)), " ")
	const want = "RFC8166/4.2.1 rdma_xid (service rpc; needs RPC-over-RDMA version 1) any One. " +
		"program Two. (needs the RPC program of the service rpc) " +
		"RFC5044/4.3 Markers (needs Markers) here Three. (we are the responder) " +
		"there Four. (needs MPA revision 2; known to crash some peers) " +
		"RFC5044/6 alone (we are the initiator) it Five. 5 cases"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
