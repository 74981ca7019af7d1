package fleet

// Tasks: shares that are to be judged.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/ends"
)

// A Task is a share to be judged. Its name is that of its JSON, so that the same packets are judged the same way once.
type Task struct {
	Share   int
	Begin   int64  // time of the first packet of all files
	Latest  int64  // time of the latest packet
	Profile string // by which is judged: one of package peers; empty for none
	Files   []part // with packets of the share, in the order in which they are read
	Single  bool   // there is no other file: frames need no name
}

// A part is what a Task has of a file.
type part struct {
	ID    string // of the file
	Place int    // among all files
	Name  string // before frames
	First int64  // when its turn comes

	Clocks []ends.Clock `json:",omitempty"` // what takes the times of its packets to those that count
	Parts  []lot
}

func (t *Task) name() string { return nameOf(encode(t)) }

// check says what is wrong with a Task, which anybody may have written. If nothing is, its packets can be asked for.
func (t *Task) check() error {
	for _, f := range t.Files {
		if !isName(f.ID) {
			return fmt.Errorf("fleet: a task names file %q, which is not a valid name", f.ID)
		}
		for i := range f.Parts {
			if err := f.Parts[i].check(); err != nil {
				return fmt.Errorf("fleet: a task names file %q with %w", f.ID, err)
			}
		}
	}
	return nil
}

// aside is the result of a share that is set aside.
func (t *Task) aside(why string) *result {
	return &result{Aside: fmt.Sprintf("share %d of %d was set aside: %s", t.Share, Shares, why)}
}
