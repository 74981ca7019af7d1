package rpcclient

import (
	"cmp"
	"fmt"
	"sync"

	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// A caseRun asks a client one case, on the connections that the client makes. It knows no time: someone else says when it is late.
type caseRun struct {
	*Case
	moved func() // is called when the client has been asked, or asked once more; nil for nothing

	mu      sync.Mutex
	step    step
	lines   int   // connections so far
	on      *line // where the answer was altered
	xid     uint32
	active  bool // a Call came
	silent  bool // none came, or none since, until it was late
	others  int  // Calls that came since
	most    int  // of these, after which the Call is not to come any more
	verdict conform.Verdict
	actual  string
	over    chan struct{} // closed when there is a verdict
}

// A step is how far a caseRun is.
type step uint8

const (
	waits  step = iota // for a Call whose answer it can alter
	goes               // the answer was altered, and the connection goes on
	closes             // the answer was altered, and nothing follows: once the client has had time to read it, the connection is to be closed
	breaks             // the client has to end the connection
	ends               // there is a verdict
)

const (
	// A Call that was not answered comes again before so many others, beside those that are open.
	mostOthers = 8

	// So many Calls must comply.
	enough = 16

	// A client that sends messages of more than 1024 octets sends one before so many others.
	mostShort = 200

	// The most Calls of the server at a time.
	mostServed = 64

	// So many Calls after it, the memory of a Call is free.
	staleAfter = 3
)

func newCaseRun(c *Case, moved func()) *caseRun {
	return &caseRun{Case: c, moved: moved, over: make(chan struct{})}
}

// A line is a connection of the client.
type line struct {
	*caseRun
	open     map[uint32]bool // Calls without an answer, by XID
	calls    int
	answered int
	closed   bool
	stale    *rpc.Push
	staleAt  int             // answers before that
	second   bool            // the client was asked on another connection before
	served   map[uint32]bool // Calls of the server without an answer, by XID
	grant    int             // of the client; 0 until it is known
}

// line returns a new connection of the client.
func (r *caseRun) line() *line {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines++
	return &line{caseRun: r, open: make(map[uint32]bool), second: r.step > waits, served: make(map[uint32]bool)}
}

// options returns those of the end that the client is connected to.
func (l *line) options() rpc.Options {
	o := l.Options
	if (l.Due == Finds || l.Due == Renews) && !l.second {
		o = rpc.Options{}
	}
	o.Versions, o.TamperReceived, o.Tamper = []uint32{cmp.Or(l.Vers, rpcrdma.Vers1)}, l.received, l.answers
	return o
}

// received looks at a message of the client, which it returns.
func (l *line) received(message []byte) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.Vers == rpcrdma.Vers2 {
		l.heard2(message)
		return message
	}
	var h rpcrdma.Version1
	n, _ := h.Decode(message)
	switch reply, told := h.IsReply(message[n:]); {
	case l.served[h.XID]:
		l.serves(&h)
	case h.Proc == rpcrdma.ProcError:
		l.refused(&h)
	case told && !reply:
		l.called(&h, len(message))
	}
	return message
}

// heard2 looks at a message of version 2 of the client.
func (l *line) heard2(message []byte) {
	var h rpcrdma.Version2
	h.Decode(message)
	switch {
	case h.Vers != rpcrdma.Vers2:
		l.settle(conform.NotRun, fmt.Sprintf("the client speaks version %d", h.Vers))
	case h.HType == rpcrdma.HTypeError:
		l.fail("the client sends an RDMA2_ERROR with %v", h.Error.Err)
	case h.HType.HasPayload() && h.Flags&rpcrdma.FlagResponse == 0 && !h.IsCreditGrant():
		l.called(&rpcrdma.Version1{XID: h.XID}, len(message))
	}
}

// refused looks at an RDMA_ERROR of the client.
func (l *line) refused(h *rpcrdma.Version1) {
	switch {
	case l.step == waits && l.Due == Complies:
		l.fail("the client sends an RDMA_ERROR with %v", h.Err)
	case l.step != goes || l != l.on:
	case l.Due == Refuses && h.XID == reverseXID && h.Err == rpcrdma.ErrCodeChunk:
		l.pass()
	case l.Due == Refuses && h.XID == reverseXID:
		l.fail("the client answers the Call with %v", h.Err)
	default:
		l.fail("the client sends an RDMA_ERROR with %v", h.Err)
	}
}

// called looks at a Call of the client.
func (l *line) called(h *rpcrdma.Version1, octets int) {
	again := h.XID == l.xid
	l.open[h.XID] = true
	l.calls++
	l.active = true
	switch {
	case l.step == waits && l.Due == Complies:
		l.complies(h, octets)
	case (l.Due == Finds || l.Due == Renews) && octets > rpcprivate.MinSize && l.step == waits:
		l.asks(h.XID, closes)
		l.most = mostShort
	case l.Due == Finds && octets > rpcprivate.MinSize && l != l.on:
		l.pass()
	case l.Due == Renews && octets > rpcprivate.MinSize && l != l.on:
		l.fail("%s", small(h, octets, 0))
	case l.step == goes && l == l.on && again:
		l.fail("the client sends the Call again, though it was answered")
	case l.step == closes && again && l.Due == Ends:
		l.fail("the client makes the Call again")
	case l.step == closes && (again || l.Due == Survives && l != l.on):
		l.pass()
	case (l.step == closes) == (l != l.on) && l.step > waits:
		if l.others++; l.others > l.most {
			l.enough()
		}
	}
}

