# What CI does is .ci/run. These are its parts that one wants alone.

.PHONY: build test lab bench golden golden-update

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

# What all commands print for all captures, against another revision: make golden BASE=HEAD~1. The differences are shown as text.
BASE ?= HEAD
golden:
	@set -e; dir=$$(mktemp -d); trap 'git worktree remove --force $$dir/tree; rm -rf $$dir' EXIT; \
	git worktree add --quiet --detach $$dir/tree $(BASE); \
	(cd $$dir/tree && go test ./cmd/iwarp/internal/cli -count=1 -run '^TestGolden$$' -golden.update -golden.keep $$dir/before >/dev/null); \
	go test ./cmd/iwarp/internal/cli -count=1 -run '^TestGolden$$' -golden.keep $$dir/now >/dev/null || true; \
	diff -r -U 0 $$dir/before $$dir/now | sed "s|$$dir/||g"

# Accept what is printed now.
golden-update:
	go test ./cmd/iwarp/internal/cli -count=1 -run '^TestGolden$$' -golden.update
