package nvme

// The namespaces that a controller has: NVM Express Base Specification 2.0, Identify, Active Namespace ID list (CNS 02h).

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
)

const (
	activeNamespaces = 0x02 // CNS
	maxNamespaces    = 64   // of a list that are kept
)

// namespaces are those that the latest list has, and those that it lacks although an earlier one had them.
type namespaces struct {
	listed  []uint32
	at      record.Origin // of the list; zero if there was none
	gone    []uint32      // at most maxNamespaces
	lacks   record.Origin // the list that first lacked one of them
	had     record.Origin // the latest one before that
	managed bool          // the host creates, deletes, attaches or detaches namespaces itself
}

// asked is what an Identify asks for; 0 of other commands.
func (n *namespaces) asked(c *Capsule) uint8 {
	const management, attachment = 0x0d, 0x15
	switch {
	case c.QueueID != 0 || len(c.Octets) < commandLen:
	case c.Opcode == management, c.Opcode == attachment:
		n.managed = true
	case c.Opcode == opIdentify:
		return uint8(identifyCNS.Number(c.Octets[parametersOff:]))
	}
	return 0
}

// list takes the beginning of a list that RDMA moves.
func (n *namespaces) list(r *pending.Request[Exchange], data []byte) {
	c := &r.Detail.Command
	if c.QueueID != 0 || c.Opcode != opIdentify || r.Detail.cns != activeNamespaces || c.NamespaceID != 0 {
		return
	}
	var ids []uint32
	for ; len(data) >= 4 && len(ids) <= maxNamespaces; data = data[4:] {
		if id := binary.LittleEndian.Uint32(data); id != 0 {
			ids = append(ids, id)
			continue
		}
		n.take(record.Origin{Conn: r.Conn, Dir: flow.S2C, Span: r.Request}, ids)
		return
	}
	*n = namespaces{managed: n.managed} // the rest of the list is not known
}

// take takes a whole list.
func (n *namespaces) take(o record.Origin, ids []uint32) {
	n.gone = slices.DeleteFunc(n.gone, func(id uint32) bool { return slices.Contains(ids, id) })
	for _, id := range n.listed {
		switch {
		case slices.Contains(ids, id) || len(n.gone) == maxNamespaces:
			continue
		case len(n.gone) == 0:
			n.lacks, n.had = o, n.at
		}
		n.gone = append(n.gone, id)
	}
	n.listed, n.at = ids, o
}

// conclude says that a namespace is gone.
func (n *namespaces) conclude() (c ulp.Conclusion, ok bool) {
	if len(n.gone) == 0 || n.managed {
		return c, false
	}
	frames := n.lacks.Conn.Frames
	return ulp.Conclusion{Origin: n.lacks, Name: record.Withdrawn, Says: fmt.Sprintf(
		"Namespace %d disappeared while the host was connected: the controller's list of active namespaces for the Identify in %s lacks it, and the one for %s had it",
		n.gone[0], frames.Text(n.lacks.Span), frames.Text(n.had.Span)), Advice: "Programs on the host that use the namespace get I/O errors, and file systems on it end. " +
		"See who deleted, detached or disabled it on the target, and whether its device failed there."}, true
}
