package rpc_test

import (
	"net/netip"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
)

func TestRecognise(t *testing.T) {
	private := mpa.Frame{PDLength: 12, S: true, Rev: 2, PrivateData: octets("00800000 f6ab0e18 01010303")}
	send := func(payload string) (*record.Message, []byte) {
		b := octets(payload)
		return &record.Message{Opcode: rdmap.OpSend, Len: uint64(len(b)), Complete: true}, b
	}
	for name, tc := range map[string]struct {
		port    uint16
		request mpa.Frame
		payload string // of a Send; empty to look at the frames only
		want    bool
	}{
		"the port alone":                      {20049, mpa.Frame{}, "", false},
		"Private Data":                        {4791, private, "", true},
		"a Send at fault on the port":         {20049, mpa.Frame{}, "5a000001 00000003 00000020 00000000 00000000 00000000 00000000 5a000001 00000000", true},
		"one that is short on the port":       {20049, mpa.Frame{}, "5a000001 00000001 00000020 00000000", false},
		"another Send on the port":            {20049, mpa.Frame{}, "00005634 372b8f90 9996e800 00000040 00000000 00000000", false},
		"another port":                        {4420, mpa.Frame{}, "", false},
		"Private Data of others":              {4420, mpa.Frame{PDLength: 8, PrivateData: octets("00000008 00000008")}, "", false},
		"version 1":                           {4420, mpa.Frame{}, nullCall, true},
		"a Reply, in the middle":              {4420, mpa.Frame{}, nullReply, true},
		"a Long Reply":                        {4420, mpa.Frame{}, "5a000006 00000001 00000010 00000001 00000000 00000000 00000001 00000001 3300cc02 00000bb8 0000000040000000", true},
		"version 2":                           {4420, mpa.Frame{}, "c0000001 00000002 00080004 00000005 00000000 00000001 00000005 00000004 00000001", true},
		"the draft of 2022":                   {4420, mpa.Frame{}, "7c000002 00000002 00000009 0000000a 00000000 00000000 00000000 00000000 7c000002 00000000 00000002", true},
		"an error":                            {4420, mpa.Frame{}, "5a000009 00000001 00000010 00000004 00000002", true},
		"an NVMe command":                     {4420, mpa.Frame{}, "7f400c00 00000000 01000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000", false},
		"a version that does not exist":       {4420, mpa.Frame{}, "5a000001 00000007 00000020 00000000 00000000 00000000 00000000 5a000001 00000000", false},
		"another XID in the RPC message":      {4420, mpa.Frame{}, "5a000001 00000001 00000020 00000000 00000000 00000000 00000000 5a000002 00000000", false},
		"a list that is none":                 {4420, mpa.Frame{}, "5a000001 00000001 00000020 00000000 00000002 00000000 00000000 5a000001 00000000", false},
		"nothing":                             {4420, mpa.Frame{}, "00", false},
		"a port that is that of the client":   {0, mpa.Frame{}, "", false},
		"Private Data in front of other data": {4420, mpa.Frame{PDLength: 11, PrivateData: octets("f6ab0e18 01010303 aabbcc")}, "", true},
	} {
		c := &flow.Conn{
			Client: netip.MustParseAddrPort("10.0.0.1:20049"), Server: netip.AddrPortFrom(netip.MustParseAddr("10.0.0.2"), tc.port),
			Requested: true, Replied: true, Request: tc.request,
		}
		var m *record.Message
		var payload []byte
		if tc.payload != "" {
			m, payload = send(tc.payload)
		}
		if got := rpc.New(rpc.Options{}).Recognise(c, m, payload) != nil; got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
	if name := rpc.New(rpc.Options{}).Name; name != "RPC-over-RDMA" {
		t.Error(name)
	}
}

// TestMidConnection follows a connection whose begin was not seen: Calls and Replies are still joined, and nothing is
// found but the port.
func TestMidConnection(t *testing.T) {
	q := &quiet{}
	l := &line{conn: flow.Conn{Server: netip.MustParseAddrPort("10.0.0.2:7174")}, msn: [2]uint32{4711, 815}}
	first := octets(nullReply)
	l.Follower = rpc.New(rpc.Options{}).Recognise(&l.conn, &record.Message{Opcode: rdmap.OpSend, Len: uint64(len(first)), Complete: true}, first)
	if l.Follower == nil {
		t.Fatal("it is not recognised")
	}
	l.Begin(q)
	l.send(flow.S2C, first) // to a Call that was not seen
	l.write(flow.S2C, 7, 0, data[:16])
	for xid := range uint32(3) {
		l.exchange(xid, octets(readCall), octets(readReply))
	}
	l.send(flow.C2S, octets(nullCall))
	if n := l.End(); n != [2]int{1, 0} || q.findings != 1 || q.transactions != 4 || q.uppers != 8 {
		t.Errorf("%v outstanding, %+v", n, *q)
	}
}
