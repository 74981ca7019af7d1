# The smallest workload: what the guest is.
. /payload/lib.sh
uname -a
nproc
free -m
ls /payload/bin
wire
modinfo -p siw
kernel rdma link
