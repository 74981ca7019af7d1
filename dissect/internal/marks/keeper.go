package marks

import (
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
)

// A Keeper is what printers embed that have a line for each message: an analysis.Sink that keeps what is named on these
// lines, and drops all else.
type Keeper struct {
	analysis.Discard
	Pending Pending // what waits for its line
	Off     bool    // messages have no lines: nothing is kept
}

// Finding implements analysis.Sink: the finding is named on the line of the message that it is about.
func (k *Keeper) Finding(f *analysis.Finding) {
	if !k.Off {
		k.Pending.Finding(f)
	}
}

// Upper implements analysis.Sink: the upper-layer message is named on the line of the message that it is about.
func (k *Keeper) Upper(u *analysis.UpperMessage) {
	if !k.Off {
		k.Pending.Upper(u)
	}
}

// End implements dissect.Sink.
func (k *Keeper) End(c *dissect.Conn) { k.Pending.End(c) }
