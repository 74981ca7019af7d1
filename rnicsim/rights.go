package rnicsim

import "strings"

// Rights are the permitted uses of a Memory Region or Window (Verbs, section 7.4).
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

// has reports whether r includes all of some rights.
func (r Rights) has(some Rights) bool { return r&some == some }

// remote returns the rights of the peer.
func (r Rights) remote() Rights { return r & (RemoteRead | RemoteWrite) }

// needed returns the local rights that the remote ones require: reading requires reading, and writing writing.
func (r Rights) needed() (local Rights) {
	if r.has(RemoteRead) {
		local |= LocalRead
	}
	if r.has(RemoteWrite) {
		local |= LocalWrite
	}
	return local
}

// ofRegion reports whether a Memory Region can have these rights (Verbs, figure 18): at least one local right, and no
// remote one without the local one. Remote rights need the Remote Access Flag.
func (r Rights) ofRegion(remoteAccess bool) bool {
	return r>>len(rightNames) == 0 && r&(LocalRead|LocalWrite) != 0 && r.has(r.needed()) && (remoteAccess || r.remote() == 0)
}

// ofWindow reports whether a Memory Window on a region with the rights of parent can have these rights (Verbs, figure
// 20): only remote ones, at least one, and the local rights of parent must cover them.
func (r Rights) ofWindow(parent Rights) bool {
	return r != 0 && r.remote() == r && parent.has(r.needed())
}
