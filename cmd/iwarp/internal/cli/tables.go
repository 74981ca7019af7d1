package cli

// The tables of iwarp stats.

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// printReport writes the tables of a report, in lines of at most width characters.
func printReport(w io.Writer, r *stats.Report, width int) error {
	var b bytes.Buffer
	if len(r.Files) > 0 {
		names := shown(strings.Join(r.Files, ", "))
		counts := fmt.Sprintf(": %s packets, %s octets\n", grouped(r.Packets), grouped(uint64(r.Bytes)))
		if len(r.Files) > 1 && len(names)+len(counts) > width+len("\n") {
			names = quantity.Count(len(r.Files), "file")
		}
		b.WriteString(names + counts)
	}
	if r.Filter != "" {
		fmt.Fprintf(&b, "Only what matches is counted: %s\n", shown(r.Filter))
	}
	if len(r.Connections) > 0 {
		connectionTable(&b, r, width)
	}
	if len(r.Segments) > 0 {
		b.WriteString("\nMessages\n")
		messageTable(&b, r, width)
	}
	transactionTables(&b, r, width)
	words := wordsFor(r)
	fmt.Fprintf(&b, "\n%s %s; CRC: %s\n%s\n", words.units, grouped(r.FPDUs), verdicts(&r.CRC), findingsLine(&r.Findings))
	for _, line := range []struct {
		n     uint64
		words string
	}{
		{r.UndecodedBytes, "octets of iWARP streams are not decoded"},
		{r.MissingBytes, "octets of iWARP streams are missing in the capture"},
		{r.Retransmitted, "octets of TCP were sent again"},
		{r.LostBefore, "octets of TCP were lost before the capture point and sent again"},
		{r.Malformed, words.units + " are too short for their headers"},
	} {
		if line.n > 0 {
			fmt.Fprintf(&b, "%s %s\n", grouped(line.n), line.words)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// maxConnections is the most connections in a table.
const maxConnections = 100

// connectionTable prints two lines for each connection: what the client sent, and what the server sent. It leaves out all
// but the busiest of many.
func connectionTable(b *bytes.Buffer, r *stats.Report, width int) {
	connections := r.Busiest(maxConnections)
	all, _ := r.Count()
	title, more := "Connections", all-len(connections)
	if more > 0 {
		title = fmt.Sprintf("The %d busiest connections", len(connections))
	}
	fmt.Fprintf(b, "\n%s (client's line first)\n", title)
	words := wordsFor(r)
	t := newTable(5, "Conn", "Endpoint", words.startup, "CRC", "End", "Seconds", "Markers", "ORD", "Messages", words.units, "ULP octets", words.octets)
	t.keys = 2
	for _, c := range connections {
		client := []string{strconv.Itoa(c.Conn), c.Client.String(), startupCell(c), crcCell(c), c.End, strconv.FormatFloat(c.Duration, 'f', 6, 64)}
		server := []string{"", c.Server.String(), "", "", "", ""}
		t.add(append(client, directionCells(&c.C2S, c.MarkersC2S, c.Sources.MarkersC2S, c.ORDC2S)...)...)
		t.add(append(server, directionCells(&c.S2C, c.MarkersS2C, c.Sources.MarkersS2C, c.ORDS2C)...)...)
	}
	if len(r.Files) > 1 {
		fileColumn(t, connections, width)
	}
	t.renderMost(b, width, more)
}

// fileColumn adds a column with the file in which each connection begins, in the place of the third.
func fileColumn(t *table, connections []*stats.Connection, width int) {
	t.left++
	t.header = slices.Insert(t.header, t.keys, "Begins in")
	for i := range t.rows {
		file := ""
		if i%2 == 0 {
			file = shortenInside(connections[i/2].File, width/3)
		}
		t.rows[i] = slices.Insert(t.rows[i], t.keys, file)
	}
}

// startupCell is the revision of MPA, or the stream over SCTP.
func startupCell(c *stats.Connection) string {
	switch {
	case c.Stream != nil:
		return "stream " + strconv.Itoa(int(*c.Stream))
	case c.MPARevision != nil:
		return "rev " + strconv.Itoa(int(*c.MPARevision))
	}
	return "?"
}

// transportWords depend on what carries DDP.
type transportWords struct{ startup, units, octets string }

// wordsFor chooses the words for all connections of a report.
func wordsFor(r *stats.Report) transportWords {
	all, streams := r.Count()
	switch streams {
	case 0:
		return transportWords{"MPA", "FPDUs", "TCP octets"}
	case all:
		return transportWords{"SCTP", "DDP chunks", "SCTP octets"}
	}
	return transportWords{"MPA, SCTP", "FPDUs, DDP chunks", "Octets"}
}

// directionCells are the cells of one direction, with dashes for what is unknown.
func directionCells(d *stats.Direction, markers *bool, source string, ord *int) []string {
	m, o := "-", "-"
	if markers != nil {
		m = "off"
		if *markers {
			m = "on"
		}
		m = sourced(m, source)
	}
	if ord != nil {
		o = strconv.Itoa(*ord)
	}
	return []string{m, o, grouped(d.Messages), grouped(d.FPDUs), grouped(d.PayloadBytes), grouped(d.TCPBytes)}
}

// crcCell reports whether there are CRCs, and their verdicts.
func crcCell(c *stats.Connection) string {
	option := sourced(c.CRCOption, c.Sources.CRC)
	switch {
	case c.CRCOption != "on":
		return option
	case option != "on":
		return option + ": " + verdicts(&c.CRC)
	}
	return verdicts(&c.CRC)
}

// sourced is a setting, with its source unless that is the MPA frames: "inferred off".
func sourced(setting, source string) string {
	if source == flow.Stated.String() || source == flow.Inferred.String() {
		return source + " " + setting
	}
	return setting
}

// messageTable prints a line for each type of message.
func messageTable(b *bytes.Buffer, r *stats.Report, width int) {
	t := newTable(1, "Type", "Complete", "Incomplete", "Segments")
	names := map[string]bool{}
	for _, counts := range []stats.Counts{r.Messages, r.Incomplete, r.Segments} {
		for name := range counts {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		t.add(name, grouped(r.Messages[name]), grouped(r.Incomplete[name]), grouped(r.Segments[name]))
	}
	t.render(b, width)
}

// verdicts lists the verdicts about CRCs: "1,023 good, 1 bad".
func verdicts(c *stats.CRC) string {
	var s []string
	for _, v := range []struct {
		n    uint64
		name string
	}{{c.Good, "good"}, {c.Bad, "bad"}, {c.Unchecked, "unchecked"}} {
		if v.n > 0 {
			s = append(s, grouped(v.n)+" "+v.name)
		}
	}
	if s == nil {
		return "none"
	}
	return strings.Join(s, ", ")
}

// Numbers in tables and sentences have commas between thousands.
var (
	grouped = quantity.Grouped[uint64]
	counted = quantity.GroupedCount[uint64]
)
