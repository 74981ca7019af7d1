package rnicsim

// STags: the table of Memory Regions and Memory Windows, and the verb that both share.

import "strings"

// An STag names a Memory Region or Window: 24 bits of index, which the RNIC chooses, and 8 bits of key, which the
// Consumer chooses (Verbs, section 7.2). STag 0 names all physical memory, for privileged QPs.
type STag uint32

// Index returns the STag with key 0.
func (s STag) Index() STag { return s &^ 0xff }

// Key returns the part that the Consumer chooses.
func (s STag) Key() uint8 { return uint8(s) }

// WithKey returns the STag with another key.
func (s STag) WithKey(key uint8) STag { return s.Index() | STag(key) }

// A stag is a Memory Region or Memory Window. There may be many, so it is small.
type stag struct {
	index  STag
	key    uint8
	rights Rights
	window bool
	valid  bool
	shared bool // a Shared Memory Region
	remote bool // the Remote Access Flag
	va     bool // of a Memory Region: base is a Virtual Address, not zero

	pd    *PD    // of a bound Memory Window too, but then user counts
	base  uint64 // TO of the first octet
	place place  // of a bound Memory Window: the memory of its region, and its own length

	entrySize, fbo uint64  // of a Memory Region: those of its list
	room           int     // of a Memory Region: the most entries that its list may have
	only           [1]span // of RegisterOctets
	windows        int     // of a Memory Region: number of bound windows

	parent *stag   // of a bound Memory Window
	offset uint64  // of a bound Memory Window: of its first octet in the region
	user   *access // of a bound Memory Window: that of its QP
}

// A stagTable finds STags by their index.
type stagTable struct {
	all              map[STag]*stag
	regions, windows int
}

// maxSTags is an eighth of all indexes, so that a guess is unlikely to hit an STag, and a free index is soon found.
const maxSTags = 1 << 24 / 8

// lookup finds an STag by its index; nil if it is not allocated. STag 0 never is.
func (r *RNIC) lookup(s STag) *stag { return r.stags.all[s.Index()] }

// find finds an STag for a verb that takes an index. It fails with ErrInvalidRNIC or ErrInvalidSTag.
func (r *RNIC) find(index STag) (*stag, error) {
	if !r.works() {
		return nil, ErrInvalidRNIC
	}
	if s := r.lookup(index); s != nil {
		return s, nil
	}
	return nil, ErrInvalidSTag
}

// addSTag gives s an index that cannot be predicted.
func (r *RNIC) addSTag(s *stag) error {
	count, limit := &r.stags.regions, r.limits.MRs
	if s.window {
		count, limit = &r.stags.windows, r.limits.MWs
	}
	if *count >= limit || len(r.stags.all) >= maxSTags {
		return ErrInsufficientResources
	}
	if r.stags.all == nil {
		r.stags.all = make(map[STag]*stag)
	}
	for s.index == 0 || r.stags.all[s.index] != nil {
		s.index = STag(r.random.Uint64()).Index()
	}
	r.stags.all[s.index] = s
	s.pd.users++
	*count++
	return nil
}

func (r *RNIC) removeSTag(s *stag) {
	delete(r.stags.all, s.index)
	s.unbind()
	s.pd.users--
	if s.window {
		r.stags.windows--
	} else {
		r.stags.regions--
	}
}

// invalidate puts s into the Invalid state, in which it has no memory. A Memory Window leaves its region and its QP.
// It then belongs to the PD of the QP, which was its PD before (Verbs, section 7.10.4).
func (s *stag) invalidate() {
	s.valid, s.place = false, place{}
	s.unbind()
}

func (s *stag) moveTo(pd *PD) {
	s.pd.users--
	s.pd = pd
	s.pd.users++
}

// unbind takes a Memory Window off its region and its QP.
func (s *stag) unbind() {
	if s.parent == nil {
		return
	}
	s.parent.windows--
	s.user.windows--
	s.parent, s.user = nil, nil
}

// Deallocate destroys a Memory Region or Window, whatever its state and key (Verbs, section 9.2.6.4). It fails with
// ErrInvalidRNIC, ErrInvalidSTag, or ErrMRHasWindows while Memory Windows are bound to the region.
func (r *RNIC) Deallocate(index STag) error {
	s, err := r.find(index)
	switch {
	case err != nil:
		return err
	case s.windows > 0:
		return ErrMRHasWindows
	}
	r.removeSTag(s)
	return nil
}

// contains reports whether n octets from TO on lie within s. If n is 0, the TO alone has to, or be that of the end.
func (s *stag) contains(to, n uint64) fault {
	switch {
	case n > 0 && to+(n-1) < to:
		return faultWrap
	case to < s.base, to-s.base > s.place.length, n > s.place.length-(to-s.base):
		return faultBounds
	}
	return faultless
}

// locate finds n octets from TO on.
func (s *stag) locate(to, n uint64) (p *place, offset uint64, f fault) {
	if f = s.contains(to, n); f != faultless {
		return nil, 0, f
	}
	return &s.place, s.offset + (to - s.base), faultless
}

// aligned reports whether the octet at a TO has an address that is a multiple of 8, as the target of an Atomic must (RFC
// 7306, section 8.1). Outside of s the TO itself has to be one.
func (s *stag) aligned(to uint64) bool {
	if offset := to - s.base; offset < s.place.length {
		return s.place.address(s.offset+offset)%atomicLen == 0
	}
	return to%atomicLen == 0
}

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
