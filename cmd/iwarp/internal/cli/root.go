package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/pcaps"
)

// The groups of subcommands in the help.
const (
	groupCapture = "capture"
	groupLive    = "live"
	groupOther   = "other"
)

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "iwarp",
		Short: "Decode and check iWARP traffic: MPA, DDP and RDMAP over TCP or SCTP",
		Long: `iwarp decodes iWARP traffic (MPA, DDP and RDMAP over TCP or SCTP), checks it
against the RFCs, and talks to iWARP peers.

A FILE is a pcap or pcapng, plain or gzip, or "-"; several are read as one.

Results go to standard output, notes and errors to standard error. The exit
status is 0 if all is well, 1 if a connection in a capture failed or a peer does
something wrong, 2 for wrong usage, 3 if a file cannot be read or written or a
peer not reached, 4 for an internal error, 130 or 143 after SIGINT or SIGTERM.`,
		Example: `  iwarp check capture.pcap                   # what went wrong, by which RFC
  iwarp decode capture.pcap                  # one line per message
  iwarp replay capture.pcap --peer 10.0.0.2  # the recorded client, played again`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			a.limitMemory(cmd)
			return checkExclusive(cmd, args)
		},
	}
	root.SetIn(a.In)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(wrongFlag) // of all subcommands
	root.AddGroup(
		&cobra.Group{ID: groupCapture, Title: "Look at captures:"},
		&cobra.Group{ID: groupLive, Title: "Talk to peers:"},
		&cobra.Group{ID: groupOther, Title: "Other:"},
	)
	root.SetHelpCommandGroupID(groupOther)
	root.SetCompletionCommandGroupID(groupOther)
	root.CompletionOptions.HiddenDefaultCmd = false

	a.color = choice{"auto", []string{"auto", "always", "never"}}
	addChoice(root, root.PersistentFlags(), &a.color, "color", "", "`WHEN` to use colours")
	root.Flags().Bool("version", false, "print the version of iwarp")
	root.Version = version()
	root.SetVersionTemplate("{{.Version}}\n")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no notes on standard error")

	root.AddCommand(newCheck(a), newDecode(a), newFollow(a), newStats(a), newDiff(a), newReport(a), newReplay(a), newConform(a), newProxy(a), newServe(a), newPing(a), newBench(a), newExplain(a), newVersion(a))
	addHelp(a, root)
	shapeHelp(root)
	return root
}

// addHelp adds the command help, which rejects unknown topics.
func addHelp(a *app, root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = func(_ *cobra.Command, args []string) error { return knownTopic(root, args) }
			addManual(a, c)
		}
	}
}

// knownTopic rejects topics that are not subcommands.
func knownTopic(root *cobra.Command, args []string) error {
	if cmd, _, err := root.Find(args); err != nil || cmd == root {
		return knownCommand(root, args)
	}
	return nil
}

// knownCommand rejects unknown subcommands, and suggests a similar one.
func knownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return fmt.Errorf("there is no command %q%s", args[0], perhaps(args[0], names))
}

// noArguments rejects arguments.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes flags only, no %q", cmd.Name(), args[0])
}

// captureFiles checks the arguments of commands that read captures.
func captureFiles(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New(`no capture file is given; "-" is standard input`)
	}
	stdin := 0
	for _, arg := range args {
		if arg == pcaps.Stdin {
			stdin++
		}
	}
	if stdin > 1 {
		return errors.New(`"-" is given twice, but standard input can be read only once`)
	}
	return nil
}
