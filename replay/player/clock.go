package player

import "time"

// A clock knows the time and the next deadline. Its times are those of the caller's clock. Times of the Scenario are
// called recorded; they count from the beginning of the connection.
type clock struct {
	now, begin  time.Duration
	speed       float64       // Options.Speed
	timeout     time.Duration // Options.StepTimeout
	progress    time.Duration // when the latest progress was made
	credit      int           // octets of payload received since then
	reached     time.Duration // recorded time of the latest complete step
	peerSilence time.Duration // when the Silence of the other side ends; negative if none is expected now
	ownSilence  time.Duration // when the own Silence ends; 0 if there is none
}

// creditOctets is the number of octets of an expected payload that count as progress.
const creditOctets = 64 << 10

// maxPatience limits the extra time of a step that took long in the Scenario.
const maxPatience = 10 * time.Minute

func newClock(o *Options) *clock {
	return &clock{now: o.Begin, begin: o.Begin, progress: o.Begin, speed: o.Speed, timeout: o.StepTimeout, peerSilence: -1}
}

// advance sets the time, which never goes back.
func (c *clock) advance(now time.Duration) { c.now = max(c.now, now) }

// elapsed returns the time since the connection began.
func (c *clock) elapsed() time.Duration { return c.now - c.begin }

func (c *clock) moved() { c.progress, c.credit = c.now, 0 }

// received records octets of a payload. Only creditOctets of them count as progress.
func (c *clock) received(octets int) {
	if c.credit += octets; c.credit >= creditOctets {
		c.moved()
	}
}

func (c *clock) complete(recorded time.Duration) {
	c.reached = max(c.reached, recorded)
	c.moved()
}

// due returns when a step of the own side may begin.
func (c *clock) due(recorded time.Duration) time.Duration {
	if c.speed <= 0 {
		return c.begin
	}
	return c.begin + time.Duration(float64(recorded)/c.speed)
}

// expectSilence begins a Silence of the other side.
func (c *clock) expectSilence(d time.Duration) { c.peerSilence = c.now + d }

// peerSilenceOver reports whether a Silence of the other side has lasted long enough.
func (c *clock) peerSilenceOver() bool { return c.peerSilence >= 0 && c.now >= c.peerSilence }

// ownSilenceOver reports whether an own Silence is over. The first call begins it.
func (c *clock) ownSilenceOver(d time.Duration) bool {
	if c.ownSilence == 0 {
		c.ownSilence = c.now + d
	}
	if c.now < c.ownSilence {
		return false
	}
	c.ownSilence = 0
	return true
}

// patience returns how long the next step, recorded at the given time, may take: its time in the Scenario plus the
// timeout. The time is 0 if nothing is expected.
func (c *clock) patience(recorded time.Duration) time.Duration {
	return c.timeout + min(max(0, recorded-c.reached), maxPatience)
}

// expiry returns when patience ends without progress. due is when the next step of the own side may begin, or 0 if it
// does not wait for that.
func (c *clock) expiry(due, recorded time.Duration) time.Duration {
	return max(c.progress, c.peerSilence, c.ownSilence, due) + c.patience(recorded)
}

// deadline returns the earliest time at which something may change by itself. due and recorded are those of expiry.
func (c *clock) deadline(due, recorded time.Duration) time.Duration {
	at := c.expiry(due, recorded)
	if c.peerSilence >= 0 {
		at = min(at, c.peerSilence)
	}
	if c.ownSilence > c.now {
		at = min(at, c.ownSilence)
	}
	if due > 0 {
		at = min(at, due)
	}
	return at
}
