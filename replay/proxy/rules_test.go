package proxy

// What rules do, as the other end sees it.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// mustParse returns a Rule.
func mustParse(t testing.TB, on string, do ...string) *Rule {
	t.Helper()
	r, err := ParseRule(on, do...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// exchange sends an MPA frame to an end, which reads it.
func exchange(t testing.TB, from, to net.Conn, f mpa.Frame) (got mpa.Frame) {
	t.Helper()
	b, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	from.Write(b)
	b = make([]byte, len(b))
	if _, err := io.ReadFull(to, b); err != nil {
		t.Fatal(err)
	}
	if _, err := got.Decode(b); err != nil {
		t.Fatal(err)
	}
	return got
}

// speech returns the ULPDUs that the client sends: two Sends, a Write of two segments between them, and a Send of two segments.
func speech() (all [][]byte) {
	add := func(h rdmap.Header, payload string) {
		h.Control.RV, h.Tagged.DV, h.Untagged.DV = 1, 1, 1
		b, err := h.AppendBinary(nil)
		if err != nil {
			panic(err)
		}
		all = append(all, append(b, payload...))
	}
	send := func(msn, mo uint32, l bool, payload string) {
		add(rdmap.Header{Untagged: ddp.Untagged{L: l, MSN: msn, MO: mo}, Control: rdmap.Control{Opcode: rdmap.OpSend}}, payload)
	}
	write := func(to uint64, l bool, payload string) {
		add(rdmap.Header{T: true, Tagged: ddp.Tagged{L: l, STag: 7, TO: to}, Control: rdmap.Control{Opcode: rdmap.OpWrite}}, payload)
	}
	send(1, 0, true, "first")
	write(0x1000, false, "half a ")
	write(0x1007, true, "message")
	send(2, 0, true, "second")
	send(3, 0, false, "third, ")
	send(3, 7, true, "in two")
	return all
}

// heard returns what an end has received: each FPDU with its MSN or TO, its payload, "." after its last segment, and "!" if its CRC is wrong.
func heard(b []byte, o mpa.Options) string {
	var d mpa.Deframer
	d.Reset(o)
	d.Push(b)
	var words []string
	var f mpa.Deframed
	for d.Next(&f) {
		var h rdmap.Header
		n, err := h.Decode(f.ULPDU)
		if err != nil || f.BadMarkers > 0 {
			words = append(words, fmt.Sprintf("%d octets", len(f.ULPDU)))
			continue
		}
		word := fmt.Sprintf("%d:%s", h.Untagged.MSN, f.ULPDU[n:])
		if h.T {
			word = fmt.Sprintf("%x:%s", h.Tagged.TO, f.ULPDU[n:])
		}
		if h.T && h.Tagged.L || !h.T && h.Untagged.L {
			word += "."
		}
		if f.Verdict == mpa.Bad {
			word += "!"
		}
		words = append(words, word)
	}
	if n := d.Pending(); n > 0 {
		words = append(words, fmt.Sprintf("%d more", n))
	}
	return strings.Join(words, " ")
}

const whole = "1:first. 1000:half a  1007:message. 2:second. 3:third,  3:in two."

// actions are rules, and what the server then receives of the client's speech.
var actions = []struct{ on, do, heard string }{
	{"type == Terminate", "drop", whole},
	{"type == Send", "drop:4", whole},
	{"type == Send", "drop:2", "1:first. 1000:half a  1007:message. 2:third,  2:in two."},
	{"type == Send", "raw drop:2", "1:first. 1000:half a  1007:message. 3:third,  3:in two."},
	{"type == Send", "drop:2+", "1:first. 1000:half a  1007:message."},
	{"type == Send", "drop:/3", "1:first. 1000:half a  1007:message. 2:second."},
	{"type == Send", "drop:100%/7", "1000:half a  1007:message."},
	{"type == Send", "drop:50%/1", "1000:half a  1007:message. 1:second."},
	{"type == Send", "drop:50%/3", "1:first. 1000:half a  1007:message. 2:third,  2:in two."},
	{"type == Write", "drop:once", "1:first. 2:second. 3:third,  3:in two."},
	{"iwarp_ddp.tagged_offset == 0x1007", "drop", "1:first. 1000:half a  2:second. 3:third,  3:in two."},
	{"len == 13", "drop", "1:first. 1000:half a  1007:message. 2:second."},
	{"type == Send", "duplicate:2", "1:first. 1000:half a  1007:message. 2:second. 3:second. 4:third,  4:in two."},
	{"type == Send", "raw duplicate:2", "1:first. 1000:half a  1007:message. 2:second. 2:second. 3:third,  3:in two."},
	{"type == Write", "duplicate", "1:first. 1000:half a  1000:half a  1007:message. 1007:message. 2:second. 3:third,  3:in two."},
	{"type == Send", "reorder:1", "1000:half a  1007:message. 1:first. 2:second. 3:third,  3:in two."},
	{"type == Send", "reorder:2", "1:first. 1000:half a  1007:message. 2:third,  2:in two. 3:second."},
	{"type == Send", "raw reorder:2", "1:first. 1000:half a  1007:message. 3:third,  3:in two. 2:second."},
	{"type == Write", "reorder", "1:first. 2:second. 1000:half a  1007:message. 3:third,  3:in two."},
	{"type == Send", "reorder:3", whole},
	{"type == Send", "set=iwarp_ddp.msn+5:2", "1:first. 1000:half a  1007:message. 7:second. 3:third,  3:in two."},
	{"type == Write", "set=iwarp_ddp.tagged_offset^0x2000", "1:first. 3000:half a  3007:message. 2:second. 3:third,  3:in two."},
	{"type == Send", "crc:2", "1:first. 1000:half a  1007:message. 2:second.! 3:third,  3:in two."},
	{"type == Send", "set=iwarp_mpa.crc^1:2", "1:first. 1000:half a  1007:message. 2:second.! 3:third,  3:in two."},
	{"type == Send", "corrupt:2", "1:first. 1000:half a  1007:message. 2:cecond. 3:third,  3:in two."},
	{"type == Send", "flip-payload:2", "1:first. 1000:half a  1007:message. 2:cecond.! 3:third,  3:in two."},
	{"type == Send", "shorten=3:3", "1:first. 1000:half a  1007:message. 2:second. 3:thi."},
	{"type == Send", "inject Send \"more\":2", ""},
	{"type == Send", "inject:2 Send \"more\"", "1:first. 1000:half a  1007:message. 2:second. 3:more. 4:third,  4:in two."},
	{"type == Send", "raw inject:2 Send \"more\"", "1:first. 1000:half a  1007:message. 2:second. 3:more. 3:third,  3:in two."},
	{"type == Send", "inject:2 Segment Send MSN=9 \"more\"", "1:first. 1000:half a  1007:message. 2:second. 9:more. 3:third,  3:in two."},
	{"type == Send", "inject:2 FPDU CRC=bad Send \"more\"", "1:first. 1000:half a  1007:message. 2:second. 3:more.! 4:third,  4:in two."},
	{"type == Send", "split=1:2", whole},
	{"type == Send", "delay=1ms", whole},
	{"type == Send", "slow=10000", whole},
	{"type == Send", "silence:2", "1:first. 1000:half a  1007:message."},
	{"type == Send", "fin:2", "1:first. 1000:half a  1007:message. 16 more"},
	{"type == Send", "crc:2 & reorder:2", "1:first. 1000:half a  1007:message. 2:third,  2:in two. 3:second.!"},
	{"type == Send", "set=iwarp_ddp.msn+5:2 & reorder:2", "1:first. 1000:half a  1007:message. 2:third,  2:in two. 8:second."},
	{"type == Send", "reorder:2 & duplicate:2", "1:first. 1000:half a  1007:message. 2:third,  2:in two. 3:second. 4:second."},
	{"type == Send", "drop:1 & raw reorder:2", "1000:half a  1007:message. 2:third,  2:in two. 1:second."},
	{"type == Send", "reorder:2 & fin:2", "1:first. 1000:half a  1007:message. 16 more"},
	{"type == Send", "reorder:2 & close:2", "1:first. 1000:half a  1007:message. 2:second."},
	{"type == Send", "crc:2 & crc:2", "1:first. 1000:half a  1007:message. 2:second.! 3:third,  3:in two."},
	{"type == Send", "close:2", "1:first. 1000:half a  1007:message. 2:second."},
}

// Each action has its effect, with and without Markers, and the rest of the stream is consistent.
func TestActions(t *testing.T) {
	for _, markers := range []bool{false, true} {
		for _, tt := range actions {
			rule, err := ParseRule(tt.on, strings.Split(tt.do, " & ")...)
			if tt.heard == "" {
				if err == nil {
					t.Errorf("%s: no error", tt.do)
				}
				continue
			}
			if err != nil {
				t.Error(err)
				continue
			}
			o := mpa.Options{Markers: markers, CRC: true}
			got := heard(received(t, o, framed(o, speech()...), Config{Rules: []*Rule{rule}}, strings.HasPrefix(tt.do, "silence")), o)
			if got != tt.heard {
				t.Errorf("Markers %v, %s %s:\n%s\nwant\n%s", markers, tt.on, tt.do, got, tt.heard)
			}
		}
	}
}

// framed returns FPDUs.
func framed(o mpa.Options, ulpdus ...[]byte) (octets []byte) {
	framer := mpa.Framer{Options: o}
	for _, u := range ulpdus {
		octets, _ = framer.Append(octets, u)
	}
	return octets
}

// received returns what a server receives through a Proxy of a client's octets in full operation.
func received(t *testing.T, o mpa.Options, octets []byte, c Config, endless bool) []byte {
	t.Helper()
	client, server := through(t, loopback, loopback, c)
	defer client.Close()
	defer server.Close()
	exchange(t, client, server, mpa.Frame{C: true, Rev: mpa.Rev1})
	exchange(t, server, client, mpa.Frame{Reply: true, M: o.Markers, C: true, Rev: mpa.Rev1})
	client.Write(octets)
	client.CloseWrite()
	if endless {
		server.CloseWrite()
	}
	b, err := io.ReadAll(server)
	if err != nil && !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	return b
}

// A filter numbers connections as the proxy does.
func TestNumbers(t *testing.T) {
	l, err := net.Listen("tcp", loopback)
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	acts := make(chan Act, 9)
	address := serve(t, loopback, l.Addr().String(), Config{
		Rules: []*Rule{mustParse(t, "conn == 1 and type == MPARequest", "set=iwarp_mpa.rev=1")}, Acted: func(a *Act) { acts <- *a },
	})
	for n := range uint8(3) {
		client, server := joined(t, l, address)
		if f := exchange(t, client, server, mpa.Frame{Rev: mpa.Rev2}); (f.Rev == mpa.Rev1) != (n == 1) {
			t.Errorf("connection %d: %+v", n, f)
		}
	}
	if len(acts) != 1 {
		t.Errorf("%d Acts", len(acts))
	}
}

// A rule can insert a message into the stream of the other end, whose later messages have the following MSNs.
func TestInjectBack(t *testing.T) {
	client, server := through(t, loopback, loopback, Config{Rules: []*Rule{mustParse(t, "type == Send and dir == c2s", `inject:2 server Send "more"`)}})
	exchange(t, client, server, mpa.Frame{Rev: mpa.Rev1})
	exchange(t, server, client, mpa.Frame{Reply: true, Rev: mpa.Rev1})
	fpdus := func(ulpdus ...[]byte) []byte { return framed(mpa.Options{}, ulpdus...) }
	said := speech()
	answer := fpdus(said[0])
	server.Write(answer)
	got := make([]byte, len(answer))
	io.ReadFull(client, got)
	client.Write(fpdus(said...))
	more := make([]byte, len(fpdus(append(said[0][:ddp.UntaggedLen:ddp.UntaggedLen], "more"...))))
	if _, err := io.ReadFull(client, more); err != nil {
		t.Fatal(err)
	}
	server.Write(fpdus(said[3]))
	server.CloseWrite()
	rest, _ := io.ReadAll(client)
	if s := heard(append(append(got, more...), rest...), mpa.Options{}); s != "1:first. 2:more. 3:second." {
		t.Error(s)
	}
}

// Rules also alter MPA frames. Each end is read by the frames that it has sent and received.
func TestFrames(t *testing.T) {
	rules := []*Rule{mustParse(t, "type == MPARequest", "set=iwarp_mpa.rev=1"), mustParse(t, "type == MPAReply", "set=iwarp_mpa.marker_flag=1")}
	client, server := through(t, loopback, loopback, Config{Rules: rules})
	if f := exchange(t, client, server, mpa.Frame{C: true, Rev: mpa.Rev2}); f.Rev != 1 {
		t.Errorf("%+v", f)
	}
	if f := exchange(t, server, client, mpa.Frame{Reply: true, C: true, Rev: mpa.Rev1}); !f.M {
		t.Errorf("%+v", f)
	}
	framer := mpa.Framer{Options: mpa.Options{Markers: true, CRC: true}} // as the client believes
	octets, _ := framer.Append(nil, speech()[0])
	client.Write(octets)
	client.CloseWrite()
	b, _ := io.ReadAll(server)
	if s := heard(b, mpa.Options{CRC: true}); s != "1:first." {
		t.Error(s)
	}
}

// A rule can stop what passes, reset both ends, and shrink what one may send ahead.
func TestStops(t *testing.T) {
	for do, want := range map[string]string{"reset:2": "reset", "stall:2": "1:first."} {
		acts := make(chan Act, 9)
		endings := make(chan Ending, 1)
		client, server := through(t, loopback, loopback, Config{
			Rules: []*Rule{mustParse(t, "type == Send", do)}, Acted: func(a *Act) { acts <- *a }, Ended: func(_ *Conn, e *Ending) { endings <- *e },
		})
		exchange(t, client, server, mpa.Frame{Rev: mpa.Rev1})
		exchange(t, server, client, mpa.Frame{Reply: true, Rev: mpa.Rev1})
		said, framer := speech(), mpa.Framer{}
		first, _ := framer.Append(nil, said[0])
		rest, _ := framer.Append(nil, said[3])
		client.Write(append(first, rest...))
		if a := <-acts; a.Rule != 1 || a.From != Client || a.Do != do || a.What != "Send, MSN 2" {
			t.Errorf("%+v", a)
		}
		got := make([]byte, len(first))
		if _, err := io.ReadFull(server, got); want == "reset" {
			if e := <-endings; !errors.Is(e.Err, ErrReset) {
				t.Errorf("%+v", e)
			}
		} else if s := heard(got, mpa.Options{}); err != nil || s != want {
			t.Error(s, err)
		}
	}
}

// A reset is passed on even while nothing else is.
func TestResetWhileStalled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("internal/link notices resets on Linux")
	}
	endings, stalled := make(chan Ending, 1), make(chan struct{})
	client, server := through(t, loopback, loopback, Config{
		Rules: []*Rule{mustParse(t, "type == MPARequest", "stall")},
		Acted: func(*Act) { close(stalled) }, Ended: func(_ *Conn, e *Ending) { endings <- *e },
	})
	b, _ := (&mpa.Frame{Rev: mpa.Rev1}).AppendBinary(nil)
	client.Write(b)
	<-stalled
	reset(client)
	if e := <-endings; !e.Reset || e.By != Client {
		t.Errorf("%+v", e)
	}
	if _, err := server.Read(b); !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
}

