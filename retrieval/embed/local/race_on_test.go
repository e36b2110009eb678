//go:build race

package local

// underRace says that the race detector is at work, under which a pool forgets at random what it holds.
const underRace = true
