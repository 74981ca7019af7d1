package nfs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/nfs"
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
	for _, p := range nfs.AppendLayout(nil, message, &nfs.MessageContext{Exchange: x}) {
		lines = append(lines, fmt.Sprintf("%d+%d %s", p.Off, len(p.Octets), p.Table.Name))
	}
	return lines
}

func TestLayout(t *testing.T) {
	const rig = "0+24 RPC Call header, 24+32 RPC credential, 32+11 AUTH_SYS credential, 43+1 XDR fill, 44+12 AUTH_SYS identity, 56+8 RPC verifier"
	for name, want := range map[string]string{
		"v4.0 LOCK call":      rig + ", 64+4 NFSv4 tag, 68+8 NFSv4 COMPOUND arguments, 76+28 NFSv4 operation, 104+88 NFSv4 operation",
		"v4.1 CB_RECALL call": rig + ", 64+4 NFSv4 tag, 68+12 NFSv4 CB_COMPOUND arguments, 80+40 NFSv4 callback operation, 120+48 NFSv4 callback operation",
		"call with integrity": "0+24 RPC Call header, 24+32 RPC credential, 32+24 RPCSEC_GSS credential, 56+12 RPC verifier, " +
			"68+8 RPCSEC_GSS integrity data, 76+4 NFSv4 tag, 80+8 NFSv4 COMPOUND arguments, 88+12 NFSv4 operation",
		"v4.0 LOOKUP reply":        "0+12 RPC Reply header, 12+8 RPC verifier, 20+4 RPC accepted Reply, 24+4 NFSv4 COMPOUND results, 28+4 NFSv4 tag, 32+4 NFSv4 results, 36+8 NFSv4 result, 44+8 NFSv4 result",
		"v4.1 CB_RECALL_ANY reply": "0+12 RPC Reply header, 12+8 RPC verifier, 20+4 RPC accepted Reply, 24+4 NFSv4 COMPOUND results, 28+4 NFSv4 tag, 32+4 NFSv4 results, 36+40 NFSv4 callback result, 76+8 NFSv4 callback result",
	} {
		b := message(t, name)
		x := exchangeOf(name, b)
		c := &nfs.MessageContext{Exchange: x}
		if got := strings.Join(layout(b, x), ", "); got != want {
			t.Errorf("%s: (-want +got)\n%s", name, cmp.Diff(strings.Split(want, ", "), strings.Split(got, ", ")))
		}
		parts := make([]field.Part, 0, oncrpc.MaxParts+32)
		if allocs := testing.AllocsPerRun(100, func() { nfs.AppendLayout(parts, b, c) }); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}

// TestLayoutCut checks that every cut leaves the parts before it as they were, and what is there of the one it is in.
func TestLayoutCut(t *testing.T) {
	for name, message := range messages(t) {
		x := exchangeOf(name, message)
		whole := nfs.AppendLayout(nil, message, &nfs.MessageContext{Exchange: x})
		for cut := range len(message) {
			for i, p := range nfs.AppendLayout(nil, message[:cut:cut], &nfs.MessageContext{Exchange: x}) {
				if p.Off >= cut || p.End() > cut {
					t.Errorf("%s cut at %d: %s reaches to %d", name, cut, p.Table.Name, p.End())
				}
				if cut >= 8 && (i >= len(whole) || p.Table != whole[i].Table || p.Off != whole[i].Off) {
					t.Errorf("%s cut at %d: %s at %d", name, cut, p.Table.Name, p.Off)
				}
			}
		}
	}
}

// TestLayoutCovers checks that the fields cover every octet of a header once.
func TestLayoutCovers(t *testing.T) {
	for name, message := range messages(t) {
		bits := make([]int, 8*len(message))
		end := 0
		for _, p := range nfs.AppendLayout(nil, message, &nfs.MessageContext{Exchange: exchangeOf(name, message)}) {
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
	}
}

// TestLayoutValues reads values through the layout.
func TestLayoutValues(t *testing.T) {
	for _, tc := range []struct{ message, field, want, name string }{
		{"v4.1 CB_RECALL call", "rpc.procedure", "1", "CB_COMPOUND"},
		{"v4.1 CB_RECALL call", "rpc.program", "1073741824", "NFSCB"},
		{"v4.1 CB_RECALL call", "nfs.callback.ident", "0x00000000", ""},
		{"v4.1 CB_RECALL call", "nfs.cb.operation", "11", "CB_SEQUENCE"},
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
		for _, p := range nfs.AppendLayout(nil, b, &nfs.MessageContext{Exchange: exchangeOf(tc.message, b)}) {
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

// TestTables checks that every field has a name in the style of its protocol, and that a name means one thing.
func TestTables(t *testing.T) {
	labels := make(map[string]string)
	for _, table := range slices.Concat(oncrpc.Tables, nfs.Tables) {
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
