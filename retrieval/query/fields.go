package query

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval/dates"
	"lens/retrieval/timebin"
)

// Kind is what the values of a filter look like.
type Kind int

// The kinds. A front end makes a flag, a parameter or a schema of each.
const (
	Text     Kind = iota
	Time          // as timebin.ParseSpan reads it
	Choice        // one of Field.Values
	ID            // a complete UUID
	Switch        // true or false; people also type yes and no
	Number        // from 0 to 1
	Count         // a whole number from 1 to maxCount
	KeyValue      // key=value
)

// The limits of values.
const (
	maxCount      = 1_000_000
	MaxValues     = 32      // of a filter, those that are excluded included
	MaxValueBytes = 1 << 10 // of each
)

// Field is a filter: a row of the table that every front end reads.
type Field struct {
	Key   string // in the grammar, and what saved queries say: since for since:2024-05
	Flag  string // of the command line
	Param string // of HTTP, and an argument of MCP and of the agent's tool

	Kind       Kind
	Values     []string // of a Choice
	Many       bool     // may be given several times
	Negatable  bool     // -key:value leaves out what key:value finds
	SearchOnly bool     // says nothing about a count of all turns, where nothing is searched
	Doc        string   // what it restricts a search to, after "only" or alone; no full stop
	Example    string   // a value

	set   func(f *Filter, value string, not bool, now time.Time) error
	terms func(f *Filter) []term
}

// term is a filter as it is typed.
type term struct {
	not   bool
	value string
}

// Kinds are what turns can be: store.Kinds.
var Kinds = []string{
	"chat", "canvas", "artifact", "attachment", "project", "memory", "instructions", "prompt", "tool", "thought",
	"document", "record",
}

