// Package live plays Scenarios over TCP, against a peer that exists.
//
// [Dial] connects to it, once for each connection of the Scenario; [Serve] takes its connections in. Either plays one
// side, the role, and what the peer does is judged by package player. The [Result] has what became of each step.
//
// # Connections
//
// They begin in the order of the Scenario. Dial begins one when it began there, counted from the first one and divided by
// the Speed; with Speed 0 at once. A connection that began when others were over waits for these to be over here too, and
// each waits until the one before has come about: so a peer sees them in that order. Where a Scenario has no times, they are
// played one after the other.
//
// Serve cannot choose: the first connection that a peer makes is taken for the first of the Scenario, the next one for
// the next, whatever comes over them. It waits for the first one as long as it takes; then no longer for the next than
// Options.Player.StepTimeout, and the time between both in the Scenario, in which no connection is played.
//
// # Time
//
// Steps are due at absolute times: as long as after the begin of their connection as in the Scenario, divided by the
// Speed. A step that is late does not make others late. Nothing waits for longer than the StepTimeout without octets that
// move: a peer that is silent, that does not read, or answers half, ends up as steps that were not reached.
//
// # Sending
//
// FPDUs fit the segments of the path, as the socket says what these are. What TCP does not take at once waits in a
// goroutine of its own, so that what the peer sends is taken in meanwhile. Each connection has two goroutines, and a
// buffer only while octets move.
//
// A reset is sent when all before it was given to TCP, which may lose the end of that, as TCP does.
package live
