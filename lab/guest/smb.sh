# Functions for workloads that need the kernel's SMB server with RDMA, and its client; behind lib.sh and wires.sh.

port=5445 # ksmbd's for iWARP

# serve starts the server, with the shares s, read-only and small, of 128 KiB. Without oplocks a client locks on the server.
serve() {
	modprobe -a ksmbd cifs
	case $(modinfo -n ksmbd) in */updates/*) ;; *) echo 'lab: not run: the guest has no SMB Direct' >&2; exit 3 ;; esac
	mkdir -p /srv/smb /srv/small /mnt /etc/ksmbd
	mount -t tmpfs -o size=300m tmpfs /srv/smb
	mount -t tmpfs -o size=128k tmpfs /srv/small
	chmod 777 /srv/smb /srv/small
	printf '[global]\nserver multi channel support = yes\nserver max protocol = SMB3_11\n' >/etc/ksmbd/ksmbd.conf
	share s /srv/smb no
	share read-only /srv/smb yes
	share small /srv/small no
	ksmbd.adduser -a u -p pw
	start
}

# share NAME PATH READONLY
share() { printf '[%s]\npath = %s\nread only = %s\nforce user = root\noplocks = no\n' "$@" >>/etc/ksmbd/ksmbd.conf; }

start() {
	ksmbd.mountd -n &
	mountd=$!
	until_so listens ":$port"
}

# stop ends the server, and what it has open.
stop() {
	ksmbd.control -s
	wait $mountd
}

# mounts ADDRESS [SHARE [OPTIONS]]: mounts a share without a cache, so that all that is read comes from the server.
mounts() {
	timeout -s KILL 120 mount -i -t cifs "//$1/${2:-s}" /mnt -o "ip=$1,port=$port,rdma,vers=3.1.1,username=u,password=${password:-pw},sec=ntlmssp,cache=none$3"
}
