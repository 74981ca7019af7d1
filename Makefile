# What CI does is .ci/run. These are its parts that one wants alone.

.PHONY: build test lab bench golden golden-diff golden-update

build:
	CGO_ENABLED=0 go build ./cmd/iwarp

test:
	go test ./...

# The kernel's iWARP as the peer, in a guest: docs/lab.md.
lab:
	lab/run

# iwarp and the kernel's iWARP side by side, in that guest.
bench:
	lab/run bench

# Store what the tests make: generated documents and lists, golden files, transcripts. Read the changes before you commit them.
golden:
	go test -vet=off $$(git grep -l iwarp/internal/golden -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|') -update

# What all commands print for all captures, against another revision: make golden-diff BASE=HEAD~1.
BASE ?= HEAD
cli-golden := go test ./cmd/iwarp/internal/cli -vet=off -count=1 -run '^TestGolden$$'
golden-diff:
	@set -e; dir=$$(mktemp -d); trap 'git worktree remove --force $$dir/tree; rm -rf $$dir' EXIT; \
	git worktree add --quiet --detach $$dir/tree $(BASE); \
	(cd $$dir/tree && $(cli-golden) -golden.keep $$dir/before >/dev/null) || true; \
	$(cli-golden) -golden.keep $$dir/now >/dev/null || true; \
	diff -r -U 0 $$dir/before $$dir/now | sed "s|$$dir/||g"

# Accept what is printed now.
golden-update:
	$(cli-golden) -update
