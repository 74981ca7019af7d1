package rnicsim

// What one stream cannot do to another, or to memory that was not meant for it (RFC 5042). S1, S2 and so on are names
// of tests; those about resources are in siege_test.go.

import (
	"bytes"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A siege is one RNIC with memory, a friend and two other peers.
type siege struct {
	server  *RNIC
	friend  *side // its stream has the PD of the memory, and a window
	sibling *side // its stream has that PD too
	enemy   *side // its stream has another PD
	octets  []byte
	region  STag // of 64 octets at siegeBase, with all rights
	window  STag // the same octets, for the friend
}

const siegeBase, siegeLen = 0x100000, 64

// guard is the number of octets around the memory.
const guard = 16

func besiege(t *testing.T, profile string) *siege {
	t.Helper()
	s := &siege{server: New(Config{Profile: peers.LookupProfile(profile)})}
	pd := must(s.server.AllocatePD())
	s.friend, s.sibling, s.enemy = s.connect(t, pd, nil), s.connect(t, pd, nil), s.connect(t, nil, nil)
	around := bytes.Repeat([]byte{0xaa}, guard+siegeLen+guard)
	s.octets = around
	s.region = must(s.server.RegisterOctets(pd, around[guard:guard+siegeLen], siegeBase, allRights, 0x11))
	s.window = must(s.server.AllocateMW(pd)).WithKey(0x22)
	all := &Bind{Window: s.window, Region: s.region, VA: siegeBase, Length: siegeLen, Rights: RemoteRead | RemoteWrite}
	if status := s.friend.peer.qp.access.bind(all); status != Success {
		t.Fatal(status)
	}
	return s
}

// connect connects a client to a QP of the server, with a PD and an S-RQ if given, and returns the client.
func (s *siege) connect(t *testing.T, pd *PD, srq *SRQ) *side {
	t.Helper()
	o := defaults()
	o.emss = 160
	client := newSide(t, o, nil)
	o.qp.PD, o.qp.SRQ = pd, srq
	served := newSide(t, o, s.server)
	if err := join(client, served); err != nil {
		t.Fatal(err)
	}
	for _, e := range []*side{client, served} {
		if err := e.qp.Modify(Modification{State: RTS, Stream: e.stream}); err != nil {
			t.Fatal(err)
		}
	}
	if srq == nil {
		must(served.qp.PostRQ(WorkRequest{}, WorkRequest{}))
	}
	return client
}

// request posts a Work Request of a client, whose own memory is 200 octets of 0x55.
func request(t *testing.T, client *side, op Op, stag STag, to uint64, n uint32) {
	t.Helper()
	own := client.region(bytes.Repeat([]byte{0x55}, 200), 0, allRights)
	wr := WorkRequest{Op: op, Remote: stag, RemoteTO: to, Local: SGE{own, 0, n}, STag: stag, Data: 1}
	if op == OpWrite {
		wr.SGL = []SGE{wr.Local}
	}
	if _, err := client.qp.PostSQ(wr); err != nil {
		t.Fatal(err)
	}
	run(client, client.peer)
}

// code returns the code of the Terminate that a client got; "" if its stream continues.
func code(client *side) string {
	var h rdmap.Terminate
	switch q := client.qp; {
	case q.life.state == RTS:
		return ""
	case q.life.last == nil:
		return q.life.state.String()
	default:
		h.Decode(q.life.last.Header)
	}
	return h.Code.String()
}

// unharmed checks that no octet has changed, and that all but one of the streams still work.
func (s *siege) unharmed(t *testing.T, but *side) {
	t.Helper()
	if !bytes.Equal(s.octets, bytes.Repeat([]byte{0xaa}, len(s.octets))) {
		t.Errorf("memory has changed:\n% x", s.octets)
	}
	for _, client := range []*side{s.friend, s.sibling, s.enemy} {
		if client != but {
			if request(t, client, OpSend, 0, 0, 0); code(client) != "" {
				t.Errorf("another stream has ended with %s", code(client))
			}
		}
	}
}

// S1 S2 S3 S5 SEC-6.1.1-2 SEC-6.1.1-3 SEC-6.2.1-1 SEC-6.3.1-1 SEC-6.3.5-1 RDMAP-8.1.1-1 RDMAP-8.1.1-2 RDMAP-8.1.1-3
// V-019 V-020 V-188 V-189 V-199 V-225 V-294 V-295: what a client must not do is refused, and harms nobody else.
func TestIsolation(t *testing.T) {
	sealed := func(rights Rights) func(s *siege) STag {
		return func(s *siege) STag {
			octets := s.octets[guard : guard+siegeLen]
			return must(s.server.RegisterOctets(s.friend.peer.pd, octets, siegeBase, LocalRead|LocalWrite|rights, 0x33))
		}
	}
	region, window := func(s *siege) STag { return s.region }, func(s *siege) STag { return s.window }
	friend, sibling := func(s *siege) *side { return s.friend }, func(s *siege) *side { return s.sibling }
	enemy := func(s *siege) *side { return s.enemy }
	const end = siegeBase + siegeLen
	for _, c := range []struct {
		name   string
		who    func(*siege) *side
		op     Op
		stag   func(*siege) STag
		to     uint64
		n      uint32
		want   string
		change func(*siege)
	}{
		{"S1 Write", enemy, OpWrite, region, siegeBase, 8, "1/1/02", nil},
		{"S1 Read", enemy, OpRead, region, siegeBase, 8, "0/1/03", nil},
		{"S1 Atomic", enemy, OpFetchAdd, region, siegeBase, 8, "0/1/03", nil},
		{"S1 Invalidate", enemy, OpSendInvalidate, region, 0, 0, "0/1/09", nil},
		{"S2 Write", sibling, OpWrite, window, siegeBase, 8, "1/1/02", nil},
		{"S2 Read", sibling, OpRead, window, siegeBase, 8, "0/1/03", nil},
		{"S2 Atomic", sibling, OpFetchAdd, window, siegeBase, 8, "0/1/03", nil},
		{"S2 Invalidate", sibling, OpSendInvalidate, window, 0, 0, "0/1/09", nil},

		{"S3 Write before", friend, OpWrite, region, siegeBase - 1, 1, "1/1/01", nil},
		{"S3 Write after", friend, OpWrite, region, end, 1, "1/1/01", nil},
		{"S3 Write across the end", friend, OpWrite, region, end - 7, 8, "1/1/01", nil},
		{"S3 Write across the beginning", friend, OpWrite, window, siegeBase - 1, 8, "1/1/01", nil},
		{"S3 Write of all and more", friend, OpWrite, window, siegeBase, siegeLen + 1, "1/1/01", nil},
		{"S3 Write around", friend, OpWrite, region, 1<<64 - 4, 8, "1/1/03", nil},
		{"S3 Write up to 2^64", friend, OpWrite, region, 1<<64 - 8, 8, "1/1/03", nil}, // T-40
		{"S3 Read before", friend, OpRead, region, siegeBase - 1, 1, "0/1/01", nil},
		{"S3 Read after", friend, OpRead, window, end, 1, "0/1/01", nil},
		{"S3 Read across the end", friend, OpRead, region, end - 7, 8, "0/1/01", nil},
		{"S3 Read around", friend, OpRead, region, 1<<64 - 4, 8, "0/1/04", nil},
		{"S3 Atomic after", friend, OpFetchAdd, region, end, 8, "0/1/01", nil},
		{"S3 Atomic askew", friend, OpCmpSwap, region, siegeBase + 4, 8, "0/2/07", nil},

		{"S5 Read", friend, OpRead, sealed(RemoteWrite), siegeBase, 8, "0/1/02", nil},
		{"S5 Write", friend, OpWrite, sealed(RemoteRead), siegeBase, 8, "1/1/00", nil},
		{"S5 Atomic", friend, OpFetchAdd, sealed(RemoteWrite), siegeBase, 8, "0/1/02", nil},
		{"S5 Atomic on what can be read", friend, OpFetchAdd, sealed(RemoteRead), siegeBase, 8, "0/1/02", nil},
		{"S5 Invalidate", friend, OpSendInvalidate, sealed(0), 0, 0, "0/1/09", nil},

		{"STag 0", friend, OpSendInvalidate, func(*siege) STag { return 0 }, 0, 0, "0/2/09", nil}, // V-156
		{"key", friend, OpWrite, func(s *siege) STag { return s.region ^ 1 }, siegeBase, 8, "1/1/00", nil},
		{"unknown", friend, OpRead, func(s *siege) STag { return s.region ^ 1<<9 }, siegeBase, 8, "0/1/00", nil},

		{"S4 Write", friend, OpWrite, region, siegeBase, 8, "1/1/00", revoke}, // SEC-6.2.2-2
		{"S4 Read", friend, OpRead, region, siegeBase, 8, "0/1/00", revoke},
		{"S4 Atomic", friend, OpFetchAdd, region, siegeBase, 8, "0/1/00", revoke},
		{"S4 Write to window", friend, OpWrite, window, siegeBase, 8, "1/1/00", revoke},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := besiege(t, "rfc")
			if c.change != nil {
				c.change(s)
			}
			who := c.who(s)
			if request(t, who, c.op, c.stag(s), c.to, c.n); code(who) != c.want {
				t.Errorf("%q, want %q", code(who), c.want)
			}
			s.unharmed(t, who)
		})
	}
}

