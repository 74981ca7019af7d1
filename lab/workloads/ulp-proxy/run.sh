# NVMe over RDMA, iSER and perftest through a proxy: the kernel's initiators and targets, and nothing differs.
#
#	run.sh [NAME...]	which of nvme, iser and the programs of perftest (nvme iser ib_write_lat ib_read_bw ib_send_bw)
#
# Initiators and targets of the kernel know no network but the first one. So both ends are there, each on a wire of its own to the
# namespace of the proxy. A disk is written and read with direct I/O, and compared. tcpdump captures beside the proxy what passes between
# initiator and proxy; the messages have to be the same as in the proxy's capture. Both are left in /out, with what the proxy has judged,
# and the output of "iwarp stats" and "iwarp decode". Exit status 1 if anything differs or fails, or the proxy finds an error.
. /payload/lib.sh
. /payload/wires.sh

bad=0
# must COMMAND...: notes a failure.
must() { "$@" || { echo "failed: $*"; bad=1; }; }

# begin NAME PORT: starts a proxy, and tcpdump beside it. Not by far, for these are the processes to be ended.
begin() {
	ip netns exec far iwarp proxy --listen "10.0.0.2:$2" --to "10.0.1.1:$2" -w "/out/$1.pcapng" --check --profile siw >"/out/$1.txt" 2>"/out/$1.err" &
	proxy=$!
	until_so listens "10.0.0.2:$2" far
	capture near0 "$1-beside" "tcp port $2"
}

# end NAME: ends both, and compares. Where both ends close at once, as those of perftest do, tcpdump may see the other FIN first.
end() {
	sleep 1
	kill -INT $proxy
	wait $proxy
	captured "$1-beside"
	iwarp stats "/out/$1.pcapng" >"/out/$1-stats.txt"
	iwarp decode "/out/$1.pcapng" >"/out/$1-decode.txt"
	iwarp diff "/out/$1.pcapng" "/tmp/$1-beside.pcap" >"/out/$1-diff.txt" ||
		must grep -E 'messages +[1-9][0-9]* the same, 0 missing, 0 added, 0 changed, 0 reordered' "/out/$1-diff.txt"
	head -n 2 "/out/$1-diff.txt"
	all=$(grep -c '^1 connection' "/out/$1.txt") good=$(grep -c '^1 connection, none failed\. \(No findings\|Findings: [0-9]* note\)' "/out/$1.txt")
	echo "$1: $good of $all connections without errors"
	must [ "$all" -gt 0 -a "$good" = "$all" ]
	sed -n '/^Procedures/,/^$/p' "/out/$1-stats.txt"
}

# compare DISK: writes a file to it and reads it, in pieces of several sizes.
compare() {
	for size in 512 4096 65536 262144; do
		dd if=/tmp/file of="$1" bs=$size count=8 seek=8 oflag=direct 2>/dev/null || return 1
		dd if="$1" of=/tmp/read bs=$size count=8 skip=8 iflag=direct 2>/dev/null || return 1
		cmp -n $((8 * size)) /tmp/file /tmp/read || return 1
	done
	dd if=/tmp/file of="$1" bs=1M oflag=direct 2>/dev/null
	dd if="$1" of=/tmp/read bs=1M count=3 iflag=direct 2>/dev/null
	cmp /tmp/file /tmp/read
}

nvme() {
	modprobe -a nvmet-rdma nvme-rdma
	target=/sys/kernel/config/nvmet
	truncate -s 64M /tmp/disk
	mkdir $target/subsystems/nqn.lab $target/subsystems/nqn.lab/namespaces/1 $target/ports/1
	cd $target/subsystems/nqn.lab
	echo 1 >attr_allow_any_host
	echo 1 >namespaces/1/buffered_io # the file is in memory
	printf /tmp/disk >namespaces/1/device_path
	echo 1 >namespaces/1/enable
	cd $target/ports/1
	echo rdma >addr_trtype
	echo ipv4 >addr_adrfam
	echo 10.0.1.1 >addr_traddr
	echo 4420 >addr_trsvcid
	echo 16384 >param_inline_data_size
	must ln -s $target/subsystems/nqn.lab subsystems/nqn.lab
	cd /
	begin nvme 4420
	must eval 'echo transport=rdma,traddr=10.0.0.2,trsvcid=4420,nqn=nqn.lab,nr_io_queues=2,queue_size=32 >/dev/nvme-fabrics'
	must until_so test -b /dev/nvme0n1
	must compare /dev/nvme0n1
	cmp -n 3145728 /tmp/file /tmp/disk && echo "nvme: the same"
	echo 1 >/sys/class/nvme/nvme0/delete_controller
	end nvme
}

# The target also opens a plain TCP listener, on the port that siw is to listen on. It does so in the network of who makes the portal,
# which is therefore another one.
iser() {
	modprobe -a sd_mod ib_isert ib_iser
	target=/sys/kernel/config/target portal=10.0.1.1:3260
	mkdir -p $target/core/rd_mcp_0/disk
	echo rd_pages=16384 >$target/core/rd_mcp_0/disk/control
	echo 1 >$target/core/rd_mcp_0/disk/enable
	group=$target/iscsi/iqn.2026-01.lab:disk/tpgt_1
	mkdir -p $group/lun/lun_0
	ln -s $target/core/rd_mcp_0/disk $group/lun/lun_0/disk
	for setting in authentication=0 generate_node_acls=1 demo_mode_write_protect=0 cache_dynamic_acls=1; do
		echo ${setting#*=} >$group/attrib/${setting%=*}
	done
	must nsenter --net=/run/netns/far mkdir $group/np/$portal
	echo 1 >$group/np/$portal/iser || must false
	echo 1 >$group/enable
	must until_so listens $portal
	mkdir -p /etc/iscsi /run/lock/iscsi
	echo InitiatorName=iqn.2026-01.lab:initiator >/etc/iscsi/initiatorname.iscsi
	iscsid
	begin iser 3260
	as="-m node -T iqn.2026-01.lab:disk -p 10.0.0.2:3260"
	must iscsiadm $as -o new -I iser
	must timeout 60 iscsiadm $as -I iser --login
	disk_is() { disk=$(ls /sys/class/iscsi_session/session*/device/target*/*/block) && [ -b "/dev/$disk" ]; }
	must until_so disk_is
	disk_is && must compare "/dev/$disk" && echo "iser: compared"
	must timeout 20 iscsiadm $as --logout
	end iser
}

# perftest NAME: with small messages, and with large ones. The server of ib_write_bw closes when the client says on another connection that
# all is written; the proxy may not have passed on the last Writes by then, and the server resets. So it is not tried by default.
perftest() {
	begin "$1" 18515
	for size in 64 65536; do
		$1 -R -p 18515 -s $size -n 100 >"/out/$1-server.txt" 2>&1 &
		server=$!
		until_so listens :18515
		must timeout 60 $1 -R -p 18515 -s $size -n 100 10.0.0.2 >"/out/$1-client.txt" 2>&1
		must wait $server
	done
	end "$1"
}

wires
grep -q configfs /proc/mounts || mount -t configfs configfs /sys/kernel/config
head -c 3145728 /dev/urandom >/tmp/file
for name in ${*:-nvme iser ib_write_lat ib_read_bw ib_send_bw}; do
	case $name in
	ib_*) perftest "$name" ;;
	*) $name ;;
	esac
done
exit $bad
