package client_test

// What a measurement costs, against TCP alone in the same run.

import (
	"io"
	"net"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// pingLen is how many octets go back and forth.
const pingLen = 64

// BenchmarkLatency sends 64 octets back and forth: with TCP, and as a Meter measures Sends to echo.
func BenchmarkLatency(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		defer l.Close()
		go func() {
			if c, err := l.Accept(); err == nil {
				io.Copy(struct{ io.Writer }{c}, struct{ io.Reader }{c})
			}
		}()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		octets := make([]byte, pingLen)
		for b.Loop() {
			c.Write(octets)
			if _, err := io.ReadFull(c, octets); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("send", func(b *testing.B) {
		m := dial(b, "echo", service.Options{}, client.MeterConfig{Size: pingLen, Depth: 4})
		b.ResetTimer()
		if _, err := m.Latency(b.Context(), client.Send, pingLen, b.N); err != nil {
			b.Fatal(err)
		}
	})
	b.Run("rping", func(b *testing.B) { // three times to and fro
		address := serve(b, "rping", service.Options{}, driver.Config{}, driver.ListenConfig{})
		p, err := client.DialPinger(b.Context(), open(b, driver.Config{}), "tcp", address, pingLen, driver.ConnConfig{})
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := p.Ping(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
