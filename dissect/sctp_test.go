package dissect_test

// DDP over SCTP: chunks that come late, twice, in pieces or not at all, and which session they belong to.

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
)

// sctpTalk is the packets of a transcript over SCTP. Its first four packets are the handshake, if there is one.
func sctpTalk(t testing.TB, script string) []pcaps.Record {
	t.Helper()
	s, err := transcript.Parse("test", "sctp\n"+script+"\nend")
	if err != nil {
		t.Fatal(err)
	}
	return s.Records
}

// The begin of a session, and Sends with the given MSNs.
const accepted = "c2s control 0001\ns2c ack\ns2c control 0002\nc2s ack\n"

func sends(side string, msns ...int) (script string) {
	for _, msn := range msns {
		script += fmt.Sprintf("%s 4143 00000000 00000000 %08x 00000000 \"abcd\"\n", side, msn)
	}
	return script
}

func TestSCTP(t *testing.T) {
	for _, tc := range []struct {
		name   string
		script string
		change func([]pcaps.Record) []pcaps.Record
		want   string
	}{
		{"a session", accepted + sends("c2s", 1) + sends("s2c", 1) + `
			c2s 8140 0000000a 0000000000004000 "half a Write,"
			c2s c140 0000000a 000000000000400d "and the rest."
			c2s control 0004
			s2c control 0004`, nil, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			9 0 c2s Send 4 in 1
			10 0 s2c Send 4 in 1
			11-12 0 c2s Write 26 in 2
			13 0 c2s SessionTerminate 4 octets
			14 0 s2c SessionTerminate 4 octets
			conn 0 ends: fin`},
		{"rejected", "c2s control 0001\ns2c control 0003 01", nil, `
			5 0 c2s SessionInitiate 4 octets
			6 0 s2c SessionReject 5 octets
			conn 0 ends: reject`},
		{"refused by the provider", "c2s control 0001\ns2c control 0004", nil, `
			5 0 c2s SessionInitiate 4 octets
			6 0 s2c SessionTerminate 4 octets
			conn 0 ends: reject`},
		{"packets out of order", accepted + sends("c2s", 1, 2, 3, 4), func(r []pcaps.Record) []pcaps.Record {
			r[8], r[11] = r[11], r[8]
			r[9], r[10] = r[10], r[9]
			return r
		}, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			12 0 c2s Send 4 in 1
			11 0 c2s Send 4 in 1
			10 0 c2s Send 4 in 1
			9 0 c2s Send 4 in 1
			conn 0 ends: open`},
		{"the Initiate comes behind what it begins", accepted + sends("c2s", 1), func(r []pcaps.Record) []pcaps.Record {
			r[4], r[8] = r[8], r[4]
			return r
		}, `
			7 0 s2c SessionAccept 4 octets
			9 0 c2s SessionInitiate 4 octets
			5 0 c2s Send 4 in 1
			conn 0 ends: open`},
		{"chunks that come twice", accepted + sends("c2s", 1) + "again\nc2s fin", nil, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			9 0 c2s Send 4 in 1
			conn 0 ends: fin`},
		{"a chunk is lost", accepted + sends("c2s", 1) + "drop\n" + sends("c2s", 2, 3), nil, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			9 0 c2s chunks missing: 1 octets
			9 0 c2s Send 4 in 1
			10 0 c2s Send 4 in 1
			conn 0 ends: open`},
		{"the middle of a message is lost", accepted + `
			c2s 8140 0000000a 0000000000000000 "aaaa"
			c2s 8140 0000000a 0000000000000004 "aaaa"
			drop
			c2s c140 0000000a 0000000000000008 "aaaa"`, nil, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			10 0 c2s chunks missing: 1 octets
			9-10 0 c2s Write 8 in 2 incomplete
			conn 0 ends: open`},
		{"lost, and the other side has it: it is not waited for to the end", accepted + sends("c2s", 1) + "drop\n" +
			sends("c2s", 2, 3, 4, 5, 6, 7, 8) + "s2c ack\n" + sends("c2s", 9) + sends("s2c", 1), nil, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			9 0 c2s chunks missing: 1 octets
			9 0 c2s Send 4 in 1
			10 0 c2s Send 4 in 1
			11 0 c2s Send 4 in 1
			12 0 c2s Send 4 in 1
			13 0 c2s Send 4 in 1
			14 0 c2s Send 4 in 1
			15 0 c2s Send 4 in 1
			17 0 c2s Send 4 in 1
			18 0 s2c Send 4 in 1
			conn 0 ends: open`},
		{"the last chunk is lost", accepted + sends("c2s", 1, 2) + "drop\ns2c ack", nil, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			9 0 c2s Send 4 in 1
			5-9 0 c2s chunks missing: 1 octets
			conn 0 ends: open`},
		{"fragments, out of order", accepted + "split 10\n" + sends("c2s", 1), func(r []pcaps.Record) []pcaps.Record {
			r[8], r[10] = r[10], r[8]
			return r
		}, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			9-11 0 c2s Send 4 in 1
			conn 0 ends: open`},
		{"several chunks in a packet", accepted + sends("c2s", 1) + "join\n" + sends("c2s", 2) + "join\n" + sends("c2s", 3), nil, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			9 0 c2s Send 4 in 1
			9 0 c2s Send 4 in 1
			9 0 c2s Send 4 in 1
			conn 0 ends: open`},
		{"the capture begins late", "midstream\nssn 65534\n" + sends("c2s", 7, 8, 9), nil, `
			1 0 c2s Send 4 in 1
			2 0 c2s Send 4 in 1
			3 0 c2s Send 4 in 1
			conn 0 ends: open`},
		{"one direction only", accepted + sends("c2s", 1) + sends("s2c", 1) + sends("c2s", 2), func(r []pcaps.Record) []pcaps.Record {
			return slices.DeleteFunc(r, func(r pcaps.Record) bool { return r.Data[29] == 2 })
		}, `
			3 0 c2s SessionInitiate 4 octets
			5 0 c2s Send 4 in 1
			6 0 c2s Send 4 in 1
			conn 0 ends: open`},
		{"cut within payload", accepted + sends("c2s", 1, 2), func(r []pcaps.Record) []pcaps.Record {
			r[8].Data = r[8].Data[:len(r[8].Data)-3]
			return r
		}, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			9 0 c2s Send 4 in 1 missing 3
			10 0 c2s Send 4 in 1
			conn 0 ends: open`},
		{"two streams", accepted + "stream 1\n" + accepted + sends("s2c", 1) + "stream 0\n" + sends("c2s", 1) + "c2s fin\ns2c fin", nil, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			9 1 c2s SessionInitiate 4 octets
			11 1 s2c SessionAccept 4 octets
			13 1 s2c Send 4 in 1
			14 0 c2s Send 4 in 1
			conn 1 ends: fin
			conn 0 ends: fin`},
		{"the next session on a stream, begun by the other side", accepted + `
			c2s control 0004
			s2c ack
			ssn 0
			s2c control 0005 00010001
			c2s ack
			ssn 0
			c2s control 0006 00010001
			s2c ack
			` + sends("s2c", 1), nil, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			9 0 c2s SessionTerminate 4 octets
			conn 0 ends: fin
			11 1 c2s EnhancedInitiate 8 octets
			13 1 s2c EnhancedAccept 8 octets
			15 1 c2s Send 4 in 1
			conn 1 ends: open`},
		{"aborted", accepted + sends("c2s", 1) + "s2c rst", nil, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			9 0 c2s Send 4 in 1
			conn 0 ends: reset`},
		{"a foreign chunk", accepted + "c2s ppid 46 \"diameter\"\n" + sends("c2s", 1), nil, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			9 0 c2s foreign chunk: 8 octets
			10 0 c2s Send 4 in 1
			conn 0 ends: open`},
		{"a packet with another Verification Tag", accepted + sends("c2s", 1, 2), func(r []pcaps.Record) []pcaps.Record {
			r[8].Data[38] ^= 1
			return r
		}, `
			5 0 c2s SessionInitiate 4 octets
			7 0 s2c SessionAccept 4 octets
			10 0 c2s chunks missing: 1 octets
			10 0 c2s Send 4 in 1
			conn 0 ends: open`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			records := sctpTalk(t, tc.script)
			if tc.change != nil {
				records = tc.change(records)
			}
			j := dissectRecords(records)
			expect(t, j, tc.want)
			for i := range j.conns {
				c := &j.conns[i]
				if c.Transport() != flow.OverSCTP || c.Agreement.CRC || c.Agreement.DDPVersion != 1 {
					t.Errorf("%v, %+v", c.Transport(), c.Agreement)
				}
				for d := range c.Traffic {
					if tr := &c.Traffic[d]; tr.Undecoded != 0 || tr.Streaming != 0 || tr.CRC != [3]uint64{} || tr.Markers != 0 {
						t.Errorf("%+v", tr)
					}
				}
			}
		})
	}
}

