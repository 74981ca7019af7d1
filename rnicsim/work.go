package rnicsim

// Work Requests (Verbs, section 8).

import "github.com/iwarpkit/iwarp/codec/rdmap"

// An Op is the operation of a Work Request.
type Op uint8

// The operations.
const (
	OpSend Op = iota + 1
	OpSendSE
	OpSendInvalidate
	OpSendSEInvalidate
	OpWrite
	OpRead
	OpReadInvalidate // a Read that then invalidates Local.STag
	OpBind
	OpFastRegister
	OpInvalidate
	OpFetchAdd
	OpCmpSwap
	OpImmediate
	OpImmediateSE
	OpReceive
)

var opNames = [...]string{"", "Send", "SendSE", "SendInvalidate", "SendSEInvalidate", "Write", "Read", "ReadInvalidate",
	"Bind", "FastRegister", "Invalidate", "FetchAdd", "CmpSwap", "Immediate", "ImmediateSE", "Receive"}

// String returns "Send", "SendSE" and so on.
func (o Op) String() string { return opNames[o] }

// isSend reports whether the operation sends the octets of its SGL into a Receive of the peer.
func (o Op) isSend() bool { return o >= OpSend && o <= OpSendSEInvalidate }

// isRead reports whether the operation is an RDMA Read.
func (o Op) isRead() bool { return o == OpRead || o == OpReadInvalidate }

// isAtomic reports whether the operation is an Atomic.
func (o Op) isAtomic() bool { return o == OpFetchAdd || o == OpCmpSwap }

// isLocal reports whether the operation changes STags and sends nothing.
func (o Op) isLocal() bool { return o == OpBind || o == OpFastRegister || o == OpInvalidate }

func (o Op) opcode() rdmap.Opcode {
	return [...]rdmap.Opcode{
		OpSend: rdmap.OpSend, OpSendSE: rdmap.OpSendSE, OpSendInvalidate: rdmap.OpSendInvalidate,
		OpSendSEInvalidate: rdmap.OpSendSEInvalidate, OpWrite: rdmap.OpWrite, OpRead: rdmap.OpReadRequest,
		OpReadInvalidate: rdmap.OpReadRequest, OpFetchAdd: rdmap.OpAtomicRequest, OpCmpSwap: rdmap.OpAtomicRequest,
		OpImmediate: rdmap.OpImmediate, OpImmediateSE: rdmap.OpImmediateSE,
	}[o]
}

// An SGE is a Scatter/Gather Element: octets of a Memory Region.
type SGE struct {
	STag STag
	TO   uint64
	Len  uint32
}

// A WorkRequest is posted to a Send Queue or Receive Queue. Op decides which fields count.
type WorkRequest struct {
	ID         uint64
	Op         Op
	Unsignaled bool // no completion if it succeeds; not for Receives
	ReadFence  bool // of Sends and Writes: wait until all earlier Reads are complete
	LocalFence bool // of OpInvalidate: wait until all earlier Work Requests are complete

	SGL      []SGE  // of Sends, Writes and Receives: the octets, up to 2^32-1 of them
	Local    SGE    // of Reads: the sink; of Atomics: where the old value goes, if Len is 8
	Remote   STag   // of Reads, Writes and Atomics: the peer's STag
	RemoteTO uint64 // and the TO there
	STag     STag   // to be invalidated by a Send with Invalidate or an OpInvalidate; made Valid by an OpFastRegister

	Bind         *Bind         // of OpBind
	Registration *Registration // of OpFastRegister

	Data                     uint64 // Immediate Data; of FetchAdd: the addend; of CmpSwap: the new value
	Mask                     uint64 // of FetchAdd: the most significant bit of each field; of CmpSwap: the bits to replace
	CompareData, CompareMask uint64 // of CmpSwap
}

// A Bind makes a Memory Window Valid: it gives the peer of one QP access to part of a Memory Region (Verbs, section
// 7.10.2).
type Bind struct {
	Window    STag // its index, with the key that it gets
	Region    STag
	VA        uint64 // of the first octet, in the Memory Region
	Length    uint64
	ZeroBased bool // the first octet has TO 0 in the Window; else it has TO VA
	Rights    Rights
}

// A Status is the result of a Work Request (Verbs, figure 36).
type Status uint8

// The completion statuses.
const (
	Success             Status = iota
	Flushed                    // the QP reached Error, or its RQ Closing or Terminate, before the WR was done
	InvalidWQE                 // format error in the Work Queue Element
	LocalQPCatastrophic        // failure within the QP
	RemoteTermination          // a Terminate that this WR seems to have caused; Query returns it
	InvalidSTag                // not allocated, not Valid, wrong key, or of a kind that the operation cannot use
	BaseBounds                 // outside of the Memory Region or Window, or of the receive buffer
	AccessViolation            // the Memory Region or Window lacks the right
	InvalidPDID                // of the Memory Region, or the QP of a bound Memory Window
	WrapError                  // TO and length exceed 64 bits
	InvalidateRefused          // Send with Invalidate: the STag has another PD, or lacks remote rights
	ZeroReadResources          // an RDMA Read with ORD 0
	NotPrivileged              // Fast-Register where the QP does not allow it
	STagNotInvalid             // Fast-Register or Bind of an STag that is Valid
	InvalidEntrySize           // of a Fast-Register: page or Physical Buffer size
	InvalidPBLEntry            // of a Fast-Register: an address that is not aligned
	InvalidFBO                 // of a Fast-Register
	InvalidLength              // Fast-Register: longer than its list; else a message above 2^32-1 octets
	InvalidRights              // of a Fast-Register
	PBLTooLong                 // Fast-Register: more entries than were allocated
	InvalidVA                  // of a Fast-Register: VA and FBO disagree
	InvalidRegion              // Bind: the STag of the Memory Region
	InvalidWindow              // Bind: the STag of the Memory Window
)

var statusTexts = [...]string{
	"Success", "Flushed", "Invalid WQE", "Local QP Catastrophic Error", "Remote Termination Error", "Invalid STag",
	"Base and bounds violation", "Access violation", "Invalid PD ID", "Wrap error",
	"STag to invalidate had invalid PD or access rights", "Zero RDMA Read Resources", "QP not in privileged mode",
	"STag not in Invalid state", "Invalid Physical Buffer size", "Invalid PBL entry", "Invalid FBO", "Invalid length",
	"Invalid Access Rights", "Physical Buffer List too long", "Invalid Virtual Address", "Invalid Region",
	"Invalid Window",
}

// String returns the status in the words of the Verbs.
func (s Status) String() string { return statusTexts[s] }
