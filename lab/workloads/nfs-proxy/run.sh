# NFS over RDMA through a proxy: the kernel's client mounts what the kernel's server has, and nothing differs.
#
# With each version of NFS, the client reads, copies and writes through "iwarp proxy", which records and judges. A line says what became
# of it; the capture and the output of the proxy are left in /out. "iwarp ping --rpc" calls NULL, of the server itself and through the
# proxy. tcpdump captures beside it what passes between client and proxy: exit status 1 if "iwarp diff" finds a difference, or a ping
# fails. With a rule, a mount then loses an answer and goes on.
. /payload/lib.sh
. /payload/nfs.sh

# ping_at ADDRESS: calls NULL of NFS 3 and 4 there, and says what became of it.
ping_at() {
	for program in 100003,3 100003,4; do
		iwarp ping --rpc --program $program -c 3 -i 0 "$1" >>/out/pings.txt 2>&1 || bad=1
		tail -n 2 /out/pings.txt
	done
}

bad=0
wire
client
serve
iwarp proxy --listen "10.0.0.1:$port" --to "10.0.0.2:$port" -w /out/through.pcapng --check >/out/through.txt 2>/out/through.err &
proxy=$!
listening "10.0.0.1:$port"
capture lo beside "tcp port $port"
ping_at 10.0.0.2
ping_at 10.0.0.1
for version in 3 4.0 4.1 4.2; do
	through $version
done
left "10.0.0.1:$port"
kill -INT $proxy
wait $proxy
captured beside
iwarp diff /out/through.pcapng /tmp/beside.pcap || bad=1
iwarp check --profile siw /out/through.pcapng | grep '^[0-9]* connection'
iwarp proxy --listen "10.0.0.1:$port" --to "10.0.0.2:$port" --on 'dir == s2c and type == Send' --do drop:30 >/dev/null 2>/out/rule.err &
proxy=$!
listening "10.0.0.1:$port"
through 4.1
grep -c 'rule 1' /out/rule.err
kill -INT $proxy
exit $bad
