package proxy

import (
	"net"
	"runtime"
	"syscall"
	"testing"
	"time"
)

const (
	piece  = 64 << 10 // octets
	pieces = 2000
)

// A passage is what it took to pass pieces on a way: the time, and that of the processors for each party. Work of the kernel on
// loopback counts for the party that causes it.
type passage struct{ wall, sender, receiver, between time.Duration }

// BenchmarkThroughput sends 64 KiB at a time. "ratio" is that of the throughput to the direct path's; 0.85 is wanted. It depends on how
// many processors the sender, the receiver and the proxy have together. "apart" is the ratio for parties with a processor each, where
// the busiest decides: that of the direct path to that with the proxy, both in processor time. "cpu" is the processor time of all with the
// proxy, by that of both without.
func BenchmarkThroughput(b *testing.B) {
	direct, proxied := ways(b)
	b.SetBytes(piece * pieces)
	var alone, all passage
	for range b.N {
		alone.pass(b, direct)
		all.pass(b, proxied)
	}
	b.ReportMetric(alone.wall.Seconds()/all.wall.Seconds(), "ratio")
	b.ReportMetric(float64(max(alone.sender, alone.receiver))/float64(max(all.sender, all.receiver, all.between)), "apart")
	b.ReportMetric(float64(all.used())/float64(alone.used()), "cpu")
	b.ReportMetric(piece*pieces/1e6*float64(b.N)/all.wall.Seconds(), "proxied-MB/s")
}

// used is the processor time of all parties.
func (p *passage) used() time.Duration { return p.sender + p.receiver + p.between }

// pass passes the pieces once, and adds what that took.
func (p *passage) pass(b *testing.B, way [2]*net.TCPConn) {
	begin, used := time.Now(), processorTime(syscall.RUSAGE_SELF)
	sent := make(chan time.Duration)
	go func() {
		octets := make([]byte, piece)
		sent <- onThread(func() {
			for range pieces {
				way[0].Write(octets)
			}
		})
	}()
	buffer := make([]byte, 4*piece)
	received := onThread(func() {
		for left := piece * pieces; left > 0; {
			n, err := way[1].Read(buffer)
			if left -= n; err != nil {
				b.Error(err)
				return
			}
		}
	})
	sender := <-sent
	p.wall += time.Since(begin)
	p.sender += sender
	p.receiver += received
	p.between += processorTime(syscall.RUSAGE_SELF) - used - sender - received
}

// onThread calls f on a thread of its own, and returns the processor time of that.
func onThread(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const thread = 1 // RUSAGE_THREAD
	begin := processorTime(thread)
	f()
	return processorTime(thread) - begin
}

// processorTime returns how long processors have worked for this process or thread.
func processorTime(who int) time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(who, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
