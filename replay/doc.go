// Package replay has no code; it describes how the packages in its folder work together.
//
// Package compile turns a capture into a Scenario. Package scenario has the model of Scenarios and their text form,
// which can also be written by hand. A Scenario has the actions of both sides of each connection. Package player plays
// one side and checks the other one; package outcome holds and writes the result.
//
// Two packages provide the other side: live plays against a peer over TCP, which it connects to or which connects to
// it, and sim against the reference RNIC of rnicsim, in the same process and without a clock. Package conform tests
// peers with Scenarios that it makes from the documents. Package proxy needs no Scenario: it stands between two live
// ends, records what they send, and misbehaves by rules.
package replay
