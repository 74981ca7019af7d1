// Package sim plays a recorded session against a reference RNIC in the same process.
//
// One side of a connection is played by a [player.Player], the other one by an RNIC of package rnicsim. They are
// stepped in turn, one FPDU at a time, without goroutines, and time goes on only when nothing else does: the same
// Scenario has the same [Result] each time. So state machines, memory protection and Terminates can be tried without
// a network.
//
//	plan := sim.NewPlan(conn, scenario.Server) // what the Consumer of the server had and did
//	result := sim.Play(conn, plan, sim.Options{})
//
// # The Plan
//
// A [Plan] is all that the RNIC gets of the recording, and its types hold no header: it names memory, Work Requests,
// and when the Consumer accepted, rejected or closed. Headers, MSNs, CRCs, Terminates, responses and what answers a
// FIN are the RNIC's own, and if they are as they were recorded then that proves something. It is made so:
//
//   - A Memory Region is there for each STag that the side has told of, or that was used with success. It reaches as
//     far as was told, and has the rights that were used.
//   - Of a Write, Read or Atomic that was refused the Terminate says where, not why. If the STag is unknown, the octets
//     reach outside of the region, or there are more requests than IRD, then that is why. Else the region lacks the
//     right, or if it had it before it is gone.
//   - A Receive is posted for each Send that was taken in. For one that was refused there is none; but one that is too
//     short if segments of it were taken in, and one without memory if the Terminate is about memory of its sender.
//     That is the one thing that the code of a Terminate decides.
//   - Memory holds what the Read Responses show. Where they differ from what was there the program has changed it.
//   - Of a Terminate without anything to blame the Consumer is the cause: it posts what its own RNIC refuses.
//
// What the Consumer does has its place behind the step of the other side that it had seen. Where the peer answered
// late, the RNIC is held back as long.
//
// STags are fresh in each run, TOs if [Options] say so. Variables of the Scenario stand for them in what the Consumer
// sends; those that nothing tells of are given to the Player. The STag and TO of a Ready to Receive (RFC 6581, section
// 9.2) may be any.
//
// # What cannot be played
//
// An RNIC breaks no rule on demand: wrong framing, illegal headers and malformed MPA frames of the recorded peer are
// [Unplayable]. Such a step is not applicable, and neither is what follows it on that side. Regions have at most 128
// MiB together. An STag that was invalidated stays so: a Scenario in which it is used again is refused. What the peer
// sent when a Terminate had come in is not sent, and counts as accepted.
//
// Whether a connection ends with a FIN or a reset is not always the RNIC's to decide. Accepted are a FIN for a reset if
// the RNIC had closed before the octets came that the recorded peer left unread, for TCP resets a connection that is
// closed so; and a reset for a FIN within a message, which no verb sends.
//
// docs/generated/siw-deviations.md lists the captures that do not come out as they were recorded, and testdata/detection.txt what
// is noticed of changes in a recording.
package sim
