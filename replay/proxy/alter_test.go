package proxy

// What rules do with octets that are damaged, incomplete, or come at the end.

import (
	"bytes"
	"io"
	"math"
	"net"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

var bothFramings = []mpa.Options{{CRC: true}, {CRC: true, Markers: true}}

// A truncated FPDU lacks its second half, and the next one follows at once.
func TestTruncate(t *testing.T) {
	for _, o := range bothFramings {
		said := speech()
		all := framed(o, said...)
		begin, end := len(framed(o, said[:4]...)), len(framed(o, said[:5]...))
		want := append(bytes.Clone(all[:begin+(end-begin)/2]), all[end:]...)
		c := Config{Rules: []*Rule{mustParse(t, "type == Send", "truncate:3")}}
		if got := received(t, o, all, c, false); !bytes.Equal(got, want) {
			t.Errorf("%+v:\n% x\nwant\n% x", o, got, want)
		}
	}
}

// Bits of headers and payload are flipped where they stand between Markers: the first FPDU has one before it.
func TestFlip(t *testing.T) {
	for _, o := range bothFramings {
		before := framed(o, speech()...)
		lead := 0
		if o.Markers {
			lead = mpa.MarkerLen
		}
		for do, at := range map[string]int{"flip-header:1": lead + 2, "flip-payload:1": lead + 2 + 18} {
			c := Config{Rules: []*Rule{mustParse(t, "type == Send", do)}}
			want := bytes.Clone(before)
			want[at] ^= 0x10
			if got := received(t, o, before, c, false); !bytes.Equal(got, want) {
				t.Errorf("%+v, %s: \n% x\nwant\n% x", o, do, got, want)
			}
		}
	}
}

// An FPDU that came with a wrong CRC is passed on with one, in any segment and place.
func TestWrongCRCStays(t *testing.T) {
	o := mpa.Options{CRC: true}
	said := speech()
	octets := framed(o, said...)
	for _, n := range []int{4, 6} { // second, and the last segment of the third
		octets[len(framed(o, said[:n]...))-1] ^= 1
	}
	const wrong = "1:first. 1000:half a  1007:message. 2:second.! 3:third,  3:in two.!"
	for do, want := range map[string]string{
		"delay=1ns": wrong, "crc:2": wrong, "drop:1": "1000:half a  1007:message. 1:second.! 2:third,  2:in two.!",
		"reorder:2": "1:first. 1000:half a  1007:message. 2:third,  2:in two.! 3:second.!",
	} {
		if got := heard(received(t, o, octets, Config{Rules: []*Rule{mustParse(t, "type == Send", do)}}, false), o); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", do, got, want)
		}
	}
}

// FPDUs that are too short for a header, and the empty one, have their Markers where they belong after a message was dropped.
func TestShortFPDUs(t *testing.T) {
	o := mpa.Options{CRC: true, Markers: true}
	said := speech()
	framer := mpa.Framer{Options: o}
	octets, _ := framer.Append(nil, said[0], make([]byte, 470)) // a Marker stands in the next one
	octets, _ = framer.Append(octets, []byte("short"))
	octets = framer.AppendAs(octets, 0, []byte{0, 0})
	octets, _ = framer.Append(octets, said[3])
	framer = mpa.Framer{Options: o}
	want, _ := framer.Append(nil, []byte("short"))
	want = framer.AppendAs(want, 0, []byte{0, 0})
	said[3][13]-- // its MSN
	want, _ = framer.Append(want, said[3])
	if got := received(t, o, octets, Config{Rules: []*Rule{mustParse(t, "type == Send", "drop:1")}}, false); !bytes.Equal(got, want) {
		t.Errorf("% x\nwant\n% x", got, want)
	}
}

