# NFS over RDMA through a proxy: the kernel's client mounts what the kernel's server has, and nothing differs.
#
# With each version of NFS, the client reads, copies and writes through "iwarp proxy", which records and judges. A line says what became
# of it; the capture and the output of the proxy are left in /out. With a rule, a mount then loses an answer and goes on.
. /payload/lib.sh
. /payload/nfs.sh

# through VERSION: works on a mount through the proxy.
through() {
	path=/
	[ "$1" = 3 ] && path=/srv/nfs
	timeout 60 mount.nfs "10.0.0.1:$path" /mnt -o "vers=$1,rdma,port=$port,nolock,sec=sys,retry=0" || { echo "$1: mount: status $?"; return; }
	cmp /mnt/small /srv/nfs/small && cmp /mnt/large /srv/nfs/large &&
		cp -r /mnt/folder /mnt/copy && diff -r /srv/nfs/folder /srv/nfs/copy &&
		dd if=/srv/nfs/large of=/mnt/direct bs=4096 count=24 oflag=direct 2>/dev/null && cmp -n 98304 /srv/nfs/large /srv/nfs/direct &&
		echo "$1: the same"
	rm -r /srv/nfs/copy /srv/nfs/direct
	umount /mnt
}

wire
rdma link add siw0 type siw netdev v0 # of the kernel's client
echo Y >/sys/module/siw/parameters/mpa_crc_required
serve
iwarp proxy --listen "10.0.0.1:$port" --to "10.0.0.2:$port" -w /out/through.pcapng --check >/out/through.txt 2>/out/through.err &
proxy=$!
for version in 3 4.0 4.1 4.2; do
	through $version
done
kill -INT $proxy
wait $proxy
iwarp check --profile siw /out/through.pcapng | tail -1
iwarp proxy --listen "10.0.0.1:$port" --to "10.0.0.2:$port" --on 'dir == s2c and type == Send' --do drop:30 >/dev/null 2>/out/rule.err &
proxy=$!
through 4.1
grep -c 'rule 1' /out/rule.err
kill -INT $proxy
