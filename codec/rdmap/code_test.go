package rdmap_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// registry is RFC 6580, section 3, and RFC 6581, section 11.
const registry = `
0/0/00 RDMAP Local Catastrophic Error | RFC 5040, section 4.8
0/1/00 RDMAP Remote Protection Error: Invalid STag | RFC 5040, section 4.8
0/1/01 RDMAP Remote Protection Error: Base or bounds violation | RFC 5040, section 4.8
0/1/02 RDMAP Remote Protection Error: Access rights violation | RFC 5040, section 4.8
0/1/03 RDMAP Remote Protection Error: STag not associated with RDMAP Stream | RFC 5040, section 4.8
0/1/04 RDMAP Remote Protection Error: TO wrap | RFC 5040, section 4.8
0/1/09 RDMAP Remote Protection Error: STag cannot be Invalidated | RFC 5040, section 4.8
0/1/FF RDMAP Remote Protection Error: Unspecified Error | RFC 5040, section 4.8
0/2/05 RDMAP Remote Operation Error: Invalid RDMAP version | RFC 5040, section 4.8
0/2/06 RDMAP Remote Operation Error: Unexpected OpCode | RFC 5040, section 4.8
0/2/07 RDMAP Remote Operation Error: Catastrophic error, localized to RDMAP Stream | RFC 5040, section 4.8
0/2/08 RDMAP Remote Operation Error: Catastrophic error, global | RFC 5040, section 4.8
0/2/09 RDMAP Remote Operation Error: STag cannot be Invalidated | RFC 5040, section 4.8
0/2/FF RDMAP Remote Operation Error: Unspecified Error | RFC 5040, section 4.8
1/0/00 DDP Local Catastrophic Error | RFC 5041, section 7.2
1/1/00 DDP Tagged Buffer Error: Invalid STag | RFC 5041, section 7.2
1/1/01 DDP Tagged Buffer Error: Base or bounds violation | RFC 5041, section 7.2
1/1/02 DDP Tagged Buffer Error: STag not associated with DDP Stream | RFC 5041, section 7.2
1/1/03 DDP Tagged Buffer Error: TO wrap | RFC 5041, section 7.2
1/1/04 DDP Tagged Buffer Error: Invalid DDP version | RFC 5041, section 7.2
1/2/01 DDP Untagged Buffer Error: Invalid QN | RFC 5041, section 7.2
1/2/02 DDP Untagged Buffer Error: Invalid MSN - no buffer available | RFC 5041, section 7.2
1/2/03 DDP Untagged Buffer Error: Invalid MSN - MSN range is not valid | RFC 5041, section 7.2
1/2/04 DDP Untagged Buffer Error: Invalid MO | RFC 5041, section 7.2
1/2/05 DDP Untagged Buffer Error: DDP Message too long for available buffer | RFC 5041, section 7.2
1/2/06 DDP Untagged Buffer Error: Invalid DDP version | RFC 5041, section 7.2
1/3/00 DDP Reserved for use by the LLP | RFC 5041, section 7.2
2/0/01 LLP MPA Error: TCP connection closed, terminated, or lost | RFC 5044, section 8
2/0/02 LLP MPA Error: MPA CRC Error | RFC 5044, section 8
2/0/03 LLP MPA Error: MPA Marker and ULPDU Length field mismatch | RFC 5044, section 8
2/0/04 LLP MPA Error: Invalid MPA Request Frame or MPA Response Frame | RFC 5044, section 8
2/0/05 LLP MPA Error: Local catastrophic error | RFC 6581, section 8
2/0/06 LLP MPA Error: Insufficient IRD resources | RFC 6581, section 8
2/0/07 LLP MPA Error: No matching RTR option | RFC 6581, section 8
`

func TestCodes(t *testing.T) {
	var got []string
	for c := range rdmap.Codes() {
		got = append(got, c.String()+" "+c.Describe()+" | "+c.Source())
	}
	if d := cmp.Diff(strings.Split(strings.TrimSpace(registry), "\n"), got); d != "" {
		t.Errorf("the registry, copied by hand from the RFCs, and etypes (-registry +etypes):\n%s", d)
	}
	for range rdmap.Codes() {
		break // must be possible
	}
}