// Rules do nothing more once the octets of a side are no longer passed on.
func TestActsEnd(t *testing.T) {
	for _, do := range []string{"silence", "fin", "close", "reset"} {
		acts, ended := make(chan Act, 9), make(chan struct{})
		client, server := through(t, loopback, loopback, Config{
			Rules: []*Rule{mustParse(t, "type == Send", do)}, Acted: func(a *Act) { acts <- *a }, Ended: func(*Conn, *Ending) { close(ended) },
		})
		exchange(t, client, server, mpa.Frame{C: true, Rev: mpa.Rev1})
		exchange(t, server, client, mpa.Frame{Reply: true, C: true, Rev: mpa.Rev1})
		client.Write(framed(mpa.Options{CRC: true}, speech()...))
		<-acts
		client.CloseWrite()
		server.CloseWrite()
		<-ended
		if len(acts) > 0 {
			t.Errorf("%s: then %+v", do, <-acts)
		}
	}
}

// Octets that begin no MPA frame do not wait for more, nor do those before a FIN.
func TestBeginOfFrame(t *testing.T) {
	client, server := through(t, loopback, loopback, Config{Rules: []*Rule{mustParse(t, "type == Send", "drop")}})
	client.Write([]byte("ME"))
	b := make([]byte, 64)
	if n, err := io.ReadFull(server, b[:2]); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	client.Write([]byte("M"))
	client.Write([]byte("PA ID Re")) // it waits
	client.CloseWrite()
	if rest, err := io.ReadAll(server); string(rest) != "MPA ID Re" || err != nil {
		t.Errorf("%q, %v", rest, err)
	}
}

// open returns both ends of a connection, and the Conn that passes on what they send.
func open(t *testing.T, rules ...*Rule) (client, server *net.TCPConn, c *Conn) {
	opened := make(chan *Conn, 1)
	client, server = through(t, loopback, loopback, Config{Rules: rules, Opened: func(c *Conn) { opened <- c }})
	return client, server, <-opened
}

// An MPA frame whose key comes in parts is still found.
func TestCutKey(t *testing.T) {
	client, server, c := open(t, mustParse(t, "type == MPARequest", "set=iwarp_mpa.rev=1"))
	b, _ := (&mpa.Frame{Rev: mpa.Rev2}).AppendBinary(nil)
	client.Write(b[:5])
	for c.ends[Client].relay.last.Load() == int64(c.began) { // it was not read yet
		time.Sleep(time.Millisecond)
	}
	client.Write(b[5:])
	got := make([]byte, len(b))
	var f mpa.Frame
	if _, err := io.ReadFull(server, got); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Decode(got); err != nil || f.Rev != mpa.Rev1 {
		t.Errorf("%+v, %v", f, err)
	}
}

// The longest FPDU waits until it is whole, and nothing more waits than that.
func TestLongestFPDU(t *testing.T) {
	client, server, c := open(t, mustParse(t, "type == Terminate", "drop"))
	exchange(t, client, server, mpa.Frame{Rev: mpa.Rev1})
	exchange(t, server, client, mpa.Frame{Reply: true, Rev: mpa.Rev1})
	ulpdu := append(speech()[0], make([]byte, math.MaxUint16)...)[:math.MaxUint16]
	b := new(mpa.Framer).AppendAs(nil, math.MaxUint16, append(ulpdu, make([]byte, mpa.Pad(len(ulpdu)))...))
	passed := c.Octets(Client)
	last := len(b) - 1
	waiting := func() int {
		d := c.ends[Client].relay.direction
		d.mu.Lock()
		defer d.mu.Unlock()
		return len(d.held)
	}
	client.Write(b[:last])
	for waiting() < last {
		time.Sleep(time.Millisecond)
	}
	if n := c.Octets(Client) - passed; n > 0 {
		t.Errorf("%d octets are passed on", n)
	}
	client.Write(b[last:])
	got := make([]byte, len(b))
	if _, err := io.ReadFull(server, got); err != nil || !bytes.Equal(got, b) || waiting() > 0 {
		t.Errorf("%v, and %d octets wait", err, waiting())
	}
}

// A FIN during a stall comes after what has stalled.
func TestFINWhileStalled(t *testing.T) {
	o := mpa.Options{CRC: true}
	c := Config{Rules: []*Rule{mustParse(t, "type == Send", "stall=50ms:2")}}
	if got := heard(received(t, o, framed(o, speech()...), c, false), o); got != whole {
		t.Error(got)
	}
}