// TestSCTPConn looks at what a connection knows of its association and of what was agreed.
func TestSCTPConn(t *testing.T) {
	j := dissectRecords(sctpTalk(t, `stream 7
		c2s control 0005 00020004 "hello"
		s2c ack
		s2c control 0006 00080001
		c2s ack
		`+sends("c2s", 1)+`again
		c2s control 0004
		s2c fin`))
	c := &j.conns[0]
	if c.Client.Port() != 40000 || c.Server.Port() != 7174 || !c.Whole || !c.Agreed || !c.Requested || !c.Replied {
		t.Errorf("%+v", c)
	}
	if a := &c.Agreement; a.InitORD != 4 || a.RespORD != 1 || a.CRC || a.MarkersFromInit || a.MarkersFromResp {
		t.Errorf("%+v", a)
	}
	if got := string(c.Request.ULPPrivateData()); got != "hello" {
		t.Errorf("Private Data %q", got)
	}
	a := c.Association
	if a.Stream != 7 || !a.Ends[0].Indicated || a.Ends[1].Indication != 1 || a.Ends[0].Frame != 1 || a.Ends[1].Frame != 2 ||
		a.Ends[0].Outbound != 10 || a.Shutdown != [2]bool{} {
		t.Errorf("%+v", a)
	}
	tr := &c.Traffic[flow.C2S]
	if tr.FPDUs != 1 || tr.Messages[rdmap.OpSend] != 1 || tr.Packets != 4 || tr.Octets != 13+24+24+4 || tr.TCP.Retransmitted != 24 {
		t.Errorf("%+v", tr)
	}
	if c.FIN[flow.C2S].Frame != 11 || c.FIN[flow.S2C] != (flow.Span{}) {
		t.Errorf("FIN %+v", c.FIN)
	}
}

