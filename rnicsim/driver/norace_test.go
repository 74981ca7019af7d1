//go:build !race

package driver

// raceEnabled tells that tests take ten times as long.
const raceEnabled = false
