package nfs

// The items of NFS messages that RPC-over-RDMA may move in chunks of their own, RFC 8267, section 3 to 5:
//
//	NFSv2, NFSv3   WRITE data, SYMLINK path               READ data, READLINK path
//	NFSv4          WRITE data, CREATE linkdata            READ data, READLINK linkdata
//	                in a Read chunk                        in a Write chunk

import "github.com/iwarpkit/iwarp/codec/oncrpc"

// An Item is a DDP-eligible item: opaque data or a string.
type Item struct {
	Result   bool   // of a Reply, or in a Call: what the Reply may bring
	Index    int    // of a result: which of those in its message; that of the Write chunk that is for it
	Op       Op     // of NFSv4: the operation
	Off      int    // where its length stands, in octets from the beginning of the message; not of a result in a Call
	Position uint64 // where its first octet stands in the message as it was before reduction; not of a result in a Call
	Length   uint64 // octets, as stated; of a result in a Call: the most that it asks for, 0 if that is not known
	Reduced  bool   // the octets are not in the message but in a chunk
}

// argument measures data that is DDP-eligible in a Call.
func (c *cursor) argument() {
	off := c.at
	length := uint64(c.word())
	if c.stuck() {
		return
	}
	reduced := length > 0 && (c.inChunk(c.at) || c.mistake == Displaced && c.fits(length))
	c.hasItem, c.item = true, Item{Off: off, Position: uint64(c.at) + c.removed, Length: length, Reduced: reduced}
	c.data(length, reduced)
}

// fits reports whether the next chunk is one for data of a length, with or without its fill, except for the suspects before.
func (c *cursor) fits(length uint64) bool {
	i := c.taken
	if i == len(c.returned) || c.returned[i] != length && c.returned[i] != length+-length&3 {
		return false
	}
	c.suspect--
	if c.suspect < 0 {
		c.taken++
	}
	return c.suspect < 0
}

// data skips data of a length that may be in a chunk.
func (c *cursor) data(length uint64, reduced bool) {
	if reduced {
		c.skip(c.remove(length))
	} else {
		c.skip(length + -length&3)
	}
}

// wanted notes in a Call that the Reply may bring data that is DDP-eligible.
func (c *cursor) wanted(most uint32) {
	if !c.stuck() {
		c.hasItem, c.item = true, Item{Result: true, Index: c.results, Length: uint64(most)}
		c.results++
	}
}

// result measures data that is DDP-eligible in a Reply. A Write chunk has no fill either (RFC 8166, section 3.4.6.2).
func (c *cursor) result() {
	off := c.at
	length := uint64(c.word())
	if c.stuck() {
		return
	}
	for c.mistake == Displaced && c.results < len(c.returned) && c.returned[c.results] == 0 {
		c.results++
	}
	i := c.results
	c.results++
	reduced := i < len(c.returned) && c.returned[i] > 0 && c.mistake != Doubled
	c.hasItem, c.item = true, Item{
		Result: true, Index: i, Off: off, Position: uint64(c.at) + c.removed, Length: length, Reduced: reduced,
	}
	c.data(length, reduced)
}

// Items walks along the DDP-eligible items of an NFS message:
//
//	for items.ResetCall(message); items.Next(); {
//		fmt.Println(items.Position, items.Length)
//	}
//
// It goes as far as it can measure the message, and never guesses.
type Items struct {
	Positions []uint32 // of the Read chunks of a Call but that at 0; to be set before ResetCall
	Returned  []uint64 // octets in each Write chunk of a Reply, by the Write list; to be set before ResetReply
	Offered   []uint64 // octets in each Read chunk of Positions; to be set before ResetCall if the Mistake is Displaced
	Mistake   Mistake  // that the walk assumes the sender made; to be set before ResetCall and ResetReply
	Suspect   int      // which data is in the wrong place, from 0, of those that have the length for it

	Item // that Next found

	kind    walk
	call    Operations
	results Results
	c       cursor // of a message that is not a COMPOUND
	ok      bool   // c went to the end of what it is about
}

// A Mistake is a reason why a message cannot be measured by the rules of RFC 8166: under it, it may be.
type Mistake uint8

// The mistakes about reduced items.
const (
	NoMistake Mistake = iota
	Unrounded         // their roundup octets stay in the message
	Doubled           // their octets are in the message as well as in chunks
	Misplaced         // opaque data that is not DDP-eligible is in a Write chunk, or a part of it: see Items.Suspect
	Displaced         // Positions are wrong, from that of Items.Suspect on; or Write chunks before that of a result are empty
)

