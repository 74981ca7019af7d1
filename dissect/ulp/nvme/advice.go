package nvme

// What to do about commands that a controller refuses.

// connectAdvice is that about a Connect, by Status Code Type and Status Code.
var connectAdvice = map[uint16]string{
	0x180: "The controller does not know the format of this Connect: compare the versions of NVMe over Fabrics on both sides.",
	0x181: "The controller cannot take this connection now: see how many hosts and queues it may have, and whether one with the same Controller ID is left.",
	0x182: "The target has no subsystem with this NQN at this port, or the host asks for a queue or a size that it does not have: compare SUBNQN, HOSTNQN " +
		"and Controller ID in the data of the Connect with what the target serves (nvme discover).",
	0x183: "The subsystem is no longer here: the host has to ask the discovery service again (nvme discover).",
	0x184: "The subsystem does not admit this host: add the HOSTNQN in the data of the Connect to those that it allows.",
	0x191: "The subsystem demands authentication: give the host its secret (nvme connect --dhchap-secret).",
}

// Advice implements ulp.Advising.
func (x *Exchange) Advice() string {
	if x.Opcode != opFabrics || x.FabricsType != fcConnect {
		return ""
	}
	return connectAdvice[x.Status.code()]
}
