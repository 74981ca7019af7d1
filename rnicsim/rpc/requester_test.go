package rpc_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A link is a Requester and a Responder, with nothing between them. The rules judge what they send.
type link struct {
	*rpc.Requester
	t         testing.TB
	responder *rpc.Responder
	options   rpc.Options // of the Responder
	regions   map[uint32]*lent
	stags     uint32
	refuses   error // of Register
	stuck     error // of Deregister
	law       rpcrules.Stream
	calls     [2]map[uint32]*rpcrules.Call // open, by side
	parts     [2]int
	inline    [2]uint64
	sent      []string // messages of the Requester: their type, and which chunks they have
	came      []string // messages of the Responder, likewise
	remote    int      // STags that the Responder invalidated
	closed    bool
	lost      int // messages until the connection is lost; 0 for never
}

// A lent is memory of the Requester that is registered.
type lent struct {
	octets []byte
	to     uint64
	write  bool
	gone   bool // invalidated by the peer
}

func newLink(t testing.TB, requester, responder rpc.Options, serve func([]byte) []byte) *link {
	l := &link{t: t, Requester: rpc.NewRequester(requester, serve), options: responder}
	l.connect()
	return l
}

// connect begins a new connection.
func (l *link) connect() {
	l.responder = rpc.NewResponder(l.options, l.Private())
	l.regions = make(map[uint32]*lent)
	l.law.Reset(rpcrules.Conditions{})
	l.calls = [2]map[uint32]*rpcrules.Call{{}, {}}
	l.parts, l.inline = [2]int{}, [2]uint64{}
	l.closed = false
	l.Connected(l.responder.Private(), l)
	l.act()
}

// Register and Deregister are the Memory of the Requester.
func (l *link) Register(octets []byte, write bool) (stag uint32, to uint64, err error) {
	if l.refuses != nil {
		return 0, 0, l.refuses
	}
	l.stags++
	to = uint64(l.stags) << 24
	l.regions[l.stags] = &lent{octets: octets, to: to, write: write}
	return l.stags, to, nil
}

func (l *link) Deregister(stag uint32, invalidated bool) error {
	r := l.regions[stag]
	if r == nil || r.gone != invalidated {
		l.t.Errorf("STag %d is deregistered as invalidated: %v", stag, invalidated)
	}
	delete(l.regions, stag)
	return l.stuck
}

// at returns octets that the Responder may read or write.
func (l *link) at(stag uint32, to uint64, n int, write bool) []byte {
	l.t.Helper()
	r := l.regions[stag]
	if r == nil || r.gone || r.write != write || to < r.to || to-r.to+uint64(n) > uint64(len(r.octets)) {
		l.t.Fatalf("%d octets at STag %d, TO %#x are not there", n, stag, to)
	}
	return r.octets[to-r.to:][:n]
}

// act performs Actions of both ends until there are none, or the connection is over.
func (l *link) act() {
	l.t.Helper()
	for !l.closed {
		mine, theirs := l.Actions(), l.responder.Actions()
		if len(mine)+len(theirs) == 0 {
			return
		}
		for _, a := range mine {
			switch {
			case l.closed:
			case a.Type == rpc.Close:
				l.closed = true
			case a.Type == rpc.Send:
				l.judge(rpcrules.Client, a.Octets)
				l.count()
				l.responder.Received(a.Octets)
			}
		}
		for _, a := range theirs {
			l.serve(a)
		}
	}
}

// count counts a message, and loses the connection when it is time.
func (l *link) count() {
	if l.lost > 0 {
		l.lost--
		l.closed = l.lost == 0
	}
}

// serve performs an Action of the Responder.
func (l *link) serve(a rpc.Action) {
	l.t.Helper()
	switch {
	case l.closed:
	case a.Type == rpc.Read:
		copy(a.Octets, l.at(a.STag, a.TO, len(a.Octets), false))
		l.responder.Done(a)
	case a.Type == rpc.Write:
		copy(l.at(a.STag, a.TO, len(a.Octets), true), a.Octets)
	case a.Type == rpc.Send:
		if a.STag != 0 {
			l.at(a.STag, l.regions[a.STag].to, 0, l.regions[a.STag].write)
			l.regions[a.STag].gone = true
			l.remote++
		}
		l.judge(rpcrules.Server, a.Octets)
		l.count()
		l.responder.Done(a)
		if !l.closed {
			l.Received(a.Octets, a.STag)
			clear(a.Octets)
		}
	case a.Type == rpc.Close:
		l.closed = true
	}
}

