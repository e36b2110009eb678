//go:build race

package local

// underRace reports whether the race detector is on, under which a sync.Pool drops items at random.
const underRace = true
