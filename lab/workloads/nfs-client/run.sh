# The kernel's NFS client, asked by "iwarp conform --service rpc-client", which stands before the kernel's NFS server.
#
#	run.sh [crash=CASE] [hang=CASE] [CASE...]	which cases (all)
#
# The client mounts through a proxy; then conform takes the proxy's place, and alters answers while a loop reads, writes and lists. The
# verdicts are left in /out/result.txt, and a capture of each case in /out/runs. What the client's kernel says meanwhile is in
# /out/kernel.txt, and on the console. The exit status is that of conform, or 4 if the client hangs: lab/run then boots again, as it does
# if the kernel crashes, and conform goes on with the cases that are left. To try that, crash=CASE crashes the kernel in the middle of a
# case, and hang=CASE stops the loop there.
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

# during CASE COMMAND...: runs a command once, when the capture of the case has begun.
during() {
	capture=/out/runs/$(echo "$1" | tr / -).pcapng
	[ -f "$capture" ] && return
	shift
	until [ -s "$capture" ]; do sleep 0.1; done
	"$@"
}

crash() { echo c >/proc/sysrq-trigger; }

wire
client
serve
dmesg -n 7
echo 4 >/proc/sys/vm/drop_caches # from now on without a line in the kernel's log
iwarp proxy --listen "10.0.0.1:$port" --to "10.0.0.2:$port" 2>/out/proxy.err >/dev/null &
proxy=$!
listening "10.0.0.1:$port"
timeout 60 mount.nfs 10.0.0.1:/srv/nfs /mnt -o "vers=3,rdma,port=$port,nolock,sec=sys,retry=0,soft,timeo=100,retrans=5,mounthost=10.0.0.2" || exit 2
use &
use=$!
while :; do
	case ${1:-} in
	crash=*) during "${1#crash=}" crash & ;;
	hang=*) during "${1#hang=}" kill -STOP $use & ;;
	*) break ;;
	esac
	shift
done
dmesg -c >/dev/null
kill -INT $proxy
wait $proxy
iwarp conform --service rpc-client --listen "10.0.0.1:$port" "10.0.0.2:$port" --timeout 20s --expect /payload/known/nfs-client.txt --save-runs /out/runs --resume /out/progress.jsonl -w /out/result.txt "$@" 2>/out/conform.err
status=$?
uname -r
if grep 'has made no Call since' /out/conform.err; then
	echo w >/proc/sysrq-trigger # what waits, and where
	status=4
else
	cat /out/result.txt
fi
dmesg | tee /out/kernel.txt | tail -n 20
exit $status
