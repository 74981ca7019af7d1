package explain

// Header fields. Everything but their meaning comes from the field tables of the codec packages; the requirements about
// them are those of the section where their table is defined.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/spelling"
)

// tables are all field tables, those of lower layers first.
func tables() []*field.Table {
	tables := []*field.Table{
		mpa.FPDUFields, mpa.TrailerFields(1), mpa.RequestFields, mpa.ReplyFields, mpa.EnhancedFields, mpa.LegacyFields,
		sctp.SegmentFields, sctp.ControlFields, ddp.TaggedFields, ddp.UntaggedFields,
	}
	tables = append(tables, rdmap.Tables...)
	for _, l := range all.Layers() {
		tables = slices.Concat(tables, l.PrivateTables, l.Tables)
	}
	return tables
}

// ulpduOff is where the headers begin whose place in a ULPDU is always the same, in octets.
var ulpduOff = sync.OnceValue(func() map[*field.Table]int {
	m := map[*field.Table]int{
		ddp.TaggedFields:           0,
		ddp.UntaggedFields:         0,
		rdmap.ControlFields:        rdmap.ControlOff,
		rdmap.InvalidateSTagFields: rdmap.InvalidateSTagOff,
		rdmap.ReservedFields:       rdmap.InvalidateSTagOff,
		rdmap.MeantFields:          ddp.UntaggedLen,
		rdmap.SegmentLengthFields:  ddp.UntaggedLen + rdmap.TerminateLen,
	}
	for o := range rdmap.Opcodes() {
		for _, form := range o.Descriptor().Forms {
			m[form.Table] = ddp.UntaggedLen
		}
	}
	return m
})

// movable are the fields whose place or width depends on what goes before them.
var movable = map[string]struct{ place, width string }{
	"iwarp_mpa.pad": {"after the ULPDU", "0 to 3 octets"},
	"iwarp_mpa.crc": {"the last 4 octets", "32 bits (octets: 4)"},
}

// A place is a field in one of the headers that have it.
type place struct {
	table *field.Table
	field *field.Field
}

// String names the field and its header.
func (p place) String() string { return p.field.Label + " of the " + p.table.Name }

func fieldTopics() (topics []topic) {
	places := map[string][]place{} // by display filter name
	var names []string
	for _, t := range tables() {
		for i := range t.Fields {
			f := &t.Fields[i]
			if places[f.Name] == nil {
				names = append(names, f.Name)
			}
			places[f.Name] = append(places[f.Name], place{t, f})
		}
	}
	for _, name := range names {
		all := places[name]
		_, short, _ := strings.Cut(name, ".")
		keys := []string{short, short[strings.LastIndexByte(short, '.')+1:]}
		for _, p := range all {
			keys = append(keys, p.field.Label)
			if p.field.Base == field.Flag {
				keys = append(keys, p.field.Label+" bit", p.field.Label+" flag")
			}
		}
		topics = append(topics, topic{
			kind: KindField, name: name, title: all[0].String(), keys: keys,
			entry: func() Entry { return fieldEntry(all) },
		})
	}
	return topics
}

// addValues adds the names of values of fields that are not known yet: statuses, commands and the like of upper layers.
func (ix *index) addValues() {
	having := map[string][]place{} // by name
	var names []string
	for _, t := range tables() {
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Known == nil {
				continue
			}
			for v := range f.Known {
				name, p := f.Names(v), place{t, f}
				if having[name] == nil {
					names = append(names, name)
				}
				if !slices.Contains(having[name], p) { // NVMe has the same status with each combination of flags
					having[name] = append(having[name], p)
				}
			}
		}
	}
	for _, name := range names {
		if ix.byKey[spelling.Fold(name)] == nil {
			ix.add(namedValue(name, having[name]).topic(strings.Split(name, ", or ")))
		}
	}
}

// namedValue explains the name of a value by the fields that have it.
func namedValue(name string, places []place) Entry {
	e := Entry{Kind: KindValue, Name: name, Title: "a value of " + places[0].String()}
	if n := len(places); n > 1 {
		e.Title = fmt.Sprintf("a value of %d fields", n)
	}
	var filters []string
	for _, p := range places {
		e.Facts = append(e.Facts, Fact{"In", p.String()})
		if !slices.Contains(e.Sources, p.table.Source) {
			e.Sources = append(e.Sources, p.table.Source)
		}
		if !slices.Contains(e.See, p.field.Name) {
			e.See = append(e.See, p.field.Name)
			filters = append(filters, p.field.Name+" == "+strconv.Quote(name))
		}
	}
	e.Show = "iwarp decode -Y '" + strings.ReplaceAll(strings.Join(filters, " or "), "'", `'\''`) + "' FILE"
	return e
}

