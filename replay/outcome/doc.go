// Package outcome is what became of a Scenario that was played: for each step what was expected, what came instead, and
// a [Verdict].
//
// Whoever plays a connection makes a [Conn] of it, and a [Report] holds those of a Scenario. [WriteText] writes it for
// people, [WriteJSON] for programs and [WriteJUnit] for whatever collects results of tests. What a peer has sent gets into
// these as numbers and hexadecimal digits only, so that nothing in it can steer a terminal or break a document.
//
// The steps that count are those of the other side. Those of the own side are sent or not sent; that proves nothing about
// the peer. Something that came and that no step expects counts as a step that is mismatched, and a connection that
// cannot be played as one that is not applicable. So a [Summary] adds up.
package outcome
