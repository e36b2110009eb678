package tui

// The results of commands. Each message carries the number of its request, see lane.

// keptMsg reports the result of saving the session.
type keptMsg struct {
	gen int
	err error
}

// tickMsg redraws elapsed times while something is in progress.
type tickMsg struct{}