// Fields of upper layers are set where they stand in the payload of a Send, in whichever segment.
func TestUpperField(t *testing.T) {
	words := []uint32{0x1234, 1, 32, 0, 0, 0, 0, 0x1234, 0, 2, 100003, 3, 0, 0, 0, 0, 0} // an RPC-over-RDMA Call of NULL
	for do, want := range map[string]int{"set=rpcordma.flow_control=1": 2, "set=rpc.program=1": 10, "set=rpc.program+1": 10} {
		client, server := through(t, loopback, loopback, Config{Rules: []*Rule{mustParse(t, "rpc.msgtyp == CALL", do)}})
		exchange(t, client, server, mpa.Frame{Rev: mpa.Rev1})
		exchange(t, server, client, mpa.Frame{Reply: true, Rev: mpa.Rev1})
		var payload, octets []byte
		for _, w := range words {
			payload = binary.BigEndian.AppendUint32(payload, w)
		}
		var framer mpa.Framer
		const cut = 10
		for i, part := range [][]byte{payload[:cut], payload[cut:]} {
			h := rdmap.Header{Untagged: ddp.Untagged{DV: 1, L: i == 1, MSN: 1, MO: uint32(i * cut)}, Control: rdmap.Control{RV: 1, Opcode: rdmap.OpSend}}
			b, _ := h.AppendBinary(nil)
			octets, _ = framer.Append(octets, b, part)
		}
		client.Write(octets)
		client.CloseWrite()
		b, _ := io.ReadAll(server)
		var d mpa.Deframer
		var f mpa.Deframed
		var got []byte
		for d.Push(b); d.Next(&f); {
			got = append(got, f.ULPDU[ddp.UntaggedLen:]...)
		}
		for i, w := range words {
			if v := binary.BigEndian.Uint32(got[4*i:]); (v != w) != (i == want) {
				t.Errorf("%s: word %d is %d, was %d", do, i, v, w)
			}
		}
	}
}

