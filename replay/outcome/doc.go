// Package outcome tells what became of a Scenario that was played: for each step what was expected, what came instead,
// and a [Verdict].
//
// Whoever plays a connection returns a [Conn]; a [Report] collects those of a Scenario. [WriteText] writes it for people,
// [WriteJSON] for programs, and [WriteJUnit] for tools that collect test results. Octets from the peer appear in these as
// numbers and hexadecimal digits only, so that they can neither control a terminal nor break a document.
//
// The steps that count are those of the other side. Steps of the own side are sent or not sent, which proves nothing about
// the peer. What came and no step expects counts as a mismatched step, and a connection that cannot be played as one step
// that is not applicable. So a [Summary] adds up.
package outcome
