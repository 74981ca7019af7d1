//go:build !race

package driver

// raceEnabled is set if tests take ten times as long.
const raceEnabled = false
