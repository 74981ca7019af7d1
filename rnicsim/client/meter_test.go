package client_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// dial returns a Meter of a new server.
func dial(t testing.TB, name string, o service.Options, c client.MeterConfig) *client.Meter {
	t.Helper()
	m, err := client.DialMeter(t.Context(), open(t, driver.Config{}), "tcp", serve(t, name, o, driver.Config{}, driver.ListenConfig{}), c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Every operation with every server, one measurement after the other on one connection.
func TestMeter(t *testing.T) {
	can := map[string][]client.Operation{
		"sink":   {client.Write, client.Read, client.Send, client.Immediate, client.Atomic},
		"echo":   {client.Write, client.Read, client.Send, client.Immediate, client.Atomic},
		"memory": {client.Write, client.Read, client.Atomic},
	}
	for name, operations := range can {
		t.Run(name, func(t *testing.T) {
			o := service.Options{Region: 1 << 16, Receives: 5, ReceiveSize: 3000}
			m := dial(t, name, o, client.MeterConfig{Size: 3000, Depth: 16})
			for range 2 {
				for _, op := range operations {
					measure(t, m, op)
				}
			}
			if err := m.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// measure measures an operation with several sizes, depths and numbers of iterations.
func measure(t *testing.T, m *client.Meter, op client.Operation) {
	t.Helper()
	sizes := []int{1, 8, 3000}
	if op.Fixed() > 0 {
		sizes = []int{op.Fixed()}
	}
	for _, size := range sizes {
		for _, n := range []struct{ iterations, depth int }{{1, 1}, {7, 16}, {100, 3}, {101, 16}} {
			what := fmt.Sprintf("%v of %d octets, %d times, depth %d", op, size, n.iterations, n.depth)
			r, err := m.Bandwidth(t.Context(), op, size, n.iterations, n.depth)
			if err != nil {
				t.Fatalf("bandwidth, %s: %v", what, err)
			}
			if r.Iterations != n.iterations || r.Size != size || r.Elapsed <= 0 || r.Best < r.Mean() {
				t.Errorf("bandwidth, %s: %+v", what, r)
			}
		}
		offer, _ := m.Offer()
		times, err := m.Latency(t.Context(), op, size, 9)
		if (op == client.Send || op == client.Immediate) && offer.Answer != service.Echoes {
			if !errors.Is(err, client.ErrNoEcho) {
				t.Errorf("latency, %v: %v", op, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("latency, %v of %d octets: %v", op, size, err)
		}
		if times.Count != 9 || times.Min <= 0 || times.Min > times.Median || times.Median > times.P99 || times.P99 > times.Max {
			t.Errorf("latency, %v of %d octets: %+v", op, size, times)
		}
	}
}

// The measured operations are really done: the peer's memory shows it.
func TestMeterReachesTheMemory(t *testing.T) {
	m := dial(t, "memory", service.Options{}, client.MeterConfig{Size: 100, Depth: 4})
	if _, err := m.Bandwidth(t.Context(), client.Atomic, 8, 25, 4); err != nil {
		t.Fatal(err)
	}
	offer, _ := m.Offer()
	conn := m.Conn()
	old := make([]byte, 8)
	stag, to, err := conn.Register(old, rnicsim.LocalWrite)
	if err != nil {
		t.Fatal(err)
	}
	err = conn.Post(rnicsim.WorkRequest{
		Op: rnicsim.OpFetchAdd, Local: rnicsim.SGE{STag: stag, TO: to, Len: 8}, Remote: offer.STag, RemoteTO: offer.TO,
	})
	if err != nil {
		t.Fatal(err)
	}
	var done [1]rnicsim.Completion
	if _, err := conn.Wait(t.Context(), done[:]); err != nil || done[0].Data != 25 {
		t.Errorf("after 25 FetchAdds: %+v, %v", done[0], err)
	}
}

// A peer that advertises as rping does, without more, as many programs do.
func TestMeterOfOthers(t *testing.T) {
	d := open(t, driver.Config{})
	l, err := d.Listen(t.Context(), "tcp", "127.0.0.1:0", driver.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	stag, to, err := d.Register(make([]byte, 100), rnicsim.LocalRead|rnicsim.LocalWrite|rnicsim.RemoteRead|rnicsim.RemoteWrite)
	if err != nil {
		t.Fatal(err)
	}
	advert := service.Advertisement{TO: to, STag: stag, Length: 100}
	private, _ := advert.AppendBinary(nil)
	for _, private := range [][]byte{append(private, "GHIJKLMNOPQRSTUVWXYZ"...), nil} {
		go func() {
			r, err := l.Accept(t.Context())
			if err == nil {
				r.Accept(t.Context(), driver.ConnConfig{Private: private})
			}
		}()
		m, err := client.DialMeter(t.Context(), open(t, driver.Config{}), "tcp", l.Addr().String(), client.MeterConfig{Size: 200, Depth: 4})
		if err != nil {
			t.Fatal(err)
		}
		want := map[error]error{
			m.Check(client.Send, 1): client.ErrNoMessages,
			m.Check(client.Read, 0): client.ErrFew,
		}
		if private != nil {
			want[m.Check(client.Write, 101)] = client.ErrTooLong
			if _, err := m.Bandwidth(t.Context(), client.Write, 100, 10, 4); err != nil {
				t.Error(err)
			}
		} else {
			want[m.Check(client.Write, 1)] = client.ErrNoRegion
		}
		for got, want := range want {
			if !errors.Is(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}
	}
}

// A peer that has less memory than it advertises ends the measurement with a Terminate.
func TestMeterMeetsATerminate(t *testing.T) {
	d := open(t, driver.Config{})
	l, err := d.Listen(t.Context(), "tcp", "127.0.0.1:0", driver.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	offer := service.Offer{Advertisement: service.Advertisement{STag: 1, Length: 1000}, Answer: service.Echoes, Receives: 9, ReceiveSize: 9}
	private, _ := offer.AppendBinary(nil)
	go func() {
		for {
			r, err := l.Accept(t.Context())
			if err != nil {
				return
			}
			r.Accept(t.Context(), driver.ConnConfig{Private: private})
		}
	}()
	for _, op := range client.Operations() {
		m, err := client.DialMeter(t.Context(), open(t, driver.Config{}), "tcp", l.Addr().String(), client.MeterConfig{Size: 8, Depth: 4})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Latency(t.Context(), op, 8, 1)
		var end *driver.Terminated
		if !errors.As(err, &end) || end.Local {
			t.Errorf("%v: %v", op, err)
		}
	}
}

// Without RDMA Reads, operations that need them are not measured, and the others are.
func TestMeterWithoutReads(t *testing.T) {
	none := rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true, Enhanced: &mpa.Enhanced{}}
	address := serve(t, "memory", service.Options{IRD: -1, ORD: -1}, driver.Config{}, driver.ListenConfig{Stream: none})
	m, err := client.DialMeter(t.Context(), open(t, driver.Config{}), "tcp", address, client.MeterConfig{
		Size: 8, Depth: 4, Conn: driver.ConnConfig{QP: rnicsim.QPConfig{ORD: -1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range []client.Operation{client.Write, client.Read, client.Atomic} {
		if _, err := m.Latency(t.Context(), op, 8, 1); err != client.ErrNoReads {
			t.Errorf("latency of %v: %v", op, err)
		}
		if _, err := m.Bandwidth(t.Context(), op, 8, 1, 1); err != client.ErrNoReads {
			t.Errorf("bandwidth of %v: %v", op, err)
		}
	}
	if err := m.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestMeterConfigErrors(t *testing.T) {
	d := open(t, driver.Config{})
	for _, test := range []struct {
		config client.MeterConfig
		want   error
	}{
		{client.MeterConfig{Depth: 1}, client.ErrFew},
		{client.MeterConfig{Size: 1}, client.ErrFew},
		{client.MeterConfig{Size: 1<<30 + 1, Depth: 1}, client.ErrTooLong},
		{client.MeterConfig{Size: 1, Depth: 1 << 20}, client.ErrTooLong},
	} {
		if _, err := client.DialMeter(t.Context(), d, "tcp", "127.0.0.1:1", test.config); !errors.Is(err, test.want) {
			t.Errorf("%+v: %v", test.config, err)
		}
	}
}
