package cli

import (
	"strings"

	cases "github.com/iwarpkit/iwarp/replay/conform"
)

// A remark is what a case, or several, need of the peer.
type remark struct {
	service cases.Service
	role    cases.Role
	need    cases.Need
	crasher bool
}

// remarkOn is the remark on a case. It is obvious who connects to an RPC server.
func remarkOn(q cases.Question) remark {
	r := remark{q.Section.Service, q.Role, q.Need, q.Crasher}
	if r.service == cases.RPCService {
		r.role = cases.Both
	}
	return r
}

// and is what two remarks have in common, on cases of the same service.
func (r remark) and(other remark) remark {
	if r.role != other.role {
		r.role = cases.Both
	}
	r.need &= other.need
	r.crasher = r.crasher && other.crasher
	return r
}

// without is what other does not say.
func (r remark) without(other remark) remark {
	if r.service == other.service {
		r.service = cases.ConformService
	}
	if r.role == other.role {
		r.role = cases.Both
	}
	r.need &^= other.need
	r.crasher = r.crasher && !other.crasher
	return r
}

// String is the remark in brackets, after a space; empty if it says nothing.
func (r remark) String() string {
	var words []string
	add := func(is bool, text string) {
		if is {
			words = append(words, text)
		}
	}
	add(r.service != cases.ConformService, "service "+r.service.String())
	add(r.role != cases.Both, "we are the "+r.role.String())
	add(r.need != 0, "needs "+r.need.String())
	add(r.crasher, "known to crash some peers")
	if len(words) == 0 {
		return ""
	}
	return " (" + strings.Join(words, "; ") + ")"
}
