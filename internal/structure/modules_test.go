package structure

import (
	"os"
	"strings"
	"testing"
)

// The command line is built on these modules, and the layers on gopacket: one way of doing the same in all commands. Tables are
// laid out by us where they have to fit a width, and rendered by tablewriter.
func TestModules(t *testing.T) {
	b, err := os.ReadFile(root + "/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	direct, _, _ := strings.Cut(string(b), ")")
	for _, module := range []string{"github.com/google/gopacket", "github.com/spf13/cobra", "github.com/olekukonko/tablewriter", "github.com/fatih/color"} {
		if !strings.Contains(direct, "\t"+module+" v") {
			t.Errorf("go.mod does not require %s: it is fixed that this project uses it", module)
		}
	}
}
