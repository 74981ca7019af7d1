package main

// The captures that are replayed, and the programs of the guest on either side.

import "slices"

// A recording is a capture of two kernels, and how it was made.
type recording struct {
	name           string // of the file, without its suffix
	server, client string // command lines with HOST and PORT. "" for a program that the guest does not have
	siw            settings
	net            network
	random         bool // the payload of its messages differs in each run
	serverFirst    bool // the server sends first
}

// letters is what the Private Data of siwtest was made of, and refusal what it was when siwtest rejected.
const (
	letters = " -d ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	refusal = " -d rqponml"
)

// siwtest is a recording of siwtest on both sides, with its arguments.
func siwtest(name, server, client string, siw settings) recording {
	return recording{name: name, server: "siwtest -s -a HOST -p PORT" + letters + arguments(server),
		client: "siwtest -c -a HOST -p PORT" + letters + arguments(client), siw: siw}
}

// arguments are those that follow others.
func arguments(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

// fromServer is a recording in which the server sends first.
func (r recording) fromServer() recording {
	r.serverFirst = true
	return r
}

// over is a recording over another network.
func (r recording) over(n network) recording {
	r.net = n
	return r
}

// perftest is a recording of one of its programs. These advertise an STag on one connection and use it on another, which
// replay cannot follow: it plays only sides that use no STag of the peer.
func perftest(name, command string, sides ...role) recording {
	command = "ib_" + command + " -R -p PORT"
	r := recording{name: "perf-ib_" + name, siw: settings{CRC: true}, random: true}
	if slices.Contains(sides, weConnect) {
		r.server = command
	}
	if slices.Contains(sides, siwConnect) {
		r.client = command + " HOST"
	}
	return r
}

// everything is the operations of the recordings that have all of them.
const everything = "send:0,send:1,send:2,send:3,send:4,send:5,send:64,send:4096,send:17:0:s,send:33:0:i,write:0,write:1," +
	"write:3,write:64,write:1447:5,write:4096:1,write:65536:7,read:0,read:1:0:v,read:2:3:v,read:3:90:v,read:64:1:v," +
	"read:1460:2:v,read:4096:100:v,read:65536:4095:v,write:9000:3:G,send:3001:0:G,sleep:50"

// recordings are all captures that programs of the guest can answer.
func recordings() []recording {
	plain, crc := settings{}, settings{CRC: true}
	const both = "send:1000,write:100000,read:100000,send:0,read:30000,write:1,send:77,sleep:500"
	return append([]recording{
		{name: "rping", server: "rping -s -a HOST -p PORT -v -C 5 -S 64", client: "rping -c -a HOST -p PORT -v -C 5 -S 64"},
		{name: "rdma_server", server: "rdma_server -s HOST -p PORT", client: "rdma_client -s HOST -p PORT", siw: crc},
		recording{name: "ucmatose", server: "ucmatose -c 4 -C 5 -S 3000 -p PORT -b HOST",
			client: "ucmatose -c 4 -C 5 -S 3000 -p PORT -s HOST", siw: crc}.fromServer(),
		{name: "rstream", server: "rstream -S 5000 -C 20 -I 2 -p PORT -b HOST",
			client: "rstream -S 5000 -C 20 -I 2 -p PORT -s HOST", siw: crc},
		{name: "go-client", server: "siwtest -s -a HOST -p PORT -k" + letters, siw: crc},
		siwtest("basic-crc1", "-k", "-k -o "+everything, crc),
		siwtest("basic-srvops-crc0", "-k -o "+everything+",sleep:100", "-k -o sleep:3000", plain).fromServer(),
		siwtest("bidir-q", "-q -o "+both, "-q -o "+both, crc),
		siwtest("echo-crc1", "-E -z 20000",
			"-z 20000 -o send:10,recvwait:1,send:1000,recvwait:2,send:20000,recvwait:3,send:0,recvwait:4", crc),
		siwtest("sendinv-crc1", "-m 65536", "-m 65536 -o write:100,sendinv:64,sleep:200", crc),
		siwtest("sendinvse-crc0", "-m 65536", "-m 65536 -o write:100,sendinv:0:0:s,sleep:200", plain),
		siwtest("crcstrict-off", "", "-o send:10", settings{Strict: true}),
		siwtest("mpav1-pd16", "-P 16", "-P 16 -o send:10,send:0", settings{Rev1: true}),
		siwtest("mpav1-crc", "", "-o send:10,write:10,read:10,read:3000", settings{Rev1: true, CRC: true}),
		siwtest("p2p-crc", "", "-o send:10,read:100", settings{P2P: true, CRC: true}),
		siwtest("trygso-nooff", "", "-o send:10,write:65536,read:65536", settings{GSO: true}),
		siwtest("multi4", "-k -n 4 -B 40", "-k -n 4 -B 40 -o send:10,read:20000:10:v,write:20000:50000,send:100", crc),
		siwtest("pd-c0-s16", "", "-P 0 -o send:4", crc),
		siwtest("pd-c100-s16", "", "-P 100 -o send:4", crc),
		siwtest("pd-c255-s16", "", "-P 255 -o send:4", crc),
		siwtest("pd-c16-s0", "-P 0", "-o send:4", crc),
		siwtest("pd-c16-s255", "-P 255", "-o send:4", crc),
		siwtest("reject-pd0", "-R -P 0", "-P 16", crc),
		siwtest("reject-pd32", "-R -P 32"+refusal, "-P 16", crc),
		siwtest("noport", "", "-P 16 -o send:1", crc),
		siwtest("ird-ord-1-1", "-I 1 -O 1",
			"-I 1 -O 1 -q -o read:100,read:200,read:300,read:400,read:5000,read:100", crc),
		siwtest("ird-c4-s0", "-I 0 -O 0", "-I 4 -O 4 -o send:5,write:5", crc),
		siwtest("mtu576", "-k", "-k -o send:4000,write:20000:3,read:20000:5:v", crc).over(network{MTU: 576}),
		siwtest("mss200", "-k", "-k -o send:3000,write:5000:3,read:5000:5:v", crc).over(network{MSS: 200}),
		siwtest("ipv6", "-k", "-k -o send:4000,write:20000:3,read:20000:5:v", crc).over(network{IPv6: true}),
		siwtest("netem-lossy", "-k", "-k -o send:4000,write:200000:3,read:200000:5:v,send:10", crc).over(network{Lossy: true}),
	}, append(mistaken(crc), perftests()...)...)
}

// mistaken are the recordings of mistakes.
func mistaken(crc settings) (all []recording) {
	for _, m := range []struct{ name, server, client string }{
		{"term-write-badkey", "", "send:4,write:64:0:k"},
		{"term-write-oob-multi", "-m 4096", "send:4,write:8192:0"},
		{"term-write-wrap", "-m 4096", "send:4,write:64:9000000000000000000"},
		{"term-write-noaccess", "-A r", "send:4,write:64:0"},
		{"term-write-after-inv", "", "sendinv:64,write:64"},
		{"term-read-badkey", "", "send:4,read:64:0:k"},
		{"term-read-oob", "-m 4096", "send:4,read:8192:0"},
		{"term-read-noaccess", "-A w", "send:4,read:64:0"},
		{"term-read-zerobadkey", "", "send:4,read:0:0:k"},
		{"term-send-nobuf", "-r 0", "send:64"},
		{"term-send-toolong-multi", "-z 4000", "send:9000"},
		{"term-send-badrecvlkey", "-l", "send:64"},
		{"term-sendinv-bad", "", "sendinv:64:0:k"},
		{"term-sendinv-twice", "", "sendinv:64,sendinv:64"},
		{"term-local-badlkey-send", "", "send:4,send:64:0:l"},
		{"term-local-badlkey-read", "", "send:4,read:64:0:l"},
		{"term-qp-err", "", "send:4,err"},
		{"unsup-fadd", "", "fadd:8"},
	} {
		all = append(all, siwtest(m.name, m.server, "-o "+m.client+",sleep:200", crc))
	}
	return append(all,
		siwtest("term-die-midstream", "", "-o send:4,write:4000000:0:u,die", crc),
		siwtest("term-srv-read-badkey", "-o read:64:0:k,sleep:300", "-o sleep:1500", crc).fromServer())
}

func perftests() []recording {
	return []recording{
		perftest("atomic_bw-8", "atomic_bw -s 8 -n 5", roles...),
		perftest("send_lat-2", "send_lat -s 2 -n 10", roles...),
		perftest("read_bw-1", "read_bw -s 1 -n 20", siwConnect),
		perftest("read_bw-4096-o16", "read_bw -s 4096 -n 40 -o 16", siwConnect),
		perftest("read_bw-65536", "read_bw -s 65536 -n 5", siwConnect),
		perftest("read_lat-64", "read_lat -s 64 -n 10", siwConnect),
		perftest("write_bw-1", "write_bw -s 1 -n 20", siwConnect),
		perftest("write_bw-4096-q4", "write_bw -s 4096 -n 20 -q 4", siwConnect),
		perftest("write_bw-65536", "write_bw -s 65536 -n 5", siwConnect),
	}
}
