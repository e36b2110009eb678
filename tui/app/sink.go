package app

import (
	"lens/retrieval/query"
	"lens/tui/search"
	"lens/tui/ui"
)

// Sanitizing: every text from outside is cleaned before it enters the model, here or by the component that asked for
// it. Single lines stay single.

// cleanQuery cleans what a peek searched for, as if it had been typed. Numbers of matches and bins are dropped.
func cleanQuery(q query.Query) query.Query {
	clean := search.Readable(ui.Line(q.String()))
	clean.Like, clean.Mode = q.Like, q.Mode
	return clean
}
