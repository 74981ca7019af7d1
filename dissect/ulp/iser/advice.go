package iser

// What to do about tasks that a target refuses.

// loginAdvice is that about a Login, by Status-Class and Status-Detail.
var loginAdvice = map[uint16]string{
	0x0201: "The target does not accept who the initiator says it is: compare the CHAP names and secrets of both (node.session.auth of open-iscsi), and " +
		"whether the target asks for CHAP at all.",
	0x0202: "The target does not admit this initiator: add its InitiatorName, in the Login Request, to the access list of the target.",
	0x0203: "There is no target with this TargetName at this portal: compare it with what discovery lists (iscsiadm -m discovery), and see whether the " +
		"target and its portal group are enabled.",
	0x0204: "The target is gone: let the initiator discover targets again.",
	0x0205: "The target speaks another version of iSCSI than the initiator: compare Version-max and Version-min with what it supports.",
	0x0206: "The session may not have another connection: compare MaxConnections of both, and see whether an old session is left.",
	0x0207: "A key that the target needs is not in the Login Request: InitiatorName, TargetName or SessionType.",
	0x020a: "The target no longer has the session that the initiator wants to continue: let it log in again.",
	0x0300: "The target has met an error of its own: see its log.",
	0x0301: "The target is not in service now: see whether it starts or stops, and which of its portals are enabled.",
	0x0302: "The target lacks memory or another resource for the session: see its log, and how many sessions it has.",
}

// statusAdvice is that about a SCSI Response, by SCSI status.
var statusAdvice = map[uint16]string{
	0x08:                queueAdvice,
	reservationConflict: "Another initiator has a reservation of the unit: see which (sg_persist -r, sg_persist -k), and whether its cluster still needs it.",
	0x28:                queueAdvice,
	taskAborted:         "The target has aborted the command, perhaps at the reset of another initiator: see its log, and Task Management Functions at that time.",
}

const queueAdvice = "The target takes no more commands: see what makes its storage slow, and how many commands the initiators send at a time (queue_depth)."

// senseAdvice is that about sense data, by sense key.
var senseAdvice = map[SenseKey]string{
	notReady: "The unit cannot work: the disk or file behind it met an error or is full, or it still starts, is formatted, or has lost its medium. See the log " +
		"of the target, and its storage (df).",
	mediumError:   storageAdvice,
	hardwareError: storageAdvice,
	illegalRequest: "The unit does not support the request, has no such blocks, or there is no such LUN: compare the command with the size of the unit and " +
		"with what the target maps to this initiator.",
	dataProtect:    "The unit is write-protected, or out of space: see the settings and the pool of the target.",
	abortedCommand: "The target has aborted the command: see its log, and whether data were damaged or came too late. Initiators try again.",
}

const rejectAdvice = "The target could not take the PDU that its Reject returns: compare that with RFC 7143 and with what both sides agreed on when the initiator " +
	"logged in (iwarp decode -V), and see the versions of both."

const storageAdvice = "The storage could not read or write these blocks: see the log of the target, and the health of its disks."

const droppedAdvice = "Somebody disabled the portal group, took the initiator's right to it away (targetcli), or stopped the target; or it has met an error: see its " +
	"log for that time, and what it answers when the initiator logs in again."

// Advice implements ulp.Advising.
func (x *Exchange) Advice() string {
	r := &x.Result
	switch {
	case r.Opcode == OpLoginResponse:
		return loginAdvice[r.Code]
	case r.Opcode == OpReject:
		return rejectAdvice
	case r.Opcode != OpSCSIResponse || r.Failed:
	case r.Code == checkCondition && r.Sensed:
		return senseAdvice[r.Sense]
	default:
		return statusAdvice[r.Code]
	}
	return ""
}