// judge judges a message by the rules, and notes its form.
func (l *link) judge(from rpcrules.Side, message []byte) {
	l.t.Helper()
	var m rpcrdma.Message
	m.Decode(message, len(message), rpcrdma.DetectDialect(message, len(message)))
	form := m.KindName()
	for name, has := range map[string]bool{"+reads": len(m.Reads) > 0 && !m.Reads.Has(0), "+body": m.Reads.Has(0)} {
		if has {
			form += name
		}
	}
	for _, s := range []struct {
		name string
		has  bool
	}{{"+writes", len(m.Writes) > 0}, {"+reply", m.Reply.Present()}, {"+more", m.More}} {
		if s.has {
			form += s.name
		}
	}
	if from == rpcrules.Client {
		l.sent = append(l.sent, form)
	} else {
		l.came = append(l.came, form)
	}
	fate, v := l.law.Message(from, &m, nil)
	switch m.Form {
	case rpcrdma.FormError:
		v = l.follow(from, &m, v)
	case rpcrdma.FormInline, rpcrdma.FormBody:
		l.parts[from]++
		l.inline[from] += uint64(len(m.Payload))
		if fate.Use == rpcrules.Whole {
			v = l.follow(from, &m, v)
			l.parts[from], l.inline[from] = 0, 0
		}
	}
	for _, x := range v {
		if x.Rule.Severity == rules.Error {
			l.t.Errorf("%d sends %s: %s: %s, expected %s", from, form, x.Rule.Name, x.Seen, x.Expected)
		}
	}
}

// follow tells the rules which Calls are open.
func (l *link) follow(from rpcrules.Side, m *rpcrdma.Message, v []rules.Violation) []rules.Violation {
	if m.Role == rpcrdma.Requester {
		c := new(rpcrules.Call)
		c.Keep(m, l.parts[from], nil, 1<<20)
		l.calls[from][m.XID] = c
		return rpcrules.CheckPositions(m.Dialect, m.Reads, l.inline[from], l.law.Called(from, c, v))
	}
	c := l.calls[1-from][m.XID]
	if c == nil && m.Form == rpcrdma.FormError {
		return v // it is about properties
	}
	if c == nil {
		l.t.Errorf("a Reply to no Call: %#x", m.XID)
		return v
	}
	delete(l.calls[1-from], m.XID)
	return l.law.Answered(from, c, m, l.parts[from], l.inline[from], v)
}

// one makes a Call and returns its end.
func (l *link) one(c *rpc.Call) rpc.Reply {
	l.t.Helper()
	l.sent, l.came = nil, nil
	if err := l.Call(c); err != nil {
		l.t.Fatal(err)
	}
	l.act()
	all := l.Replies()
	if len(all) != 1 || all[0].Call != c {
		l.t.Fatalf("%d Replies after %v and %v", len(all), l.sent, l.came)
	}
	return all[0]
}

// callOf returns a Call of the program.
func callOf(xid uint32, proc uint32) []byte {
	h := oncrpc.Call{XID: xid, RPCVers: oncrpc.Version, Prog: rpc.Program, Vers: rpc.ProgramVersion, Proc: proc}
	b, _ := h.AppendBinary(nil)
	return b
}

// replyLen is the length of a Reply of the program without results.
const replyLen = 24

// echoing returns a Call of ECHO, or of PLAIN, where nothing is eligible.
func echoing(xid uint32, eligible bool, items ...[]byte) *rpc.Call {
	proc := rpc.ProcPlain
	if eligible {
		proc = rpc.ProcEcho
	}
	c := &rpc.Call{Message: binary.BigEndian.AppendUint32(callOf(xid, proc), uint32(len(items))), Longest: replyLen + 4}
	for _, item := range items {
		c.Message = binary.BigEndian.AppendUint32(c.Message, 1)
		c.Message = binary.BigEndian.AppendUint32(c.Message, uint32(len(item)))
		c.Longest += 8
		if eligible {
			c.Arguments = append(c.Arguments, rpc.Argument{At: len(c.Message), Length: len(item)})
			c.Results = append(c.Results, rpc.Result{Longest: len(item)})
		} else {
			c.Longest += (len(item) + 3) &^ 3
		}
		c.Message = append(c.Message, item...)
		c.Message = append(c.Message, make([]byte, oncrpc.Fill(len(item)))...)
	}
	return c
}

