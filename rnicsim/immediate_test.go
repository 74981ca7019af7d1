package rnicsim

import "testing"

// A refusal is a verb that is refused, and with what.
type refusal struct {
	name string
	verb func(w *world) (any, error)
	want ImmediateError
}

// only gives a verb without a result one.
func only(err error) (any, error) { return nil, err }

// register is RegisterMR of a registration with a mistake.
func register(change func(*Registration)) func(w *world) (any, error) {
	return func(w *world) (any, error) { return w.r.RegisterMR(w.pd, w.with(change)) }
}

// share is RegisterSharedMR of a registration with a mistake.
func share(change func(*Registration)) func(w *world) (any, error) {
	return func(w *world) (any, error) { return w.r.RegisterSharedMR(w.region, w.pd, w.with(change)) }
}

var refusals = []refusal{
	{"deallocate nil PD", func(w *world) (any, error) { return only((*PD)(nil).Deallocate()) }, ErrInvalidPD},
	{"deallocate PD in use", func(w *world) (any, error) { return only(w.pd.Deallocate()) }, ErrPDInUse},
	{"create CQ of 0", func(w *world) (any, error) { return w.r.CreateCQ(0, 0) }, ErrTooManyCQEs},
	{"create CQ too large", func(w *world) (any, error) { return w.r.CreateCQ(17, 0) }, ErrTooManyCQEs},
	{"create CQ without such a handler", func(w *world) (any, error) { return w.r.CreateCQ(1, 99) }, ErrInvalidHandler},
	{"query nil CQ", func(w *world) (any, error) { _, _, err := (*CQ)(nil).Query(); return nil, err }, ErrInvalidCQ},
	{"modify nil CQ", func(w *world) (any, error) { return (*CQ)(nil).Modify(1) }, ErrInvalidCQ},
	{"modify CQ to 0", func(w *world) (any, error) { return w.cq.Modify(0) }, ErrTooManyCQEs},
	{"modify CQ too large", func(w *world) (any, error) { return w.cq.Modify(17) }, ErrTooManyCQEs},
	{"destroy nil CQ", func(w *world) (any, error) { return only((*CQ)(nil).Destroy()) }, ErrInvalidCQ},
	{"destroy CQ in use", func(w *world) (any, error) { return only(w.cq.Destroy()) }, ErrCQInUse},
	{"poll nil CQ", func(w *world) (any, error) { return (*CQ)(nil).Poll(nil) }, ErrInvalidCQ},
	{"poll empty CQ", func(w *world) (any, error) { return w.cq.Poll(make([]Completion, 1)) }, ErrCQEmpty},
	{"arm nil CQ", func(w *world) (any, error) { return only((*CQ)(nil).RequestNotification(false)) }, ErrInvalidCQ},
	{"add no handler", func(w *world) (any, error) { return w.r.AddCompletionEventHandler(nil) }, ErrInvalidHandler},
	{"set no such handler", func(w *world) (any, error) { return only(w.r.SetCompletionEventHandler(99, func(*CQ) {})) }, ErrInvalidHandler},
	{"set handler 0", func(w *world) (any, error) { return only(w.r.SetCompletionEventHandler(0, nil)) }, ErrInvalidHandler},

	{"allocate MR without PD", func(w *world) (any, error) { return w.r.AllocateMR(nil, 1, true) }, ErrInvalidPD},
	{"allocate MR of -1", func(w *world) (any, error) { return w.r.AllocateMR(w.pd, -1, true) }, ErrInsufficientResources},
	{"allocate MR too large", func(w *world) (any, error) { return w.r.AllocateMR(w.pd, 5, true) }, ErrInsufficientResources},
	{"register without PD", func(w *world) (any, error) { return w.r.RegisterMR(nil, w.registration()) }, ErrInvalidPD},
	{"register a list too long", register(func(g *Registration) { g.Entries = make([]uint64, 5) }), ErrInsufficientResources},
	{"register pages of 0", register(func(g *Registration) { g.EntrySize = 0 }), ErrInvalidEntrySize},
	{"register pages of 3 KiB", register(func(g *Registration) { g.EntrySize = 3 << 10 }), ErrInvalidEntrySize},
	{"register pages of 16 KiB", register(func(g *Registration) { g.EntrySize = 1 << 14 }), ErrInvalidEntrySize},
	{"register from beyond the page", register(func(g *Registration) { g.FBO, g.VA = 4096, worldBase }), ErrInvalidFBO},
	{"register more than the list", register(func(g *Registration) { g.Length++ }), ErrInvalidLength},
	{"register more from an offset", register(func(g *Registration) { g.FBO, g.VA = 1, worldBase+1 }), ErrInvalidLength},
	{"register 2^64-1 octets", register(func(g *Registration) { g.Length, g.FBO, g.VA = 1<<64-1, 2, 2 }), ErrInvalidLength},
	{"register pages askew", register(func(g *Registration) { g.Entries[1]++ }), ErrInvalidPBLEntry},
	{"register no memory", register(func(g *Registration) { g.Entries[1] = 0x40000 }), ErrInvalidPBLEntry},
	{"register VA other than FBO", register(func(g *Registration) { g.VA++ }), ErrInvalidVA},
	{"register VA that wraps", register(func(g *Registration) { g.VA = 1<<64 - memoryPage }), ErrInvalidVA},
	{"register no local right", register(func(g *Registration) { g.Rights = BindWindows }), ErrInvalidAccess},
	{"register no such right", register(func(g *Registration) { g.Rights |= 1 << 5 }), ErrInvalidAccess},
	{"register without the flag", register(func(g *Registration) { g.RemoteAccess = false }), ErrInvalidAccess},
	{"register octets that wrap", func(w *world) (any, error) {
		return w.r.RegisterOctets(w.pd, make([]byte, 2), 1<<64-1, LocalRead, 0)
	}, ErrInvalidVA},
	{"register octets remotely only", func(w *world) (any, error) {
		return w.r.RegisterOctets(w.pd, make([]byte, 2), 0, RemoteRead, 0)
	}, ErrInvalidAccess},
	{"register octets of 5 pages", func(w *world) (any, error) {
		return w.r.RegisterOctets(w.pd, make([]byte, 4*memoryPage), 1, LocalRead, 0)
	}, ErrInsufficientResources},

	{"reregister STag 0", func(w *world) (any, error) { return w.r.ReregisterMR(0, w.pd, w.registration()) }, ErrInvalidSTag},
	{"reregister window", func(w *world) (any, error) { return w.r.ReregisterMR(w.window, w.pd, w.registration()) }, ErrInvalidSTag},
	{"share STag 0", func(w *world) (any, error) { return w.r.RegisterSharedMR(0, w.pd, w.registration()) }, ErrInvalidSTag},
	{"share window", func(w *world) (any, error) { return w.r.RegisterSharedMR(w.window, w.pd, w.registration()) }, ErrInvalidSTag},
	{"share invalid MR", func(w *world) (any, error) { return w.r.RegisterSharedMR(w.allocated, w.pd, w.registration()) }, ErrInvalidSTag},
	{"share with another key", func(w *world) (any, error) { return w.r.RegisterSharedMR(w.region+1, w.pd, w.registration()) }, ErrInvalidSTag},
	{"share without PD", func(w *world) (any, error) { return w.r.RegisterSharedMR(w.region, nil, w.registration()) }, ErrInvalidPD},
	{"share VA other than FBO", share(func(g *Registration) { g.VA++ }), ErrInvalidVA},
	{"share VA that wraps", share(func(g *Registration) { g.VA = 1<<64 - memoryPage }), ErrInvalidVA},
	{"share remotely only", share(func(g *Registration) { g.Rights = RemoteRead }), ErrInvalidAccess},
	{"share without the flag", share(func(g *Registration) { g.RemoteAccess = false }), ErrInvalidAccess},
	{"query MR of window", func(w *world) (any, error) { return w.r.QueryMR(w.window) }, ErrInvalidSTag},
	{"query MR of STag 0", func(w *world) (any, error) { return w.r.QueryMR(0) }, ErrInvalidSTag},
	{"query MW of region", func(w *world) (any, error) { return w.r.QueryMW(w.region) }, ErrInvalidSTag},
	{"query MW of STag 0", func(w *world) (any, error) { return w.r.QueryMW(0) }, ErrInvalidSTag},
	{"query MW that is gone", func(w *world) (any, error) { return w.r.QueryMW(w.freedWindow) }, ErrInvalidSTag},
	{"deallocate STag 0", func(w *world) (any, error) { return only(w.r.Deallocate(0)) }, ErrInvalidSTag},
	{"deallocate twice", func(w *world) (any, error) { return only(w.r.Deallocate(w.freedWindow)) }, ErrInvalidSTag},
	{"allocate MW without PD", func(w *world) (any, error) { return w.r.AllocateMW(nil) }, ErrInvalidPD},

	{"post STag 0 to be bound to", post(WorkRequest{Op: OpBind, Bind: &Bind{Window: 1 << 8}}), ErrInvalidModifier},
	{"post STag 0 to be invalidated", post(WorkRequest{Op: OpInvalidate, STag: 0x11}), ErrInvalidModifier},
	{"post STag 0 to be registered", post(WorkRequest{Op: OpFastRegister, Registration: new(Registration)}), ErrInvalidModifier},
}

