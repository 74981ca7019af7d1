package iser

// The names of codes in iSCSI PDUs: RFC 7143, section 11, and SAM for the SCSI status.

import "github.com/iwarpkit/iwarp/codec/field"

// statusNames are SCSI status codes: SAM, and RFC 7143, section 11.4.2.
var statusNames = &field.Enum{Values: []field.Value{
	{0x00, "GOOD"},
	{checkCondition, "CHECK CONDITION"},
	{0x04, "CONDITION MET"},
	{0x08, "BUSY"},
	{0x10, "INTERMEDIATE"},
	{0x14, "INTERMEDIATE-CONDITION MET"},
	{reservationConflict, "RESERVATION CONFLICT"},
	{0x28, "TASK SET FULL"},
	{0x30, "ACA ACTIVE"},
	{taskAborted, "TASK ABORTED"},
}}

// SCSI statuses that are treated specially. Sense data say how a command with CHECK CONDITION went.
const (
	checkCondition      = 0x02
	reservationConflict = 0x18
	taskAborted         = 0x40
)

// good reports whether a SCSI status is not an error.
func good(status uint8) bool {
	switch status {
	case 0x00, 0x04, 0x10, 0x14:
		return true
	}
	return false
}

// taskFunctions: section 11.5.1.
var taskFunctions = &field.Enum{Values: []field.Value{
	{1, "ABORT TASK"},
	{2, "ABORT TASK SET"},
	{3, "CLEAR ACA"},
	{4, "CLEAR TASK SET"},
	{5, "LOGICAL UNIT RESET"},
	{6, "TARGET WARM RESET"},
	{7, "TARGET COLD RESET"},
	{8, "TASK REASSIGN"},
}}

// taskResponses: section 11.6.1.
var taskResponses = &field.Enum{Values: []field.Value{
	{0, "Function complete"},
	{1, "Task does not exist"},
	{2, "LUN does not exist"},
	{3, "Task still allegiant"},
	{4, "Task allegiance reassignment not supported"},
	{5, "Task management function not supported"},
	{6, "Function authorization failed"},
	{255, "Function rejected"},
}}

const securityNegotiation = 0

// stages: section 11.12.3.
var stages = &field.Enum{Values: []field.Value{{securityNegotiation, "SecurityNegotiation"}, {1, "LoginOperationalNegotiation"}, {3, "FullFeaturePhase"}}}

// loginStatuses: section 11.13.5.
var loginStatuses = &field.Enum{Values: []field.Value{
	{0x0000, "Success"},
	{0x0101, "Target moved temporarily"},
	{0x0102, "Target moved permanently"},
	{0x0200, "Initiator error"},
	{0x0201, "Authentication failure"},
	{0x0202, "Authorization failure"},
	{0x0203, "Not found"},
	{0x0204, "Target removed"},
	{0x0205, "Unsupported version"},
	{0x0206, "Too many connections"},
	{0x0207, "Missing parameter"},
	{0x0208, "Can't include in session"},
	{0x0209, "Session type not supported"},
	{0x020a, "Session does not exist"},
	{0x020b, "Invalid during login"},
	{0x0300, "Target error"},
	{0x0301, "Service unavailable"},
	{0x0302, "Out of resources"},
}}

// logoutReasons: section 11.14.1.
var logoutReasons = &field.Enum{Values: []field.Value{
	{0, "close the session"},
	{1, "close the connection"},
	{2, "remove the connection for recovery"},
}}

// logoutResponses: section 11.15.1.
var logoutResponses = &field.Enum{Values: []field.Value{
	{0, "closed successfully"},
	{1, "CID was not found"},
	{2, "connection recovery is not supported"},
	{3, "cleanup failed"},
}}

// asyncEvents: section 11.9.1.
var asyncEvents = &field.Enum{Values: []field.Value{
	{0, "SCSI asynchronous event"},
	{1, "target requests Logout"},
	{2, "target will drop the connection"},
	{3, "target will drop all connections"},
	{4, "target requests parameter negotiation"},
	{5, "all active tasks are being terminated"},
	{255, "vendor-specific"},
}}

// rejectReasons: section 11.17.1.
var rejectReasons = &field.Enum{Values: []field.Value{
	{0x02, "data digest error"},
	{0x03, "SNACK reject"},
	{0x04, "protocol error"},
	{0x05, "command not supported"},
	{0x06, "immediate command reject"},
	{0x07, "task in progress"},
	{0x08, "invalid data ACK"},
	{0x09, "invalid PDU field"},
	{0x0a, "long operation reject"},
	{0x0c, "waiting for Logout"},
}}