func revoke(s *siege) {
	for _, stag := range []STag{s.window, s.region} {
		if i := s.friend.peer.qp.access.invalidate(stag, false); i != invalidated {
			panic(i)
		}
	}
}

// Clients with the rights to memory can use it: what TestIsolation refuses is not refused to everybody.
func TestNotIsolated(t *testing.T) {
	for _, op := range []Op{OpWrite, OpRead, OpFetchAdd, OpCmpSwap} {
		s := besiege(t, "rfc")
		for _, c := range []struct {
			who  *side
			stag STag
		}{{s.friend, s.region}, {s.sibling, s.region}, {s.friend, s.window}} {
			if request(t, c.who, op, c.stag, siegeBase+siegeLen-8, 8); code(c.who) != "" {
				t.Errorf("%v: %s", op, code(c.who))
			}
			if !bytes.Equal(s.octets[guard+siegeLen:], bytes.Repeat([]byte{0xaa}, guard)) {
				t.Errorf("%v has changed what lies beyond", op)
			}
		}
	}
}

// V-213 T-40: an access that ends at 2^64 wraps according to the RFCs, but not to the Verbs.
func TestUpTo2To64(t *testing.T) {
	const to = 1<<64 - 8
	for _, c := range []struct {
		profile string
		op      Op
		exists  bool
		want    string
	}{
		{"rfc", OpWrite, true, "1/1/03"}, {"rfc", OpRead, true, "0/1/04"}, {"rfc", OpWrite, false, "1/1/03"},
		{"verbs", OpWrite, true, ""}, {"verbs", OpRead, true, ""}, {"verbs", OpWrite, false, "1/1/01"},
	} {
		s := besiege(t, c.profile)
		stag := s.region
		if c.exists {
			stag = must(s.server.RegisterOctets(s.friend.peer.pd, make([]byte, 8), to, allRights, 1))
		}
		if request(t, s.friend, c.op, stag, to, 8); code(s.friend) != c.want {
			t.Errorf("%v in profile %s, memory there %v: %q, want %q", c.op, c.profile, c.exists, code(s.friend), c.want)
		}
	}
}

