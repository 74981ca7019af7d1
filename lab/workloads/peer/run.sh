# The cases of lab/peer, or those whose names match a regular expression.
. /payload/lib.sh
wire
peer -out /out -run "${1:-}"
