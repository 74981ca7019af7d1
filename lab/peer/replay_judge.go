package main

// The steps of a replayed session, and which of them may differ from the recording.

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A difference is steps of the kernel that differ from the recording, and why. There are no others.
type difference struct {
	name  string   // of the case, without its group
	steps []string // connection and step; "another" is an unexpected one, "all" are all of the connection
	may   bool     // it depends on timing: any of the steps may be as recorded
	why   string
}

var differences = []difference{
	{"rstream/we-connect", []string{"c0 7"}, false, retold},
	{"rstream/siw-connects", []string{"c0 3"}, false, retold},
	{"pd-c100-s16/siw-connects", []string{"c0 1"}, false,
		"siwtest advertises its memory before other Private Data. Nobody uses it, so nothing in the capture shows " +
			"that these octets are an STag and a TO."},
	{"pd-c255-s16/siw-connects", []string{"c0 2"}, false,
		"siw writes PD_Length modulo 256, so STag and TO are not in what it calls Private Data: they follow it."},
	{"pd-c255-s16/we-connect", []string{"c0 3", "c0 another"}, false,
		"The Request and the octets after it were in one TCP segment. Replay sends them as two steps, in a segment each: " +
			"siw answers the first one with a rejection before it sees the other."},
	{"term-die-midstream/siw-connects", []string{"c0 all", "c0 another"}, true, killed},
	{"term-write-oob-multi/siw-connects", []string{"c0 8", "c0 9", "c0 another"}, true, underWay},
	{"term-send-toolong-multi/siw-connects", []string{"c0 7", "c0 8", "c0 another"}, true, underWay},
}

// Reasons of several differences.
const (
	retold = "An rsocket advertises its buffer in the Private Data, and again in an RDMA Write, in its own form and the octet " +
		"order of its machine. The second TO is 512 KiB after the first."
	killed   = "The program is killed while its Write is under way: how much of it is sent depends on the time."
	underWay = "siw continues to send until it reads our Terminate: how many segments it sends depends on the time."
)

// A played is the part of the JSON of iwarp replay that matters here.
type played struct {
	Connections []struct {
		Name  string
		Steps []struct {
			Number                    *int
			Side, Do, Verdict, Reason string
		}
	}
}

// judge checks that all differences from the recording are known, and reports whether there are any.
func judge(t *T, file string) (differs bool) {
	b, err := os.ReadFile(file)
	t.must(err, "read the report")
	var r played
	t.must(json.Unmarshal(b, &r), "read the report")
	known := &difference{}
	for i := range differences {
		if "replay/"+differences[i].name == t.name {
			known = &differences[i]
		}
	}
	seen, unknown := r.compare(known)
	t.check(len(unknown) == 0, "%s", strings.Join(unknown, "\n          "))
	for _, step := range known.steps {
		t.check(known.may || seen[step], "%s is as it was recorded, other than the list of differences says", step)
	}
	return len(known.steps) > 0
}

// compare finds the steps that differ from the recording, and describes the unknown ones.
func (r *played) compare(known *difference) (seen map[string]bool, unknown []string) {
	seen = make(map[string]bool)
	for _, c := range r.Connections {
		for _, s := range c.Steps {
			if slices.Contains([]string{"exact", "accepted", "sent"}, s.Verdict) {
				continue
			}
			step := c.Name + " another"
			if s.Number != nil {
				step = fmt.Sprint(c.Name, " ", *s.Number)
			}
			seen[step] = true
			if !slices.Contains(known.steps, step) && !slices.Contains(known.steps, c.Name+" all") {
				unknown = append(unknown, fmt.Sprintf("%s, %s %s: %s: %s", step, s.Side, s.Do, s.Verdict, s.Reason))
			}
		}
	}
	return seen, unknown
}