// V-188: if neither the QP nor the STag allows remote writes, the event is about the QP, beyond the bounds too (Verbs,
// section 7.6.3).
func TestWriteThatNobodyAllows(t *testing.T) {
	for _, allows := range []bool{false, true} {
		for _, c := range []struct {
			rights Rights
			to     uint64
			want   EventType
		}{
			{0, 0, ProtectionRights}, {0, 99, ProtectionRights}, {RemoteWrite, 99, ProtectionBounds}, {RemoteWrite, 1<<64 - 4, ProtectionWrap},
		} {
			o := defaults()
			o.qp.RemoteWrite = allows
			a, b := newPair(t, defaults(), o)
			stag := b.region(make([]byte, 8), 0, LocalWrite|LocalRead|c.rights)
			src := a.region(make([]byte, 8), 0, allRights)
			must(a.qp.PostSQ(WorkRequest{Op: OpWrite, SGL: []SGE{{src, 0, 8}}, Remote: stag, RemoteTO: c.to}))
			run(a, b)
			if !allows {
				c.want = RemoteWriteNotEnabled
			}
			if len(b.events) != 1 || b.events[0] != c.want {
				t.Errorf("%v, TO %x, allowed %v: %v, want %v", c.rights, c.to, allows, b.events, c.want)
			}
		}
	}
}

