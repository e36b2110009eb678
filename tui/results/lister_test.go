package results_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/tui/results"
	"lens/tui/theme"
	"lens/tui/ui/uitest"
	"lens/tui/zoom"
)

// lister drives a list that has the focus.
type lister struct {
	*uitest.Driver
	*results.List
}

// keys are the keys of commands that the list names.
var keys = map[string]string{
	"conversations":         "A",
	"query":                 "/",
	"query.leave-query":     "esc",
	"query.take-suggestion": "tab",
	"take-suggestion":       "ctrl+n",
	"histogram.show-all":    "0",
	"histogram.look-into":   "enter",
	"back":                  "u",
	"drop-filter":           "X",
	"matches":               "2",
	"matches.filters":       "f",
	"matches.unfold":        "space",
	"retry":                 "r",
	"errors":                "E",
}

// newLister returns a list with so many cells for its text, and one for the ground beside it.
func newLister(width, height int) lister {
	c := uitest.Context(theme.Mono)
	c.KeyOf = func(command string) string { return keys[command] }
	l := results.New(c)
	l.SetSize(width+1, height)
	l.SetFocused(true)
	return lister{uitest.Drive(c, l), l}
}

func id(i int) uuid.UUID { return uuid.NewSHA1(uuid.NameSpaceOID, fmt.Append(nil, i)) }

// day returns noon of a day of May 2024.
func day(n int) *time.Time { return new(time.Date(2024, time.May, n, 12, 0, 0, 0, time.UTC)) }

// may returns a window from a day of May 2024 to another.
func may(from, to int) zoom.Span {
	return zoom.Span{From: day(from).Unix() - zoom.DayLong/2, To: day(to).Unix() - zoom.DayLong/2}
}

// matches returns matches best first, each of another conversation.
func matches(n int) []retrieval.Match {
	all := make([]retrieval.Match, n)
	for i := range all {
		all[i] = retrieval.Match{
			TurnID: id(i), Conversation: id(1000 + i), Score: new(0.9 - float64(i)/1000), Time: day(14),
			Title: fmt.Sprint("title ", i), UserSnippet: fmt.Sprint("snippet 世界 ", i),
		}
	}
	return all
}

// peek returns the result of a search.
func peek(matches []retrieval.Match) *retrieval.Peek {
	p := &retrieval.Peek{Matches: matches, Histogram: retrieval.Histogram{Total: len(matches)}}
	for i := range matches {
		if at := matches[i].Time; at != nil {
			p.Times = append(p.Times, at.Unix())
		}
	}
	slices.Sort(p.Times)
	return p
}

// found returns the final result of a search of the whole archive.
func found(matches []retrieval.Match) results.Found {
	return results.Found{
		Peek: peek(matches), Searched: true, Query: "words", All: true, Current: true, Final: true,
		Missing: results.Missing{Searching: true},
	}
}

// listed returns all turns by time.
func listed(matches []retrieval.Match) results.Found {
	f := found(matches)
	f.Searched, f.Query, f.Missing.Searching = false, "", false
	return f
}

// rows returns the lines below the title.
func (l lister) rows() []string { return strings.Split(uitest.Text(l.View()), "\n")[1:] }

// snippets returns the numbers in the snippets of the visible rows.
func (l lister) snippets() (all []string) {
	for _, row := range l.rows() {
		_, snippet, _ := strings.Cut(row, "世界 ")
		number, _, _ := strings.Cut(snippet, " ")
		all = append(all, number)
	}
	return all
}

// cursor returns the number of the match under the cursor, -1 for none.
func (l lister) cursor() int {
	return slices.IndexFunc(l.Rows(), func(r results.Row) bool { return r.ID == l.Selected() })
}

// mustTell checks which turns are to be read since the last check.
func (l lister) mustTell(t *testing.T, want ...results.TurnSelected) {
	t.Helper()
	var entries []results.TurnSelected
	for _, msg := range l.Posted() {
		if m, ok := msg.(results.TurnSelected); ok {
			entries = append(entries, m)
		}
	}
	if !slices.Equal(entries, want) {
		t.Errorf("to be read are %v, want %v", entries, want)
	}
}

// paired returns matches of which each conversation has two.
func paired(n int) []retrieval.Match {
	all := matches(n)
	for i := range all {
		all[i].Conversation = id(1000 + i/2)
	}
	return all
}

// press does what a command of the list does.
func press(l *results.List, command string) {
	for _, c := range l.Commands() {
		if c.ID == command {
			c.Do()
		}
	}
}
