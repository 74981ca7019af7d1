package explain

// Reading queries: numbers, Terminate codes in all the forms in which they are printed, and what can be picked out of
// a line of a log.

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/spelling"
)

// maxQuery is the number of octets of a query that are read; a line of a log is shorter.
const maxQuery = 1000

// A query is what is asked, taken apart.
type query struct {
	text   string   // as it was given, whole
	words  []string // in lower case
	folded string   // see fold
}

func newQuery(s string) query {
	short := s[:min(len(s), maxQuery)]
	return query{text: s, words: strings.Fields(strings.ToLower(short)), folded: spelling.Fold(short)}
}

// kindWords may stand before a name and say what it is.
var kindWords = map[string]bool{
	"field": true, "flag": true, "message": true, "term": true, "terminate": true, "error": true, "code": true, "id": true,
}

// recognisers are asked in this order, until one knows the query.
func recognisers() []func(query) []Entry {
	return []func(query) []Entry{
		query.errno, query.requirement, query.section, query.certainCode, query.octets, query.name, query.nameAfterKind, query.possibleCode,
		query.kernelLine, query.failure,
	}
}

// lookup finds what the query as a whole means.
func (q query) lookup() []Entry {
	for _, recognise := range recognisers() {
		if found := recognise(q); found != nil {
			return found
		}
	}
	return nil
}

func (q query) requirement() []Entry { return requirement(strings.Join(q.words, "")) }

// certainCode reads a Terminate code that can be nothing else.
func (q query) certainCode() []Entry {
	if found, sure := q.terminate(); sure {
		return found
	}
	return nil
}

// possibleCode reads a Terminate code that could have been something else.
func (q query) possibleCode() []Entry {
	found, _ := q.terminate()
	return found
}

// name finds the topics that have the query as their name.
func (q query) name() []Entry {
	for _, key := range q.keys() {
		if found := theIndex().lookup(key); found != nil {
			return found
		}
	}
	return nil
}

// nameAfterKind leaves out a first word that only says what kind of thing the rest names.
func (q query) nameAfterKind() []Entry {
	if len(q.words) < 2 || !kindWords[q.words[0]] {
		return nil
	}
	return newQuery(strings.Join(q.words[1:], " ")).lookup()
}

// keys are the folded names that the query can mean: itself, and with the number at its end in decimal, so that
// "opcode 0xA" and "opcode a" are "opcode10".
func (q query) keys() []string {
	keys := []string{q.folded}
	last := len(q.words) - 1
	v, ok := parseNumber(q.words[last])
	if !ok && last > 0 && strings.HasSuffix(q.words[last-1], "opcode") {
		v, ok = parseNumber("0x" + q.words[last])
	}
	if ok {
		keys = append(keys, spelling.Fold(strings.Join(q.words[:last], ""))+strconv.FormatUint(v, 10))
	}
	return keys
}

// parseNumber reads a decimal or, after 0x, hexadecimal number.
func parseNumber(s string) (v uint64, ok bool) {
	digits, hex := strings.CutPrefix(s, "0x")
	base := 10
	if hex {
		base = 16
	}
	v, err := strconv.ParseUint(digits, base, 32)
	return v, err == nil
}

var (
	codePattern  = pattern(`^([0-9a-f])/([0-9a-f])/([0-9a-f]{1,2})$`)
	groupPattern = pattern(`^([0-9a-f])/([0-9a-f])$`)
	hexPattern   = pattern(`^(0x)?([0-9a-f]{4}|[0-9a-f]{8})$`)
	wordsPattern = pattern(`\blayer\W*(0x[0-9a-f]|[0-9]+)\W+(?:e-?)?type\W*(0x[0-9a-f]|[0-9]+)\W+` +
		`(?:err(?:or)?[ _-]?)?code\W*(0x[0-9a-f]{1,2}|[0-9]+)`)
	layerPattern = pattern(`^layer ?(0x[0-9a-f]|[0-9]+)(?: (?:e-?)?type ?(0x[0-9a-f]|[0-9]+))?$`)
)

