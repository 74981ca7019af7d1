# SMB Direct: the kernel's client and the kernel's server, directly and through a proxy, and what goes wrong with them.
#
#	run.sh [NAME...]	only these cases
#
# direct and proxy make and remove folders and files of many sizes, and compare what is written and read; "iwarp check" has to find no
# error. The messages that tcpdump sees between client and proxy have to be those of the proxy's own capture. In the other cases, the
# cause of the first connection that failed has to be the expected one, or none. Captures, and what was said, are left in /out. Exit
# status 1 if anything differs or fails.
. /payload/lib.sh
. /payload/wires.sh
wanted=$*
. /payload/causes.sh
(
	sleep 1500
	echo w >/proc/sysrq-trigger # what waits, and where
	dmesg >/out/dmesg.log
	echo 'an operation hangs' >&3
	echo 1 >/out/status
	poweroff -f
) &
watchdog=$!

# share NAME PATH READONLY: for ksmbd. Without oplocks the client locks on the server.
share() { printf '[%s]\npath = %s\nread only = %s\nforce user = root\noplocks = no\n' "$@" >>/etc/ksmbd/ksmbd.conf; }

# serve starts the server, with the shares s, read-only and small, of 128 KiB.
serve() {
	modprobe -a ksmbd cifs
	mkdir -p /srv/smb /srv/small /mnt /etc/ksmbd
	mount -t tmpfs -o size=300m tmpfs /srv/smb
	mount -t tmpfs -o size=128k tmpfs /srv/small
	chmod 777 /srv/smb /srv/small
	printf '[global]\nserver multi channel support = yes\nserver max protocol = SMB3_11\n' >/etc/ksmbd/ksmbd.conf
	share s /srv/smb no
	share read-only /srv/smb yes
	share small /srv/small no
	ksmbd.adduser -a u -p pw
	ksmbd.mountd -n &
	until_so listens ":$port"
}

# mounts ADDRESS [SHARE [OPTIONS]]: mounts a share without a cache, so that all that is read comes from the server.
mounts() {
	timeout -s KILL 120 mount -i -t cifs "//$1/${2:-s}" /mnt -o "ip=$1,port=$port,rdma,vers=3.1.1,username=u,password=${password:-pw},sec=ntlmssp,cache=none$3"
}

must() { "$@" || { echo "$name: failed: $*" >&3; bad=1; return 1; }; }

# work ADDRESS: mounts there, uses files and unmounts.
work() {
	must mounts "$1" || return
	must mkdir /mnt/folder
	for size in 0 1 100 4095 4096 16384 65537 1000003; do
		head -c $size /tmp/file >/tmp/part
		must timeout 300 cp /tmp/part "/mnt/folder/$size"
		must cmp /tmp/part "/srv/smb/folder/$size"
		must timeout 300 cmp /tmp/part "/mnt/folder/$size"
	done
	for size in 512 4096 65536 262144; do
		must timeout 300 dd if=/tmp/file of=/mnt/direct bs=$size count=3 conv=fsync 2>/dev/null
		must timeout 300 dd if=/mnt/direct of=/tmp/read bs=$size 2>/dev/null
		must cmp -n $((3 * size)) /tmp/file /tmp/read
		must timeout 300 rm /mnt/direct
	done
	must [ "$(ls /mnt/folder | wc -l)" = 8 ]
	ls -l /mnt/folder >/dev/null
	must mv /mnt/folder/100 /mnt/moved
	must flock /mnt/moved -c 'cat /mnt/moved' >/dev/null
	must flock -s /mnt/moved true
	must rm /mnt/moved
	must timeout 300 rm -r /mnt/folder
	must timeout 300 umount /mnt
}

# clean FILE: what check says about a capture has to have no more than notes.
clean() {
	iwarp check --profile siw "$1" >"/out/$name.txt" || bad=1
	grep '^[0-9]* connection' "/out/$name.txt" >&3
	must grep -q '^[0-9]* connections\?, none failed\. \(No findings\|Findings: [0-9]* \(warning\|note\)\)' "/out/$name.txt"
	iwarp stats "$1" >"/out/$name-stats.txt"
}

