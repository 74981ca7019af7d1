# Functions for workloads in the guest.

# A wire: a pair of veth devices, one end in the namespace "kernel", where siw is, the other one here, with the address
# and the MTU of a plain Ethernet. Offloads are off, so that a capture has the segments as they would be on a wire.
wire() {
	modprobe -a ib_uverbs rdma_ucm siw ipv6 veth sch_netem af_packet
	ip netns add kernel
	ip link add v0 type veth peer name v1
	ip link set v1 netns kernel
	ip addr add 10.0.0.1/24 dev v0
	kernel ip addr add 10.0.0.2/24 dev v1
	ip addr add fd00::1/64 dev v0 nodad
	kernel ip addr add fd00::2/64 dev v1 nodad
	plain="tso off gso off gro off tx off rx off"
	ethtool -K v0 $plain >/dev/null
	kernel ethtool -K v1 $plain >/dev/null
	ip link set v0 up
	kernel ip link set lo up
	kernel ip link set v1 up
	kernel rdma link add siw1 type siw netdev v1
}

# kernel COMMAND...: runs it in the namespace of siw.
kernel() { ip netns exec kernel "$@"; }

# until_so COMMAND...: waits up to ten seconds until it succeeds.
until_so() {
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || return 1
		sleep 0.1
	done
}

# capture INTERFACE NAME FILTER: starts tcpdump, into /tmp/NAME.pcap; $tcpdump is its process.
capture() {
	: >/tmp/tcpdump # which may have what the one before said
	tcpdump -i "$1" -s 0 -B 65536 --immediate-mode -U -n -Z root -w "/tmp/$2.pcap" "$3" 2>/tmp/tcpdump &
	tcpdump=$!
	until grep -q listening /tmp/tcpdump; do sleep 0.1; done
}

# captured NAME: ends it, and keeps the capture.
captured() {
	kill -INT $tcpdump
	wait $tcpdump
	cp "/tmp/$1.pcap" /out/
}
