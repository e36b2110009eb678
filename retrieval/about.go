package retrieval

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/retrieval/dates"
	"lens/retrieval/query"
	"lens/retrieval/topics"
	"lens/store"
	"lens/store/terms"
)

// About is what a window was about.
type About struct {
	Window
	Turns         int          `json:"turns"` // of chats, on active paths
	Conversations int          `json:"conversations"`
	Others        int          `json:"others"` // turns of all other times, which say what is usual
	Topics        []AboutTopic `json:"topics"` // those with most turns first; some chats are of none
	Titles        []AboutTitle `json:"titles"` // of the conversations with most turns, up to five
	Notice        string       `json:"notice,omitempty"`
}

// minOthers is how many turns of other times say what is usual, whatever the window has.
const minOthers = 100

// KnowsUsual reports whether there are enough turns of other times to say what is usual.
func (b *About) KnowsUsual() bool { return b.Others >= min(b.Turns, minOthers) }

// Distinctive returns the topics that say most about the window: those that it has more of than usual, the most unusual
// first, else the one whose share of the turns is furthest above the usual one.
func (b *About) Distinctive() []AboutTopic {
	if len(b.Topics) == 0 {
		return nil
	}
	found := slices.DeleteFunc(slices.Clone(b.Topics), func(t AboutTopic) bool { return !t.Unusual })
	slices.SortStableFunc(found, func(x, y AboutTopic) int { return cmp.Compare(y.Z, x.Z) })
	if len(found) == 0 {
		found = append(found, slices.MaxFunc(b.Topics, func(x, y AboutTopic) int {
			return cmp.Compare(x.Share-x.Usual, y.Share-y.Usual)
		}))
	}
	return found
}

// Ranked returns all topics: those of Distinctive, then the others, those with most turns first.
func (b *About) Ranked() []AboutTopic {
	ranked := b.Distinctive()
	n := len(ranked)
	for _, topic := range b.Topics {
		if !slices.ContainsFunc(ranked[:n], func(t AboutTopic) bool { return t.ID == topic.ID }) {
			ranked = append(ranked, topic)
		}
	}
	return ranked
}

// AboutTopic is what a topic has of a window. Unusual and Less say that it has more, or much less, than usual: of the
// turns and, beyond chance, of the conversations. Neither is said where what is usual is not known.
type AboutTopic struct {
	ID            int      `json:"id"`
	Label         string   `json:"label"`
	Words         []string `json:"words"` // of the label, the most telling first
	Title         string   `json:"title"`
	Turns         int      `json:"turns"`
	Conversations int      `json:"conversations"`
	Share         float64  `json:"share"` // of the window's turns, 0..1
	Usual         float64  `json:"usual"` // its share of the turns of all other times, 0..1
	Z             float64  `json:"z"`     // by how much its conversations are more frequent than at other times
	Unusual       bool     `json:"unusual"`
	Less          bool     `json:"less"`

	// Mostly is the title of the one conversation with most of these turns, where it says something else than the label;
	// nil without one.
	Mostly *AboutTitle `json:"mostly,omitempty"`
}

// AboutTitle is a title with the turns of its conversations.
type AboutTitle struct {
	Conversation uuid.UUID `json:"conversation_id"` // the longest of those with this title
	Title        string    `json:"title"`
	Turns        int       `json:"turns"`
}

// WindowNamed reads a window as people type it: as timebin.ParseSpan does, or as a date in words that package dates
// finds, such as "last summer" or "May 2023". Relative dates count back from now, or from the last turn of an archive
// that ended long ago. Errors: invalid.
func (e *Engine) WindowNamed(ctx context.Context, text string, now time.Time) (Window, error) {
	a, err := e.snapshot(ctx)
	if err != nil {
		return Window{}, err
	}
	span, err := dates.Span(text, now, a.lastTime())
	return Window{Since: span.Since, Until: span.Until}, err
}

// ListDate returns a query for all turns of the time that q's words name, if they ask for nothing else (see
// query.Query.OnlyDate), and reports whether they do. A date that the archive does not reach, as 1984, may well be a
// name or a number, and stays words; last week is neither.
func (e *Engine) ListDate(ctx context.Context, q query.Query, now time.Time) (listed query.Query, ok bool, err error) {
	a, err := e.snapshot(ctx)
	if err != nil {
		return q, false, err
	}
	named, ok := q.OnlyDate(now, a.lastTime())
	if w := (Window{Since: named.Since, Until: named.Until}); !ok || !named.Relative && a.unreached(w) != "" {
		return q, false, nil
	}
	listed = q
	listed.Text, listed.Filter.Since, listed.Filter.Until = "", named.Since, named.Until
	if listed.Validate() != nil { // a role or a similarity is about words
		return q, false, nil
	}
	return listed, true, nil
}

// lastTime returns the time of the last turn, zero without one.
func (a *snapshot) lastTime() time.Time {
	if a.Dated == 0 {
		return time.Time{}
	}
	return store.FromMicros(a.Time[a.Dated-1])
}

// aboutTitles is how many titles an About has at most.
const aboutTitles = 5

// About says what a window was about. It reads what MakeTopics has kept. Errors: invalid.
func (e *Engine) About(ctx context.Context, w Window) (*About, error) {
	all, err := e.AboutEach(ctx, w)
	if err != nil {
		return nil, err
	}
	return &all[0], nil
}