// echoed compares the Reply to a Call of echoing.
func echoed(t testing.TB, r *rpc.Reply, items ...[]byte) {
	t.Helper()
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	rest := r.Message[replyLen+4:]
	for i, item := range items {
		got := rest[8:]
		if rest = got; len(r.Results) > 0 && r.Results[i] != nil {
			got = r.Results[i]
		} else {
			got = rest[:len(item)]
			rest = rest[len(item)+oncrpc.Fill(len(item)):]
		}
		if !bytes.Equal(got, item) {
			t.Fatalf("item %d of %d octets comes back as %d others", i, len(item), len(got))
		}
	}
	if len(rest) > 0 {
		t.Fatalf("%d octets are left", len(rest))
	}
}

// some returns octets.
func some(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + n)
	}
	return b
}

// A Call and its Reply take the shortest form that fits.
func TestRequesterForms(t *testing.T) {
	hint := func(c *rpc.Call) *rpc.Call {
		c.Arguments[1].Chunk, c.Results[1].Chunk = true, true
		return c
	}
	null := &rpc.Call{Message: callOf(1, rpc.ProcNull), Longest: replyLen}
	for _, test := range []struct {
		name       string
		version    uint32
		call       *rpc.Call
		items      [][]byte
		sent, came string
	}{
		{"nothing", 1, null, nil, "RDMA_MSG", "RDMA_MSG"},
		{"short", 1, echoing(1, true, some(5)), [][]byte{some(5)}, "RDMA_MSG", "RDMA_MSG"},
		{"eligible", 1, echoing(1, true, some(5), some(70000)), [][]byte{some(5), some(70000)},
			"RDMA_MSG+reads+writes", "RDMA_MSG+writes"},
		{"a hint", 1, hint(echoing(1, true, some(5), some(9))), [][]byte{some(5), some(9)},
			"RDMA_MSG+reads+writes", "RDMA_MSG+writes"},
		{"long", 1, echoing(1, false, some(5), some(7001)), [][]byte{some(5), some(7001)},
			"RDMA_NOMSG+body+reply", "RDMA_NOMSG+reply"},
		{"many", 1, echoing(1, true, slices.Repeat([][]byte{some(2000)}, 9)...), slices.Repeat([][]byte{some(2000)}, 9),
			"RDMA_MSG+reads+writes", "RDMA_MSG+writes"},
		{"nothing", 2, null, nil, "RDMA2_MSG", "RDMA2_MSG"},
		{"eligible", 2, echoing(1, true, some(5), some(70000)), [][]byte{some(5), some(70000)},
			"RDMA2_MSG+reads+writes", "RDMA2_MSG+writes"},
		{"parts", 2, echoing(1, false, some(7001)), [][]byte{some(7001)},
			"RDMA2_MSG+more RDMA2_MSG", "RDMA2_MSG+more RDMA2_MSG"},
		{"long", 2, echoing(1, false, some(20000)), [][]byte{some(20000)}, "RDMA2_NOMSG+body+reply", "RDMA2_NOMSG+reply"},
	} {
		for _, keep := range []bool{false, true} {
			l := newLink(t, rpc.Options{NoInvalidate: keep, Versions: []uint32{test.version}}, rpc.Options{}, nil)
			r := l.one(test.call)
			if sent, came := strings.Join(l.sent, " "), strings.Join(l.came, " "); sent != test.sent || came != test.came {
				t.Errorf("%s: %s is answered by %s", test.name, sent, came)
			}
			if test.items != nil {
				echoed(t, &r, test.items...)
			}
			if chunks := strings.Contains(test.came, "+writes") || strings.Contains(test.came, "+reply"); (l.remote > 0) != (chunks && !keep) || len(l.regions) > 0 {
				t.Errorf("%s: %d STags are invalidated, %d left", test.name, l.remote, len(l.regions))
			}
		}
	}
}

