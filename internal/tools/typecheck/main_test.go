package main

import "testing"

func TestCheck(t *testing.T) {
	for target, want := range map[string]int{"linux/amd64": 0, "linux/386": 1, "windows/amd64": 0} {
		if n, err := check(target, "./testdata/word"); n != want || err != nil {
			t.Errorf("%s: %d errors, %v, want %d", target, n, err, want)
		}
	}
	if _, err := check("plan10/amd64", "."); err == nil {
		t.Error("no error for a system that does not exist")
	}
}
