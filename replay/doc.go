// Package replay has no code; it says how the packages in its folder work together.
//
// Package compile turns a capture into a Scenario. Package scenario has the model of Scenarios and their text, in which
// they can also be written by hand. A Scenario has what both sides of each connection do. Package player plays one side
// and checks the other one; package outcome has the result, and writes it.
//
// Two packages provide the other side: live plays against a peer over TCP, which it connects to or which connects to
// it, and sim against the reference RNIC of rnicsim, in the same process and without a clock. Package conform tests
// peers with Scenarios that it makes from the documents.
package replay
