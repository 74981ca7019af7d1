# What CI does is .ci/run. These are its parts that one wants alone.

.PHONY: build test lab bench

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
