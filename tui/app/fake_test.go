package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
)

// fakeEngine is a synthetic archive: five years of turns about a few subjects, the same in every run.
type fakeEngine struct {
	turns    []retrieval.Turn
	mode     query.Mode
	model    string // that has embedded the turns
	mentions retrieval.Mentions
	before   func(ctx context.Context, call string) error // may block, or fail the call
	faint    bool                                         // no clear match
	titles   []retrieval.TitleMatch
	notice   string
	few      int                       // a quick search reads the texts of so many turns; 0: of all
	embedded float64                   // share of the turns
	versions map[uuid.UUID][]uuid.UUID // of questions
}

// fakeArchive opens as a function says.
type fakeArchive struct {
	open  func(context.Context) (Engine, error)
	doing string
	limit func(context.Context) (badge, why string)
}

// fakeJobs imports as a function says; upkeep may be nil.
type fakeJobs struct {
	imports func(path string) Work
	upkeep  func(context.Context) *Work
}

func (j *fakeJobs) Import(paths ...string) Work { return j.imports(strings.Join(paths, " ")) }
func (j *fakeJobs) Embed() *Work                { return nil }
func (j *fakeJobs) Unembedded(context.Context) int {
	return 0
}

func (j *fakeJobs) Upkeep(ctx context.Context) *Work {
	if j.upkeep == nil {
		return nil
	}
	return j.upkeep(ctx)
}

// over returns an archive with an engine.
func over(e Engine) *fakeArchive {
	return &fakeArchive{open: func(context.Context) (Engine, error) { return e, nil }}
}

// broken returns an archive that cannot be opened.
func broken(err error) *fakeArchive {
	return &fakeArchive{open: func(context.Context) (Engine, error) { return nil, err }}
}

func (a *fakeArchive) Open(ctx context.Context) (Engine, error) { return a.open(ctx) }
func (a *fakeArchive) Opening() string                          { return a.doing }
func (a *fakeArchive) Warm(context.Context)                     {}

func (a *fakeArchive) Limit(ctx context.Context) (badge, why string) {
	if a.limit == nil {
		return "", ""
	}
	return a.limit(ctx)
}

var subjects = []struct{ title, question, answer string }{
	{"Rust service notes", "How do I cancel an in-flight reqwest call when the client disconnects?", "Three ways, from least to most invasive:\n\n1. Drop the future - reqwest aborts the request.\n2. `tokio::select!` with a *CancellationToken*:\n\n```rust\ntokio::select! {\n\tr = client.get(u).send() => r?,\n\t_ = token.cancelled() => return Ok(()),\n}\n```\n\n3. A **timeout layer** (`tower::timeout`), see [the docs](https://example.org/tower).\n"},
	{"Rust service notes", "tokio::select! と CancellationToken の違いは？", "`select!` は最初に完了した分岐を選びます。CancellationToken は cancel を伝えるだけです。"},
	{"Kitchen 🍅", "What can I cook with tomatoes, lentils and half a lemon? 🍅", "# Lentil stew\n\nSoften an onion, add the lentils and tomatoes, and finish with lemon.\n\n| what | how much |\n|---|---|\n| lentils | 200 g |\n| tomatoes | 4 |\n"},
	{"Garden", "When should I prune the apple tree, and how much may I cancel out of last year's growth?", "Late winter, before the buds swell.\n\n> Never take more than a quarter.\n"},
	{"Ein Titel, der sehr viel länger ist, als irgendeine Spalte ihn zeigen könnte, und danach noch weitergeht", "Wie sage ich ein Abonnement ab? Ich möchte cancel sagen, höflich.", ""},
}

// newFake returns an archive of about n turns.
func newFake(n int) *fakeEngine {
	f := &fakeEngine{mode: query.Hybrid}
	begin := time.Date(2022, 1, 17, 8, 30, 0, 0, time.UTC)
	seed := uint64(7)
	random := func() float64 { // splitmix64, the same on every platform
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return float64(z^z>>31) / (1 << 64)
	}
	const days = 1780
	for i := range n {
		wave := days * (float64(i) + 6*random()) / float64(n+6)
		if s := random(); s < 0.5 { // half of them gather around three summers
			wave = []float64{340, 850, 1390}[int(s*6)] + 160*(random()+random()+random()-1.5)
		}
		when := begin.Add(time.Duration(wave*24*3600) * time.Second).Truncate(time.Second)
		s := subjects[int(random()*float64(len(subjects)))]
		f.turns = append(f.turns, retrieval.Turn{
			TurnID: uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "turn %d", i)), Conversation: uuid.NewSHA1(uuid.NameSpaceOID, fmt.Appendf(nil, "c %d", i/7)),
			Title: s.title, User: s.question, Assistant: s.answer, Time: &when, TimeSource: "message", Source: "chatgpt", Model: "gpt-4o", OnPath: true, Position: i % 7,
		})
	}
	slices.SortFunc(f.turns, func(a, b retrieval.Turn) int { return a.Time.Compare(*b.Time) })
	for i := range f.turns {
		if i > 0 {
			f.turns[i].Prev = &f.turns[i-1].TurnID
			f.turns[i-1].Next = &f.turns[i].TurnID
		}
	}
	return f
}

