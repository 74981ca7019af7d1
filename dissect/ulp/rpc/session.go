package rpc

// What a server of NFSv4.1 and later says of a session in its Replies to SEQUENCE: sr_status_flags (RFC 8881, section 18.46.3).

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"time"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// sessionFlags are the names of the flags by their bits, and what to do about each.
var sessionFlags = [...]struct{ name, says, advice string }{
	{"SEQ4_STATUS_CB_PATH_DOWN", "it cannot call the client back on any connection", callbackPathAdvice},
	{"SEQ4_STATUS_CB_GSS_CONTEXTS_EXPIRING", "the GSS contexts for callbacks are about to expire", contextAdvice},
	{"SEQ4_STATUS_CB_GSS_CONTEXTS_EXPIRED", "the GSS contexts for callbacks have expired", contextAdvice},
	{"SEQ4_STATUS_EXPIRED_ALL_STATE_REVOKED", "the client's lease ran out, and it has lost all opens and locks", leaseAdvice},
	{"SEQ4_STATUS_EXPIRED_SOME_STATE_REVOKED", "the client's lease ran out, and it has lost some opens and locks", leaseAdvice},
	{"SEQ4_STATUS_ADMIN_STATE_REVOKED", "an administrator has taken opens or locks from the client", revokedAdvice},
	{"SEQ4_STATUS_RECALLABLE_STATE_REVOKED", "it has revoked delegations or layouts that the client did not return in time", revokedAdvice},
	{"SEQ4_STATUS_LEASE_MOVED", "a file system with state of the client has moved to another server", "Let the client look for the new place of the file " +
		"system (fs_locations), and see whether it supports migration and can reach the other server."},
	{"SEQ4_STATUS_RESTART_RECLAIM_NEEDED", "it was restarted, and the client has to reclaim its opens and locks", "See why the client does not " +
		"reclaim its state and end that with RECLAIM_COMPLETE: until then it gets no new state. Its log names the state manager."},
	{"SEQ4_STATUS_CB_PATH_DOWN_SESSION", "it cannot call the client back on any connection of this session", callbackPathAdvice},
	{"SEQ4_STATUS_BACKCHANNEL_FAULT", "the back channel of the session does not work: callbacks get wrong answers", callbackPathAdvice},
	{"SEQ4_STATUS_DEVID_CHANGED", "devices of pNFS have changed", deviceAdvice},
	{"SEQ4_STATUS_DEVID_DELETED", "devices of pNFS are gone", deviceAdvice},
}

const (
	callbackPathAdvice = "Without callbacks the server gives no delegations, and cannot recall those that it has given. See whether the client takes " +
		"callbacks on this connection (CREATE_SESSION or BIND_CONN_TO_SESSION with the back channel), whether it grants credits for them, and what both logs " +
		"say of them."
	contextAdvice = "The client has to give the server a new GSS context for callbacks (BACKCHANNEL_CTL): see its credentials, and the clocks of both."
	leaseAdvice   = "See why the client did not renew its lease in time: it was stopped or cut off for longer than that lasts. Programs lose their locks, and " +
		"those that go on may get errors."
	revokedAdvice = "The client has to find out what it has lost (TEST_STATEID) and give it up (FREE_STATEID). See why it does not, and whether callbacks " +
		"that recall state reach it."
	deviceAdvice = "The client has to ask for its devices again (GETDEVICEINFO): see why it does not."
)

// sessionStatus are flags that all latest Replies to SEQUENCE have.
type sessionStatus struct {
	flags       uint32
	first, last record.Origin // the Replies
	n           int
	gaps        uint32 // in the direction of the Replies, at the last of them
}

// Where the flags are in the result of a SEQUENCE that succeeded.
const (
	sequenceFlags  = nfs.ResultLen + 16 + 4*4
	sequenceResult = sequenceFlags + 4
)

// take takes the results of a COMPOUND, which begin with that of its SEQUENCE.
func (s *sessionStatus) take(o *record.Origin, x *Exchange, body []byte, gaps uint32) {
	var res nfs.CompoundRes
	n, err := res.Decode(body)
	if err != nil || x.Reverse || !x.Procedure.IsCompound() || len(x.Operations) == 0 || x.Operations[0] != nfs.OpSequence || len(body) < n+sequenceResult {
		return
	}
	if binary.BigEndian.Uint32(body[n+4:]) != 0 {
		return
	}
	flags := binary.BigEndian.Uint32(body[n+sequenceFlags:]) & (1<<len(sessionFlags) - 1)
	if s.flags&flags == 0 {
		s.first, s.n = *o, 0
	} else {
		flags &= s.flags
	}
	s.flags, s.last, s.n, s.gaps = flags, *o, s.n+1, gaps
}

// A flag counts once so many Replies have it for so long, or if the connection has ended: clients react at once.
const (
	warnings   = 3
	warnedLong = 10 * time.Second
)

// Conclude implements ulp.Concluding. A later Reply, without the flag, may be among what the capture lacks.
func (f *follower) Conclude(e *ulp.Ending) (c ulp.Conclusion, ok bool) {
	if c, ok = f.reader.lapses.conclude(); ok {
		return c, ok
	}
	s := &f.reader.session
	over := e.By != flow.Nobody
	if s.flags == 0 || s.n < warnings || s.gaps != f.stream.gaps[flow.S2C] || !over && time.Duration(s.last.LastTime-s.first.Time) < warnedLong {
		return f.reader.recalls.unreturned(e)
	}
	flag := &sessionFlags[bits.TrailingZeros32(s.flags)]
	says := fmt.Sprintf("The server says in all %d Replies to SEQUENCE from %s to %s that %s (%s)", s.n,
		s.first.Conn.Frames.Text(s.first.Span), s.last.Conn.Frames.Text(s.last.Span), flag.says, flag.name)
	for more := s.flags & (s.flags - 1); more != 0; more &= more - 1 {
		says += ", and " + sessionFlags[bits.TrailingZeros32(more)].name
	}
	return ulp.Conclusion{Origin: s.first, Name: record.Warned, Says: says, Advice: flag.advice}, true
}
