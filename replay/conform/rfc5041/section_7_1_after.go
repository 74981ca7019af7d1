package rfc5041

// What a sink does after an error.

import "github.com/iwarpkit/iwarp/replay/conform"

var afterErrors = func() []conform.Case {
	return []conform.Case{
		{Name: "silent-behind-error", Requirements: []string{"DDP-7.1-14", "DDP-7.1-12", "V-082", "V-129"},
			Says: "Segments behind one that is refused are dropped, right or wrong, and nothing is said of them.",
			Ask: greeted(`
				> [bad] Segment Send MSN=9 {echo "too early"}
				> Segment Send MSN=2 {echo "right"}
				< refuses send-msn to [bad]`, `
				> [bad] Segment Write STag=$data+1 TO=$data_to "to nowhere"
				> Send {echo "right"}
				< refuses write-stag to [bad]`, `
				> [bad] Segment Write STag=$data TO=$data_to+65536 "beyond the end"
				> Segment Write STag=$data+1 TO=$data_to "to nowhere"
				> Segment Send MSN=9 "too early"
				< refuses write-bounds to [bad]`)},
		{Name: "no-read-behind-error", Requirements: []string{"DDP-7.1-14", "V-082"},
			Says: "A Read Request behind a segment that is refused is not answered.",
			Ask: greeted(`
				> [bad] Segment Write STag=$data TO=$data_to+65536 "beyond the end"
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses write-bounds to [bad]`)},
		{Name: "answers-before-error", Requirements: []string{"DDP-7.1-12", "V-127", "V-134"},
			Says: "What came before a segment that is refused was delivered.",
			Ask: greeted(`
				> Send {echo "1"}
				> Send {echo "2"}
				< Send {echo "1"}
				< Send {echo "2"}
				> [bad] Segment Send MSN=9 {echo "too early"}
				< refuses send-msn to [bad]`)},
		{Name: "first-error", Requirements: []string{"DDP-7.1-12", "DDP-7.1-13", "V-134", "V-135"},
			Says: "The report is of the first segment that is wrong, and has its header and length.",
			Ask: greeted(`
				> [bad] Segment Write STag=$data+1 TO=$data_to "to nowhere"
				> Segment Write STag=$data+2 TO=$data_to "to nowhere else"
				< refuses write-stag to [bad]`, `
				> [bad] Segment Send MSN=7 "early"
				> Segment Send MSN=8 "even earlier"
				< refuses send-msn to [bad]`)},
	}
}
