package main

// tshark, as a second opinion.

import (
	"bufio"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// firstPort is the first port of a case: the port of the other end is one that the system has chosen, far above.
const (
	firstPort = 7500
	lastPort  = 9000
)

// countByTshark counts the FPDUs of a capture by the TCP port of the case; nil if there is no tshark.
func countByTshark(file string) (map[int]int, error) {
	program, err := exec.LookPath("tshark")
	if err != nil {
		return nil, nil
	}
	// Ports of cases are known for other protocols to it; iWARP is recognised by its frames.
	cmd := exec.Command(program, "-r", file, "-o", "tcp.try_heuristic_first:TRUE", "-Y", "iwarp_mpa.ulpdulength",
		"-T", "fields", "-e", "tcp.srcport", "-e", "tcp.dstport", "-e", "iwarp_mpa.ulpdulength")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("tshark: %w", err)
	}
	count := make(map[int]int)
	for s := bufio.NewScanner(strings.NewReader(string(out))); s.Scan(); {
		f := strings.Split(s.Text(), "\t")
		for _, p := range f[:2] {
			if port, _ := strconv.Atoi(p); port >= firstPort && port < lastPort {
				count[port] += strings.Count(f[2], ",") + 1
			}
		}
	}
	return count, nil
}
