// Package tools runs the programs that give tests a second opinion, and checks that they are installed.
package tools

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// required lists the programs that must be installed, between commas: a test that lacks one fails instead of skipping.
const required = "IWARP_REQUIRE"

// Require skips the test if a program is not installed, or fails it if IWARP_REQUIRE names the program. With -short it always
// skips the test: other programs take most of the time.
func Require(t testing.TB, name string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("%s is not asked with -short", name)
	}
	if installed(name) {
		return
	}
	if slices.Contains(strings.Split(os.Getenv(required), ","), name) {
		t.Fatalf("%s is not installed, and %s names it", name, required)
	}
	t.Skipf("%s is not installed", name)
}

// RequireNamed fails the test if a program that IWARP_REQUIRE names is not installed. It is for tests that skip parts
// themselves.
func RequireNamed(t testing.TB) {
	t.Helper()
	if testing.Short() {
		return
	}
	for _, name := range strings.FieldsFunc(os.Getenv(required), func(r rune) bool { return r == ',' }) {
		Require(t, name)
	}
}

// Tshark runs tshark with some arguments and returns what it prints. The test is skipped if there is no tshark, and fails
// if tshark does.
func Tshark(t testing.TB, args ...string) string {
	t.Helper()
	out, _ := tshark(t, args)
	return out
}

// QuietTshark is Tshark, but the test also fails if tshark complains of anything.
func QuietTshark(t testing.TB, args ...string) string {
	t.Helper()
	out, complaints := tshark(t, args)
	for line := range strings.Lines(complaints) {
		if !strings.HasPrefix(line, "Running as user") {
			t.Errorf("tshark %v says %s", args, line)
		}
	}
	return out
}

func tshark(t testing.TB, args []string) (out, complaints string) {
	t.Helper()
	Require(t, "tshark")
	cmd := exec.Command("tshark", args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, stderr.Bytes())
	}
	return stdout.String(), stderr.String()
}
