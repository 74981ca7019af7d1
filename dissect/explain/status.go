package explain

// Statuses that programs and the kernel report: of work completions, of connections, and errno.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/internal/spelling"
)

// A status is what a program gets to see of an error.
type status struct {
	number int
	name   string
	said   []string // in logs
	text   string
	see    []string
}

// A statusList is all statuses of one kind.
type statusList struct {
	what     string   // "work completion status"
	prefixes []string // of names; the first is the usual one
	words    []string // that may stand before the number
	bare     bool     // the name is known without its prefix too
	look     string   // what to look for
	source   string
	all      []status
}

// unanswered is what to look for where ETIMEDOUT is all that a status is about.
const unanswered = "octets that TCP sends again and again, and the last ACK before them: the other side, or the way to it, was gone after that."

var statusLists = []statusList{
	{
		what: "work completion status", prefixes: []string{"IBV_WC_", "IB_WC_"}, words: []string{"wc", "wc status", "ib_wc_status", "ibv_wc status", "completion status"}, bare: true,
		look:   "a Terminate in either direction, and the message whose header it encloses. A completion with an error names the work that was lost, a Terminate the message in error.",
		source: "ibv_poll_cq(3)",
		all: []status{
			{0, "SUCCESS", nil, "The work is done. Of an RDMA Write or Send that means only that the octets were handed to TCP or " +
				"acknowledged: the other side may still refuse them, with a Terminate.", []string{"Terminate"}},
			{1, "LOC_LEN_ERR", []string{"local length error"}, "A message does not fit the memory of its Work Request: usually a Send was " +
				"longer than the receive buffer. The side that reports it sends the Terminate 1/2/05.", []string{"1/2/05", "Send"}},
			{2, "LOC_QP_OP_ERR", []string{"local QP operation error"}, "The RNIC could not carry out a Work Request: it is not consistent, or " +
				"exceeds what the QP may do. Nothing of it need be on the wire, except for a Terminate 0/0/00.", []string{"0/0/00"}},
			{4, "LOC_PROT_ERR", []string{"local protection error"}, "The local memory of a Work Request is not registered, or does not allow " +
				"the access. The fault is at this end: the other side has seen at most a Terminate 0/0/00.", []string{"0/0/00", "STag"}},
			{5, "WR_FLUSH_ERR", []string{"WR flushed", "Work Request Flushed Error"}, "The QP went into the error state before the work " +
				"was done: a consequence, never a cause. Look for the first completion with another status, a Terminate or a reset.",
				[]string{"Terminate"}},
			{6, "MW_BIND_ERR", []string{"memory bind operation error", "memory management operation error"}, "A memory window could not be bound, " +
				"or memory not registered or invalidated. The fault is at this end.", []string{"Invalidate STag"}},
			{7, "BAD_RESP_ERR", []string{"bad response error"}, "A Read Response or Atomic Response was not what had been asked for.",
				[]string{"ReadResponse", "0/2/06"}},
			{8, "LOC_ACCESS_ERR", []string{"local access error"}, "The other side used memory of this end in a way that it does not allow. " +
				"This end sends a Terminate of 0/1 or 1/1.", []string{"0/1", "1/1"}},
			{9, "REM_INV_REQ_ERR", []string{"remote invalid request error"}, "The other side could not accept the message: its length, opcode, " +
				"queue or MSN is wrong, or no receive buffer was posted. It sent a Terminate of 0/2 or 1/2.", []string{"0/2", "1/2"}},
			{10, "REM_ACCESS_ERR", []string{"remote access error"}, "The other side does not allow the access to its memory: the STag is " +
				"invalid, bounds were exceeded, or the right is missing. It sent a Terminate of 0/1 for a Read, or 1/1 for a Write. A " +
				"Write itself has often completed before; then later work is flushed instead.", []string{"0/1", "1/1", "STag"}},
			{11, "REM_OP_ERR", []string{"remote operation error"}, "The other side could not carry out the request for a reason of its own. It " +
				"sent a Terminate of 0/2 or 0/0.", []string{"0/2", "0/0"}},
			{12, "RETRY_EXC_ERR", []string{"transport retry counter exceeded"}, "The other side stopped answering. A transport retry counter " +
				"is InfiniBand's: over iWARP, TCP gives up after its retransmissions and the connection ends.", []string{"ETIMEDOUT"}},
			{13, "RNR_RETRY_EXC_ERR", []string{"RNR retry counter exceeded"}, "InfiniBand's name for a receiver without a posted buffer. iWARP " +
				"does not try again: the Terminate 1/2/02 ends the connection.", []string{"1/2/02"}},
			{15, "REM_INV_RD_REQ_ERR", []string{"remote invalid RD request"}, "Belongs to a service that iWARP does not have.", nil},
			{16, "REM_ABORT_ERR", []string{"operation aborted", "aborted error"}, "The other side gave up the operation: a Terminate, or the " +
				"end of the connection.", []string{"Terminate"}},
			{19, "FATAL_ERR", []string{"fatal error"}, "The RNIC failed: all of its connections are lost. To its peers it says 0/2/08, if anything.",
				[]string{"0/2/08"}},
			{20, "RESP_TIMEOUT_ERR", []string{"response timeout error"}, "No response came in time.", []string{"ETIMEDOUT"}},
			{21, "GENERAL_ERR", []string{"general error"}, "An error without a status of its own. Many drivers report what they do not " +
				"list in this way.", []string{"Terminate"}},
		},
	}, {
		what: "event of the connection manager", prefixes: []string{"RDMA_CM_EVENT_"}, words: []string{"cm event", "rdma_cm event"}, bare: true,
		look: "the SYNs and the MPA Request and Reply.", source: "rdma_get_cm_event(3)",
		all: []status{
			{1, "ADDR_ERROR", []string{"address error"}, "No RNIC here serves the address. Nothing is on the wire.", []string{"EADDRNOTAVAIL", "ENODEV"}},
			{3, "ROUTE_ERROR", []string{"route error"}, "There is no route to the address. Nothing is on the wire.", []string{"EHOSTUNREACH"}},
			{5, "CONNECT_RESPONSE", []string{"connect response"}, "InfiniBand's: over iWARP, ESTABLISHED reports the MPA Reply.", nil},
			{6, "CONNECT_ERROR", []string{"connect error"}, "The connection failed after TCP was there, as a rule in the MPA exchange: no valid " +
				"MPA Reply, or a Terminate in place of the first FPDU.", []string{"MPA Reply", "2/0"}},
			{7, "UNREACHABLE", []string{"unreachable"}, "Nobody answered: SYNs, or the MPA Request, have no answer.", []string{"ETIMEDOUT", "ECONNREFUSED"}},
			{8, "REJECTED", []string{"rejected"}, "The other side refused: an MPA Reply with R set, or the end of TCP before a Reply.",
				[]string{"MPA Reply", "ECONNREFUSED", "ECONNRESET"}},
			{9, "ESTABLISHED", []string{"established"}, "The MPA Request was answered with a Reply without R: RDMA may begin.", []string{"MPA Reply"}},
			{10, "DISCONNECTED", []string{"disconnected"}, "The connection ended: by a FIN, a reset, or a Terminate.", []string{"Terminate"}},
			{11, "DEVICE_REMOVAL", []string{"device removal"}, "The RNIC is gone. Its connections end without a Terminate.", nil},
		},
	}, {
		what: "errno", prefixes: []string{""}, words: []string{"errno", "error", "ret", "rc", "errno -", "error -", "ret -", "rc -"},
		look: "how the connection began and ended: SYNs, MPA frames, a Terminate, FIN or reset.", source: "errno(3)",
		all: []status{
			{1, "EPERM", []string{"operation not permitted"}, "The program may not do this: create a QP, lock memory, mount.", nil},
			{2, "ENOENT", []string{"no such file or directory"}, "What was named is not there: a device, an export, a path.", []string{"NFS4ERR_NOENT"}},
			{5, "EIO", []string{"input/output error"}, "Input or output failed, for example on a mount after the connection was lost and not restored.", []string{"WR_FLUSH_ERR"}},
			{11, "EAGAIN", []string{"resource temporarily unavailable"}, "Not now: try again later.", nil},
			{12, "ENOMEM", []string{"cannot allocate memory"}, "There is no memory, or too little of it may be locked (ulimit -l). Nothing is on the wire.", nil},
			{13, "EACCES", []string{"permission denied"}, "Access is denied: of memory, by its rights; of an NFS mount, by the server's exports.", []string{"0/1/02"}},
			{14, "EFAULT", []string{"bad address"}, "An address is not valid: memory is not registered, or was released.", nil},
			{16, "EBUSY", []string{"device or resource busy"}, "It is in use: a QP in a state that does not allow this, or an address that others serve.", nil},
			{19, "ENODEV", []string{"no such device"}, "No RNIC serves the address. Nothing is on the wire.", nil},
			{22, "EINVAL", []string{"invalid argument"}, "An argument, or what the other side sent, is not valid. During the start of a connection: an MPA frame that " +
				"cannot be accepted.", []string{"MPA Reply", "2/0/04"}},
			{28, "ENOSPC", []string{"no space left on device"}, "There is no room: of an RNIC, for another QP, CQ or region; of a mount, on the server's disk.", []string{"NFS4ERR_NOSPC"}},
			{32, "EPIPE", []string{"broken pipe"}, "The connection was closed for sending.", nil},
			{71, "EPROTO", []string{"protocol error"}, "The other side broke the protocol: the MPA frame has a wrong Key, revision or length.", []string{"2/0/04", "Rev"}},
			{90, "EMSGSIZE", []string{"message too long"}, "A message is too long.", []string{"1/2/05"}},
			{93, "EPROTONOSUPPORT", []string{"protocol not supported"}, "The transport is not there: for a mount with proto=rdma, the module xprtrdma or rpcrdma is not loaded.", nil},
			{95, "EOPNOTSUPP", []string{"operation not supported"}, "The RNIC cannot do this, for example an Atomic of RFC 7306. The other side says 0/2/06.", []string{"0/2/06"}},
			{98, "EADDRINUSE", []string{"address already in use"}, "The port is taken: by a listener, or by TCP for connections of its own.", nil},
			{99, "EADDRNOTAVAIL", []string{"cannot assign requested address"}, "The address is not one of this host, or of none of its RNICs.", nil},
			{100, "ENETDOWN", []string{"network is down"}, "The interface under the RNIC is down.", nil},
			{101, "ENETUNREACH", []string{"network is unreachable"}, "There is no route to the network.", nil},
			{103, "ECONNABORTED", []string{"software caused connection abort"}, "The connection was given up at this end.", nil},
			{104, "ECONNRESET", []string{"connection reset by peer"}, "The other side reset TCP. During the start it refuses the MPA Request in this way, for example its " +
				"revision; later it is often the consequence of a Terminate, or of a crash.", []string{"Rev", "Terminate"}},
			{105, "ENOBUFS", []string{"no buffer space available"}, "There is no room in a buffer or queue.", []string{"1/2/02"}},
			{107, "ENOTCONN", []string{"transport endpoint is not connected"}, "There is no connection, or it has ended. Of an RPC: it was lost with the connection and is sent again.", nil},
			{108, "ESHUTDOWN", []string{"cannot send after transport endpoint shutdown"}, "The connection is closed for sending: this end is ending it.", nil},
			{110, "ETIMEDOUT", []string{"connection timed out"}, "No answer came: to SYNs, to octets that TCP sent again and again, or to the MPA Request.", []string{"MPA Request"}},
			{111, "ECONNREFUSED", nil, "Nobody listens on the port, or the other side rejected the MPA Request (R set in the Reply).",
				[]string{"MPA Reply", "port 20049"}},
			{112, "EHOSTDOWN", []string{"host is down"}, "The host does not answer.", nil},
			{113, "EHOSTUNREACH", []string{"no route to host"}, "The host does not answer, or a router says so by ICMP.", nil},
			{114, "EALREADY", []string{"operation already in progress"}, "It was begun before and goes on.", nil},
			{115, "EINPROGRESS", []string{"operation now in progress"}, "It was begun and goes on: no error by itself.", nil},
			{116, "ESTALE", []string{"stale file handle"}, "A file handle is not valid any more: the server no longer has or exports the file.", []string{"NFS4ERR_STALE"}},
		},
	}, {
		what: "status of cxgb4", prefixes: []string{"T4_ERR_"}, words: []string{"T4_ERR", "cxgb4 status"},
		look: "the Terminate of this end, and the message in error before it.", source: "Linux 6.1, drivers/infiniband/hw/cxgb4/t4.h",
		all: []status{
			{0x1, "STAG", nil, "Invalid STag: it is 0, not there, or has another key.", []string{"1/1/00", "0/1/00"}},
			{0x2, "PDID", nil, "The STag belongs to another Protection Domain.", []string{"1/1/02", "0/1/03"}},
			{0x3, "QPID", nil, "The STag belongs to another QP.", []string{"1/1/02", "0/1/03"}},
			{0x4, "ACCESS", nil, "The memory does not allow the access.", []string{"0/1/02", "1/1/00"}},
			{0x5, "WRAP", nil, "TO and length wrap around the end of the address space.", []string{"1/1/03", "0/1/04"}},
			{0x6, "BOUND", nil, "The access reaches outside the memory.", []string{"1/1/01", "0/1/01"}},
			{0x7, "INVALIDATE_SHARED_MR", nil, "An STag of shared memory was to be invalidated.", []string{"0/2/09"}},
			{0x8, "INVALIDATE_MR_WITH_MW_BOUND", nil, "Memory with a Memory Window bound to it was to be invalidated.", []string{"0/2/09"}},
			{0x9, "ECC", nil, "The memory of the adapter failed.", []string{"0/2/08"}},
			{0xa, "ECC_PSTAG", nil, "The memory of the adapter failed while it read an STag.", []string{"0/2/08"}},
			{0xb, "PBL_ADDR_BOUND", nil, "A page list is out of bounds, a fault of software at this end.", []string{"0/0/00"}},
			{0xc, "SWFLUSH", nil, "The driver flushed the work, a consequence of something else.", []string{"WR_FLUSH_ERR"}},
			{0x10, "CRC", nil, "The CRC of an FPDU is wrong.", []string{"2/0/02"}},
			{0x11, "MARKER", nil, "A Marker is wrong.", []string{"2/0/03"}},
			{0x12, "PDU_LEN_ERR", nil, "The length of an FPDU is not valid.", []string{"ULPDU_Length"}},
			{0x13, "OUT_OF_RQE", nil, "No receive buffer was posted for a Send.", []string{"1/2/02"}},
			{0x14, "DDP_VERSION", nil, "Wrong DDP version.", []string{"1/2/06", "1/1/04"}},
			{0x15, "RDMA_VERSION", nil, "Wrong RDMAP version.", []string{"0/2/05"}},
			{0x16, "OPCODE", nil, "An opcode that is not known or allowed.", []string{"0/2/06"}},
			{0x17, "DDP_QUEUE_NUM", nil, "Wrong Queue Number.", []string{"1/2/01"}},
			{0x18, "MSN", nil, "Wrong MSN.", []string{"1/2/03"}},
			{0x19, "TBIT", nil, "The T bit does not fit the opcode.", []string{"0/2/06"}},
			{0x1a, "MO", nil, "MO of a Terminate or Read Request is not 0.", []string{"1/2/04"}},
			{0x1b, "MSN_GAP", nil, "An MSN was left out.", []string{"1/2/03"}},
			{0x1c, "MSN_RANGE", nil, "An MSN is out of range.", []string{"1/2/03"}},
			{0x1d, "IRD_OVERFLOW", nil, "More Read Requests than the IRD.", []string{"1/2/02", "IRD"}},
			{0x1e, "RQE_ADDR_BOUND", nil, "A receive buffer is out of bounds, a fault of software at this end.", []string{"1/2/05"}},
			{0x1f, "INTERNAL_ERR", nil, "An internal error of the adapter.", []string{"0/2/08"}},
		},
	}, {
		what: "event of irdma", prefixes: []string{"IRDMA_AE_"}, words: []string{"IRDMA_AE", "irdma ae", "ae_id"},
		look: "the Terminate of this end, and the message in error before it.", source: "Linux 6.1, drivers/infiniband/hw/irdma/defs.h",
		all: []status{
			{0x102, "AMP_UNALLOCATED_STAG", nil, "The STag is not allocated.", []string{"1/1/00", "0/1/00"}},
			{0x103, "AMP_INVALID_STAG", nil, "The STag is not valid.", []string{"1/1/00", "0/1/00"}},
			{0x104, "AMP_BAD_QP", nil, "The STag belongs to another QP.", []string{"1/1/02", "0/1/03"}},
			{0x105, "AMP_BAD_PD", nil, "The STag belongs to another Protection Domain.", []string{"1/1/02", "0/1/03"}},
			{0x106, "AMP_BAD_STAG_KEY", nil, "The key of the STag is wrong.", []string{"1/1/00", "0/1/00"}},
			{0x107, "AMP_BAD_STAG_INDEX", nil, "The index of the STag is wrong.", []string{"1/1/00", "0/1/00"}},
			{0x108, "AMP_BOUNDS_VIOLATION", nil, "The access reaches outside the memory.", []string{"1/1/01", "0/1/01"}},
			{0x109, "AMP_RIGHTS_VIOLATION", nil, "The memory does not allow the access.", []string{"0/1/02"}},
			{0x10a, "AMP_TO_WRAP", nil, "TO and length wrap around the end of the address space.", []string{"1/1/03", "0/1/04"}},
			{0x111, "AMP_INVALIDATE_SHARED", nil, "An STag of shared memory was to be invalidated.", []string{"0/2/09"}},
			{0x112, "AMP_INVALIDATE_NO_REMOTE_ACCESS_RIGHTS", nil, "An STag without remote rights was to be invalidated.", []string{"0/1/09"}},
			{0x113, "AMP_INVALIDATE_MR_WITH_BOUND_WINDOWS", nil, "Memory with a Memory Window bound to it was to be invalidated.", []string{"0/2/09"}},
			{0x201, "BAD_CLOSE", nil, "The connection was closed at the wrong time.", []string{"Terminate"}},
			{0x202, "RDMAP_ROE_BAD_LLP_CLOSE", nil, "TCP was closed in the middle of a message.", []string{"2/0/01"}},
			{0x205, "RDMA_READ_WHILE_ORD_ZERO", nil, "This end posted a Read although its ORD is 0.", []string{"ORD"}},
			{0x206, "STAG_ZERO_INVALID", nil, "The other side used STag 0.", []string{"1/1/00"}},
			{0x301, "DDP_INVALID_MSN_GAP_IN_MSN", nil, "An MSN was left out.", []string{"1/2/03"}},
			{0x303, "DDP_UBE_DDP_MESSAGE_TOO_LONG_FOR_AVAILABLE_BUFFER", nil, "A Send is longer than the receive buffer.", []string{"1/2/05"}},
			{0x304, "DDP_UBE_INVALID_DDP_VERSION", nil, "Wrong DDP version.", []string{"1/2/06"}},
			{0x305, "DDP_UBE_INVALID_MO", nil, "Wrong MO.", []string{"1/2/04"}},
			{0x306, "DDP_UBE_INVALID_MSN_NO_BUFFER_AVAILABLE", nil, "No receive buffer was posted for a Send.", []string{"1/2/02"}},
			{0x307, "DDP_UBE_INVALID_QN", nil, "Wrong Queue Number.", []string{"1/2/01"}},
			{0x308, "DDP_NO_L_BIT", nil, "The L bit is missing in a message of one segment.", nil},
			{0x311, "RDMAP_ROE_INVALID_RDMAP_VERSION", nil, "Wrong RDMAP version.", []string{"0/2/05"}},
			{0x312, "RDMAP_ROE_UNEXPECTED_OPCODE", nil, "An opcode that is not known or allowed.", []string{"0/2/06"}},
			{0x313, "ROE_INVALID_RDMA_READ_REQUEST", nil, "A Read Request that is not valid.", []string{"ReadRequest"}},
			{0x314, "ROE_INVALID_RDMA_WRITE_OR_READ_RESP", nil, "A Write or Read Response that is not valid.", []string{"ReadResponse"}},
			{0x501, "LLP_CLOSE_COMPLETE", nil, "TCP is closed on both sides: an ordinary end.", nil},
			{0x502, "LLP_CONNECTION_RESET", nil, "The other side reset TCP.", []string{"ECONNRESET"}},
			{0x503, "LLP_FIN_RECEIVED", nil, "The other side closed TCP: an ordinary end, or its answer to a Terminate.", []string{"Terminate"}},
			{0x504, "LLP_RECEIVED_MARKER_AND_LENGTH_FIELDS_DONT_MATCH", nil, "A Marker does not fit ULPDU_Length.", []string{"2/0/03"}},
			{0x505, "LLP_RECEIVED_MPA_CRC_ERROR", nil, "The CRC of an FPDU is wrong.", []string{"2/0/02"}},
			{0x507, "LLP_SEGMENT_TOO_SMALL", nil, "A segment is too small for its headers.", []string{"ULPDU_Length"}},
			{0x509, "LLP_TERMINATE_RECEIVED", nil, "The other side sent a Terminate.", []string{"Terminate"}},
			{0x50a, "LLP_TOO_MANY_RETRIES", nil, "TCP sent again and again and had no answer.", []string{"ETIMEDOUT"}},
			{0x50b, "LLP_TOO_MANY_KEEPALIVE_RETRIES", nil, "The other side does not answer keep-alives.", []string{"ETIMEDOUT"}},
			{0x50c, "LLP_DOUBT_REACHABILITY", nil, "TCP begins to doubt that the other side is there.", []string{"ETIMEDOUT"}},
			{0x601, "RESET_SENT", nil, "This end reset TCP.", []string{"ECONNRESET"}},
			{0x602, "TERMINATE_SENT", nil, "This end sent a Terminate.", []string{"Terminate"}},
			{0x700, "LCE_QP_CATASTROPHIC", nil, "The QP failed at this end.", []string{"0/0/00"}},
			{0x701, "LCE_FUNCTION_CATASTROPHIC", nil, "The adapter failed.", []string{"0/2/08"}},
			{0x702, "LCE_CQ_CATASTROPHIC", nil, "A CQ failed at this end, usually because it overflowed.", []string{"0/0/00"}},
		},
	},
}