// TestRegistered goes through all octet pairs.
func TestRegistered(t *testing.T) {
	listed := make(map[string]bool)
	for _, line := range strings.Split(strings.TrimSpace(registry), "\n") {
		listed[line[:6]] = true
	}
	for v := range 1 << 16 {
		c := rdmap.Code{Layer: rdmap.Layer(v >> 12), EType: uint8(v >> 8 & 15), ErrorCode: uint8(v)}
		s := c.String()
		want := listed[s] || strings.HasPrefix(s, "0/0/") || strings.HasPrefix(s, "1/3/")
		if c.Registered() != want {
			t.Errorf("%s: registered %v, but the registry of this test says %v", s, c.Registered(), want)
		}
		if (c.Name() == "unregistered") != !want {
			t.Errorf("%s: name %q", s, c.Name())
		}
		if back, err := rdmap.ParseCode(s); back != c || err != nil {
			t.Fatalf("ParseCode(%s) = %s, %v", s, back, err)
		}
		if back, err := rdmap.ParseCode(strings.ToLower(s)); back != c || err != nil {
			t.Fatalf("ParseCode(%s) = %s, %v", strings.ToLower(s), back, err)
		}
	}
	if (rdmap.Code{Layer: 16}).Registered() || (rdmap.Code{EType: 16}).Registered() {
		t.Error("a value that does not fit its field is registered")
	}
}

func TestDescribe(t *testing.T) {
	for s, want := range map[string]string{
		"0/0/FF": "RDMAP Local Catastrophic Error",
		"0/2/02": "RDMAP Remote Operation Error: unregistered code 02 (RDMAC Verbs: MPA CRC Error)",
		"0/2/03": "RDMAP Remote Operation Error: unregistered code 03 (RDMAC Verbs: MPA Marker and ULPDU Length field mismatch)",
		"0/2/00": "RDMAP Remote Operation Error: unregistered code 00",
		"0/5/1A": "RDMAP EType5: unregistered code 1A",
		"3/1/00": "Layer3 EType1: unregistered code 00",
	} {
		c, err := rdmap.ParseCode(s)
		if got := c.Describe(); got != want || err != nil {
			t.Errorf("%s: %s, %v", s, got, err)
		}
	}
	if c := (rdmap.Code{Layer: 3}); c.Source() != "" {
		t.Errorf("%s has a source: %s", c, c.Source())
	}
}

func TestParseCode(t *testing.T) {
	for _, s := range []string{"", "0/1", "0/1/2", "0/1/002", "10/1/02", "0-1-02", "g/1/02", "0/1/0x"} {
		if c, err := rdmap.ParseCode(s); err == nil {
			t.Errorf("ParseCode(%q) = %s", s, c)
		}
	}
}

func TestLayerNames(t *testing.T) {
	for layer, name := range map[rdmap.Layer]string{0: "RDMAP", 1: "DDP", 2: "LLP", 3: "Layer3", 15: "Layer15"} {
		if layer.String() != name {
			t.Errorf("%d is called %s, want %s", layer, layer, name)
		}
	}
}

// TestCodeFields checks that the values of a Terminate's fields are called by the names of their layer.
func TestCodeFields(t *testing.T) {
	for s, want := range map[string]string{
		"0/1/02": "RDMAP, Remote Protection Error, Access rights violation",
		"1/1/02": "DDP, Tagged Buffer Error, STag not associated with DDP Stream",
		"2/0/06": "LLP, MPA Error, Insufficient IRD resources",
	} {
		c, _ := rdmap.ParseCode(s)
		for prefix, table := range map[string]interface {
			name(field string, v uint64) string
		}{"term_": namer{c.Fields()}, "term_meant_": namer{c.MeantFields()}} {
			got := table.name("iwarp_rdma."+prefix+"layer", uint64(c.Layer)) + ", " +
				table.name("iwarp_rdma."+prefix+"etype", uint64(c.EType)) + ", " +
				table.name("iwarp_rdma."+prefix+"errcode", uint64(c.ErrorCode))
			if got != want {
				t.Errorf("%s: %s, want %s", s, got, want)
			}
		}
	}
	for _, c := range []rdmap.Code{{Layer: 5}, {Layer: 16}, {EType: 16}} {
		if c.Fields() != rdmap.TerminateFields || c.MeantFields() != rdmap.MeantFields {
			t.Errorf("%s has fields of its own", c)
		}
	}
}
