// Package query is the one query of Lens: what is searched, what restricts it, and how people write both. Every front
// end reads a query through it, so that a word, a filter or a limit means the same on the command line, in the
// explorer, over HTTP and MCP, and to the agent. It does no I/O.
//
// Programs send the words of a query and its filters apart. People type one line, whose grammar Parse documents; its
// filters are those of the table Filters.
package query

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"lens/internal/errs"
	"lens/retrieval/dates"
	"lens/retrieval/timebin"
)

// Mode is a way of ranking.
type Mode string

// Auto is Hybrid when a query can be embedded and vectors exist, else Keyword.
const (
	Auto    Mode = "auto"
	Dense   Mode = "dense"
	Hybrid  Mode = "hybrid"
	Keyword Mode = "keyword"
)

// Modes are all modes, the default first.
var Modes = []Mode{Auto, Dense, Hybrid, Keyword}

// Dates is what becomes of dates in the words of a query. They are ranked as words in any case.
type Dates string

// With DatesSoft, turns near a date that the words name rank higher, unless the filter has a window. DatesOff takes a
// date for words and nothing else. "" ranks as that does, but knows dates: OnlyDate reads a query that is one, and
// turns about the other words of a query need not hold those of its date.
const (
	DatesOff  Dates = "off"
	DatesSoft Dates = "soft"
)

// DateModes are all of them, first what "" ranks as.
var DateModes = []Dates{DatesOff, DatesSoft}

// The limits of a Query, and what its absent numbers mean.
const (
	DefaultTopK     = 100
	MaxTopK         = 1000
	DefaultSnippets = 10
	MaxSnippets     = 100     // that HTTP, MCP and the command line list; the explorer may list all of MaxTopK
	MaxBytes        = 8 << 10 // of Text, Phrases and Without together
	MaxExact        = 32      // of Phrases and Without together
	MaxAutoBins     = 60
)

// Query is a search. The zero value searches for nothing: it needs words, a phrase, a turn to resemble, or a filter.
type Query struct {
	Text     string   // words, ranked as one
	Phrases  []string // a turn holds each of them as it stands, on one side; their words are ranked, too
	Without  []string // words and phrases that no turn may hold on either side
	Like     string   // the ID of a turn, or a unique prefix of one, instead of Text and Phrases
	Filter   Filter
	Mode     Mode   // "": Auto
	Dates    Dates  // "": as DatesOff, but dates are known
	TopK     *int   // 1..MaxTopK; nil: DefaultTopK
	Snippets *int   // 0..MaxTopK; nil: DefaultSnippets
	Bin      string // as timebin.Parse reads it; "": auto
	AutoBins int    // how many bins an automatic width makes at most; 0: MaxAutoBins

	// Explain asks what each place in a list by words is due to: the features of a match, with their weights.
	Explain bool

	// Occurrences asks what sets the peaks of the occurrences apart also where the matches are not found by words alone.
	Occurrences bool

	// Quick asks for an answer at once: of many turns whose texts decide, only the best are read, and the result says
	// so. Without it all of them are.
	Quick bool
}

// Literal returns a query for text in which no character is special: as programs send it.
func Literal(text string) Query { return Query{Text: text} }

// Words returns what is ranked: Text and the words of the phrases.
func (q Query) Words() string {
	if len(q.Phrases) == 0 {
		return q.Text
	}
	return strings.TrimSpace(q.Text + " " + strings.Join(q.Phrases, " "))
}

// HasWords reports whether there is anything to rank by.
func (q Query) HasWords() bool { return strings.TrimSpace(q.Text) != "" || len(q.Phrases) > 0 }

// Limit returns the number of matches, with its default.
func (q Query) Limit() int { return valueOr(q.TopK, DefaultTopK) }

// Listed returns the number of listed matches, with its default.
func (q Query) Listed() int { return valueOr(q.Snippets, DefaultSnippets) }

func valueOr(n *int, fallback int) int {
	if n == nil {
		return fallback
	}
	return *n
}

// Validate checks everything but Like, which only an archive knows. Errors: errs.Invalid; errs.TooLarge for more than
// MaxBytes of words.
func (q Query) Validate() error {
	size := len(q.Text)
	for _, exact := range slices.Concat(q.Phrases, q.Without) {
		if size += len(exact); !hasWord(exact) {
			return invalid("use letters or digits", "a phrase has no word in it")
		}
	}
	switch {
	case size > MaxBytes:
		return errTooLong
	case len(q.Phrases)+len(q.Without) > MaxExact:
		return invalid("", "%d phrases and exclusions, at most %d allowed", len(q.Phrases)+len(q.Without), MaxExact)
	case q.Like != "" && q.HasWords():
		return invalid("remove one of them", "a query has words or a turn to resemble, not both")
	case q.Like == "" && !q.HasWords() && len(q.Without) == 0 && q.Filter.IsZero():
		return invalid("type what you are looking for", "the query is empty")
	case q.Mode != "" && !slices.Contains(Modes, q.Mode):
		return invalid("use auto, dense, hybrid or keyword", "unknown mode")
	case q.Dates != "" && !slices.Contains(DateModes, q.Dates):
		return invalid("use off or soft", "unknown way to read dates")
	}
	return q.validateLimits()
}

func (q Query) validateLimits() error {
	if k := q.Limit(); k < 1 || k > MaxTopK {
		return invalid("", "top_k is %d, must be 1 to %d", k, MaxTopK)
	}
	if n := q.Listed(); n < 0 || n > MaxTopK {
		return invalid("", "%d snippets requested, must be 0 to %d", n, MaxTopK)
	}
	if q.AutoBins < 0 || q.AutoBins > timebin.MaxBins {
		return invalid("", "%d bins requested, must be 1 to %d", q.AutoBins, timebin.MaxBins)
	}
	if _, err := timebin.Parse(q.Bin); err != nil {
		return err
	}
	return q.Filter.Validate(q)
}

// Window returns the half-open window of the filter; a zero end is open.
func (q Query) Window() (since, until time.Time) { return q.Filter.Since, q.Filter.Until }

// OnlyDate returns the time that the query names if it asks for nothing else, as in May 2023, week 20, what did I do
// last week. With phrases, a window or DatesOff it asks for words. now and end are as of dates.Find.
func (q Query) OnlyDate(now, end time.Time) (dates.Named, bool) {
	isVerb := q.Text == "may" || q.Text == "march" // alone, only a capital makes it a month
	if len(q.Phrases)+len(q.Without) > 0 || isVerb || q.Dates == DatesOff || !q.Filter.Since.IsZero() ||
		!q.Filter.Until.IsZero() {
		return dates.Named{}, false
	}
	return dates.Only(q.Text, now, end)
}

// hasWord reports whether text has a letter or a digit.
func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

var errTooLong = &errs.Error{
	Code: errs.TooLarge, Op: "query", Message: "the query is longer than 8 KiB", Hint: "use fewer words",
}

func invalid(hint, format string, args ...any) error {
	return &errs.Error{Code: errs.Invalid, Op: "query", Message: fmt.Sprintf(format, args...), Hint: hint}
}
