package search_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/search"
	"lens/tui/theme"
	"lens/tui/ui/uitest"
	"lens/tui/zoom"
)

// diary is an engine with a turn in each month of 2023 and 2024. It finds those with all words of a query. Where
// phrases or exclusions decide, a quick search reads only the turns of 2023.
type diary struct {
	turns     []retrieval.Match
	asked     []string
	before    func(call string) error // what may fail a call; nil: none does
	notice    string
	embedded  float64
	doubt     *float64 // the confidence of peeks
	language  string   // what peeks say of languages
	faint     bool
	mode      query.Mode // of peeks
	truncated bool
	titles    []retrieval.TitleMatch
	words     []int64 // when turns have the words of a query; nil: that is not counted
	spelling  string
	page      int // how many turns are listed at a time; 0: all
}

// leftOut is the notice of a partial result.
const leftOut = "Some texts were left out."

// newDiary returns a diary in which apples are in all turns, pies in the even months, and lentils in May of 2023 only.
func newDiary() *diary {
	d := &diary{}
	for i := range 24 {
		at := time.Date(2023, time.Month(1+i), 15, 12, 0, 0, 0, time.UTC)
		text := at.Format("2006-01") + " apple"
		if at.Month()%2 == 0 {
			text += " pie"
		}
		if i == 4 {
			text += " lentils"
		}
		d.turns = append(d.turns, retrieval.Match{
			TurnID:       uuid.NewSHA1(uuid.NameSpaceOID, []byte(text)),
			Conversation: uuid.NewSHA1(uuid.NameSpaceOID, []byte{byte(i / 6)}),
			Title:        fmt.Sprint("Half-year ", i/6),
			Time:         &at,
			UserSnippet:  text,
		})
	}
	return d
}

// add adds turns before the others.
func (d *diary) add(n int) {
	for range n {
		at := d.turns[0].Time.Add(-time.Hour)
		d.turns = slices.Insert(d.turns, 0, retrieval.Match{TurnID: uuid.New(), Time: &at, UserSnippet: at.String()})
	}
}

