// Package compile turns a capture into a Scenario: what the client and the server of each connection did, and which of
// it had to wait for which. It also turns a Scenario into a capture.
//
//	s, report, err := compile.Capture(ctx, capture, compile.Options{})
//	...
//	err = compile.Write(file, s, compile.WriteOptions{})
//
// # Steps
//
// A message becomes one step, however it was divided into segments, if these break no rule: they are consecutive, and
// header, PAD, CRC and Markers are right. (Segments of several messages of a side may not interleave: RFC 5041, section
// 5.3.) Of anything else each FPDU becomes a step. What precedes MPA becomes Octets; FINs and resets are steps, too.
//
// # Order
//
// A step waits for the octets that its sender had acknowledged by TCP when it began to send. The sender had received at
// least these, so no step waits for more than it needed, unless the peer worked ahead.
//
// # Variables
//
// STags and TOs become variables where the capture shows who advertised them: a header uses memory of the other side,
// and an earlier message of that side has the STag in its payload or Private Data, in either byte order, next to a TO
// that explains the one used. Chunk lists of RPC-over-RDMA are decoded, so all memory that they advertise becomes
// variables, used or not, and so do XIDs. The same goes for a Send or Private Data that consists of TO, STag and
// length, as in rping. What cannot be explained stays a number, and the [Report] says so. STags that were advertised on
// another connection, as by perftest, cannot be explained.
//
// # What is not kept
//
// Legal segmentation, PAD that is not zero in an FPDU whose CRC is right, the values of wrong Markers, and octets that
// could not be decoded. In a message that was captured incompletely, the missing octets match anything; the Report
// names the step.
package compile