// S6 V-200 V-261 SEC-6.3.5-2: a message without octets needs no STag.
func TestZeroLength(t *testing.T) {
	s := besiege(t, "rfc")
	writable := must(s.server.RegisterOctets(s.friend.peer.pd, s.octets, 0, LocalWrite|RemoteWrite, 1))
	for _, stag := range []STag{writable, s.region ^ 1, 0xdeadbeef, 0} {
		for _, op := range []Op{OpRead, OpWrite} {
			if request(t, s.enemy, op, stag, 1<<63, 0); code(s.enemy) != "" {
				t.Fatalf("%v of STag %08x: %s", op, stag, code(s.enemy))
			}
		}
	}
	if got := s.enemy.poll(); len(got) != 8 || got[7].Status != Success {
		t.Errorf("completions %v", got)
	}
	s.unharmed(t, nil)
}

// S8 V-202 RDMAP-8.1.1-7: no peer can invalidate what several share.
func TestSharedIsNotInvalidated(t *testing.T) {
	s := besiege(t, "rfc")
	shared := must(s.server.RegisterSharedMR(s.region, s.enemy.peer.pd, Registration{
		VA: siegeBase, Key: 0x44, RemoteAccess: true, Rights: allRights,
	}))
	request(t, s.enemy, OpSendInvalidate, shared, 0, 0)
	request(t, s.sibling, OpSendInvalidate, s.region, 0, 0)
	if code(s.enemy) != "0/2/09" || code(s.sibling) != "0/2/09" {
		t.Errorf("%q and %q", code(s.enemy), code(s.sibling))
	}
	if request(t, s.friend, OpRead, s.region, siegeBase, 8); code(s.friend) != "" {
		t.Errorf("the region is gone: %q", code(s.friend))
	}
	if a := must(s.server.QueryMR(shared)); !a.Valid {
		t.Error("the shared region is gone")
	}
}

// RDMAP-8.1.1-4 RDMAP-8.1.1-5 SEC-6.3.5-1: the peer has the rights that the Consumer gives to octets, for as long as
// that wants: for reading, for writing, for both or for none, as each registration says.
func TestRightsAreGivenAndTaken(t *testing.T) {
	const local = LocalRead | LocalWrite
	ops := map[Op]Rights{OpRead: RemoteRead, OpWrite: RemoteWrite, OpFetchAdd: RemoteRead | RemoteWrite}
	for _, first := range []Rights{0, RemoteRead, RemoteWrite, RemoteRead | RemoteWrite} {
		for _, then := range []Rights{0, RemoteRead, RemoteWrite, RemoteRead | RemoteWrite} {
			for op, needed := range ops {
				s := besiege(t, "rfc")
				pd := s.friend.peer.pd
				give := func(r Rights) Registration {
					at := must(s.server.memory.Add(make([]byte, 8), 0))
					return Registration{PBL: PBL{EntrySize: memoryPage, Entries: []uint64{at}, Length: 8},
						ZeroBased: true, Key: uint8(1 + r), RemoteAccess: true, Rights: local | r}
				}
				stag := must(s.server.RegisterMR(pd, give(first))).WithKey(uint8(1 + first))
				before := stag
				if first != then {
					stag = must(s.server.ReregisterMR(stag, pd, give(then))).WithKey(uint8(1 + then))
				}
				if request(t, s.friend, op, stag, 0, 8); (code(s.friend) == "") != then.has(needed) {
					t.Errorf("%v with %v, before it %v: %q", op, then, first, code(s.friend))
				}
				if request(t, s.sibling, op, before, 0, 8); first != then && code(s.sibling) == "" {
					t.Errorf("%v with the STag of before, %v, and now %v", op, first, then)
				}
			}
		}
	}
}

