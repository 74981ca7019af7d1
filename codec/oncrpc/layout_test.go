package oncrpc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

// exchangeOf is what the Call of a message says: the message itself, or for the Replies here one to COMPOUND or, if
// the name says so, CB_COMPOUND.
func exchangeOf(name string, message []byte) oncrpc.Exchange {
	if oncrpc.IsCall(message) {
		var h oncrpc.Call
		h.Decode(message)
		return h.Exchange()
	}
	if strings.Contains(name, "CB_") {
		return oncrpc.Exchange{Procedure: oncrpc.Procedure{Program: oncrpc.ProgramNFSCB, Version: 1, Number: 1}}
	}
	return oncrpc.Exchange{Procedure: oncrpc.Procedure{Program: oncrpc.ProgramNFS, Version: 4, Number: 1}}
}

// layout writes the parts of a message as "offset+length table".
func layout(message []byte, x oncrpc.Exchange) (lines []string) {
	for _, p := range oncrpc.AppendLayout(nil, message, &oncrpc.MessageContext{Exchange: x}) {
		lines = append(lines, fmt.Sprintf("%d+%d %s", p.Off, len(p.Octets), p.Table.Name))
	}
	return lines
}

func TestLayout(t *testing.T) {
	const rig = "0+24 RPC Call header, 24+32 RPC credential, 32+11 AUTH_SYS credential, 43+1 XDR fill, 44+12 AUTH_SYS identity, 56+8 RPC verifier"
	for name, want := range map[string]string{
		"v3 NULL call":          "0+24 RPC Call header, 24+8 RPC credential, 32+8 RPC verifier",
		"v3 READ call":          rig,
		"v4.0 LOCK call":        rig + ", 64+4 NFSv4 tag, 68+8 NFSv4 COMPOUND arguments, 76+28 NFSv4 operation, 104+88 NFSv4 operation",
		"v4.1 CB_RECALL call":   rig + ", 64+4 NFSv4 tag, 68+12 NFSv4 CB_COMPOUND arguments, 80+40 NFSv4 callback operation, 120+48 NFSv4 callback operation",
		"call with odd auth":    "0+24 RPC Call header, 24+13 RPC credential, 37+3 XDR fill, 40+10 RPC verifier, 50+2 XDR fill",
		"call with GSS context": "0+24 RPC Call header, 24+28 RPC credential, 32+20 RPCSEC_GSS credential, 52+8 RPC verifier",
		"call with integrity": "0+24 RPC Call header, 24+32 RPC credential, 32+24 RPCSEC_GSS credential, 56+12 RPC verifier, " +
			"68+8 RPCSEC_GSS integrity data, 76+4 NFSv4 tag, 80+8 NFSv4 COMPOUND arguments, 88+12 NFSv4 operation",
		"call with privacy": "0+24 RPC Call header, 24+32 RPC credential, 32+24 RPCSEC_GSS credential, 56+12 RPC verifier, 68+12 RPCSEC_GSS privacy data",

		"v4.0 LOOKUP reply":        "0+12 RPC Reply header, 12+8 RPC verifier, 20+4 RPC accepted Reply, 24+4 NFSv4 COMPOUND results, 28+4 NFSv4 tag, 32+4 NFSv4 results, 36+8 NFSv4 result, 44+8 NFSv4 result",
		"v4.1 CB_RECALL_ANY reply": "0+12 RPC Reply header, 12+8 RPC verifier, 20+4 RPC accepted Reply, 24+4 NFSv4 COMPOUND results, 28+4 NFSv4 tag, 32+4 NFSv4 results, 36+40 NFSv4 callback result, 76+8 NFSv4 callback result",
		"short verifier":           "0+12 RPC Reply header, 12+11 RPC verifier, 23+1 XDR fill, 24+4 RPC accepted Reply",
		"SYSTEM_ERR":               "0+12 RPC Reply header, 12+8 RPC verifier, 20+4 RPC accepted Reply",
		"PROG_MISMATCH":            "0+12 RPC Reply header, 12+8 RPC verifier, 20+4 RPC accepted Reply, 24+8 RPC program mismatch",
		"RPC_MISMATCH":             "0+12 RPC Reply header, 12+4 RPC denied Reply, 16+8 RPC version mismatch",
		"AUTH_TOOWEAK":             "0+12 RPC Reply header, 12+4 RPC denied Reply, 16+4 RPC authentication error",
	} {
		b := message(t, name)
		x := exchangeOf(name, b)
		c := &oncrpc.MessageContext{Exchange: x}
		if got := strings.Join(layout(b, x), ", "); got != want {
			t.Errorf("%s: (-want +got)\n%s", name, cmp.Diff(strings.Split(want, ", "), strings.Split(got, ", ")))
		}
		parts := make([]field.Part, 0, oncrpc.MaxParts+32)
		if allocs := testing.AllocsPerRun(100, func() { oncrpc.AppendLayout(parts, b, c) }); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
	for wire, want := range map[string]string{
		"":                           "",
		"00000001 00":                "0+5 RPC Call header",
		"00000001 00000002 00000000": "0+12 RPC Call header",
		"00000001 00000002 00000002 000186a3 00000003 00000000 00000000 00000000": "0+24 RPC Call header",
		"00000001 00000001 00000002 00000000":                                     "0+12 RPC Reply header",
		"00000001 00000001 00000001 00000002 00000000":                            "0+12 RPC Reply header, 12+4 RPC denied Reply",
		// a credential of AUTH_SYS with octets behind its gids
		"00000001 00000000 00000002 000186a3 00000003 00000000 00000001 0000001a 00000000 00000000 00000000 00000000 00000000 aabbccddeeff 0000": "0+24 RPC Call header, 24+34 RPC credential, 32+8 AUTH_SYS credential, 40+12 AUTH_SYS identity, 52+6 RPC credential trailing octets, 58+2 XDR fill",
		// a credential of RPCSEC_GSS of version 9
		"00000001 00000000 00000002 000186a3 00000003 00000000 00000006 00000008 00000009 00000000": "0+24 RPC Call header, 24+16 RPC credential, 32+8 RPCSEC_GSS credential",
	} {
		b := octets(t, wire)
		if got := strings.Join(layout(b, exchangeOf("", b)), ", "); got != want {
			t.Errorf("%s: (-want +got)\n%s", wire, cmp.Diff(strings.Split(want, ", "), strings.Split(got, ", ")))
		}
	}
}

// TestLayoutCut looks that every cut leaves the parts before it as they were, and what is there of the one it is in.
func TestLayoutCut(t *testing.T) {
	everyMessage(t, func(name string, message []byte) {
		x := exchangeOf(name, message)
		whole := oncrpc.AppendLayout(nil, message, &oncrpc.MessageContext{Exchange: x})
		for cut := range len(message) {
			for i, p := range oncrpc.AppendLayout(nil, message[:cut:cut], &oncrpc.MessageContext{Exchange: x}) {
				if p.Off >= cut || p.End() > cut {
					t.Errorf("%s cut at %d: %s reaches to %d", name, cut, p.Table.Name, p.End())
				}
				if cut >= 8 && (i >= len(whole) || p.Table != whole[i].Table || p.Off != whole[i].Off) {
					t.Errorf("%s cut at %d: %s at %d", name, cut, p.Table.Name, p.Off)
				}
			}
		}
	})
}

// TestLayoutCovers looks that the fields cover every octet of a header once.
func TestLayoutCovers(t *testing.T) {
	everyMessage(t, func(name string, message []byte) {
		bits := make([]int, 8*len(message))
		end := 0
		for _, p := range oncrpc.AppendLayout(nil, message, &oncrpc.MessageContext{Exchange: exchangeOf(name, message)}) {
			for f := range p.Fields() {
				width := f.Width
				if width == 0 {
					width = 8*len(p.Octets) - f.Off
				}
				for bit := range width {
					bits[8*p.Off+f.Off+bit]++
				}
			}
			end = max(end, p.Off+len(p.Octets))
		}
		for i, n := range bits[:8*end] {
			if n != 1 {
				t.Errorf("%s: bit %d is in %d fields", name, i, n)
				break
			}
		}
	})
}

// TestLayoutValues reads values through the layout.
func TestLayoutValues(t *testing.T) {
	for _, tc := range []struct{ message, field, want, name string }{
		{"v4.1 CB_RECALL call", "rpc.procedure", "1", "CB_COMPOUND"},
		{"v4.1 CB_RECALL call", "rpc.program", "1073741824", "NFSCB"},
		{"v4.1 CB_RECALL call", "nfs.callback.ident", "0x00000000", ""},
		{"v3 READ call", "rpc.procedure", "6", "READ"},
		{"v3 READ call", "rpc.auth.flavor", "1", "AUTH_SYS"},
		{"v3 READ call", "rpc.auth.machinename", "726967", ""},
		{"v3 READ call", "rpc.auth.uid", "0", ""},
		{"call with integrity", "rpc.authgss.service", "2", "rpc_gss_svc_integrity"},
		{"call with integrity", "nfs.ops.count", "1", ""},
		{"v4.0 LOOKUP reply", "nfs.nfsstat4", "2", "NFS4ERR_NOENT"},
		{"v4.0 LOOKUP reply", "nfs.opcode", "22", "PUTFH"},
		{"AUTH_TOOWEAK", "rpc.state_auth", "5", "AUTH_TOOWEAK"},
	} {
		b := message(t, tc.message)
		found := false
		for _, p := range oncrpc.AppendLayout(nil, b, &oncrpc.MessageContext{Exchange: exchangeOf(tc.message, b)}) {
			f := p.Table.Lookup(tc.field)
			if f == nil || found {
				continue
			}
			found = true
			if got := string(p.AppendValue(nil, f)); got != tc.want {
				t.Errorf("%s: %s = %s, want %s", tc.message, tc.field, got, tc.want)
			}
			if v, _ := f.Get(p.Octets); tc.name != "" && f.Names(v) != tc.name {
				t.Errorf("%s: %s is called %s, want %s", tc.message, tc.field, f.Names(v), tc.name)
			}
		}
		if !found {
			t.Errorf("%s has no field %s", tc.message, tc.field)
		}
	}
}

// TestOperationPart reads an operation through its field table.
func TestOperationPart(t *testing.T) {
	b := message(t, "v4.1 CB_RECALL call")
	var ops oncrpc.Operations
	compound(t, &ops, b)
	ops.Next()
	ops.Next()
	p := ops.Part()
	var got []string
	for f := range p.Fields() {
		got = append(got, f.Name+" "+string(p.AppendValue(nil, f)))
		if len(got) == 2 {
			break
		}
	}
	want := []string{"nfs.cb.operation 4", "nfs.cb.arguments 00000001054d016b873e9df79b00000000000000000000140100010100000000" + "23172349cb00000000000000"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	compound(t, &ops, message(t, "v4.0 LOCK call"))
	ops.Next()
	if p := ops.Part(); p.Table != oncrpc.OperationFields || len(p.Octets) != 28 {
		t.Errorf("%+v", p)
	}
	for f := range p.Fields() {
		if f.Name != "nfs.cb.operation" {
			t.Errorf("%s", f.Name)
		}
		break
	}
}

// TestTables looks that every field has a name in the style of its protocol, and that a name means one thing.
func TestTables(t *testing.T) {
	labels := make(map[string]string)
	for _, table := range oncrpc.Tables {
		if table.Name == "" || table.Source == "" {
			t.Errorf("table %+v", table)
		}
		for _, f := range table.Fields {
			if !strings.HasPrefix(f.Name, table.Proto+".") || f.Label == "" || f.Off%32 != 0 || f.Width%32 != 0 {
				t.Errorf("%s: %+v", table.Name, f)
			}
			if (f.Width == 0) != (f.Base == field.Octets) {
				t.Errorf("%s: %+v", table.Name, f)
			}
			if _, ok := labels[f.Name]; !ok {
				labels[f.Name] = f.Label
			}
		}
	}
	for _, name := range strings.Fields(`rpc.xid rpc.msgtyp rpc.version rpc.program rpc.programversion rpc.procedure rpc.auth.flavor rpc.auth.length
		rpc.auth.stamp rpc.auth.machinename rpc.auth.uid rpc.auth.gid rpc.replystat rpc.state_accept rpc.state_reject rpc.state_auth
		rpc.version.min rpc.version.max rpc.programversion.min rpc.programversion.max rpc.fill_bytes rpc.authgss.version rpc.authgss.procedure
		rpc.authgss.seqnum rpc.authgss.service rpc.authgss.context.length rpc.authgss.context rpc.authgss.data.length rpc.authgss.data
		nfs.tag nfs.minorversion nfs.ops.count nfs.callback.ident nfs.nfsstat4 nfs.opcode nfs.cb.operation`) {
		if _, ok := labels[name]; !ok {
			t.Errorf("there is no field %s", name)
		}
		delete(labels, name)
	}
	for _, name := range strings.Fields(`rpc.auth.body rpc.auth.machinename.length rpc.auth.gids.count rpc.auth.gids rpc.auth.trailing
		nfs.tag.length nfs.arguments nfs.cb.arguments nfs.results nfs.cb.results`) { // these are not Wireshark's
		delete(labels, name)
	}
	for name := range labels {
		t.Errorf("unexpected field %s", name)
	}
}
