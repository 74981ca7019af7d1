package verbs

// Section 8.2.5: Solicited Events.

import "github.com/iwarpkit/iwarp/replay/conform"

var section825 = about("8.2.5", "Solicited Events", func() []conform.Case {
	return []conform.Case{
		{Name: "those-that-solicit", Requirements: []string{"V-272"}, Need: conform.Solicited,
			Says: "A Send with Solicited Event solicits one, and no other Send does.",
			Ask: conform.Text(`
				> SendSE {quiet "a"}
				> Send {report}
				> Send {quiet "b"}
				> Send {report}
				> SendSE {quiet}
				> Send {report}
				< Send ` + conform.Reported(1, 1, "", []byte("\x00\x00\x00\x00a")) + `
				< Send ` + conform.Reported(3, 0, "", []byte("\x00\x00\x00\x00b")) + `
				< Send ` + conform.Reported(5, 1, "", []byte("\x00\x00\x00\x00")))},
		{Name: "with-invalidation", Requirements: []string{"V-272"}, Need: conform.Solicited | conform.Invalidates | conform.Volatile,
			Says: "A Send with Solicited Event and Invalidate solicits one, and one with Invalidate alone does not.",
			Ask: conform.Texts(`
				> SendSEInvalidate InvalidateSTag=$volatile {quiet "a"}
				> Send {report}
				< Send `+conform.Reported(1, 3, "$volatile:be32", []byte("\x00\x00\x00\x00a")), `
				> SendInvalidate InvalidateSTag=$volatile {quiet "a"}
				> Send {report}
				< Send `+conform.Reported(1, 2, "$volatile:be32", []byte("\x00\x00\x00\x00a")))},
	}
})
