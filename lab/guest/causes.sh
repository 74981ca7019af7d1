# Functions for workloads that let something go wrong, and look whether "iwarp check" names the cause; behind lib.sh.
#
# What programs print goes to /out/programs.log; what became of each case to the log of the workload.
exec 3>&1 >/out/programs.log 2>&1
bad=0

# begin NAME: starts to capture on $wire, if the case is among $wanted or that is empty.
begin() {
	case " ${wanted:-$1} " in *" $1 "*) ;; *) return 1 ;; esac
	name=$1
	capture "$wire" "$name" tcp
}

# cause WANT...: ends the capture. The cause of the first failure has to be one of these; "none" if nothing may fail. leave, which the
# workload has, ends what still runs. The next capture shall not have the end of a connection.
cause() {
	sleep 1
	captured "$name"
	leave
	for i in 1 2 3 4 5 6 7 8 9; do ss -tnH dst "$peer" | grep -q . && sleep 1; done
	iwarp check "/tmp/$name.pcap" >"/out/$name.txt" 2>&1
	got=$(iwarp check -q -o json "/tmp/$name.pcap" | sed -n 's/.*"cause":{"kind":"\([^"]*\)".*/\1/p' | head -n 1)
	case " $* " in
	*" ${got:=none} "*) echo "$name: $got" >&3 ;;
	*) bad=1; echo "$name: $got, expected $*" >&3 ;;
	esac
}
