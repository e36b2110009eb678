package main

import (
	"os"
	"runtime"
)

// spread has Go run twice as many threads as there are processors, unless GOMAXPROCS says how many. Go looks at the network when a thread of
// its own has nothing to do: while searches keep all of them busy, who has just asked waits for ten milliseconds or for all searches
// that have begun, and some wait again and again. With threads to spare the system shares the processors out. With eight clients on two
// processors the slowest hundredth of the peeks takes half the time.
func spread() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(2 * runtime.GOMAXPROCS(0))
	}
}