direct() {
	begin direct || return
	work 10.0.1.1
	sleep 1
	captured direct
	clean /out/direct.pcap
}

proxy() {
	begin proxy || return
	ip netns exec far iwarp proxy --listen "10.0.0.2:$port" --to "10.0.1.1:$port" -w /out/proxy.pcapng >/dev/null 2>/out/proxy.err &
	proxy=$!
	until_so listens "10.0.0.2:$port" far
	work 10.0.0.2
	sleep 1
	kill -INT $proxy
	wait $proxy
	captured proxy
	clean /out/proxy.pcapng
	iwarp diff /out/proxy.pcapng /tmp/proxy.pcap >/out/proxy-diff.txt ||
		must grep -q -E 'messages +[1-9][0-9]* the same, 0 missing, 0 added, 0 changed, 0 reordered' /out/proxy-diff.txt
}

# ends lets the server end. What it had open keeps it from starting again.
ends() { ksmbd.control -s; }

# writes FILE [SECONDS [COUNT]]: writes some 64 KiB, for so long at most.
writes() { timeout -s KILL "${2:-60}" dd if=/dev/zero of="/mnt/$1" bs=64k count="${3:-20}" conv=fsync 2>/dev/null; }

# lost PERCENT SECONDS: lets so much of what is sent to the client be lost, for so long.
lost() {
	sleep 0.5
	far tc qdisc add dev far0 root netem loss "$1%"
	sleep "$2"
	far tc qdisc del dev far0 root
}

# leave ends a case.
leave() {
	umount -l /mnt 2>/dev/null
	killall -q -9 dd
	killall -q -CONT ksmbd.mountd
}

m=10.0.1.1 port=5445 # which ksmbd has for iWARP
wire=near0 peer=$m
wires
routes
serve
head -c 3145728 /dev/urandom >/tmp/file
direct
proxy
begin smb-healthy && { mounts $m; mkdir /mnt/d; writes d/a 60 2; cat /mnt/d/a >/dev/null; ls -l /mnt/d >/dev/null; rm -r /mnt/d; umount /mnt; cause none; }
begin smb-password && { (password=wrong && mounts $m); cause refused-upper; }
begin smb-no-share && { mounts $m nothing; cause refused-upper; }
begin smb-read-only && { mounts $m read-only; cat /mnt/* >/dev/null; writes b; umount /mnt; cause refused-upper; }
begin smb-full && { mounts $m small; writes c 60 4; umount /mnt; cause refused-upper; }
begin smb-no-file && { mounts $m; cat /mnt/nothing; writes e 60 2; umount /mnt; cause none; }
begin smb-stopped && { killall -STOP ksmbd.mountd; mounts $m; cause refused-upper; } # ksmbd asks it for users
begin smb-client-killed && { mounts $m; writes g 1 400; umount -f /mnt; cause none closed-early; }
begin smb-some-lost && { mounts $m; far tc qdisc add dev far0 root netem loss 3%; writes h 60 10; umount /mnt; far tc qdisc del dev far0 root; cause none; }
begin smb-late && { far tc qdisc add dev far0 root netem delay 300ms; mounts $m; writes i 60 2; umount /mnt; far tc qdisc del dev far0 root; cause none; }
begin smb-all-lost && { mounts $m s ,soft,echo_interval=2; lost 100 40 & writes j 60 400; cause none unacknowledged interrupted; } # none if nothing of the client waited for its acknowledgement
begin smb-link-down && { mounts $m s ,soft,echo_interval=2; (sleep 0.5; far ip link set far0 down; sleep 30; far ip link set far0 up) & writes k 60 400; cause unacknowledged interrupted; }
begin smb-killed && { mounts $m s ,soft,echo_interval=2; (sleep 1 && ends) & writes f 40 400; cause closed-early interrupted; }
begin smb-nobody && { ends; mounts $m; cause refused; }
kill $watchdog
exit $bad
