package main

// iwarp conform against conformd and the NFS server on the kernel's side. codec/peers/known has the known failures.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/replay/conform"
)

const (
	// known is the folder of the known failures in the guest, one file per case.
	known = "/payload/known"
	// conformLimit is how long the whole suite may take.
	conformLimit = 10 * time.Minute
	// conformStep is how long siw has for a step: long enough, since lateness would be a failure.
	conformStep = "4s"
	// conformDelay keeps our first FPDU from arriving with, or just after, siw's Reply: siw would ignore it.
	conformDelay = "3ms"
)

// A subject is cases of iwarp conform that run together: a case of the lab in each role and profile.
type subject struct {
	name     string
	text     string
	document string   // of docs, with the results
	flags    []string // of iwarp conform
	words    []string // the cases
	profiles []string
	roles    []role
	start    func(t *T, who role) // starts the peer, which listens on return if we connect
}

var bothProfiles = []string{"rfc", "siw"}

var subjects = []subject{
	{name: "rdmap", text: "DDP and RDMAP", document: "generated/conform-siw.md", profiles: bothProfiles, roles: roles,
		start: (*T).conformd, words: []string{"RFC5041", "RFC5042", "RFC5040", "draft-ietf-rddp-rdmap-00",
			// These are known to crash kernels, but not this one.
			"RFC5041/4.1/version-first", "RFC5040/4.1/version-in-first-fpdu", "RFC5040/4.1/opcode-in-first-fpdu"}},
	{name: "mpa", text: "MPA", document: "generated/conform-siw.md", profiles: bothProfiles, roles: roles,
		start: (*T).conformd, words: []string{"RFC5044", "RFC6581", "RFC8797"}},
	{name: "verbs", text: "Atomics, Immediate Data and the Verbs", document: "generated/conform-siw.md", profiles: bothProfiles,
		roles: roles, start: (*T).conformd, words: []string{"RFC7306", "RDMAC-VERBS-1.0"}},
	{name: "srq", text: "Shared Receive Queues", document: "generated/conform-siw.md", profiles: []string{"siw"},
		roles: []role{weConnect}, start: (*T).conformdShared, words: []string{"RDMAC-VERBS-1.0/6.3"}},
	// The RNIC is siw, whose own deviations do not matter here.
	{name: "nfs", text: "RPC-over-RDMA, of the kernel's NFS server", document: "generated/conform-nfs.md", profiles: []string{"siw"},
		roles: []role{weConnect}, start: (*T).nfsd, flags: []string{"--service", "rpc"}},
}

func conformCases() (all []testCase) {
	for _, s := range subjects {
		for _, profile := range s.profiles {
			for _, who := range s.roles {
				all = append(all, testCase{
					Name: "conform/" + s.name + "/" + profile + "/" + string(who),
					Text: "`iwarp conform --profile " + profile + "` about " + s.text +
						": what fails is known, see [" + s.document + "](" + s.document + ")",
					Net:   network{Delay: conformDelay},
					Limit: conformLimit,
					Run:   func(t *T) { t.conform(s, profile, who) },
				})
			}
		}
	}
	return all
}

// knownFile is the name of the file of known failures.
func (s *subject) knownFile(profile string, who role) string {
	return s.name + "-" + profile + "-" + string(who) + ".txt"
}

// conform tests the kernel's side, and expects the known failures and no others.
func (t *T) conform(s subject, profile string, who role) {
	file := s.knownFile(profile, who)
	report := filepath.Join(t.logs, "conform", strings.TrimSuffix(file, ".txt")+".json")
	t.must(os.MkdirAll(filepath.Dir(report), 0o755), "make a folder")
	args := slices.Concat([]string{"conform", "--profile", profile, "--expect", filepath.Join(known, file),
		"--timeout", conformStep, "-o", "json", "-w", report}, s.flags)
	if who == weConnect {
		s.start(t, who)
		t.launch("iwarp conform", "iwarp", slices.Concat(args, []string{t.address(t.kernelIP)}, s.words)...).over()
	} else {
		ours := t.launch("iwarp conform", "iwarp", slices.Concat(args, []string{"--listen", t.address(t.oursIP)}, s.words)...)
		ours.prints("listening")
		s.start(t, who)
		ours.over()
	}
	wrong := surprises(t, report)
	t.check(len(wrong) == 0, "%s", strings.Join(wrong, "; "))
}

// conformd starts the conform service on the kernel's side.
func (t *T) conformd(who role) {
	port := strconv.Itoa(t.port)
	if who == weConnect {
		t.start("conformd", "-a", t.kernelIP, "-p", port).prints("listening")
	} else {
		t.start("conformd", "-c", "-a", t.oursIP, "-p", port)
	}
}

// conformdShared starts it with Shared Receive Queues.
func (t *T) conformdShared(role) {
	t.start("conformd", "-S", "-a", t.kernelIP, "-p", strconv.Itoa(t.port)).prints("listening")
}

// nfsd starts the kernel's NFS server on its side.
func (t *T) nfsd(role) {
	script := fmt.Sprintf(". /payload/lib.sh; . /payload/nfs.sh; port=%d; serve >%s 2>&1", t.port,
		filepath.Join(t.logs, "kernel", "nfsd.log"))
	t.launch("the start of the NFS server", "dash", "-c", script).ends(0)
	t.later(func() { t.launch("the end of the NFS server", "dash", "-c", ". /payload/nfs.sh; stop").over() })
}

// atTimes begins the reason of a failure that depends on timing, and so need not occur.
const atTimes = "at times "

// surprises returns the unexpected verdicts of a report.
func surprises(t *T, report string) (wrong []string) {
	b, err := os.ReadFile(report)
	t.must(err, "read the report")
	var r struct {
		Cases []struct{ ID, Verdict, Detail, Known, Newly string }
	}
	t.must(json.Unmarshal(b, &r), "read the report")
	for _, c := range r.Cases {
		switch {
		case c.Verdict == conform.Fail.String() && c.Known == "", c.Verdict == conform.Error.String():
			wrong = append(wrong, fmt.Sprintf("%s: %s: %s", c.ID, c.Verdict, c.Detail))
		case c.Newly != "" && !strings.HasPrefix(c.Newly, atTimes):
			wrong = append(wrong, fmt.Sprintf("%s: %s, and it was known to fail: %s", c.ID, c.Verdict, c.Newly))
		}
	}
	return wrong
}