// Malformed rules, and rules that can never apply, are errors.
func TestRuleErrors(t *testing.T) {
	for _, tt := range []struct{ on, do, want string }{
		{"type == Sned", "drop", "Sned"},
		{"type == Send and type == Write", "drop", "selects no message"},
		{"type == Finding", "drop", "selects no message"},
		{"dir == s2c and type == MPARequest", "drop", "selects no message"},
		{"type == Send", "drip", "unknown action"},
		{"type == Send", "reordr", "split=OCTETS, reorder, inject [SIDE] MESSAGE, stall=TIME, window=OCTETS, close; did you mean reorder?"},
		{"type == Send", "drop:0", "not an occasion"},
		{"type == Send", "drop=1", "drop has no value"},
		{"type == Send", "drop 1", `unexpected "1"`},
		{"type == MPAReply", "crc", "can never apply"},
		{"type == MPAReply", "reorder", "can never apply"},
		{"type == Send and len > 10 and len < 5", "drop", "selects no message and no MPA frame"},
		{"type == MPARequest", "inject Send", "can never apply"},
		{"type == ReadRequest", "shorten=1", "can never apply"},
		{"type == Write", "set=iwarp_ddp.msn=1", "no field iwarp_ddp.msn"},
		{"type == Write", "set=rpcordma.flow_control=1", "can never apply"},
		{"type == Send", "set=rpcordma.flow_control=x", ""},
		{"type == Send", "inject FIN", "nothing that inject can send"},
		{"type == Send", "inject Sned", "did you mean Send"},
		{"type == Send", "inject Send $s:be32", "unknown variable"},
		{"type == Send", "window=0", "want window=OCTETS"},
		{"type == Send", "stall=x", "invalid duration"},
		{"type == Send", "close=1", "close has no value"},
		{"type == Send", "stall=-1s", "not negative"},
		{"type == Send", "window=1073741825", "at most 1073741824"},
		{"type == Send", "inject=x Send", "inject has no value"},
		{"type == Send", "inject client server Send", ""},
		{"type == Send", "inject after 3 Send", "no such step"},
		{"type == Send", "inject frame 3 Send", "sends at once"},
		{"type == Send", "inject @1.0 Send", "sends at once"},
	} {
		if _, err := ParseRule(tt.on, tt.do); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s, %s: %v", tt.on, tt.do, err)
		}
	}
	if _, err := ParseRule("type == Send"); err == nil {
		t.Error("no action is an error")
	}
}