// AboutEach says what each of several windows was about: five years of quarters take a few milliseconds more than one.
// Errors: invalid.
func (e *Engine) AboutEach(ctx context.Context, windows ...Window) ([]About, error) {
	for _, w := range windows {
		if err := w.filter().Validate(query.Query{Filter: w.filter()}); err != nil {
			return nil, err
		}
	}
	all := make([]About, len(windows))
	err := e.readConsistently(ctx, func(a *snapshot) error {
		t, err := e.topics.load(ctx, a)
		if err != nil {
			return err
		}
		titles, err := e.titles.load(ctx, a)
		if err != nil {
			return err
		}
		var ever *tally
		if t != nil {
			ever = a.tally(t, query.Filter{})
		}
		for i, w := range windows {
			all[i] = About{Window: w, Notice: t.notice()}
			all[i].describe(a, t, titles, ever)
			if all[i].Turns == 0 {
				all[i].Notice = strings.TrimSpace(a.unreached(w) + " " + all[i].Notice)
			}
		}
		return nil
	})
	return all, err
}

// Unreached says where the archive begins or ends and what to try, if it does not reach a window; "" if it does.
func (e *Engine) Unreached(ctx context.Context, w Window) (string, error) {
	a, err := e.snapshot(ctx)
	if err != nil {
		return "", err
	}
	return a.unreached(w), nil
}

// unreached is Unreached of a snapshot.
func (a *snapshot) unreached(w Window) string {
	if a.Dated == 0 {
		return ""
	}
	const day, month = "2 Jan 2006", "Jan 2006" // as in the explorer, which says the same
	first, last := store.FromMicros(a.Time[0]), store.FromMicros(a.Time[a.Dated-1])
	switch {
	case w.Since.After(last):
		return "The archive ends on " + last.Format(day) + "; try " + last.Format(month) + "."
	case !w.Until.IsZero() && !w.Until.After(first):
		return "The archive begins on " + first.Format(day) + "; try " + first.Format(month) + "."
	}
	return ""
}

// filter returns the filter that a window is.
func (w Window) filter() query.Filter { return query.Filter{Since: w.Since, Until: w.Until} }

// describe fills in the counts.
func (b *About) describe(a *snapshot, t *archiveTopics, titles *titles, ever *tally) {
	in := a.tally(t, b.filter())
	b.Turns, b.Conversations = in.all.Turns, in.all.Conversations
	b.Topics, b.Titles = []AboutTopic{}, in.titles(a, titles)
	if t == nil {
		return
	}
	b.Others = ever.all.Turns - in.all.Turns
	longest := in.longest(t)
	for _, p := range topics.Describe(in.topics, in.all, ever.topics, ever.all) {
		k := &t.Topics[p.Topic]
		b.Topics = append(b.Topics, AboutTopic{
			ID: k.ID, Label: k.label(), Words: k.Words, Title: k.Title, Turns: p.Turns, Conversations: p.Conversations,
			Share: p.Share, Usual: p.Usual, Z: p.Z,
			Unusual: b.KnowsUsual() && p.Unusual(), Less: b.KnowsUsual() && p.Less(),
			Mostly: in.mostly(p, longest[p.Topic], k, a, titles),
		})
	}
}

// tally counts the turns of a window.
type tally struct {
	turns  []int // by conversation
	topics []topics.Tally
	all    topics.Tally
}

func (a *snapshot) tally(t *archiveTopics, window query.Filter) *tally {
	n := &tally{turns: make([]int, len(a.Conversations))}
	if t != nil {
		n.topics = make([]topics.Tally, len(t.Topics))
	}
	for row := range a.rowsOfChats(window) {
		c := a.Conversation[row]
		n.turns[c]++
		n.all.Turns++
		fresh := 0
		if n.turns[c] == 1 {
			fresh = 1
			n.all.Conversations++
		}
		if t != nil && t.of[c] >= 0 {
			topic := &n.topics[t.of[c]]
			topic.Turns++
			topic.Conversations += fresh
		}
	}
	return n
}

// longest returns, by topic, the conversation with most turns; -1 for a topic without turns.
func (n *tally) longest(t *archiveTopics) []int {
	longest := slices.Repeat([]int{-1}, len(n.topics))
	for c, turns := range n.turns {
		if turns == 0 || t.of[c] < 0 {
			continue
		}
		if best := &longest[t.of[c]]; *best < 0 || turns > n.turns[*best] {
			*best = c
		}
	}
	return longest
}

// mostly returns the title of the longest conversation of a part where that has most of its turns and no word of the
// topic's label: the topic is then a poor name for them.
func (n *tally) mostly(p topics.Part, longest int, k *keptTopic, a *snapshot, titles *titles) *AboutTitle {
	title, turns := titles.text[longest], n.turns[longest]
	if title == "" || 2*turns <= p.Turns || turns < fewestMostly {
		return nil
	}
	for _, word := range terms.Query(title) {
		if slices.Contains(k.Terms, word) {
			return nil
		}
	}
	return &AboutTitle{Conversation: a.Conversations[longest], Title: title, Turns: turns}
}

// fewestMostly is how many turns a conversation must have for its title to stand for a part of a topic.
const fewestMostly = 3

// titles returns the titles with most turns. Conversations with the same title count as one.
func (n *tally) titles(a *snapshot, titles *titles) []AboutTitle {
	found := []AboutTitle{}
	index, longest := make(map[string]int), make(map[string]int)
	for c, turns := range n.turns {
		title := titles.text[c]
		if turns == 0 || title == "" {
			continue
		}
		i, known := index[title]
		if !known {
			i = len(found)
			index[title] = i
			found = append(found, AboutTitle{Title: title})
		}
		found[i].Turns += turns
		if turns > longest[title] {
			longest[title], found[i].Conversation = turns, a.Conversations[c]
		}
	}
	slices.SortFunc(found, func(x, y AboutTitle) int {
		return cmp.Or(cmp.Compare(y.Turns, x.Turns), cmp.Compare(x.Title, y.Title))
	})
	return found[:min(len(found), aboutTitles)]
}
