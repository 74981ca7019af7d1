package nvme

// What to do about commands that a controller refuses.

import "cmp"

// connectAdvice is that about a Connect, by Status Code Type and Status Code.
var connectAdvice = map[uint16]string{
	0x180: "The controller does not know the format of this Connect: compare the versions of NVMe over Fabrics on both sides.",
	0x181: "The controller cannot take this connection now: see how many hosts and queues it may have, and whether one with the same Controller ID is left.",
	invalidParameters: "The target has no subsystem with this NQN at this port, or the host asks for a queue or a size that it does not have: compare SUBNQN, HOSTNQN " +
		"and Controller ID in the data of the Connect with what the target serves (nvme discover).",
	0x183: "The subsystem is no longer here: the host has to ask the discovery service again (nvme discover).",
	0x184: "The subsystem does not admit this host: add the HOSTNQN in the data of the Connect to those that it allows.",
	0x191: secretAdvice,
}

const secretAdvice = "Host and subsystem do not have the same secrets for DH-HMAC-CHAP, or no hash and DH group in common: compare those of the host (nvme connect " +
	"--dhchap-secret, --dhchap-ctrl-secret) with those of the target for its HOSTNQN."

// rejectAdvice is that about a connection that a controller rejects, by STS.
var rejectAdvice = map[uint64]string{
	1: formatAdvice,
	2: formatAdvice,
	3: "The controller does not have a queue of this number: see how many it granted (Set Features 07h), and whether it is the one that the host means.",
	4: sizeAdvice,
	5: sizeAdvice,
	6: "The target lacks memory or another resource for the queue: see its log, and let the host ask for fewer or smaller ones (nvme connect --nr-io-queues, " +
		"--queue-size).",
	7: depthAdvice,
	8: depthAdvice,
	9: "The target no longer has the controller that the queue belongs to: let the host connect again, with its Admin Queue first.",
}

const (
	formatAdvice = "Host and controller do not agree on the Private Data of the MPA frames: compare their versions of NVMe over RDMA."
	sizeAdvice   = "Host and controller do not agree on the sizes of the queue: compare HSQSIZE and HRQSIZE in the MPA Request (nvme connect --queue-size) with what the " +
		"target allows, and with SQSIZE."
	depthAdvice = "Host and controller do not agree on the RDMA Reads at a time: compare IRD and ORD in the MPA frames with what both RNICs support."
)

// commandAdvice is that about other commands.
var commandAdvice = map[uint16]string{
	invalidNamespace:  "The controller has no such namespace: it was deleted or detached, or the host has an old list (nvme ns-rescan, nvme list-ns).",
	writeProtected:    "The namespace is write-protected: see its Write Protect feature (nvme get-feature -f 0x84) and the settings of the target.",
	namespaceNotReady: "The namespace is not ready: see whether the target still starts, formats or attaches it.",
	lbaOutOfRange:     "The namespace has no such blocks: it was made smaller, or the host has an old size of it (nvme ns-rescan, nvme id-ns).",
	capacityExceeded:  "The storage behind the namespace is full: see the file system or the thin pool of the target that has it (df, lvs).",
	internalError:     "The target could not use its storage, or has met an error of its own: see its log, and the device or file behind the namespace.",
	dataTransferError: "The controller could not read or write the host's memory: see the logs of both, and whether the host had given up the command (its " +
		"io_timeout) and taken its memory back.",
	reservationConflict: "Another host has a reservation of the namespace: see which (nvme resv-report), and whether its cluster still needs it.",
	0x300:               "The controller cannot get at the namespace: see the storage behind it, and its log.",
	0x301:               "The namespace is lost on this path (ANA Persistent Loss): the host has to use another path, and the administrator to remove this one.",
	0x302: "The namespace cannot be reached on this path (ANA Inaccessible): see whether the host has another one (nvme list-subsys), and why the target has " +
		"not made one accessible.",
	0x303: "The path changes its ANA state: if that takes longer than ANATT, see the fail-over of the target.",
	0x360: "The controller cannot reach the namespace: see the paths between it and the storage.",
}

// readyAdvice is that about a controller that is not ready.
const readyAdvice = "See what the target does at that time: it starts, waits for its storage, or has failed (its log says), and then needs a reset. CAP.TO says for " +
	"how long a host has to wait."

// mediaAdvice is that about Media and Data Integrity Errors.
const mediaAdvice = "The storage could not read or write these blocks: see the log and the health of the device (nvme smart-log, nvme error-log)."

const droppedAdvice = "Somebody took the subsystem, its port or the host's right to it away on the target (nvmetcli), or stopped the target; or it has met an " +
	"error: see its log for that time, and what it answers when the host connects again."

// Advice implements ulp.Advising.
func (x *Exchange) Advice() string {
	code := x.Status.code()
	switch {
	case x.readiness != "":
		return readyAdvice
	case x.refusal != "":
		return secretAdvice
	case x.connects():
		return cmp.Or(x.wrong.advice, connectAdvice[code])
	case code>>8 == mediaErrors && x.QueueID != 0 && x.Opcode != opFabrics:
		return mediaAdvice
	}
	if code == capacityExceeded && x.Opcode == opRead {
		code = lbaOutOfRange // a Read needs no room
	}
	return commandAdvice[code]
}
