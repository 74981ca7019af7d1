package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/codec/peers"
)

// TestUsage uses commands wrongly: what is said tells what to do.
func TestUsage(t *testing.T) {
	t.Parallel()
	profiles := "auto"
	for _, p := range peers.Profiles {
		profiles += ", " + p.Name
	}
	for args, want := range map[string]string{
		"chekc":                       `there is no command "chekc"; did you mean check?`,
		"help chekc":                  `there is no command "chekc"; did you mean check?`,
		"check":                       "give --dir DIR or --nats URL",
		"check --dir a --nats b":      "--dir and --nats exclude each other",
		"check --fail-on x --dir a":   `--fail-on "x": want one of cause, error, warning, none`,
		"check --fail-on eror":        `--fail-on "eror": want one of cause, error, warning, none; did you mean error?`,
		"check --profile rcf --dir a": `--profile "rcf": want one of ` + profiles + `; did you mean rfc?`,
		"check --agents many":         `--agents "many": want a whole number`,
		"check --al":                  "unknown flag: --al; did you mean --all?",
		"check a.pcap":                `check takes flags only, no "a.pcap"`,
		"agent":                       "give --dir DIR and --nats URL",
		"agent --nats a --every x":    `--every "x": want a time such as 500ms, 2s or 1m30s`,
		"serve":                       "give --config FILE or --store DIR",
		"fetch":                       "name the packets: FILE:FRAME",
		"fetch a:1 b:2":               `name packets of one file, not "b:2" too`,
	} {
		command, _, _ := strings.Cut(strings.TrimPrefix(args, "help "), " ")
		hint := "Run 'iwarp-fleet " + command + " --help' for usage.\n"
		if command == "chekc" {
			hint = "Run 'iwarp-fleet --help' for usage.\n"
		}
		if v := said(t, strings.Fields(args)...); v.code != exit.Usage || v.text != "iwarp-fleet: "+want+"\n"+hint {
			t.Errorf("%s: exit status %d, %s", args, v.code, v.text)
		}
	}
}

// TestEmptyFolder asks about a folder without captures: nobody is to believe that all is well.
func TestEmptyFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	want := "iwarp-fleet: no captures in " + folder + ": name folders that have some\n"
	for _, args := range [][]string{{"check", "-q"}, {"report", "-q", "-w", filepath.Join(t.TempDir(), "page.html")}} {
		if v := said(t, append(args, "--dir", folder)...); v.code != exit.Unreadable || v.text != want {
			t.Errorf("%q: exit status %d, %s", args, v.code, v.text)
		}
	}
}

// TestWrongPlaces names files and folders that cannot be read or written: that is said before anything is answered.
func TestWrongPlaces(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "a.pcap")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"check -q --dir " + file:                                            file + " is no folder: name the one that it is in",
		"check --dir ../../pcaps/samples --tables " + folder:                "cannot write " + folder + ": it exists; choose a new name",
		"report --dir ../../pcaps/samples -w " + folder:                     "cannot write " + folder + ": it is a folder",
		"report --dir ../../pcaps/samples -w " + folder + "/none/page.html": "cannot write " + folder + "/none/page.html: there is no such folder",
	} {
		if v := said(t, strings.Fields(args)...); v.code != exit.Unreadable || v.text != "iwarp-fleet: "+want+"\n" {
			t.Errorf("%s: exit status %d, %s", args, v.code, v.text)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestClosedPipe closes the pipe that an answer goes into: nothing is left, and nothing is said.
func TestClosedPipe(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	for _, command := range []string{"check", "report"} {
		var noted bytes.Buffer
		c := process(t, command, "-q", "--dir", "../../pcaps/samples")
		temporary := t.TempDir()
		c.Env, c.Stdout, c.Stderr = append(c.Env, "TMPDIR="+temporary), w, &noted
		if err := c.Run(); err != nil || noted.Len() > 0 {
			t.Errorf("%s: %v: %s", command, err, &noted)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("%s: %v is left, %v", command, left, err)
		}
	}
}

// TestHelpFits checks whether the help of every command fits a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	root := newRoot(nil)
	for _, c := range append(root.Commands(), root) {
		var help bytes.Buffer
		c.SetOut(&help)
		if err := c.Help(); err != nil || !strings.Contains(help.String(), "Usage:\n") {
			t.Errorf("%s: %v", c.Name(), err)
		}
		for line := range strings.Lines(help.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > usage.Width {
				t.Errorf("%s: %d characters: %s", c.Name(), n, line)
			}
		}
	}
}
