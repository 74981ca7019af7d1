package proxy

import (
	"io"
	"net"
	"testing"
	"time"
)

// What a Proxy costs, compared with the direct path in the same run.

// ways are both ways to a listener.
func ways(b *testing.B) (direct, proxied [2]*net.TCPConn) {
	l, err := net.Listen("tcp", loopback)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close() })
	direct[0], direct[1] = joined(b, l, l.Addr().String())
	proxied[0], proxied[1] = joined(b, l, serve(b, loopback, l.Addr().String(), Config{}))
	for _, nc := range []net.Conn{direct[0], direct[1], proxied[0], proxied[1]} {
		nc.SetDeadline(time.Time{})
	}
	return direct, proxied
}

// BenchmarkLatency sends 64 octets to and fro. "added-us" is what the Proxy adds in one direction; at most 60 are wanted.
func BenchmarkLatency(b *testing.B) {
	direct, proxied := ways(b)
	for _, way := range [][2]*net.TCPConn{direct, proxied} {
		go io.Copy(struct{ io.Writer }{way[1]}, struct{ io.Reader }{way[1]})
	}
	var took [2]time.Duration
	octets := make([]byte, 64)
	for range b.N {
		for i, way := range [][2]*net.TCPConn{direct, proxied} {
			begin := time.Now()
			way[0].Write(octets)
			if _, err := io.ReadFull(way[0], octets); err != nil {
				b.Fatal(err)
			}
			took[i] += time.Since(begin)
		}
	}
	b.ReportMetric(float64((took[1]-took[0]).Microseconds())/float64(2*b.N), "added-us")
}
