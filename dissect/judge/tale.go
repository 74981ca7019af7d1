package judge

// How findings are put into words.

import "github.com/iwarpkit/iwarp/dissect/record"

// A tale says what happened, for people.
type tale struct {
	what    string // in one sentence, without a full stop; of a cause: who did what to whom, in which frame
	more    string // what else there is to know, in sentences without the last full stop; empty if there is nothing
	name    string // what it is about, as Finding.Seen has it; empty if that is not said
	request string // Finding.Request

	advice string // of a refused request: what to do next, if its upper layer knows
	passes bool   // clients connect again over it, and nothing is lost if that goes well
}

// told is a tale of one sentence.
func told(format string, args ...any) tale { return tale{what: sentence(format, args...)} }

// and adds a sentence to what else there is to know, unless it is empty.
func (t tale) and(more string) tale {
	switch {
	case more == "":
	case t.more == "":
		t.more = capital(more)
	default:
		t.more += ". " + capital(more)
	}
	return t
}

// seen is the tale with what it is about.
func (t tale) seen(name string) tale {
	t.name = name
	return t
}

// unanswered says which request was not answered: its text, which is empty if that is none of an upper layer.
func (t tale) unanswered(r *record.Transaction, text string) tale {
	if t.name = text; text != "" {
		t.request = r.Name
	}
	return t
}

// String is all of it, in sentences.
func (t tale) String() string {
	if t.more == "" {
		return t.what + "."
	}
	return t.what + ". " + t.more + "."
}
