package nvme

// Which parameter of a Connect a controller calls wrong: NVM Express over Fabrics 1.1, section 3.3 (Connect response).

// An invalid is such a parameter. The zero value is that of none.
type invalid struct{ name, advice string }

// text is what follows the status: ", SUBNQN".
func (p invalid) text() string {
	if p.name == "" {
		return ""
	}
	return ", " + p.name
}

// wrongParameter reads the parameter from a completion: in Dword 0, the Invalid Parameter Offset, and the bit IATTR of one in the data.
func wrongParameter(completion []byte) invalid {
	return invalids[responseDW0.Number(completion)&(inData|0xffff)]
}

// inData is IATTR.
const inData = 1 << 16

// invalids are the parameters by offset, and IATTR.
var invalids = map[uint64]invalid{
	42:           {"QID", "The host asks for a queue that the controller does not have: see how many it granted (Set Features 07h)."},
	44:           {"SQSIZE", "The target does not take so large a queue, or one without entries: let the host ask for a smaller one (nvme connect --queue-size)."},
	48:           {"KATO", "The target does not take this keep-alive timeout: let the host ask for another (nvme connect --keep-alive-tmo)."},
	inData:       {"HOSTID", "The target does not take this host identifier: see whether another host uses it with another HOSTNQN (/etc/nvme/hostid)."},
	inData | 16:  {"CNTLID", "The target does not have this controller for this host: let the host connect again, with its Admin Queue first."},
	inData | 256: {"SUBNQN", "The target has no subsystem with this NQN at this port: compare it with what the port serves (nvme discover)."},
	inData | 512: {"HOSTNQN", "The subsystem does not take this HOSTNQN: compare it (/etc/nvme/hostnqn) with the hosts that the subsystem allows."},
}
