package tui

// The results of commands. Each message carries the number of its request, see lane.

// tickMsg redraws elapsed times while something is in progress.
type tickMsg struct{}
