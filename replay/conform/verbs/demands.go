package verbs

// Demands of the Verbs only: peers with other profiles may do something else.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/conform"
)

func byVerbs(s *conform.Setup) bool { return s.Profile.Codes == rules.Verbs }

// demanded returns a script that ends with the reaction that the Verbs demand. A peer with another profile may do
// something else; then we close.
func demanded(script, action, otherwise string) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string {
		if byVerbs(s) {
			return []string{script + "\n< " + action}
		}
		return []string{fmt.Sprintf("%s\n< OneOf\nor %s\nmay \"only the RDMA Protocol Verbs demand a %[2]s here\" %s\n> FIN",
			script, action, otherwise)}
	}
}

// unanswered returns a script that ends with a reset by the peer. A peer with another profile may leave the message
// unanswered.
func unanswered(script string) func(*conform.Setup) []string {
	return demanded(script, "Reset", "Silence")
}

// terminated returns a script at whose end we close the connection while the peer waits for an answer. The peer reports
// that by a Terminate about no message, and ends the connection. A peer with another profile may just end it.
func terminated(script string) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string {
		if byVerbs(s) {
			return []string{script + `
				> FIN
				< Refusal queue
				< OneOf
				or FIN
				may "it resets the connection after its Terminate" Reset`}
		}
		return []string{script + `
			> FIN
			< OneOf
			or Refusal queue
			may "only the RDMA Protocol Verbs demand a Terminate here" FIN
			may "only the RDMA Protocol Verbs demand a Terminate here" Reset`}
	}
}