// A file has rules as String writes them.
func TestReadRules(t *testing.T) {
	text := "on type == Send\ndo drop:2\ndo raw set=rpcordma.flow_control=0:once\non dir == c2s\ndo inject Terminate 0/1/00\n"
	rules, err := ReadRules(strings.NewReader("# Two rules.\n\n" + text))
	if err != nil || len(rules) != 2 {
		t.Fatal(rules, err)
	}
	if again := rules[0].String() + rules[1].String(); again != text {
		t.Error(again)
	}
	longest := "on type == Send\ndo drop\n#" + strings.Repeat("x", MaxLine-2) + "\n"
	if rules, err := ReadRules(strings.NewReader(longest)); err != nil || len(rules) != 1 {
		t.Error(rules, err)
	}
	for _, wrong := range []string{longest + "#" + strings.Repeat("x", MaxLine), "do drop", "drop", "on type == Send", "on type == Send\ndo drip\n", "on x\ndo drop"} {
		if _, err := ReadRules(strings.NewReader(wrong)); err == nil {
			t.Errorf("%.40q is not an error", wrong)
		}
	}
	for wrong, line := range map[string]string{
		longest + "#" + strings.Repeat("x", MaxLine):   "line 4: it is longer than 1048576 octets",
		"on type == Send\ndo drop\n\ndo drip\ndo drop": "line 4: ", "# one\non x\ndo drop": "line 2: ", "on type == Send\n#\non type == Send\ndo drop": "line 1: ",
		"on type == Send\ndo drop\non type == Write\n\n": "line 3: ", "on type == Send\ndo drop\nof\n": "line 3: ", "on type == Write\ndo drop\ndo set=rpcordma.flow_control=0": "line 3: ",
	} {
		if _, err := ReadRules(strings.NewReader(wrong)); err == nil || !strings.HasPrefix(err.Error(), line) {
			t.Errorf("%q: %v, want %s", wrong, err, line)
		}
	}
}