// Filters are all filters, in the order in which front ends show them.
var Filters = []Field{
	{
		Key: "since", Flag: "since", Param: "start_time", Kind: Time, Example: "2024-05",
		Doc: "turns from this time on: 2024-05, 2024-05-03, yesterday, last 90d, or a range such as 2024-05..2024-06",
		set: setSince, terms: func(f *Filter) []term { return timeTerm(f.Since) },
	},
	{
		Key: "until", Flag: "until", Param: "end_time", Kind: Time, Example: "2024-06",
		Doc: "turns before this time, which is not included",
		set: setUntil, terms: func(f *Filter) []term { return timeTerm(f.Until) },
	},
	{
		Key: "source", Flag: "source", Param: "sources", Kind: Choice, Many: true, Negatable: true, Example: "claude",
		Values: sources,
		Doc:    "turns from this source", set: setSource,
		terms: func(f *Filter) []term { return f.Sources.terms(asIs) },
	},
	{
		Key: "kind", Flag: "kind", Param: "kind", Kind: Choice, Many: true, Negatable: true, Example: "artifact",
		Values: Kinds,
		Doc:    "turns of this kind", set: setKind,
		terms: func(f *Filter) []term { return f.Kinds.terms(asIs) },
	},
	{
		Key: "conversation", Flag: "conversation", Param: "conversation_id", Kind: ID, Many: true, Negatable: true,
		Example: "0b8f6e3c-9d2a-4c1e-8a57-3f2ab81c0d11",
		Doc:     "turns of the conversation with this ID", set: setConversation,
		terms: func(f *Filter) []term { return f.Conversations.terms(uuid.UUID.String) },
	},
	{
		Key: "title", Flag: "title", Param: "title", Kind: Text, Many: true, Negatable: true, Example: "invoice",
		Doc: "turns of conversations with these words in the title",
		set: func(f *Filter, value string, not bool, _ time.Time) error {
			if !hasWord(value) {
				return errors.New("needs a word")
			}
			f.Titles.Add(strings.Join(strings.Fields(value), " "), not)
			return nil
		},
		terms: func(f *Filter) []term { return f.Titles.terms(asIs) },
	},
	{
		Key: "topic", Flag: "topic", Param: "topic", Kind: Text, Many: true, Negatable: true, Example: "japan",
		Doc: "turns about this topic: a word of its label, or its number",
		set: func(f *Filter, value string, not bool, _ time.Time) error {
			if !hasWord(value) {
				return errors.New("needs a word")
			}
			f.Topics.Add(strings.Join(strings.Fields(value), " "), not)
			return nil
		},
		terms: func(f *Filter) []term { return f.Topics.terms(asIs) },
	},
	{
		Key: "model", Flag: "model", Param: "model", Kind: Text, Many: true, Negatable: true, Example: "gpt-4o",
		Doc: "turns answered by this model",
		set: func(f *Filter, value string, not bool, _ time.Time) error {
			f.Models.Add(strings.ToLower(value), not)
			return nil
		},
		terms: func(f *Filter) []term { return f.Models.terms(asIs) },
	},
	{
		Key: "role", Flag: "role", Param: "role", Kind: Choice, Values: []string{"user", "assistant"}, Example: "user",
		SearchOnly: true,
		Doc:        "turns with the words and phrases on this side", set: setRole,
		terms: func(f *Filter) []term { return textTerm(string(f.Role)) },
	},
	{
		Key: "has-code", Flag: "has-code", Param: "has_code", Kind: Switch, Negatable: true, Example: "yes",
		Doc: "turns with a block of code; with no or false, turns without one", set: setHasCode,
		terms: func(f *Filter) []term { return f.codeTerm() },
	},
	{
		Key: "branches", Flag: "all-branches", Param: "all_branches", Kind: Switch, Example: "yes",
		Doc: "abandoned branches, too: turns that were edited or retried, and answers that were not chosen", set: setBranches,
		terms: func(f *Filter) []term { return f.branchTerm() },
	},
	{
		Key: "similarity", Flag: "min-similarity", Param: "min_similarity", Kind: Number, Example: "0.4",
		SearchOnly: true,
		Doc:        "turns with at least this cosine similarity to the query", set: setSimilarity,
		terms: func(f *Filter) []term { return numberTerm(f.MinSimilarity) },
	},
	{
		Key: "min-words", Flag: "min-words", Param: "min_words", Kind: Count, Example: "200",
		Doc: `turns with at least this many words, not counting common ones such as "the"`, set: setMinWords,
		terms: func(f *Filter) []term { return countTerm(f.MinWords) },
	},
	{
		Key: "tag", Flag: "tag", Param: "tag", Kind: Text, Many: true, Negatable: true, Example: "work",
		Doc: "documents imported with this tag",
		set: func(f *Filter, value string, not bool, _ time.Time) error {
			f.Tags.Add(value, not)
			return nil
		},
		terms: func(f *Filter) []term { return f.Tags.terms(asIs) },
	},
	{
		Key: "meta", Flag: "meta", Param: "meta", Kind: KeyValue, Many: true, Negatable: true, Example: "entity=acme",
		Doc: "chunks with this value under this key of their metadata: key=value", set: setMeta,
		terms: func(f *Filter) []term { return f.Meta.terms(Pair.String) },
	},
}

// FieldOf returns the filter with a key of the grammar.
func FieldOf(key string) (Field, bool) {
	i := slices.IndexFunc(Filters, func(f Field) bool { return f.Key == key })
	if i < 0 {
		return Field{}, false
	}
	return Filters[i], true
}

// Set adds a filter to f. Relative times count back from now. The error is an invalid *errs.Error whose message follows
// the filter's name in a sentence: "is not a date or time".
func (d Field) Set(f *Filter, value string, not bool, now time.Time) error {
	if value = strings.TrimSpace(strings.ToValidUTF8(value, "\uFFFD")); value == "" {
		return wrong("is empty", d.hint(value))
	}
	if not && !d.Negatable {
		return wrong("cannot be negated", "")
	}
	err := d.set(f, value, not, now)
	if err == nil {
		return d.check(f)
	}
	var known *errs.Error
	if errors.As(err, &known) {
		return err
	}
	return wrong(err.Error(), d.hint(value))
}

// check checks how many values f has, and how long they are. Its error is like that of Set.
func (d Field) check(f *Filter) error {
	terms := d.terms(f)
	switch {
	case len(terms) > MaxValues:
		return wrong(fmt.Sprintf("has more than %d values", MaxValues), "use fewer, or search several times")
	case slices.ContainsFunc(terms, func(t term) bool { return len(t.value) > MaxValueBytes }):
		return wrong("has a value longer than 1 KiB", "shorten it")
	}
	return nil
}

