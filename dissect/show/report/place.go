package report

// Frames of several files.

import "github.com/iwarpkit/iwarp/dissect/show"

// place puts the places in their files for numbers of frames, which count over all files.
func place(in show.Frames, file *string, frames ...*uint64) {
	for i, frame := range frames {
		if *frame == 0 {
			continue
		}
		name, number := in(*frame)
		*frame = number
		if i == 0 {
			*file = name
		}
	}
}

func (f *Finding) place(in show.Frames) {
	if in == nil {
		return
	}
	place(in, &f.File, &f.Frame, &f.LastFrame)
	f.Text, f.Seen, f.Expected = in.Words(f.Text), in.Words(f.Seen), in.Words(f.Expected)
}

func (c *Connection) place(in show.Frames) {
	if in == nil {
		return
	}
	place(in, &c.File, &c.Frame, &c.LastFrame)
	if c.EndedFrame != nil {
		place(in, new(string), c.EndedFrame)
	}
	v := &c.Verdict
	v.Text, v.Summary = in.Words(v.Text), in.Words(v.Summary)
	if v.Cause != nil {
		place(in, &v.Cause.File, &v.Cause.Frame, &v.Cause.LastFrame)
	}
	if v.Evidence != nil {
		place(in, &v.Evidence.File, &v.Evidence.Frame)
	}
	for i := range v.Consequences {
		f := &v.Consequences[i]
		place(in, &f.File, &f.Frame, &f.LastFrame)
	}
	for i := range v.Peers {
		place(in, &v.Peers[i].File, &v.Peers[i].Frame)
	}
	for i := range c.Terminates {
		t := &c.Terminates[i]
		place(in, &t.File, &t.Frame)
		if k := t.Culprit; k != nil {
			place(in, &k.File, &k.Frame, &k.LastFrame)
			k.Text = in.Words(k.Text)
			if k.Invalidated != nil {
				place(in, new(string), k.Invalidated)
			}
		}
	}
}

func (t *Totals) place(in show.Frames) {
	if in != nil && t.First != nil {
		place(in, &t.First.File, &t.First.Frame)
	}
}