// Any sizes come back, over any thresholds, one Call after the other or many at once, while connections are lost.
func TestRequesterSizes(t *testing.T) {
	for _, versions := range [][]uint32{{1}, {2}, {1, 2}} {
		for seed := range uint64(150) {
			r := rand.New(rand.NewPCG(seed, uint64(versions[len(versions)-1])))
			size := func() int { return 1024 * (1 + r.IntN(5)) }
			options := func() rpc.Options {
				return rpc.Options{Credits: 1 + r.IntN(8), SendSize: size(), ReceiveSize: size(), NoInvalidate: r.IntN(2) == 0, Chunks: 64}
			}
			mine := options()
			mine.Versions = versions
			l := newLink(t, mine, options(), nil)
			items := make(map[*rpc.Call][][]byte)
			for xid := range uint32(1 + r.IntN(20)) {
				var all [][]byte
				for range r.IntN(4) {
					all = append(all, some(r.IntN(1<<r.IntN(15))))
				}
				c := echoing(xid, r.IntN(3) > 0, all...)
				for i := range c.Arguments {
					c.Arguments[i].Chunk, c.Results[i].Chunk = r.IntN(4) == 0, r.IntN(4) == 0
				}
				items[c] = all
				if err := l.Call(c); err != nil {
					t.Fatal(err)
				}
			}
			for tries := 0; len(items) > 0; tries++ {
				if l.lost = 1 + r.IntN(20); tries > 100 {
					t.Fatalf("seed %d: %d Calls are not answered", seed, len(items))
				}
				l.act()
				for _, reply := range l.Replies() {
					echoed(t, &reply, items[reply.Call]...)
					delete(items, reply.Call)
				}
				if l.closed {
					l.Disconnected()
					l.connect()
				}
			}
			if len(l.regions) > 0 {
				t.Errorf("seed %d: %d regions are left", seed, len(l.regions))
			}
		}
	}
}

// Until the first Reply there is one Call, then as many as the Responder grants and this end asks for.
func TestRequesterCredits(t *testing.T) {
	for _, test := range []struct{ asked, granted, want int }{{8, 3, 3}, {2, 9, 2}} {
		l := newLink(t, rpc.Options{Credits: test.asked, Versions: []uint32{1}}, rpc.Options{Credits: test.granted}, nil)
		sends := func() (n int) {
			for _, a := range l.Actions() {
				if a.Type == rpc.Send {
					n++
				}
			}
			return n
		}
		for xid := range uint32(20) {
			l.Call(echoing(xid+1, true))
		}
		if n := sends(); n != 1 {
			t.Errorf("%d Calls are sent at first", n)
		}
		l.Received(octets(t, fmt.Sprintf("00000001 00000001 %08x 00000000 %s 00000001 %s 00000000", test.granted, lists, ok)), 0)
		if n := sends(); n != test.want {
			t.Errorf("%d Calls are sent, not %d", n, test.want)
		}
	}
}

// A Call that is refused is over, and says why.
func TestRequesterRefused(t *testing.T) {
	for _, test := range []struct{ message, want string }{
		{"00000001 00000001 00000001 00000004 00000002", "rpc: refused with ERR_CHUNK"},
		{"00000001 00000001 00000001 00000004 00000001 00000003 00000004",
			"rpc: refused with ERR_VERS: version 1 is none of 3 to 4"},
	} {
		l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
		l.Call(echoing(1, true, some(9000)))
		l.Received(octets(t, test.message), 0)
		all := l.Replies()
		var refused *rpc.RefusedError
		if len(all) != 1 || !errors.As(all[0].Err, &refused) || refused.Error() != test.want || len(l.regions) > 0 {
			t.Errorf("%s: %v, with %d regions", test.message, all, len(l.regions))
		}
	}
}

// A server without version 2 is asked in version 1, unless that is not wanted.
func TestRequesterVersions(t *testing.T) {
	l := newLink(t, rpc.Options{}, rpc.Options{Versions: []uint32{1}}, nil)
	if r := l.one(echoing(1, true, some(5))); r.Err != nil || strings.Join(l.sent, " ") != "RDMA_MSG" {
		t.Errorf("%v after %v", r.Err, l.sent)
	}
	l = newLink(t, rpc.Options{Versions: []uint32{2}}, rpc.Options{Versions: []uint32{1}}, nil)
	for range 2 {
		var refused *rpc.RefusedError
		if r := l.one(echoing(1, true, some(5))); !errors.As(r.Err, &refused) || refused.Report.VersHigh != 1 || len(l.sent) > 0 {
			t.Errorf("%v after %v", r.Err, l.sent)
		}
	}
}