// leftOut is the notice of a quick search.
const leftOut = "Of 300 turns whose texts decide, the best were read; the others are left out."

// hurried names a call whose result may be partial.
func hurried(call string, q query.Query) string {
	if q.Quick && len(q.Phrases)+len(q.Without) > 0 {
		return "quick " + call
	}
	return call
}

func (f *fakeEngine) wait(ctx context.Context, call string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if f.before != nil {
		return f.before(ctx, call)
	}
	return nil
}

func within(t time.Time, since, until time.Time) bool {
	return (since.IsZero() || !t.Before(since)) && (until.IsZero() || t.Before(until))
}

// passes reports whether t passes the parts of a filter that the explorer's tests use.
func passes(t *retrieval.Turn, f query.Filter) bool {
	return (len(f.Conversations.In) == 0 || slices.Contains(f.Conversations.In, t.Conversation)) &&
		(len(f.Titles.In) == 0 || strings.Contains(strings.ToLower(t.Title), f.Titles.In[0])) &&
		(len(f.Sources.In) == 0 || slices.Contains(f.Sources.In, t.Source)) && within(*t.Time, f.Since, f.Until)
}

// checkBin refuses what would be too many bins of all time, as the engine does.
func (f *fakeEngine) checkBin(o query.Query) error {
	bin, err := timebin.Parse(o.Bin)
	if err != nil || bin.IsAuto() || !o.Filter.Since.IsZero() {
		return nil
	}
	var dated []int64
	for i := range f.turns {
		if at := f.turns[i].Time; at != nil {
			dated = append(dated, at.Unix())
		}
	}
	if len(dated) > 0 {
		_, err = bin.Edges(slices.Min(dated), slices.Max(dated))
	}
	return err
}

func (f *fakeEngine) Peek(ctx context.Context, o query.Query) (*retrieval.Peek, error) {
	if o.Like != "" {
		return f.like(ctx, o)
	}
	text := o.Words()
	if err := f.wait(ctx, hurried("peek "+text, o)); err != nil {
		return nil, err
	}
	if err := f.checkBin(o); err != nil {
		return nil, err
	}
	p := &retrieval.Peek{Query: text, Mode: cmp.Or(o.Mode, f.mode), Timing: retrieval.Timing{Total: 4.2}, Mentions: f.mentions}
	p.Words = retrieval.NewWords(text)
	p.Notice = f.notice
	if o.Dates == query.DatesSoft && o.Filter.Since.IsZero() && strings.HasSuffix(text, " May 2023") {
		p.Dates = &retrieval.Dates{Text: "May 2023"}
	}
	if f.mode == query.Keyword && f.notice == "" {
		p.Notice = "By words only: no embedding model is configured."
	}
	sought := strings.ToLower(strings.TrimSuffix(text, " in May 2023"))
	for i := range f.turns {
		if p.Partial = o.Quick && 0 < f.few && f.few <= i; p.Partial {
			p.Notice = leftOut
			break
		}
		t := &f.turns[len(f.turns)-1-(i*7919)%len(f.turns)] // not in order of time
		if !passes(t, o.Filter) {
			continue
		}
		if len(p.Times) == o.Limit() || !strings.Contains(strings.ToLower(t.User+t.Assistant), sought) {
			continue
		}
		p.Times = append(p.Times, t.Time.Unix())
		if len(p.Matches) < o.Listed() {
			p.Matches = append(p.Matches, retrieval.Match{
				TurnID: t.TurnID, Conversation: t.Conversation, Score: new(0.93 - 0.004*float64(len(p.Matches))), Title: t.Title, Time: t.Time, OnPath: t.OnPath, UserSnippet: t.User, AssistantSnippet: t.Assistant, Source: t.Source,
				Worded:   len(p.Words.Find(t.User+" "+t.Assistant)) > 0,
				Features: explained(0.93-0.004*float64(len(p.Matches)), o),
			})
		}
	}
	p.Titles = f.titles
	slices.Sort(p.Times)
	p.Histogram.Total = len(p.Times)
	p.Coverage.Confidence = new(.97)
	p.Coverage.Truncated, p.Coverage.Faint = len(p.Times) == o.Limit(), f.faint
	p.Coverage.Candidates, p.Coverage.Matching, p.Coverage.Embedded = len(f.turns), len(f.turns), f.embedded
	return p, nil
}