// A walk is the kind of message that Items walks along.
type walk uint8

const (
	walkNone walk = iota
	walkSingle
	walkOperations
	walkResults
)

// reset forgets the previous walk.
func (i *Items) reset() {
	i.Item, i.kind, i.ok = Item{}, walkNone, false
	i.c.reset(nil, 0, nil, nil)
}

// assume makes c, at which a walk along a Call begins, assume the Mistake.
func (i *Items) assume(c *cursor) {
	c.mistake, c.suspect = i.Mistake, i.Suspect
	switch i.Mistake {
	case Displaced:
		c.returned = i.Offered
		fallthrough
	case Doubled:
		c.positions, c.chunks = nil, false
	}
}

// ResetCall begins a walk along a Call, given from its header on.
func (i *Items) ResetCall(message []byte) {
	var h oncrpc.Call
	if n, err := h.Decode(message); err == nil {
		i.BeginCall(&h, n, message)
	} else {
		i.reset()
	}
}

// BeginCall is ResetCall for a Call whose header, its first n octets, was decoded before.
func (i *Items) BeginCall(h *oncrpc.Call, n int, message []byte) {
	i.reset()
	body, off, ok := h.Protection().Unwrap(message[n:])
	if !ok {
		return
	}
	off += n
	message = message[:off+len(body)]
	switch p := h.Procedure(); {
	case p.IsCompound():
		var args CompoundArgs
		n, err := args.Decode(body)
		if err != nil {
			i.c.reset(message, off, nil, nil)
			i.c.form(&form{opaque, 2 * integer})
			return
		}
		i.kind = walkOperations
		i.call.Positions = i.Positions
		i.call.Reset(message, off+n, &args)
		i.assume(&i.call.c)
	case p.Program == oncrpc.ProgramNFS:
		i.kind = walkSingle
		i.c.reset(message, off, i.Positions, nil)
		i.assume(&i.c)
		i.ok = i.c.nfsArguments(p) && !i.c.stuck()
	}
}

// ResetReply begins a walk along a Reply, given from its header on; x is of its Call.
func (i *Items) ResetReply(message []byte, x oncrpc.Exchange) {
	var h oncrpc.Reply
	if n, err := h.Decode(message); err == nil {
		i.BeginReply(&h, n, message, x)
	} else {
		i.reset()
	}
}

// BeginReply is ResetReply for a Reply whose header, its first n octets, was decoded before.
func (i *Items) BeginReply(h *oncrpc.Reply, n int, message []byte, x oncrpc.Exchange) {
	i.reset()
	if !h.Succeeded() {
		return
	}
	body, off, ok := x.Protection.Unwrap(message[n:])
	if !ok {
		return
	}
	off += n
	message = message[:off+len(body)]
	switch p := x.Procedure; {
	case p.IsCompound(), p.IsCBCompound():
		var res CompoundRes
		if n, err := res.Decode(body); err == nil {
			i.kind = walkResults
			i.results.Returned = i.Returned
			i.results.Reset(message, off+n, &res, p.IsCBCompound())
			i.results.c.mistake, i.results.c.suspect, i.results.c.chunks = i.Mistake, i.Suspect, i.Mistake == Misplaced
		}
	case p.Program == oncrpc.ProgramNFS:
		i.kind = walkSingle
		i.c.reset(message, off, nil, i.Returned)
		i.c.mistake = i.Mistake
		i.ok = i.c.nfsResults(p) && !i.c.stuck()
	}
}

// Next goes to the next item. It returns false when there is none or it cannot be reached; [Items.End] says which.
func (i *Items) Next() bool {
	switch i.kind {
	case walkOperations:
		for i.call.Next() {
			if i.take(&i.call.c, i.call.Op) {
				return true
			}
		}
	case walkResults:
		for i.results.Next() {
			if i.take(&i.results.c, i.results.Op) {
				return true
			}
		}
	case walkSingle:
		return i.take(&i.c, 0)
	}
	return false
}

// take returns the item that c found, if any.
func (i *Items) take(c *cursor, op Op) bool {
	if !c.hasItem {
		return false
	}
	c.hasItem, i.Item = false, c.item
	i.Item.Op = op
	return true
}

