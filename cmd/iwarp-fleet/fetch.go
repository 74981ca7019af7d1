package main

// Packets with all of their payload, from the host that has them.

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/iwarp-fleet/internal/fleet"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
	"github.com/iwarpkit/iwarp/pcaps"
)

func newFetch() *cobra.Command {
	var write string
	var o busFlags
	cmd := &cobra.Command{
		Use:   "fetch FILE:FRAME[-FRAME] --nats URL",
		Short: "Get packets with their payload from the agent that has them",
		Long: `Get packets from the agent on whose host they are, with the payload that did not
travel. FILE is as findings name it, in short, or with its whole name as in
check -o json. The agent must be running, and it sets a limit on octets.`,
		Args: onePlace,
		RunE: func(cmd *cobra.Command, args []string) error {
			name, first, last, err := parseFrames(args[0])
			if err != nil {
				return err
			}
			return o.with(cmd.Context(), func(bus *fleet.Bus) error { return fetch(cmd.Context(), bus, name, first, last, write) })
		},
	}
	o.addFlags(cmd.Flags())
	cmd.Flags().StringVarP(&write, "write", "w", "", "write the packets to the capture `FILE` (pcapng) instead of their octets to standard output")
	_ = cmd.MarkFlagRequired("nats") // fails for unknown flags only
	return cmd
}

// onePlace checks whether there is one argument.
func onePlace(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return errors.New("name the packets: FILE:FRAME")
	case 1:
		return nil
	}
	return fmt.Errorf("name packets of one file, not %q too", args[1])
}

// parseFrames reads "FILE:FRAME" or "FILE:FRAME-FRAME".
func parseFrames(s string) (name string, first, last uint64, err error) {
	i := strings.LastIndexByte(s, ':')
	from, to, several := strings.Cut(s[i+1:], "-")
	if !several {
		to = from
	}
	first, wrong := strconv.ParseUint(from, 10, 63)
	last, wrong2 := strconv.ParseUint(to, 10, 63)
	if i <= 0 || wrong != nil || wrong2 != nil || first == 0 || last < first {
		return "", 0, 0, fmt.Errorf("%q is not FILE:FRAME or FILE:FRAME-FRAME", s)
	}
	return s[:i], first, last, nil
}

// fetch writes packets to a file, or prints them.
func fetch(ctx context.Context, bus *fleet.Bus, name string, first, last uint64, write string) error {
	packets, err := bus.Fetch(ctx, name, first, last)
	if err != nil {
		return err
	}
	if write == "" {
		return printPackets(stdout, name, packets)
	}
	return newFile(write, func(f io.Writer) error {
		w := pcaps.NewPcapngWriter(f, pcaps.Section{Application: "iwarp-fleet", Comment: fmt.Sprintf("frames %d-%d of %s", first, last, name)})
		for i := range packets {
			if err := w.WriteRecord(&packets[i]); err != nil {
				return err
			}
		}
		return w.Close()
	})
}

func printPackets(to io.Writer, name string, packets []pcaps.Record) error {
	w := bufio.NewWriter(to)
	for i := range packets {
		p := &packets[i]
		fmt.Fprintf(w, "%s:%d  %s  %s\n%s", printable.Lines(name), p.Frame, time.Unix(0, p.Time).UTC().Format(time.RFC3339Nano), quantity.GroupedCount(uint64(len(p.Data)), "octet"), hex.Dump(p.Data))
	}
	return w.Flush()
}
