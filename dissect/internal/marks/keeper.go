package marks

import (
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A Keeper is what printers embed that have a line for each message: an analysis.Sink that keeps what is named on these
// lines, and drops all else.
type Keeper struct {
	analysis.Discard
	Pending Pending // what waits for its line
	Off     bool    // messages have no lines: nothing is kept
}

// Finding implements analysis.Sink: the finding is named on the line of the message that it is about.
func (k *Keeper) Finding(f *record.Finding) {
	if !k.Off {
		k.Pending.Finding(f)
	}
}

// Upper implements analysis.Sink: the upper-layer message is named on the line of the message that it is about.
func (k *Keeper) Upper(u *record.Upper) {
	if !k.Off {
		k.Pending.Upper(u)
	}
}

// End implements dissect.Sink.
func (k *Keeper) End(c *record.Conn) { k.Pending.End(c) }
