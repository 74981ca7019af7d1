package quirk_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// Deviations have names, or are written as text; those without effect are refused.
func ExampleParse() {
	for _, text := range []string{
		"bad-crc",
		"suppress write-access; react write-stag drop; rewrite MPAReply iwarp_mpa.rev=9",
		"rewrite Send iwarp_ddp.mns=1",
	} {
		k, err := quirk.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(&k)
	}
	// Output:
	// rewrite FPDU iwarp_mpa.crc^1
	// suppress write-access; react write-stag drop; rewrite MPAReply iwarp_mpa.rev=9
	// rnicsim: rewrite Send iwarp_ddp.mns=1: no field iwarp_ddp.mns in a Send; did you mean iwarp_ddp.msn, iwarp_ddp.qn or iwarp_ddp.mo?
}
