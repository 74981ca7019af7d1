package verbs

// Section 6.6.1: iWARP, and nothing else.

import "github.com/iwarpkit/iwarp/replay/conform"

var section661 = about("6.6.1", "once iWARP has begun", func() []conform.Case {
	return []conform.Case{
		{Name: "nothing-but-fpdus", Requirements: []string{"V-149", "V-148"},
			Says: "A connection begins with MPA frames; behind them all octets of the peer are FPDUs of whole messages.",
			Ask: conform.Text(everyQueue + `
				> Send {write! 65536 0 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 00*65536
				< Send {done write}
				> Send {send 0 4 3000 0 0}
				< Send 00*3000
				< Send 00*3000
				< Send 00*3000
				< Send 00*3000
				> Send {close}
				< FIN
				> FIN`)},
	}
})
