package oncrpc_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

func ExampleCall_Decode() {
	message := []byte("\x5b\x0b\x97\xfd\x00\x00\x00\x00\x00\x00\x00\x02\x00\x01\x86\xa3\x00\x00\x00\x03\x00\x00\x00\x06" +
		"\x00\x00\x00\x01\x00\x00\x00\x18\x00\x00\x00\x00\x00\x00\x00\x03rig\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x00\x00\x00\x00\x00\x00\x00\x00arguments")
	var call oncrpc.Call
	n, err := call.Decode(message)
	fmt.Printf("%#x %s, %q, %v\n", call.XID, call.Procedure(), message[n:], err)

	var sys oncrpc.AuthSysParms
	if _, err := sys.Decode(call.Cred.Body.Data); err == nil {
		fmt.Printf("%s of user %d on %s\n", call.Cred.Flavor, sys.UID, sys.MachineName.Data)
	}
	// Output:
	// 0x5b0b97fd NFSv3 READ, "arguments", <nil>
	// AUTH_SYS of user 0 on rig
}

func ExampleReply_Decode() {
	message := []byte("\x00\x00\x00\x05\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x04")
	var reply oncrpc.Reply
	if _, err := reply.Decode(message); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%s: versions %d to %d\n", reply.Stat(), reply.Low, reply.High)
	// Output: PROG_MISMATCH: versions 2 to 4
}

func ExampleCall_AppendBinary() {
	call := oncrpc.Call{XID: 7, RPCVers: oncrpc.Version, Prog: oncrpc.ProgramNFS, Vers: 4}
	sys := oncrpc.AuthSysParms{UID: 1000, GID: 100}
	sys.MachineName.Set([]byte("rig"))
	body, _ := sys.AppendBinary(nil)
	call.Cred.Flavor = oncrpc.AuthSys
	call.Cred.Body.Set(body)
	message, err := call.AppendBinary(nil)
	fmt.Printf("% x\n% x %v\n", message[:24], message[24:], err)
	// Output:
	// 00 00 00 07 00 00 00 00 00 00 00 02 00 01 86 a3 00 00 00 04 00 00 00 00
	// 00 00 00 01 00 00 00 18 00 00 00 00 00 00 00 03 72 69 67 00 00 00 03 e8 00 00 00 64 00 00 00 00 00 00 00 00 00 00 00 00 <nil>
}

func ExampleAppendLayout() {
	message := []byte("\x00\x00\x00\x05\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x05")
	parts, _ := oncrpc.AppendLayout(nil, message, oncrpc.Exchange{})
	for _, part := range parts {
		fmt.Println(part.Table.Name)
		for f := range part.Fields() {
			fmt.Printf("  %s %s\n", f.Label, part.AppendValue(nil, f))
		}
	}
	// Output:
	// RPC Reply header
	//   xid 0x00000005
	//   mtype 1
	//   reply_stat 1
	// RPC denied Reply
	//   reject_stat 1
	// RPC authentication error
	//   auth_stat 5
}
