package stats

// Very many connections: the busiest are kept, all wait in a temporary file.

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/iwarpkit/iwarp/internal/spool"
)

// keep adds a connection to the Report.
func (c *Collector) keep(s *Connection) {
	r := &c.report
	if r.connections++; s.Stream != nil {
		r.streams++
	}
	if r.connections <= MaxConnections {
		r.Connections = append(r.Connections, s)
		return
	}
	if r.connections == MaxConnections+1 {
		if !c.Details.OnlyBusiest {
			r.all = new(spool.Spool)
			for _, each := range r.Connections {
				c.spill(each)
			}
		}
		slices.SortFunc(r.Connections, busier)
	}
	if r.all != nil {
		c.spill(s)
	}
	if i, _ := slices.BinarySearchFunc(r.Connections, s, busier); i < MaxConnections {
		r.Connections = slices.Insert(r.Connections[:MaxConnections-1], i, s)
	}
}

// spill adds a connection to those in the temporary file.
func (c *Collector) spill(s *Connection) {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // it has nothing that JSON has not
	}
	c.report.all.Add(uint64(s.Conn), b)
}

// Close removes the temporary file, which a Report of this Collector needs no more.
func (c *Collector) Close() error {
	if c.report.all == nil {
		return nil
	}
	return c.report.all.Close()
}

// busier sorts connections: those with the most octets of ULP payload first, and among equals those with the most octets of TCP.
func busier(a, b *Connection) int {
	return cmp.Or(
		cmp.Compare(b.C2S.PayloadBytes+b.S2C.PayloadBytes, a.C2S.PayloadBytes+a.S2C.PayloadBytes),
		cmp.Compare(b.C2S.TCPBytes+b.S2C.TCPBytes, a.C2S.TCPBytes+a.S2C.TCPBytes),
		byID(a, b),
	)
}

func byID(a, b *Connection) int { return cmp.Compare(a.Conn, b.Conn) }

// Busiest returns up to n of the connections, at most MaxConnections, in the order of their ids: those with the most octets of ULP
// payload, and among equals those with the most octets of TCP.
func (r *Report) Busiest(n int) []*Connection {
	if len(r.Connections) <= n {
		return r.Connections
	}
	all := slices.Clone(r.Connections)
	slices.SortFunc(all, busier)
	busiest := all[:n:n]
	slices.SortFunc(busiest, byID)
	return busiest
}
