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
. /payload/smb.sh
wanted=$*
. /payload/causes.sh
(
	sleep 900
	echo w >/proc/sysrq-trigger # what waits, and where
	dmesg >/out/dmesg.log
	echo 'an operation hangs' >&3
	echo 1 >/out/status
	poweroff -f
) &
watchdog=$!

must() { "$@" || { echo "$name: failed: $*" >&3; bad=1; return 1; }; }

# work ADDRESS: mounts there, uses files and unmounts.
work() {
	must mounts "$1" || return
	must mkdir /mnt/folder
	for size in 0 1 100 1000 4095 4096 16384 65536 300001 3145728; do
		head -c $size /tmp/file >/tmp/part
		must timeout 60 cp /tmp/part "/mnt/folder/$size"
		must cmp /tmp/part "/srv/smb/folder/$size"
		must timeout 60 cmp /tmp/part "/mnt/folder/$size"
	done
	for size in 512 4096 65536 1048576; do
		must timeout 60 dd if=/tmp/file of=/mnt/direct bs=$size count=3 conv=fsync 2>/dev/null
		must timeout 60 dd if=/mnt/direct of=/tmp/read bs=$size 2>/dev/null
		must cmp -n $((3 * size)) /tmp/file /tmp/read
		must timeout 60 rm /mnt/direct
	done
	must [ "$(ls /mnt/folder | wc -l)" = 10 ]
	ls -l /mnt/folder >/dev/null
	must mv /mnt/folder/100 /mnt/moved
	must flock /mnt/moved -c 'cat /mnt/moved' >/dev/null
	must flock -s /mnt/moved true
	must rm /mnt/moved
	must timeout 60 rm -r /mnt/folder
	must timeout 60 umount /mnt
}

# clean FILE: what check says about a capture has to have no more than notes.
clean() {
	iwarp check --profile siw "$1" >"/out/$name.txt" || bad=1
	grep '^[0-9]* connection' "/out/$name.txt" >&3
	must grep -q '^[0-9]* connections\?, none failed\. \(No findings\|Findings: [0-9]* note\)' "/out/$name.txt"
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
	until_so far ss -ltnH "src 10.0.0.2:$port"
	work 10.0.0.2
	sleep 1
	kill -INT $proxy
	wait $proxy
	captured proxy
	clean /out/proxy.pcapng
	iwarp diff /out/proxy.pcapng /tmp/proxy.pcap >/out/proxy-diff.txt ||
		must grep -q -E 'messages +[1-9][0-9]* the same, 0 missing, 0 added, 0 changed, 0 reordered' /out/proxy-diff.txt
}

wire=near0 peer=10.0.1.1
wires
routes
serve
head -c 3145728 /dev/urandom >/tmp/file
direct
proxy
kill $watchdog
exit $bad
