package query

import (
	"slices"
	"time"

	"github.com/google/uuid"
)

// Role is the author of one side of a turn.
type Role string

// The sides of a turn.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Filter says which turns count. What is zero, nil or empty restricts nothing: no value stands for "any".
type Filter struct {
	Since, Until  time.Time         // half-open; a zero end is open
	Sources       Values[string]    // of the turn: chatgpt, claude …
	Kinds         Values[string]    // of the turn: chat, artifact …
	Conversations Values[uuid.UUID] // that the turn belongs to
	Titles        Values[string]    // words of the conversation's title
	Topics        Values[string]    // that the conversation is about: an ID, or words of a label
	Models        Values[string]    // that wrote the answer, in lower case
	Role          Role              // words and phrases occur on this side; "": on either
	HasCode       *bool             // whether there is a block of code
	Branches      bool              // turns off the active path, too
	MinSimilarity *float64          // least cosine, 0..1
	MinWords      int               // least number of the index's terms in the turn, with repetitions
	Tags          Values[string]    // of a document
	Meta          Values[Pair]      // of a chunk
}

// Values restricts a property. Of In, a turn has one; of titles and metadata, which can have several, it has all.
type Values[T comparable] struct{ In, Not []T }

// IsZero reports whether v restricts nothing.
func (v Values[T]) IsZero() bool { return len(v.In) == 0 && len(v.Not) == 0 }

// Add adds a value, or with not an excluded one, once.
func (v *Values[T]) Add(value T, not bool) {
	list := &v.In
	if not {
		list = &v.Not
	}
	if !slices.Contains(*list, value) {
		*list = append(*list, value)
	}
}

// Pair is a key of a chunk's metadata and its value.
type Pair struct{ Key, Value string }

// IsZero reports whether f lets every turn of an active path through.
func (f Filter) IsZero() bool {
	return f.Since.IsZero() && f.Until.IsZero() && f.Sources.IsZero() && f.Kinds.IsZero() &&
		f.Conversations.IsZero() && f.Titles.IsZero() && f.Topics.IsZero() && f.Models.IsZero() &&
		f.Role == "" && f.HasCode == nil && !f.Branches && f.MinSimilarity == nil &&
		f.MinWords == 0 && f.Tags.IsZero() && f.Meta.IsZero()
}

// With returns f with the restrictions of other, too. Where a filter has one value, other's takes its place.
func (f Filter) With(other Filter) Filter {
	return filterOf(func(field Field) []term {
		terms := field.terms(&other)
		if field.Many || len(terms) == 0 {
			terms = append(field.terms(&f), terms...)
		}
		return terms
	})
}

// Drop returns f without an item of Strings.
func (f Filter) Drop(item string) Filter {
	return filterOf(func(field Field) []term {
		return slices.DeleteFunc(field.terms(&f), func(t term) bool { return field.item(t) == item })
	})
}

// filterOf returns the filter that has these terms, which are read as they were printed.
func filterOf(terms func(Field) []term) Filter {
	var f Filter
	for _, field := range Filters {
		for _, t := range terms(field) {
			_ = field.Set(&f, t.value, t.not, time.Time{})
		}
	}
	return f
}

// Validate checks f as the filter of q.
func (f Filter) Validate(q Query) error {
	for _, field := range Filters {
		if err := field.check(&f); err != nil {
			return field.named(err, "")
		}
	}
	switch {
	case !f.Since.IsZero() && !f.Until.IsZero() && !f.Since.Before(f.Until):
		const hint = "the end is not included: to include May 2024, end with 2024-06"
		return invalid(hint, "the window is empty or ends before it starts")
	case f.Role != "" && !q.HasWords():
		return invalid("add a word or a phrase", "a role says who used the words, and there are none")
	case f.Role != "" && q.Mode == Dense:
		return invalid("use keyword or hybrid", "a role is about words, and dense ranking has none")
	case f.MinSimilarity != nil && !q.HasWords() && q.Like == "":
		return invalid("add a word, or choose a turn", "a similarity is to words or a turn, and there are none")
	case f.MinSimilarity != nil && q.Mode == Keyword:
		return invalid("use dense or hybrid", "a similarity is about vectors, and keyword ranking has none")
	}
	return nil
}
