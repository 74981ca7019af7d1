package rules

// What peers are known to do otherwise.

import "slices"

// A habit is a breach of some rules that is known of a peer.
type habit struct {
	peer  Peer
	why   string
	rules []*Rule
}

// habits are those known. Those of siw were seen in captures, those of irdma and cxgb4 read in their sources.
var habits = []habit{
	{SIW, "siw writes the first octets of a Terminate in another bit order on little-endian machines",
		[]*Rule{ruleTerminateSwapped}},
	{SIW, "siw encloses no headers for some errors, and announces an RDMA header that it does not enclose for others",
		[]*Rule{ruleTerminateHdrCt, ruleTerminateNoRead, ruleTerminateRDMAHeader}},
	{SIW, "siw builds the headers of a failed Read Request anew, with other values in MSN and MO",
		[]*Rule{ruleTerminateHeader, ruleTerminateReadHeader}},
	{SIW, "siw asks for large segments with a reserved bit of its MPA frames",
		[]*Rule{ruleMPAReserved}},
	{SIW, "siw does not clear the PAD octets of an FPDU",
		[]*Rule{ruleFPDUPad}},
	{SIW, "siw lets the Responder's upper layer send at once",
		[]*Rule{ruleResponderFirst}},
	{SIW, "siw takes 0x3fff for a number of Read Requests",
		[]*Rule{ruleIRDEcho, ruleORDEcho}},
	{SIW, "siw writes the length of Private Data modulo 256, Enhanced word included",
		[]*Rule{ruleEnhancedShort}},
	{SIW, "the NFS server beside siw in Linux uses Send with Invalidate although it leaves R clear",
		[]*Rule{ruleRPCUnannounced}},
	{IRDMA, "irdma encloses what it captured of the segment, whatever the error",
		[]*Rule{ruleTerminateHdrCt, ruleTerminateRDMAHeader}},
	{IRDMA, "irdma has codes of RDMAP for the STag of a Write",
		[]*Rule{ruleTerminateProtection, ruleTerminateCode}},
	{IRDMA, "irdma answers a malformed Terminate with one of its own",
		[]*Rule{ruleTerminateAgain}},
	{CXGB4, "cxgb4 sends Terminates without headers",
		[]*Rule{ruleTerminateHdrCt}},
	{CXGB4, "cxgb4 has codes of RDMAP for the STag of a Write",
		[]*Rule{ruleTerminateProtection}},
}

// Habits calls yield for every habit that is known of a peer, with the rules that it breaks. A Profile for that peer
// excuses them.
func Habits(p Peer) func(yield func(why string, broken []*Rule) bool) {
	return func(yield func(string, []*Rule) bool) {
		for i := range habits {
			if h := &habits[i]; h.peer == p && !yield(h.why, slices.Clone(h.rules)) {
				return
			}
		}
	}
}
