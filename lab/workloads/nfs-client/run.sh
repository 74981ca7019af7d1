# The kernel's NFS client, asked by "iwarp conform --service rpc-client", which stands before the kernel's NFS server.
#
#	run.sh [CASE...]	which cases (all)
#
# The client mounts through a proxy; then conform takes the proxy's place, and alters answers while a loop reads, writes and lists. The
# verdicts are left in /out/result.txt, in KTAP in /out/result.ktap, and a capture of each case in /out/runs. What the client's kernel says
# meanwhile is in /out/kernel.txt. The exit status is that of conform.
. /payload/lib.sh
. /payload/nfs.sh

# use: works on the mount, for ever. What fails is no matter: conform looks at the Calls.
use() {
	while :; do
		ls -l /mnt/folder
		dd if=/mnt/large of=/dev/null bs=4096 count=4 iflag=direct
		dd if=/srv/nfs/large of=/mnt/direct bs=4096 count=4 oflag=direct
		echo 3 >/proc/sys/vm/drop_caches
		dd if=/srv/nfs/large of=/mnt/direct bs=2048 count=1 oflag=direct # in a message of more than 1024 octets
		cat /mnt/small
		rm /mnt/direct
	done >/dev/null 2>&1
}

wire
client
serve
iwarp proxy --listen "10.0.0.1:$port" --to "10.0.0.2:$port" 2>/out/proxy.err >/dev/null &
proxy=$!
listening "10.0.0.1:$port"
timeout 60 mount.nfs 10.0.0.1:/srv/nfs /mnt -o "vers=3,rdma,port=$port,nolock,sec=sys,retry=0,soft,timeo=100,retrans=5,mounthost=10.0.0.2" || exit 2
use &
dmesg -c >/dev/null
kill -INT $proxy
wait $proxy
iwarp conform --service rpc-client --listen "10.0.0.1:$port" "10.0.0.2:$port" --timeout 20s --expect /payload/known/nfs-client.txt --save-runs /out/runs -v -o json -w /out/result.json "$@" 2>/out/conform.err
status=$?
uname -r
dmesg | tee /out/kernel.txt | tail -n 20
exit $status