// TestSCTPWithoutDDP looks at an association of something else.
func TestSCTPWithoutDDP(t *testing.T) {
	if j := dissectRecords(sctpTalk(t, "c2s ppid 46 \"diameter\"\ns2c ppid 0 \"?\"\nc2s fin")); len(j.lines) != 0 {
		t.Errorf("%q", j.lines)
	}
}

// TestSCTPRestart lets the ports of an association be used again, without an end and after one.
func TestSCTPRestart(t *testing.T) {
	for _, end := range []string{"", "c2s rst\n"} {
		first := sctpTalk(t, accepted+sends("c2s", 1)+end)
		talk := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Begin(77, 99)
		a := conversation.DDP()
		a.Tag = [2]uint32{0x1234, 0x5678}
		talk.Over(a).Connect()
		const whole = conversation.FlagBegin | conversation.FlagEnd | conversation.FlagUnordered
		talk.Send(client, talk.Data(client, 0, 17, whole, []byte{0, 0, 0, 1}))
		j := dissectRecords(append(first, talk.Records...))
		if len(j.conns) != 2 || j.conns[1].Client.Port() != 40000 || !j.conns[1].Requested {
			t.Errorf("%q: %s", end, strings.Join(j.lines, "\n"))
		}
	}
}

// TestSCTPAddresses looks at IPv6, and at an association that shares addresses and ports with a TCP connection.
func TestSCTPAddresses(t *testing.T) {
	talk := conversation.New("[2001:db8::1]:40000", "[2001:db8::2]:7174").Over(conversation.DDP()).Connect()
	const whole = conversation.FlagBegin | conversation.FlagEnd | conversation.FlagUnordered
	talk.Send(client, talk.Data(client, 0, 17, whole, []byte{0, 0, 0, 1}))
	tcp := conversation.New("[2001:db8::1]:40000", "[2001:db8::2]:7174").Connect().
		Send(client, []byte("MPA ID Req Frame\x40\x01\x00\x00"))
	j := dissectRecords(append(talk.Records, tcp.Records...))
	expect(t, j, `
		5 0 c2s SessionInitiate 4 octets
		9 1 c2s Request 20 octets
		conn 0 ends: open
		conn 1 ends: open`)
}

