package transcript_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/internal/transcript"
)

func Example() {
	t, err := transcript.Parse("send-msn.txt", `
# The MSN of a Send skips one.
c2s hex "MPA ID Req Frame" 40 01 0000
s2c hex "MPA ID Rep Frame" 40 01 0000
c2s 4143 00000000 00000000 00000001 00000000 "abcd"
c2s 4143 00000000 00000000 00000003 00000000 "efgh"
  ! send-msn
end
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(t.Title, len(t.Records), "packets")
	fmt.Println(t.Expected)
	fmt.Println("packet 7 is of line", t.Line(7))
	// Output:
	// The MSN of a Send skips one. 7 packets
	// [line 6: send-msn]
	// packet 7 is of line 6
}
