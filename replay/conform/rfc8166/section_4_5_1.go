package rfc8166

// Section 4.5.1: versions that the peer does not have.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

var section451 = about("4.5.1", "unknown versions", func() []conform.Case {
	return []conform.Case{
		{Name: "unknown", Requirements: []string{"RPCRDMA1-4.5.1-1", "RPCRDMA1-4.5-5", "RPCRDMA1-4.5-4", "RPCRDMA1-7-1"},
			Says: "A message of an unknown version is answered by ERR_VERS with its version, and the range of those known.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{null(s, firstXID)}
				for i, vers := range unknownVersions(s) {
					m := nullMessage(s, 0x20000+rpctext.Word(i), none)
					m.Vers = vers
					lines = append(lines, refusedVersion(m))
				}
				return []string{script(lines...)}
			}},
		{Name: "unknown-as-the-first", Requirements: []string{"RPCRDMA1-4.5.1-1", "RPCRDMA1-4.5-5", "RPCRDMA1-7-1"},
			Says: "The first message of a connection is answered so too, and the next one may have another version.",
			Ask: func(s *conform.Setup) (scripts []string) {
				for _, vers := range unknownVersions(s) {
					m := nullMessage(s, firstXID, none)
					m.Vers = vers
					scripts = append(scripts, refusedVersion(m))
				}
				return scripts
			}},
		{Name: "whatever-follows", Requirements: []string{"RPCRDMA1-4.5.1-1", "RPCRDMA1-4.5-2", "RPCRDMA1-7-1"},
			Says: "What stands behind the first four words of an unknown version is not looked at, nor is rdma_proc.",
			Ask: func(s *conform.Setup) []string {
				lines := []string{null(s, firstXID)}
				for i, proc := range []rpctext.Word{0, 1, 2, 5, 100, 0xffffffff} {
					for k, body := range []string{"ffffffff ffffffff ffffffff", rpctext.Words(0, 0, 0),
						"00000000 00000000 00000000 ffffffff 01", "01*64"} {
						lines = append(lines, refusedVersion(rpctext.Message1{
							XID: 0x20000 + rpctext.Word(16*i+k), Vers: 0x7fffffff, Credit: rpctext.Credits, Proc: proc, Body: body,
						}))
					}
				}
				return []string{script(lines...)}
			}},
	}
})

func unknownVersions(s *conform.Setup) []rpctext.Word {
	all := []rpctext.Word{0, 3, 4, 0x100, 0x01000000, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff}
	if !s.Peer.RPC.Version2 {
		all = append(all, 2)
	}
	return all
}

// refusedVersion: a message is answered by ERR_VERS: with a range that has version 1 in it, and not that of the
// message.
func refusedVersion(m rpctext.Message1) string {
	line := script(sends(m.String()), "< OneOf")
	for high := rpctext.Vers1; high <= 2 && high != m.Vers; high++ {
		line += fmt.Sprintf("\nor Send %s", rpctext.Error1(m.XID, m.Vers, rpctext.ErrVers, rpctext.Vers1, high))
	}
	return line
}
