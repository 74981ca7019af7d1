# NFS over RPC-over-RDMA version 2: two proxies between the kernel's client and the kernel's server, which speak version 1.
#
#	run.sh [SECONDS]	how long files are written and compared (5)
#
# The first proxy speaks version 2 to the second one. With versions 3, 4.1 and 4.2 of NFS, the client reads, copies and writes; then it
# writes files of random sizes and compares what is on the server. The proxies judge all three connections. Exit status 1 if a file
# differs, an operation hangs, or a connection has an error; 2 if a mount took longer than a minute.
. /payload/lib.sh
. /payload/nfs.sh
seconds=${1:-5}

# verify SECONDS: writes files, and compares those on the server with them, with and without the client's cache.
verify() {
	mkdir /mnt/verify
	until=$(($(date +%s) + $1)) files=0 octets=0
	while [ "$(date +%s)" -lt "$until" ]; do
		read -r random </proc/sys/kernel/random/uuid
		size=$((0x${random%%-*} % 3000000))
		head -c $size /dev/urandom >/tmp/file
		if [ $((files % 2)) = 0 ]; then
			cp /tmp/file /mnt/verify/file
		else
			dd if=/tmp/file of=/mnt/verify/file bs=1M oflag=direct 2>/dev/null
		fi
		cmp /tmp/file /srv/nfs/verify/file || return 1
		echo 3 >/proc/sys/vm/drop_caches
		cmp /tmp/file /mnt/verify/file || return 1
		dd if=/mnt/verify/file bs=128k iflag=direct 2>/dev/null | cmp /tmp/file - || return 1
		rm /mnt/verify/file
		files=$((files + 1)) octets=$((octets + size))
	done
	rmdir /mnt/verify
	echo "$files files of $octets octets are the same"
}

# between NAME VERSIONS ADDRESS SERVER: starts a proxy that judges what passes, and records it unless that is too much.
between() {
	record="-w /out/$1.pcapng"
	[ "$seconds" -gt 60 ] && record=
	iwarp proxy --rpc "$2" --listen "$3:$port" --to "$4:$port" --check --profile siw $record 2>"/out/$1.err" >"/out/$1.txt" &
	listening "$3:$port"
}

# failed STATUS: notes it, unless there is worse.
bad=0
failed() { [ $bad = 1 ] || bad=$1; }

(
	sleep $((seconds + 300))
	echo "an operation hangs"
	echo 1 >/out/status
	poweroff -f
) &
watchdog=$!
wire
client
serve
between server 2:1 127.0.0.1 10.0.0.2
behind=$!
between client 1:2 10.0.0.1 127.0.0.1
front=$!
for version in 3 4.1 4.2; do
	through $version || failed $?
done
if timeout 60 mount.nfs 10.0.0.1:/ /mnt -o "vers=4.2,rdma,port=$port,sec=sys,retry=0"; then
	verify "$seconds" || failed 1
	umount /mnt
else
	failed 2
fi
kill -INT $front
wait $front
kill -INT $behind
wait $behind
for side in client server; do
	all=$(grep -c '^[0-9]* connection' /out/$side.txt) good=$(grep -c '^1 connection, none failed\. \(No findings\|Findings: [0-9]* \(warning\|note\)\)' /out/$side.txt)
	echo "$side: $good of $all connections without errors"
	[ "$all" -gt 0 ] && [ "$good" = "$all" ] || failed 1
done
kill $watchdog
exit $bad
