package cli

// What the commands that make connections have in common: the MPA handshake, quirks, faults, and the Device.

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// live holds the flags of all commands that make connections.
type live struct {
	*app
	rev        choice
	markers    bool
	crc        bool
	ird, ord   number
	private    privateFlag
	timeout    span
	stall      span
	flags      *pflag.FlagSet
	profile    choice
	quirks     []quirk.Quirk
	faults     []fault.Fault
	listQuirks bool
	listFaults bool
	write      string
	verbose    bool
	address    string // of the peer, for commands that connect
}

// maxReads is the largest IRD or ORD that an MPA frame and the RNIC allow.
var maxReads = uint64(min(rnicsim.DefaultLimits.IRD, rnicsim.DefaultLimits.ORD, mpa.NotNegotiated-1))

func newLive(a *app, reads uint64) live {
	return live{
		app: a, rev: usage.NewChoice("2", "0", "1", "2"), profile: profiles(),
		timeout: span{positive: true}, stall: span{value: driver.DefaultStall},
		ird: number{reads, 0, maxReads}, ord: number{reads, 0, maxReads},
	}
}

// addFlags adds the flags, with their completion.
func (l *live) addFlags(cmd *cobra.Command, frame string) {
	f := cmd.Flags()
	l.flags = f
	l.rev.AddTo(cmd, f, "rev", "", "highest `REVISION` of MPA")
	f.BoolVar(&l.markers, "markers", false, "ask the peer for Markers")
	f.BoolVar(&l.crc, "crc", true, "ask for CRCs")
	f.Var(&l.ird, "ird", "IRD: `N` inbound RDMA Reads at a time")
	f.Var(&l.ord, "ord", "ORD: `N` outbound RDMA Reads at a time")
	f.Var(&l.private, "private-data", "Private Data of the MPA "+frame+": `TEXT` or 0xHEX")
	f.Var(&l.stall, "stall", "reset a peer that stalls for `TIME`")
	l.profile.AddTo(cmd, f, "profile", "", "behave like `PROFILE`")
	f.Var(collected[quirk.Quirk]{"NAME", false, &l.quirks, parseQuirk}, "quirk", "deviate: see --list-quirks; repeatable")
	f.Var(collected[fault.Fault]{"FAULT", true, &l.faults, fault.Parse}, "fault", "damage what is sent: see --list-faults; repeatable")
	f.BoolVar(&l.listQuirks, "list-quirks", false, "list the quirks")
	f.BoolVar(&l.listFaults, "list-faults", false, "list the faults")
	f.StringVarP(&l.write, "write", "w", "", "write all traffic to `FILE` as pcapng")
	f.BoolVarP(&l.verbose, "verbose", "v", false, "log what the RNIC does")
	_ = cmd.RegisterFlagCompletionFunc("quirk", completeQuirk) // fails for unknown flags only
}

// revision is the MPA revision of --rev, or else that of the Profile.
func (l *live) revision() uint8 {
	if !l.flags.Changed("rev") {
		switch peers.LookupProfile(l.profile.Value).Edition {
		case rules.RDMAC:
			return mpa.RevRDMAC
		case rules.Draft00:
			return mpa.Rev1
		}
	}
	rev, _ := strconv.Atoi(l.rev.Value)
	return uint8(rev)
}

// stream returns the settings of the MPA handshake.
func (l *live) stream() rnicsim.StreamConfig {
	s := rnicsim.StreamConfig{Rev: l.revision(), Markers: l.markers, CRC: l.crc, Timeout: l.timeout.value}
	switch s.Rev {
	case mpa.RevRDMAC:
		s.Markers, s.CRC = true, true
	case mpa.Rev2:
		s.Enhanced = &mpa.Enhanced{IRD: uint16(l.ird.value), ORD: uint16(l.ord.value)}
	}
	return s
}

// reads returns IRD and ORD for the driver, to which -1 means none and 0 a default.
func (l *live) reads() (ird, ord int) {
	one := func(n number) int {
		if n.value == 0 {
			return -1
		}
		return int(n.value)
	}
	return one(l.ird), one(l.ord)
}

