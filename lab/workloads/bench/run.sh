# iwarp and siw side by side, in the same guest and over the same wire: bandwidth, latency and pings. Nothing is captured.
# What the programs print goes to the log.
. /payload/lib.sh
wire
if [ "${1:-}" = offload ]; then
	ethtool -K v0 tso on gso on gro on tx on rx on >/dev/null
	kernel ethtool -K v1 tso on gso on gro on tx on rx on >/dev/null
fi
rdma link add siw0 type siw netdev v0
port=18515

# between TITLE SERVER CLIENT: runs a server on the other end of the wire, then a client here. @ stands for the port.
between() {
	port=$((port + 1))
	echo "--- $1"
	kernel timeout 120 $(echo "$2" | sed "s/@/$port/") >/tmp/server.log 2>&1 &
	server=$!
	until kernel ss -ltnH sport = $port | grep -q .; do
		kill -0 $server 2>/dev/null || { cat /tmp/server.log; return; }
		sleep 0.05
	done
	begin=$(cut -d' ' -f1 /proc/uptime)
	timeout 120 $(echo "$3" | sed "s/@/$port/") 2>&1 | grep -E -e '^ *#bytes' -e '^ *[0-9]+ +[0-9]+ ' -e 'answered|p50|iwarp:'
	echo "$begin $(cut -d' ' -f1 /proc/uptime)" | awk '{printf "%.1f s in all\n", $2 - $1}'
	kill $server 2>/dev/null
	wait $server 2>/dev/null
}

volume=$((16 * 1048576)) # octets that are moved for each figure
for crc in 0 1; do
	echo "=== CRC $crc"
	echo $crc >/sys/module/siw/parameters/mpa_crc_required
	flag=--crc=false
	[ $crc = 1 ] && flag=--crc=true
	for op in write read send; do
		for size in 65536 1048576; do
			n=$((volume / size))
			between "siw to siw: $op, $size octets" "ib_${op}_bw -R -p @ -s $size -n $n" \
				"ib_${op}_bw -R -p @ -s $size -n $n 10.0.0.2"
			between "iwarp to iwarp: $op, $size octets" "iwarp serve --listen 10.0.0.2:@ --service sink $flag" \
				"iwarp bench --timeout 60s $flag --op $op --measure bw -s $size -n $n 10.0.0.2:@"
		done
	done
	for op in read send; do
		between "siw to siw: latency of $op, 64 octets" "ib_${op}_lat -R -p @ -s 64 -n 500" \
			"ib_${op}_lat -R -p @ -s 64 -n 500 10.0.0.2"
		between "iwarp to iwarp: latency of $op, 64 octets" "iwarp serve --listen 10.0.0.2:@ --service echo $flag" \
			"iwarp bench --timeout 60s $flag --op $op --measure lat -s 64 -n 500 10.0.0.2:@"
	done
	between "iwarp to siw: write and read, 65536 octets" "siwtest -s -a 10.0.0.2 -p @ -n 9 -o sleep:60000" \
		"iwarp bench --timeout 60s $flag --op write,read --measure bw -s 65536 -n 256 10.0.0.2:@"
	between "iwarp to siw: pings, 64 octets" "rping -s -a 10.0.0.2 -p @ -C 500" \
		"iwarp ping -q -c 500 -i 0 10.0.0.2:@"
	between "iwarp to iwarp: pings, 64 octets" "iwarp serve --listen 10.0.0.2:@ --service rping $flag" \
		"iwarp ping -q -c 500 -i 0 10.0.0.2:@"
	between "siw to siw: pings, 64 octets, the start of rping included" "rping -s -a 10.0.0.2 -p @ -C 500" \
		"rping -c -a 10.0.0.2 -p @ -C 500"
done
