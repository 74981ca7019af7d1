package structure

import (
	"os/exec"
	"strings"
	"testing"
)

// The program reads captures and puts streams together by its own code alone: of gopacket it has the types, not the readers, decoders
// and reassembly. Of what drives a browser it has nothing, and of NATS only iwarp-fleet has.
func TestProgramHasNoOtherReaders(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../../cmd/iwarp").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(out)) {
		if strings.Contains(name, "/gopacket/") || strings.Contains(name, "/chromedp/") || strings.Contains(name, "/nats-io/") {
			t.Errorf("%s is part of the program", name)
		}
	}
}
