package report

import (
	"io"

	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// ListSchema names the format that WriteListJSON writes.
const ListSchema = "iwarp.conform-list/1"

type list struct {
	Schema string `json:"schema"`
	Cases  []item `json:"cases"`
}

type item struct {
	ID           string   `json:"id"`
	Says         string   `json:"says"`
	Requirements []string `json:"requirements"`
	Service      string   `json:"service"`
	Role         string   `json:"role"`
	Needs        []string `json:"needs"`
	For          string   `json:"for"`
	Crasher      bool     `json:"crasher"`
}

// WriteListJSON writes descriptions of cases as one JSON document.
func WriteListJSON(w io.Writer, some []conform.Question) error {
	l := list{Schema: ListSchema, Cases: []item{}}
	for _, q := range some {
		l.Cases = append(l.Cases, item{
			ID: q.ID(), Says: q.Says, Requirements: append([]string{}, q.Requirements...), Service: q.Section.Service.String(), Role: q.Role.String(),
			Needs: append([]string{}, q.Need.Names()...), For: q.For, Crasher: q.Crasher,
		})
	}
	return printable.WriteJSON(w, &l)
}
