package nvme

// Whether a controller becomes ready: the host enables it, and then reads its status again and again (NVM Express Base Specification 2.0,
// section 3.5.1).

import "github.com/iwarpkit/iwarp/dissect/record"

// The properties that say so, by offset, and their bits.
const (
	offsetCC   = 0x14
	offsetCSTS = 0x1c

	ccEnable       = 1 << 0
	ccShutdown     = 3 << 14
	cstsReady      = 1 << 0
	cstsFatal      = 1 << 1
	notReady       = "CSTS.RDY 0 (the controller is not ready)"
	fatal          = "CSTS.CFS 1 (the controller has failed)"
	enoughProperty = parametersOff + 16 // octets of a Property Set
)

// property notes what the command in f.capsule does with the readiness of the controller. asks says that it reads the status of one that
// is enabled.
func (f *follower) property(o *record.Origin) (asks bool) {
	c := &f.capsule
	if c.Opcode != opFabrics || len(c.Octets) < enoughProperty {
		return false
	}
	parameters := c.Octets[parametersOff:]
	switch offset := propertyOffset.Number(parameters); {
	case c.FabricsType == fcPropertySet && offset == offsetCC:
		configuration := propertyValue.Number(parameters)
		if f.enabled = (record.Origin{}); configuration&(ccEnable|ccShutdown) == ccEnable {
			f.enabled = *o
		}
		if configuration&ccShutdown != 0 {
			f.timeout = 0 // the host is about to leave
		}
	case c.FabricsType == fcPropertyGet && offset == offsetCSTS:
		return f.enabled.Conn != nil
	}
	return false
}

// readiness is what a completion says of a controller that is not ready; empty if it is.
func readiness(completion []byte) string {
	switch status := responseDW0.Number(completion); {
	case status&cstsFatal != 0:
		return fatal
	case status&cstsReady == 0:
		return notReady
	}
	return ""
}
