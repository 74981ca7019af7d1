package nfs_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/nfs"
)

func ExampleOperations() {
	// PUTFH of a file handle of 4 octets, READ, and an operation that minor version 0 does not have.
	operations := []byte("\x00\x00\x00\x16\x00\x00\x00\x04fhfh" +
		"\x00\x00\x00\x19stateid stateid \x00\x00\x00\x00\x00\x00\x10\x00\x00\x00\x02\x00" +
		"\x00\x00\x00\x35session session ")
	args := nfs.CompoundArgs{MinorVersion: 0, NumOps: 4}

	var ops nfs.Operations
	for ops.Reset(operations, 0, &args); ops.Next(); {
		fmt.Printf("%d %s at %d\n", ops.Index, ops.Name(), ops.Off)
	}
	fmt.Printf("%d of %d operations: %s\n", ops.Index, args.NumOps, ops.Stop())
	// Output:
	// 0 PUTFH at 0
	// 1 READ at 12
	// 2 SEQUENCE at 44
	// 3 of 4 operations: operation not in this minor version
}
