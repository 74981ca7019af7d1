package cli

// Analysing captures: by which profile, and for which upper layers.

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
)

// newProfile returns the flag --profile with its default.
func newProfile() choice {
	c := choice{value: rules.Profiles[0].Name}
	for i := range rules.Profiles {
		c.allowed = append(c.allowed, rules.Profiles[i].Name)
	}
	return c
}

// addProfile adds the flag --profile.
func addProfile(cmd *cobra.Command, flags *pflag.FlagSet, c *choice) {
	addChoice(cmd, flags, c, "profile", "", "by which documents to judge, and with which peer's habits excused")
}

// upperLayers are those that are looked for.
func upperLayers() []analysis.ULP {
	return []analysis.ULP{rpc.New(rpc.Options{}), smbdirect.ULP{}, iser.ULP{}, nvme.ULP{}}
}

// analyse returns an Analyser that judges by a profile.
func analyse(sink analysis.Sink, profile string) *analysis.Analyser {
	return analysis.New(sink, analysis.Options{Profile: rules.LookupProfile(profile), ULPs: upperLayers()})
}