// serves looks at the answer to a Call of the server. The first one says how many Calls the client takes at a time.
func (l *line) serves(h *rpcrdma.Version1) {
	delete(l.served, h.XID)
	switch {
	case len(l.served) > 0:
	case l.grant > 0:
		l.pass()
	case h.Proc == rpcrdma.ProcError:
		l.settle(conform.NotRun, takesNone)
	default:
		l.grant = int(min(max(h.Credit, 1), mostServed))
	}
}

// takesNone is why a client is not asked about Calls of the server.
const takesNone = "the client takes no Calls of the server"

// complies checks a Call of a client that has to pass the Check each time.
func (l *line) complies(h *rpcrdma.Version1, octets int) {
	wrong := ""
	if l.Check != nil {
		wrong = l.Check(h, octets, len(l.open))
	}
	if wrong != "" {
		l.fail("%s", wrong)
	} else if l.calls == enough {
		l.pass()
	}
}

// enough gives the verdict after so many other Calls that nothing else is to come.
func (r *caseRun) enough() {
	switch r.Due {
	case Discards:
		if r.step == closes {
			r.fail("the client takes the answer: the Call does not come again")
		}
	case Refuses:
		r.fail("no RDMA_ERROR comes")
	case Breaks:
		r.fail("the connection goes on")
	case Finds:
		r.fail("the client sends no message of more than %d octets any more", rpcprivate.MinSize)
	case Serves:
		if r.on.grant == 0 {
			r.settle(conform.NotRun, takesNone)
		}
		r.fail("%d of %d Calls of the server have no answer", len(r.on.served), r.on.grant)
	default:
		r.pass()
	}
}

// answers alters an answer, if the case can use it.
func (l *line) answers(o *rpc.Outgoing) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var call rpcrdma.Version1
	if o.Request == nil {
		return
	}
	call.Decode(o.Request)
	delete(l.open, call.XID)
	l.answered++
	if l.stale == nil && len(o.Writes) > 0 {
		l.stale, l.staleAt = &o.Writes[0], l.answered
	}
	second := l.step == goes && l == l.on && (l.Due == Discards && call.XID != l.xid || l.Due == Serves && l.grant > 0 && len(l.served) == 0)
	if l.Alter == nil || l.step != waits && !second {
		return
	}
	a, ok := l.altered(o)
	switch {
	case !ok:
	case l.Due == Complies:
		*o = *a
	case l.Due == Discards && !second: // the right answer follows
		o.Before = [][]byte{a.Message}
		l.asks(call.XID, goes)
	case l.Due == Serves:
		*o = *a
		for xid := range a.Before {
			l.served[reverseXID+uint32(xid)] = true
		}
		l.asks(call.XID, goes)
	case l.Due == GoesOn, l.Due == Refuses:
		*o = *a
		l.asks(call.XID, goes)
	case l.Due == Breaks:
		*o = *a
		l.asks(call.XID, breaks)
	default:
		*o = *a
		l.asks(call.XID, closes)
	}
}

// altered returns an answer as the case alters it.
func (l *line) altered(o *rpc.Outgoing) (_ *rpc.Outgoing, ok bool) {
	changed := *o
	changed.Invalidate = 0
	a := &Answer{Outgoing: &changed, Grant: max(1, l.grant)}
	if !a.decode(l.Vers, l.Long) {
		return nil, false
	}
	if l.answered >= l.staleAt+staleAfter {
		a.Stale = l.stale
	}
	return &changed, l.Alter(a)
}

// asks notes that a Call is answered as the case wants it.
func (l *line) asks(xid uint32, to step) {
	l.step, l.on, l.xid, l.others, l.most = to, l, xid, 0, len(l.open)+mostOthers
	if l.moved != nil {
		l.moved()
	}
}

// ended notes that the connection is over; nil for a close.
func (l *line) ended(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	text := "the client closes the connection"
	if why != nil {
		text = fmt.Sprintf("the client ends the connection: %v", why)
	}
	switch {
	case l.step == goes && l == l.on, l.step == waits && l.Due == Complies && l.calls > 0 && why != nil:
		l.fail("%s", text)
	case l.step == breaks && l == l.on:
		l.pass()
	}
}

// closing reports whether the connection with the altered answer is to be closed.
func (r *caseRun) closing() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.step == closes && !r.on.closed
}

// late gives the verdict if the client does nothing for so long that it will not.
func (r *caseRun) late() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.silent = r.step < ends && r.others == 0 && (r.step > waits || !r.active)
	switch {
	case r.step == waits && r.Due == Complies && r.lines > 0:
		r.fail("the client makes fewer than %d Calls", enough)
	case r.step == waits:
		r.settle(conform.NotRun, "no Call came whose answer can be altered so")
	case r.others == 0:
		r.fail("the client hangs: it makes no Call any more")
	case r.step == closes:
		r.enough()
	case r.step == goes && r.Due == Discards:
		r.settle(conform.NotRun, "no second Call came whose answer can be altered so")
	default:
		r.fail("the client makes only %d further Calls", r.others)
	}
}

func (r *caseRun) pass() { r.settle(conform.Pass, "") }

func (r *caseRun) fail(format string, values ...any) {
	r.settle(conform.Fail, fmt.Sprintf(format, values...))
}

// settle gives the verdict, unless there is one.
func (r *caseRun) settle(v conform.Verdict, actual string) {
	if r.step != ends {
		r.step, r.verdict, r.actual = ends, v, actual
		close(r.over)
	}
}

// interrupt ends the caseRun without a verdict about the client.
func (r *caseRun) interrupt() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settle(conform.NotRun, "interrupted")
}
