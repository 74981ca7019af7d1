# What goes wrong with the kernel's NFS, rping and perftest, and what looks as if it did, and whether "iwarp check" names the cause.
#
#	run.sh [NAME...]	only these cases
#
# tcpdump captures each case on the client's side. The cause of the first connection that failed has to be the expected one, or none. The
# captures and what was said are left in /out. Exit status 1 if a cause is another one.
. /payload/lib.sh
. /payload/nfs.sh
wanted=$* wire=v0 peer=10.0.0.2
. /payload/causes.sh

# leave ends a case.
leave() {
	umount -f -l /mnt 2>/dev/null
	killall -q -9 rping ib_read_bw ib_send_bw ib_write_bw iwarp
}

# mounts VERSION [OPTIONS]: mounts what the server exports, or $path.
mounts() {
	root=/ options=
	[ "$1" = 3 ] && root=/srv/nfs options=,mounthost=10.0.0.2
	timeout 60 mount.nfs "10.0.0.2:${path:-$root}" /mnt -o "vers=$1,rdma,port=$port,nolock,sec=sys,retry=0$options$2"
}

# writes FILE [SECONDS [COUNT]]: writes some 64 KiB, for so long at most.
writes() { timeout "${2:-60}" dd if=/dev/zero of="/mnt/$1" bs=64k count="${3:-20}" conv=fsync 2>/dev/null; }

# exports OPTIONS: exports with other options.
exports() {
	server exportfs -u '*:/srv/nfs'
	server exportfs -o "$1,insecure,no_subtree_check,fsid=0,async" '*:/srv/nfs'
}

pings() { timeout -s KILL "${seconds:-30}" rping -c -a 10.0.0.2 -p 7174 "$@"; }
answers() { kernel rping -s -a 10.0.0.2 -p 7174 "$@" & sleep 2; }

