package tui

import (
	"lens/retrieval"
)

// The results of commands. Each message carries the number of its request, see lane.

type openedMsg struct {
	gen    int
	engine Engine
	err    error
}

type surveyedMsg struct {
	gen      int
	overview *retrieval.Overview
	days     *retrieval.Activity
	err      error
}

// keptMsg reports the result of saving the session.
type keptMsg struct {
	gen int
	err error
}

// tickMsg redraws elapsed times while something is in progress.
type tickMsg struct{}
