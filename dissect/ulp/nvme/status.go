package nvme

// The status of completions: NVM Express Base Specification 2.0, Status Field Definition; NVM Express over Fabrics 1.1,
// section 3.

import (
	"fmt"
	"maps"
	"slices"
)

// A Status is the Status Field of a completion, 15 bits: DNR, M, CRD (2 bits), Status Code Type (3 bits), Status Code
// (8 bits).
type Status uint16

// statusOf is the Status in the last 16 bits of a response capsule, the lowest of which is the Phase Tag of other
// transports.
func statusOf(v uint64) Status { return Status(v >> 1 & 0x7fff) }

// code is Status Code Type and Status Code.
func (s Status) code() uint16 { return uint16(s) & 0x7ff }

// final reports whether the host may not send the same command again: DNR (Do Not Retry) is set.
func (s Status) final() bool { return s&(1<<14) != 0 }

// Success reports whether the command was completed without error.
func (s Status) Success() bool { return s.code() == 0 }

// Status codes that are treated specially, by Status Code Type and Status Code.
const (
	invalidOpcode       = 0x001
	invalidField        = 0x002
	dataTransferError   = 0x004
	internalError       = 0x006
	lbaOutOfRange       = 0x080
	capacityExceeded    = 0x081
	namespaceNotReady   = 0x082
	reservationConflict = 0x083
	writeProtected      = 0x020
	invalidNamespace    = 0x00b
	invalidLogPage      = 0x109
	notSaveable         = 0x10d // of a feature, as the next two
	notChangeable       = 0x10e
	notOfNamespace      = 0x10f
	sizeLimitExceeded   = 0x183 // of a command of an I/O queue
	compareFailure      = 0x285
	invalidParameters   = 0x182 // of a Connect

	mediaErrors = 2 // Status Code Type: Media and Data Integrity Errors
)

// Of returns the name of the status of a command, "LBA Out of Range", or its numbers, "SCT 7h SC c1h".
func (s Status) Of(c *Command) string {
	name := statusNames[s.code()]
	if other := blockStatusNames[s.code()]; other != "" && c.QueueID != 0 && c.Opcode != opFabrics {
		name = other
	}
	if name == "" {
		return fmt.Sprintf("SCT %xh SC %02xh", s.code()>>8, s.code()&0xff)
	}
	return name
}

// String returns the name of the status of whatever command: of a Connect and of another one some have different names.
func (s Status) String() string {
	name := s.Of(&Command{})
	if other := blockStatusNames[s.code()]; other != "" {
		name += ", or " + other
	}
	return name
}

// namedStatuses yields all values of the last 16 bits of a response capsule whose status has a name, with every combination
// of Phase Tag, DNR, M and CRD.
func namedStatuses(yield func(uint64) bool) {
	const flags = 1 << 4 // values of DNR, M and CRD
	codes := slices.Sorted(maps.Keys(statusNames))
	for flag := range uint64(flags) {
		for _, code := range codes {
			for phase := range uint64(2) {
				if !yield(flag<<12 | uint64(code)<<1 | phase) {
					return
				}
			}
		}
	}
}

// statusNames are names by Status Code Type and Status Code.
var statusNames = map[uint16]string{
	0x000:               "Success",
	invalidOpcode:       "Invalid Command Opcode",
	invalidField:        "Invalid Field in Command",
	0x003:               "Command ID Conflict",
	dataTransferError:   "Data Transfer Error",
	0x005:               "Commands Aborted due to Power Loss Notification",
	internalError:       "Internal Error",
	0x007:               "Command Abort Requested",
	0x008:               "Command Aborted due to SQ Deletion",
	0x009:               "Command Aborted due to Failed Fused Command",
	0x00a:               "Command Aborted due to Missing Fused Command",
	invalidNamespace:    "Invalid Namespace or Format",
	0x00c:               "Command Sequence Error",
	0x00d:               "Invalid SGL Segment Descriptor",
	0x00e:               "Invalid Number of SGL Descriptors",
	0x00f:               "Data SGL Length Invalid",
	0x010:               "Metadata SGL Length Invalid",
	0x011:               "SGL Descriptor Type Invalid",
	0x012:               "Invalid Use of Controller Memory Buffer",
	0x013:               "PRP Offset Invalid",
	0x014:               "Atomic Write Unit Exceeded",
	0x015:               "Operation Denied",
	0x016:               "SGL Offset Invalid",
	0x018:               "Host Identifier Inconsistent Format",
	0x019:               "Keep Alive Timer Expired",
	0x01a:               "Keep Alive Timeout Invalid",
	0x01b:               "Command Aborted due to Preempt and Abort",
	0x01c:               "Sanitize Failed",
	0x01d:               "Sanitize In Progress",
	0x01e:               "SGL Data Block Granularity Invalid",
	0x01f:               "Command Not Supported for Queue in CMB",
	writeProtected:      "Namespace is Write Protected",
	0x021:               "Command Interrupted",
	0x022:               "Transient Transport Error",
	lbaOutOfRange:       "LBA Out of Range",
	capacityExceeded:    "Capacity Exceeded",
	namespaceNotReady:   "Namespace Not Ready",
	reservationConflict: "Reservation Conflict",
	0x084:               "Format In Progress",

	0x100:             "Completion Queue Invalid",
	0x101:             "Invalid Queue Identifier",
	0x102:             "Invalid Queue Size",
	0x103:             "Abort Command Limit Exceeded",
	0x105:             "Asynchronous Event Request Limit Exceeded",
	0x106:             "Invalid Firmware Slot",
	0x107:             "Invalid Firmware Image",
	0x108:             "Invalid Interrupt Vector",
	invalidLogPage:    "Invalid Log Page",
	0x10a:             "Invalid Format",
	notSaveable:       "Feature Identifier Not Saveable",
	notChangeable:     "Feature Not Changeable",
	notOfNamespace:    "Feature Not Namespace Specific",
	0x180:             "Connect Incompatible Format",
	0x181:             "Connect Controller Busy",
	invalidParameters: "Connect Invalid Parameters",
	0x183:             "Connect Restart Discovery",
	0x184:             "Connect Invalid Host",
	0x190:             "Discover Restart",
	0x191:             "Authentication Required",

	0x280:          "Write Fault",
	0x281:          "Unrecovered Read Error",
	0x282:          "End-to-end Guard Check Error",
	0x283:          "End-to-end Application Tag Check Error",
	0x284:          "End-to-end Reference Tag Check Error",
	compareFailure: "Compare Failure",
	0x286:          "Access Denied",
	0x287:          "Deallocated or Unwritten Logical Block",

	0x300: "Internal Path Error",
	0x301: "Asymmetric Access Persistent Loss",
	0x302: "Asymmetric Access Inaccessible",
	0x303: "Asymmetric Access Transition",
	0x360: "Controller Pathing Error",
	0x370: "Host Pathing Error",
	0x371: "Command Aborted By Host",
}

// blockStatusNames are names of what is another status if the command is one of an I/O queue: NVM Command Set Specification 1.0, Status Code.
var blockStatusNames = map[uint16]string{
	0x180:             "Conflicting Attributes",
	0x181:             "Invalid Protection Information",
	0x182:             "Attempted Write to Read Only Range",
	sizeLimitExceeded: "Command Size Limit Exceeded",
}