func post(wr WorkRequest) func(w *world) (any, error) {
	return func(w *world) (any, error) { return w.qp.PostSQ(wr) }
}

// V-010 V-023 V-029 V-030 V-034 V-156 V-157 V-162 V-164 V-185 V-194 V-196 V-276 V-293: a verb with wrong arguments
// returns what is wrong, and changes nothing.
func TestRefusals(t *testing.T) {
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			before := w.dump()
			if _, err := c.verb(w); err != c.want {
				t.Errorf("%v, want %v", err, c.want)
			}
			if after := w.dump(); after != before {
				t.Errorf("changed from\n%sto\n%s", before, after)
			}
		})
	}
}

// V-010 V-168 V-212 V-231: a region with windows can be neither deallocated nor reregistered.
func TestRegionWithWindows(t *testing.T) {
	w := newWorld(t)
	w.bound(t)
	before := w.dump()
	if err := w.r.Deallocate(w.region); err != ErrMRHasWindows {
		t.Error(err)
	}
	if _, err := w.r.ReregisterMR(w.region, nil, Registration{}); err != ErrMRHasWindows {
		t.Error(err)
	}
	if after := w.dump(); after != before {
		t.Errorf("changed from\n%sto\n%s", before, after)
	}
	if err := w.r.Deallocate(w.window); err != nil {
		t.Fatal(err)
	}
	if err := w.r.Deallocate(w.region); err != nil {
		t.Error(err)
	}
}

// V-280 V-283 V-293: every error, status and event has a text of its own.
func TestTexts(t *testing.T) {
	differ := func(kind string, n int, text func(i int) string) {
		seen := map[string]int{}
		for i := range n {
			s := text(i)
			if other, ok := seen[s]; ok || s == "" {
				t.Errorf("%s %d is %q, as is %d", kind, i, s, other)
			}
			seen[s] = i
		}
	}
	differ("error", len(immediateTexts)-1, func(i int) string { return immediateTexts[i+1] })
	differ("status", len(statusTexts), func(i int) string { return Status(i).String() })
	differ("event", len(eventTexts)-1, func(i int) string { return EventType(i + 1).String() })
	differ("stream error", len(streamTexts)-1, func(i int) string { return streamTexts[i+1] })
	differ("phase", len(phaseNames), func(i int) string { return Phase(i).String() })
	if ErrHasSRQ.Error() != "rnicsim: the RQ is a Shared Receive Queue" || InvalidWindow.String() != "Invalid Window" ||
		RNICCatastrophic.String() != "RNIC Catastrophic Failure" || ErrReset.Error() != "rnicsim: reset by the peer" {
		t.Error("texts have slipped")
	}
}
