// Package conform asks a live iWARP peer what the protocols demand, and says requirement by requirement what it got
// wrong.
//
// A [Case] is a question: a sentence of a document, the ids of the requirements behind it, and a script of what this end
// and the peer do. [Build] makes a Scenario of it, for a peer of which a [Survey] has found out how connections with it
// begin; package live plays it, and what came of it is a [Result] with a [Verdict]. The cases themselves are in the folders
// below this one, one for each document, and package suite has them all.
//
// The peer has memory and does what messages ask of it, see docs/conform-service.md: `iwarp serve --service conform` is such
// a peer. It is asked in either role: we connect to it, or it to us.
//
// Nothing in a script depends on time. That a peer keeps silent is proved by what it answers afterwards, and behind each
// case a connection of its own asks whether it is still alive.
//
// # Scripts
//
// A script has a line for each step, "> " and what this end does, or "< " and what the peer does, in the words of package
// scenario. Numbers, sides and the order between both are put in. "[name]" behind the sign names a step, and
// "to [name]" refers to it. Octets in braces are commands to the peer's service, see [Case].
//
//	> [bad] Segment Send MSN=2 "abc"
//	< refuses send-msn to [bad]
package conform