// A Send that is longer than what is held is decided by its first octets, and all of it has the same fate.
func TestLongMessage(t *testing.T) {
	seen := map[uint32]int{}
	for _, h := range passLong(t, mustParse(t, "type == Send", "drop:2"), mustParse(t, "complete and type == Send and len > 300000", "drop")) {
		seen[h.MSN]++
	}
	if len(seen) != 2 || seen[1] != longPieces-1 || seen[2] != longPieces-1 {
		t.Error(seen)
	}
}

// A message is added after the last segment of a long one, which is not reordered if it cannot be held.
func TestLongMessageStaysWhole(t *testing.T) {
	for do, want := range map[string]int{"inject:1 Send": 3*longPieces + 1, "reorder": 3 * longPieces} {
		all := passLong(t, mustParse(t, "type == Send", do))
		msn := uint32(1)
		for _, h := range all {
			if h.MSN != msn {
				t.Errorf("%s: a segment of message %d in message %d", do, h.MSN, msn)
			}
			if h.L {
				msn++
			}
		}
		if len(all) != want {
			t.Errorf("%s: %d segments, want %d", do, len(all), want)
		}
	}
}

// longPieces is the number of segments of a message that is longer than MaxMessage.
const longPieces = 6

// passLong passes three long messages through a Proxy, and returns the segments that arrive.
func passLong(t *testing.T, rules ...*Rule) (all []ddp.Untagged) {
	t.Helper()
	client, server := through(t, loopback, loopback, Config{Rules: rules})
	exchange(t, client, server, mpa.Frame{Rev: mpa.Rev1})
	exchange(t, server, client, mpa.Frame{Reply: true, Rev: mpa.Rev1})
	const piece = 60_000
	var framer mpa.Framer
	var octets []byte
	for msn := range uint32(3) {
		for i := range uint32(longPieces) {
			h := rdmap.Header{Untagged: ddp.Untagged{DV: 1, L: i == longPieces-1, MSN: msn + 1, MO: i * piece}, Control: rdmap.Control{RV: 1, Opcode: rdmap.OpSend}}
			b, _ := h.AppendBinary(nil)
			octets, _ = framer.Append(octets, b, make([]byte, piece))
		}
	}
	go func() {
		client.Write(octets)
		client.CloseWrite()
	}()
	b, _ := io.ReadAll(server)
	var d mpa.Deframer
	var f mpa.Deframed
	for d.Push(b); d.Next(&f); {
		var h rdmap.Header
		h.Decode(f.ULPDU)
		all = append(all, h.Untagged)
	}
	return all
}

