package conform

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/service"
)

func TestReported(t *testing.T) {
	octets, err := hex.DecodeString(strings.ReplaceAll(Reported(7, service.ConformHadInvalidated, "00000102", []byte("123456789")), " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	// The check value of CRC32c is that of these nine octets.
	want := service.ConformReport{Messages: 7, Length: 9, Flags: service.ConformHadInvalidated, STag: 0x102, CRC: 0xe3069283}
	var got service.ConformReport
	if n, err := got.Decode(octets); n != len(octets) || err != nil || got != want {
		t.Errorf("%x is %+v, %v; want %+v", octets, got, err, want)
	}
}
