package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/lab/result"
)

// two has two connections: in that of port 7500 we, the client, break a rule; in that of port 7501 the kernel does.
const two = `{
	"findings": [
		{"severity": "error", "name": "mo", "text": "our MO is wrong", "dir": "c2s", "conn": 0},
		{"severity": "note", "name": "crc-off", "text": "no CRCs", "dir": "c2s", "conn": 0},
		{"severity": "error", "name": "mo", "text": "their MO is wrong", "dir": "c2s", "conn": 1}
	],
	"connections": [
		{"conn": 0, "client": "10.0.0.1:40000", "server": "10.0.0.2:7500", "fpdus": 3, "c2s": {"packets": 11}, "s2c": {"packets": 20}},
		{"conn": 1, "client": "[fd00::2]:7500", "server": "[fd00::1]:7501", "fpdus": 4, "c2s": {"packets": 20}, "s2c": {"packets": 12}}
	]
}`

// TestJudge looks which findings count against a case.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name    string
		port    int
		breaks  string
		packets int
		tshark  map[int]int
		want    string // what the verdict contains
	}{
		{"an error of ours", 7500, "", 0, nil, "our MO is wrong"},
		{"an error of ours on purpose", 7500, "mo", 0, nil, ""},
		{"another one than on purpose", 7500, "fpdu-crc", 0, nil, "our MO is wrong"},
		{"an error of theirs", 7501, "", 0, nil, ""},
		{"none where one is due", 7501, "mo", 0, nil, "has not found that we break the rule mo"},
		{"as many as tshark has", 7501, "", 0, map[int]int{7501: 4}, ""},
		{"as many packets of ours as are due", 7501, "", 12, nil, ""},
		{"fewer", 7501, "", 13, nil, "12 packets, not at least 13"},
		{"other than tshark has", 7501, "", 0, map[int]int{7501: 5}, "4 FPDUs, tshark 5"},
	} {
		w := traffic{tshark: c.tshark}
		if err := json.Unmarshal([]byte(two), &w.check); err != nil {
			t.Fatal(err)
		}
		w.stats.Connections = w.check.Connections
		got := w.judge(&result.Result{Port: c.port, Breaks: c.breaks, Packets: c.packets})
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, expected %q", c.name, got, c.want)
		}
	}
}
