// Package sim plays a recorded session against a reference RNIC in the same process.
//
//	result := sim.Run(conn, scenario.Client, sim.Options{})
//
// A [player.Player] plays one side of a connection, an RNIC of package rnicsim the other one. They take turns, one FPDU at
// a time, without goroutines, and time passes only when nothing else happens: the same Scenario has the same [Result] each
// time. So state machines, memory protection and Terminates can be tried without a network.
//
// # The Plan
//
// All that the RNIC gets of the recording is a [Plan]. Its types hold no header: they name memory, Work Requests, and when
// the Consumer accepted, rejected or closed. Headers, MSNs, CRCs, Terminates, responses and the reaction to a FIN are the
// RNIC's own; if they are as recorded, that proves something. [NewPlan] makes a Plan so:
//
//   - There is a Memory Region for each STag that the side has advertised, or that was used with success. It reaches as
//     far as was advertised, and has the rights that were used.
//   - The Terminate says where a Write, Read or Atomic was refused, not why. The reason is an unknown STag, octets outside
//     of the region, or more requests than IRD, if one of these is so. Else the region lacks the right, or is deallocated
//     if it had it before.
//   - A Receive is posted for each Send that was placed. For a refused Send there is none; but one that is too short if
//     segments of it were placed, and one without memory if the Terminate is about memory of its sender. Here alone the
//     code of a Terminate matters.
//   - Memory holds what the Read Responses show. Where they differ from what it held, the program has changed it.
//   - A Terminate that nothing of the other side causes is caused by the Consumer: it posts what its own RNIC refuses.
//
// What the Consumer does follows the step of the other side that it had seen. Where the peer answered late, the RNIC is
// held back as long.
//
// STags are new in each run, TOs if [Options] say so. Variables of the Scenario stand for them in what the Consumer sends;
// those that no message tells are given to the Player. The Ready to Receive (RFC 6581, section 9.2) may have any STag and
// TO.
//
// # What cannot be played
//
// An RNIC breaks no rule on demand: wrong framing, illegal headers and malformed MPA frames of the recorded peer are
// [Unplayable]. Such a step is not applicable, nor is what follows it on that side. Regions have at most 128 MiB together.
// An STag stays invalid once it is invalidated, so a Scenario that uses it again is refused. What the peer sent after it
// had received a Terminate is not sent, and counts as accepted.
//
// The RNIC does not always decide whether a connection ends with a FIN or a reset. A FIN for a reset is accepted if the
// RNIC had closed before the octets came that the recorded peer left unread, because TCP then resets a closed connection.
// A reset is accepted for a FIN within a message, which no verb sends.
//
// docs/generated/siw-deviations.md lists the captures that differ from what was recorded, and testdata/detection.txt which
// changes of a recording are noticed.
package sim
