package service

import (
	"math"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim"
)

// The Work Requests of a command that fits stay within the region data and within 64 bits of TO, and move no more
// octets than that region has. Every such command fits.
func TestConformBounds(t *testing.T) {
	f := new(conform)
	data := Advertisement{TO: 1 << 40, STag: 7, Length: conformData}
	f.regions[ConformData].Advertisement = data
	counts := []uint16{0, 1, 2, 3, 255, 256, 257, math.MaxUint16}
	sizes := []uint32{0, 1, 7, 8, 9, 255, 256, 32767, 32768, 65527, 65528, 65529, 65535, 65536, 65537, math.MaxInt32, math.MaxUint32}
	places := []uint64{0, 1, math.MaxUint64 - 65535, math.MaxUint64 - 7, math.MaxUint64}
	fitting := 0
	for _, code := range []ConformCode{DoWrite, DoRead, DoFetchAdd, DoCmpSwap, DoSend} {
		for _, count := range counts {
			for _, length := range sizes {
				for _, offset := range sizes {
					for _, to := range places {
						c := ConformCommand{Code: code, Count: count, Length: length, Offset: offset, STag: 5, TO: to}
						fits := c.fits(conformData)
						if fits {
							fitting++
						}
						if want := f.postedWithin(&c); fits != want {
							t.Fatalf("%+v fits: %v, want %v", c, fits, want)
						}
					}
				}
			}
		}
	}
	if fitting == 0 {
		t.Error("nothing fits")
	}
}

// postedWithin looks at the first and the last Work Request of a command.
func (f *conform) postedWithin(c *ConformCommand) bool {
	data := &f.regions[ConformData]
	octets := uint64(0)
	for _, k := range []uint64{0, c.times() - 1} {
		wr := f.workRequest(c, k)
		local, size := wr.Local, uint64(wr.Local.Len)
		switch {
		case wr.Op == rnicsim.OpFetchAdd || wr.Op == rnicsim.OpCmpSwap: // the value is put there when it has arrived
			local, size = rnicsim.SGE{TO: data.TO + uint64(c.Offset), Len: 8}, 8
		case wr.Op != rnicsim.OpRead:
			local, size = wr.SGL[0], uint64(wr.SGL[0].Len)
		}
		octets = c.times() * size
		first, last := local.TO-data.TO, local.TO-data.TO+size
		wraps := size > 0 && (wr.RemoteTO < c.TO || wr.RemoteTO+(size-1) < wr.RemoteTO)
		if first > conformData || last > conformData || wraps && c.Code != DoSend {
			return false
		}
	}
	return octets <= conformData
}
