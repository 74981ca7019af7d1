package fuzz

// The proxy: package replay/proxy.

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/proxy"
)

// FuzzRules: rules are read, or there is an error, and what is read is written in a form that means the same.
func FuzzRules(f *testing.F) {
	for _, seed := range []string{
		"on type == Send\ndo drop:2", "on dir == c2s\ndo raw set=iwarp_ddp.msn+1:/3\ndo duplicate:5%/42", "on\ndo stall=1ms",
		"on type == MPAReply\ndo set=iwarp_mpa.key.rep=\"MPA\"", "on type == Send\ndo inject:once server Segment Send MSN=7 \"a:b\" 00*4",
		"on type == Send\ndo inject FPDU CRC=bad split=3 Send\ndo set=rpcordma.flow_control=0\ndo window=1000",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			return
		}
		rules, err := proxy.ReadRules(strings.NewReader(text))
		if err != nil {
			return
		}
		var again strings.Builder
		for _, r := range rules {
			again.WriteString(r.String())
		}
		twice, err := proxy.ReadRules(strings.NewReader(again.String()))
		if err != nil || len(twice) != len(rules) {
			t.Fatalf("%q: %v", again.String(), err)
		}
	})
}

// altering are actions that FuzzAlteration combines.
var altering = []string{
	"drop:2", "raw drop:/3", "duplicate:1", "raw duplicate:2", "reorder:/2", "raw reorder:3+", "set=iwarp_ddp.msn+1:2", "set=iwarp_mpa.crc^1:3",
	"crc:4", "corrupt:1", "flip-header:3", "shorten=3:1", "truncate:5", "split=7", "garbage=9:6", "fin:9", "close:8", "reset:9", "silence:9",
	`inject:1 Send "more"`, `inject:2 server Terminate 0/1/00`, `inject:3 client Segment Send MSN=9`, "inject:2 FPDU CRC=bad Send", "set=rpcordma.flow_control=0",
}

// FuzzAlteration: whatever both ends send, a Proxy with rules passes it on, alters it or resets them, and ends.
func FuzzAlteration(f *testing.F) {
	frame := func(reply, markers bool, more ...byte) []byte {
		b, _ := (&mpa.Frame{Reply: reply, M: markers, C: true, Rev: mpa.Rev1}).AppendBinary(nil)
		return append(b, more...)
	}
	var sends []byte
	framer := mpa.Framer{Options: mpa.Options{CRC: true}}
	for msn := range uint32(9) {
		h := rdmap.Header{Untagged: ddp.Untagged{DV: 1, L: msn%3 != 1, MSN: msn + 1}, Control: rdmap.Control{RV: 1, Opcode: rdmap.OpSend}}
		b, _ := h.AppendBinary(nil)
		sends, _ = framer.Append(sends, b, []byte("payload"))
	}
	f.Add(frame(false, false, sends...), frame(true, false, sends...), uint32(1<<24-1))
	f.Add(frame(false, true, sends...), frame(true, true), uint32(0x12345))
	f.Add([]byte("GET / HTTP/1.0\r\n\r\n"), []byte("HTTP/1.0 200 OK\r\n\r\n"), uint32(1))
	f.Add(frame(false, false, 0, 0, 0, 0, 0, 0, 0, 0), frame(true, false, 0, 1, 0xff, 0, 1, 2, 3, 4), uint32(1<<24-1))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { l.Close() })
	var known []*proxy.Rule
	for _, do := range altering {
		on := "" // what can carry upper layers, or all
		if strings.Contains(do, "rpcordma") {
			on = "type == Send"
		}
		r, err := proxy.ParseRule(on, do)
		if err != nil {
			f.Fatal(err)
		}
		known = append(known, r)
	}
	f.Fuzz(func(t *testing.T, client, server []byte, which uint32) {
		var rules []*proxy.Rule
		for i, r := range known {
			if which>>i&1 != 0 {
				rules = append(rules, r)
			}
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		p, err := proxy.Listen(ctx, []proxy.Route{{Listen: "127.0.0.1:0", To: l.Addr().String()}}, proxy.Config{
			Rules: rules, Tap: func(*proxy.Traffic) {}, Ended: func(*proxy.Conn, *proxy.Ending) { close(ended) },
		})
		if err != nil {
			t.Skip(err)
		}
		var all sync.WaitGroup
		all.Go(func() { p.Serve(ctx) })
		a, err := net.Dial("tcp", p.Addrs()[0].String())
		if err != nil {
			t.Skip(err)
		}
		b, err := l.Accept()
		if err != nil {
			t.Skip(err)
		}
		for nc, octets := range map[net.Conn][]byte{a: client, b: server} {
			all.Go(func() {
				nc.Write(octets)
				nc.(*net.TCPConn).CloseWrite()
			})
			all.Go(func() { io.Copy(io.Discard, nc) })
		}
		<-ended
		a.Close()
		b.Close()
		stop()
		all.Wait()
	})
}
