package fuzz

// Calls of MOUNT and rpcbind, and what is answered.

import (
	"encoding/binary"
	"testing"
	"unicode"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
)

// datagram is a packet of IPv4 with one of UDP from a host to another, which the last octets of their addresses name.
func datagram(from, to byte, payload []byte) []byte {
	b := []byte{0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, from, 10, 0, 0, to, 3, from, 3, to, 0, 0, 0, 0}
	binary.BigEndian.PutUint16(b[2:], uint16(len(b)+len(payload)))
	binary.BigEndian.PutUint16(b[24:], uint16(8+len(payload)))
	return append(b, payload...)
}

// FuzzMounts lets a client send any two Calls to MOUNT or rpcbind, and a server answer with anything. No more is refused than was asked for,
// each refusal has a Verdict, and nothing is said that a terminal should not see.
func FuzzMounts(f *testing.F) {
	const (
		mnt     = "\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x02\x00\x01\x86\xa5\x00\x00\x00\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04/srv"
		getport = "\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x02\x00\x01\x86\xa0\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x86\xa5\x00\x00\x00\x03\x00\x00\x00\x11\x00\x00\x00\x00"
		denied  = "\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0d"
		unknown = "\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	)
	f.Add([]byte(mnt), []byte(denied), []byte(getport), []byte(unknown))
	f.Add([]byte(getport), []byte(unknown), []byte(mnt), []byte(denied))
	f.Fuzz(func(t *testing.T, call, reply, call2, reply2 []byte) {
		if len(call)+len(reply)+len(call2)+len(reply2) > 4096 {
			t.Skip()
		}
		verdicts := 0
		e := dissect.NewEngine(judge.New(record.SinkFunc(func(r *record.Record) {
			for _, finding := range r.Findings {
				for _, c := range finding.Text {
					if !unicode.IsPrint(c) {
						t.Errorf("%q", finding.Text)
					}
				}
			}
			if r.Verdict != nil {
				verdicts++
			}
		}), judge.Options{}), dissect.Options{})
		for i, data := range [][]byte{datagram(1, 2, call), datagram(2, 1, reply), datagram(1, 2, call2), datagram(2, 1, reply2)} {
			e.Packet(&pcaps.Record{Frame: uint64(i + 1), Time: int64(i + 1), LinkType: pcaps.LinkTypeRaw, Data: data, OrigLen: len(data)})
		}
		e.Close()
		if n := e.Totals().Connections; n != verdicts || n > 2 {
			t.Errorf("%d refusals, %d Verdicts", n, verdicts)
		}
	})
}
