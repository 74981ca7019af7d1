package page

// Words of judges, as a page shows them.

import (
	"regexp"
	"strconv"
	"sync"

	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// counted are numbers of things in a sentence, and digits those that a comma makes easier to read. Only pages need them.
var (
	counted = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b\d+(?: of \d+)? (?:octets|messages|packets|requests|segments|FPDUs|connections|times)\b`)
	})
	digits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d{4,}`) })
)

// sentence is text of a judge. It counts in the digits of the page's tables: "281,316 octets".
func sentence(s string) string {
	return counted().ReplaceAllStringFunc(printable.String(s), func(count string) string {
		return digits().ReplaceAllStringFunc(count, func(number string) string {
			n, err := strconv.ParseUint(number, 10, 64)
			if err != nil {
				return number
			}
			return quantity.Grouped(n)
		})
	})
}
