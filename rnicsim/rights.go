package rnicsim

import "strings"

// Rights are what may be done with a Memory Region or Window (Verbs, section 7.4).
type Rights uint8

// The rights. Atomics need RemoteRead and RemoteWrite together; RFC 7306 names no right of their own.
const (
	LocalRead Rights = 1 << iota
	LocalWrite
	RemoteRead
	RemoteWrite
	BindWindows // Memory Windows may be bound to the region
)

var rightNames = [...]string{"local read", "local write", "remote read", "remote write", "bind"}

// String lists the rights: "local read, remote read".
func (r Rights) String() string {
	var names []string
	for i, name := range rightNames {
		if r&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// has tells whether all of some rights are there.
func (r Rights) has(some Rights) bool { return r&some == some }

// remote is the rights of the other side.
func (r Rights) remote() Rights { return r & (RemoteRead | RemoteWrite) }

// needed is the local rights that remote ones require: reading those to read, writing those to write.
func (r Rights) needed() (local Rights) {
	if r.has(RemoteRead) {
		local |= LocalRead
	}
	if r.has(RemoteWrite) {
		local |= LocalWrite
	}
	return local
}

// ofRegion tells whether a Memory Region can have these rights (Verbs, figure 18): at least one local one, and no remote
// one without the local one. Remote ones are for STags that were allocated for them.
func (r Rights) ofRegion(remoteAccess bool) bool {
	return r>>len(rightNames) == 0 && r&(LocalRead|LocalWrite) != 0 && r.has(r.needed()) && (remoteAccess || r.remote() == 0)
}

// ofWindow tells whether a Memory Window on a region with the rights of parent can have these (Verbs, figure 20): remote
// ones only, at least one, and the parent's local rights have to cover them.
func (r Rights) ofWindow(parent Rights) bool {
	return r != 0 && r.remote() == r && parent.has(r.needed())
}