// named makes a sentence of its own of an error of Set: since: "2023-13" is not a date or time. It quotes a value that
// was to be a time or a choice: others may be what the user is looking for, which no error says.
func (d Field) named(err error, value string) error {
	var known *errs.Error
	if !errors.As(err, &known) {
		return err
	}
	message, isVerb := strings.CutPrefix(known.Message, "is ")
	quoted := strconv.Quote(shortened(value))
	switch {
	case d.Kind == Choice && known.Message == errUnknown.Error():
		message = "no " + d.Key + " is named " + quoted
	case isVerb && d.Kind == Time && value != "":
		message = d.Key + ": " + quoted + " is " + message
	default:
		message = d.Key + ": " + message
	}
	return wrong(message, known.Hint)
}

// errUnknown is the error of a value that is none of the choices.
var errUnknown = errors.New("is unknown")

// shortened returns a value as far as an error quotes it.
func shortened(value string) string {
	const most = 32
	if letters := []rune(value); len(letters) > most {
		return string(letters[:most]) + "…"
	}
	return value
}

// hint says how a value looks. Of many choices, it names those that are near to value, if any are.
func (d Field) hint(value string) string {
	isNear := func(choice string) bool {
		return strings.HasPrefix(choice, value) || nearlyEqual(strings.ToLower(value), choice)
	}
	choices := slices.DeleteFunc(slices.Clone(d.Values), func(choice string) bool { return !isNear(choice) })
	if len(choices) == 0 {
		choices = d.Values
	}
	switch {
	case len(choices) == 1:
		return "use " + choices[0]
	case len(choices) > 0:
		return "use one of " + strings.Join(choices, ", ")
	case d.Example != "":
		return "use a value such as " + d.Example
	}
	return ""
}

func wrong(message, hint string) error {
	return &errs.Error{Code: errs.Invalid, Op: "query", Message: message, Hint: hint}
}

// Strings returns the values of the filter in f as they are typed, those that are excluded with a leading hyphen.
func (d Field) Strings(f Filter) []string {
	var all []string
	for _, t := range d.terms(&f) {
		if t.not {
			t.value = "-" + t.value
		}
		all = append(all, t.value)
	}
	return all
}

// spanOf reads a time, else a date in words.
func spanOf(
	parse func(string, time.Time) (timebin.Span, error), value string, now time.Time,
) (timebin.Span, error) {
	span, err := parse(value, now)
	if named, ok := dates.InWords(value, now); err != nil && ok {
		return named, nil
	}
	return span, err
}

// setSince sets the start of the window, or the whole of it for a range.
func setSince(f *Filter, value string, _ bool, now time.Time) error {
	span, err := spanOf(timebin.ParseSpan, value, now)
	return f.startWith(span, err, value)
}

// setSinceClosed is setSince where the end of a range belongs to it.
func setSinceClosed(f *Filter, value string, _ bool, now time.Time) error {
	span, err := spanOf(timebin.ParseClosedSpan, value, now)
	return f.startWith(span, err, value)
}

func (f *Filter) startWith(span timebin.Span, err error, value string) error {
	if err != nil {
		return notATime(err)
	}
	if !strings.Contains(value, "..") {
		span.Until = time.Time{}
	}
	f.narrow(span)
	return nil
}

// setUntil ends the window where the value begins. What reaches the last day has no end.
func setUntil(f *Filter, value string, _ bool, now time.Time) error {
	span, err := spanOf(timebin.ParseSpan, value, now)
	if err == nil && span.Since.IsZero() && !strings.Contains(value, "..") { // would be an open end
		return wrong("has nothing before it", "omit it for no end")
	}
	if span.Until.IsZero() {
		span.Since = span.Until
	}
	return f.endAt(span.Since, err, value)
}

// setUntilClosed ends the window where the value ends.
func setUntilClosed(f *Filter, value string, _ bool, now time.Time) error {
	span, err := spanOf(timebin.ParseClosedSpan, value, now)
	return f.endAt(span.Until, err, value)
}

func (f *Filter) endAt(until time.Time, err error, value string) error {
	switch {
	case strings.Contains(value, ".."):
		return wrong("takes one time, not a range", "only a start can be a range such as 2024-05..2024-06")
	case err != nil:
		return notATime(err)
	}
	f.narrow(timebin.Span{Until: until})
	return nil
}

