package report

import (
	"io"

	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// Schema names the format that WriteJSON writes.
const Schema = "iwarp.conform/1"

type document struct {
	Schema  string          `json:"schema"`
	Service string          `json:"service"`
	Peer    peer            `json:"peer"`
	Role    string          `json:"role"` // ours
	Profile string          `json:"profile"`
	Seed    uint64          `json:"seed"`
	Seconds float64         `json:"seconds"`
	Wrong   []deviation     `json:"deviations"`
	Cases   []entry         `json:"cases"`
	Summary conform.Summary `json:"summary"`
}

// A deviation is an error of the peer in many cases.
type deviation struct {
	Says        string   `json:"says"`
	Field       string   `json:"field,omitempty"`       // of a header; ignored in other cases
	Requirement string   `json:"requirement,omitempty"` // that the field breaks
	Cases       []string `json:"cases"`                 // that fail because of it
}

type peer struct {
	Enhanced bool     `json:"enhanced"` // MPA revision 2
	IRD      int      `json:"ird"`
	ORD      int      `json:"ord"`
	Has      []string `json:"has"`
	RPC      *rpcPeer `json:"rpc,omitempty"` // of the service rpc
}

type rpcPeer struct {
	Program     uint32 `json:"program"` // whose NULL is asked
	Version     uint32 `json:"version"` // of the program
	Stat        string `json:"stat"`    // of its answer to NULL
	Conform     bool   `json:"conform"`
	VersionLow  uint32 `json:"version_low"`
	VersionHigh uint32 `json:"version_high"`
	Credits     uint32 `json:"credits"` // granted by its first Reply of version 1
}

type entry struct {
	ID           string   `json:"id"`
	Says         string   `json:"says"`
	Requirements []string `json:"requirements"`
	Verdict      string   `json:"verdict"`
	Seconds      float64  `json:"seconds"`
	Detail       string   `json:"detail"`
	Connection   string   `json:"connection,omitempty"`
	Expected     string   `json:"expected,omitempty"`
	Actual       string   `json:"actual,omitempty"`
	Known        string   `json:"known,omitempty"`
	Newly        string   `json:"newly,omitempty"`
	Again        string   `json:"again,omitempty"`
}

// WriteJSON writes a Report as one JSON document.
func WriteJSON(w io.Writer, r *conform.Report) error {
	d := document{
		Schema: Schema, Service: r.Service.String(), Role: r.Side.String(), Profile: r.Profile, Seed: r.Seed, Seconds: r.Took.Seconds(), Cases: []entry{}, Wrong: []deviation{}, Summary: r.Summary(),
		Peer: peer{Enhanced: r.Peer.Enhanced, IRD: r.Peer.IRD, ORD: r.Peer.ORD, Has: append([]string{}, r.Peer.Has().Names()...)},
	}
	if p := &r.Peer.RPC; r.Service == conform.RPCService {
		d.Peer.RPC = &rpcPeer{
			Program: uint32(p.Program), Version: p.ProgramVersion, Stat: p.Stat.String(), Conform: p.Conform,
			VersionLow: p.Low, VersionHigh: p.High, Credits: p.Credits,
		}
	}
	for i := range r.Deviations {
		each := &r.Deviations[i]
		d.Wrong = append(d.Wrong, deviation{printable.String(each.Says), each.Field, each.Requirement, append([]string{}, each.Failed...)})
	}
	for i := range r.Dependences {
		d.Wrong = append(d.Wrong, deviation{Says: printable.String(r.Dependences[i].Says), Cases: r.Dependences[i].Failed})
	}
	for i := range r.Results {
		d.Cases = append(d.Cases, newEntry(&r.Results[i], r.Again))
	}
	return printable.WriteJSON(w, &d)
}

func newEntry(r *conform.Result, again func(conform.Question) string) entry {
	e := entry{
		ID: r.ID(), Says: r.Says, Requirements: r.Requirements, Verdict: r.Verdict.String(), Seconds: r.Took.Seconds(),
	}
	for _, text := range []struct {
		to   *string
		from string
	}{{&e.Detail, r.Detail}, {&e.Connection, r.Conn}, {&e.Expected, r.Expected}, {&e.Actual, r.Actual}, {&e.Known, r.Known}, {&e.Newly, r.Newly}} {
		*text.to = printable.String(text.from)
	}
	if r.Verdict == conform.Fail && again != nil {
		e.Again = printable.String(again(r.Question))
	}
	return e
}
