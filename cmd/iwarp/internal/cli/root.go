package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/dissect/filter"
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
		Long: `iwarp decodes iWARP traffic, checks it against the RFCs, and talks to peers.

A FILE is a pcap or pcapng, plain or gzip, or "-"; several are read as one.
Results go to standard output, notes and errors to standard error.

Exit status: 0, all is well; 1, check saw a connection fail, diff a difference,
or a peer did something wrong; 2, wrong usage; 3, a file cannot be read or
written, or a peer not reached; 4, internal error; 130 or 143, after a signal.`,
		Example: `  iwarp check capture.pcap                   # why connections failed
  iwarp decode capture.pcap                  # one line per message
  iwarp replay capture.pcap --peer 10.0.0.2  # the recorded client, played again`,
		Args: usage.KnownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.limitMemory(cmd)
			return usage.Check(cmd)
		},
	}
	root.SetIn(a.In)
	root.SetErr(a.Err)
	root.AddGroup(
		&cobra.Group{ID: groupCapture, Title: "Look at captures:"},
		&cobra.Group{ID: groupLive, Title: "Talk to peers:"},
		&cobra.Group{ID: groupOther, Title: "Other:"},
	)
	root.SetHelpCommandGroupID(groupOther)
	root.SetCompletionCommandGroupID(groupOther)
	root.CompletionOptions.HiddenDefaultCmd = false

	a.color = usage.NewChoice("auto", "auto", "always", "never")
	a.color.AddTo(root, root.PersistentFlags(), "color", "", "`WHEN` to use colours")
	root.Flags().Bool("version", false, "print the version of iwarp")
	root.Version = version()
	root.SetVersionTemplate("{{.Version}}\n")
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no notes on standard error")

	root.AddCommand(newCheck(a), newDecode(a), newFollow(a), newStats(a), newDiff(a), newReport(a), newReplay(a), newConform(a), newProxy(a), newServe(a), newPing(a), newBench(a), newExplain(a), newVersion(a))
	addManual(a, usage.AddHelp(root))
	usage.Shape(root)
	a.foldHelp(root)
	root.SetFlagErrorFunc(wrongFlag) // of all subcommands
	return root
}

// wrongFlag words an error about a flag. It says so if an unknown one has the name of a filter's field.
func wrongFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && cmd.Flags().Lookup("filter") != nil {
		name := unknown.GetSpecifiedName()
		if _, wrong := filter.Compile(name); name != "" && wrong == nil {
			return fmt.Errorf("%w; to filter by %s, use -Y '%s == ...'", err, name, name)
		}
	}
	return usage.WrongFlag(cmd, err)
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