// What is no Reply to an open Call, or a faulty one, changes nothing.
func TestRequesterDiscards(t *testing.T) {
	const good = "00000001 00000001 00000001 00000000 "
	reply := "00000001 " + ok + " 00000001 00000001 00002328"
	region := " 00000001 00002328 00000000 02000000"
	for _, message := range []string{
		"", "00000001 00000001 00000001",
		"00000002 00000001 00000001 00000000 " + lists + " 00000002 " + ok,
		"00000001 00000002 00000001 00000000 " + lists + reply,
		good + lists + "00000002 " + ok,
		good + lists,
		good + "00000000 00000001 00000002 00000002 00002328 00000000 02000000" + region + " 00000000 00000000" + reply,
		good + "00000000 00000001 00000001 00000002 00002329 00000000 02000000 00000000 00000000" + reply,
		good + "00000000 00000001 00000001 00000003 00002328 00000000 02000000 00000000 00000000" + reply,
		good + "00000000 00000001 00000001 00000002 00002328 00000000 02000001 00000000 00000000" + reply,
		good + "00000000 00000000 00000001 00000001 00000002 00002328 00000000 02000000" + reply,
		good + "00000001 00000034 00000002 00000004 00000000 02000000 00000000 00000000 00000000" + reply,
		"00000001 00000001 00000001 00000001 00000000 00000000 00000001 00000001 00000002 00002328 00000000 02000000",
		"00000001 00000001 00000001 00000003 " + lists,
		"00000001 00000001 00000001 00000004 00000007",
		"00000001 00000001 00000001 00000004",
	} {
		l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
		l.Call(echoing(1, true, some(9000)))
		l.Actions()
		l.Received(octets(t, message), 0)
		if all, next := l.Replies(), l.Actions(); len(all) > 0 || len(l.regions) != 2 || len(next) != 1 || next[0].Type != rpc.Receive {
			t.Errorf("%s ends the Call: %v, %v", join(message), all, next)
		}
	}
}

// The connection is closed if memory was invalidated that is not of the Call, or cannot be taken back. In the latter case
// the Call ends with the connection.
func TestRequesterCloses(t *testing.T) {
	l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
	l.Call(&rpc.Call{Message: callOf(1, rpc.ProcNull), Longest: replyLen})
	l.Actions()
	l.Received(octets(t, nullReplyTo1), 7)
	if next := l.Actions(); next[len(next)-1].Type != rpc.Close {
		t.Errorf("an STag of no Call: %v", next)
	}
	l = newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
	l.stuck = errors.New("stuck")
	l.Call(echoing(1, true, some(9000)))
	l.act()
	if all := l.Replies(); len(all) > 0 || !l.closed {
		t.Errorf("it is over while the peer has access: %v", all)
	}
	l.Disconnected()
	if all := l.Replies(); len(all) != 1 || all[0].Err != nil {
		t.Errorf("it is not over after the connection: %v", all)
	}
}

const nullReplyTo1 = "00000001 00000001 00000020 00000000 " + lists + " 00000001 " + ok

// What cannot be sent is not.
func TestRequesterRejects(t *testing.T) {
	l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
	for _, test := range []struct {
		call rpc.Call
		want error
	}{
		{rpc.Call{Message: callOf(1, 0)[:7], Longest: 24}, rpc.ErrCall},
		{rpc.Call{Message: octets(t, "00000001 "+ok), Longest: 24}, rpc.ErrCall},
		{rpc.Call{Message: callOf(1, 0)}, rpc.ErrCall},
		{rpc.Call{Message: callOf(1, 0), Longest: 24, Arguments: []rpc.Argument{{At: 6, Length: 4}}}, rpc.ErrCall},
		{rpc.Call{Message: callOf(1, 0), Longest: 24, Arguments: []rpc.Argument{{At: 36, Length: 5}}}, rpc.ErrCall},
		{rpc.Call{Message: callOf(1, 0), Longest: 24, Arguments: []rpc.Argument{{At: 36, Length: 3}, {At: 32, Length: 4}}}, rpc.ErrCall},
		{rpc.Call{Message: callOf(1, 0), Longest: 24, Results: []rpc.Result{{Longest: -1}}}, rpc.ErrCall},
	} {
		if err := l.Call(&test.call); err != test.want {
			t.Errorf("%+v: %v", test.call, err)
		}
	}
	l.Disconnected()
	open := &rpc.Call{Message: callOf(1, 0), Longest: 24}
	if err := cmpErr(l.Call(open), l.Call(open)); err != rpc.ErrXID {
		t.Errorf("the second: %v", err)
	}
	l.Cancel(1)
	l.Cancel(1)
	if err := l.Call(open); err != nil {
		t.Error(err)
	}
	l.connect()
	if all := l.Replies(); len(all) != 1 || all[0].Err != nil {
		t.Error(all)
	}
	r := l.one(echoing(1, true, slices.Repeat([][]byte{some(2000)}, 99)...))
	if r.Err != rpc.ErrChunks {
		t.Error(r.Err)
	}
	l.refuses = errors.New("no memory")
	if r := l.one(echoing(1, true, some(9000))); r.Err != l.refuses || len(l.regions) > 0 {
		t.Error(r.Err)
	}
}

