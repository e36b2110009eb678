// Package search is the query of the explorer and what it finds.
package search

import (
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval/dates"
	"lens/retrieval/query"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Search identifies a search, and is what history and session remember of it. The zero value means no query.
type Search struct {
	Text string     // as typed, with its filters: query.Query.String
	Like uuid.UUID  // find turns similar to this one; Text has only filters then
	Mode query.Mode // "": auto

	PlainDates bool // dates in Text are words and nothing more

	words   string // of Text: what is ranked
	narrows bool   // Text also restricts what is listed without words
}

// Similar is a turn to find similar ones to, and its title.
type Similar struct {
	Turn  uuid.UUID
	Title string
}

// Of returns what identifies a query for turns like one, uuid.Nil for none. A query is printed for it, so it is kept.
func Of(q query.Query, like uuid.UUID) Search {
	narrows := len(q.Without) > 0 || !q.Filter.IsZero()
	return Search{
		Text: q.String(), Like: like, Mode: q.Mode, PlainDates: q.Dates == query.DatesOff, words: q.Words(), narrows: narrows,
	}
}

// IsSomething reports whether turns are searched for, and not only listed.
func (s Search) IsSomething() bool { return s.words != "" || s.Like != uuid.Nil }

// Words returns what is ranked, without filters.
func (s Search) Words() string { return s.words }

// Ranked identifies what is ranked: words or a turn. "" means that turns are only listed.
func (s Search) Ranked() string {
	if s.Like != uuid.Nil {
		return s.Like.String()
	}
	return s.words
}

// Narrows reports whether filters or exclusions restrict what is found or listed.
func (s Search) Narrows() bool { return s.narrows }

// Query returns the query, without a window.
func (s Search) Query() query.Query {
	q := Readable(s.Text)
	q.Mode, q.Dates = s.Mode, query.DatesSoft
	if s.PlainDates {
		q.Dates = query.DatesOff
	}
	if s.Like != uuid.Nil {
		q.Like = s.Like.String()
	}
	return q
}

// WithoutFilters returns words, phrases and exclusions as they are typed.
func (s Search) WithoutFilters() string {
	q := s.Query()
	q.Filter = query.Filter{}
	return q.String()
}

// In returns the query within a window, which may be empty: all time.
func (s Search) In(window zoom.Span) query.Query {
	q := s.Query()
	if window != (zoom.Span{}) {
		q.Filter.Since, q.Filter.Until = time.Unix(window.From, 0).UTC(), time.Unix(window.To, 0).UTC()
	}
	return q
}

// WordsOnly is the chip of keyword mode, which the grammar does not have.
const WordsOnly = "words only"

// Chips returns the filters as they are typed, and the mode.
func (s Search) Chips() []string {
	chips := s.Query().Filter.Strings()
	if s.Mode == query.Keyword {
		chips = append(chips, WordsOnly)
	}
	return chips
}

// Readable reads the text of a query that was saved or printed. Filters that are unknown or wrong by now are dropped.
func Readable(text string) query.Query {
	q, _, err := query.Parse(text, time.Time{})
	if err == nil {
		return q
	}
	var kept []string
	for _, item := range query.Items(text) {
		part := text[item.From:item.To]
		if _, _, err := query.Parse(strings.Join(append(kept, part), " "), time.Time{}); err == nil {
			kept = append(kept, part)
		}
	}
	q, _, _ = query.Parse(strings.Join(kept, " "), time.Time{})
	return q
}

// NamesDate reports whether a text names a date that turns can be near to.
func NamesDate(text string, now time.Time) bool { return len(dates.Find(text, now, now)) > 0 }

// Refusal says why the engine would refuse a query for turns like one; nil if it would not.
func Refusal(q query.Query, like uuid.UUID) error {
	q.Like = ""
	if like != uuid.Nil {
		q.Like = like.String()
	}
	if !q.HasWords() && len(q.Without) == 0 && q.Filter.IsZero() {
		return nil // lists all turns
	}
	return q.Validate()
}

// Remark is a sentence about a query, and what to do about it.
type Remark struct {
	Message, Hint string
	Quiet         bool // nothing is wrong
}

// RemarkOn returns what an error says about a query.
func RemarkOn(err error) Remark {
	var known *errs.Error
	if !errors.As(err, &known) {
		return Remark{Message: ui.Line(err.Error())}
	}
	return Remark{Message: ui.Line(known.Message), Hint: ui.Line(known.Hint)}
}

// Full returns the sentence with the hint.
func (r Remark) Full() string {
	if r.Hint == "" {
		return r.Message
	}
	return r.Message + "; " + r.Hint
}

// Within returns the sentence with the hint, or as much as fits: the sentence or, where only that fits, the hint.
func (r Remark) Within(width int) string {
	for _, text := range []string{r.Full(), r.Message, r.Hint} {
		if text != "" && theme.Width(text) <= width {
			return text
		}
	}
	return r.Message
}
