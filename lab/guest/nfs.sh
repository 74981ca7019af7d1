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