func (d *diary) ask(ctx context.Context, call string) error {
	d.asked = append(d.asked, call)
	if d.before != nil {
		if err := d.before(call); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// named describes a call: "quick peek apple 2023-05-01..2023-06-01".
func named(verb string, q query.Query) string {
	parts := []string{verb, q.Words()}
	if q.Quick {
		parts = slices.Insert(parts, 0, "quick")
	}
	if since, until := q.Window(); !since.IsZero() {
		parts = append(parts, since.Format(time.DateOnly)+".."+until.Format(time.DateOnly))
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// find returns the turns that match, and whether some were not read.
func (d *diary) find(q query.Query) (found []retrieval.Match, partial bool) {
	since, until := q.Window()
	for i := range d.turns {
		turn := d.turns[i]
		if !since.IsZero() && (turn.Time.Before(since) || !turn.Time.Before(until)) {
			continue
		}
		if partial = q.Quick && len(q.Phrases)+len(q.Without) > 0 && i >= 12; partial {
			break
		}
		has := func(word string) bool { return strings.Contains(turn.UserSnippet, word) }
		if slices.ContainsFunc(q.Without, has) {
			continue
		}
		if !slices.ContainsFunc(strings.Fields(q.Words()), func(word string) bool { return !has(word) }) {
			found = append(found, turn)
		}
	}
	return slices.Clone(found), partial
}

// said returns the notice of a search.
func (d *diary) said(partial bool) string {
	if partial {
		return leftOut
	}
	return d.notice
}

func (d *diary) Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error) {
	if err := d.ask(ctx, named("peek", q)); err != nil {
		return nil, err
	}
	matches, partial := d.find(q)
	p := &retrieval.Peek{
		Matches:   matches,
		Times:     timesOf(matches),
		Titles:    slices.Clone(d.titles),
		Histogram: retrieval.Histogram{Total: len(matches)},
		Coverage:  retrieval.Coverage{Embedded: d.embedded, Faint: d.faint, Truncated: d.truncated, Confidence: d.doubt},
		Notice:    d.said(partial),
		Partial:   partial,
		Language:  d.language,
		Mode:      d.mode,
	}
	if d.words != nil {
		p.Occurrences = &retrieval.Occurrences{Times: d.words, Histogram: retrieval.Histogram{Total: len(d.words)}}
	}
	return p, nil
}

func (d *diary) Browse(
	ctx context.Context, q query.Query, opts retrieval.BrowseOptions,
) (*retrieval.BrowseResult, error) {
	call := fmt.Sprintf("%s, at most %d", named("browse", q), opts.Limit)
	if opts.Oldest {
		call += " oldest first"
	}
	if opts.After > 0 {
		call += fmt.Sprintf(" after %d", opts.After)
	}
	if err := d.ask(ctx, call); err != nil {
		return nil, err
	}
	matches, partial := d.find(q)
	page := matches[min(opts.After, len(matches)):]
	if d.page > 0 {
		page = page[:min(d.page, len(page))]
	}
	return &retrieval.BrowseResult{
		Matches: slices.Clone(page),
		Times:   timesOf(matches),
		Total:   len(matches),
		Undated: 1,
		TopConversations: []retrieval.ConversationCount{
			{Conversation: d.turns[0].Conversation, Title: d.turns[0].Title, Turns: 6},
		},
		Notice:  d.said(partial),
		Partial: partial,
	}, nil
}

func (d *diary) Suggest(ctx context.Context, text string) (string, error) {
	return d.spelling, d.ask(ctx, "suggest "+text)
}

func timesOf(matches []retrieval.Match) []int64 {
	times := make([]int64, len(matches))
	for i := range matches {
		times[i] = matches[i].Time.Unix()
	}
	return times
}

// Windows of the diary.
var (
	all2023 = zoom.Span{From: second(2023, 1), To: second(2024, 1)}
	spring  = zoom.Span{From: second(2023, 3), To: second(2023, 6)}
	may     = zoom.Span{From: second(2023, 5), To: second(2023, 6)}
	june    = zoom.Span{From: second(2023, 6), To: second(2023, 7)}
	year    = zoom.Span{From: second(2024, 1), To: second(2025, 1)}
)

// seeker drives a finder as the app does.
type seeker struct {
	*uitest.Driver
	*search.Finder
	diary  *diary
	wanted search.Wanted
	turns  int // how many are wanted at least, without a query
	now    time.Time
}

func seek(d *diary, opts search.Options) *seeker {
	c := uitest.Context(theme.Dark)
	s := &seeker{Finder: search.NewFinder(c, opts), diary: d, now: uitest.Noon}
	c.Now = func() time.Time { return s.now }
	c.KeyOf = func(command string) string {
		return map[string]string{"pinned": "P", "histogram.next-chart": "C"}[command]
	}
	s.SetEngine(d)
	s.Driver = uitest.Drive(c, s)
	s.wanted.View = archive
	return s
}

// sought is what a text searches for.
func sought(text string) search.Search {
	q, _, err := query.Parse(text, time.Time{})
	if err != nil {
		panic(err)
	}
	return search.Of(q, uuid.Nil)
}

// want searches for a text in a window; without one, in all of the archive.
func (s *seeker) want(text string, window ...zoom.Span) *seeker {
	s.wanted = search.Wanted{Key: search.Key{Search: sought(text)}, View: archive, All: true}
	s.wanted.Words = s.wanted.Query().Text
	if !s.wanted.IsSomething() {
		s.wanted.Order = search.ByDate
	}
	if len(window) > 0 {
		s.wanted.Window, s.wanted.View, s.wanted.All = window[0], window[0], false
	}
	s.Run(nil)
	return s
}

// typed is want while one types.
func (s *seeker) typed(text string, window zoom.Span) *seeker {
	s.wanted = search.Wanted{Key: search.Key{Search: sought(text), Window: window}, View: window, Typing: true}
	s.wanted.Words = s.wanted.Query().Text
	s.Run(nil)
	return s
}

// Arrange tells the finder what is wanted.
func (s *seeker) Arrange() { s.Want(s.wanted) }

// Requests returns what the finder asks for, given the matches in view.
func (s *seeker) Requests() tea.Cmd {
	listed := 0
	if found := s.Found(); found.Peek != nil {
		listed = len(s.wanted.View.Of(found.Peek.Times))
	}
	return s.Finder.Requests(listed, s.turns)
}

// View returns the texts that were found.
func (s *seeker) View() (lines []string) {
	if found := s.Found(); found.Peek != nil {
		for i := range found.Peek.Matches {
			lines = append(lines, found.Peek.Matches[i].UserSnippet)
		}
	}
	return lines
}

// results runs the held commands and returns what they deliver, which has not arrived yet.
func (s *seeker) results() (msgs []tea.Msg) {
	for len(s.Held) > 0 {
		held := s.Held[0]
		s.Held = s.Held[1:]
		switch msg := held().(type) {
		case nil:
		case tea.BatchMsg:
			s.Held = append(s.Held, msg...)
		default:
			msgs = append(msgs, msg)
		}
	}
	return msgs
}

// arrive delivers the results of the held commands, and holds what follows.
func (s *seeker) arrive() *seeker {
	s.Send(s.results()...)
	return s
}

// release runs the held commands, and what follows.
func (s *seeker) release() *seeker {
	s.Hold = false
	return s.arrive()
}

// asked returns what the engine was asked since the last call.
func (s *seeker) asked() []string {
	asked := s.diary.asked
	s.diary.asked = nil
	return asked
}

// mustAsk checks what the engine was asked since the last check.
func (s *seeker) mustAsk(t *testing.T, want ...string) *seeker {
	t.Helper()
	if asked := s.asked(); !slices.Equal(asked, want) {
		t.Errorf("the engine was asked %q, want %q", asked, want)
	}
	return s
}

// mustFind checks how many matches are shown.
func (s *seeker) mustFind(t *testing.T, n int) *seeker {
	t.Helper()
	if lines := s.View(); len(lines) != n {
		t.Errorf("%d matches are shown, want %d:\n%s", len(lines), n, s.Text())
	}
	return s
}

// failing fails the calls that begin with a text.
func failing(begin string, err error) func(string) error {
	return func(call string) error {
		if strings.HasPrefix(call, begin) {
			return err
		}
		return nil
	}
}