// fieldEntry explains a field by the headers that have it.
func fieldEntry(places []place) Entry {
	f := places[0].field
	e := Entry{
		Kind: KindField, Name: f.Name, Title: places[0].String(),
		Facts: []Fact{{"Display filter", f.Name}},
	}
	if text := fieldTexts[f.Name]; text != "" {
		e.Text = []string{text}
	}
	var positions []string
	for _, p := range places {
		position := p.table.Name + ", " + p.position()
		if !slices.Contains(positions, position) {
			positions = append(positions, position)
			e.Facts = append(e.Facts, Fact{"In", position})
		}
		if !slices.Contains(e.Sources, p.table.Source) {
			e.Sources = append(e.Sources, p.table.Source)
		}
	}
	e.Facts = append(e.Facts, Fact{"Width", width(f)})
	if names := valueNames(f); names != "" {
		e.Facts = append(e.Facts, Fact{"Values", names})
	}
	e.See = requirementsOf(places)
	return e
}

func width(f *field.Field) string {
	switch {
	case movable[f.Name].width != "":
		return movable[f.Name].width
	case f.Width == 0:
		return "the rest of the octets"
	case f.Width == 1:
		return "1 bit"
	case f.Width%8 == 0:
		return fmt.Sprintf("%d bits (octets: %d)", f.Width, f.Width/8)
	}
	return fmt.Sprintf("%d bits", f.Width)
}

// position says where a field lies: in bits and octets of its header, and in octets of the ULPDU where that is fixed.
func (p *place) position() string {
	f := p.field
	if m := movable[f.Name]; m.place != "" {
		return m.place
	}
	s := fmt.Sprintf("bits %d to %d, ", f.Off, f.Off+f.Width-1)
	switch {
	case f.Width == 0:
		s = ""
	case f.Width == 1:
		s = fmt.Sprintf("bit %d, ", f.Off)
	}
	s += octets(f, 0)
	if off, ok := ulpduOff()[p.table]; ok && off > 0 {
		s += " (" + octets(f, off) + " of the ULPDU)"
	}
	if f.Width > 0 && f.Off/8 == (f.Off+f.Width-1)/8 && f.Width%8 != 0 {
		s += fmt.Sprintf(", mask 0x%02x", (1<<f.Width-1)<<(8-f.Off%8-f.Width))
	}
	return s
}

func octets(f *field.Field, off int) string {
	first, last := off+f.Octet(), off+f.End(0)-1
	switch {
	case f.Width == 0:
		return fmt.Sprintf("from octet %d", first)
	case first == last:
		return fmt.Sprintf("octet %d", first)
	}
	return fmt.Sprintf("octets %d to %d", first, last)
}

// valueNames lists the values of a field that have names, as far as they fit a few lines.
func valueNames(f *field.Field) string {
	if f.Names == nil {
		return ""
	}
	const probe, most = 1 << 8, 24
	known := f.Known
	if known == nil {
		known = func(yield func(uint64) bool) {
			for v := uint64(0); v < probe && (f.Width >= 8 || v < 1<<f.Width) && yield(v); v++ {
			}
		}
	}
	var names []string
	for v := range known {
		if len(names) == most {
			names = append(names, "...")
			break
		}
		names = append(names, strconv.FormatUint(v, 10)+" "+f.Names(v))
	}
	return strings.Join(names, ", ")
}

// maxRequirements is the number of requirements that a field refers to.
const maxRequirements = 5

// sectionPattern finds the sections in the source of a table.
var sectionPattern = pattern(`(RFC \d+|draft-[a-z0-9-]+), section ([0-9.]+)`)

// requirementsOf names requirements whose text mentions a field, of the sections where its tables are defined.
func requirementsOf(places []place) (ids []string) {
	for _, p := range places {
		mention := mentionOf(p.field)
		if mention == nil {
			continue
		}
		for _, m := range sectionPattern().FindAllStringSubmatch(p.table.Source, -1) {
			for _, r := range rfc.Section(m[1], m[2]) {
				if len(ids) < maxRequirements && mention.MatchString(r.Text) && !slices.Contains(ids, r.ID) {
					ids = append(ids, r.ID)
				}
			}
		}
	}
	return ids
}

// mentionOf is how a text mentions a field; nil if that cannot be told from other uses of the word.
func mentionOf(f *field.Field) *regexp.Regexp {
	label := regexp.QuoteMeta(f.Label)
	switch {
	case f == &rdmap.ReservedFields.Fields[0]:
		return regexp.MustCompile(`\bInvalidate STag field\b`) // these octets are, in other messages
	case f.Label == "Reserved" || f.Label == "Rsvd" || f.Label == "Rsv" || f.Label == "Res":
		return regexp.MustCompile(`(?i)\breserved\b`)
	case f.Label == strings.ToLower(f.Label) && !strings.Contains(f.Label, "_"):
		return nil
	case f.Width == 1 && len(f.Label) == 1:
		return regexp.MustCompile(`\b` + label + `(=| bit| flag| \()`)
	}
	return regexp.MustCompile(`\b` + label + `\b`)
}
