// Package compile makes a Scenario of a capture: what the client and the server of each connection did, and which of it
// has to wait for which; and a capture of a Scenario.
//
// # Steps
//
// A message becomes one step, whatever its segments were, if they break no rule: each follows the one before it at once,
// and header, PAD, CRC and Markers are as they have to be. Messages of a side do not interleave (RFC 5041, section 5.3),
// so segments of one between those of another break a rule. Everything else becomes a step for each FPDU, just as it
// was. What comes before MPA becomes Octets; FINs and resets are steps too.
//
// # Order
//
// A step waits for what its sender had acknowledged, by TCP, when it sent the begin of it. That is not more than it had
// seen: so no step waits for what it did not need, except that a peer which works ahead may have seen more than it
// needed.
//
// # Variables
//
// STags and TOs become variables where the capture shows who told them: the header of a message uses memory of the other
// side, and some earlier message of that side has the STag in its payload or Private Data, in either byte order, beside a
// TO that explains the one that is used. Chunk lists of RPC-over-RDMA are read, so all that they offer become variables,
// used or not, and XIDs too; so does what is in a Send or Private Data of TO, STag and length alone, as rping has it.
// What cannot be explained stays a number, and the [Report] says so. An STag that was told of on another connection, as
// perftest does it, cannot be explained.
//
// # What is not kept
//
// Segmentation that breaks no rule, PAD that is not zero, the places where Markers point if they are wrong, and octets
// that could not be decoded. A message of which octets are missing has others there that may be anything; the Report names
// the step.
package compile