// explained returns features of which a score is the sum, if the query asks for them.
func explained(score float64, q query.Query) []retrieval.Feature {
	if !q.Explain {
		return nil
	}
	return []retrieval.Feature{{Name: "own", Value: score - .25, Weight: 1}, {Name: "date", Weight: 1.25}, {Name: "vector", Value: 2, Weight: .125}}
}

func (f *fakeEngine) Browse(ctx context.Context, q query.Query, o retrieval.BrowseOptions) (*retrieval.BrowseResult, error) {
	if err := f.wait(ctx, hurried("browse", q)); err != nil {
		return nil, err
	}
	b, of := &retrieval.BrowseResult{Notice: f.notice}, map[uuid.UUID][]int{}
	for i := range f.turns {
		t := &f.turns[i]
		if q.Quick && len(q.Without) > 0 && 0 < f.few && f.few <= i {
			b.Partial, b.Notice = true, leftOut
			break
		}
		if !passes(t, q.Filter) {
			continue
		}
		b.Times = append(b.Times, t.Time.Unix())
		b.Matches = append(b.Matches, retrieval.Match{TurnID: t.TurnID, Conversation: t.Conversation, Title: t.Title, Time: t.Time, OnPath: t.OnPath, UserSnippet: t.User, AssistantSnippet: t.Assistant, Source: t.Source})
		of[t.Conversation] = append(of[t.Conversation], i)
	}
	for conversation, turns := range of {
		if last := f.turns[turns[len(turns)-1]]; len(turns) > 1 {
			b.TopConversations = append(b.TopConversations, retrieval.ConversationCount{Conversation: conversation, Title: last.Title, Turns: len(turns)})
		}
	}
	slices.SortFunc(b.TopConversations, func(x, y retrieval.ConversationCount) int {
		return cmp.Or(y.Turns-x.Turns, slices.Max(of[x.Conversation])-slices.Max(of[y.Conversation]))
	})
	b.Total, b.TopConversations = len(b.Times), b.TopConversations[:min(3, len(b.TopConversations))]
	if !o.Oldest {
		slices.Reverse(b.Matches)
	}
	b.Matches = b.Matches[min(o.After, len(b.Matches)):]
	b.Matches = b.Matches[:min(len(b.Matches), o.Limit)]
	return b, nil
}

func (f *fakeEngine) like(ctx context.Context, o query.Query) (*retrieval.Peek, error) {
	t, err := f.Turn(ctx, o.Like)
	if err != nil {
		return nil, err
	}
	o.Text, o.Like = t.User, ""
	p, err := f.Peek(ctx, o)
	if err == nil {
		p.Query, p.Like = "", t.TurnID
	}
	return p, err
}

func (f *fakeEngine) Suggest(ctx context.Context, text string) (string, error) {
	return map[string]string{"lentlis": "lentils"}[text], f.wait(ctx, "suggest "+text)
}

func (f *fakeEngine) Tags(ctx context.Context) ([]string, error) {
	return []string{"acme", "work\x1b[2J"}, f.wait(ctx, "tags")
}

func (f *fakeEngine) TopicNames(ctx context.Context) ([]string, error) {
	return []string{"Rust", "Garden"}, f.wait(ctx, "topic names")
}

// CompleteTitle knows a title that no result has.
func (f *fakeEngine) CompleteTitle(ctx context.Context, begun string, _ int) ([]string, error) {
	var found []string
	for _, title := range []string{"Rust service notes", "Learning Rust", "Garden", `The "best" of Garden`} {
		if strings.Contains(" "+strings.ToLower(title), " "+strings.ToLower(begun)) {
			found = append(found, title)
		}
	}
	return found, f.wait(ctx, "titles "+begun)
}

func (f *fakeEngine) Sources(ctx context.Context) ([]string, error) {
	return []string{"chatgpt", "claude", "claude-code"}, f.wait(ctx, "sources")
}

func (f *fakeEngine) Kinds(ctx context.Context) ([]string, error) {
	return []string{"exchange"}, f.wait(ctx, "kinds")
}

func (f *fakeEngine) Models(ctx context.Context) ([]string, error) {
	return []string{"gpt-4o", "claude-3"}, f.wait(ctx, "models")
}

func (f *fakeEngine) Turn(ctx context.Context, id string) (*retrieval.Turn, error) {
	if err := f.wait(ctx, "turn"); err != nil {
		return nil, err
	}
	for _, t := range f.turns {
		if t.TurnID.String() == id {
			return &t, nil
		}
	}
	return nil, errors.New("no such turn")
}

