package rpc_test

// Streams written by hand: what is said of their RPCs, and what the messages are put together to.

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/transcript"
)

// stories are lines about the RPCs of a recorder: how each went, and what moved its chunks.
func (r *recorder) stories() (lines []string) {
	for i, x := range r.exchanges {
		tr := &r.transactions[i]
		line := fmt.Sprintf("%v %#x %s: %v %s, %d+%d", tr.Dir, x.XID, x.Name, tr.Outcome, x.Result, x.Call.Len, x.Reply.Len)
		if x.Call.Parts > 1 || x.Reply.Parts > 1 {
			line += fmt.Sprintf(" in %d+%d messages", x.Call.Parts, x.Reply.Parts)
		}
		for i := range x.Reads {
			line += fmt.Sprintf(", read %d of %d at %d", x.Reads[i].Moved(), x.Reads[i].Offered(), x.Reads[i].Position)
		}
		for i := range x.Writes {
			line += fmt.Sprintf(", wrote %d and returned %d of %d", x.Writes[i].Moved(), x.Writes[i].Returned(), x.Writes[i].Offered())
		}
		if c := &x.ReplyChunk; len(c.Segments) > 0 {
			line += fmt.Sprintf(", Reply chunk %d, %d of %d", c.Moved(), c.Returned(), c.Offered())
		}
		if x.Reply.Invalidates {
			line += fmt.Sprintf(", invalidates %#x", x.Reply.InvalidatedSTag)
		}
		if x.Repeats > 0 {
			line += fmt.Sprintf(", %d times again", x.Repeats)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestStories(t *testing.T) {
	for path, want := range map[string]string{
		"clean/rpc1.txt": `
			c2s 0x5a000001 NFSv3 NULL: answered SUCCESS, 40+24
			c2s 0x5a000003 NFSv3 WRITE: answered SUCCESS, 4172+52, read 4098 of 4098 at 72
			c2s 0x5a000004 NFSv3 READ: answered SUCCESS, 64+5044, wrote 5000 and returned 5000 of 8192, invalidates 0x2200bb01
			c2s 0x5a000006 Program536870913v1 Procedure1: answered SUCCESS, 2000+3000, read 2000 of 2000 at 0, Reply chunk 3000, 3000 of 8192
			c2s 0x5a000008 NFSv3 NULL: answered SUCCESS, 40+24
			c2s 0x5a000007 NFSv3 NULL: answered SUCCESS, 40+24
			c2s 0x5a000009 NFSv3 NULL: answered SUCCESS, 40+24`,
		"clean/rpc2.txt": `
			c2s 0x6b000004 NFSv3 NULL: answered SUCCESS, 40+24
			c2s 0x6b000006 NFSv3 WRITE: answered SUCCESS, 4172+52, read 4098 of 4098 at 72, invalidates 0x1100aa01
			c2s 0x6b000007 NFSv3 NULL: answered SUCCESS, 40+24 in 3+1 messages
			c2s 0x6b000008 Program536870913v1 Procedure1: answered SUCCESS, 4000+30000, read 4000 of 4000 at 0, Reply chunk 30000, 30000 of 65536, invalidates 0x3300cc01
			c2s 0x6b00000b NFSv3 READ: answered SUCCESS, 64+5044, wrote 5000 and returned 5000 of 8192`,
		"clean/rpc2-2022.txt": `
			c2s 0x7c000002 NFSv3 NULL: answered SUCCESS, 40+24
			c2s 0x7c000006 Program536870913v1 Procedure1: answered SUCCESS, 2000+3000, read 2000 of 2000 at 0, Reply chunk 3000, 3000 of 8192
			c2s 0x7c000007 NFSv3 NULL: answered SUCCESS, 40+24 in 1+2 messages`,
		"clean/rpcbidi.txt": `
			c2s 0x5a000001 NFSv4.1 COMPOUND CREATE_SESSION: answered SUCCESS, 140+124
			c2s 0x5a000002 NFSv3 NULL: answered SUCCESS, 40+24
			s2c 0x5a000002 NFSCBv1 CB_NULL: answered SUCCESS, 40+24
			s2c 0x5a000003 Program536870913v3 Procedure0: answered SUCCESS, 52+24, read 8 of 8 at 44`,
		"rpc1/error-repeat.txt": `
			c2s 0x5a000001 NFSv3 NULL: answered SUCCESS, 40+24
			c2s 0x5a000002 NFSv3 NULL: refused ERR_CHUNK, 40+0
			c2s 0x5a000002 NFSv3 NULL: answered SUCCESS, 40+24
			c2s 0x5a000003 NFSv3 NULL: refused ERR_CHUNK, 40+0
			c2s 0x5a000003 NFSv3 GETATTR: answered NFS3ERR_IO, 52+28`,
		"rpc1/xids.txt": `
			c2s 0x5a000001 NFSv3 NULL: answered SUCCESS, 40+24
			c2s 0x5a000002 NFSv3 NULL: answered SUCCESS, 40+24, 1 times again
			c2s 0x5a000003 NFSv3 NULL: unanswered , 40+0
			c2s 0x5a000003 NFSv3 GETATTR: answered NFS3ERR_IO, 52+28`,
		"rpc2/sequences.txt": `
			c2s 0x6b000001 NFSv3 NULL: answered SUCCESS, 40+24
			c2s 0x6b000003 RPC: refused RDMA2_ERR_INVAL_CONT, 0+0
			c2s 0x6b000002 Program536870913v1 Procedure0: answered SUCCESS, 40+24 in 2+1 messages
			c2s 0x6b000004 RPC: refused RDMA2_ERR_INVAL_CONT, 0+0
			c2s 0x6b000006 Program536870913v1 Procedure0: answered SUCCESS, 40+24 in 4+1 messages
			c2s 0x6b000008 NFSv3 NULL: refused RDMA2_ERR_SYSTEM, 40+0
			c2s 0x6b000007 NFSv3 NULL: answered SUCCESS, 40+24 in 1+2 messages
			c2s 0x6b000009 Program536870913v1 Procedure0: answered SUCCESS, 40+24 in 2+1 messages
			c2s 0x6b00000a RPC: unanswered , 0+0`,
	} {
		want := strings.Split(strings.ReplaceAll(strings.TrimSpace(want), "\t", ""), "\n")
		if d := cmp.Diff(want, replayed(readStream(t, path).Records).stories()); d != "" {
			t.Errorf("%s: (-want +got)\n%s", path, d)
		}
	}
}

// parse makes a stream of text, after MPA frames with Private Data.
func parse(t *testing.T, text string) *transcript.Transcript {
	t.Helper()
	s, err := transcript.Parse(t.Name(), "port 20049\n"+
		"c2s hex \"MPA ID Req Frame\" 40 01 0008 f6ab0e18 01010303\ns2c hex \"MPA ID Rep Frame\" 40 01 0008 f6ab0e18 01010303\n"+text+"\nend\n")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCreditsOfVersion2 has those that a message grants, which are half of the word.
func TestCreditsOfVersion2(t *testing.T) {
	r := replayed(readStream(t, "clean/rpc2.txt").Records)
	if x := r.exchanges[0]; x.Call.Credits > 0xffff || x.Reply.Credits > 0xffff || x.Call.Credits == 0 {
		t.Errorf("credits %d/%d", x.Call.Credits, x.Reply.Credits)
	}
}

// TestJoined compares messages with what they should be, octet for octet.
func TestJoined(t *testing.T) {
	r := replayed(readStream(t, "clean/rpc1.txt").Records)
	call := octets("5a000003 00000000 00000002 000186a3 00000003 00000007 00000000 00000000 00000000 00000000" +
		"00000008 01020304 05060708 00000000 00000000 00001002 00000000 00001002")
	call = append(append(call, bytes.Repeat([]byte{0xaa}, 4096)...), 0xbb, 0xbb, 0, 0)
	reply := octets("5a000004 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00001388 00000001 00001388")
	reply = append(append(reply, bytes.Repeat([]byte{0xcc}, 4096)...), bytes.Repeat([]byte{0xdd}, 904)...)
	long := append(octets("5a000006 00000001 00000000 00000000 00000000 00000000"), bytes.Repeat([]byte("res."), 744)...)
	for i, want := range map[int][]byte{2: call, 5: reply, 7: long} {
		if m := &r.messages[i]; !bytes.Equal(m.Octets, want) || !m.Whole || m.Reply != (i%2 == 1) {
			t.Errorf("message %d: %d octets of %d, want %d, whole %v", i, len(m.Octets), m.Len, len(want), m.Whole)
		}
	}
}

// TestTwoReadChunks is the example of two chunks in one message: 200 octets, 10 of a chunk at 100, 8 of one at 200.
func TestTwoReadChunks(t *testing.T) {
	r := replayed(parse(t, `
c2s 4143 00000000 00000000 00000001 00000000 5a000001 00000001 00000020 00000000 00000001 000000c8 1100aa02 00000008 0000000000002000 00000001 00000064 1100aa01 0000000a 0000000000001000 00000000 00000000 00000000 5a000001 00000000 00000002 20000001 00000001 00000001 00000000 00000000 00000000 00000000 "0123456789"*16
s2c 4141 00000000 00000001 00000001 00000000 99000001 0000000000000000 00000004 1100aa01 0000000000001000
s2c 4141 00000000 00000001 00000002 00000000 99000001 0000000000000004 00000006 1100aa01 0000000000001004
s2c 4141 00000000 00000001 00000003 00000000 99000002 0000000000000000 00000008 1100aa02 0000000000002000
c2s c142 99000001 0000000000000000 "ABCD"
c2s c142 99000001 0000000000000004 "EFGHIJ"
c2s c142 99000002 0000000000000000 "abcdefgh"
s2c 4143 00000000 00000000 00000001 00000000 5a000001 00000001 00000010 00000000 00000000 00000000 00000000 5a000001 00000001 00000000 00000000 00000000 00000000`).Records)
	if own := r.own(); len(own) > 0 {
		t.Error(own)
	}
	args := strings.Repeat("0123456789", 16)
	want := append(octets("5a000001 00000000 00000002 20000001 00000001 00000001 00000000 00000000 00000000 00000000"), args[:60]...)
	want = append(append(append(want, "ABCDEFGHIJ\x00\x00"...), args[60:148]...), "abcdefgh"...)
	want = append(want, args[148:]...)
	if m := &r.messages[0]; !bytes.Equal(m.Octets, want) || len(want) != 220 || !m.Whole {
		t.Errorf("%d octets, whole %v\n got %q\nwant %q", len(m.Octets), m.Whole, m.Octets, want)
	}
	moves := r.exchanges[0].Reads[0].Segments[0].Moves
	if len(moves) != 2 || moves[0].Octets != 4 || moves[1].Octets != 6 || moves[0].Request.Frame == 0 || moves[1].Data.Frame <= moves[0].Data.Frame {
		t.Errorf("%+v", moves)
	}
}

// TestUnplaced looks at a Reply of a program of which nothing is known: its Write chunks stay beside it.
func TestUnplaced(t *testing.T) {
	r := replayed(parse(t, `
c2s 4143 00000000 00000000 00000001 00000000 5a000001 00000001 00000020 00000000 00000000 00000001 00000001 2200bb01 00000010 0000000000001000 00000001 00000000 00000001 00000001 2200bb02 00000010 0000000000002000 00000000 00000000 5a000001 00000000 00000002 20000001 00000001 00000001 00000000 00000000 00000000 00000000
s2c c140 2200bb02 0000000000002000 "hello"
s2c 4143 00000000 00000000 00000001 00000000 5a000001 00000001 00000010 00000000 00000000 00000001 00000001 2200bb01 00000000 0000000000001000 00000001 00000000 00000001 00000001 2200bb02 00000005 0000000000002000 00000000 00000000 5a000001 00000001 00000000 00000000 00000000 00000000 00000005`).Records)
	if own := r.own(); len(own) > 0 {
		t.Error(own)
	}
	m := &r.messages[1]
	if m.Len != 28+8 || m.Whole || len(m.Unplaced) != 3 || string(m.Unplaced[2]) != "hello" || m.Unplaced[0] != nil || len(m.Octets) != 28 {
		t.Errorf("%+v", m)
	}
}

// TestTerminate checks whether a Call is refused by the Terminate that is about it, and no other.
func TestTerminate(t *testing.T) {
	const calls = `
c2s 4143 00000000 00000000 00000001 00000000 5a000001 00000001 00000020 00000000 00000000 00000000 00000000 5a000001 00000000 00000002 20000001 00000001 00000001 00000000 00000000 00000000 00000000
s2c 4143 00000000 00000000 00000001 00000000 5a000001 00000001 00000010 00000000 00000000 00000000 00000000 5a000001 00000001 00000000 00000000 00000000 00000000
c2s 4143 00000000 00000000 00000002 00000000 5a000002 00000001 00000020 00000000 00000001 0000002c 1100aa01 00000008 0000000000001000 00000000 00000000 00000000 5a000002 00000000 00000002 20000001 00000001 00000001 00000000 00000000 00000000 00000000 00000008
c2s 4143 00000000 00000000 00000003 00000000 5a000003 00000001 00000020 00000000 00000000 00000001 00000001 2200bb01 00000010 0000000000001000 00000000 00000000 5a000003 00000000 00000002 20000001 00000001 00000001 00000000 00000000 00000000 00000000
`
	for name, tc := range map[string]struct {
		lines string
		want  string // XIDs that are refused
	}{
		"of a Read Request": {`
s2c 4141 00000000 00000001 00000001 00000000 99000001 0000000000000000 00000008 1100aa01 0000000000001000
c2s 4147 00000000 00000002 00000001 00000000 0100e000 002e 4141 00000000 00000001 00000001 00000000 99000001 0000000000000000 00000008 1100aa01 0000000000001000`, "0x5a000002"},
		"of a Write": {`
s2c c140 2200bb01 0000000000001000 "0123456789abcdef"
c2s 4147 00000000 00000002 00000001 00000000 1100c000 001e c140 2200bb01 0000000000001000`, "0x5a000003"},
		"of a Send": {`
s2c 4147 00000000 00000002 00000001 00000000 1202c000 0064 4143 00000000 00000000 00000003 00000000`, "0x5a000003"},
		"of nothing": {`
s2c 4147 00000000 00000002 00000001 00000000 00ff0000`, ""},
	} {
		r := replayed(parse(t, calls+tc.lines).Records)
		var refused []string
		for i := range r.transactions {
			if tr := &r.transactions[i]; tr.Outcome == record.Refused {
				refused = append(refused, fmt.Sprintf("%#x", tr.ID))
				if tr.Response.Frame == 0 {
					t.Errorf("%s: %+v", name, tr)
				}
			}
		}
		if got := strings.Join(refused, " "); got != tc.want || len(r.transactions) != 3 {
			t.Errorf("%s: %q of %d refused, want %q", name, got, len(r.transactions), tc.want)
		}
	}
}

// TestMaxMessage checks whether what is kept of messages is limited, and their lengths are right all the same.
func TestMaxMessage(t *testing.T) {
	s := readStream(t, "clean/rpc1.txt")
	r := &recorder{}
	e := r.engine(rpc.Options{MaxMessage: 1000})
	for i := range s.Records {
		e.Packet(&s.Records[i])
	}
	e.Close()
	var lens []uint64
	for i := range r.messages {
		m := &r.messages[i]
		lens = append(lens, m.Len)
		if len(m.Octets) > 1000 || m.Whole != (m.Len <= 1000) {
			t.Errorf("%d octets of %d, whole %v", len(m.Octets), m.Len, m.Whole)
		}
	}
	if d := cmp.Diff([]uint64{40, 24, 4172, 52, 64, 5044, 2000, 3000, 40, 40, 40, 24, 24, 24}, lens); d != "" {
		t.Error(d)
	}
}

// TestAnsweredEarly looks at a Call that is answered before its last part has come: it is one Call, and the rest of it none.
func TestAnsweredEarly(t *testing.T) {
	r := replayed(parse(t, `
c2s 4143 00000000 00000000 00000001 00000000 c0000001 00000002 00400020 00000005 00000000 00000000
s2c 4143 00000000 00000000 00000001 00000000 d0000001 00000002 00400020 00000005 00000000 00000000
c2s 4143 00000000 00000000 00000002 00000000 6b000007 00000002 00400001 00000000 00000002 00000000 00000000 00000000 00000000 6b000007 00000000 00000002 20000001
s2c 4143 00000000 00000000 00000002 00000000 6b000007 00000002 00400001 00000000 00000001 00000000 00000000 00000000 00000000 6b000007 00000001 00000000 00000000 00000000 00000000
c2s 4143 00000000 00000000 00000003 00000000 6b000007 00000002 00400001 00000000 00000000 00000000 00000000 00000000 00000000 00000001 00000000 00000000 00000000 00000000 00000000`).Records)
	if d := cmp.Diff([]string{"c2s 0x6b000007 RPC: answered SUCCESS, 0+24"}, r.stories()); d != "" {
		t.Error(d)
	}
	if own := r.own(); len(own) > 0 || len(r.uppers) != 5 {
		t.Errorf("%d messages, %v", len(r.uppers), own)
	}
}

// TestSubjects names the message in which something was found: its type, XID and procedure.
func TestSubjects(t *testing.T) {
	for path, want := range map[string]string{
		"rpc1/echo.txt":       "The RDMA_MSG Reply 0x",
		"rpc1/first-call.txt": "The RDMA_MSG Call 0x",
		"rpc1/errors.txt":     "The RDMA_ERROR ",
	} {
		named := 0
		for _, f := range replayed(readStream(t, path).Records).own() {
			if strings.HasPrefix(f.Text, want) && strings.Contains(f.Text, fmt.Sprintf(" in frame %d from the ", f.Frame)) {
				named++
			}
		}
		if named == 0 {
			t.Errorf("%s: nothing is found in %s...", path, want)
		}
	}
}

// TestStatus looks at what failed Calls say: those that RDMA_ERROR refuses, and those whose Reply is an error.
func TestStatus(t *testing.T) {
	r := replayed(readStream(t, "rpc1/error-repeat.txt").Records)
	var got []string
	for i := range r.transactions {
		got = append(got, r.transactions[i].Outcome.String()+" "+r.transactions[i].Status)
	}
	want := []string{"answered ", "refused ERR_CHUNK", "answered ", "refused ERR_CHUNK", "answered NFS3ERR_IO"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
