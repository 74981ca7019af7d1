// Package outcome holds the result of playing a Scenario: for each step the expectation, the difference, and a
// [Verdict].
//
// Playing a connection returns a [Conn]; a [Report] collects those of a Scenario. [WriteText] writes it for people,
// [WriteJSON] for programs, and [WriteJUnit] for tools that collect test results. Octets from the peer appear in these
// as numbers and hexadecimal digits only, so that they can neither control a terminal nor break a document.
//
// Only steps of the other side count. Steps of the played side are sent or not sent, which proves nothing about the
// peer. An unexpected message counts as a mismatched step, and a connection that cannot be played as one step that is
// not applicable. So a [Summary] adds up.
package outcome