// withDevice opens a Device, calls run with it, and closes it. It writes all traffic to the file of -w. listens reports
// whether the peers connect.
func (l *live) withDevice(c driver.Config, listens bool, run func(*driver.Device) error) (err error) {
	record, err := l.record("-w", l.write)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, record.close()) }()
	c.RNIC = rnicsim.Config{Profile: peers.LookupProfile(l.profile.Value), Quirks: l.quirks}
	if peer := c.RNIC.Profile.RNIC; peer != nil {
		c.RNIC.Quirks = append([]quirk.Quirk{quirk.Deviations(peer)}, c.RNIC.Quirks...)
	}
	c.Faults, c.Stall = l.faults, l.stall.orNever()
	c.Tap = bothTaps(c.Tap, record.tap(listens))
	d, err := driver.Open(c)
	if err != nil {
		return err
	}
	defer d.Close()
	return run(d)
}

// bothTaps joins two taps, either of which may be nil.
func bothTaps(first, second func(driver.Traffic)) func(driver.Traffic) {
	switch {
	case first == nil:
		return second
	case second == nil:
		return first
	}
	return func(t driver.Traffic) {
		first(t)
		second(t)
	}
}

// lists prints the lists of --list-quirks and --list-faults.
func (l *live) lists() (asked bool, err error) {
	var b []byte
	if l.listQuirks {
		for _, k := range quirk.Named(peers.RNICs...) {
			b = appendItem(b, k.Name, k.Text)
		}
		b = append(b, quirkForms...)
	}
	if l.listFaults {
		for _, t := range fault.Texts() {
			b = appendItem(b, t.Form, t.Text)
		}
		b = append(b, faultForms...)
	}
	if asked = l.listQuirks || l.listFaults; asked {
		_, err = l.Out.Write(b)
	}
	return asked, failed(err)
}

const quirkForms = `
--quirk also takes deviations as text, separated by semicolons:
  suppress write-access                 ignore a rule or an error
  react write-stag 0/1/00               another Terminate; or "drop", or "reset"
  rewrite Send iwarp_ddp.msn=7          a field of a message; "+1" adds, "^1" flips
  rewrite MPAReply iwarp_mpa.rev=9      a field of an MPA frame
'iwarp explain NAME' knows the names of rules, errors and fields.
`

const faultForms = `
--fault takes ACTION[=VALUE][:MESSAGE[:WHICH]], separated by commas. An ACTION
alters an FPDU or MPA frame. MESSAGE is Write, ReadResponse and so on,
MPARequest, MPAReply or any. WHICH is 3 for the third on each connection, once
for the first, 3+ for the third and all later ones, /3 for every third, 5% for a
random choice, 5%/42 for the same with a seed. The default is all.
`

// appendItem appends an item of a list: a name, and its description beside it, or below a long name.
func appendItem(b []byte, name, words string) []byte {
	const column = 18
	indent := strings.Repeat(" ", column)
	if len(name) >= column {
		b, name = append(append(b, name...), '\n'), ""
	}
	return text.AppendWrapped(b, foldWidth, fmt.Sprintf("%-*s", column, name), column, indent, words)
}

// A privateFlag is Private Data on the command line.
type privateFlag struct{ octets []byte }

func (p *privateFlag) String() string { return string(p.octets) }
func (p *privateFlag) Type() string   { return "TEXT" }

func (p *privateFlag) Set(s string) (err error) {
	digits, isHex := strings.CutPrefix(s, "0x")
	p.octets = []byte(s)
	if isHex {
		p.octets, err = hex.DecodeString(digits)
	}
	if err != nil {
		return fmt.Errorf("want text, or 0x and pairs of hexadecimal digits")
	}
	if most := mpa.MaxPrivateData - mpa.EnhancedLen; len(p.octets) > most {
		return fmt.Errorf("%d octets are too many, %d is the most", len(p.octets), most)
	}
	return nil
}

func parseQuirk(s string) (quirk.Quirk, error) {
	k, err := quirk.Parse(s, peers.RNICs...)
	if err != nil {
		err = fmt.Errorf("%w ('iwarp serve --list-quirks')", err)
	}
	return k, err
}

func completeQuirk(*cobra.Command, []string, string) (all []cobra.Completion, d cobra.ShellCompDirective) {
	for _, k := range quirk.Named(peers.RNICs...) {
		all = append(all, cobra.CompletionWithDesc(k.Name, k.Text))
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
