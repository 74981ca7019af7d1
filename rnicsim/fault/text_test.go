package fault

// Faults: how they are written, and to which messages they apply.

import (
	"errors"
	"strings"
	"testing"
)

// Parse reads what String writes.
func TestParse(t *testing.T) {
	for _, s := range []string{
		"drop", "drop:Write:3", "crc:Send:2+", "set=iwarp_ddp.msn=7:SendSE", "set=iwarp_ddp.msn+1:Send:/3", "set=iwarp_mpa.rev^3:MPAReply:1", "corrupt:Write", "shorten=10:Send", "flip-header", "flip-payload:ReadResponse:5%",
		"duplicate:any:0.5%/42", "delay=50ms:Terminate", "truncate:Send:1", "reset:Write", "fin:AtomicRequest", "garbage=5",
		"silence:MPAReply", "slow=100:MPARequest", "split=3:any:7+", "drop:Opcode14",
	} {
		f, err := Parse(s)
		if err != nil || f.String() != s {
			t.Errorf("%q: %q, %v", s, f, err)
		}
	}
	for s, want := range map[string]string{"delay": "delay=1s", "garbage": "garbage=64", "slow": "slow=1000", "split": "split=1", "drop:any": "drop", "drop:Write:once": "drop:Write:1"} {
		if f, err := Parse(s); err != nil || f.String() != want {
			t.Errorf("%q: %q, %v", s, f, err)
		}
	}
}

// Errors say what is wrong and what would be right.
func TestParseErrors(t *testing.T) {
	for s, want := range map[string]string{
		"":                             "unknown action; want one of drop, crc, set=FIELD=VALUE",
		"drip":                         "unknown action",
		"drop=1":                       "drop has no value",
		"drop:Wrote":                   "unknown message; want one of any, MPARequest, MPAReply, Write, ReadRequest",
		"drop:Sned":                    "did you mean Send?",
		"dorp":                         "did you mean drop?",
		"drop:Write:0":                 `"0" is not an occasion`,
		"drop:Write:x":                 "want 3, 3+, /3, 5% or 5%/42",
		"drop:Write:101%":              "more than 0%, at most 100%",
		"drop:Write:NaN%":              "more than 0%, at most 100%",
		"drop:Write:5%/x":              `"x" is not a seed`,
		"set":                          "set needs a value: set=FIELD=VALUE",
		"set=iwarp_ddp.msn":            "want FIELD=VALUE, FIELD+VALUE or FIELD^VALUE",
		"set=iwarp_ddp.msnn=1":         "no field iwarp_ddp.msnn in a FPDU",
		"set=iwarp_ddp.msn=-1":         "want a number in iwarp_ddp.msn",
		"set=iwarp_ddp.msn=1:MPAReply": "no field iwarp_ddp.msn in a MPAReply",
		"crc:MPARequest":               "crc does not apply to MPA frames",
		"delay=50":                     "want one like 50ms",
		"split=0":                      "want 1 to",
	} {
		_, err := Parse(s)
		if !errors.Is(err, ErrFault) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

// Every action can be listed, with a sentence of its own.
func TestTexts(t *testing.T) {
	seen := map[string]bool{}
	for i, x := range Texts() {
		if x.Action != Action(i) || x.Text == "" || seen[x.Text] || !strings.HasPrefix(x.Form, x.Action.String()) {
			t.Errorf("%d: %+v", i, x)
		}
		seen[x.Text] = true
	}
}

// The same seed selects the same messages, and about as many as were asked for.
func TestChance(t *testing.T) {
	strikes := func(seed uint64) (s string) {
		h := NewHazard(Fault{Action: Drop, Occasion: Occasion{Share: 0.25, Seed: seed}})
		for range 1000 {
			if h.Strikes(OfOpcode(0)) {
				s += "x"
			} else {
				s += "."
			}
		}
		return s
	}
	one := strikes(1)
	if n := strings.Count(one, "x"); n < 200 || n > 300 {
		t.Error(n)
	}
	if one != strikes(1) || one == strikes(2) {
		t.Error("seeds")
	}
}

// Each third message is the third, the sixth and so on; later ones are the third and those after it.
func TestOccasions(t *testing.T) {
	for text, want := range map[string]string{"drop:any:/3": "..x..x..x", "drop:any:3+": "..xxxxxxx", "drop:Write:3": ".........", "drop:any:once": "x........"} {
		f, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		h, got := NewHazard(f), ""
		for range want {
			if h.Strikes(OfOpcode(3)) {
				got += "x"
			} else {
				got += "."
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
