package dissect

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// xdr appends words, each of 4 octets, and what is padded to a multiple of that.
func xdr(b []byte, words ...any) []byte {
	for _, w := range words {
		switch w := w.(type) {
		case int:
			b = binary.BigEndian.AppendUint32(b, uint32(w))
		case string:
			b = append(binary.BigEndian.AppendUint32(b, uint32(len(w))), w...)
			b = append(b, make([]byte, -len(w)&3)...)
		}
	}
	return b
}

// TestMounts has the Calls of a client, each with what the server answers, and what remains refused.
func TestMounts(t *testing.T) {
	const mount, bind, udp = int(oncrpc.ProgramMOUNT), int(oncrpc.ProgramRPCBind), 17
	client, server := netip.MustParseAddrPort("10.0.0.1:700"), netip.MustParseAddrPort("10.0.0.2:20048")
	accepted := func(words ...any) []any { return append([]any{1, 0, 0, 0, 0}, words...) }
	call := func(program, version, procedure int, args ...any) []any {
		return append([]any{0, 2, program, version, procedure, 0, 0, 0, 0}, args...)
	}
	mnt, port := func(path string) []any { return call(mount, 3, procMNT, path) }, call(bind, 2, procGETPORT, mount, 3, udp, 0)
	type exchange struct{ call, reply []any }
	denied, granted := exchange{mnt("/srv"), accepted(13)}, exchange{mnt("/srv"), accepted(0, "handle", 1, 1)}
	unknown, known := exchange{port, accepted(0)}, exchange{port, accepted(20048)}
	for what, tc := range map[string]struct {
		exchanges []exchange
		want      []flow.Mount
	}{
		"denied":             {[]exchange{known, denied}, []flow.Mount{{Path: "/srv", Status: 13}}},
		"twice":              {[]exchange{denied, denied}, []flow.Mount{{Path: "/srv", Status: 13}}},
		"granted":            {[]exchange{known, granted}, nil},
		"granted later":      {[]exchange{denied, granted}, nil},
		"another is granted": {[]exchange{denied, {mnt("/other"), accepted(0, "handle", 1, 1)}}, nil},
		"another is denied":  {[]exchange{denied, {mnt("/other"), accepted(2)}}, []flow.Mount{{Path: "/srv", Status: 13}, {Path: "/other", Status: 2}}},
		"denied afterwards":  {[]exchange{granted, {mnt("/other"), accepted(13)}}, []flow.Mount{{Path: "/other", Status: 13}}},
		"no port":            {[]exchange{unknown, unknown}, []flow.Mount{{Unregistered: true}}},
		"no port any more":   {[]exchange{known, granted, unknown}, nil},
		"a port later":       {[]exchange{unknown, known, granted}, nil},
		"no address":         {[]exchange{{call(bind, 4, procGETPORT, mount, 3, "udp", "", ""), accepted("")}}, []flow.Mount{{Unregistered: true}}},
		"an old rpcbind":     {[]exchange{{call(bind, 4, procGETPORT, mount, 3, "udp", "", ""), []any{1, 0, 0, 0, 2, 2, 2}}}, nil},
		"no such version":    {[]exchange{{mnt("/srv"), []any{1, 0, 0, 0, 2, 1, 2}}}, []flow.Mount{{Path: "/srv", Error: "PROG_MISMATCH"}}},
		"a port of NFS":      {[]exchange{{call(bind, 2, procGETPORT, int(oncrpc.ProgramNFS), 3, udp, 0), accepted(0)}}, nil},
		"a cut path":         {[]exchange{{call(mount, 3, procMNT, 100), accepted(13)}}, []flow.Mount{{Status: 13}}},
		"no answer":          {[]exchange{{mnt("/srv"), nil}}, nil},
	} {
		var m mounts
		for i, x := range tc.exchanges {
			m.message(client, server, xdr(xdr(nil, i), x.call...), flow.At(uint64(2*i+1), 0), true)
			if x.reply != nil {
				m.message(server, client, xdr(xdr(nil, i), x.reply...), flow.At(uint64(2*i+2), 0), true)
			}
		}
		if len(m.refused) != len(tc.want) {
			t.Errorf("%s: %+v", what, m.refused)
			continue
		}
		for i, got := range m.refused {
			if want := tc.want[i]; got.Path != want.Path || got.Status != want.Status || got.Error != want.Error || got.Unregistered != want.Unregistered {
				t.Errorf("%s: %+v", what, got)
			}
		}
	}
}

// TestMountsKept asks more often than is kept, without an answer.
func TestMountsKept(t *testing.T) {
	var m mounts
	for i := range 10 * maxMounts {
		at := netip.AddrPortFrom(netip.MustParseAddr("10.0.0.1"), uint16(i))
		m.message(at, netip.MustParseAddrPort("10.0.0.2:20048"), xdr(nil, i, 0, 2, int(oncrpc.ProgramMOUNT), 3, procMNT, 0, 0, 0, 0, "/srv"), flow.At(1, 0), true)
	}
	if len(m.calls) != maxMounts {
		t.Errorf("%d Calls", len(m.calls))
	}
}

// TestMountsOfLaterConnections has an Engine whose first connection is not the first of all: that alone is no connection.
func TestMountsOfLaterConnections(t *testing.T) {
	ends := 0
	e := NewEngine(record.SinkFunc(func(r *record.Record) { ends++ }), Options{First: 7})
	e.mounts.refused = []flow.Mount{{Unregistered: true}}
	if e.Close(); ends != 1 {
		t.Errorf("%d ends", ends)
	}
}

// TestNoMounts asks for the ends of connections, which says nothing of MOUNTs, and for no MOUNTs.
func TestNoMounts(t *testing.T) {
	ending := func(_ Life, end func()) { end() }
	if NewEngine(nil, Options{Ending: ending}).mounts == nil || NewEngine(nil, Options{NoMounts: true}).mounts != nil {
		t.Error("not as the options say")
	}
}
