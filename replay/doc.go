// Package replay has no code; what its folders have to do with each other is said here.
//
// A recorded session becomes a Scenario: package compile makes one of a capture, and package scenario has its model and
// its text, in which one can be written by hand too. A Scenario has what both sides of each connection do. Package player
// plays one side, and judges the other one; package outcome has what came of it, and writes it down.
//
// Who the other side is makes the difference between the last two: package live connects to a peer over TCP, or takes
// its connections in, and in package sim it is the reference RNIC of rnicsim, in the same process, without a clock.
package replay
