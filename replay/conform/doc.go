// Package conform tests a live iWARP peer against the demands of the protocols, and reports each requirement that it
// breaks.
//
//	questions, err := conform.Select(suite.Questions(), []string{"RFC5041/7.1"})
//	report, err := conform.Run(ctx, questions, conform.Options{Address: "192.0.2.1:7174"})
//
// The peer runs a test service (docs/conform-service.md), such as `iwarp serve --service conform`. Package suite has
// all cases.
//
// A [Case] is a demand of a document, and a script (docs/conform.md). A line with "> " is an action of iwarp, one with
// "< " an action of the peer; "[name]" names a step, and braces hold commands to the peer's service.
//
//	> [bad] Segment Send MSN=2 "abc"
//	< refuses send-msn to [bad]
package conform
