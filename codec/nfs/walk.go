package nfs

// The walk along the operations of a COMPOUND or CB_COMPOUND. An operation has no length: where the next one begins is
// known only by measuring the arguments of those before it.

// Stop says why a walk along operations ended.
type Stop uint8

// The reasons to end a walk.
const (
	StopEnd   Stop = iota // all operations were found
	StopShort             // the octets end
	StopOp                // the minor version does not have the last operation found: its arguments are not known
	StopUnion             // the arguments of the last operation found have an arm that is not defined
	StopNoOp              // the last result found has a number that no operation has
	noStop                // the walk goes on
)

var stopNames = [...]string{
	"all operations", "octets end", "operation not in this minor version", "arguments not defined", "no operation",
	"not ended",
}

// String returns in words why the walk ended.
func (s Stop) String() string { return stopNames[min(s, noStop)] }

// Operations walks along the operations of a COMPOUND or CB_COMPOUND:
//
//	for ops.Reset(message, n, &args); ops.Next(); {
//		fmt.Println(ops.Name())
//	}
//
// The walk goes as far as it can measure arguments: those of all operations of minor versions 0 to 2 and of RFC 8276. It
// never guesses.
type Operations struct {
	// Positions are those of the Read chunks, other than 0, that RPC-over-RDMA took out of the message: offsets in
	// octets in the message as it was before (RFC 8166, section 3.4.5). Set them before Reset, which keeps them, and
	// give Reset the whole message, not only its arguments.
	Positions []uint32

	// The operation that Next found. When Next returned false, Index is the number of operations that were found, and
	// Off is where the rest begins.
	Index int    // 0 for the first
	Op    Op     // its number; in a CB_COMPOUND, CBOp(Op) is the operation
	Off   int    // octets from the beginning of the message to its opcode
	Args  []byte // its arguments as far as they were measured, without what went into Read chunks; aliases the message

	c        cursor
	found    uint32 // number of operations that Next found
	numOps   uint32 // number of operations that there should be
	minor    uint32
	callback bool
	stop     Stop
}

// Reset begins a walk along the operations of a COMPOUND that begin off octets into message.
func (o *Operations) Reset(message []byte, off int, args *CompoundArgs) {
	o.reset(message, off, args.MinorVersion, args.NumOps, false)
}

// ResetCB begins a walk along the operations of a CB_COMPOUND that begin off octets into message.
func (o *Operations) ResetCB(message []byte, off int, args *CBCompoundArgs) {
	o.reset(message, off, args.MinorVersion, args.NumOps, true)
}

func (o *Operations) reset(message []byte, off int, minor, numOps uint32, callback bool) {
	o.c.reset(message, off, o.Positions, nil)
	o.Index, o.Op, o.Off, o.Args = 0, 0, o.c.at, nil
	o.found, o.numOps, o.minor, o.callback, o.stop = 0, numOps, minor, callback, noStop
}

// Next goes to the next operation. It returns false when there is none or it cannot be reached; [Operations.Stop] says
// which.
func (o *Operations) Next() bool {
	switch {
	case o.stop != noStop:
	case o.found == o.numOps:
		o.stop = StopEnd
	case len(o.c.b)-o.c.at < 4:
		o.stop = StopShort
	default:
		o.Index, o.Off = int(o.found), o.c.at
		o.found++
		o.c.at += 4
		o.Op = Op(order.Uint32(o.c.b[o.Off:]))
		o.stop = o.measure()
		o.Args = o.c.b[o.Off+4 : o.c.at : o.c.at]
		return true
	}
	o.Index, o.Off, o.Op, o.Args = int(o.found), o.c.at, 0, nil
	return false
}

// measure skips the arguments of the operation, and returns why the walk must end with it, or noStop.
func (o *Operations) measure() Stop {
	if o.callback && !CBOp(o.Op).In(o.minor) || !o.callback && !o.Op.In(o.minor) {
		return StopOp
	}
	o.c.form(formOf(o.Op, o.callback, arguments))
	return o.c.stop()
}

// Name is the name of the operation that Next found: "PUTFH", "CB_RECALL", or the number of an unknown one.
func (o *Operations) Name() string {
	if o.callback {
		return CBOp(o.Op).String()
	}
	return o.Op.String()
}

// Stop returns why Next returned false.
func (o *Operations) Stop() Stop { return o.stop }
