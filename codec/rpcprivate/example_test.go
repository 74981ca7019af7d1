package rpcprivate_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcprivate"
)

func Example() {
	private := []byte("\x80\x20\x00\x20\xf6\xab\x0e\x18\x01\x01\x03\x03") // behind the IRD and ORD of MPA
	var client rpcprivate.Data
	if off, ok := rpcprivate.Find(private); ok {
		client.Decode(private[off:])
	}
	server := rpcprivate.Data{Version: rpcprivate.Version, SendSize: rpcprivate.EncodeSize(16384), ReceiveSize: rpcprivate.EncodeSize(2048)}
	fmt.Printf("%+v\n", rpcprivate.Agree(&client, &server))
	// Output: {ClientToServer:2048 ServerToClient:4096 R:false}
}