wire
client
serve
soft=,soft,timeo=50,retrans=1
begin nfs-healthy && { mounts 4.1; writes a; cat /mnt/large >/dev/null; ls -l /mnt/folder >/dev/null; umount /mnt; cause none; }
begin nfs-read-only && { exports ro; mounts 4.1; writes b; umount /mnt; cause refused-upper; }
begin nfs-squashed && { exports rw,root_squash; chmod 755 /srv/nfs; mounts 3; writes c; umount /mnt; cause refused-upper; }
begin nfs-no-rights && { exports rw,root_squash; mkdir -m 700 /srv/nfs/secret; mounts 4.1; ls /mnt/secret; umount /mnt; cause refused-upper; }
exports rw,no_root_squash
begin nfs-became-read-only && { mounts 4.1; writes o; exports ro,no_root_squash; writes p; cat /mnt/small >/dev/null; umount /mnt; exports rw,no_root_squash; cause refused-upper; }
begin nfs-no-path && { path=/nothing mounts 4.1; cause refused-upper; }
begin nfs-no-file && { mounts 4.1; ls /mnt /mnt/nothing; umount /mnt; cause none; }
begin nfs-not-exported && { server exportfs -u '*:/srv/nfs'; server exportfs -o rw,fsid=0 10.0.0.9:/srv/nfs; mounts 4.1; server exportfs -u 10.0.0.9:/srv/nfs; exports rw,no_root_squash; cause refused-upper; }
begin nfs3-not-exported && { server exportfs -u '*:/srv/nfs'; server exportfs -o rw,fsid=0 10.0.0.9:/srv/nfs; mounts 3; server exportfs -u 10.0.0.9:/srv/nfs; exports rw,no_root_squash; cause refused-upper; } # by rpc.mountd, over TCP
begin nfs-export-gone && { mounts 4.1; cat /mnt/small >/dev/null; server exportfs -u '*:/srv/nfs'; sleep 4; cat /mnt/large >/dev/null; exports rw,no_root_squash; umount /mnt; cause refused-upper; }
begin nfs-stale && { mounts 3; exec 5</mnt/large; rm /srv/nfs/large; dd bs=64k count=1 iflag=direct <&5 >/dev/null; exec 5<&-; umount /mnt; cause refused-upper; }
begin nfs-security && { exports rw,sec=krb5; mounts 4.1; exports rw,no_root_squash; cause refused-upper; }
begin nfs-full && { mkdir /srv/nfs/full; mount -t tmpfs -o size=400k tmpfs /srv/nfs/full; server exportfs -o rw,no_root_squash,insecure,fsid=7 '*:/srv/nfs/full'; path=/full mounts 4.1; writes n; umount /mnt; cause refused-upper; }
begin nfs-wrong-port && { (port=20050 && mounts 4.1); cause refused; }
begin nfs-restarted && { mounts 4.1; exec 5>/mnt/d; echo one >&5; stop; start; echo two >&5; exec 5>&-; writes e; umount /mnt; cause none; }
begin nfs-stopped && { mounts 4.1 $soft; writes f; stop; writes g 40; cause refused; start; }
begin nfs-link-down && { mounts 3 $soft; (sleep 0.3 && kernel ip link set v1 down) & writes h 40 400; kernel ip link set v1 up; sleep 3; cause interrupted closed-early unacknowledged; }
begin nfs-crossed && { mounts 4.1 $soft; exec 5>/mnt/d; echo one >&5; kernel ip link set v1 down; sleep 40; kernel ip link set v1 up; echo two >&5; exec 5>&-; umount /mnt; cause none; }
begin nfs-all-lost && { mounts 4.1 $soft; writes i; kernel tc qdisc add dev v1 root netem loss 100%; writes j 40; kernel tc qdisc del dev v1 root; cause unacknowledged; }
begin nfs-much-lost && { tc qdisc add dev v0 root netem loss 40%; mounts 4.1 $soft; writes k 60; tc qdisc del dev v0 root; cause retransmissions unacknowledged interrupted; }
begin nfs-some-lost && { tc qdisc add dev v0 root netem loss 5%; mounts 4.1; writes l; umount /mnt; tc qdisc del dev v0 root; cause none; }
begin nfs-damaged && { tc qdisc add dev v0 root netem corrupt 3%; mounts 4.1; writes m; umount /mnt; tc qdisc del dev v0 root; cause none; }
begin nfs-late && { tc qdisc add dev v0 root netem delay 400ms; mounts 3; cat /mnt/small >/dev/null; umount /mnt; tc qdisc del dev v0 root; cause none; }
begin ping-healthy && { answers -C 5; pings -C 5; cause none; }
begin ping-nobody && { pings -C 5; cause refused; }
begin ping-killed && { answers; seconds=4 pings; cause closed-early none; } # if an answer was under way
begin ping-stopped && { answers; (sleep 2; kill -STOP $(pidof rping | tr ' ' '\n' | sort -n | head -n 1)) & seconds=20 pings; cause silent; }
begin ping-too-short && { answers -S 64 -C 5; pings -S 1000 -C 5; cause terminate; }
begin ping-link-down && { answers; (sleep 3 && kernel ip link set v1 down) & seconds=25 pings; kernel ip link set v1 up; sleep 2; cause interrupted; }
begin ping-link-down-short && { answers; (sleep 3 && kernel ip link set v1 down && sleep 8 && kernel ip link set v1 up) & pings -C 300; cause interrupted none; } # if a message was under way
begin ping-never-answered && { kernel ip route add blackhole 10.0.0.1; answers; seconds=20 pings; kernel ip route del blackhole 10.0.0.1; cause no-answer; }
begin ping-address-gone && { answers; (sleep 3 && kernel ip addr del 10.0.0.2/24 dev v1) & seconds=20 pings; kernel ip addr add 10.0.0.2/24 dev v1; sleep 2; cause unacknowledged; }
begin read-killed && { kernel ib_read_bw -R -D 20 & sleep 2; timeout -s KILL 6 ib_read_bw -R -D 20 10.0.0.2; sleep 3; cause closed-early; }
begin read-for-a-time && { kernel ib_read_bw -R -D 3 & sleep 2; timeout -s KILL 60 ib_read_bw -R -D 3 10.0.0.2; cause none; }
begin write-to-tcp && { kernel ib_write_bw & sleep 2; timeout -s KILL 20 ib_write_bw -R 10.0.0.2; cause no-reply; }
begin write-from-tcp && { kernel ib_write_bw -R & sleep 2; timeout -s KILL 20 ib_write_bw 10.0.0.2; cause foreign; }
begin send-too-long && { kernel ib_send_bw -R -s 1024 -n 100 & sleep 2; timeout 60 ib_send_bw -R -s 4096 -n 100 10.0.0.2; cause terminate; }
exit $bad
