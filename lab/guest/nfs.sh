# Functions for workloads that need the kernel's NFS server with RDMA, on siw's side of the wire; behind lib.sh.

port=20049
grace=10 # seconds that the server keeps state, and after its start lets nobody open a file: it takes no less

# server COMMAND...: runs it in the server's network, but with all that is mounted here, unlike kernel.
server() { nsenter --net=/run/netns/kernel "$@"; }

start() {
	server exportfs -o rw,no_root_squash,insecure,no_subtree_check,fsid=0,async '*:/srv/nfs'
	echo $grace >/proc/fs/nfsd/nfsv4gracetime
	echo $grace >/proc/fs/nfsd/nfsv4leasetime
	server rpc.nfsd -V 4.2 1 # one thread, which answers calls in their order
	echo "rdma $port" | server tee /proc/fs/nfsd/portlist >/dev/null
	sleep $((grace + 1))
}

stop() { server rpc.nfsd 0; }

# serve starts all that a server of NFS needs, with some files to read, whose times no reader changes.
serve() {
	modprobe -a rpcrdma nfsd nfsv3 nfsv4
	echo '_rpc:x:100:65534::/run:/bin/false' >>/etc/passwd
	printf 'sunrpc 111/%s portmapper\nnfs 2049/%s\n' tcp tcp udp udp >/etc/services
	touch /etc/exports
	mkdir -p /srv/nfs /mnt /run/rpcbind /var/lib/nfs/v4recovery
	mount -t tmpfs -o noatime,size=300m tmpfs /srv/nfs
	echo hello >/srv/nfs/small
	head -c 100001 /dev/urandom >/srv/nfs/large
	mkdir /srv/nfs/folder
	for i in 1 2 3 4 5 6 7 8 9; do echo $i >/srv/nfs/folder/file$i; done
	server mount -t nfsd nfsd /proc/fs/nfsd
	server rpcbind -w
	until server ss -ltnH sport = 111 | grep -q .; do sleep 0.1; done
	server rpc.mountd
	start
}

# client is the kernel's own client, which has siw on this side of the wire. What it says to a proxy here passes the loopback interface,
# with the MTU of the wire: siw sends longer ULPDUs than MPA allows if there is room.
client() {
	ip link set lo mtu 1500 up
	rdma link add siw0 type siw netdev v0
	echo Y >/sys/module/siw/parameters/mpa_crc_required
}

# listening ADDRESS:PORT: waits until somebody listens there.
listening() { until ss -ltnH "src $1" | grep -q .; do sleep 0.1; done; }

# left ADDRESS:PORT: waits until all have closed their connections to it, which the kernel's client does some time after it has unmounted.
left() { while ss -tnH "src $1" | grep -q .; do sleep 0.1; done; }

# through VERSION: works on a mount of 10.0.0.1, where a proxy is, and says what became of it; status 2 if it cannot mount.
through() {
	path=/ options= status=1
	[ "$1" = 3 ] && path=/srv/nfs options=,mounthost=10.0.0.2
	timeout 60 mount.nfs "10.0.0.1:$path" /mnt -o "vers=$1,rdma,port=$port,nolock,sec=sys,retry=0$options" || { echo "$1: mount: status $?"; return 2; }
	cmp /mnt/small /srv/nfs/small && cmp /mnt/large /srv/nfs/large &&
		cp -r /mnt/folder /mnt/copy && diff -r /srv/nfs/folder /srv/nfs/copy &&
		dd if=/srv/nfs/large of=/mnt/direct bs=4096 count=24 oflag=direct 2>/dev/null && cmp -n 98304 /srv/nfs/large /srv/nfs/direct &&
		echo "$1: the same" && status=0
	rm -r /srv/nfs/copy /srv/nfs/direct
	umount /mnt
	return $status
}
