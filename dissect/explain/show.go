package explain

import (
	"fmt"
	"strings"
)

// show is the command that shows what an Entry is about in a capture, FILE.
func (e *Entry) show() string {
	if e.Show != "" {
		return e.Show
	}
	switch e.Kind {
	case KindTerminate:
		return "iwarp decode -V -Y 'type == Terminate' FILE"
	case KindMessage:
		return fmt.Sprintf("iwarp decode -Y 'type == %s' FILE", e.Name)
	case KindField:
		return fmt.Sprintf("iwarp decode -V -Y '%s' FILE", e.Name)
	case KindRequirement, KindObservation:
		return fmt.Sprintf("iwarp check -Y 'finding == \"%s\"' FILE", e.Name)
	case KindRule:
		for _, f := range e.Facts {
			if id, _, _ := strings.Cut(f.Value, ","); f.Name == "Breaks" {
				return fmt.Sprintf("iwarp check -Y 'finding == \"%s\"' FILE", id)
			}
		}
	case KindRPCRDMA, KindRPC:
		return "iwarp decode --rpc FILE"
	case KindTerm, KindValue, KindOctets:
		return "iwarp decode -V FILE"
	}
	return "iwarp check FILE"
}