// pattern is a regular expression that is compiled when it is first used.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// terminate reads the query as a Terminate code. sure is false if it would be one only if it can be nothing else.
func (q query) terminate() (found []Entry, sure bool) {
	words := q.words
	named := false // as a Terminate
	for len(words) > 1 && (words[0] == "term" || words[0] == "terminate" || named && words[0] == "code") {
		words, named = words[1:], true
	}
	text := strings.Join(words, " ")
	if named && len(words) == 3 {
		text = strings.Join(words, "/")
	}
	if m := codePattern().FindStringSubmatch(text); m != nil {
		return codeEntries(rdmap.Code{Layer: rdmap.Layer(hexValue(m[1])), EType: uint8(hexValue(m[2])), ErrorCode: uint8(hexValue(m[3]))}), true
	}
	if m := groupPattern().FindStringSubmatch(text); m != nil {
		found = groupEntry(int(hexValue(m[1])), int(hexValue(m[2])))
		return found, found != nil
	}
	if c, ok := codeInWords(text); ok {
		return codeEntries(c), true
	}
	if m := layerPattern().FindStringSubmatch(text); m != nil {
		return layerEntry(m[1], m[2])
	}
	m := hexPattern().FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	v := uint32(hexValue(m[2]))
	if len(m[2]) == 8 {
		found = controlWordEntries(v)
		return found, found != nil && (named || m[1] != "")
	}
	c := rdmap.CodeOf(uint16(v))
	sensible := known(c) || known(c.Transposed())
	if !sensible && !named && m[1] == "" {
		return nil, false // any word or number of four such characters
	}
	return codeEntries(c), named || sensible && m[1] != ""
}

// codeInWords finds a code that is spelled out, as drivers' debug messages do: "layer 1, type 2, code 5".
func codeInWords(text string) (c rdmap.Code, ok bool) {
	m := wordsPattern().FindStringSubmatch(text)
	if m == nil {
		return c, false
	}
	layer, _ := parseNumber(m[1])
	etype, _ := parseNumber(m[2])
	code, _ := parseNumber(m[3])
	c = rdmap.Code{Layer: rdmap.Layer(layer), EType: uint8(etype), ErrorCode: uint8(code)}
	return c, layer < 16 && etype < 16 && code < 256
}

// layerEntry explains a layer, or one of its error types if etype is not empty.
func layerEntry(layer, etype string) (found []Entry, sure bool) {
	l, _ := parseNumber(layer)
	e := anyEType
	if etype != "" {
		v, _ := parseNumber(etype)
		e = int(v)
	}
	found = groupEntry(int(l), e)
	return found, found != nil
}

// hexValue reads digits that a pattern has found to be hexadecimal.
func hexValue(digits string) uint64 {
	v, _ := strconv.ParseUint(digits, 16, 64)
	return v
}

// maxEmbedded is the number of things that are picked out of a line.
const maxEmbedded = 4

// embedded picks what cannot be mistaken out of a query of several words: ids, codes, and field names with a dot.
func (q query) embedded() (found []Entry) {
	if len(q.words) < 2 {
		return nil
	}
	if c, ok := codeInWords(strings.Join(q.words, " ")); ok {
		return codeEntries(c)
	}
	seen := map[string]bool{}
	for _, word := range q.words {
		word = strings.Trim(word, `"'()[]{}<>,;:.!?`)
		if seen[word] || len(seen) == maxEmbedded {
			continue
		}
		some := requirement(word)
		if some == nil && distinct(word) {
			some = newQuery(word).lookup()
		}
		if some != nil {
			seen[word] = true
			found = append(found, some...)
		}
	}
	return found
}

// distinct reports whether a word out of a line is a code or the name of a field, and not a word of a language.
func distinct(word string) bool {
	if m := hexPattern().FindStringSubmatch(word); m != nil {
		return m[1] != "" && len(m[2]) == 4 && known(rdmap.CodeOf(uint16(hexValue(m[2]))))
	}
	return codePattern().MatchString(word) || strings.HasPrefix(word, "obs-") || strings.ContainsAny(word, "._") && spelling.Fold(word) != ""
}
