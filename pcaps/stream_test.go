package pcaps_test

import (
	"bytes"
	"errors"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

var (
	client4 = netip.MustParseAddrPort("10.0.0.1:40000")
	server4 = netip.MustParseAddrPort("10.0.0.2:7174")
	client6 = netip.MustParseAddrPort("[fd00::1]:40000")
	server6 = netip.MustParseAddrPort("[fd00::2]:7174")
)

// must fails the test for an error of a call that has no other result.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// opened returns a connection of a StreamWriter that nothing has been sent on.
func opened(t testing.TB, w *pcaps.StreamWriter, client, server netip.AddrPort, at int64) *pcaps.StreamConn {
	t.Helper()
	c, err := w.Open(client, server, at)
	must(t, err)
	return c
}

// A segment is what tests look at of a packet.
type segment struct {
	Time     int64
	From     netip.AddrPort
	Flags    string
	Seq, Ack uint32 // from the initial sequence numbers
	Payload  string
}

// segments returns those in a capture of connections between different ports.
func segments(t *testing.T, file []byte) (all []segment) {
	t.Helper()
	initial := map[netip.AddrPort]uint32{}
	for _, p := range mustRead(t, file) {
		var h tcpip.Segment
		if err := h.Decode(p.LinkType, []byte(p.Data), p.OrigLen); err != nil {
			t.Fatalf("frame %d: %v", p.Frame, err)
		}
		if h.Flags.Has(tcpip.SYN) {
			initial[h.Src] = h.Seq
		}
		s := segment{Time: p.Time, From: h.Src, Flags: h.Flags.String(), Seq: h.Seq - initial[h.Src], Payload: string(h.Payload)}
		if h.Flags.Has(tcpip.ACK) {
			s.Ack = h.Ack - initial[h.Dst]
		}
		all = append(all, s)
	}
	return all
}

// streamed returns the file that calls of a StreamWriter make.
func streamed(t testing.TB, options pcaps.StreamOptions, calls func(w *pcaps.StreamWriter)) []byte {
	t.Helper()
	var b bytes.Buffer
	w := pcaps.NewStreamWriter(&b, options)
	calls(w)
	must(t, w.Close())
	return b.Bytes()
}

func TestStreamIsAConnection(t *testing.T) {
	file := streamed(t, pcaps.StreamOptions{MSS: 4}, func(w *pcaps.StreamWriter) {
		c := opened(t, w, client4, server4, 1000)
		must(t, c.Send(pcaps.Client, []byte("request"), 2000))
		must(t, c.Send(pcaps.Server, []byte("no"), 2001))
		must(t, c.Send(pcaps.Server, nil, 2002))
		must(t, c.Finish(pcaps.Server, 3000))
		must(t, c.Send(pcaps.Client, []byte("oh"), 2500)) // the clock went back
		must(t, c.Finish(pcaps.Client, 4000))
	})
	want := []segment{
		{1000, client4, "SYN", 0, 0, ""},
		{1000, server4, "SYN,ACK", 0, 1, ""},
		{1000, client4, "ACK", 1, 1, ""},
		{2000, client4, "ACK", 1, 1, "requ"},
		{2000, client4, "PSH,ACK", 5, 1, "est"},
		{2001, server4, "PSH,ACK", 1, 8, "no"},
		{3000, server4, "FIN,ACK", 3, 8, ""},
		{3000, client4, "PSH,ACK", 8, 4, "oh"},
		{4000, client4, "FIN,ACK", 10, 4, ""},
		{4000, server4, "ACK", 4, 11, ""},
	}
	if diff := cmp.Diff(want, segments(t, file), cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })); diff != "" {
		t.Errorf("segments (-want +got):\n%s", diff)
	}
}

