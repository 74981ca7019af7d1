package ulptest_test

import (
	"encoding/binary"
	"io"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/ulptest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A mover gives the connections of a capture another server port. Nobody looks at TCP checksums.
type mover struct {
	to      uint16
	servers map[uint16]bool
}

// move moves one packet: an Ethernet frame with IPv4, as all of these captures have.
func (m *mover) move(frame []byte) {
	const (
		ip, protocol, tcp = 14, 9, 6
		synAndACK, syn    = 0x12, 0x02
	)
	if len(frame) < ip+40 || binary.BigEndian.Uint16(frame[12:]) != 0x0800 || frame[ip+protocol] != tcp {
		return
	}
	segment := frame[ip+4*int(frame[ip]&15):]
	from, to := binary.BigEndian.Uint16(segment), binary.BigEndian.Uint16(segment[2:])
	if segment[13]&synAndACK == syn {
		m.servers[to] = true
	}
	if m.servers[from] {
		binary.BigEndian.PutUint16(segment, m.to)
	} else if m.servers[to] {
		binary.BigEndian.PutUint16(segment[2:], m.to)
	}
}

// runAt analyses a capture as if its servers had another port.
func runAt(t *testing.T, r *ulptest.Recorder, file string, port uint16, l *ulp.Layer) {
	t.Helper()
	c, err := pcaps.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	m := mover{port, map[uint16]bool{}}
	e := dissect.NewEngine(judge.New(r, judge.Options{ULPs: []*ulp.Layer{l}}), dissect.Options{})
	for {
		var p pcaps.Record
		if err := c.Next(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		m.move(p.Data)
		e.Packet(&p)
	}
	e.Close()
}

// TestPortAlone moves programs that no upper layer knows to the ports of each: a port claims nothing.
func TestPortAlone(t *testing.T) {
	nfs := rpc.New(rpc.Options{})
	for port, ulp := range map[uint16]*ulp.Layer{
		rpcrdma.Port: nfs, nvme.Port: nvme.Layer, iser.Layer.Ports[0]: iser.Layer, iser.Layer.Ports[1]: iser.Layer,
		5445: smbdirect.Layer, 445: smbdirect.Layer,
	} {
		for _, file := range []string{
			"rping.pcap", "mpav1-crc.pcap", "p2p-crc.pcap", "pd-c16-s255.pcap", "sendinv-crc1.pcap",
			"perf-ib_read_bw-4096-o16.pcap.gz", "multi4.pcap.gz",
		} {
			var r ulptest.Recorder
			runAt(t, &r, "../../pcaps/samples/"+file, port, ulp)
			if len(r.Verdicts) == 0 {
				t.Errorf("%s at port %d: no connections", file, port)
			}
			for i := range r.Verdicts {
				if v := &r.Verdicts[i]; v.ULP != "" || v.Conn.Server.Port() != port {
					t.Errorf("%s at port %d, connection %d at %v: taken for %s", file, port, i, v.Conn.Server, v.ULP)
				}
			}
		}
	}
	var r ulptest.Recorder
	runAt(t, &r, "../../pcaps/samples/nfs-small-v4.1-inl4096-crc1.pcap.gz", 7174, nfs)
	if len(r.Transactions) == 0 {
		t.Error("NFS is not recognised at another port")
	}
}
