package dissect_test

import (
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
)

// TestResent lets 20 seconds pass before octets are sent again, in which nothing, an acknowledgement of what came before, or a closed window
// passes; and once more where only the client was captured.
func TestResent(t *testing.T) {
	const gap = int64(20 * time.Second)
	c := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Connect()
	c.Send(conversation.Client, []byte("MPA ID Req Frame\x40\x01\x00\x00")).Send(conversation.Server, []byte("MPA ID Rep Frame\x40\x01\x00\x00"))
	c.Send(conversation.Client, make([]byte, 28)).Ack(conversation.Server)
	acknowledged := len(c.Records) - 1
	c.Send(conversation.Client, make([]byte, 28))
	latest := c.Records[len(c.Records)-1]
	c.Wait(time.Duration(gap)).Repeat(1)
	between := func(after time.Duration, window byte) pcaps.Record {
		r := c.Records[acknowledged]
		r.Time = latest.Time + int64(after)
		r.Data = append([]byte(nil), r.Data...)
		r.Data[48], r.Data[49] = window, 0
		return r
	}
	for name, tc := range map[string]struct {
		between      []pcaps.Record
		clientOnly   bool
		waits        int
		time, silent time.Duration // at least, and less than a second more
	}{
		"nothing passes":                {nil, false, 1, 20 * time.Second, 20 * time.Second},
		"acknowledgements pass":         {[]pcaps.Record{between(8*time.Second, 1), between(14*time.Second, 1)}, false, 1, 20 * time.Second, 6 * time.Second},
		"the window is closed for long": {[]pcaps.Record{between(time.Second, 0), between(18*time.Second, 1)}, false, 1, 2 * time.Second, 2 * time.Second},
		"the window stays closed":       {[]pcaps.Record{between(time.Second, 0)}, false, 0, 0, 0},
		"only the client was captured":  {nil, true, 0, 0, 0},
	} {
		var resent flow.Resent
		e := dissect.NewEngine(record.SinkFunc(func(r *record.Record) {
			if r.Kind == record.KindEnd {
				resent = r.Conn.Traffic[flow.C2S].Resent
			}
		}), dissect.Options{})
		last := len(c.Records) - 1
		all := append(append(append([]pcaps.Record(nil), c.Records[:last]...), tc.between...), c.Records[last])
		for i := range all {
			if r := &all[i]; !tc.clientOnly || r.Data[29] == 1 {
				r.Frame = uint64(i + 1)
				e.Packet(r)
			}
		}
		e.Close()
		is := func(ns int64, want time.Duration) bool { return ns >= int64(want) && ns < int64(want+time.Second) }
		if resent.Waits != tc.waits || !is(resent.Time, tc.time) || !is(resent.Silent, tc.silent) || resent.After(uint64(len(all)-1)) != resent.Time || resent.After(uint64(len(all))) != 0 {
			t.Errorf("%s: %+v", name, resent)
		}
	}
}
