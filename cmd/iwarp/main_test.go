package main

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/iwarpkit/iwarp/internal/golden"
	"github.com/iwarpkit/iwarp/internal/tools"
	"github.com/iwarpkit/iwarp/pcaps"
)

// TestMain lets tests run this program as iwarp, as those who attack it, and as what its work is measured by.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"iwarp": func() { os.Exit(measured()) }, "attackers": attackers, "sorts": sorts})
}

func TestScripts(t *testing.T) {
	tools.RequireNamed(t) // scripts skip the part that needs a program
	runScripts(t, "testdata/script")
}

// TestAttacks has what hostile peers, files and surroundings have done to users, one script each. Those who come in crowds are in TestSiege
// and its like, and in TestMemory. The shell's limits and /dev/full are those of Linux.
func TestAttacks(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for time-outs")
	}
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux")
	}
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP) // where it is ignored, as under nohup, the commands would ignore it too
	t.Cleanup(func() { signal.Stop(hangups) })
	runScripts(t, "testdata/attacks")
}

// runScripts runs the scripts in a folder.
func runScripts(t *testing.T, folder string) {
	samples, err := filepath.Abs("../../pcaps/samples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           folder,
		UpdateScripts: golden.Update(),
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLES", samples)
			env.Setenv("ENDS", filepath.Join(filepath.Dir(filepath.Dir(samples)), "dissect", "ends", "testdata"))
			env.Setenv("KERNEL", filepath.Join(filepath.Dir(filepath.Dir(samples)), "dissect", "judge", "testdata", "kernel"))
			env.Setenv("LC_ALL", "C")
			setUpServe(env)
			return nil
		},
		Condition: condition,
		Cmds:      commands(),
	})
}

// commands are those that scripts can use beside testscript's own.
func commands() map[string]func(*testscript.TestScript, bool, []string) {
	all := map[string]func(*testscript.TestScript, bool, []string){
		"exits": exits,
		"cut":   cut,
		"tail":  tail,
		"json":  jsonValue,
	}
	maps.Copy(all, serveCommands)
	return all
}

// exits CODE COMMAND... runs a command, which must exit with the given code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s\n%s", code, args[0], ts.ReadFile("stderr"))
	}
}

// cut N FROM TO writes the first N octets of a file into another.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: cut N FROM TO")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	b, err := os.ReadFile(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), b[:n], 0o666))
}

// tail N FROM TO writes the packets of a capture from the Nth on into another.
func tail(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: tail N FROM TO")
	}
	first, err := strconv.ParseUint(args[0], 10, 64)
	ts.Check(err)
	in, err := pcaps.Open(ts.MkAbs(args[1]))
	ts.Check(err)
	defer in.Close()
	file, err := os.Create(ts.MkAbs(args[2]))
	ts.Check(err)
	defer file.Close()
	var rec pcaps.Record
	var out *pcaps.Writer
	for in.Next(&rec) == nil {
		if out == nil {
			out = pcaps.NewPcapWriter(file, rec.LinkType)
		}
		if rec.Frame >= first {
			ts.Check(out.WriteRecord(&rec))
		}
	}
	ts.Check(out.Close())
}

// json PATH VALUE looks for a value in the JSON on standard output: PATH is keys and places in arrays with dots between
// them, or with ".length" behind it the number of elements of an array or object. VALUE is written in JSON.
func jsonValue(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: json PATH VALUE")
	}
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &v))
	for step := range strings.SplitSeq(args[0], ".") {
		next, ok := descend(v, step)
		if !ok {
			ts.Fatalf("%s: nothing is at %s", args[0], step)
		}
		v = next
	}
	got, err := json.Marshal(v)
	ts.Check(err)
	if (string(got) == args[1]) == neg {
		ts.Fatalf("%s: got %s, want %s", args[0], got, args[1])
	}
}

// descend is the part of v at one step of a path.
func descend(v any, step string) (part any, ok bool) {
	switch v := v.(type) {
	case map[string]any:
		part, ok = v[step]
		if !ok && step == "length" {
			return len(v), true
		}
	case []any:
		if step == "length" {
			return len(v), true
		}
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(v) {
			return v[i], true
		}
	}
	return part, ok
}
