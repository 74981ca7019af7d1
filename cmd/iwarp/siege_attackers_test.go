package main

// Hostile clients, who attack from a process of their own, as from another machine: they take no turn from the good peer.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/adversary"
)

func request() []byte {
	f := mpa.Frame{C: true, Rev: mpa.Rev1}
	b, _ := f.AppendBinary(nil)
	return b
}

// fpdu frames a ULPDU, also an empty one.
func fpdu(ulpdu ...[]byte) []byte {
	octets := slices.Concat(ulpdu...)
	return (&mpa.Framer{Options: mpa.Options{CRC: true}}).AppendAs(nil, uint16(len(octets)), make([]byte, mpa.Pad(len(octets))), octets)
}

// send returns the segments of a Send of n octets.
func send(msn uint32, n int) []byte { return sendOf(msn, make([]byte, n)) }

// sendOf returns the segments of a Send.
func sendOf(msn uint32, octets []byte) (b []byte) {
	const part = 32 << 10
	for at := 0; at == 0 || at < len(octets); at += part {
		first, end := byte(0x01), min(at+part, len(octets))
		if end == len(octets) {
			first = 0x41
		}
		b = append(b, fpdu([]byte{first, 0x43}, words(0, 0, msn, uint32(at)), octets[at:end])...)
	}
	return b
}

// tagged returns a Write of some octets.
func tagged(stag uint32, to uint64, n int) []byte {
	header := append([]byte{0xc1, 0x40}, byte(stag>>24), byte(stag>>16), byte(stag>>8), byte(stag))
	for shift := 56; shift >= 0; shift -= 8 {
		header = append(header, byte(to>>shift))
	}
	return fpdu(header, make([]byte, n))
}

// established sends a Request and waits for the Reply.
func established(nc net.Conn) bool {
	nc.Write(request())
	_, err := io.ReadFull(nc, make([]byte, mpa.FrameLen))
	return err == nil
}

// An attack is what some peers do with a connection, and then with the next one.
type attack struct {
	name, service string
	peers         int
	do            func(nc net.Conn, r *rand.Rand)
	how           approach
}

// An approach is how peers come. The zero value is over IPv4, from one address, again at once, to iwarp serve.
type approach struct {
	ipv6    bool
	spread  bool          // each peer has an address of its own
	rest    time.Duration // between the connections of a peer
	proxied bool          // iwarp proxy is attacked, which stands before the server,
	altered bool          // with rules

	versions    string // those of iwarp proxy --rpc
	descriptors int    // that who is attacked may have
}

// attack runs the program of the attackers, until stop is called.
func (b *besieged) attack(t *testing.T, a *attack) (stop func()) {
	t.Helper()
	address := cmp.Or(strings.Join(b.others, ","), b.address)
	attackers := exec.Command("attackers", address, a.name, strconv.Itoa(a.peers), strconv.FormatBool(a.how.spread))
	attackers.Stderr = os.Stderr
	here, err := attackers.StdinPipe()
	if err == nil {
		err = attackers.Start()
	}
	if err != nil {
		t.Error(err)
		return func() {}
	}
	return func() {
		here.Close()
		if err := attackers.Wait(); err != nil {
			t.Error("the attackers: ", err)
		}
	}
}

// attackers is the program: attackers ADDRESS,... NAME PEERS SPREAD. It ends with its standard input, also if the test dies.
func attackers() {
	addresses, name := strings.Split(os.Args[1], ","), os.Args[2]
	peers, _ := strconv.Atoi(os.Args[3])
	spread, _ := strconv.ParseBool(os.Args[4])
	at := slices.IndexFunc(attacks, func(a attack) bool { return a.name == name })
	for i := range peers {
		go attacks[at].comeAgain(addresses[i%len(addresses)], i, spread)
	}
	io.Copy(io.Discard, os.Stdin)
}

