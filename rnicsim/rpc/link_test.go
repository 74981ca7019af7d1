package rpc_test

// Both ends without anything between them, for the tests of the Requester.

import (
	"bytes"
	"cmp"
	"encoding/binary"
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
	program   rpc.Program // likewise; nil for an Echo
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
	why       error // it was closed by the Requester
	lost      int   // messages until the connection is lost; 0 for never
}

// A lent region is memory that the Requester has registered.
type lent struct {
	octets []byte
	to     uint64
	write  bool
	gone   bool // invalidated by the peer
}

func newLink(t testing.TB, requester, responder rpc.Options, serve func([]byte) []byte) *link {
	l := &link{t: t, Requester: rpc.NewRequester(requester, nil), options: responder}
	if serve != nil {
		l.Requester = rpc.NewRequester(requester, func(call []byte, answer func([]byte)) { answer(serve(call)) })
	}
	l.connect()
	return l
}

// newLinkTo returns a link to a Program.
func newLinkTo(t testing.TB, requester, responder rpc.Options, p rpc.Program) *link {
	l := &link{t: t, Requester: rpc.NewRequester(requester, nil), options: responder, program: p}
	l.connect()
	return l
}

// connect begins a new connection.
func (l *link) connect() {
	l.responder = rpc.NewResponder(l.options, l.Private(), cmp.Or(l.program, rpc.Program(new(rpc.Echo))))
	l.regions = make(map[uint32]*lent)
	l.law.Reset(rpcrules.Conditions{})
	l.calls = [2]map[uint32]*rpcrules.Call{{}, {}}
	l.parts, l.inline = [2]int{}, [2]uint64{}
	l.closed = false
	l.Connected(l.responder.Private(), l)
	l.act()
}

// Register and Deregister implement the Requester's Memory.
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
				l.closed, l.why = true, a.Err
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
		return rpcrules.CheckPositions(m.Dialect, m.Reads, l.inline[from]+m.Reads.Length(0), l.law.Called(from, c, v))
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
	h := oncrpc.Call{XID: xid, RPCVers: oncrpc.Version, Prog: rpc.EchoProgram, Vers: rpc.EchoVersion, Proc: proc}
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
