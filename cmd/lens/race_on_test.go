//go:build race

package main

// underRace reports whether the race detector is on, which makes arithmetic many times slower.
const underRace = true