// comeAgain is what one peer does, again and again.
func (a *attack) comeAgain(address string, peer int, spread bool) {
	r := rand.New(rand.NewPCG(uint64(peer), 1))
	dialer := net.Dialer{Timeout: time.Second}
	if spread {
		dialer.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 1, byte(peer>>8), byte(peer))}
	}
	rest := time.Millisecond + rand.N(a.how.rest+1) // so that they do not come all at once
	for ; ; rest = time.Millisecond + a.how.rest {
		time.Sleep(rest)
		nc, err := dialer.Dial("tcp", address)
		if err != nil {
			continue
		}
		nc.SetDeadline(time.Now().Add(time.Minute))
		a.do(nc, r)
		nc.Close()
	}
}

var attacks = []attack{
	{name: "silent", service: "rping", peers: 300, do: silent},
	{"silent, over IPv6", "rping", 300, silent, approach{ipv6: true}},
	{"silent, of many addresses", "rping", 300, silent, approach{spread: true}},
	{"silent, before a proxy", "rping", 300, silent, approach{proxied: true}},
	{"half a Send, before a proxy with rules", "sink", 200, func(nc net.Conn, _ *rand.Rand) {
		established(nc)
		nc.Write(send(1, 200_000)[:150_000])
		select {}
	}, approach{proxied: true, altered: true}},
	{"silent, with few descriptors", "rping", 300, silent, approach{descriptors: 64}},
	{"silent, before a proxy with few descriptors", "rping", 300, silent, approach{proxied: true, descriptors: 64}},
	{"10,000 silent", "rping", 10_000, silent, approach{spread: true, rest: 10 * time.Second}},
	{"10,000 of an octet at a time", "sink", 10_000, slowly, approach{rest: 10 * time.Second}},
	{name: "silent after MPA", service: "rping", peers: 300, do: func(nc net.Conn, _ *rand.Rand) {
		established(nc)
		select {}
	}},
	{name: "an octet of the Request at a time", service: "rping", peers: 100, do: slowly},
	{name: "an octet of an FPDU at a time", service: "sink", peers: 200, do: func(nc net.Conn, _ *rand.Rand) {
		established(nc)
		trickle(nc, send(1, 30_000))
	}},
	{name: "connect and close", service: "rping", peers: 16, do: closes},
	{"connect and close, before a proxy", "rping", 16, closes, approach{proxied: true, rest: 10 * time.Millisecond}},
	{name: "resets", service: "rping", peers: 32, do: func(nc net.Conn, _ *rand.Rand) {
		established(nc)
		nc.(*net.TCPConn).SetLinger(0)
	}},
	{name: "half-closes", service: "echo", peers: 100, do: func(nc net.Conn, _ *rand.Rand) {
		established(nc)
		nc.(*net.TCPConn).CloseWrite()
		select {}
	}},
	{name: "Requests of any revision and Private Data", service: "sink", peers: 32, do: func(nc net.Conn, r *rand.Rand) {
		b := request()
		b[16], b[17], b[18], b[19] = byte(r.Uint32()), byte(r.IntN(4)), byte(r.Uint32()), byte(r.Uint32())
		nc.Write(append(b, make([]byte, r.IntN(600))...))
		nc.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		io.Copy(io.Discard, nc)
	}},
	{name: "garbage", service: "rping", peers: 32, do: func(nc net.Conn, r *rand.Rand) { nc.Write(random(r, 3000)) }},
	{name: "zero-length FPDUs", service: "rping", peers: 64, do: func(nc net.Conn, _ *rand.Rand) {
		established(nc)
		nc.Write(bytes.Repeat(fpdu(nil), 50))
		io.Copy(io.Discard, nc)
	}},
	{name: "Terminates", service: "rping", peers: 32, do: func(nc net.Conn, _ *rand.Rand) {
		established(nc)
		nc.Write(fpdu([]byte{0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0x01, 0x02, 0, 0}))
		io.Copy(io.Discard, nc)
	}},
	{name: "Sends without end", service: "sink", peers: 64, do: func(nc net.Conn, _ *rand.Rand) {
		established(nc)
		for n := uint32(1); ; n++ {
			if _, err := nc.Write(send(n, 0)); err != nil {
				return
			}
		}
	}},
	{name: "an rping that answers no Read", service: "rping", peers: 100, do: func(nc net.Conn, _ *rand.Rand) {
		established(nc)
		header := []byte{0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}
		nc.Write(fpdu(header, []byte{0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 128, 0, 0}))
		time.Sleep(50 * time.Millisecond)
	}},
	{name: "an echo that reads no answer", service: "echo", peers: 64, do: unread},
	{"an echo that reads no answer, before a proxy", "echo", 64, unread, approach{proxied: true}},
	{name: "Sends of 8 MiB", service: "sink", peers: 32, do: func(nc net.Conn, _ *rand.Rand) {
		established(nc)
		for n := uint32(1); ; n++ {
			if _, err := nc.Write(send(n, 8<<20)); err != nil {
				return
			}
		}
	}},
	{name: "guesses of STags", service: "memory", peers: 32, do: func(nc net.Conn, r *rand.Rand) {
		established(nc)
		nc.Write(tagged(r.Uint32(), r.Uint64(), 8))
		io.Copy(io.Discard, nc)
	}},
	{name: "random content and conversations, to echo", service: "echo", peers: 32, do: anything},
	{name: "random content and conversations, to sink", service: "sink", peers: 32, do: anything},
	{name: "random content and conversations, to memory", service: "memory", peers: 32, do: anything},
	{name: "random content and conversations, to rping", service: "rping", peers: 32, do: anything},
	{name: "random content and conversations, to conform", service: "conform", peers: 32, do: anything},
	{name: "random content and conversations, to rpc", service: "rpc", peers: 32, do: anything},
	{name: "Reads beyond the IRD, of which nothing is taken", service: "memory", peers: 32, do: func(nc net.Conn, _ *rand.Rand) {
		stag, to := offered(nc)
		for msn := uint32(1); ; msn++ {
			if _, err := nc.Write(fpdu([]byte{0x41, 0x41}, words(0, 1, msn, 0, 7, 0, 0, 8<<20, stag, uint32(to>>32), uint32(to)))); err != nil {
				return
			}
		}
	}},
	{name: "atomics", service: "memory", peers: 32, do: func(nc net.Conn, r *rand.Rand) {
		stag, to := offered(nc)
		for msn := uint32(1); msn < 1000; msn++ {
			to += uint64(r.IntN(9))
			octets := words(0, 1, msn, 0, r.Uint32()&3, msn, stag, uint32(to>>32), uint32(to), 1, 2, 3, 4, 5, 6, 7, 8)
			if _, err := nc.Write(fpdu([]byte{0x41, 0x4a}, octets)); err != nil {
				return
			}
		}
		io.Copy(io.Discard, nc)
	}},
	{name: "commands at random", service: "conform", peers: 32, do: func(nc net.Conn, r *rand.Rand) {
		offered(nc)
		for msn := uint32(1); msn < 100; msn++ {
			if _, err := nc.Write(fpdu([]byte{0x41, 0x43}, words(0, 0, msn, 0, r.Uint32()&15<<24|r.Uint32()&0xffff, r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()))); err != nil {
				return
			}
		}
		io.Copy(io.Discard, nc)
	}},
	{name: "wild chunk lists", service: "rpc", peers: 32, do: wildChunks},
	{"silent after MPA, before a proxy of versions", "rpc", 300, func(nc net.Conn, _ *rand.Rand) {
		established(nc)
		select {}
	}, approach{proxied: true, versions: "1:2"}},
	{"wild chunk lists, before a proxy of versions", "rpc", 32, wildChunks, approach{proxied: true, versions: "1:2"}},
	{"wild messages of version 2, before a proxy of versions", "rpc", 32, func(nc net.Conn, r *rand.Rand) {
		offered(nc)
		for msn := uint32(1); msn < 100; msn++ {
			octets := words(0, 0, msn, 0, msn, 2, r.Uint32()&0x0fff0fff, r.Uint32()&7, r.Uint32()&0x1f, r.Uint32(), r.Uint32()&1, r.Uint32()&1, r.Uint32()&3, r.Uint32(), r.Uint32(), 0)
			if _, err := nc.Write(fpdu([]byte{0x41, 0x43}, octets)); err != nil {
				return
			}
		}
		io.Copy(io.Discard, nc)
	}, approach{proxied: true, versions: "2:1"}},
}

