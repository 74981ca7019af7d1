package outcome

import "fmt"

// Rounds counts how often a Scenario was played.
type Rounds struct {
	Played int `json:"played"`
	Passed int `json:"passed"` // rounds without a step that was mismatched, not reached or not sent
}

// MaxKept limits the failed rounds that a Report keeps.
const MaxKept = 16

// AddRound adds the outcomes of a round. If there are several rounds, the Report keeps the first MaxKept failed ones,
// and the last one; the names of their connections include the round.
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
