//go:build race

package main

// underRace says that the race detector makes arithmetic many times slower.
const underRace = true