func (f *fakeEngine) Activity(ctx context.Context, o query.Query) (*retrieval.Activity, error) {
	if err := f.wait(ctx, "activity"); err != nil {
		return nil, err
	}
	width := map[string]time.Duration{"day": 24 * time.Hour, "hour": time.Hour}[o.Bin]
	a := &retrieval.Activity{}
	for _, t := range f.turns {
		if !within(*t.Time, o.Filter.Since, o.Filter.Until) {
			continue
		}
		start := t.Time.Truncate(width)
		b := &a.Histogram.Bins
		if len(*b) == 0 {
			*b = append(*b, retrieval.HistogramBin{Start: start, End: start.Add(width)})
		}
		for last := (*b)[len(*b)-1]; last.Start.Before(start); last = (*b)[len(*b)-1] {
			*b = append(*b, retrieval.HistogramBin{Start: last.End, End: last.End.Add(width)})
		}
		(*b)[len(*b)-1].Count++
		a.Histogram.Total++
	}
	return a, nil
}

func (f *fakeEngine) Overview(ctx context.Context) (*retrieval.Overview, error) {
	if err := f.wait(ctx, "overview"); err != nil {
		return nil, err
	}
	o := &retrieval.Overview{Turns: len(f.turns), Conversations: (len(f.turns) + 6) / 7, Model: f.model}
	if len(f.turns) > 0 {
		o.First, o.Last = f.turns[0].Time, f.turns[len(f.turns)-1].Time
	}
	return o, nil
}

// AboutEach says that each window was about what its turns are about.
func (f *fakeEngine) AboutEach(_ context.Context, windows ...retrieval.Window) ([]retrieval.About, error) {
	all := make([]retrieval.About, len(windows))
	for i, w := range windows {
		all[i] = retrieval.About{Window: w}
		if i%3 == 0 {
			all[i].Topics = []retrieval.AboutTopic{{ID: 1, Label: "Rust · service", Words: []string{"Rust", "service"}, Turns: 3}}
		}
		all[i].Titles = []retrieval.AboutTitle{{Title: "Rust service notes", Turns: 3}}
		all[i].Turns = 3
	}
	return all, nil
}

func (f *fakeEngine) Topics(context.Context, query.Query) (*retrieval.Topics, error) {
	bins := []retrieval.ActivityBin{{Count: 1}, {Count: 5}, {Count: 3}}
	return &retrieval.Topics{Topics: []retrieval.Topic{
		{ID: 1, Label: "Rust · service", Words: []string{"Rust", "service"}, Turns: 900, Bins: bins},
		{ID: 2, Words: []string{"Garden", "apple"}, Turns: 9, Bins: bins, Returned: &retrieval.TopicReturn{Days: 670}},
	}}, nil
}

func (f *fakeEngine) Habits(context.Context, *time.Location) (*retrieval.Habits, error) {
	h := retrieval.Habits{}
	for i := range h.Hours {
		h.Hours[i] = i * (24 - i)
	}
	h.Weekdays[time.Sunday] = 9
	return &h, nil
}

// Path is the conversation of a turn.
func (f *fakeEngine) Path(ctx context.Context, turn uuid.UUID) (*retrieval.Path, error) {
	if err := f.wait(ctx, "path"); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(f.turns, func(t retrieval.Turn) bool { return t.TurnID == turn })
	if at < 0 {
		return nil, errors.New("no such turn")
	}
	p := &retrieval.Path{Conversation: f.turns[at].Conversation}
	for _, t := range f.turns { // in which all turns follow each other
		p.Turns = append(p.Turns, retrieval.PathTurn{TurnID: t.TurnID, Opening: t.User, Questions: f.versions[t.TurnID]})
	}
	return p, nil
}

// Conversations has the titles that a search finds, and else those of turns.
func (f *fakeEngine) Conversations(ctx context.Context) ([]retrieval.ListedConversation, error) {
	var all []retrieval.ListedConversation
	for i := len(f.turns) - 1; i >= 0; i-- {
		t := &f.turns[i]
		at := slices.IndexFunc(all, func(c retrieval.ListedConversation) bool { return c.ID == t.Conversation })
		if at < 0 {
			at = len(all)
			all = append(all, retrieval.ListedConversation{ID: t.Conversation, Title: t.Title, Source: t.Source, Topic: t.Model, Last: t.Time})
		}
		all[at].FirstTurn, all[at].First = t.TurnID, t.Time
		for _, found := range f.titles {
			if found.Conversation == t.Conversation {
				all[at].Title = found.Title
			}
		}
		all[at].Turns++
	}
	return all, f.wait(ctx, "conversations")
}

func (f *fakeEngine) FindIn(ctx context.Context, _ uuid.UUID, wanted *regexp.Regexp) (found []uuid.UUID, err error) {
	for _, t := range f.turns {
		if wanted.MatchString(t.User + "\n" + t.Assistant) {
			found = append(found, t.TurnID)
		}
	}
	return found, f.wait(ctx, "find in")
}
