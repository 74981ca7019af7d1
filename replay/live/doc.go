// Package live plays Scenarios over TCP, against a real peer.
//
//	r, err := live.Dial(ctx, "10.0.0.2:20049", s, live.Options{})
//	for _, step := range r.Report.Conns[0].Steps {
//		fmt.Println(step.Expected.Number, outcome.Line(step.Expected), step.Verdict)
//	}
//
// [Dial] connects to the peer, once for each connection of the Scenario; [Serve] accepts the peer's connections. Either
// plays one side, Options.Role; package player checks the peer. The [Result] has the outcome of each step.
//
// # Connections
//
// Connections begin in the order of the Scenario. Dial begins each at its time, counted from the first one and divided
// by the Speed, or at once with Speed 0. It waits until the previous connection is established, and until those are
// over that were over in the Scenario by then. In a Scenario without times they are played one after the other.
//
// Serve cannot choose: the first connection of the peer is played as the first one of the Scenario, and so on, whatever
// it sends. It waits for the first one without limit, or for Options.Patience. While no connection is played it waits
// for the next one as long as Options.Player.StepTimeout, and the time between both in the Scenario.
//
// # Time
//
// Steps are due at absolute times: as long after the beginning of their connection as in the Scenario, divided by the
// Speed. A late step does not delay others. Nothing waits longer than the StepTimeout unless octets move: steps of a
// peer that is silent, does not read, or stops midway are not reached.
//
// # Sending
//
// FPDUs fit the TCP segments of the path, whose size the socket tells. Octets that TCP does not accept at once wait in
// a goroutine of their own, so that receiving continues. Each connection has two goroutines, and buffers only while
// octets move.
//
// A reset is sent when TCP has accepted all octets before it. TCP may lose the last of them.
package live
