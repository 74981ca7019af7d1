package nvme

import (
	"encoding/binary"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// A counter counts findings.
type counter struct {
	ulptest.Discard
	n int
}

func (c *counter) Finding(*record.Finding) { c.n++ }

// TestSlots fills a Submission Queue of four entries, and takes commands out of it.
func TestSlots(t *testing.T) {
	for _, test := range []struct {
		name  string
		cattr byte
		steps string // C: a command, 0 to 3: a completion with this SQ Head Pointer, -: one without, G: a gap
		found int
	}{
		{"as many as there are", 0, "1CCCC", 0},
		{"one more", 0, "1CCCCC", 1},
		{"two more are said once", 0, "1CCCCCC", 1},
		{"nothing is known of the controller", 0, "CCCCCC", 0},
		{"after one was taken", 0, "1CCC2CC", 0},
		{"after all were taken", 0, "1CCC0CCCC", 0},
		{"around the end", 0, "1CC3CCC2CCCC", 0},
		{"around the end, one more", 0, "1CC3CCC2CCCCC", 1},
		{"without flow control", noFlowControl, "CCCCCC", 0},
		{"without a head", 0, "C-CCCCCC", 0},
		{"after a gap", 0, "1CCGCCCC", 0},
	} {
		var found counter
		f := newFollower(1)
		f.Begin(&found)
		connect := make([]byte, commandLen)
		connect[0], connect[1], connect[4] = opFabrics, 0x40, fcConnect
		binary.LittleEndian.PutUint16(connect[parametersOff+4:], 3)
		connect[parametersOff+6] = test.cattr
		f.slots.fill(&Capsule{Octets: connect})
		for _, step := range test.steps {
			switch step {
			case 'C':
				f.slots.fill(&Capsule{Octets: make([]byte, commandLen)})
				f.checkSlots(new(record.Origin))
			case 'G':
				f.Gap(flow.S2C)
			case '-':
				f.slots.drain(&Capsule{SQHead: 0xffff})
			default:
				f.slots.drain(&Capsule{SQHead: uint16(step - '0')})
			}
		}
		if found.n != test.found {
			t.Errorf("%s: %d findings", test.name, found.n)
		}
	}
}
