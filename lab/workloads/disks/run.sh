# What goes wrong with NVMe over RDMA and iSER between the kernel's initiators and targets, and whether "iwarp check" names the cause.
#
#	run.sh [NAME...]	only these cases
#
# tcpdump captures each case on the initiator's side. The cause of the first connection that failed has to be the expected one, or none. The
# captures and what was said are left in /out. Exit status 1 if a cause is another one.
. /payload/lib.sh
. /payload/wires.sh
wanted=$* wire=near0 peer=10.0.1.1
. /payload/causes.sh

# leave ends a case.
leave() {
	killall -q -9 dd
	for c in /sys/class/nvme/nvme*/delete_controller; do [ -e "$c" ] && echo 1 >"$c"; done
	timeout 20 iscsiadm -m node --logout
	iscsiadm -m node -o delete
}

# disk FILE: one of 64 MiB that does not fit into the file system that it is in.
disk() { truncate -s 64M "/srv/small/$1"; }

# nvme_target serves nqn.lab, with a namespace that has room, and one that has not.
nvme_target() {
	modprobe -a nvmet-rdma nvme-rdma
	nvmet=/sys/kernel/config/nvmet subsystem=$nvmet/subsystems/nqn.lab
	mkdir $subsystem $nvmet/ports/1
	echo 1 >$subsystem/attr_allow_any_host
	truncate -s 64M /tmp/disk
	disk nvme
	n=0
	for file in /tmp/disk /srv/small/nvme; do
		n=$((n + 1))
		mkdir $subsystem/namespaces/$n
		echo 1 >$subsystem/namespaces/$n/buffered_io
		printf $file >$subsystem/namespaces/$n/device_path
		echo 1 >$subsystem/namespaces/$n/enable
	done
	for setting in trtype=rdma adrfam=ipv4 traddr=10.0.1.1 trsvcid=4420; do echo ${setting#*=} >$nvmet/ports/1/addr_${setting%=*}; done
	ln -s $subsystem $nvmet/ports/1/subsystems/nqn.lab
}

# connect [NQN [PORT]]: connects a host.
connect() {
	echo "transport=rdma,traddr=10.0.1.1,trsvcid=${2:-4420},nqn=${1:-nqn.lab},nr_io_queues=2,keep_alive_tmo=5,ctrl_loss_tmo=12,reconnect_delay=3" >/dev/nvme-fabrics &&
		until_so test -b /dev/nvme0n1
}

disconnect() { echo 1 >/sys/class/nvme/nvme0/delete_controller; }

# iser_target serves the disk of iqn.2026-01.lab:disk, with one LUN that has room, and one that has not.
iser_target() {
	modprobe -a sd_mod ib_isert ib_iser target_core_file
	lio=/sys/kernel/config/target portal=10.0.1.1:3260 name_of_target=iqn.2026-01.lab:disk
	group=$lio/iscsi/$name_of_target/tpgt_1
	mkdir -p $lio/core/rd_mcp_0/disk $lio/core/fileio_0/small $group/lun/lun_0 $group/lun/lun_1
	echo rd_pages=16384 >$lio/core/rd_mcp_0/disk/control
	disk iser
	echo fd_dev_name=/srv/small/iser,fd_dev_size=67108864 >$lio/core/fileio_0/small/control
	for store in rd_mcp_0/disk fileio_0/small; do echo 1 >$lio/core/$store/enable; done
	ln -s $lio/core/rd_mcp_0/disk $group/lun/lun_0/disk
	ln -s $lio/core/fileio_0/small $group/lun/lun_1/small
	admit
	nsenter --net=/run/netns/far mkdir $group/np/$portal # in which it opens a plain TCP listener, too
	echo 1 >$group/np/$portal/iser
	echo 1 >$group/enable
	until_so listens $portal
	mkdir -p /etc/iscsi /run/lock/iscsi
	echo InitiatorName=iqn.2026-01.lab:initiator >/etc/iscsi/initiatorname.iscsi
	iscsid
}

# admit lets each initiator in.
admit() { for setting in authentication=0 generate_node_acls=1 demo_mode_write_protect=0 cache_dynamic_acls=1; do echo ${setting#*=} >$group/attrib/${setting%=*}; done; }

# login [NAME]: logs in to a target, which is not tried again for long. $unit is the disk of the LUN $lun.
login() {
	as="-m node -T ${1:-$name_of_target} -p $portal"
	iscsiadm $as -o new -I iser
	iscsiadm $as -o update -n node.session.initial_login_retry_max -v 2
	timeout 40 iscsiadm $as -I iser --login
	until_so eval 'ls /sys/class/iscsi_session/session*/device/target*/*:'"${lun:-0}/block"
	unit=/dev/$(ls /sys/class/iscsi_session/session*/device/target*/*:"${lun:-0}"/block)
}

logout() { timeout 20 iscsiadm -m node --logout; }

# writes DISK [COUNT]: writes some 64 KiB; if the disk is there.
writes() { [ -b "$1" ] && timeout 60 dd if=/dev/zero of="$1" bs=64k count="${2:-16}" oflag=direct 2>/dev/null; }

# busy DISK SECONDS: reads it again and again.
busy() { [ -b "$1" ] && timeout "$2" sh -c "while dd if=$1 of=/dev/null bs=16k count=100 iflag=direct; do :; done" 2>/dev/null; }

wires
routes
grep -q configfs /proc/mounts || mount -t configfs configfs /sys/kernel/config
mkdir -p /srv/small
mount -t tmpfs -o size=2m tmpfs /srv/small
nvme_target
begin nvme-healthy && { connect; writes /dev/nvme0n1; disconnect; cause none; }
begin nvme-idle && { connect; sleep 20; writes /dev/nvme0n1; disconnect; cause none; }
begin nvme-no-subsystem && { connect nqn.other; cause refused-upper; }
begin nvme-not-allowed && { echo 0 >$subsystem/attr_allow_any_host; connect; echo 1 >$subsystem/attr_allow_any_host; cause refused-upper; }
begin nvme-wrong-port && { connect nqn.lab 4444; cause refused; }
begin nvme-full && { connect; writes /dev/nvme0n2 48; disconnect; cause refused-upper; }
begin nvme-ns-disabled && { connect; (sleep 2; echo 0 >$subsystem/namespaces/1/enable) & busy /dev/nvme0n1 8; cause withdrawn refused-upper; echo 1 >$subsystem/namespaces/1/enable; }
begin nvme-dropped && { connect; (sleep 2; rm $nvmet/ports/1/subsystems/nqn.lab) & busy /dev/nvme0n1 6; cause session-dropped closed-early; ln -s $subsystem $nvmet/ports/1/subsystems/nqn.lab; }
iser_target
begin iser-not-admitted && { echo 0 >$group/attrib/generate_node_acls; login; admit; cause refused-upper set-up-abandoned; } # before others, for the target remembers whom it has admitted
begin iser-demands-chap && { echo 1 >$group/attrib/authentication; login; admit; cause refused-upper set-up-abandoned; } # it may close before its answer is sent
begin iser-no-target && { login iqn.2026-01.lab:other; cause set-up-abandoned; }
begin iser-healthy && { login; writes "$unit"; logout; cause none; }
begin iser-full && { lun=1 login; writes "$unit" 48; logout; cause refused-upper; }
begin iser-dropped && { login; (sleep 2; echo 0 >$group/enable) & busy "$unit" 6; cause session-dropped closed-early; echo 1 >$group/enable; }
exit $bad
