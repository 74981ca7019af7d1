# NFS over RDMA: sessions with the kernel's server, replayed against it.
#
#	run.sh [SECONDS]	how long a step may take (5)
#
# The kernel's own client mounts a file system, reads it and unmounts it, once with each version of NFS; tcpdump records
# that. Then iwarp plays the client: at once, and when the server was stopped and started. The captures of NFS that the
# sources have are played too. For each replay there is a line; reports, captures and runs are left in /out.
. /payload/lib.sh
. /payload/nfs.sh
step=${1:-5}

# record VERSION: mounts, reads and unmounts, into /out/VERSION.pcap. It says so if what was read is wrong. Attributes stay
# in the client's cache, so that what it asks for does not depend on the time.
record() {
	path=/
	[ "$1" = 3 ] && path=/srv/nfs
	capture v0 "$1" "tcp port $port"
	timeout 60 mount.nfs "10.0.0.2:$path" /mnt -o "vers=$1,rdma,port=$port,nolock,sec=sys,retry=0,actimeo=600" || echo "mount: status $?"
	cmp /mnt/small /srv/nfs/small
	cmp /mnt/large /srv/nfs/large
	ls -l /mnt/folder >/tmp/list
	umount /mnt
	sleep 1
	captured "$1"
}

# replay FILE NAME: plays the client, and prints what the summary says.
replay() {
	iwarp replay "$1" --peer "10.0.0.2:$port" --profile siw --timeout "${step}s" -o json -w "/out/$2.json" \
		--save-run "/out/$2.pcapng" 2>"/out/$2.err"
	for word in exact accepted mismatched not_reached not_sent; do
		printf '%s %s, ' "$(grep -c "\"verdict\": \"$word\"" "/out/$2.json")" $word
	done
	echo "$2"
}

wire
client
serve
for version in 3 4.0 4.1 4.2; do
	record $version
	replay "/tmp/$version.pcap" "$version-at-once"
	stop
	start
	replay "/tmp/$version.pcap" "$version-restarted"
done
for capture in /payload/captures/nfs-*; do
	replay "$capture" "$(basename "$capture" .pcap.gz)"
	rm -rf /srv/nfs/w # what it has written
done
