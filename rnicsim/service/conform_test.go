package service_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// pattern returns the octets of readonly and volatile.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i % 251)
	}
	return b
}

func TestConformRegions(t *testing.T) {
	r := run(t, "conform", service.Options{})
	c := dialConform(t, r)
	for i, want := range []uint32{65536, 4096, 4096, 4096, 4096, 4096, 4096, 65536, 4096} {
		a := c.regions[i]
		if a.Length != want || (a.STag == 0) != (want == 0) || (a.TO == 0) != (want == 0) || a.TO%8 != 0 {
			t.Errorf("%v is %+v", service.ConformRegion(i), a)
		}
	}
	for _, region := range []service.ConformRegion{service.ConformReadonly, service.ConformVolatile} {
		if !bytes.Equal(c.read(region, 0, 4096), pattern(4096)) {
			t.Errorf("%v has other octets", region)
		}
	}
	if got := c.read(service.ConformData, 65536-4096, 4096); !bytes.Equal(got, make([]byte, 4096)) {
		t.Error("data is not zero")
	}
	c.fill(service.ConformData, 65530, []byte("behind"))
	if got := c.read(service.ConformData, 65530, 6); string(got) != "behind" {
		t.Errorf("data has %q", got)
	}
	c.fill(service.ConformWriteonly, 4000, []byte("unseen"))
	c.fill(service.ConformVolatile, 0, []byte("seen"))
	if got := c.read(service.ConformVolatile, 0, 5); string(got) != "seen\x04" {
		t.Errorf("volatile has %q", got)
	}
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

// An access without the rights is answered by the Terminate of RFC 5040, section 7, or RFC 5041, section 7.
func TestConformRights(t *testing.T) {
	r := run(t, "conform", service.Options{})
	for _, test := range []struct {
		region      service.ConformRegion
		write, read string // codes of the Terminate; "" if it may be done
	}{
		{service.ConformData, "", ""},
		{service.ConformReadonly, "1/1/00", ""},
		{service.ConformWriteonly, "", "0/1/02"},
		{service.ConformLocal, "1/1/00", "0/1/02"},
		{service.ConformForeign, "1/1/02", "0/1/03"},
		{service.ConformRevoked, "1/1/00", "0/1/00"},
		{service.ConformVolatile, "", ""},
	} {
		for op, want := range map[rnicsim.Op]string{rnicsim.OpWrite: test.write, rnicsim.OpRead: test.read} {
			if want == "" {
				continue
			}
			c := dialConform(t, r)
			a := c.regions[test.region]
			c.post(rnicsim.WorkRequest{Op: op, SGL: c.sgl(0, 1), Local: c.sgl(0, 1)[0], Remote: a.STag, RemoteTO: a.TO})
			if got := c.terminated(); got.Code.String() != want {
				t.Errorf("%v of %v: %v, want %s", op, test.region, got.Code, want)
			}
		}
	}
}

func TestConformEcho(t *testing.T) {
	r := run(t, "conform", service.Options{})
	c := dialConform(t, r)
	for _, message := range []string{"\x01\x00\x00\x00", "\x01\xff\xff\xffwhatever stands here"} {
		c.send([]byte(message))
		if got := c.receive(); string(got) != message {
			t.Errorf("%q came back as %q", message, got)
		}
	}
	c.send(nil)
	c.send([]byte{0x21, 1, 1})                      // too short to be anything
	c.send([]byte{0x00, 0xff, 0, 0, 1, 2, 3})       // quiet
	c.send([]byte{0x0f, 0x01, 0, 0, 1, 2, 3})       // there is no such command, and none that answers
	c.send([]byte{0x99, 0x00, 0, 0})                // nor this, and it does not ask for an answer
	c.send([]byte{0x10, 0x00, 0, 0, 0, 0, 0, 0})    // too short, likewise
	c.send([]byte{0x99, 0x01, 0, 0, 0, 0, 0, 0})    // this does
	c.send([]byte{0x10, 0x01, 0, 0, 0, 0, 0, 0})    // so does this
	c.send([]byte{0x23, 0x01, 0, 9, 0, 0, 0, 0})    // and this: nothing to revoke
	c.send([]byte("\x01\x00\x00\x00 after all is")) // and still it works
	for _, want := range []string{
		"\x99\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00",
		"\x10\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00",
		"\x23\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00",
		"\x01\x00\x00\x00 after all is",
	} {
		if got := c.receive(); string(got) != want {
			t.Errorf("%q came, want %q", got, want)
		}
	}
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

func TestConformReports(t *testing.T) {
	r := run(t, "conform", service.Options{})
	c := dialConform(t, r)
	if got := c.report(); got != (service.ConformReport{}) {
		t.Errorf("at first %+v", got)
	}
	// CRC32c of "123456789", and of four octets 00, are in every book.
	digits := []byte("123456789") // no command: its first octet is 0x31
	want := service.ConformReport{Messages: 2, Length: 9, CRC: 0xe3069283}
	c.send(digits)
	if got := c.report(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	c.sendAs(rnicsim.OpSendSE, 0, digits)
	want.Messages, want.Flags = 4, service.ConformHadSolicited
	if got := c.report(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	volatile := c.regions[service.ConformVolatile].STag
	c.sendAs(rnicsim.OpSendInvalidate, volatile, digits)
	want.Messages, want.Flags, want.STag = 6, service.ConformHadInvalidated, volatile
	if got := c.report(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	c.post(rnicsim.WorkRequest{Op: rnicsim.OpImmediateSE, Data: 0})
	want = service.ConformReport{
		Messages: 8, Length: 8, Flags: service.ConformHadSolicited | service.ConformHadImmediate, CRC: 0x8c28b28a,
	}
	if got := c.report(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

// The peer can invalidate only the region volatile.
func TestConformInvalidation(t *testing.T) {
	r := run(t, "conform", service.Options{})
	for region, want := range map[service.ConformRegion]string{
		service.ConformData: "0/2/09", service.ConformRevoked: "0/2/09",
		service.ConformLocal: "0/1/09", service.ConformForeign: "0/1/09",
	} {
		c := dialConform(t, r)
		c.post(rnicsim.WorkRequest{Op: rnicsim.OpSendInvalidate, STag: c.regions[region].STag})
		if got := c.terminated(); got.Code.String() != want {
			t.Errorf("invalidating %v: %v, want %s", region, got.Code, want)
		}
	}
	c := dialConform(t, r)
	a := c.regions[service.ConformVolatile]
	c.sendAs(rnicsim.OpSendSEInvalidate, a.STag, nil)
	c.report()
	c.post(rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: c.sgl(0, 1), Remote: a.STag, RemoteTO: a.TO})
	if got := c.terminated(); got.Code.String() != "1/1/00" {
		t.Errorf("a Write to what was invalidated: %v", got.Code)
	}
}

func TestConformWrites(t *testing.T) {
	r := run(t, "conform", service.Options{})
	c := dialConform(t, r)
	c.fill(service.ConformData, 100, []byte("abcde"))
	c.memory[testerMemory+15] = 'x'
	c.answered(c.there(service.DoWrite, 3, 5, 100), service.ConformDone)
	if got := c.memory[testerMemory:][:16]; string(got) != "abcdeabcdeabcdex" {
		t.Errorf("written was %q", got)
	}
	command := c.there(service.DoWrite, 0, 2, 103)
	c.ask(command) // without an answer
	c.report()
	if got := c.memory[testerMemory:][:4]; string(got) != "decd" {
		t.Errorf("written was %q", got)
	}
	none := c.there(service.DoWrite, 65535, 0, 65536) // as many as can be asked for, of no octets
	c.answered(none, service.ConformDone)
	none.STag, none.TO = 0, 1<<64-1
	c.answered(none, service.ConformDone)
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

func TestConformReads(t *testing.T) {
	r := run(t, "conform", service.Options{})
	c := dialConform(t, r)
	copy(c.memory[testerMemory:], "0123456789")
	c.answered(c.there(service.DoRead, 5, 2, 1000), service.ConformDone)
	if got := c.read(service.ConformData, 999, 12); string(got) != "\x000123456789\x00" {
		t.Errorf("data has %q", got)
	}
	copy(c.memory[testerMemory:], pattern(20000))
	c.answered(c.there(service.DoRead, 1, 20000, 45536), service.ConformDone)
	if got := c.read(service.ConformData, 45536, 20000); !bytes.Equal(got, pattern(20000)) {
		t.Error("a long Read brought other octets")
	}
	c.answered(c.there(service.DoRead, 2, 0, 65536), service.ConformDone)
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

func TestConformAtomics(t *testing.T) {
	r := run(t, "conform", service.Options{})
	c := dialConform(t, r)
	number := c.memory[testerMemory:][:8]
	binary.LittleEndian.PutUint64(number, 0x0102030405060708) // as an RNIC in this host has it
	add := c.there(service.DoFetchAdd, 0, 0, 24)
	add.Operands = [4]uint64{0x10, 0}
	if got := c.answered(add, service.ConformDone); got != 0x0102030405060708 {
		t.Errorf("FetchAdd found %x", got)
	}
	if got := c.read(service.ConformData, 23, 10); !bytes.Equal(got, []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 0}) {
		t.Errorf("data has % x", got)
	}
	swap := c.there(service.DoCmpSwap, 0, 0, 65528)
	swap.Operands = [4]uint64{0xaabb, 0x00ff, 0x0718, 0xffff}
	if got := c.answered(swap, service.ConformDone); got != 0x0102030405060718 {
		t.Errorf("CmpSwap found %x", got)
	}
	if got := binary.LittleEndian.Uint64(number); got != 0x01020304050607bb {
		t.Errorf("CmpSwap has left %x", got)
	}
	// The other way round: Atomics on data.
	a := c.regions[service.ConformData]
	c.post(rnicsim.WorkRequest{Op: rnicsim.OpFetchAdd, Local: c.sgl(0, 8)[0], Remote: a.STag, RemoteTO: a.TO + 8, Data: 7})
	c.wait(rnicsim.OpFetchAdd, 1)
	if got := c.read(service.ConformData, 8, 8); binary.LittleEndian.Uint64(got) != 7 {
		t.Errorf("data has % x", got)
	}
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}

func TestConformSends(t *testing.T) {
	r := run(t, "conform", service.Options{})
	c := dialConform(t, r)
	own, _, err := c.Register(make([]byte, 8), rnicsim.LocalRead|rnicsim.RemoteRead)
	if err != nil {
		t.Fatal(err)
	}
	c.fill(service.ConformData, 7, []byte("message"))
	for _, test := range []struct {
		flags                  uint8
		count                  uint16
		solicited, invalidates bool
	}{{0, 3, false, false}, {service.FlagSolicited, 1, true, false}, {6, 1, true, true}} {
		c.ask(service.ConformCommand{Code: service.DoSend, Flags: test.flags, Count: test.count, Length: 7, Offset: 7, STag: own})
		for range test.count {
			d := c.wait(rnicsim.OpReceive, 1)[0]
			got := string(c.memory[64*d.WRID:][:d.Length])
			if d.Solicited != test.solicited || d.Invalidated != test.invalidates || got != "message" {
				t.Errorf("flags %d: %+v", test.flags, d)
			}
		}
	}
	c.ask(service.ConformCommand{Code: service.DoImmediate, Operands: [4]uint64{0x0102030405060708}})
	c.ask(service.ConformCommand{Code: service.DoImmediate, Flags: service.FlagSolicited, Operands: [4]uint64{9}})
	for i, want := range []uint64{0x0102030405060708, 9} {
		if d := c.wait(rnicsim.OpReceive, 1)[0]; !d.Immediate || d.Data != want || d.Solicited != (i == 1) {
			t.Errorf("Immediate Data came as %+v", d)
		}
	}
	if err := c.finish(r); err != nil {
		t.Error(err)
	}
}
