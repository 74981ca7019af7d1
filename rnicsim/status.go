package rnicsim

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
