# Functions for workloads whose two ends both have to be in the first network, as those of the kernel that know no other; behind lib.sh.

# far COMMAND...: runs it in the network between them.
far() { ip netns exec far "$@"; }

# wires connects both ends with the network far: the initiator 10.0.0.1 with 10.0.0.2, and 10.0.1.2 with the target 10.0.1.1. A proxy
# may listen on 10.0.0.2.
wires() {
	modprobe -a ib_uverbs rdma_ucm siw ipv6 veth sch_netem af_packet
	ip netns add far
	for n in 0 1; do
		ip link add near$n type veth peer name far$n
		ip link set far$n netns far
		ip addr add 10.0.$n.1/24 dev near$n
		far ip addr add 10.0.$n.2/24 dev far$n
		ethtool -K near$n tso off gso off gro off tx off rx off >/dev/null
		far ethtool -K far$n tso off gso off gro off tx off rx off >/dev/null
		ip link set near$n up
		far ip link set far$n up
		rdma link add siw$n type siw netdev near$n
	done
	far ip link set lo up
	echo Y >/sys/module/siw/parameters/mpa_crc_required
}

# listens ADDRESS:PORT [COMMAND...]: whether somebody listens there, or in the network that the command leads to.
listens() {
	address=$1
	shift
	"$@" ss -ltnH "src $address" | grep -q .
}

# routes makes far a router: initiator and target, although addresses of one machine, reach each other through it.
routes() {
	far sysctl -qw net.ipv4.ip_forward=1
	for n in all near0 near1; do sysctl -qw net.ipv4.conf.$n.rp_filter=0 net.ipv4.conf.$n.accept_local=1; done
	ip rule add pref 1 iif near0 lookup local
	ip rule add pref 2 iif near1 lookup local
	ip rule add pref 3 from 10.0.1.1 to 10.0.0.1 lookup 101
	ip rule add pref 4 to 10.0.1.1 lookup 100
	ip rule add pref 5 lookup local
	ip rule del pref 0
	ip route add 10.0.1.1 via 10.0.0.2 dev near0 src 10.0.0.1 table 100
	ip route add 10.0.0.1 via 10.0.1.2 dev near1 src 10.0.1.1 table 101
	until_so ping -c 1 10.0.1.1 # rdma_resolve_addr does not wait for long
}
