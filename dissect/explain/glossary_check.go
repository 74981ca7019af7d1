package explain

import "slices"

// checkTerms are the words of iwarp check for what it finds.
var checkTerms = []term{
	{name: "severity", aka: []string{"error", "errors", "warning", "warnings", "note", "notes", "finding", "findings", "observation", "observations"},
		title: "how much a finding of iwarp check weighs",
		text: "An error breaks a MUST. A warning breaks a SHOULD, or a MUST where no capture can prove it or the documents contradict " +
			"each other: iwarp explain says why, with the name of the rule. What went wrong without such a breach, such as a request " +
			"without an answer, is an observation (OBS-...), mostly a warning. All else is a note: a MAY, a breach that is in doubt because the " +
			"capture lacks packets, a deviation of a known peer. Whether a connection failed does not depend on any of these: " +
			"the verdict says that, and it decides the exit status unless --fail-on says otherwise.",
		lookFor: "the first word of each finding; notes come with --all.",
		see:     []string{"deviation"},
		show:    "iwarp check --all FILE",
		sources: []string{"iwarp check"}},
	{name: "profile", aka: []string{"profiles", "--profile"},
		title: "what iwarp expects of a known peer",
		text: "A profile is an RNIC's driver, or an upper layer of one system, with the rules that it is known to break (its " +
			"deviations) and the Terminates that it sends. By default, auto, iwarp recognises each side by its traffic. The name of " +
			"one sets the profile of both sides; rfc and verbs expect what the RFCs or the RDMA Verbs say.",
		lookFor: "\"looks like\" in the text of iwarp check.",
		see:     slices.Concat([]string{"deviation"}, rnics(), []string{"verbs"}),
		show:    "iwarp check --profile rfc FILE",
		sources: []string{"iwarp check"}},
	{name: "deviation", aka: []string{"deviations", "known deviation", "habit", "excused", "excuse", "excuses"},
		title: "a rule that a known peer breaks",
		text: "Some drivers and upper layers break certain rules in every version that was seen. iwarp check recognises a side by " +
			"that (--profile auto), reports each such breach as a note, and counts it as excused. A deviation that alone explains why a " +
			"connection failed is its cause all the same, and not excused. --profile rfc excuses nothing.",
		lookFor: "\"looks like\" in the text of iwarp check, and notes with --all.",
		see:     append([]string{"severity"}, rnics()...),
		show:    "iwarp check --all FILE",
		sources: []string{"iwarp check"}},
}
