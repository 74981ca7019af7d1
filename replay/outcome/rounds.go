package outcome

import "fmt"

// Rounds counts how often a Scenario was played.
type Rounds struct {
	Played int `json:"played"`
	Passed int `json:"passed"` // of them, without a step that was mismatched, not reached or not sent
}

// MaxKept is how many rounds that were not passed are in a Report.
const MaxKept = 16

// AddRound adds what became of all connections when a Scenario was played once, of so many times in all. Of several
// rounds a Report keeps those that were not passed, the first MaxKept of them, and the last; the names of connections then
// tell which round it was.
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
