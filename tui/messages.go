package tui

import (
	"lens/retrieval"
	"lens/tui/turn"
)

// What commands answer. Each message carries the generation of the request that it answers, see lane.

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

type countedMsg struct {
	gen    int
	window span
	hours  *retrieval.Activity
	err    error
}

type foundMsg struct {
	gen  int
	key  findKey
	peek *retrieval.Peek
	err  error

	fullest []retrieval.ConversationCount // where nothing is sought
}

// find is what was found, clean.
func (msg foundMsg) find() find {
	cleanPeek(msg.peek)
	for i := range msg.fullest {
		msg.fullest[i].Title = screenLine(msg.fullest[i].Title)
	}
	return find{msg.key, msg.peek, msg.fullest}
}

// beyondMsg is what a search that found nothing in its window finds in all time; an error of it is no one's concern.
type beyondMsg foundMsg

// pinnedMsg is what the pinned query at a place found.
type pinnedMsg struct {
	foundMsg
	at int
}

// suggestedMsg is what may have been meant by a query that nothing matches, "" for nothing; an error of it is no one's concern.
type suggestedMsg struct {
	gen         int
	query, text string
}

type hydratedMsg struct {
	gen  int
	turn *retrieval.Turn
	err  error
}

type renderedMsg struct {
	gen  int
	key  pageKey
	text turn.Text
}

// keptMsg says how keeping the session went.
type keptMsg struct {
	gen int
	err error
}

// tickMsg comes while something is under way, so that one can see how long it takes.
type tickMsg struct{}
