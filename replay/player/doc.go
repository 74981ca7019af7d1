// Package player plays one side of a connection of a Scenario, and judges what the other side does.
//
// A [Player] is a pure state machine: it has no goroutine, clock or socket. What TCP delivers goes in by Input, InputFIN
// and InputReset, the time by Advance. What TCP is to send is pulled by AppendTransmit; when there is nothing, Ending says
// whether the direction ends. Done tells that there is nothing left to do, and Outcome what came of it.
//
//	p := player.New(conn, scenario.Client, player.Options{})
//	for {
//		// send what p.AppendTransmit gives, and when that is nothing, obey p.Ending
//		if p.Done() {
//			break
//		}
//		// give p what comes, and the time at p.NextDeadline
//	}
//	judge(p.Outcome())
//
// # What is sent
//
// The steps of the own side, one after the other: each as soon as the step that it waits for is complete, the request
// that it answers has come, and all variables that it has are known. With a Speed it also waits for its time. MPA is
// negotiated anew, and what it comes to decides the framing and how Messages are divided into segments. A Probe is an
// RDMA Read Request for no octets, which needs no buffer; the other side's Player answers it by itself.
//
// # What is expected
//
// The steps of the other side. Octets, MPA frames, Silence, FIN and Reset come in the order of the Scenario. Messages
// come in this order within each queue, within RDMA Writes, and within RDMA Read Responses; between these they are
// accepted in another order where RDMAP leaves that open, but never before a Silence that they stand behind. Whether a
// message is divided into segments as it was recorded does not matter, and Writes may be divided into other Writes.
// STags, TOs and other variables are learned where they stand first.
//
// A Refusal is judged by the Profile: by the Terminate that it demands, about the segments that were sent for the step that
// is refused, of which the latest 64 are remembered. What the Profile's peer is known to do instead is accepted.
//
// What does not fit is a mismatch, and the Player goes on as well as it can. It gives up, and resets the connection,
// where nothing can follow: a wrong CRC, octets that are no MPA frame, or a step that does not come in time.
//
// # Memory
//
// Of what comes no more is held than the steps that are expected have octets, and a constant. Each connection has at most
// [MaxUnexpected] entries for what no step expects.
package player
