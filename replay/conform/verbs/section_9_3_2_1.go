package verbs

// Section 9.3.2.1: what a completion tells.

import "github.com/iwarpkit/iwarp/replay/conform"

var section9321 = about("9.3.2.1", "what a completion tells", func() []conform.Case {
	return []conform.Case{
		{Name: "length", Requirements: []string{"V-268"},
			Says: "The upper layer is told the length of each message.",
			Ask: conform.Text(`
				> Send 00
				> Send {report}
				< Send ` + conform.Reported(1, 0, "", make([]byte, 1)) + `
				> Send
				> Send {report}
				< Send ` + conform.Reported(3, 0, "", nil) + `
				> Send 00*8191
				> Send {report}
				< Send ` + conform.Reported(5, 0, "", make([]byte, 8191)))},
		{Name: "invalidated", Requirements: []string{"V-268", "V-256"}, Need: conform.Invalidates | conform.Volatile,
			Says: "The upper layer is told that an STag was invalidated, and which one.",
			Ask: conform.Text(`
				> SendInvalidate InvalidateSTag=$volatile {quiet "abc"}
				> Send {report}
				> Send {report}
				< Send ` + conform.Reported(1, 2, "$volatile:be32", []byte("\x00\x00\x00\x00abc")) + `
				< Send ` + conform.Reported(2, 0, "", []byte("\x02\x00\x00\x00")))},
	}
})
