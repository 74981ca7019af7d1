package dissect_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
)

// Where the headers of the packets of an IPv6 talk stand.
const (
	ip6At      = 14
	tcp6At     = ip6At + 40
	behindTCP6 = tcp6At + 20
)

// stamped gives a packet over IPv6 the TCP option Timestamps.
func stamped(r pcaps.Record, tsval uint32) pcaps.Record {
	option := []byte{1, 1, 8, 10, 0, 0, 0, 0, 0, 0, 0, 0}
	binary.BigEndian.PutUint32(option[4:], tsval)
	r.Data = slices.Insert(slices.Clone(r.Data), behindTCP6, option...)
	r.OrigLen = len(r.Data)
	r.Data[tcp6At+12] += byte(len(option)/4) << 4
	length := r.Data[ip6At+4:]
	binary.BigEndian.PutUint16(length, binary.BigEndian.Uint16(length)+uint16(len(option)))
	return r
}

// TestDuplicates shows the same packet again, without IP Identification: soon or late, as it was, or as it is when it was
// sent again.
func TestDuplicates(t *testing.T) {
	const at = 5 // of the packet, in the record
	const tsval = 1000
	for _, tc := range []struct {
		name      string
		again     func(pcaps.Record) pcaps.Record
		after     time.Duration
		duplicate bool
	}{
		{"on another interface", func(r pcaps.Record) pcaps.Record { return stamped(r, tsval) }, 40 * time.Microsecond, true},
		{"whose clock is behind", func(r pcaps.Record) pcaps.Record { return stamped(r, tsval) }, -40 * time.Microsecond, true},
		{"sent again", func(r pcaps.Record) pcaps.Record { return stamped(r, tsval+1) }, 400 * time.Microsecond, false},
		{"sent again by a slow clock", func(r pcaps.Record) pcaps.Record { return stamped(r, tsval) }, 5 * time.Millisecond, false},
		{"without timestamp", func(r pcaps.Record) pcaps.Record { return r }, 40 * time.Microsecond, false},
	} {
		k := &talk{Conversation: conversation.New("[2001:db8::1]:40000", "[2001:db8::2]:7174")}
		k.Connect()
		k.negotiate(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1})
		k.each(client, k.send(client, payload[:100], 1400))
		plain := k.Records[at]
		again := tc.again(plain)
		again.Time += int64(tc.after)
		again.Frame++
		records := append(slices.Clone(k.Records[:at]), stamped(plain, tsval), again)
		c := &dissectRecords(records).conns[0]
		retransmitted := c.Traffic[0].TCP.Retransmitted
		if n := c.Traffic[0].Duplicates; (n == 1) != tc.duplicate || (retransmitted == 0) != tc.duplicate {
			t.Errorf("%s: %d duplicates, %d octets retransmitted", tc.name, n, retransmitted)
		}
	}
}

// TestFarDuplicates shows the copies of many packets behind the last of them, as a router that queues them sends them on: of one connection, and
// of several.
func TestFarDuplicates(t *testing.T) {
	for _, tc := range []struct{ connections, messages int }{{1, 40}, {1, 300}, {20, 15}} {
		var records []pcaps.Record
		for port := range tc.connections {
			k := &talk{Conversation: conversation.New(fmt.Sprintf("[2001:db8::1]:%d", 40000+port), "[2001:db8::2]:7174")}
			k.Connect()
			k.negotiate(mpa.Frame{Rev: 1, C: true}, mpa.Frame{Rev: 1})
			for range tc.messages {
				k.each(client, k.send(client, payload[:100], 1400))
			}
			records = append(records, k.Records...)
		}
		for i, r := range records {
			records[i] = stamped(r, 1000)
			records[i].Time = int64(i + 1)
		}
		for _, r := range slices.Clone(records) {
			r.Time += int64(len(records))
			records = append(records, r)
		}
		for i, c := range dissectRecords(records).conns {
			if tr := &c.Traffic[0]; tr.Duplicates != uint64(tc.messages+2) || tr.TCP.Retransmitted != 0 {
				t.Errorf("%+v: connection %d has %d duplicates, %d octets retransmitted", tc, i, tr.Duplicates, tr.TCP.Retransmitted)
			}
		}
	}
}