// TestSCTPRefused answers an INIT with an ABORT. Without an Adaptation Layer Indication it is not known to be meant for DDP.
func TestSCTPRefused(t *testing.T) {
	refused := func(a conversation.Association) *journal {
		k := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Over(a).Connect()
		k.Records = k.Records[:1]
		return dissectRecords(k.Reset(server).Records)
	}
	j := refused(conversation.DDP())
	expect(t, j, `conn 0 ends: refused`)
	c := &j.conns[0]
	if c.Client.Port() != 40000 || c.RST[flow.S2C].Frame != 2 || c.Frame != 1 || c.LastFrame != 2 || c.Association == nil {
		t.Errorf("%+v", c)
	}
	other := conversation.DDP()
	other.Indication[client] = nil
	if j := refused(other); len(j.lines) > 0 {
		t.Errorf("without indication: %v", j.lines)
	}
}

// TestSCTPLimits has more associations, sessions and waiting chunks than are kept.
func TestSCTPLimits(t *testing.T) {
	j := &journal{}
	e := dissect.NewEngine(j, dissect.Options{MaxConnections: 8})
	frame := uint64(0)
	give := func(records []pcaps.Record) {
		for i := range records {
			frame++
			records[i].Frame = frame
			e.Packet(&records[i])
		}
	}
	for port := range 100 {
		talk := conversation.New(fmt.Sprint("10.0.0.1:", 40000+port), "10.0.0.2:7174").Over(conversation.DDP()).Connect()
		const whole = conversation.FlagBegin | conversation.FlagEnd | conversation.FlagUnordered
		for stream := range uint16(20) {
			talk.Send(client, talk.Data(client, stream, 17, whole, []byte{0, 0, 0, 1}))
			for ssn := range 100 { // 1 never comes
				talk.Send(client, talk.Data(client, stream, 16, whole, append([]byte{0, byte(2 + ssn)}, make([]byte, 100)...)))
			}
		}
		give(talk.Records)
	}
	e.Close()
	if n := e.Totals(); n.SCTP != 100 || n.Connections != 2000 || len(j.conns) != 2000 {
		t.Errorf("%+v, %d connections have ended", n, len(j.conns))
	}
}

// TestSCTPAllocatesNothing gives an Engine packets over SCTP in the steady state.
func TestSCTPAllocatesNothing(t *testing.T) {
	records := sctpTalk(t, accepted+strings.Repeat(sends("c2s", 1)+sends("s2c", 1)+"c2s ack\n", 1000))
	e := dissect.NewEngine(recordtest.Discard, dissect.Options{})
	next := 0
	feed := func(n int) {
		for range n {
			e.Packet(&records[next])
			next++
		}
	}
	feed(300)
	if allocs := testing.AllocsPerRun(100, func() { feed(20) }); allocs != 0 {
		t.Errorf("%v allocations in 20 packets", allocs)
	}
}

// TestServicePort looks who is the client where nothing but a well-known port tells.
func TestServicePort(t *testing.T) {
	for _, tc := range []struct {
		first, second string
		client        string
	}{
		{"10.0.0.2:20049", "10.0.0.1:700", "10.0.0.1:700"},
		{"10.0.0.1:700", "10.0.0.2:20049", "10.0.0.1:700"},
		{"10.0.0.2:4420", "10.0.0.1:20049", "10.0.0.2:4420"},
		{"10.0.0.2:7174", "10.0.0.1:700", "10.0.0.1:700"},
		{"10.0.0.2:7175", "10.0.0.1:700", "10.0.0.2:7175"},
		{"10.0.0.2:445", "10.0.0.1:50000", "10.0.0.1:50000"},
	} {
		talk := conversation.New(tc.first, tc.second).Over(conversation.DDP())
		const whole = conversation.FlagBegin | conversation.FlagEnd | conversation.FlagUnordered
		segment := "\x00\x01\x41\x43\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00"
		talk.Send(client, talk.Data(client, 0, 16, whole, []byte(segment)))
		j := dissectRecords(talk.Records)
		if len(j.conns) != 1 || j.conns[0].Client.String() != tc.client {
			t.Errorf("%s to %s: %+v", tc.first, tc.second, j.conns)
		}
	}
}
