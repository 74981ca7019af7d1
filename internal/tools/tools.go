// Package tools tells tests whether the programs that give second opinions are there.
package tools

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// required names the programs that have to be there, between commas: what misses one of them fails instead of skipping.
const required = "IWARP_REQUIRE"

// Require skips the test if a program is not installed, or fails it if IWARP_REQUIRE names the program.
func Require(t testing.TB, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err == nil {
		return
	}
	if slices.Contains(strings.Split(os.Getenv(required), ","), name) {
		t.Fatalf("%s is not installed, and %s names it", name, required)
	}
	t.Skipf("%s is not installed", name)
}

// RequireNamed fails the test if a program that IWARP_REQUIRE names is not installed. It is for tests that skip a part of
// themselves.
func RequireNamed(t testing.TB) {
	t.Helper()
	for _, name := range strings.FieldsFunc(os.Getenv(required), func(r rune) bool { return r == ',' }) {
		Require(t, name)
	}
}
