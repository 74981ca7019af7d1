package compile

// What is said about a Terminate.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// explain is a comment that says what error a Terminate reports.
func explain(s *record.Segment) []string {
	if s.RDMAP.Control.Opcode != rdmap.OpTerminate || len(s.RDMAP.Body) < rdmap.TerminateLen {
		return nil
	}
	var t rdmap.Terminate
	t.Decode(s.RDMAP.Body)
	switch rdmap.ReadingOf(s.RDMAP.Body) {
	case rdmap.ReadingSwapped, rdmap.ReadingAmbiguous:
		var meant rdmap.Terminate
		meant.DecodeSwapped(s.RDMAP.Body)
		return []string{"In the order in which siw writes it, it means " + meant.Code.String() + ", " + meant.Code.Describe() + "."}
	}
	return []string{t.Code.Describe() + "."}
}
