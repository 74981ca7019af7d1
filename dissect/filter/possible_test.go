package filter_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A filter rules out what its tests of type, dir and header fields exclude, and nothing else.
func TestMayMatch(t *testing.T) {
	send := &filter.Event{Message: &record.Message{Opcode: rdmap.OpSend}}
	write := &filter.Event{Message: &record.Message{Opcode: rdmap.OpWrite, Origin: record.Origin{Conn: new(flow.Conn), Dir: flow.S2C}}}
	terminate := &filter.Event{Message: &record.Message{Opcode: rdmap.OpTerminate}}
	request := &filter.Event{StartupFrame: &record.Startup{MPA: mpa.Frame{}}}
	for text, want := range map[string][4]bool{ // send, write, terminate, request
		"":                                     {true, true, true, true},
		"type == Send":                         {true, false, false, false},
		"not type == Send":                     {false, true, true, true},
		"type in {Send, Write} and dir == s2c": {false, true, false, false},
		"iwarp_ddp.msn > 3":                    {true, false, true, false},
		"iwarp_ddp.stag == 7 or type == Send":  {true, true, true, false},
		"not iwarp_ddp.stag == 7":              {true, true, true, true},
		"iwarp_mpa.rev == 1":                   {false, false, true, true},
		"crc == bad and frame > 9":             {true, true, true, true},
		"rpc.msgtyp == CALL":                   {true, true, true, true},
		"type == Send and type == Write":       {false, false, false, false},
		"len > 10 and len < 5":                 {false, false, false, false},
		"len in {1..9} and not len == 3":       {true, true, true, true},
		"len == 4 and len != 4":                {false, false, false, false},
		"len >= 5 and len <= 5 and conn == 1":  {true, true, true, true},
		"len > 10 or len < 5":                  {true, true, true, true},
		"len < 0 or type == Send":              {true, false, false, false},
	} {
		f := mustCompile(t, text)
		for i, e := range []*filter.Event{send, write, terminate, request} {
			if got := f.MayMatch(e); got != want[i] {
				t.Errorf("%q, event %d: %v", text, i, got)
			}
		}
	}
}