// Without memory to follow a connection, its rules select nothing more, and the proxy says so. What they have begun stays consistent.
func TestNoMemory(t *testing.T) {
	told := make(chan *Conn, 9)
	o := mpa.Options{CRC: true}
	c := Config{Rules: []*Rule{mustParse(t, "type == Send", "drop:1+")}, Memory: 1, Unruled: func(c *Conn) { told <- c }}
	if got := heard(received(t, o, framed(o, speech()...), c, false), o); got != whole {
		t.Error(got)
	}
	if len(told) != 1 {
		t.Errorf("told %d times", len(told))
	}
}

// Of two connections, the one with more than its share of the memory loses its rules, after they have applied; the other keeps them. All
// memory is free once both are over.
func TestMemoryIsShared(t *testing.T) {
	l, err := net.Listen("tcp", loopback)
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	told := make(chan *Conn, 9)
	p, err := Listen(t.Context(), []Route{{loopback, l.Addr().String()}}, Config{
		Rules: []*Rule{mustParse(t, "type == Send", "drop")}, Unruled: func(c *Conn) { told <- c },
	})
	if err != nil {
		t.Fatal(err)
	}
	o := mpa.Options{CRC: true}
	wrong := speech()[3]
	wrong[13] = 9 // its MSN: the finding takes memory
	t.Run("both", func(t *testing.T) {
		run(t, p)
		var clients, servers [2]*net.TCPConn
		for i := range clients {
			clients[i], servers[i] = joined(t, l, p.Addrs()[0].String())
			exchange(t, clients[i], servers[i], mpa.Frame{C: true, Rev: mpa.Rev1})
			exchange(t, servers[i], clients[i], mpa.Frame{Reply: true, C: true, Rev: mpa.Rev1})
		}
		p.config.Memory = int(p.followed.Load())
		clients[0].Write(framed(o, speech()[0], wrong, speech()[3]))
		got := make([]byte, len(framed(o, wrong, speech()[3])))
		if _, err := io.ReadFull(servers[0], got); err != nil || heard(got, o) != "8:second. 1:second." {
			t.Error(heard(got, o), err)
		}
		clients[1].Write(framed(o, speech()...))
		clients[1].CloseWrite()
		if got, err := io.ReadAll(servers[1]); err != nil || heard(got, o) != "1000:half a  1007:message." {
			t.Error(heard(got, o), err)
		}
		if p.followed.Load() == 0 || p.followers.Load() != 1 {
			t.Errorf("%d octets of %d followers", p.followed.Load(), p.followers.Load())
		}
	})
	if p.followed.Load() != 0 || p.followers.Load() != 0 || len(told) != 1 || (<-told).Serial != 0 {
		t.Errorf("%d octets of %d followers are left", p.followed.Load(), p.followers.Load())
	}
}