// The octets were made by hand after RFC 791, 8200 and 9293. All sums are of 16 bits.
func TestStreamOctets(t *testing.T) {
	tests := []struct {
		name           string
		client, server netip.AddrPort
		want           []byte
	}{
		{"IPv4", client4, server4, []byte{
			0x45, 0, 0, 42, 0, 0, 0x40, 0, 64, 6, 0x26, 0xcc, // the complement of 4500+002a+4000+4006+0a00+0001+0a00+0002
			10, 0, 0, 1, 10, 0, 0, 2,
			0x9c, 0x40, 0x1c, 0x06, 0x3c, 0x6e, 0xf3, 0x63, 0xda, 0xa6, 0x6d, 0x14,
			0x50, 0x18, 0xff, 0xff, 0x03, 0x8b, 0, 0, 'h', 'i',
		}},
		{"IPv6", client6, server6, []byte{
			0x60, 0, 0, 0, 0, 22, 6, 64,
			0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
			0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
			0x9c, 0x40, 0x1c, 0x06, 0x3c, 0x6e, 0xf3, 0x63, 0xda, 0xa6, 0x6d, 0x14,
			0x50, 0x18, 0xff, 0xff, 0x1d, 0x89, 0, 0, 'h', 'i',
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := streamed(t, pcaps.StreamOptions{}, func(w *pcaps.StreamWriter) {
				must(t, opened(t, w, test.client, test.server, 0).Send(pcaps.Client, []byte("hi"), 0))
			})
			packets := mustRead(t, file)
			if diff := cmp.Diff(test.want, []byte(packets[3].Data)); diff != "" {
				t.Errorf("packet (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStreamsHaveSequenceNumbersOfTheirOwn(t *testing.T) {
	file := streamed(t, pcaps.StreamOptions{}, func(w *pcaps.StreamWriter) {
		for range 2 {
			c := opened(t, w, client4, server4, 0)
			must(t, c.Reset(pcaps.Server, 0))
		}
	})
	packets := mustRead(t, file)
	if len(packets) != 8 {
		t.Fatalf("%d packets, want 8", len(packets))
	}
	if packets[0].Data == packets[4].Data {
		t.Error("the SYN of the second connection looks like that of the first, sent again")
	}
}

// Octets that nobody answers are acknowledged before the window is full.
func TestStreamAcknowledges(t *testing.T) {
	const octets = 12 << 20
	file := streamed(t, pcaps.StreamOptions{}, func(w *pcaps.StreamWriter) {
		c := opened(t, w, client4, server4, 0)
		must(t, c.Send(pcaps.Client, make([]byte, octets), 0))
	})
	acks := 0
	var last segment
	for _, s := range segments(t, file)[3:] {
		if s.From == server4 {
			acks++
			if s.Ack != last.Seq+uint32(len(last.Payload)) {
				t.Errorf("acknowledged up to %d, the last octet was %d", s.Ack, last.Seq+uint32(len(last.Payload)))
			}
			continue
		}
		last = s
	}
	if acks != 2 || last.Seq+uint32(len(last.Payload)) != octets+1 {
		t.Errorf("%d acknowledgements, last segment ends at %d", acks, last.Seq+uint32(len(last.Payload)))
	}
}

func TestStreamSaysThatHeadersAreSynthesised(t *testing.T) {
	file := streamed(t, pcaps.StreamOptions{Section: pcaps.Section{Comment: "More to say."}}, func(*pcaps.StreamWriter) {})
	if want := pcaps.SynthesisedHeaders + " More to say."; !bytes.Contains(file, []byte(want)) {
		t.Errorf("the file does not have %q", want)
	}
}

func TestStreamErrors(t *testing.T) {
	var b bytes.Buffer
	w := pcaps.NewStreamWriter(&b, pcaps.StreamOptions{})
	if _, err := w.Open(client4, server6, 0); !errors.Is(err, pcaps.ErrFamilies) {
		t.Errorf("IPv4 to IPv6: %v", err)
	}
	if _, err := w.Open(netip.AddrPort{}, netip.AddrPort{}, 0); !errors.Is(err, pcaps.ErrFamilies) {
		t.Errorf("no addresses: %v", err)
	}
	over := func(name string, err error) {
		t.Helper()
		if !errors.Is(err, pcaps.ErrStreamOver) {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := opened(t, w, client4, server4, 0)
	must(t, c.Finish(pcaps.Client, 0))
	over("octets after a FIN", c.Send(pcaps.Client, []byte("x"), 0))
	over("a FIN after a FIN", c.Finish(pcaps.Client, 0))
	must(t, c.Finish(pcaps.Server, 0))
	over("a reset of what has ended", c.Reset(pcaps.Server, 0))

	c = opened(t, w, netip.MustParseAddrPort("[::ffff:10.0.0.1]:1"), server4, 0)
	must(t, c.Reset(pcaps.Client, 0))
	over("octets after a reset", c.Send(pcaps.Server, []byte("x"), 0))
	over("a FIN after a reset", c.Finish(pcaps.Server, 0))
	over("a second reset by a side", c.Reset(pcaps.Client, 0))
	must(t, c.Reset(pcaps.Server, 0))
	if !c.Over() {
		t.Error("the connection is not over")
	}

	full := pcaps.NewStreamWriter(broken{}, pcaps.StreamOptions{})
	c = opened(t, full, client4, server4, 0)
	if err := c.Send(pcaps.Client, make([]byte, 1<<20), 0); !errors.Is(err, errBroken) {
		t.Errorf("octets that cannot be written: %v", err)
	}
	if err := full.Close(); !errors.Is(err, errBroken) {
		t.Errorf("Close: %v", err)
	}
}

var errBroken = errors.New("broken")

// broken takes nothing.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// Checksums and sequence numbers are right for tshark, which has nothing to remark.
func TestTsharkTakesStreamsForReal(t *testing.T) {
	payload := func(n int) []byte { return bytes.Repeat([]byte{0xa5}, n) }
	file := streamed(t, pcaps.StreamOptions{MSS: 8948}, func(w *pcaps.StreamWriter) {
		a, b := opened(t, w, client4, server4, 0), opened(t, w, client6, server6, 0)
		for i := range 40 {
			must(t, a.Send(pcaps.Side(i%2), payload(1+i*997), int64(i)))
			must(t, b.Send(pcaps.Side(i/7%2), payload(2000-i), int64(i)))
		}
		must(t, a.Send(pcaps.Client, payload(9<<20), 50))
		must(t, a.Finish(pcaps.Server, 50))
		must(t, a.Finish(pcaps.Client, 50))
		must(t, b.Finish(pcaps.Client, 50))
		must(t, b.Reset(pcaps.Server, 60))
	})
	path := filepath.Join(t.TempDir(), "streams.pcapng")
	must(t, os.WriteFile(path, file, 0o600))
	options := []string{"-o", "tcp.check_checksum:TRUE", "-o", "ip.check_checksum:TRUE"}
	seen := map[string]bool{}
	for line := range strings.Lines(tsharkWith(t, path, options, "tcp.checksum.status", "ip.checksum.status", "ip.version", "tcp.analysis.flags", "_ws.expert.message")) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		seen[strings.Join(fields[:3], " ")] = true
		if fields[3] != "" || !plain(fields[4]) {
			t.Fatalf("tshark remarks %q", fields)
		}
	}
	if want := map[string]bool{"1 1 4": true, "1  6": true}; !maps.Equal(seen, want) { // 1 is good, and IPv6 has no checksum
		t.Errorf("checksums and versions are %v, want %v", seen, want)
	}
}

// plain reports whether tshark remarks nothing but the beginnings and ends of connections.
func plain(remarks string) bool {
	for remark := range strings.SplitSeq(remarks, ",") {
		if remark != "" && !strings.HasPrefix(remark, "Connection ") && !strings.HasPrefix(remark, "This frame ") {
			return false
		}
	}
	return true
}
