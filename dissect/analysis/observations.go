package analysis

// What is worth saying and breaks no rule.

import "github.com/iwarpkit/iwarp/codec/rules"

// An Observation is something that findings tell beside breaches of rules: what is allowed, and yet explains why
// something failed or was slow.
type Observation struct {
	ID       string // "OBS-NO-REPLY"
	Name     string // "no-reply"
	Text     string // what it is, in a sentence
	Severity rules.Severity
}

// observations is every Observation, in the order of a connection's life.
var observations []*Observation

func newObservation(id, name string, s rules.Severity, text string) *Observation {
	o := &Observation{id, name, text, s}
	observations = append(observations, o)
	return o
}

// The observations.
var (
	ObsRefused = newObservation("OBS-REFUSED", "refused", rules.Warning,
		"The SYN was answered with a reset: nobody listens on the port, or somebody in between refuses.")
	ObsNoReply = newObservation("OBS-NO-REPLY", "no-reply", rules.Warning,
		"The MPA Request was never answered.")
	ObsNoRequest = newObservation("OBS-NO-REQUEST", "no-request", rules.Warning,
		"An MPA Reply came, but what the other side had sent before it is no MPA Request: its Key is another.")
	ObsRejected = newObservation("OBS-REJECTED", "rejected", rules.Warning,
		"The Responder rejected the connection: its MPA Reply has the R bit set.")
	ObsUnused = newObservation("OBS-NO-FPDU", "no-fpdu", rules.Note,
		"The connection was established and never used: no FPDU was sent.")
	ObsSTagInvalidated = newObservation("OBS-STAG-INVALIDATED", "stag-invalidated", rules.Warning,
		"An STag is used after a Send with Invalidate has taken it back, and no new advertisement of it was seen.")
	ObsStall = newObservation("OBS-STALL", "stall", rules.Warning,
		"Nothing came for a second or more while a request was not answered, or a message not complete; "+
			"or a request had waited so long when the capture ended.")
	ObsTerminate = newObservation("OBS-TERMINATE", "terminate", rules.Warning,
		"A side ended the connection with a Terminate: it has met an error.")
	ObsLinger = newObservation("OBS-LINGER", "linger", rules.Warning,
		"The TCP connection was still open ten seconds after a Terminate, which has to end it.")
	ObsResetAfterTerminate = newObservation("OBS-RESET-AFTER-TERMINATE", "reset-after-terminate", rules.Warning,
		"A reset followed a Terminate, without a FIN: the other side may never have got the Terminate.")
	ObsReset = newObservation("OBS-RESET", "reset", rules.Note,
		"The TCP connection was reset.")
	ObsFINWithoutTerminate = newObservation("OBS-FIN-WITHOUT-TERMINATE", "fin-without-terminate", rules.Warning,
		"The TCP connection was closed without a Terminate while something was outstanding.")
	ObsMessageCut = newObservation("OBS-MESSAGE-CUT", "message-cut", rules.Warning,
		"The connection ended within a message.")
	ObsUnansweredRead = newObservation("OBS-UNANSWERED-READ", "unanswered-read", rules.Warning,
		"RDMA Reads were never answered.")
	ObsUnansweredAtomic = newObservation("OBS-UNANSWERED-ATOMIC", "unanswered-atomic", rules.Warning,
		"Atomic Requests were never answered.")
	ObsUnansweredUpper = newObservation("OBS-UNANSWERED-UPPER", "unanswered-upper", rules.Warning,
		"Requests of the upper layer were never answered.")
	ObsRefusedUpper = newObservation("OBS-REFUSED-UPPER", "refused-upper", rules.Warning,
		"A request of the upper layer was refused: its response says that it failed, or a Terminate is about it.")
	ObsRetransmissions = newObservation("OBS-RETRANSMISSIONS", "retransmissions", rules.Warning,
		"More than a twentieth of the octets was sent again: the network loses packets, or somebody is overrun.")
	ObsZeroWindow = newObservation("OBS-ZERO-WINDOW", "zero-window", rules.Note,
		"A side could not take in anything for a time: its TCP window was closed.")
	ObsCaptureLoss = newObservation("OBS-CAPTURE-LOSS", "capture-loss", rules.Note,
		"Octets are missing in the capture: it lost packets, cut them, or began late.")
	ObsGivenUp = newObservation("OBS-GIVEN-UP", "given-up", rules.Note,
		"The connection was not followed to its end, for too many were followed at a time.")
)

// Observations calls yield for every Observation.
func Observations(yield func(*Observation) bool) {
	for _, o := range observations {
		if !yield(o) {
			return
		}
	}
}

// LookupObservation finds an Observation by its name or its id; nil if there is none.
func LookupObservation(s string) *Observation {
	for _, o := range observations {
		if o.Name == s || o.ID == s {
			return o
		}
	}
	return nil
}
