package suite

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/draft00"
	"github.com/iwarpkit/iwarp/replay/conform/rfc5040"
	"github.com/iwarpkit/iwarp/replay/conform/rfc5041"
	"github.com/iwarpkit/iwarp/replay/conform/rfc5042"
	"github.com/iwarpkit/iwarp/replay/conform/rfc5044"
	"github.com/iwarpkit/iwarp/replay/conform/rfc6581"
	"github.com/iwarpkit/iwarp/replay/conform/rfc7306"
	"github.com/iwarpkit/iwarp/replay/conform/rfc8166"
	"github.com/iwarpkit/iwarp/replay/conform/rfc8167"
	"github.com/iwarpkit/iwarp/replay/conform/rpcrdma2"
	"github.com/iwarpkit/iwarp/replay/conform/verbs"
)

// A document has the cases about a document, and the reasons why there are no others.
type document struct {
	sections []conform.Section
	unasked  string // lines of the id of a requirement, a tab, and the reason
}

// documents are the documents with cases, from TCP upwards.
var documents = []document{
	{rfc5044.Sections, rfc5044.Unasked},
	{rfc6581.Sections, rfc6581.Unasked},
	{rfc5041.Sections, rfc5041.Unasked},
	{rfc5042.Sections, rfc5042.Unasked},
	{rfc5040.Sections, rfc5040.Unasked},
	{rfc7306.Sections, rfc7306.Unasked},
	{draft00.Sections, draft00.Unasked},
	{verbs.Sections, verbs.Unasked},
	{rfc8166.Sections, rfc8166.Unasked},
	{rfc8167.Sections, rfc8167.Unasked},
	{rpcrdma2.Sections, rpcrdma2.Unasked},
}
