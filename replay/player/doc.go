// Package player plays one side of a connection of a Scenario, and checks the other side.
//
//	p := player.New(conn, scenario.Client, player.Options{})
//	for {
//		// Send what p.AppendTransmit appends; when that is nothing, obey p.Ending.
//		if p.Done() {
//			break
//		}
//		// Give p the received octets, and the time at p.NextDeadline.
//	}
//	judge(p.Outcome())
//
// A [Player] is a pure state machine, without goroutines, clock or sockets. Input, InputFIN and InputReset take what
// TCP delivers, Advance the time.
//
// # Sending
//
// A Player takes the steps of its own side one after the other. A step is sent when the step that it waits for is
// complete, the request that it answers has arrived, and all its variables are known; with a Speed, also not before its
// time. MPA is negotiated anew; the result decides the framing, and how Messages are divided into segments. A Probe is
// an RDMA Read Request for no octets, which needs no buffer; the Player of the other side answers it by itself.
//
// # Checking
//
// Octets, MPA frames, Silence, FIN and Reset must come in the order of the Scenario. Messages must come in this order
// within each DDP queue, within RDMA Writes, and within RDMA Read Responses. Between these another order is accepted
// where RDMAP leaves it open, but no message may precede an earlier Silence. The division into segments may differ from
// the recorded one, and so may the division into Writes. STags, TOs and other variables are learned where they occur
// first.
//
// The Profile checks a Refusal by the Terminate that it demands, about the segments that were sent for the refused
// step. The latest 64 of them are remembered. Known deviations of the Profile's peer are accepted.
//
// Anything else is a mismatch, after which the comparison aligns again: lost, added, changed or reordered messages are
// the only mismatches. A message can be up to 16 places of its lane from where it is expected. The Player gives up, and
// resets the connection, if nothing can follow: after a wrong CRC, after octets that are not an MPA frame, or if a step
// times out.
//
// Memory for received octets is bounded by the octets of the expected steps, and a constant.
package player