// End returns, once Next has returned false, where the arguments or results end, in octets from the beginning of the
// message. ok is false if that is not known: they are truncated, encrypted, or of a procedure that cannot be measured.
func (i *Items) End() (off int, ok bool) {
	switch i.kind {
	case walkOperations:
		return i.call.Off, i.call.Stop() == StopEnd
	case walkResults:
		return i.results.Off, i.results.Stop() == StopEnd
	}
	return i.c.at, i.ok
}

// Broken reports, once Next has returned false, that the message as it is cannot be one of NFS: it ends before its arguments or
// results do, or has the result of an operation that does not exist.
func (i *Items) Broken() bool {
	switch i.kind {
	case walkOperations:
		return i.call.Stop() == StopShort
	case walkResults:
		return i.results.Stop() == StopShort || i.results.Stop() == StopNoOp
	}
	return i.c.missing > 0
}

// Most returns how many octets the Reply may bring beside its items, as far as the Call limits them; 0 in minor versions
// of NFSv4 with sessions, which limit Replies. Call it once Next has returned false.
func (i *Items) Most() uint64 {
	if i.kind == walkOperations {
		if i.call.minor > 0 {
			return 0
		}
		return i.call.c.most
	}
	return i.c.most
}

// Reached returns how far the walk has come, in octets from the beginning of the message as it was before reduction; beyond the
// octets that are there if more are due.
func (i *Items) Reached() uint64 {
	c := &i.c
	switch i.kind {
	case walkOperations:
		c = &i.call.c
	case walkResults:
		c = &i.results.c
	}
	return uint64(c.at) + c.removed + c.missing
}

// Procedures of NFSv2 (RFC 1094) and NFSv3 (RFC 1813).
const (
	nfs2Readlink, nfs2Read, nfs2Write, nfs2Symlink, nfs2Readdir                  = 5, 6, 8, 13, 16
	nfs3Readlink, nfs3Read, nfs3Write, nfs3Symlink, nfs3Readdir, nfs3Readdirplus = 5, 6, 7, 10, 16, 17
)

// arguments3 has the forms of the arguments of procedures of NFSv2 and NFSv3 that have, or whose results have, such an item or a limit.
var arguments3 = map[uint32]*form{
	2<<16 | nfs2Readlink:    {nfs2Handle, noCount},
	2<<16 | nfs2Read:        {nfs2Handle + integer, readCount, integer},
	2<<16 | nfs2Write:       {nfs2Handle + 3*integer, argument},
	2<<16 | nfs2Symlink:     {nfs2Handle, opaque, argument, 8 * integer}, // the last is sattr
	2<<16 | nfs2Readdir:     {nfs2Handle + integer + replyCount},
	3<<16 | nfs3Readdir:     {opaque, hyper + verifier + replyCount},
	3<<16 | nfs3Readdirplus: {opaque, hyper + verifier + integer + replyCount},
	3<<16 | nfs3Readlink:    {opaque, noCount},
	3<<16 | nfs3Read:        {opaque, hyper, readCount},
	3<<16 | nfs3Write:       {opaque, hyper + 2*integer, argument},
	3<<16 | nfs3Symlink:     {opaque, opaque, sattr3, argument},
}

// nfsArguments measures the arguments of a procedure that is among arguments3; of others it is false.
func (c *cursor) nfsArguments(p oncrpc.Procedure) bool {
	f := arguments3[p.Version<<16|p.Number]
	if f != nil {
		c.form(f)
	}
	return f != nil
}

// nfsResults measures the results of a procedure of NFSv2 or NFSv3 that have such an item; of others it is false.
func (c *cursor) nfsResults(p oncrpc.Procedure) bool {
	failed := c.word() != uint32(OK4)
	switch p.Version<<16 | p.Number {
	case 2<<16 | nfs2Readlink, 2<<16 | nfs2Read:
		if failed {
			return true
		}
		if p.Number == nfs2Read {
			c.skip(17 * 4) // fattr
		}
		c.result()
	case 3<<16 | nfs3Readlink, 3<<16 | nfs3Read:
		c.optional(fattr3)
		if failed {
			return true
		}
		if p.Number == nfs3Read {
			c.skip(8) // count, eof
		}
		c.result()
	default:
		return false
	}
	return true
}

const (
	nfs2Handle = 32 // octets of fhandle
	fattr3     = 84 // octets
)