// inLine is an errno in a line of a log that tells of a failure: with a minus sign, as the kernel prints it.
var inLine = pattern(`(?i)(?:^|[^a-z])(?:fail[a-z]*|err[a-z]*|ret(?:val|code|urn[a-z]*)?|rc|status[a-z]*|unable|cannot)(?:[^a-z].*)?[\s:=(\[]-(\d{1,3})\b`)

// errno reads an errno with a minus sign, alone.
func (q query) errno() []Entry {
	number, minus := strings.CutPrefix(q.words[0], "-")
	if _, err := strconv.ParseUint(number, 10, 12); !minus || err != nil || len(q.words) > 1 {
		return nil
	}
	return theIndex().lookup(spelling.Fold("errno " + number))
}

// cmEvent is an event of the connection manager in a line of a log.
var cmEvent = pattern(`(?i)(?:^|[^a-z])(?:RDMA CMA?|cma?) event\b\D*.*?(\d+)\)?$`)

// failure finds an event of the connection manager, or an errno, in a line that tells of a failure.
func (q query) failure() []Entry {
	if m := cmEvent().FindStringSubmatch(q.text[:min(len(q.text), maxQuery)]); m != nil {
		return theIndex().lookup(spelling.Fold("cm event " + m[1]))
	}
	if m := inLine().FindStringSubmatch(q.text[:min(len(q.text), maxQuery)]); m != nil {
		return theIndex().lookup(spelling.Fold("errno " + m[1]))
	}
	return nil
}

func statusTopics() (topics []topic) {
	for i := range statusLists {
		l := &statusLists[i]
		for j := range l.all {
			s := &l.all[j]
			look := l.look
			if slices.Equal(s.see, []string{"ETIMEDOUT"}) {
				look = unanswered
			}
			number := strconv.Itoa(s.number)
			keys := slices.Clone(s.said)
			if l.bare {
				keys = append(keys, s.name)
			}
			for _, prefix := range l.prefixes[1:] {
				keys = append(keys, prefix+s.name)
			}
			for _, word := range l.words {
				keys = append(keys, strings.TrimSpace(word+" "+number))
			}
			topics = append(topics, Entry{
				Kind: KindStatus, Name: l.prefixes[0] + s.name, Title: l.what + " " + number, Text: []string{s.text},
				LookFor: look, See: s.see, Sources: []string{l.source},
			}.topic(keys))
		}
	}
	return topics
}
