package rnicsim_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// Two separate pages of memory become one Memory Region that the peer can read, but not write.
func ExampleRNIC_RegisterMR() {
	memory := new(rnicsim.Memory)
	memory.Map(0x8000, make([]byte, 4096))
	memory.Map(0x2000, make([]byte, 4096))
	rnic := rnicsim.New(rnicsim.Config{Memory: memory})
	pd, _ := rnic.AllocatePD()

	region := rnicsim.Registration{
		PBL:          rnicsim.PBL{EntrySize: 4096, Entries: []uint64{0x8000, 0x2000}, FBO: 0x100, Length: 6000},
		VA:           0x7f00_0000_0100,
		Key:          0x42,
		RemoteAccess: true,
		Rights:       rnicsim.LocalRead | rnicsim.RemoteRead,
	}
	stag, err := rnic.RegisterMR(pd, region)
	fmt.Printf("key %x, %v\n", stag.Key(), err)

	region.Rights |= rnicsim.RemoteWrite // needs the right to write locally
	_, err = rnic.RegisterMR(pd, region)
	fmt.Println(err)
	// Output:
	// key 42, <nil>
	// rnicsim: invalid Access Rights
}

// A Write to memory that may only be read ends the connection with a Terminate.
func Example_accessRights() {
	client, server := newEnd(), newEnd()
	server.stream.Listen()
	client.stream.Connect(nil)
	exchange(client, server)
	server.qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: server.stream})
	exchange(client, server)
	client.qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: client.stream})

	server.rnic.SetAsyncEventHandler(func(e rnicsim.Event) { fmt.Println("server:", e.Type) })
	readable, _ := server.rnic.RegisterOctets(server.pd, make([]byte, 64), 0, rnicsim.LocalRead|rnicsim.RemoteRead, 1)
	source, _ := client.rnic.RegisterOctets(client.pd, []byte("graffiti"), 0, rnicsim.LocalRead, 1)
	client.qp.PostSQ(rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{{STag: source, Len: 8}}, Remote: readable})
	exchange(client, server)

	a, _ := client.qp.Query()
	var t rdmap.Terminate
	t.Decode(a.Terminate.Header)
	fmt.Println("client:", t.Code)
	// Output:
	// server: Remote Protection Error: access rights
	// client: 1/1/00
}

// Two Streams negotiate MPA: a side that wants Markers gets them, and there is a CRC if either side wants it.
func ExampleStream() {
	initiator := rnicsim.New(rnicsim.Config{}).NewStream(rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true})
	responder := rnicsim.New(rnicsim.Config{}).NewStream(rnicsim.StreamConfig{Rev: mpa.Rev1, Markers: true})
	responder.Listen()
	initiator.Connect([]byte("is it you?"))

	responder.Input(initiator.AppendTransmit(nil, 1460))
	request := responder.Request()
	fmt.Printf("%v: %q\n", responder.Phase(), request.PrivateData)

	responder.Accept([]byte("it is"))
	initiator.Input(responder.AppendTransmit(nil, 1460))
	reply := initiator.Reply()
	fmt.Printf("%v: %q\n", initiator.Phase(), reply.PrivateData)

	a := initiator.Agreement()
	fmt.Println("Markers to the Responder:", a.MarkersFromInit, "to the Initiator:", a.MarkersFromResp, "CRC:", a.CRC)
	// Output:
	// Deciding: "is it you?"
	// Established: "it is"
	// Markers to the Responder: true to the Initiator: false CRC: true
}
