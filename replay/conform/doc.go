// Package conform asks a live iWARP peer what the protocols demand, and reports requirement by requirement what the peer
// got wrong.
//
//	questions, err := conform.Select(suite.Questions(), []string{"RFC5041/7.1"})
//	report, err := conform.Run(ctx, questions, conform.Options{Address: "192.0.2.1:7174"})
//
// The peer has memory and does what messages ask of it (docs/conform-service.md), as `iwarp serve --service conform`
// does. Package suite has all cases.
//
// A [Case] is what a document demands, and a script (docs/conform.md). "> " begins what this end does, "< " what the peer
// does, "[name]" names a step, and octets in braces are commands to the peer's service.
//
//	> [bad] Segment Send MSN=2 "abc"
//	< refuses send-msn to [bad]
package conform
