// Package turn lays out a turn: the question, and the answer as rendered or raw Markdown. It is pure. A long answer
// takes tens of milliseconds, so render it outside the event loop.
package turn

// Text is a rendered turn: lines of at most the width that it was rendered for.
type Text struct {
	Lines []string
	Hits  []int // lines that hold words of the query, ascending
	Code  []int // lines on which blocks of code begin, ascending
	InRaw bool  // there are no hits, but the raw text has some

	Answer  int      // the line that says who answers; the first one says who asks
	Shorter []string // the first line with less of its time, for where something stands beside it; longest first
}
