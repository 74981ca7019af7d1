# What a developer does. CI is .ci/run.

.PHONY: build short test lint golden golden-diff fuzz adversary bench cover siege endurance lab lab-bench nightly cross

# The program, without cgo.
build:
	CGO_ENABLED=0 go build -trimpath ./cmd/iwarp

# After every change, in less than a minute: no other programs are asked, and exhaustive tests try a part.
short:
	go test -short -vet=off -p 4 ./...

test:
	go test ./...

# gofmt, go vet, staticcheck and more; .golangci.yml says what and why. With 4 GB of memory it takes four fifths of the time.
lint:
	GOGC=200 go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run

# Store what the tests make: generated documents and lists, golden files, transcripts. Read the changes before you commit them.
golden:
	go test -vet=off ./rnicsim ./replay/conform/suite -run '^Test(Proofs|Asked)File$$' -update # lists that documents are made from
	go test -vet=off $$(git grep -l iwarp/internal/golden -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|') -update

# What all commands print for all captures, compared with another revision: make golden-diff BASE=HEAD~1.
BASE ?= HEAD
cli-golden := go test ./cmd/iwarp/internal/cli -vet=off -count=1 -run '^TestGolden$$'
golden-diff:
	@set -e; dir=$$(mktemp -d); trap 'git worktree remove --force $$dir/tree; rm -rf $$dir' EXIT; \
	git worktree add --quiet --detach $$dir/tree $(BASE); \
	(cd $$dir/tree && $(cli-golden) -golden.keep $$dir/before >/dev/null) || true; \
	$(cli-golden) -golden.keep $$dir/now >/dev/null || true; \
	diff -r -U 0 $$dir/before $$dir/now | sed "s|$$dir/||g"

# Every fuzz target, or those that match, in turn: each for some time, make fuzz FUZZ=RDMAP FUZZTIME=10m; or all within a time, make fuzz T=2h.
# What is not under test has no counters: resetting and comparing them would take the fuzzer most of its time. A finding ends its target,
# and fails make after the last; that the time is over is none, though the fuzzer may fail with it (go.dev/issue/75804).
FUZZ ?= .
FUZZTIME ?= 10s
T ?=
fuzz:
	@set -e; dir=$$(mktemp -d); trap 'rm -rf $$dir' EXIT; module=$$(go list -m); \
	go test -vet=off -c -gcflags="$$module/...=-d=libfuzzer" -gcflags="$$module/fuzz=" -gcflags="$$module/internal/...=" -o $$dir/fuzz.test ./fuzz; \
	targets=$$($$dir/fuzz.test -test.list '^Fuzz' | grep -E '$(FUZZ)'); time=$(FUZZTIME); \
	case '$(T)' in *h) all=$$(($(T:h=)*3600));; *m) all=$$(($(T:m=)*60));; *s) all=$(T:s=);; *) all=;; esac; \
	[ -z "$$all" ] || time=$$((all/$$(echo "$$targets" | wc -l)))s; \
	cd fuzz; for target in $$targets; do echo "$$target"; \
	GOGC=800 $$dir/fuzz.test -test.run '^$$' -test.fuzz "^$$target\$$" -test.fuzztime $$time -test.fuzzminimizetime 10x \
	-test.fuzzcachedir $$(go env GOCACHE)/fuzz/$$module/fuzz | tee $$dir/log; \
	grep -q -e '^PASS' -e '^    context deadline exceeded' $$dir/log || failed="$$failed $$target"; done; \
	[ -z "$$failed" ] || { echo "These targets failed:$$failed"; exit 1; }

# Conversations of internal/adversary, whole, damaged and with violations, and those that the RNIC serves: make adversary N=1000000 SEED=5000.
N ?= 100000
SEED ?= 1
adversary:
	go test -vet=off -timeout 0 ./internal/adversary -adversary.n $(N) -adversary.seed $(SEED)
	go test -vet=off -timeout 0 ./rnicsim -run '^TestAdversary' -adversary.n $(N) -adversary.seed $(SEED)

# Every benchmark, or those that match: make bench BENCH=Pipeline.
BENCH ?= .
bench:
	go test -vet=off -run '^$$' -bench '$(BENCH)' -benchmem ./...

# How much of each package its own and all other tests run; cover.out is for go tool cover -html.
cover:
	go test -short -vet=off -coverpkg=./... -coverprofile=cover.out ./... >/dev/null
	go tool cover -func=cover.out | tail -1

# Hostile clients against iwarp serve and iwarp proxy, each for two minutes, an hour in all, and hostile servers against the commands
# that connect; and hostile peers of a fleet. CI takes seconds for each.
SIEGE ?= 2m
siege:
	IWARP_SIEGE=$(SIEGE) go test -vet=off -count=1 -timeout 3h ./cmd/iwarp ./cmd/iwarp-fleet -run '^TestSiege' -v

# Two hours of good and bad clients of iwarp serve and iwarp proxy: make endurance T=40m.
endurance: T = 2h
endurance:
	IWARP_ENDURANCE=$(T) go test -vet=off -count=1 -timeout 0 ./cmd/iwarp -run '^TestEndurance$$' -v

# The kernel's iWARP as the peer, in a guest: docs/lab.md.
lab:
	lab/run

# iwarp and the kernel's iWARP side by side, in that guest.
lab-bench:
	lab/run bench

# The types of everything for other systems, and the tests of the libraries on a 32-bit one.
cross:
	.ci/cross

# What takes hours: every test under the race detector, every mutant of a segment, a thousand SIGKILLs of each command that writes, twenty of each part of a fleet, 5 GB for a fleet and what it costs, a minute for each fuzz target, builds for all systems and their tests of 32 bits, the whole lab.
nightly:
	CGO_ENABLED=1 go test -race -timeout 1h ./...
	go test ./dissect/judge -run Mutants -mutants -timeout 2h
	go test ./replay/conform/suite -run Constant -constant -timeout 1h
	IWARP_KILLS=1000 go test -vet=off ./cmd/iwarp -run '^TestKilledWriters$$' -timeout 5h
	IWARP_CROWDS=long go test -vet=off ./cmd/iwarp -run '^TestMemory$$' -timeout 10h
	IWARP_FAULTS=20 go test -vet=off ./cmd/iwarp-fleet -run '^Test(Killed|Cluster|Cut|FullServer|FullJudge|NoRoom|Interrupted)$$' -timeout 5h
	IWARP_FLEET_COPIES=1650 go test -vet=off ./cmd/iwarp-fleet -run '^TestAnswerIsThatOfCheck$$' -timeout 5h
	IWARP_COST=5 go test -vet=off ./cmd/iwarp-fleet -run '^TestCost$$' -v -timeout 1h
	for target in FuzzParts FuzzTasks FuzzResults FuzzSamples; do go test -vet=off ./cmd/iwarp-fleet/internal/fleet -run '^$$' -fuzz "^$$target\$$" -fuzztime 1m || exit; done
	$(MAKE) fuzz FUZZTIME=1m
	.ci/cross all
	$(MAKE) lab
	lab/run nfs-version2 600
	lab/run troubles
