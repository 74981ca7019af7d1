package record

// Findings, and what Terminates are about.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// A Finding is something that is wrong, or that explains what went wrong.
type Finding struct {
	Origin                       // who sent what is wrong, and in which frames
	Severity    rules.Severity   // in the Profile of the Judge
	ID          string           // the requirement that was broken, "DDP-5.2-5", or an observation, "OBS-NO-REPLY"
	Also        []string         // other requirements that were broken by the same
	Rule        *rules.Rule      `json:"-"` // that was broken; nil for an observation
	Doubt       rules.Doubt      `json:"-"` // whether what it rests on was seen; if not it is a note, and Text says what would decide
	MissedAt    [2]uint64        `json:"-"` // if in doubt, by direction: the latest frame when segments were missed last; 0 if none were
	Name        string           // of the Rule, or of the observation: "send-msn"
	Seen        string           // what was there, briefly
	Expected    string           // what should have been
	Request     string           // the name of the upper layer's request that was not answered, "NFSv3 READ"; empty if it is about none
	Deviation   *rules.Deviation `json:"-"` // of its sender, that it is; nil if it is none, or none that is excused
	Text        string           // all of it in sentences: what happened, what is demanded, what follows from it
	Termination *Termination     // of an OBS-TERMINATE and of findings about the same Terminate; else nil
}

// Names of the observations that upper layers make; the other names are those of package judge.
const (
	Unadvertised     = "unadvertised"      // an RDMA Read or Write uses memory that no open request advertises
	BeyondAdvertised = "beyond-advertised" // one begins in memory that an open request advertises, and goes beyond its end
	Unmoved          = "unmoved"           // a response tells of success, and not all data of the request were read or written
	Malformed        = "malformed"         // a message of the upper layer is one that its receiver must not accept
	Uncredited       = "uncredited"        // a message of the upper layer was sent without a credit of the other side
	MessageCut       = "message-cut"       // a message was begun and not completed
	Starved          = "starved"           // a side of the upper layer had no credit left, and got none
	SetUpAbandoned   = "set-up-abandoned"  // the upper layer began to set up a session, and the connection ended before it had one
	SessionDropped   = "session-dropped"   // a server of the upper layer ended a connection that only its client ends
	Unreturned       = "unreturned"        // a client did not return what its server recalled
	EndAnnounced     = "end-announced"     // a side of the upper layer said that it would end the connection
	Withdrawn        = "withdrawn"         // a server took away what it had offered to a client that is still connected
	Warned           = "warned"            // a side of the upper layer said again and again that something is wrong
)

// Fields returns the names of the header fields that show what is wrong, as display filters have them: "iwarp_ddp.msn". Those
// of a Terminate are fields of the segment that it is about.
func (f *Finding) Fields() (names []string) {
	switch t := f.Termination; {
	case f.Rule != nil:
		return f.Rule.Fields()
	case t != nil && t.Rule != nil:
		return t.Rule.Fields()
	case t != nil:
		for s := range rules.NumSituations {
			d := &rules.Situations[s]
			if slices.Contains(t.Situations, s) || len(t.Situations) == 0 && d.RFC.Codes.Contains(t.Code) {
				names = append(names, d.Fields...)
			}
		}
	}
	return names
}

// A Blame is how it is known which segment a Terminate is about.
type Blame uint8

// The ways to know.
const (
	NoBlame         Blame = iota // it is about no segment, or about none that can be found
	BlameByHeader                // a segment has the DDP header that the Terminate encloses
	BlameByRequest               // a Read Request has the RDMAP header that the Terminate encloses
	BlameByReply                 // it is about the MPA Reply, by its code and its place
	BlameByPosition              // it is the first segment with an error, or the latest that can have the one reported
)

var blameNames = [...]string{"none", "header", "request", "reply", "position"}

// String is "none", "header", "request", "reply" or "position".
func (b Blame) String() string { return blameNames[b] }

// An Advertisement is where a side has told the other of an STag.
type Advertisement struct {
	STag   uint32
	TO     uint64 // that stands before it
	HasTO  bool   // TO is known
	Length uint32 // what stands after it, if that is a length; 0 if nothing does
	Frame  uint64
	In     string // what it stands in: "MPA Reply", "Send"; empty for a message of a known upper layer
}

// A Termination is what a Terminate is about, as far as the capture shows it. It stays valid.
type Termination struct {
	Terminate    Origin            // the Terminate
	Code         rdmap.Code        // as its sender means it
	Swapped      bool              // that is the reading of its octets in the swapped order
	Blame        Blame             // how the culprit was found
	Culprit      Origin            // the segment that it is about; zero if none was found
	Opcode       rdmap.Opcode      // of the culprit
	Header       []byte            `json:"-"` // of the culprit: its DDP header, and the RDMAP header of a request; nil if it was not kept
	Octets       uint64            // that the culprit carries, if it is tagged, or asks for, if it is a Read Request
	Message      string            // the culprit in words: "Send in frame 10"; empty if none was found
	Target       string            // what the culprit names: "MSN 3"; empty if that is nothing
	Enclosed     string            `json:"-"` // what it encloses of a segment that was not found: "Write (STag 0x1, TO 0x0)"; empty if one was, or nothing is enclosed
	Rule         *rules.Rule       `json:"-"` // what the culprit broke, if the capture shows it; else nil
	Situations   []rules.Situation // what may have gone wrong, by the code; that of Rule if there is one
	Invalidated  uint64            // the frame of a Send with Invalidate that took the culprit's STag back; else 0
	Advertised   *Advertisement    `json:"-"` // of the STag that the culprit names, or of one with another key or with the same TO; nil if none is known
	Unadvertised bool              // the culprit names an STag although its receiver has sent nothing that could have advertised one
	Grade        rules.Grade       // how well Code fits the Situations
	Unfounded    bool              // it says that a CRC was bad, and the capture has all FPDUs of the other side with good ones
}

// Subject is the culprit in words: "the Send in frame 10 (MSN 3)"; empty if none was found.
func (t *Termination) Subject() string { return t.subject("the ") }

// SubjectOf is Subject with the side that sent the culprit: "the client's Send in frame 10 (MSN 3)".
func (t *Termination) SubjectOf(p flow.Party) string { return t.subject("the " + p.String() + "'s ") }

func (t *Termination) subject(whose string) string {
	switch {
	case t.Message == "":
		return ""
	case t.Target == "":
		return whose + t.Message
	}
	return whose + t.Message + " (" + t.Target + ")"
}

// CodeRead returns the code as the RFC reads its octets.
func (t *Termination) CodeRead() rdmap.Code {
	if t.Swapped {
		return t.Code.Transposed()
	}
	return t.Code
}
