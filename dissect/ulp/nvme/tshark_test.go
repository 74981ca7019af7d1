package nvme_test

import (
	"encoding/binary"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/tools"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// tcpPDU is a PDU of NVMe over TCP, in which capsules are the same as over RDMA.
func tcpPDU(kind byte, header, data []byte) []byte {
	hlen := 8 + len(header)
	b := []byte{kind, 0, byte(hlen), 0}
	if len(data) > 0 {
		b[3] = byte(hlen)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(hlen+len(data)))
	return append(append(b, header...), data...)
}

// TestTshark puts the capsules of a capture into NVMe over TCP, which tshark reads, and compares the fields.
func TestTshark(t *testing.T) {
	tools.Require(t, "tshark")
	const icReq, icResp, command, response = 0, 1, 4, 5
	ours := make(ulptest.Reading)
	file := ulptest.NewFile(t)
	queues := make(map[int]*conversation.Conversation)
	r := ulptest.Recorder{OnUpper: func(m *record.Upper) {
		capsule := m.Body.(*nvme.Capsule)
		c := queues[m.Conn.ID]
		if c == nil {
			c = conversation.New(m.Conn.Client.String(), m.Conn.Server.String()).Connect()
			c.MSS = 1 << 15
			c.Send(conversation.Client, tcpPDU(icReq, make([]byte, 120), nil))
			c.Send(conversation.Server, tcpPDU(icResp, make([]byte, 120), nil))
			queues[m.Conn.ID] = c
		}
		if capsule.Response {
			c.Send(conversation.Server, tcpPDU(response, capsule.Octets, nil))
		} else {
			c.Send(conversation.Client, tcpPDU(command, capsule.Octets[:64], capsule.Octets[64:]))
		}
		frame := file.Add(t, c)
		ours.TakeBody(frame, capsule)
	}}
	r.Run(t, ulptest.Captures+"nvme-rdma.pcap.gz", nvme.Layer)

	compared := ours.Compare(t, ulptest.Tshark(t, file.Path, nvme.Tables, "-d", "tcp.port==4420,nvme-tcp"))
	for _, name := range []string{
		"nvme.cmd.opc", "nvme.cmd.cid", "nvme.cmd.nsid", "nvme.cmd.psdt", "nvme.cmd.sgl.type", "nvme.cmd.sgl.subtype",
		"nvme.cmd.sgl1.addr", "nvme.cmd.sgl1.len", "nvme.cmd.sgl1.key", "nvme.cmd.slba", "nvme.cqe.cid",
		"nvme.cqe.sqhd", "nvme.fabrics.cmd.fctype", "nvme.fabrics.cmd.connect.qid",
		"nvme.fabrics.cmd.prop_get_set.offset",
	} {
		if compared[name] == 0 {
			t.Errorf("%s was never compared", name)
		}
	}
}
