package outcome

import "fmt"

// Rounds counts how often a Scenario was played.
type Rounds struct {
	Played int `json:"played"`
	Passed int `json:"passed"` // without a step that was mismatched, not reached or not sent
}

// MaxKept is the most failed rounds that a Report keeps.
const MaxKept = 16

// AddRound adds the outcomes of a round, which is one of several. If there are several, the Report keeps the first MaxKept
// that failed, and the last one, and the names of their connections tell the round.
func (r *Report) AddRound(conns []*Conn, of int) {
	one := Report{Conns: conns}
	summary := one.Summary()
	r.Rounds.Played++
	if summary.Passed() {
		r.Rounds.Passed++
	}
	if r.Rounds.Played < of && (summary.Passed() || r.Rounds.Played-r.Rounds.Passed > MaxKept) {
		return
	}
	for _, c := range conns {
		if of > 1 {
			named := *c
			named.Name = fmt.Sprintf("%s, round %d", c.Name, r.Rounds.Played)
			c = &named
		}
		r.Conns = append(r.Conns, c)
	}
}
