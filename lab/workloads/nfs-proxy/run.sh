# NFS over RDMA through a proxy: the kernel's client mounts what the kernel's server has, and nothing differs.
#
# With each version of NFS, the client reads, copies and writes through "iwarp proxy", which records and judges. A line says what became
# of it; the capture and the output of the proxy are left in /out. With a rule, a mount then loses an answer and goes on.
. /payload/lib.sh
. /payload/nfs.sh

wire
client
serve
iwarp proxy --listen "10.0.0.1:$port" --to "10.0.0.2:$port" -w /out/through.pcapng --check >/out/through.txt 2>/out/through.err &
proxy=$!
listening "10.0.0.1:$port"
for version in 3 4.0 4.1 4.2; do
	through $version
done
kill -INT $proxy
wait $proxy
iwarp check --profile siw /out/through.pcapng | grep '^[0-9]* connection'
iwarp proxy --listen "10.0.0.1:$port" --to "10.0.0.2:$port" --on 'dir == s2c and type == Send' --do drop:30 >/dev/null 2>/out/rule.err &
proxy=$!
listening "10.0.0.1:$port"
through 4.1
grep -c 'rule 1' /out/rule.err
kill -INT $proxy