// cmpErr returns the second of two errors, the first of which must be nil.
func cmpErr(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

// A Call that was given up has no Reply, and no memory; its XID is free when the Reply comes.
func TestRequesterCancels(t *testing.T) {
	l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, nil)
	c := &rpc.Call{Message: callOf(1, 0), Longest: 24, Results: []rpc.Result{{Longest: 100, Chunk: true}}}
	l.Call(c)
	l.Cancel(1)
	if len(l.regions) > 0 || l.Call(c) != rpc.ErrXID {
		t.Error("it is not given up")
	}
	l.Received(octets(t, nullReplyTo1), 0)
	if err := l.Call(c); err != nil || len(l.Replies()) > 0 {
		t.Errorf("again: %v", err)
	}
}

// The peer's Calls are answered, in short messages.
func TestRequesterServes(t *testing.T) {
	serve := func(call []byte) []byte {
		b, _ := (&oncrpc.Reply{XID: binary.BigEndian.Uint32(call)}).AppendBinary(nil)
		return append(b, call[40:]...)
	}
	for _, test := range []struct {
		version uint32
		serve   func([]byte) []byte
		octets  uint32
		want    [3]uint32 // Calls sent, answered, refused
	}{
		{1, serve, 0, [3]uint32{3, 3, 0}},
		{1, serve, 500, [3]uint32{3, 3, 0}},
		{1, nil, 0, [3]uint32{3, 3, 0}},
		{1, func([]byte) []byte { return make([]byte, 5000) }, 0, [3]uint32{3, 0, 3}},
		{2, serve, 0, [3]uint32{3, 3, 0}},
		{2, serve, 9000, [3]uint32{3, 3, 0}},
		{2, nil, 0, [3]uint32{3, 3, 0}},
		{2, func([]byte) []byte { return make([]byte, 500000) }, 0, [3]uint32{3, 0, 3}},
	} {
		l := newLink(t, rpc.Options{Versions: []uint32{test.version}}, rpc.Options{}, test.serve)
		c := &rpc.Call{Message: callOf(1, rpc.ProcCallback), Longest: replyLen}
		c.Message = binary.BigEndian.AppendUint32(c.Message, 3)
		c.Message = binary.BigEndian.AppendUint32(c.Message, test.octets)
		l.one(c)
		r := l.one(&rpc.Call{Message: callOf(2, rpc.ProcReport), Longest: replyLen + 16})
		var got [3]uint32
		for i := range got {
			got[i] = binary.BigEndian.Uint32(r.Message[replyLen+4+4*i:])
		}
		if got != test.want {
			t.Errorf("%d octets: %v, not %v", test.octets, got, test.want)
		}
	}
	l := newLink(t, rpc.Options{Versions: []uint32{1}}, rpc.Options{}, serve)
	l.Received(octets(t, "00000009 00000001 00000001 00000000 00000000 00000001 00000001 00000001 00000004 00000000 00000000 "+
		"00000000 00000000 00000009 "+call+" 00000000 "+auth), 0)
	l.Received(octets(t, "00000009 00000001 00000001 00000000 "+lists+" 00000008 "+call+" 00000000 "+auth), 0)
	refused := 0
	for _, a := range l.Actions() {
		if a.Type == rpc.Send && words(a.Octets) == "00000009 00000001 00000010 00000004 00000002" {
			refused++
		}
	}
	if refused != 2 {
		t.Errorf("%d Calls are refused", refused)
	}
}