// narrow leaves what f's window and span have in common: of two starts the later one, of two ends the earlier one.
func (f *Filter) narrow(span timebin.Span) {
	if span.Since.After(f.Since) {
		f.Since = span.Since
	}
	if !span.Until.IsZero() && (f.Until.IsZero() || span.Until.Before(f.Until)) {
		f.Until = span.Until
	}
}

// notATime turns an error of timebin into one that follows a name.
func notATime(err error) error {
	var known *errs.Error
	if !errors.As(err, &known) {
		return err
	}
	return wrong("is "+known.Message, known.Hint)
}

func setSource(f *Filter, value string, not bool, _ time.Time) error {
	if !slices.Contains(sources, value) {
		return errUnknown
	}
	f.Sources.Add(value, not)
	return nil
}

func setKind(f *Filter, value string, not bool, _ time.Time) error {
	if !slices.Contains(Kinds, value) {
		return errUnknown
	}
	f.Kinds.Add(value, not)
	return nil
}

func setConversation(f *Filter, value string, not bool, _ time.Time) error {
	id, err := uuid.Parse(value)
	if err != nil || len(value) != len(uuid.Nil.String()) || id == uuid.Nil {
		return wrong("is not a complete ID", "copy the conversation ID of a match or a turn")
	}
	f.Conversations.Add(id, not)
	return nil
}

func setRole(f *Filter, value string, _ bool, _ time.Time) error {
	if value != string(User) && value != string(Assistant) {
		return errUnknown
	}
	f.Role = Role(value)
	return nil
}

func setHasCode(f *Filter, value string, not bool, _ time.Time) error {
	yes, err := readSwitch(value)
	yes = yes != not
	f.HasCode = &yes
	return err
}

func setBranches(f *Filter, value string, _ bool, _ time.Time) (err error) {
	f.Branches, err = readSwitch(value)
	return err
}

func readSwitch(value string) (bool, error) {
	switch value {
	case "yes", "true":
		return true, nil
	case "no", "false":
		return false, nil
	}
	return false, wrong("is neither true nor false", "use yes or no, true or false")
}

func setSimilarity(f *Filter, value string, _ bool, _ time.Time) error {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !(x >= 0 && x <= 1) || strings.ContainsAny(value, "xXpP_+") {
		return errors.New("must be a number from 0 to 1")
	}
	f.MinSimilarity = &x
	return nil
}

func setMinWords(f *Filter, value string, _ bool, _ time.Time) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > maxCount || strconv.Itoa(n) != value {
		return fmt.Errorf("must be a whole number from 1 to %d", maxCount)
	}
	f.MinWords = n
	return nil
}

func setMeta(f *Filter, value string, not bool, _ time.Time) error {
	key, text, ok := strings.Cut(value, "=")
	if !ok || key == "" || text == "" {
		return errors.New("must be a key and a value")
	}
	f.Meta.Add(Pair{key, text}, not)
	return nil
}

// String returns the pair as it is typed.
func (p Pair) String() string { return p.Key + "=" + p.Value }

func asIs(text string) string { return text }

func (v Values[T]) terms(print func(T) string) []term {
	var all []term
	for _, value := range v.In {
		all = append(all, term{false, print(value)})
	}
	for _, value := range v.Not {
		all = append(all, term{true, print(value)})
	}
	return all
}

func textTerm(text string) []term {
	if text == "" {
		return nil
	}
	return []term{{false, text}}
}

// timeTerm prints a day as such, and any other time to the second or finer.
func timeTerm(t time.Time) []term {
	switch t = t.UTC(); {
	case t.IsZero():
		return nil
	case t.Equal(t.Truncate(24 * time.Hour)):
		return textTerm(t.Format(time.DateOnly))
	}
	return textTerm(t.Format(time.RFC3339Nano))
}

func numberTerm(x *float64) []term {
	if x == nil {
		return nil
	}
	return textTerm(strconv.FormatFloat(*x, 'f', -1, 64))
}

func countTerm(n int) []term {
	if n == 0 {
		return nil
	}
	return textTerm(strconv.Itoa(n))
}

func (f *Filter) codeTerm() []term {
	switch {
	case f.HasCode == nil:
		return nil
	case *f.HasCode:
		return textTerm("yes")
	}
	return textTerm("no")
}

func (f *Filter) branchTerm() []term {
	if !f.Branches {
		return nil
	}
	return textTerm("yes")
}