// S13 RDMAP-5.2.2-8: an answer to a Read that names other memory than was asked for is not placed there, though the peer
// may write there by other messages.
func TestForgedResponse(t *testing.T) {
	for name, forge := range map[string]func(g *rdmap.Segment, other STag){
		"STag":        func(g *rdmap.Segment, other STag) { g.Tagged.STag = uint32(other) },
		"TO":          func(g *rdmap.Segment, _ STag) { g.Tagged.TO += 8 },
		"more octets": func(g *rdmap.Segment, _ STag) { g.Body = append(g.Body, make([]byte, 8)...) },
	} {
		s := besiege(t, "rfc")
		octets := make([]byte, 64)
		sink := must(s.friend.rnic.RegisterOctets(s.friend.pd, octets[:32], 0, allRights, 1))
		other := must(s.friend.rnic.RegisterOctets(s.friend.pd, octets[32:], 0, allRights, 1))
		must(s.friend.qp.PostSQ(WorkRequest{Op: OpRead, Local: SGE{sink, 0, 8}, Remote: s.region, RemoteTO: siegeBase}))
		s.friend.move()
		var g rdmap.Segment
		sent := s.friend.peer.stream.AppendTransmit(nil, 1)
		g.Decode(sent[2 : len(sent)-6]) // 22 octets of ULPDU and 2 of PAD
		g.Body = bytes.Clone(g.Body[:8])
		forge(&g, other)
		s.friend.stream.Input(framed(must(g.AppendBinary(nil))))
		run(s.friend)
		if s.friend.qp.life.last == nil || !bytes.Equal(octets, make([]byte, 64)) {
			t.Errorf("%s: the QP is in %v, the memory holds % x", name, s.friend.qp.life.state, octets)
		}
	}
}

// S4 V-171 V-205 V-211 V-228 SEC-6.2.2-2 RDMAP-8.1.1-6: memory that is revoked in the middle of a message gets no more
// octets of it.
func TestRevokedMidway(t *testing.T) {
	for name, revoke := range map[string]func(s *siege, stag STag){
		"invalidate": func(s *siege, stag STag) { s.friend.peer.qp.access.invalidate(stag, false) },
		"deallocate": func(s *siege, stag STag) { s.server.Deallocate(stag) },
		"reregister": func(s *siege, stag STag) {
			s.server.ReregisterMR(stag, s.friend.peer.pd, Registration{Key: 9, PBL: PBL{EntrySize: memoryPage}, Rights: LocalRead})
		},
	} {
		for op, want := range map[Op]string{OpWrite: "1/1/00", OpRead: "0/1/00"} {
			s := besiege(t, "rfc")
			octets := make([]byte, 500)
			stag := must(s.server.RegisterOctets(s.friend.peer.pd, octets, 0, allRights, 1))
			begun := must(s.friend.rnic.RegisterOctets(s.friend.pd, bytes.Repeat([]byte{0x55}, 500), 0, allRights, 1))
			must(s.friend.qp.PostSQ(WorkRequest{Op: op, SGL: []SGE{{begun, 0, 500}}, Local: SGE{begun, 0, 500}, Remote: stag}))
			sender := s.friend
			if op == OpRead {
				s.friend.move()
				sender = s.friend.peer
			}
			sender.move() // the first of several segments
			before := bytes.Clone(octets)
			if op == OpWrite && bytes.Equal(before, make([]byte, 500)) {
				t.Fatal("nothing was placed")
			}
			revoke(s, stag)
			run(s.friend, s.friend.peer)
			if !bytes.Equal(octets, before) || code(s.friend) != want {
				t.Errorf("%s, %v: %q, want %q", name, op, code(s.friend), want)
			}
		}
	}
}
