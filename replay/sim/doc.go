// Package sim plays a recorded session against a reference RNIC in the same process.
//
//	result := sim.Run(conn, scenario.Client, sim.Options{})
//
// A [player.Player] plays one side of a connection, an RNIC of package rnicsim the other one. They take turns, one FPDU
// at a time, without goroutines, and time passes only when nothing else happens: the same Scenario has the same
// [Result] each time. So state machines, memory protection and Terminates can be tested without a network.
//
// The RNIC gets only a [Plan] of the recording, which [NewPlan] makes. Headers, MSNs, CRCs, Terminates, responses and
// the reaction to a FIN are the RNIC's own; if they are as recorded, that proves something. STags are new in each run,
// TOs if [Options] say so.
//
// # What cannot be played
//
// An RNIC breaks no rule on demand: wrong framing, illegal headers and malformed MPA frames of the recorded peer are
// [Unplayable]. Such a step is not applicable, nor is what follows it on that side. Regions have at most 128 MiB
// together. An STag stays invalid once it is invalidated, so a Scenario that uses it again is refused. What the peer
// sent after it had received a Terminate is not sent, and counts as accepted.
//
// docs/generated/siw-deviations.md lists the captures whose replay differs, and testdata/detection.txt the changes of a
// recording that are noticed.
package sim
