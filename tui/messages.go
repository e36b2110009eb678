package tui

import (
	"lens/retrieval"
	"lens/tui/search"
	"lens/tui/ui"
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

type foundMsg struct {
	gen  int
	key  search.Key
	peek *retrieval.Peek
	err  error

	fullest []retrieval.ConversationCount // without a query
}

// find returns the result, cleaned.
func (msg foundMsg) find() search.Result {
	cleanPeek(msg.peek)
	for i := range msg.fullest {
		msg.fullest[i].Title = ui.Line(msg.fullest[i].Title)
	}
	return search.Result{Key: msg.key, Peek: msg.peek, Fullest: msg.fullest}
}

// beyondMsg delivers a search of all time after a window had no match. Its errors are ignored.
type beyondMsg foundMsg

// restMsg delivers the whole result after a partial one.
type restMsg foundMsg

// pinnedMsg delivers the result of a pinned query.
type pinnedMsg struct {
	foundMsg
	at int
}

// suggestedMsg delivers a spelling suggestion for a query without matches, "" for none. Its errors are ignored.
type suggestedMsg struct {
	gen         int
	words, text string
}

// keptMsg reports the result of saving the session.
type keptMsg struct {
	gen int
	err error
}

// tickMsg redraws elapsed times while something is in progress.
type tickMsg struct{}
