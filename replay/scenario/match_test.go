package scenario_test

import (
	"bytes"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// The sink of an expected request is not compared; a variable in it is learned, and compared from then on.
func TestExpectedSink(t *testing.T) {
	const text = "scenario \"test\"\nconnection c0\n  1 client "
	request := func(fields string) *scenario.Message {
		s, err := scenario.Parse("test", text+"ReadRequest "+fields+" RDMARDSZ=8 SrcSTag=0x7\n")
		if err != nil {
			t.Fatal(err)
		}
		return s.Conns[0].Steps[0].Do.(*scenario.Message)
	}
	ulpdu := func(stag string) []byte {
		out, err := scenario.NewSender(ddp.Version).Message(request("SinkSTag="+stag+" SinkTO=0x2000"), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := out.Next(nil, 1440)
		return b
	}
	variable := request("SinkSTag=0x1 SinkTO=0x2")
	for i := range variable.Fields {
		switch f := &variable.Fields[i]; f.Name {
		case "SinkSTag":
			f.Value = scenario.Value{Var: "s"}
		case "SinkTO":
			f.Value = scenario.Value{Var: "t"}
		}
	}
	values := scenario.Values{}
	for _, step := range []struct {
		expected *scenario.Message
		came     []byte
		want     bool
	}{
		{request("SinkSTag=0x1 SinkTO=0x2"), ulpdu("0x999"), true},
		{variable, ulpdu("0x999"), true},
		{variable, ulpdu("0x999"), true},
		{variable, ulpdu("0x998"), false},
	} {
		b := scenario.NewSender(ddp.Version).ExpectMessage(step.expected, nil, step.came, values, false)
		if got := bytes.Equal(b, step.came[:len(b)]); got != step.want {
			t.Errorf("%x: got %v with %v", step.came, got, values)
		}
	}
	if values["s"] != 0x999 || values["t"] != 0x2000 {
		t.Error(values)
	}
}
