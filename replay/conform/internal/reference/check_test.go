package reference

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// A few cases that need most of the service.
func TestCheck(t *testing.T) {
	defer goleak.VerifyNone(t)
	Check(t, []conform.Section{{Document: "RFC5041", Number: "7.1", Title: "validation", Cases: func() []conform.Case {
		return []conform.Case{
			{Name: "msn", Requirements: []string{"DDP-7.1-5"}, Says: "An MSN is that of the next message.", Ask: conform.Text(`
				> Segment Send MSN=7 {quiet "abc"}
				< refuses send-msn`)},
			{Name: "nothing", Requirements: []string{"DDP-5.4-1"}, Says: "All is well.", Ask: conform.Text("")},
			{Name: "write", Requirements: []string{"DDP-5.2-5"}, Says: "A Write is placed.", Ask: conform.Texts(`
				> Send {write! 256 0 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 00*256
				< Send {done write}`, `
				> Write STag=$data TO=$data_to+65534 0102
				> [read] ReadRequest SinkSTag=0x1 SinkTO=0x2 RDMARDSZ=3 SrcSTag=$data SrcTO=$data_to+65533
				< ReadResponse to [read] 000102`)},
		}
	}}})
}

// The same of an RPC server, with both versions of RPC-over-RDMA.
func TestCheckRPC(t *testing.T) {
	defer goleak.VerifyNone(t)
	none := func(name string, b conform.Begin) conform.Case {
		return conform.Case{Name: name, Requirements: []string{"RPCRDMA1-4.5-1"}, Says: "All is well.", Ask: conform.Text(""), Begin: b}
	}
	Check(t, []conform.Section{{Document: "RFC8166", Number: "4.5", Title: "errors", Service: conform.RPCService, Cases: func() []conform.Case {
		return []conform.Case{
			none("version-1", conform.Begin{}),
			none("version-2", conform.Begin{RPC: 2}),
			none("private", conform.Begin{Private: "f6ab0e18 01 01 03 03"}),
			{Name: "null", Requirements: []string{"RPCRDMA1-4.5-1"}, Says: "NULL is answered.", Ask: func(s *conform.Setup) []string {
				return []string{"> Send " + s.Null(0x101) + "\n< Send " + s.NullReply(0x101)}
			}},
		}
	}}})
}