// wildChunks calls with chunk lists of version 1 that have any STags, TOs and lengths.
func wildChunks(nc net.Conn, r *rand.Rand) {
	offered(nc)
	for msn := uint32(1); msn < 100; msn++ {
		octets := words(0, 0, msn, 0, msn, 1, 32, 0, 1, 0, r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()&1, 1, r.Uint32(), r.Uint32(), r.Uint32(), 0)
		if _, err := nc.Write(fpdu([]byte{0x41, 0x43}, octets)); err != nil {
			return
		}
	}
	io.Copy(io.Discard, nc)
}

func random(r *rand.Rand, n int) []byte {
	octets := make([]byte, n)
	for i := range octets {
		octets[i] = byte(r.Uint32())
	}
	return octets
}

// randomFPDU has a good CRC, and what may be a segment in it.
func randomFPDU(r *rand.Rand) []byte {
	octets := random(r, 18+r.IntN(200))
	octets[0], octets[1] = 0x41|octets[0]&0x80, 0x40|octets[1]&0x0f
	return fpdu(octets)
}

// anything sends FPDUs of random content with a good CRC, or all that one end of a conversation says, which may break a rule.
func anything(nc net.Conn, r *rand.Rand) {
	if r.IntN(2) == 0 {
		kinds := adversary.Kinds()
		kind := kinds[r.IntN(len(kinds))]
		c, violations := adversary.New(kind, r.Uint64()), adversary.Injectors(kind)
		if r.IntN(2) == 0 {
			violations[r.IntN(len(violations))].Inject(c)
		}
		for _, u := range c.Units {
			if u.Frame && u.From == adversary.Initiator {
				nc.Write(u.Octets)
			}
		}
		nc.Write(c.Sent(adversary.Initiator))
	} else {
		established(nc)
		for range 20 {
			nc.Write(randomFPDU(r))
		}
	}
	nc.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	io.Copy(io.Discard, nc)
}

func silent(_ net.Conn, _ *rand.Rand) { select {} }

func closes(net.Conn, *rand.Rand) {}

func slowly(nc net.Conn, _ *rand.Rand) { trickle(nc, request()) }

// unread sends what is to be echoed, and reads nothing.
func unread(nc net.Conn, _ *rand.Rand) {
	established(nc)
	for n := uint32(1); ; n++ {
		if _, err := nc.Write(send(n, 256<<10)); err != nil {
			return
		}
	}
}

// offered sends a Request, and returns the STag and the TO in the Private Data of the Reply.
func offered(nc net.Conn) (stag uint32, to uint64) {
	nc.Write(request())
	reply := make([]byte, mpa.FrameLen)
	io.ReadFull(nc, reply)
	private := make([]byte, binary.BigEndian.Uint16(reply[18:]))
	io.ReadFull(nc, private)
	private = append(private, make([]byte, 12)...)
	return binary.BigEndian.Uint32(private[8:]), binary.BigEndian.Uint64(private)
}

// trickle sends octets one by one.
func trickle(nc net.Conn, octets []byte) {
	for _, x := range octets {
		time.Sleep(100 * time.Millisecond)
		if _, err := nc.Write([]byte{x}); err != nil {
			return
		}
	}
}
