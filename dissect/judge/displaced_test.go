package judge_test

// Captures that have packets twice, or in another order than they were sent.

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps"
)

// names are those of findings, in order.
func (f *finder) names() (all []string) {
	for i := range f.findings {
		all = append(all, f.findings[i].Name)
	}
	slices.Sort(all)
	return all
}

// TestCapturedTwice checks that packets which a capture has twice, as from two interfaces, are not taken to be sent again.
func TestCapturedTwice(t *testing.T) {
	files := captureFiles(t)
	for _, name := range []string{"rping", "basic-crc1", "noport", "term-read-badkey"} {
		once, twice := &finder{}, &finder{}
		runCapture(t, once.engine("rfc", nil), files[name])
		e := twice.engine("rfc", nil)
		c, err := pcaps.Open(files[name])
		if err != nil {
			t.Fatal(err)
		}
		var rec pcaps.Record
		for c.Next(&rec) == nil {
			e.Packet(&rec)
			rec.Time += 1000
			e.Packet(&rec)
		}
		e.Close()
		c.Close()
		if want, got := once.names(), twice.names(); !slices.Equal(want, got) {
			t.Errorf("%s: %v, with every packet twice %v", name, want, got)
		}
	}
}

// TestRequestBehindReply checks that an MPA Request that the capture has behind the Reply which acknowledges it is taken
// to have come first, and the Reply is judged by it.
func TestRequestBehindReply(t *testing.T) {
	for _, tc := range []struct {
		reply string // Rev
		want  []string
	}{{"01", nil}, {"02", []string{"reply-rev"}}} {
		records := transcribed(t, `
			c2s hex "MPA ID Req Frame" 40 01 0000
			s2c hex "MPA ID Rep Frame" 40 `+tc.reply+` 0000
			`+aSend+closed)
		key := func(key string) int {
			return slices.IndexFunc(records, func(r pcaps.Record) bool { return bytes.Contains(r.Data, []byte(key)) })
		}
		request, reply := key("MPA ID Req"), key("MPA ID Rep")
		records[request].Data, records[reply].Data = records[reply].Data, records[request].Data
		f := analyse(records, "rfc", nil)
		if got := f.names(); !slices.Equal(got, tc.want) {
			t.Errorf("Rev %s: %v, want %v", tc.reply, got, tc.want)
		}
	}
}

// TestOneDirection checks that nothing else is said of a side that the capture lacks but that it does.
func TestOneDirection(t *testing.T) {
	records := transcribed(t, started+aSend+aRead+closed)
	server := records[1].Data[26:30] // the sender of the SYN ACK
	f := &finder{}
	e := f.engine("rfc", nil)
	for i := range records {
		if !bytes.Equal(records[i].Data[26:30], server) {
			e.Packet(&records[i])
		}
	}
	e.Close()
	if got, want := f.names(), []string{judge.ObsCaptureLoss.Name}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestBlindResponder checks that the Responder's first FPDU counts as sent before that of the Initiator has come if it
// does not acknowledge it, though the capture has it behind.
func TestBlindResponder(t *testing.T) {
	const acknowledgment = 14 + 20 + 8 // where it stands in a packet
	for _, blind := range []bool{false, true} {
		records := transcribed(t, started+aSend+"s2c 4143 00000000 00000000 00000001 00000000 61\n"+closed)
		reply := slices.IndexFunc(records, func(r pcaps.Record) bool { return bytes.Contains(r.Data, []byte("MPA ID Rep")) })
		var want []string
		if blind {
			copy(records[reply+2].Data[acknowledgment:], records[reply].Data[acknowledgment:acknowledgment+4])
			want = []string{"responder-first"}
		}
		if got := analyse(records, "rfc", nil).names(); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// grave are the names of the errors and warnings.
func (f *finder) grave() (all []string) {
	for i := range f.findings {
		if f.findings[i].Severity > rules.Note {
			all = append(all, f.findings[i].Name)
		}
	}
	return all
}

// displaced are records of which each is up to four places from where it was, with the time that it had.
func displaced(records []pcaps.Record, seed uint64) []pcaps.Record {
	const places = 4
	random := rand.New(rand.NewPCG(seed, 0))
	order := make([]int, len(records))
	for i := range order {
		order[i] = i + random.IntN(places+1)
	}
	at := make([]int, len(records))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(order[a], order[b]) })
	shuffled := make([]pcaps.Record, len(records))
	for i, from := range at {
		shuffled[i] = records[from]
		shuffled[i].Frame = uint64(i + 1)
	}
	return shuffled
}

// TestDisplaced checks that no fault is found in captures whose packets are out of order which is not found in order.
func TestDisplaced(t *testing.T) {
	for name, file := range captureFiles(t) {
		records := recorded.Packets(pcaps.Open(file))
		if len(records) > 1500 {
			records = records[:1500]
		}
		known := analyse(records, "rfc", nil).grave()
		for seed := range uint64(3) {
			f := analyse(displaced(records, seed), "rfc", nil)
			for i := range f.findings {
				one := &f.findings[i]
				if one.Severity > rules.Note && !slices.Contains(known, one.Name) {
					t.Errorf("%s, seed %d: %s: %s", name, seed, one.Name, one.Text)
				}
			}
		}
	}
}
