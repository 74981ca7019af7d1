package judge

// How findings are put into words.

import "github.com/iwarpkit/iwarp/dissect/record"

// A statement says what happened, for people.
type statement struct {
	what    string // in one sentence, without a full stop; of a cause: who did what to whom, in which frame
	more    string // what else there is to know, in sentences without the last full stop; empty if there is nothing
	name    string // what it is about, as Finding.Seen has it; empty if that is not said
	request string // Finding.Request

	advice string // of a refused request: what to do next, if its upper layer knows
	about  string // what peers may have remarks about, beside the finding: a status, a term; empty for nothing
	passes bool   // clients connect again over it, and nothing is lost if that goes well
}

// stated is a statement of one sentence.
func stated(format string, args ...any) statement { return statement{what: sentence(format, args...)} }

// and adds a sentence to what else there is to know, unless it is empty.
func (t statement) and(more string) statement {
	switch {
	case more == "":
	case t.more == "":
		t.more = capital(more)
	default:
		t.more += ". " + capital(more)
	}
	return t
}

// seen is the statement with what it is about.
func (t statement) seen(name string) statement {
	t.name = name
	return t
}

// unanswered says which request was not answered: its text, which is empty if that is none of an upper layer.
func (t statement) unanswered(r *record.Transaction, text string) statement {
	if t.name = text; text != "" {
		t.request = r.Name
	}
	return t
}

// String is all of it, in sentences.
func (t statement) String() string {
	if t.more == "" {
		return t.what + "."
	}
	return t.what + ". " + t.more + "."
}
