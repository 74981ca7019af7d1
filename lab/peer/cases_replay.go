package main

// Recorded sessions: iwarp replay plays one side against the program of the other side.

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// captures is the folder of the captures in the guest.
const captures = "/payload/captures"

func replayCases() (all []testCase) {
	for _, r := range recordings() {
		for _, who := range roles {
			if r.command(who) == "" {
				continue
			}
			all = append(all, testCase{
				Name: fmt.Sprintf("replay/%s/%s", r.name, who),
				Text: r.describe(who),
				Siw:  r.siw,
				Net:  r.net,
				Run:  func(t *T) { r.replay(t, who) },
			})
		}
	}
	return all
}

// command is the program of the kernel's side.
func (r *recording) command(who role) string {
	if who == weConnect {
		return r.server
	}
	return r.client
}

// describe is the text of the case.
func (r *recording) describe(who role) string {
	command := strings.NewReplacer(" -a HOST", "", " -p PORT", "", letters, "", everything, "OPS").Replace(r.command(who))
	if r.random {
		return "against `" + command + "`, whose payload may be anything"
	}
	return "against `" + command + "`"
}

// side is the side of the kernel.
func (who role) side() scenario.Side {
	if who == weConnect {
		return scenario.Server
	}
	return scenario.Client
}

// replay plays a side of a recording.
func (r *recording) replay(t *T, who role) {
	report := filepath.Join(t.logs, "replay", strings.ReplaceAll(strings.TrimPrefix(t.name, "replay/"), "/", "_"))
	t.must(os.MkdirAll(filepath.Dir(report), 0o755), "make a folder")
	capture := r.file(t)
	recorded := compiled(t, capture)
	args := []string{"replay", r.edited(t, who, capture, report+".scenario"), "--profile", "siw", "--timeout", stepTimeout,
		"-o", "json", "-w", report + ".json", "--save-run", report + ".pcapng"}
	if r.random && who == weConnect {
		args = append(args, "--speed", perftestSpeed)
	}
	theirs := r.play(t, who, args)
	if differs := judge(t, report+".json"); !differs {
		theirs.over()
		fresh(t, who.side(), recorded, compiled(t, report+".pcapng"))
	}
	theirs.verified()
}

const (
	// stepTimeout is how much longer than recorded a step may take in a slow guest.
	stepTimeout = "20s"
	// perftestSpeed is the speed of a client of perftest. The server listens for the second connection only after some
	// messages on the first one, and nothing in the capture shows when.
	perftestSpeed = "0.05"
	// breath is how long a server waits after its MPA Reply. siw refuses a connection whose first FPDU comes with it.
	breath = 300 * time.Millisecond
)

// edited is the capture, or a scenario if the capture cannot be played as it is.
func (r *recording) edited(t *T, who role, capture, name string) string {
	s := compiled(t, capture)
	switch {
	case r.random:
		anyPayload(s, who.side())
	case r.serverFirst && who == siwConnect:
		pause(s)
	default:
		return capture
	}
	t.must(os.WriteFile(name, []byte(s.String()), 0o644), "write a scenario")
	return name
}

// play runs iwarp against the program of the kernel's side, and returns that when iwarp is done.
func (r *recording) play(t *T, who role, args []string) (theirs *process) {
	if who == siwConnect {
		ours := t.launch("iwarp replay", "iwarp", append(args, "--listen", t.address(t.oursIP))...)
		ours.prints("listening")
		theirs = r.start(t, r.client, t.oursIP)
		ours.over()
		return theirs
	}
	theirs = r.start(t, r.server, t.kernelIP)
	t.listens(theirs)
	t.launch("iwarp replay", "iwarp", append(args, "--peer", t.address(t.kernelIP))...).over()
	return theirs
}

// start starts a program on the kernel's side.
func (r *recording) start(t *T, command, host string) *process {
	words := strings.Fields(strings.NewReplacer("HOST", host, "PORT", strconv.Itoa(t.port)).Replace(command))
	return t.start(words[0], words[1:]...)
}

func (r *recording) file(t *T) string {
	found, err := filepath.Glob(filepath.Join(captures, r.name+".pcap*"))
	t.must(err, "look for the capture")
	t.check(len(found) == 1, "there are %d captures %s", len(found), r.name)
	return found[0]
}

func compiled(t *T, file string) *scenario.Scenario {
	c, err := pcaps.Open(file)
	t.must(err, "open a capture")
	defer c.Close()
	s, _, err := compile.Capture(t.ctx, c, compile.Options{})
	t.must(err, "read a capture")
	return s
}

// pause makes the server silent for a while after its MPA Reply.
func pause(s *scenario.Scenario) {
	for _, c := range s.Conns {
		at := slices.IndexFunc(c.Steps, func(step *scenario.Step) bool { return step.Side == scenario.Server }) + 1
		c.Steps = slices.Insert(c.Steps, at, &scenario.Step{
			Number: len(c.Steps) + 1, Side: scenario.Server, At: c.Steps[at-1].At, Do: &scenario.Silence{For: breath},
		})
	}
}

func anyPayload(s *scenario.Scenario, side scenario.Side) {
	for _, c := range s.Conns {
		for _, step := range c.Steps {
			if m, ok := step.Do.(*scenario.Message); ok && step.Side == side && m.Payload.Len() > 0 {
				m.Payload = scenario.Payload{{Any: m.Payload.Len()}}
			}
		}
	}
}

// fresh checks that the kernel's STags are as many as recorded, and all new.
func fresh(t *T, side scenario.Side, recorded, live *scenario.Scenario) {
	then, now := stags(recorded, side), stags(live, side)
	for s := range now {
		t.check(!then[s], "the STag 0x%08x of the kernel is the recorded one", s)
	}
	t.check(len(then) == len(now), "the kernel has told of %d STags, and of %d when it was recorded", len(now), len(then))
}

// stags are the STags that a side has advertised.
func stags(s *scenario.Scenario, side scenario.Side) map[uint64]bool {
	all := make(map[uint64]bool)
	for _, c := range s.Conns {
		for _, v := range c.Vars {
			if v.Kind == scenario.STag && v.Owner == side {
				all[v.Value] = true
			}
		}
	}
	return all
}
